//! Requests and answers of models.

use crate::StaticFile;
use workload::{Catalogue, Header};

/// The longest body of a request that programs send, in bytes. Servers may refuse longer ones.
pub const BODY_LIMIT: usize = 2 * 1024 * 1024;

/// A request as the model sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// Text after the question mark, as sent.
    pub query: String,
    pub body: Vec<u8>,
}

impl Request {
    /// A request to this path, with or without a query.
    pub fn new(method: &str, target: &str, body: &str) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: body.as_bytes().to_vec(),
        }
    }

    /// The path and the query, as sent.
    pub fn target(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }
}

pub const COOKIE: &str = "Cookie";

impl Request {
    /// Removes the parameters that belong in cookies, since steps contain all parameters. Returns the `Cookie` header,
    /// if there are any.
    pub fn take_cookies(&mut self, catalogue: &Catalogue) -> Option<Header> {
        let names: Vec<&str> = catalogue.get(catalogue.by_path(&self.path)?).cookies().collect();
        if names.is_empty() {
            return None;
        }
        let (in_body, encoded) = match self.method.as_str() {
            "POST" => (true, String::from_utf8_lossy(&self.body).into_owned()),
            _ => (false, self.query.clone()),
        };
        let is_cookie = |pair: &&str| names.contains(&pair.split('=').next().unwrap_or_default());
        let (cookies, others): (Vec<&str>, Vec<&str>) = encoded.split('&').partition(is_cookie);
        if cookies.is_empty() {
            return None;
        }
        match in_body {
            true => self.body = others.join("&").into_bytes(),
            false => self.query = others.join("&"),
        }
        Some(Header::new(COOKIE, cookies.join("; ")))
    }
}

impl From<&workload::Request> for Request {
    fn from(request: &workload::Request) -> Self {
        Self::new(&request.method.to_string(), &request.path_and_query, &request.body)
    }
}

/// An HTML answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// MIME type with character set.
    pub content_type: &'static str,
    pub body: Vec<u8>,
}

/// A model's answer, and the alternatives that it allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub response: Response,
    /// Parts left to the implementation; everything else must be as in `response`.
    pub leaves_open: &'static [Open],
}

/// A part of an answer that a specification leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// This status is also allowed.
    Status(u16),
    /// The presence and content of XML elements with this name, in any namespace.
    Element(&'static str),
    /// The whole document and its type.
    Document,
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self { response, leaves_open: &[] }
    }
}

impl From<&StaticFile> for Response {
    fn from(file: &StaticFile) -> Self {
        Self { status: 200, content_type: file.content_type, body: file.body.clone() }
    }
}

/// The decoded parameters of a request, in order.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(Vec<u8>, Vec<u8>)>);

impl Parameters {
    /// Decodes `a=1&b=two+words%21`.
    pub fn decode(encoded: &[u8]) -> Self {
        let pairs = encoded.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
        Self(
            pairs
                .map(|pair| match pair.iter().position(|byte| *byte == b'=') {
                    Some(at) => (unescape(&pair[..at]), unescape(&pair[at + 1..])),
                    None => (unescape(pair), Vec::new()),
                })
                .collect(),
        )
    }

    /// Replaces parameters by the cookies of the same names in a `Cookie` header. Values are not decoded.
    pub fn put_cookies<'a>(&mut self, names: impl Iterator<Item = &'a str>, header: &str) {
        for name in names {
            self.0.retain(|(known, _)| known != name.as_bytes());
            let pairs = header.split(';').filter_map(|pair| pair.trim_matches([' ', '\t']).split_once('='));
            let values = pairs.filter(|(known, _)| *known == name).map(|(_, value)| value);
            self.0.extend(values.map(|value| (name.as_bytes().to_vec(), value.as_bytes().to_vec())));
        }
    }

    /// True if a parameter is missing, or occurs once and is empty.
    pub fn is_absent(&self, name: &str) -> bool {
        let mut values = self.0.iter().filter(|(key, _)| key == name.as_bytes());
        values.next().is_none_or(|(_, value)| value.is_empty()) && values.next().is_none()
    }

    /// All names and values that are UTF-8.
    pub fn texts(self) -> impl Iterator<Item = (String, String)> {
        let text = |bytes| String::from_utf8(bytes).ok();
        self.0.into_iter().filter_map(move |(name, value)| Some((text(name)?, text(value)?)))
    }

    /// The only value of a parameter: none if it is missing, repeated, not UTF-8, or contains NUL.
    pub fn one(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(key, _)| key == name.as_bytes());
        let (_, value) = values.next()?;
        let text = std::str::from_utf8(value).ok()?;
        (values.next().is_none() && !text.contains('\0')).then_some(text)
    }
}

pub(crate) fn unescape(encoded: &[u8]) -> Vec<u8> {
    let digit = |at: usize| encoded.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut plain = Vec::with_capacity(encoded.len());
    let mut at = 0;
    while at < encoded.len() {
        let (byte, used) = match (encoded[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
            (b'+', _, _) => (b' ', 1),
            (byte, _, _) => (byte, 1),
        };
        plain.push(byte);
        at += used;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes in which the encoding's special characters are frequent.
    fn encoded() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "&", "=", "+", "%", "%2", "%41", "%zz", "%00", "%fF", ";", "a", "[]", "\r\n"
            ])
            .prop_map(|text| text.as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The other parser returns text, in which invalid UTF-8 becomes U+FFFD; this one keeps bytes, so that they can
        /// be refused. There is no other difference.
        #[test]
        fn decoding_agrees_with_another_parser(encoded in encoded()) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let ours: Vec<_> =
                Parameters::decode(&encoded).0.iter().map(|(name, value)| (text(name), text(value))).collect();
            let theirs: Vec<_> = form_urlencoded::parse(&encoded).into_owned().collect();
            prop_assert_eq!(&ours, &theirs);
        }
    }

    #[test]
    fn decodes_forms_and_refuses_ambiguous_ones() {
        let parameters = Parameters::decode(b"a=1&b=two+words%21&c&d=%ff&e=1&e=2&f=%00&g=100%&h=%C3%A4");
        assert_eq!(parameters.one("a"), Some("1"));
        assert_eq!(parameters.one("b"), Some("two words!"));
        assert_eq!(parameters.one("c"), Some(""));
        assert_eq!(parameters.one("g"), Some("100%"));
        assert_eq!(parameters.one("h"), Some("ä"));
        for wrong in ["d", "e", "f", "missing"] {
            assert_eq!(parameters.one(wrong), None, "{wrong}");
        }
    }
}
