//! Messages on the wire, in the formats of common mail programs (RFC 5322, 2045 to 2047, 2231).

use crate::rows::{DOMAIN, Message, Person};
use application::Timestamp;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::fmt::Write as _;

/// The format of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Plain ASCII.
    Ascii,
    /// UTF-8, quoted-printable.
    Quoted,
    /// ISO 8859-1, quoted-printable.
    Latin,
    /// UTF-8 in base64.
    Base64,
    /// As text and as HTML.
    Alternative,
    /// Text with an attachment.
    Mixed,
    /// HTML alone, which is shown as it is written.
    Html,
}

impl Sort {
    /// The first words of its text.
    pub fn beginning(self) -> &'static str {
        match self {
            Self::Html => {
                "<html><body onload=\"alert(1)\"><script>alert(2)</script><img src=\"http://192.0.2.1/x.png\">\n"
            }
            _ => "",
        }
    }

    /// Whether its character set has a letter.
    pub fn can_say(self, letter: char) -> bool {
        match self {
            Self::Ascii | Self::Alternative | Self::Mixed => letter.is_ascii(),
            Self::Latin => u32::from(letter) < 0x100,
            _ => true,
        }
    }
}

/// An attached file.
pub struct Attachment {
    pub name: &'static str,
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Attachment {
    /// The line that describes it.
    pub fn line(&self) -> String {
        attachment_line(self.name, self.kind, self.bytes.len())
    }
}

/// The line that describes an attachment.
pub fn attachment_line(name: &str, kind: &str, bytes: usize) -> String {
    format!("{name} ({kind}, {bytes} bytes)\n")
}

/// The content of a message.
pub struct Letter {
    pub message: Message,
    pub sender: Person,
    pub sort: Sort,
    pub attachment: Option<Attachment>,
}

const BOUNDARY: &str = "=_next_part_0123456789";

impl Letter {
    /// The bytes on the wire.
    pub fn source(&self) -> Vec<u8> {
        let Message { id, recipient, subject, date, text, .. } = &self.message;
        let name = encoded_words(&format!("{} {}", self.sender.firstname, self.sender.lastname));
        let mut source = format!(
            "From: {name} <{}>\nTo: {recipient}\nSubject: {}\nDate: {}\nMessage-ID: <{id}@{DOMAIN}>\nMIME-Version: 1.0\n",
            self.sender.address,
            encoded_words(subject),
            rfc_5322(*date)
        );
        let plain = || part("text/plain; charset=us-ascii", "7bit", text);
        source += &match self.sort {
            Sort::Ascii => plain(),
            Sort::Quoted => {
                part("text/plain; charset=utf-8", "quoted-printable", &quoted_printable(text.as_bytes()))
            }
            Sort::Latin => {
                let bytes: Vec<u8> = text.chars().map(|letter| u32::from(letter) as u8).collect();
                part("text/plain; charset=ISO-8859-1", "quoted-printable", &quoted_printable(&bytes))
            }
            Sort::Base64 => {
                part("text/plain; charset=\"UTF-8\"", "base64", &base64_lines(crlf(text).as_bytes()))
            }
            Sort::Html => {
                part("text/html; charset=utf-8", "quoted-printable", &quoted_printable(text.as_bytes()))
            }
            Sort::Alternative => {
                let html = format!("<p>{}</p>", text.replace('&', "&amp;").replace('<', "&lt;"));
                let html =
                    part("text/html; charset=utf-8", "quoted-printable", &quoted_printable(html.as_bytes()));
                multipart("alternative", &[plain(), html])
            }
            Sort::Mixed => {
                let attached = self.attachment.iter().map(attached);
                multipart("mixed", &[plain()].into_iter().chain(attached).collect::<Vec<_>>())
            }
        };
        crlf(&source).into_bytes()
    }
}

fn part(kind: &str, encoding: &str, body: &str) -> String {
    format!("Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}\n")
}

fn multipart(kind: &str, parts: &[String]) -> String {
    let mut all =
        format!("Content-Type: multipart/{kind}; boundary=\"{BOUNDARY}\"\n\nThis is a message in parts.\n");
    for part in parts {
        let _ = write!(all, "--{BOUNDARY}\n{part}");
    }
    all + &format!("--{BOUNDARY}--\n")
}

fn attached(attachment: &Attachment) -> String {
    let Attachment { name, kind, bytes } = attachment;
    let name = match name.is_ascii() {
        true => format!("filename=\"{}\"", name.replace('"', "\\\"")),
        false => format!("filename*=UTF-8''{}", percent_encoded(name)),
    };
    let head = format!("Content-Disposition: attachment; {name}\n");
    head + &part(kind, "base64", &base64_lines(bytes))
}

fn percent_encoded(text: &str) -> String {
    let letter = |byte: u8| match byte.is_ascii_alphanumeric() || b".-_".contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

/// A text for a header: encoded words (RFC 2047) of whole letters, if it needs any.
pub fn encoded_words(text: &str) -> String {
    /// Bytes of text in an encoded word: fewer than 75 with its delimiters.
    const MOST: usize = 39;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" .:'-".contains(&byte);
    if text.bytes().all(is_plain) && !text.contains("  ") {
        return text.to_owned();
    }
    let mut words = vec![String::new()];
    for letter in text.chars() {
        if words.last().is_some_and(|word| word.len() + letter.len_utf8() > MOST) {
            words.push(String::new());
        }
        words.last_mut().expect("there is a first one").push(letter);
    }
    words.iter().map(|word| format!("=?utf-8?B?{}?=", STANDARD.encode(word))).collect::<Vec<_>>().join("\n ")
}

fn base64_lines(bytes: &[u8]) -> String {
    let encoded = STANDARD.encode(bytes);
    let lines: Vec<&str> =
        (0..encoded.len()).step_by(76).map(|at| &encoded[at..encoded.len().min(at + 76)]).collect();
    lines.join("\n")
}

/// RFC 2045, 6.7: lines of at most 76 letters, line ends as they are.
fn quoted_printable(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if at > 0 {
            text.push('\n');
        }
        let mut column = 0;
        for (place, byte) in line.iter().enumerate() {
            let is_last = place + 1 == line.len();
            let literal = matches!(byte, b'!'..=b'<' | b'>'..=b'~') || (*byte == b' ' && !is_last);
            let written = if literal { char::from(*byte).to_string() } else { format!("={byte:02X}") };
            if column + written.len() > 75 {
                text.push_str("=\n");
                column = 0;
            }
            column += written.len();
            text.push_str(&written);
        }
    }
    text
}

fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

fn rfc_5322(instant: Timestamp) -> String {
    let instant = jiff::Timestamp::from_second(instant.0).unwrap_or_default();
    instant.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}
