//! The run's secrets, in the notations in which an answer may show them.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use memchr::memmem::Finder;
use std::ops::Range;

/// Texts that no byte of an answer may be part of.
pub(crate) struct Secrets {
    /// Finds each notation and each piece, of the secret that is told beside it.
    finders: Vec<(Finder<'static>, String)>,
}

/// Shorter texts are in many pages by chance.
const SHORTEST: usize = 8;
/// The length of a piece that is a secret itself: pages full of signatures have no such digits by chance.
const PIECE: usize = 12;
/// The length of secrets that are told of by a piece: those of passwords and keys. Longer ones are lines of a certificate's key.
const IN_PIECES: Range<usize> = 2 * PIECE..64;

impl Secrets {
    pub(crate) fn new(secrets: &[Vec<u8>]) -> Self {
        let long = secrets.iter().filter(|secret| secret.len() >= SHORTEST);
        let of = |secret: &Vec<u8>| {
            let shown = String::from_utf8_lossy(secret).into_owned();
            let finder = move |text: Vec<u8>| (Finder::new(&text).into_owned(), shown.clone());
            notations(secret).into_iter().chain(pieces(secret)).map(finder).collect::<Vec<_>>()
        };
        Self { finders: long.flat_map(of).collect() }
    }

    /// Checks that bytes contain no secret.
    pub(crate) fn expect_none_in(&self, bytes: &[u8]) -> Result<(), String> {
        match self.finders.iter().find(|(finder, _)| finder.find(bytes).is_some()) {
            Some((_, secret)) => Err(format!("  the answer shows a secret of the site: {secret}")),
            None => Ok(()),
        }
    }
}

/// Pieces of a password or a key, of which each half has one. Paths have none, because many begin alike.
fn pieces(secret: &[u8]) -> Vec<Vec<u8>> {
    let has_pieces = IN_PIECES.contains(&secret.len()) && !secret.starts_with(b"/");
    let secret: &[u8] = if has_pieces { secret } else { &[] };
    secret.windows(PIECE).step_by(PIECE / 2).map(<[u8]>::to_vec).collect()
}

/// A secret as it is, in capitals, in small letters, backwards, in hexadecimal, with the slashes of a path as JSON and addresses
/// have them, and in base64 wherever it begins in what is encoded.
fn notations(secret: &[u8]) -> Vec<Vec<u8>> {
    let hexadecimal: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut all = vec![
        secret.to_vec(),
        secret.to_ascii_uppercase(),
        secret.to_ascii_lowercase(),
        secret.iter().rev().copied().collect(),
        hexadecimal.to_ascii_uppercase().into_bytes(),
        hexadecimal.into_bytes(),
    ];
    if secret.starts_with(b"/") {
        let path = String::from_utf8_lossy(secret);
        all.extend(["\\/", "%2F"].map(|slash| path.replace('/', slash).into_bytes()));
    }
    for before in 0..3 {
        let bytes = [vec![0; before], secret.to_vec()].concat();
        // Letters that hold bits of what is before or behind are left out.
        let whole = bytes.len() / 3 * 4;
        let encoded = STANDARD_NO_PAD.encode(bytes);
        let inner = &encoded[if before == 0 { 0 } else { before + 1 }..whole];
        all.push(inner.as_bytes().to_vec());
        all.push(inner.replace('+', "-").replace('/', "_").into_bytes());
    }
    all.sort_unstable();
    all.dedup();
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
        for text in [&secret[..PIECE - 1], "", "short", "<p>password</p>"] {
            assert_eq!(secrets.expect_none_in(text.as_bytes()), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_half_of_a_password_and_a_path_in_other_notations_are_found() {
        let (secret, path) = ("5e884898da28047151d0e56f8dc62927", "/tmp/tierbench-run/web");
        let secrets = Secrets::new(&[secret.as_bytes().to_vec(), path.as_bytes().to_vec()]);
        for text in
            [&secret[..16], &secret[16..], r"\/tmp\/tierbench-run\/web", "%2Ftmp%2Ftierbench-run%2Fweb"]
        {
            assert!(secrets.expect_none_in(text.as_bytes()).is_err(), "{text}");
        }
        assert_eq!(secrets.expect_none_in(b"/tmp/tierbench-run/"), Ok(()));
    }
}
