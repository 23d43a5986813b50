//! Identity of users: passwords, log-in tokens, and sealed numbers. Every stack implements these formats.

use crate::Timestamp;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{self, Read},
};

/// The stored form of a password: SHA-256 of `nickname:password` in lower-case hexadecimal. The nickname is the salt
/// because it is unique, never changes, and is known before the row has an id. It is safe enough, and cheap enough not to
/// dominate a benchmark.
pub fn password_hash(nickname: &str, password: &str) -> String {
    hexadecimal(&Sha256::digest(format!("{nickname}:{password}")))
}

/// The key of a run, with which log-in tokens are signed.
///
/// A token is `user.expires.signature`: the user's id, the second since the Unix epoch at which it expires, and the
/// HMAC-SHA256 of `user.expires` under the run's key, in lower-case hexadecimal.
#[derive(Clone)]
pub struct TokenKey(String);

/// The validity of a token in seconds.
pub const TOKEN_LIFE: i64 = 3600;

impl TokenKey {
    /// The key from the text that stacks receive.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// An unpredictable key, from the kernel's random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(hexadecimal(&bytes)))
    }

    /// The text that stacks receive.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The token of a user who logs in now.
    pub fn sign(&self, user: i64, now: Timestamp) -> String {
        let claim = format!("{user}.{}", (now + TOKEN_LIFE).0);
        let signature = hexadecimal(&self.mac(&claim).finalize().into_bytes());
        format!("{claim}.{signature}")
    }

    /// The user of a token, unless it is forged, altered or expired.
    pub fn verify(&self, token: &str, now: Timestamp) -> Option<i64> {
        let (user, expires) = self.claim(token)?;
        (now <= expires).then_some(user)
    }

    /// The user and the expiry of a token with a valid signature.
    pub fn claim(&self, token: &str) -> Option<(i64, Timestamp)> {
        let (claim, signature) = token.rsplit_once('.')?;
        let signature = bytes(signature)?;
        self.mac(claim).verify_slice(&signature).ok()?;
        let (user, expires) = claim.split_once('.')?;
        Some((user.parse().ok()?, Timestamp(expires.parse().ok()?)))
    }

    /// Seals a number as the value of the parameter `name`, which is accepted only unaltered: the number and the
    /// HMAC-SHA256 of `name=number` under the run's key, as in `17.5e88…`. It never expires.
    pub fn seal(&self, name: &str, number: i64) -> String {
        let signature = hexadecimal(&self.mac(&format!("{name}={number}")).finalize().into_bytes());
        format!("{number}.{signature}")
    }

    /// A number sealed for the parameter `name`, unless it is forged or altered.
    pub fn open(&self, name: &str, sealed: &str) -> Option<i64> {
        let (number, signature) = sealed.split_once('.')?;
        self.mac(&format!("{name}={number}")).verify_slice(&bytes(signature)?).ok()?;
        number.parse().ok()
    }

    /// Encrypts the text of a session cookie, which only the site can read, for [`TOKEN_LIFE`] seconds. It is
    /// `expires:text` in AES-256-GCM, with the SHA-256 of the run's key as its key; the nonce (12 bytes), the
    /// ciphertext and the tag are in URL-safe base64 without padding. Any unique nonce is allowed; this one is derived
    /// from the text, so that models need no randomness.
    pub fn lock(&self, text: &str, now: Timestamp) -> String {
        let mut sealed = format!("{}:{text}", (now + TOKEN_LIFE).0).into_bytes();
        let nonce: [u8; NONCE_LEN] = {
            let mut mac = self.mac("nonce:");
            mac.update(&sealed);
            let digest = mac.finalize().into_bytes();
            std::array::from_fn(|at| digest[at])
        };
        let encrypted = self.cipher().seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::empty(),
            &mut sealed,
        );
        encrypted.expect("AES-GCM takes texts of any length that a cookie has");
        URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat())
    }

    /// The encrypted text, unless it is forged, altered or expired.
    pub fn unlock(&self, locked: &str, now: Timestamp) -> Option<String> {
        let (text, expires) = self.locked(locked)?;
        (now <= expires).then_some(text)
    }

    /// The encrypted text and its expiry, which may be over.
    pub fn locked(&self, locked: &str) -> Option<(String, Timestamp)> {
        let mut bytes = URL_SAFE_NO_PAD.decode(locked).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let plain = self.cipher().open_in_place(nonce, Aad::empty(), sealed).ok()?;
        let (expires, text) = std::str::from_utf8(plain).ok()?.split_once(':')?;
        Some((text.to_owned(), Timestamp(expires.parse().ok()?)))
    }

    fn cipher(&self) -> LessSafeKey {
        let key = UnboundKey::new(&AES_256_GCM, &Sha256::digest(self.0.as_bytes()));
        LessSafeKey::new(key.expect("a SHA-256 is as long as the key of AES-256"))
    }

    fn mac(&self, claim: &str) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).expect("HMAC takes keys of any length");
        mac.update(claim.as_bytes());
        mac
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn bytes(hexadecimal: &str) -> Option<Vec<u8>> {
    let digits = hexadecimal.as_bytes();
    let lower = digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    (lower && digits.len().is_multiple_of(2)).then_some(())?;
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&hexadecimal[2 * i..2 * i + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_until_it_expires() {
        let key = TokenKey::new("secret");
        let token = key.sign(7, Timestamp(1000));
        assert_eq!(key.verify(&token, Timestamp(1000 + TOKEN_LIFE)), Some(7));
        assert_eq!(key.verify(&token, Timestamp(1001 + TOKEN_LIFE)), None);
    }

    #[test]
    fn altered_tokens_are_refused() {
        let key = TokenKey::new("secret");
        let token = key.sign(7, Timestamp(1000));
        let forged = TokenKey::new("guess").sign(7, Timestamp(1000));
        let upper = token.to_uppercase();
        for wrong in
            [token.replacen('7', "8", 1), forged, upper, "7".into(), String::new(), "7.9999999999.".into()]
        {
            assert_eq!(key.verify(&wrong, Timestamp(1000)), None, "{wrong}");
        }
    }

    #[test]
    fn a_sealed_number_is_valid_for_its_parameter_only() {
        let key = TokenKey::new("secret");
        let sealed = key.seal("CART", 17);
        assert_eq!(key.open("CART", &sealed), Some(17));
        assert_eq!(sealed, key.seal("CART", 17), "it says nothing of the time");
        let upper = sealed.to_uppercase();
        for wrong in [&sealed.replacen("17", "18", 1), &upper, "17", "17.", "", &format!("{sealed}0")] {
            assert_eq!(key.open("CART", wrong), None, "{wrong}");
        }
        assert_eq!(key.open("ORDER", &sealed), None);
        assert_eq!(TokenKey::new("guess").open("CART", &sealed), None);
        assert_eq!(key.claim(&sealed), None, "it is no log-in");
    }

    #[test]
    fn a_locked_text_is_readable_with_its_key_until_it_expires() {
        let key = TokenKey::new("secret");
        let locked = key.lock("user1:pass:word", Timestamp(1000));
        assert!(locked.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{locked}");
        assert!(!locked.contains("user"));
        assert_eq!(key.unlock(&locked, Timestamp(1000 + TOKEN_LIFE)).as_deref(), Some("user1:pass:word"));
        assert_eq!(key.unlock(&locked, Timestamp(1001 + TOKEN_LIFE)), None);
        assert_eq!(TokenKey::new("guess").unlock(&locked, Timestamp(1000)), None);
        for at in 0..locked.len() {
            let mut altered = locked.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(key.unlock(&altered, Timestamp(1000)), None, "{at}");
        }
        for wrong in ["", "AAAA", &locked[1..], &format!("{locked}A"), &format!("{locked}=")] {
            assert_eq!(key.unlock(wrong, Timestamp(1000)), None, "{wrong}");
        }
    }

    #[test]
    fn equal_passwords_have_different_hashes() {
        assert_ne!(password_hash("user1", "secret"), password_hash("user2", "secret"));
    }

    #[test]
    fn password_hashes_match_other_programs() {
        // printf user1:password1 | sha256sum
        assert_eq!(
            password_hash("user1", "password1"),
            "e47fadbaba0a0962e22b1f217458a4416626917c9710669796328545fb8d3081"
        );
    }
}
