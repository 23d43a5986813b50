use crate::settings::variable;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::time::{SystemTime, UNIX_EPOCH};

const LIFE_IN_SECONDS: u64 = 60 * 60;

/// Signs the tokens with which users show that they have logged in.
#[derive(Clone)]
pub struct TokenKey(Hmac<Sha256>);

impl TokenKey {
    pub fn new(key: &[u8]) -> Self {
        Self(Hmac::new_from_slice(key).expect("a key may have any length"))
    }

    pub fn from_environment() -> anyhow::Result<Self> {
        Ok(Self::new(variable::<String>("TIERBENCH_TOKEN_KEY")?.as_bytes()))
    }

    /// The token of a user who logs in now.
    pub fn sign(&self, user: i32) -> String {
        self.sign_until(user, now() + LIFE_IN_SECONDS)
    }

    fn sign_until(&self, user: i32, expires: u64) -> String {
        let claim = format!("{user}.{expires}");
        let signature = self.0.clone().chain_update(&claim).finalize().into_bytes();
        format!("{claim}.{}", hex::encode(signature))
    }

    /// The user of a token, unless it is forged, altered or expired.
    pub fn verify(&self, token: &str) -> Option<i32> {
        let (claim, signature) = token.rsplit_once('.')?;
        // hex would read capitals, too.
        if signature.contains(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        self.0.clone().chain_update(claim).verify_slice(&hex::decode(signature).ok()?).ok()?;
        let (user, expires) = claim.split_once('.')?;
        let alive = now() <= expires.parse().ok()?;
        alive.then(|| user.parse().ok()).flatten()
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The form in which the database keeps a password.
pub fn password_hash(nickname: &str, password: &str) -> String {
    hex::encode(Sha256::digest(format!("{nickname}:{password}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_holds_for_its_user_until_it_expires() {
        let key = TokenKey::new(b"secret");
        let token = key.sign(17);
        assert_eq!(key.verify(&token), Some(17));
        let expired = key.sign_until(17, now() - 60);
        let other = TokenKey::new(b"other").sign(17);
        let loud = token.to_uppercase();
        for wrong in ["", "17", "17.", &expired, &other, &loud, &format!("1{token}")] {
            assert_eq!(key.verify(wrong), None, "{wrong}");
        }
    }
}
