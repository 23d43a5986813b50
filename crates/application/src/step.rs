//! Requests in text form: suggested by models, saved in files, parsed, shrunk and replayed.
//!
//! A log-in token depends on the run's key and on the time. So a step names the user instead, and the token is signed
//! when the step is sent. The same holds for sealed numbers.

use crate::http::unescape;
use crate::{Parameters, Request, TOKEN_LIFE, Timestamp, TokenKey, Value};
use std::{fmt, str::FromStr};
use thiserror::Error;
use workload::Header;

/// One request of a sequence in text form.
///
/// Text form, one per line: `POST /auction/StoreBid itemId=12&token={token:17}&bid=1.00`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// `GET`, `POST` or any other method.
    pub method: String,
    pub path: String,
    /// The form-encoded parameters, which are sent in the query, or in the body of a `POST`. Encoded values contain no
    /// braces (encoders write `%7B`), so that `{token:17}` is a valid log-in token of user 17 at the time of sending,
    /// `{token:17:expired}` an expired one, `{token:17:just}` one that has only just expired, `{token:17:forged}` one signed
    /// with another key, `{token:17:cut}` one without its last digits, `{token:17:other}` one with the signature of another
    /// user's, `{token:17:capitals}` one with its signature in capitals, and `{token:17:half}` and `{token:17:late}` are good
    /// ones of that age; `{sealed:17}` is 17 as the site seals it for this parameter, and `{sealed:17:forged}` the same with
    /// another key; `cut`, `other` and `capitals` are as with tokens. `{locked:TEXT}` is a text of letters, digits and colons
    /// as the site locks it up for a session; with `half`, `late`, `just`, `expired`, `forged`, `cut`, `other` or `capitals` in
    /// place of `locked` it is as such a token. `{other:TEXT}` ends as the session of somebody else does.
    ///
    /// For a request whose body is no form, its headers in braces and its body, all encoded:
    /// `{Content-Type=text%2Fxml}%3Ca%2F%3E`.
    pub parameters: String,
}

/// A request that takes one branch of the rules.
#[derive(Debug, Clone)]
pub struct Branch {
    /// `StoreBid: the auction is closed`.
    pub name: String,
    pub step: Step,
    /// The status that confirms the branch.
    pub status: u16,
}

/// A write of the contention test and the row that only it makes.
#[derive(Debug, Clone)]
pub struct Write {
    pub step: Step,
    pub table: &'static str,
    /// Columns with values that no other write of the test and no generated row has.
    pub mark: Vec<(&'static str, Value)>,
}

/// Faults of a line that should be a step.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StepError {
    #[error("a step is a method, a path and parameters, with single blanks between them")]
    Form,
    #[error(
        "`{0}` is no token: write {{token:17}}, {{token:17:expired}}, {{token:17:forged}}, {{sealed:17}}, \
         {{sealed:17:forged}}, {{locked:TEXT}}, {{expired:TEXT}} or {{forged:TEXT}}, and %7B for a brace"
    )]
    Token(String),
}

impl Step {
    /// A `GET` request with these fields. Values are encoded, but for those that have the form of a token: `{token:17}`.
    pub fn get(path: &str, fields: &[(&str, &str)]) -> Self {
        Self::new("GET", path, fields)
    }

    /// A `POST` request with these fields. Values are encoded, but for those that have the form of a token:
    /// `{token:17}`.
    pub fn post(path: &str, fields: &[(&str, &str)]) -> Self {
        Self::new("POST", path, fields)
    }

    fn new(method: &str, path: &str, fields: &[(&str, &str)]) -> Self {
        let mut parameters = String::new();
        for (name, value) in fields {
            if Claim::parse(value).is_some() {
                workload::append_pair(&mut parameters, name, "");
                parameters.push_str(value);
            } else {
                workload::append_pair(&mut parameters, name, value);
            }
        }
        Self { method: method.to_owned(), path: path.to_owned(), parameters }
    }

    /// A `POST` request with these headers (at least one) and this body, which is no form.
    pub fn document(path: &str, headers: &[Header], body: &[u8]) -> Self {
        let mut encoded = String::new();
        headers.iter().for_each(|header| workload::append_pair(&mut encoded, &header.name, &header.value));
        let parameters = format!("{{{encoded}}}{}", workload::escape(body));
        Self { method: "POST".to_owned(), path: path.to_owned(), parameters }
    }

    /// The headers and the body of a request whose body is no form.
    pub fn as_document(&self) -> Option<(Vec<Header>, Vec<u8>)> {
        let (headers, body) = headers_and_body(&self.parameters).filter(|_| self.method == "POST")?;
        let pairs = Parameters::decode(headers.as_bytes());
        let header = |(name, value): (String, String)| Header::new(name, value);
        Some((pairs.texts().map(header).collect(), unescape(body.as_bytes())))
    }

    pub fn headers(&self) -> Vec<Header> {
        self.as_document().map_or(Vec::new(), |(headers, _)| headers)
    }

    /// The step of a user's request, with valid tokens replaced by their users.
    pub fn of(request: &workload::Request, key: &TokenKey) -> Self {
        if !request.headers.is_empty() && request.method == workload::Method::Post {
            return Self::document(&request.path_and_query, &request.headers, request.body.as_bytes());
        }
        let target = request.path_and_query.split_once('?');
        let (path, parameters) = match request.method {
            workload::Method::Get => target.unwrap_or((&request.path_and_query, "")),
            _ => (request.path_and_query.as_str(), request.body.as_str()),
        };
        let written = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            let token = key.claim(value).map(|(user, _)| format!("{name}={{token:{user}}}"));
            let sealed = || key.open(name, value).map(|number| format!("{name}={{sealed:{number}}}"));
            let locked = || key.locked(value).map(|(text, _)| format!("{name}={{locked:{text}}}"));
            token.or_else(sealed).or_else(locked)
        };
        let written = |pair: &str| written(pair).unwrap_or_else(|| pair.to_owned());
        Self {
            method: request.method.to_string(),
            path: path.to_owned(),
            parameters: parameters.split('&').map(written).collect::<Vec<_>>().join("&"),
        }
    }

    /// The request to send at `now`, with tokens signed with the key.
    pub fn request(&self, key: &TokenKey, now: Timestamp) -> Request {
        if let Some((_, body)) = self.as_document() {
            return Request { body, ..Request::new(&self.method, &self.path, "") };
        }
        let parameters = self.signed(key, now);
        if self.method == "POST" {
            return Request::new(&self.method, &self.path, &parameters);
        }
        let separator = match self.path.contains('?') {
            _ if parameters.is_empty() => "",
            true => "&",
            false => "?",
        };
        Request::new(&self.method, &format!("{}{separator}{parameters}", self.path), "")
    }

    fn signed(&self, key: &TokenKey, now: Timestamp) -> String {
        let signed = |pair: &str| {
            let name = pair.split('=').next().unwrap_or_default();
            let sign = |claim: Claim| claim.sign(name, key, now);
            pieces(pair).map(|piece| Claim::parse(piece).map_or(piece.to_owned(), sign)).collect::<String>()
        };
        self.parameters.split('&').map(signed).collect::<Vec<_>>().join("&")
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, path, parameters } = self;
        write!(f, "{method} {path}")?;
        if parameters.is_empty() { Ok(()) } else { write!(f, " {parameters}") }
    }
}

impl FromStr for Step {
    type Err = StepError;

    fn from_str(line: &str) -> Result<Self, StepError> {
        let mut parts = line.splitn(3, ' ');
        let (Some(method), Some(path)) = (parts.next(), parts.next()) else { return Err(StepError::Form) };
        let parameters = parts.next().unwrap_or_default();
        let is_method = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_method || !path.starts_with('/') || parameters.contains([' ', '\t', '\r', '\n']) {
            return Err(StepError::Form);
        }
        // The braces before a document are no token.
        let rest =
            headers_and_body(parameters).filter(|_| method == "POST").map_or(parameters, |(_, body)| body);
        match pieces(rest).find(|piece| piece.contains(['{', '}']) && Claim::parse(piece).is_none()) {
            Some(piece) => Err(StepError::Token(piece.to_owned())),
            None => Ok(Self {
                method: method.to_owned(),
                path: path.to_owned(),
                parameters: parameters.to_owned(),
            }),
        }
    }
}

/// A token, number or text to be signed.
enum Claim {
    /// The log-in token of a user.
    Token(i64, Sort),
    /// A number that the site seals. It has no age.
    Sealed(i64, Sort),
    /// A text that the site encrypts.
    Locked(String, Sort),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Good,
    /// Good, after half of its life.
    Half,
    /// Good, after nine tenths of its life.
    Late,
    /// Expired a moment ago.
    Just,
    Expired,
    Forged,
    /// Without the last digits of its signature.
    Cut,
    /// With the signature of the next user's token.
    Other,
    /// With its signature in capitals.
    Capitals,
}

/// The sorts of tokens by their words.
const SORTS: [(&str, Sort); 8] = [
    ("half", Sort::Half),
    ("late", Sort::Late),
    ("just", Sort::Just),
    ("expired", Sort::Expired),
    ("forged", Sort::Forged),
    ("cut", Sort::Cut),
    ("other", Sort::Other),
    ("capitals", Sort::Capitals),
];

impl Sort {
    fn named(word: &str) -> Option<Self> {
        SORTS.iter().find(|(known, _)| *known == word).map(|(_, sort)| *sort)
    }

    /// The age of such a token, in seconds.
    fn age(self) -> i64 {
        match self {
            Self::Good | Self::Forged | Self::Cut | Self::Other | Self::Capitals => 0,
            Self::Half => TOKEN_LIFE / 2,
            Self::Late => TOKEN_LIFE / 10 * 9,
            Self::Just => TOKEN_LIFE + A_MOMENT,
            Self::Expired => TOKEN_LIFE + LONG_AGO,
        }
    }
}

/// Age of an expired token after its expiry, in seconds: longer than clocks differ.
const LONG_AGO: i64 = 60;

/// Age of a token that has only just expired: hardly longer than clocks differ.
const A_MOMENT: i64 = 4;

/// Digits that a cut signature lacks.
const CUT: usize = 8;

impl Claim {
    /// Reads `{token:17}`, `{token:17:expired}` or another sort, `{sealed:17}` or `{sealed:17:forged}`.
    fn parse(text: &str) -> Option<Self> {
        Self::parse_locked(text).or_else(|| Self::parse_number(text))
    }

    /// Reads `{locked:TEXT}`, or another sort of it: `{expired:TEXT}`.
    fn parse_locked(text: &str) -> Option<Self> {
        let (kind, text) = text.strip_prefix('{')?.strip_suffix('}')?.split_once(':')?;
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':');
        let sort = if kind == "locked" { Sort::Good } else { Sort::named(kind)? };
        is_plain.then(|| Self::Locked(text.to_owned(), sort))
    }

    fn parse_number(text: &str) -> Option<Self> {
        let mut words = text.strip_prefix('{')?.strip_suffix('}')?.split(':');
        let (kind, number) = (words.next()?, words.next()?.parse().ok()?);
        let (sort, end) = (words.next(), words.next());
        match (kind, sort, end) {
            ("token", None, None) => Some(Self::Token(number, Sort::Good)),
            ("token", Some(word), None) => Sort::named(word).map(|sort| Self::Token(number, sort)),
            ("sealed", None, None) => Some(Self::Sealed(number, Sort::Good)),
            ("sealed", Some(word), None) => {
                Sort::named(word).filter(|sort| sort.age() == 0).map(|sort| Self::Sealed(number, sort))
            }
            _ => None,
        }
    }

    /// The claim as the value of the parameter `name`.
    fn sign(&self, name: &str, key: &TokenKey, now: Timestamp) -> String {
        let another = || TokenKey::new(format!("not {}", key.text()));
        match self {
            Self::Token(user, Sort::Forged) => another().sign(*user, now),
            Self::Token(user, Sort::Cut) => cut(key.sign(*user, now)),
            Self::Token(user, Sort::Other) => spliced(&key.sign(*user, now), &key.sign(*user + 1, now)),
            Self::Token(user, Sort::Capitals) => key.sign(*user, now).to_ascii_uppercase(),
            Self::Token(user, sort) => key.sign(*user, now + -sort.age()),
            Self::Locked(text, Sort::Forged) => another().lock(text, now),
            Self::Locked(text, Sort::Cut) => cut(key.lock(text, now)),
            Self::Locked(text, Sort::Other) => {
                let [own, others] = [text.clone(), format!("{text}x")].map(|text| key.lock(&text, now));
                own[..own.len() / 2].to_owned() + &others[own.len() / 2..]
            }
            Self::Locked(text, Sort::Capitals) => key.lock(text, now).to_ascii_uppercase(),
            Self::Locked(text, sort) => key.lock(text, now + -sort.age()),
            Self::Sealed(number, Sort::Forged) => another().seal(name, *number),
            Self::Sealed(number, Sort::Cut) => cut(key.seal(name, *number)),
            Self::Sealed(number, Sort::Other) => {
                spliced(&key.seal(name, *number), &key.seal(name, *number + 1))
            }
            Self::Sealed(number, Sort::Capitals) => key.seal(name, *number).to_ascii_uppercase(),
            Self::Sealed(number, _) => key.seal(name, *number),
        }
    }
}

/// A signed text without its last digits.
fn cut(mut signed: String) -> String {
    signed.truncate(signed.len() - CUT);
    signed
}

/// Text of one token with the signature of another.
fn spliced(own: &str, next: &str) -> String {
    let parts = own.rsplit_once('.').zip(next.rsplit_once('.'));
    parts.map_or(String::new(), |((claim, _), (_, signature))| format!("{claim}.{signature}"))
}

/// The headers and the body of a document, both encoded.
fn headers_and_body(parameters: &str) -> Option<(&str, &str)> {
    parameters.strip_prefix('{')?.split_once('}').filter(|(headers, _)| headers.contains('='))
}

/// The text in pieces; text in braces is a separate piece.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('}').flat_map(|part| {
        let (before, braced) = part.split_at(part.find('{').unwrap_or(part.len()));
        [before, braced].into_iter().filter(|piece| !piece.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use workload::{How, InteractionId, Method};

    const NOW: Timestamp = Timestamp(1_800_000_000);

    fn token_of(step: &Step, key: &TokenKey) -> String {
        let request = step.request(key, NOW);
        Parameters::decode(&request.body).one("token").unwrap().to_owned()
    }

    #[test]
    fn tokens_are_signed_when_they_are_sent() {
        let key = TokenKey::new("secret");
        let step =
            |token: &str| Step::post("/shop/Buy", &[("item", "1"), ("token", token), ("note", "{x}\n")]);
        assert_eq!(step("{token:17}").to_string(), "POST /shop/Buy item=1&token={token:17}&note=%7Bx%7D%0A");
        assert_eq!(key.verify(&token_of(&step("{token:17}"), &key), NOW), Some(17));
        let expired = token_of(&step("{token:17:expired}"), &key);
        assert_eq!(key.verify(&expired, NOW), None);
        assert_eq!(key.claim(&expired).map(|(user, _)| user), Some(17));
        let forged = token_of(&step("{token:17:forged}"), &key);
        assert!(forged.starts_with("17.") && key.claim(&forged).is_none(), "{forged}");
        let loud = token_of(&step("{token:17:capitals}"), &key);
        assert_eq!(key.claim(&loud), None);
        assert_eq!(key.verify(&loud.to_ascii_lowercase(), NOW), Some(17));
    }

    #[test]
    fn sessions_are_encrypted_when_they_are_sent() {
        let key = TokenKey::new("secret");
        let sent = |session: &str| {
            let step: Step = format!("GET /shop/Own session={session}&id=1").parse().unwrap();
            let request = step.request(&key, NOW);
            Parameters::decode(request.query.as_bytes()).one("session").unwrap().to_owned()
        };
        assert_eq!(key.unlock(&sent("{locked:ada:secret}"), NOW).as_deref(), Some("ada:secret"));
        let expired = sent("{expired:ada:secret}");
        assert_eq!((key.unlock(&expired, NOW), key.locked(&expired).is_some()), (None, true));
        assert_eq!(key.locked(&sent("{forged:ada:secret}")), None);
        assert!("GET /shop/Own session={locked:a&b}".parse::<Step>().is_err());
        let request = workload::Request {
            interaction: InteractionId(0),
            method: Method::Get,
            path_and_query: format!("/shop/Own?session={}", key.lock("ada:secret", NOW)),
            headers: Vec::new(),
            body: String::new(),
            how: How::Forward,
            drawn: None,
        };
        assert_eq!(Step::of(&request, &key).to_string(), "GET /shop/Own session={locked:ada:secret}");
    }

    #[test]
    fn the_method_decides_where_parameters_are_sent() {
        let key = TokenKey::new("secret");
        let get = Step::get("/shop/Item", &[("id", "1")]).request(&key, NOW);
        assert_eq!((get.target(), get.body.len()), ("/shop/Item?id=1".to_owned(), 0));
        let delete: Step = "DELETE /shop/Item?a=1 id=2".parse().unwrap();
        assert_eq!(delete.request(&key, NOW).target(), "/shop/Item?a=1&id=2");
        let post: Step = "POST /shop/Buy?a=1 id=2".parse().unwrap();
        let post = post.request(&key, NOW);
        assert_eq!(
            (post.path.as_str(), post.query.as_str(), post.body.as_slice()),
            ("/shop/Buy", "a=1", b"id=2".as_slice())
        );
    }

    #[test]
    fn tokens_of_users_are_replaced_in_steps() {
        let key = TokenKey::new("secret");
        let request = workload::Request {
            interaction: InteractionId(0),
            method: Method::Post,
            path_and_query: "/shop/Buy".to_owned(),
            headers: Vec::new(),
            body: format!("item=1&token={}&token=7.8.9", key.sign(17, NOW)),
            how: How::Forward,
            drawn: None,
        };
        assert_eq!(
            Step::of(&request, &key).to_string(),
            "POST /shop/Buy item=1&token={token:17}&token=7.8.9"
        );
        let get = workload::Request {
            method: Method::Get,
            path_and_query: "/shop/Item?id=1".to_owned(),
            ..request
        };
        assert_eq!(Step::of(&get, &key).to_string(), "GET /shop/Item id=1");
    }

    #[test]
    fn sealed_numbers_are_written_as_numbers() {
        let key = TokenKey::new("secret");
        let step: Step = "GET /shop/Cart CART={sealed:17}&OLD={sealed:3:forged}".parse().unwrap();
        let request = step.request(&key, NOW);
        let [cart, old] = ["CART", "OLD"].map(|name| {
            let parameters = Parameters::decode(request.query.as_bytes());
            key.open(name, parameters.one(name).unwrap())
        });
        assert_eq!((cart, old), (Some(17), None));
        let sent = workload::Request {
            interaction: InteractionId(0),
            method: Method::Get,
            path_and_query: format!("/shop/Cart?CART={}", key.seal("CART", 17)),
            headers: Vec::new(),
            body: String::new(),
            how: How::Forward,
            drawn: None,
        };
        assert_eq!(Step::of(&sent, &key).to_string(), "GET /shop/Cart CART={sealed:17}");
    }

    #[test]
    fn sessions_and_sealed_numbers_have_the_sorts_of_tokens() {
        let key = TokenKey::new("secret");
        let sent = |value: &str| {
            let step: Step = format!("GET /shop/Own session={value}").parse().unwrap();
            let request = step.request(&key, NOW);
            Parameters::decode(request.query.as_bytes()).one("session").unwrap().to_owned()
        };
        let opened = |sort: &str| key.unlock(&sent(&format!("{{{sort}:ada:secret}}")), NOW);
        for good in ["locked", "half", "late"] {
            assert_eq!(opened(good).as_deref(), Some("ada:secret"), "{good}");
        }
        for bad in ["just", "expired", "forged", "cut", "other", "capitals"] {
            assert_eq!(opened(bad), None, "{bad}");
        }
        assert_eq!(key.open("session", &sent("{sealed:17}")), Some(17));
        for bad in ["forged", "cut", "other", "capitals"] {
            assert_eq!(key.open("session", &sent(&format!("{{sealed:17:{bad}}}"))), None, "{bad}");
        }
        assert!("GET /shop/Own session={sealed:17:late}".parse::<Step>().is_err(), "it has no age");
    }

    #[test]
    fn invalid_steps_are_refused() {
        for wrong in ["", "GET", "/shop", "GET shop", "get /shop", "GET  /shop a=1", "GET /shop a=1 b=2"] {
            assert_eq!(wrong.parse::<Step>(), Err(StepError::Form), "{wrong}");
        }
        for wrong in ["{tokn:1}", "{token:x}", "{token:1:old}", "{token:1", "}", "{{token:1}}"] {
            let parsed = format!("GET /shop a={wrong}").parse::<Step>();
            assert!(matches!(parsed, Err(StepError::Token(_))), "{wrong}: {parsed:?}");
        }
    }

    fn value() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "\\{(token|sealed):[0-9]{1,9}(:expired|:forged)?\\}",
            "[{}:token0-9]{0,12}"
        ]
    }

    proptest! {
        #[test]
        fn documents_are_sent_unchanged(
            value in "[ -~]{0,30}",
            body in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let headers = [Header::new("Content-Type", "text/xml; charset=utf-8"), Header::new("SOAPAction", value)];
            let step = Step::document("/shop/Service", &headers, &body);
            let read: Step = step.to_string().parse().unwrap();
            prop_assert_eq!(&read, &step);
            prop_assert_eq!(read.headers(), headers);
            prop_assert_eq!(read.request(&TokenKey::new("secret"), NOW).body, body);
        }

        #[test]
        fn steps_round_trip(
            method in prop::sample::select(vec!["GET", "POST", "PUT"]),
            path in "/[!-z]{0,30}",
            fields in prop::collection::vec(("[a-zA-Z]{1,8}", value()), 0..6),
        ) {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let step = Step::new(method, &path, &fields);
            prop_assert_eq!(step.to_string().parse(), Ok(step));
        }

        #[test]
        fn parsed_steps_round_trip(line in "(GET|POST) /[a-z/?=]{0,9}( [!-~]{1,30})?") {
            if let Ok(step) = line.parse::<Step>() {
                prop_assert_eq!(step.to_string(), line);
            }
        }
    }
}
