//! Wrong authentication: log-ins and tokens that are not checked properly.

use super::reading;
use application::{Account, TOKEN, TOKEN_LIFE, Timestamp, TokenKey};
use workload::{Fill, Interaction, Parameter};

/// The kind of a wrong authentication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    Anonymous,
    Brief,
    Caseless,
    Expired,
    Forged,
    Lenient,
    Neighbour,
    Passwordless,
    Shortened,
    Successor,
    Swapped,
}

use Trust::{
    Anonymous, Brief, Caseless, Expired, Forged, Lenient, Neighbour, Passwordless, Shortened, Successor,
    Swapped,
};

const OF_TOKENS: [(Trust, &str, &str); 9] = [
    (Brief, "token.brief", "tokens end after half of their life"),
    (Caseless, "token.case", "signatures are accepted in capitals"),
    (Lenient, "token.lenient", "tokens are accepted for half a minute after their expiry"),
    (Shortened, "token.shortened", "the beginning of a signature is enough"),
    (Swapped, "token.swapped", "the signature of another user's token is enough"),
    (Anonymous, "token.missing", "without a token, user 1 acts"),
    (Expired, "token.expired", "expired tokens are accepted"),
    (Forged, "token.forged", "the signature of tokens is not checked"),
    (Neighbour, "token.neighbour", "the next user acts"),
];

const OF_PASSWORDS: [(Trust, &str, &str); 2] = [
    (Passwordless, "password.any", "every password is accepted"),
    (Successor, "password.neighbour", "the next user is logged in"),
];

/// The possible wrong authentications of an interaction: kind, name and description.
pub(super) fn trusts(at: &Interaction) -> impl Iterator<Item = (Trust, &'static str, &'static str)> {
    let has_token = at.parameters.iter().any(|parameter| parameter.name == TOKEN);
    let has_password = filled_with(at, &Fill::OwnPassword).is_some();
    let of_tokens: &[_] = if has_token { &OF_TOKENS } else { &[] };
    let of_passwords: &[_] = if has_password { &OF_PASSWORDS } else { &[] };
    of_tokens.iter().chain(of_passwords).copied()
}

impl Trust {
    pub(super) fn needs_accounts(self) -> bool {
        matches!(self, Passwordless | Successor)
    }

    /// The encoded parameters of the user who is wrongly authenticated.
    pub(super) fn of(
        self,
        encoded: &str,
        key: &TokenKey,
        now: Timestamp,
        at: Option<&Interaction>,
        accounts: &[Account],
    ) -> String {
        if self.needs_accounts() {
            return at
                .and_then(|at| self.logged_in(encoded, at, accounts))
                .unwrap_or_else(|| encoded.to_owned());
        }
        let Some(token) = reading::value(encoded, TOKEN) else {
            let signed = format!("{TOKEN}={}", key.sign(1, now));
            return if self == Anonymous { reading::join([encoded, &signed]) } else { encoded.to_owned() };
        };
        if self == Brief {
            let is_young = key.claim(&token).is_none_or(|(_, expires)| expires - now > TOKEN_LIFE / 2 + 60);
            return match is_young {
                true => encoded.to_owned(),
                false => reading::map_value(encoded, TOKEN, |_| String::new()),
            };
        }
        let whole = |user: i64| {
            let expires = token.split('.').nth(1)?.parse().ok()?;
            Some(key.sign(user, Timestamp(expires) + -TOKEN_LIFE))
        };
        let claimed = || token.split('.').next().and_then(|user| user.parse::<i64>().ok());
        let believed = match self {
            Lenient => key.claim(&token).filter(|(_, expires)| now - *expires <= 30).map(|(user, _)| user),
            Shortened => claimed().filter(|user| {
                let has_signature = token.rsplit('.').next().is_some_and(|signature| signature.len() > 20);
                has_signature && whole(*user).is_some_and(|whole| whole.starts_with(&token))
            }),
            Swapped => claimed().filter(|user| {
                let signature = |token: &str| token.rsplit('.').next().map(str::to_owned);
                let others = (1..=100).filter_map(&whole);
                others.chain(whole(*user)).any(|other| signature(&other) == signature(&token))
            }),
            Caseless => key.verify(&token.to_ascii_lowercase(), now),
            Expired => key.claim(&token).map(|(user, _)| user),
            Forged => token.split('.').next().and_then(|user| user.parse().ok()),
            Neighbour => key.verify(&token, now).map(|user| user + 1),
            Anonymous | Brief | Passwordless | Successor => None,
        };
        let signed = |user| reading::map_value(encoded, TOKEN, |_| key.sign(user, now));
        believed.map_or(encoded.to_owned(), signed)
    }

    fn logged_in(self, encoded: &str, at: &Interaction, accounts: &[Account]) -> Option<String> {
        let nickname = &filled_with(at, &Fill::OwnNickname)?.name;
        let password = &filled_with(at, &Fill::OwnPassword)?.name;
        let named = reading::value(encoded, nickname)?;
        let number = accounts.iter().position(|account| account.nickname == named)?;
        if self == Passwordless {
            return Some(reading::map_value(encoded, password, |_| {
                reading::encode(&accounts[number].password)
            }));
        }
        if reading::value(encoded, password)? != accounts[number].password {
            return None;
        }
        let next = accounts.get(number + 1)?;
        let renamed = reading::map_value(encoded, nickname, |_| reading::encode(&next.nickname));
        Some(reading::map_value(&renamed, password, |_| reading::encode(&next.password)))
    }
}

fn filled_with<'a>(at: &'a Interaction, fill: &Fill) -> Option<&'a Parameter> {
    at.parameters.iter().find(|parameter| parameter.fill.as_ref() == Some(fill))
}
