//! The run's secrets, in the notations in which an answer may show them.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use memchr::memmem;

/// Texts that no byte of an answer may be part of.
pub(crate) struct Secrets {
    /// The bytes of each notation, and the secret as text.
    notations: Vec<(Vec<u8>, String)>,
}

/// Shorter texts are in many pages by chance.
const SHORTEST: usize = 8;

impl Secrets {
    pub(crate) fn new(secrets: &[Vec<u8>]) -> Self {
        let long = secrets.iter().filter(|secret| secret.len() >= SHORTEST);
        let of = |secret: &Vec<u8>| {
            let shown = String::from_utf8_lossy(secret).into_owned();
            notations(secret).into_iter().map(move |notation| (notation, shown.clone()))
        };
        Self { notations: long.flat_map(of).collect() }
    }

    /// Checks that bytes contain no secret.
    pub(crate) fn expect_none_in(&self, bytes: &[u8]) -> Result<(), String> {
        let is_in = |(notation, _): &&(Vec<u8>, String)| memmem::find(bytes, notation).is_some();
        match self.notations.iter().find(is_in) {
            Some((_, secret)) => Err(format!("  the answer shows a secret of the site: {secret}")),
            None => Ok(()),
        }
    }
}

/// A secret as it is, in capitals, backwards, in hexadecimal, and in base64 wherever it begins in what is encoded.
fn notations(secret: &[u8]) -> Vec<Vec<u8>> {
    let hexadecimal: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut all = vec![
        secret.to_vec(),
        secret.to_ascii_uppercase(),
        secret.iter().rev().copied().collect(),
        hexadecimal.to_ascii_uppercase().into_bytes(),
        hexadecimal.into_bytes(),
    ];
    for before in 0..3 {
        let bytes = [vec![0; before], secret.to_vec()].concat();
        // Letters that hold bits of what is before or behind are left out.
        let whole = bytes.len() / 3 * 4;
        let encoded = STANDARD_NO_PAD.encode(bytes);
        let inner = &encoded[if before == 0 { 0 } else { before + 1 }..whole];
        all.push(inner.as_bytes().to_vec());
        all.push(inner.replace('+', "-").replace('/', "_").into_bytes());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;

    #[test]
    fn a_secret_is_found_in_each_notation() {
        let secret = "5e884898da28047151d0e56f8dc62927";
        let secrets = Secrets::new(&[secret.as_bytes().to_vec(), b"short".to_vec()]);
        let reversed: String = secret.chars().rev().collect();
        for text in [
            format!("password={secret};"),
            secret.to_uppercase(),
            reversed,
            secret.bytes().map(|byte| format!("{byte:02x}")).collect(),
            STANDARD.encode(secret),
            STANDARD.encode(format!("a:{secret}!")),
            STANDARD.encode(format!("ab:{secret}!!")),
            STANDARD.encode(format!("abc:{secret}")),
        ] {
            assert!(secrets.expect_none_in(text.as_bytes()).unwrap_err().contains(secret), "{text}");
        }
        for text in [&secret[1..], "", "short", "<p>password</p>"] {
            assert_eq!(secrets.expect_none_in(text.as_bytes()), Ok(()), "{text}");
        }
    }
}
