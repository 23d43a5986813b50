//! Manners of asking for a page, none of which a page may depend on. The walk varies them.

use crate::safety::Safety;
use application::{COOKIE, Header, Request};
use engine::HttpResponse;
use rand::{Rng, RngExt, seq::SliceRandom};
use std::fmt;

/// A manner of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Asks as measured users do.
    Plain,
    Http10,
    Close,
    OtherAgent,
    NoAgent,
    Accept,
    NoAccept,
    Language,
    Forwarded,
    Cookie,
    Order,
    Encoding,
    Host,
    Head,
    Tag,
    Since,
}

/// The manners that get the page in the request's own place.
const IN_PLACE: [(Manner, &str); 11] = [
    (Manner::Http10, "in HTTP/1.0"),
    (Manner::Close, "with `Connection: close`"),
    (Manner::OtherAgent, "with another User-Agent"),
    (Manner::NoAgent, "without a User-Agent"),
    (Manner::Accept, "with another Accept"),
    (Manner::NoAccept, "without an Accept"),
    (Manner::Language, "with Accept-Language"),
    (Manner::Forwarded, "with X-Forwarded-For"),
    (Manner::Cookie, "with foreign cookies"),
    (Manner::Order, "with its parameters in another order"),
    (Manner::Encoding, "with Accept-Encoding"),
];

/// The manners that HTTP lets a server answer without the page, so that they need a request more.
const AFTERWARDS: [(Manner, &str); 4] = [
    (Manner::Host, "with another Host"),
    (Manner::Head, "with HEAD"),
    (Manner::Tag, "with If-None-Match"),
    (Manner::Since, "with If-Modified-Since"),
];

const AGENT: &str = concat!("tierbench/", env!("CARGO_PKG_VERSION"));
const OTHER_AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const OTHER_HOST: &str = "elsewhere.test";
/// A tag that no page has.
const NO_TAG: &str = "\"of-no-page\"";
const FOREIGN_COOKIES: &str = "theme=dark; visits=3";

impl Manner {
    /// Draws the manner of a request: plain half the time.
    pub(crate) fn draw(random: &mut impl Rng) -> Self {
        match random.random_range(0..2 * IN_PLACE.len()) {
            at if at < IN_PLACE.len() => IN_PLACE[at].0,
            _ => Self::Plain,
        }
    }

    /// Draws a manner of asking once more: none for four of five requests.
    pub(crate) fn draw_afterwards(random: &mut impl Rng) -> Option<Self> {
        AFTERWARDS.get(random.random_range(0..5 * AFTERWARDS.len())).map(|(manner, _)| *manner)
    }

    /// The bytes of a request in this manner. The validators of conditional requests are those of `before`, an answer
    /// to the same request.
    pub(crate) fn bytes(
        self,
        request: &Request,
        headers: &[Header],
        host: &str,
        before: Option<&HttpResponse>,
        random: &mut impl Rng,
    ) -> Vec<u8> {
        let is_form = workload::header(headers, "Content-Type").is_none();
        let mut request = request.clone();
        if self == Self::Order && is_form {
            reorder(&mut request, random);
        }
        let method = if self == Self::Head { "HEAD" } else { &request.method };
        let version = if self == Self::Http10 { "1.0" } else { "1.1" };
        let host = if self == Self::Host { OTHER_HOST } else { host };
        let mut head = format!("{method} {} HTTP/{version}\r\nHost: {host}\r\n", request.target());
        let mut put = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        for (name, value) in self.own_headers(before) {
            if workload::header(headers, name).is_none() {
                put(name, &value);
            }
        }
        let mut has_cookies = false;
        for Header { name, value } in headers {
            let is_cookie = name.eq_ignore_ascii_case(COOKIE);
            has_cookies |= is_cookie;
            match is_cookie && self == Self::Cookie {
                true => put(name, &format!("{FOREIGN_COOKIES}; {value}")),
                false => put(name, value),
            }
        }
        if self == Self::Cookie && !has_cookies {
            put(COOKIE, FOREIGN_COOKIES);
        }
        if request.method != "GET" || !request.body.is_empty() {
            if is_form {
                put("Content-Type", "application/x-www-form-urlencoded");
            }
            put("Content-Length", &request.body.len().to_string());
        }
        [head.as_bytes(), b"\r\n", &request.body].concat()
    }

    fn own_headers(self, before: Option<&HttpResponse>) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        let validator = |name: &str| before.and_then(|before| before.header(name));
        match self {
            Self::OtherAgent => all.push(("User-Agent", OTHER_AGENT.to_owned())),
            Self::NoAgent => {}
            _ => all.push(("User-Agent", AGENT.to_owned())),
        }
        match self {
            Self::Accept => all.push(("Accept", "*/*".to_owned())),
            Self::NoAccept => {}
            _ => all.push(("Accept", "text/html,*/*;q=0.8".to_owned())),
        }
        match self {
            Self::Close => all.push(("Connection", "close".to_owned())),
            Self::Language => all.push(("Accept-Language", "el, de;q=0.7".to_owned())),
            Self::Forwarded => all.push(("X-Forwarded-For", "203.0.113.7".to_owned())),
            Self::Encoding => all.push(("Accept-Encoding", "gzip".to_owned())),
            Self::Tag => {
                all.push(("If-None-Match", validator("etag").unwrap_or_else(|| NO_TAG.to_owned())));
            }
            Self::Since => {
                // Apache sends 304 for the present second even where a page has no date.
                let earlier = || {
                    let at = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(1);
                    jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at)
                };
                let since = validator("last-modified").or_else(|| earlier().ok());
                all.extend(since.map(|since| ("If-Modified-Since", since)));
            }
            _ => {}
        }
        all
    }

    /// Checks what only this manner demands of an answer.
    pub(crate) fn expect_framing(self, got: &HttpResponse) -> Result<(), String> {
        match self == Self::Http10 && got.header("transfer-encoding").is_some() {
            true => Err("  the answer is chunked, which a client of HTTP/1.0 can't read".to_owned()),
            false => Ok(()),
        }
    }

    /// True if HTTP lets a server answer so instead of sending the page, which it has sent `before`.
    pub(crate) fn may_answer(
        self,
        got: &HttpResponse,
        before: &HttpResponse,
        safety: &Safety,
    ) -> Result<bool, String> {
        let is_same = got.status == 304;
        match self {
            Self::Tag => Ok(is_same && before.header("etag").is_some()),
            Self::Since => Ok(is_same && before.header("last-modified").is_some()),
            Self::Head => Ok(got.status == before.status || safety.is_refusal(got, "HEAD")?),
            // It may serve certain hosts only.
            Self::Host => safety.is_refusal(got, "GET"),
            _ => Ok(false),
        }
    }
}

/// The bytes of a request with these headers besides.
pub(crate) fn with_conditions(request: &[u8], conditions: &[(&str, String)]) -> Vec<u8> {
    let first = request.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines: String = conditions.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    [&request[..first], lines.as_bytes(), &request[first..]].concat()
}

/// Puts the parameters in another order. Values of one name keep theirs, because their order means something.
fn reorder(request: &mut Request, random: &mut impl Rng) {
    let is_query = request.method == "GET";
    let text = match is_query {
        true => Some(request.query.as_str()),
        false => std::str::from_utf8(&request.body).ok(),
    };
    let Some(text) = text else { return };
    let mut pairs: Vec<&str> = text.split('&').collect();
    let name = |pair: &&str| pair.split('=').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = pairs.iter().map(name).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < pairs.len() {
        return;
    }
    pairs.shuffle(random);
    let text = pairs.join("&");
    if is_query { request.query = text } else { request.body = text.into_bytes() }
}

impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = IN_PLACE.iter().chain(&AFTERWARDS).find(|(manner, _)| manner == self);
        f.write_str(known.map_or("plainly", |(_, words)| words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::ResponseReader;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn answer(head: &str) -> HttpResponse {
        let text = format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n");
        ResponseReader::default().receive(text.as_bytes()).unwrap().unwrap()
    }

    fn sent(manner: Manner, query: &str, before: Option<&HttpResponse>) -> String {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let request = Request::new("GET", &format!("/a?{query}"), "");
        let bytes = manner.bytes(&request, &[], "here", before, &mut random);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn not_modified_needs_a_validator_of_the_server() {
        let safety = Safety::new(&[], Vec::new());
        let may =
            |manner: Manner, head: &str| manner.may_answer(&answer("304 x"), &answer(head), &safety).unwrap();
        assert!(may(Manner::Tag, "200 x\r\nETag: \"1\"") && !may(Manner::Tag, "200 x"));
        assert!(
            may(Manner::Since, "200 x\r\nLast-Modified: x") && !may(Manner::Since, "200 x\r\nETag: \"1\"")
        );
        assert!(!may(Manner::Language, "200 x\r\nETag: \"1\""));
        assert!(
            sent(Manner::Tag, "", Some(&answer("200 x\r\nETag: \"1\""))).contains("If-None-Match: \"1\"\r\n")
        );
        assert!(sent(Manner::Since, "", None).contains(" GMT\r\n"));
    }

    #[test]
    fn conditions_follow_the_first_line() {
        let conditions = [("If-None-Match", "\"1\"".to_owned())];
        let bytes = with_conditions(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", &conditions);
        assert_eq!(bytes, b"GET / HTTP/1.1\r\nIf-None-Match: \"1\"\r\nHost: x\r\n\r\n");
    }

    #[test]
    fn values_of_one_name_keep_their_order() {
        assert!(
            sent(Manner::Order, "a=1&a=2&b=3&c=4", None).starts_with("GET /a?a=1&a=2&b=3&c=4 HTTP/1.1\r\n")
        );
        let other = sent(Manner::Order, "a=1&b=2&c=3&d=4&e=5", None);
        assert!(!other.contains("a=1&b=2&c=3&d=4&e=5"));
        ["a=1", "b=2", "c=3", "d=4", "e=5"].iter().for_each(|pair| assert!(other.contains(pair)));
    }
}
