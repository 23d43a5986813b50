//! `application/x-www-form-urlencoded` texts.

use crate::page::percent_encode;

/// Appends a parameter as `application/x-www-form-urlencoded`, with a `&` unless it is the first.
pub fn append_pair(encoded: &mut String, name: &str, value: &str) {
    if !encoded.is_empty() {
        encoded.push('&');
    }
    form_encode(name.as_bytes(), encoded);
    encoded.push('=');
    form_encode(value.as_bytes(), encoded);
}

pub fn escape(bytes: &[u8]) -> String {
    let mut encoded = String::new();
    form_encode(bytes, &mut encoded);
    encoded
}

fn form_encode(bytes: &[u8], encoded: &mut String) {
    for &byte in bytes {
        match byte {
            b' ' => encoded.push('+'),
            b'*' | b'-' | b'.' | b'_' => encoded.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            byte => percent_encode(byte, encoded),
        }
    }
}
