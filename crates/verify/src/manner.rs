//! Manners of asking for a page, none of which a page may depend on. The script and the walk vary them.

use crate::safety::Safety;
use application::{COOKIE, Header, Request};
use engine::HttpResponse;
use rand::{Rng, RngExt, seq::SliceRandom};
use std::{fmt, iter, ops::Range};

/// A manner of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// Asks as measured users do.
    Plain,
    Http10,
    Close,
    NoAgent,
    NoAccept,
    Cookie,
    Order,
    Encoding,
    /// Asks with this one of [`HEADERS`].
    Header(usize),
    Host,
    Head,
    Tag,
    Since,
}

/// The manners that get the page in the request's own place, beside those with another header.
const IN_PLACE: [(Manner, &str); 7] = [
    (Manner::Http10, "in HTTP/1.0"),
    (Manner::Close, "with `Connection: close`"),
    (Manner::NoAgent, "without a User-Agent"),
    (Manner::NoAccept, "without an Accept"),
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
/// Headers that any client can send, none of which changes a page. Each is a manner of its own, because a page may depend on
/// one value and on no other.
const HEADERS: [(&str, &str); 17] = [
    ("Accept-Language", "de-DE,de;q=0.9,fr;q=0.8,es;q=0.7"),
    ("X-Forwarded-For", "127.0.0.1"),
    ("User-Agent", "curl/8.5.0"),
    ("Accept", "*/*"),
    ("Referer", "http://elsewhere.test/search?q=x"),
    ("X-Requested-With", "XMLHttpRequest"),
    ("Cache-Control", "no-cache"),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-Host", OTHER_HOST),
    ("X-Forwarded-For", "203.0.113.7"),
    ("X-Real-IP", "127.0.0.1"),
    ("Accept-Language", "tr-TR,tr;q=0.9,el;q=0.8"),
    ("Accept-Language", "ar"),
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"),
    ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    (
        "User-Agent",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    ),
    ("User-Agent", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
];
/// The number of headers that come before all other manners, because few forms are asked for in all. The walk asks with a
/// header as often as in this number of other manners.
const FIRST: usize = 4;
const OTHER_HOST: &str = "elsewhere.test";
/// A tag that no page has.
const NO_TAG: &str = "\"of-no-page\"";
const FOREIGN_COOKIES: &str = "theme=dark; visits=3";

impl Manner {
    /// Draws the manner of a request: plain three times of four, because the script has asked for each page in all of them.
    pub(crate) fn draw(random: &mut impl Rng) -> Self {
        let all = IN_PLACE.len() + FIRST;
        match random.random_range(0..4 * all) {
            at if at < IN_PLACE.len() => IN_PLACE[at].0,
            at if at < all => Self::Header(random.random_range(0..HEADERS.len())),
            _ => Self::Plain,
        }
    }

    /// The manners of asking for a page, the plain one first; then those of asking for it once more.
    pub(crate) fn all() -> (impl Iterator<Item = Self>, impl Iterator<Item = Self>) {
        let headers = |places: Range<usize>| places.map(Self::Header);
        let others = IN_PLACE.iter().map(|(manner, _)| *manner);
        let in_place = iter::once(Self::Plain).chain(headers(0..FIRST)).chain(others);
        let in_place = in_place.chain(headers(FIRST..HEADERS.len()));
        (in_place, AFTERWARDS.iter().map(|(manner, _)| *manner))
    }

    /// Draws a manner of asking once more: none for nine of ten requests.
    pub(crate) fn draw_afterwards(random: &mut impl Rng) -> Option<Self> {
        AFTERWARDS.get(random.random_range(0..10 * AFTERWARDS.len())).map(|(manner, _)| *manner)
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
        let other = if let Self::Header(at) = self { Some(HEADERS[at]) } else { None };
        let replaces = |name: &str| other.is_some_and(|(known, _)| known == name);
        let mut all: Vec<(&str, String)> = Vec::new();
        if self != Self::NoAgent && !replaces("User-Agent") {
            all.push(("User-Agent", AGENT.to_owned()));
        }
        if self != Self::NoAccept && !replaces("Accept") {
            all.push(("Accept", "text/html,*/*;q=0.8".to_owned()));
        }
        all.extend(other.map(|(name, value)| (name, value.to_owned())));
        let validator = |name: &str| before.and_then(|before| before.header(name));
        match self {
            Self::Close => all.push(("Connection", "close".to_owned())),
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
    let before = pairs.clone();
    pairs.shuffle(random);
    // Of two parameters, every second shuffle changes nothing.
    if pairs == before {
        let places = usize::from(pairs.len() > 1);
        pairs.rotate_left(places);
    }
    let text = pairs.join("&");
    if is_query { request.query = text } else { request.body = text.into_bytes() }
}

impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Header(at) = self {
            let (name, value) = HEADERS[*at];
            return write!(f, "with `{name}: {value}`");
        }
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
    use std::collections::BTreeSet;

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
        assert!(!may(Manner::Header(0), "200 x\r\nETag: \"1\""));
        assert!(
            sent(Manner::Tag, "", Some(&answer("200 x\r\nETag: \"1\""))).contains("If-None-Match: \"1\"\r\n")
        );
        assert!(sent(Manner::Since, "", None).contains(" GMT\r\n"));
    }

    #[test]
    fn each_header_is_sent_once_in_place_of_the_usual_one() {
        for (at, (name, value)) in HEADERS.iter().enumerate() {
            let text = sent(Manner::Header(at), "", None);
            assert!(text.contains(&format!("\r\n{name}: {value}\r\n")), "{text}");
            assert_eq!(text.matches(&format!("\r\n{name}: ")).count(), 1, "{text}");
            assert_eq!(Manner::Header(at).to_string(), format!("with `{name}: {value}`"));
        }
        let all: BTreeSet<Manner> = Manner::all().0.collect();
        assert_eq!(all.len(), 1 + IN_PLACE.len() + HEADERS.len());
        let plain = sent(Manner::Plain, "", None);
        assert!(HEADERS.iter().all(|(_, value)| !plain.contains(&format!(": {value}\r\n"))), "{plain}");
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
        assert!(sent(Manner::Order, "a=1&b=2", None).starts_with("GET /a?b=2&a=1 HTTP/1.1\r\n"));
        let other = sent(Manner::Order, "a=1&b=2&c=3&d=4&e=5", None);
        assert!(!other.contains("a=1&b=2&c=3&d=4&e=5"));
        ["a=1", "b=2", "c=3", "d=4", "e=5"].iter().for_each(|pair| assert!(other.contains(pair)));
    }
}
