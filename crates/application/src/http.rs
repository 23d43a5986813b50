//! What models read and return.

use crate::StaticFile;
use workload::{Catalogue, Header};

/// The longest body that a site reads, in bytes. Servers need not read more of it than one byte beyond, and hand that
/// to the model, which refuses it.
pub const BODY_LIMIT: usize = 2 * 1024 * 1024;

/// The most parameters that a query or a body may have. More than forms need and fewer than it takes to flood a hash
/// table.
pub const PARAMETER_LIMIT: usize = 1000;

/// A request as the model sees it.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST` or whatever else was sent.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The query, as sent.
    pub query: String,
    /// The body, as sent: form-encoded for `POST`.
    pub body: Vec<u8>,
}

impl Request {
    /// The request to this path, with a query behind it or without.
    pub fn new(method: &str, target: &str, body: &str) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: body.as_bytes().to_vec(),
        }
    }

    /// The path and the query, as they are sent.
    pub fn target(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }
}

/// The header that carries cookies.
pub const COOKIE: &str = "Cookie";

impl Request {
    /// Takes those parameters out that travel in cookies, as requests are written down with all of their parameters; returns
    /// the `Cookie` header, if there are any.
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

/// What a user's request is to a model.
impl From<&workload::Request> for Request {
    fn from(request: &workload::Request) -> Self {
        Self::new(&request.method.to_string(), &request.path_and_query, &request.body)
    }
}

/// An HTML answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// MIME type with character set.
    pub content_type: &'static str,
    /// The document.
    pub body: Vec<u8>,
}

/// What a model answers, and what others may answer in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The right answer.
    pub response: Response,
    /// What the specifications leave to whoever implements them: all else is as in the right answer.
    pub leaves_open: &'static [Open],
}

/// Something that specifications leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// This status will do, too.
    Status(u16),
    /// What an XML element of this name holds, in whatever namespace it is, and whether it is there.
    Element(&'static str),
    /// The whole document and its type.
    Document,
}

/// An answer that leaves nothing open.
impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self { response, leaves_open: &[] }
    }
}

/// The answer that a file is.
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

    /// How many parameters a query or a body has, at most: empty ones count too, so that any server can tell before it
    /// takes them apart.
    pub fn count(encoded: &[u8]) -> usize {
        encoded.iter().filter(|byte| **byte == b'&').count() + 1
    }

    /// Puts the cookies of these names, as a `Cookie` header has them, in place of parameters that are called so: values are
    /// taken as they are.
    pub fn put_cookies<'a>(&mut self, names: impl Iterator<Item = &'a str>, header: &str) {
        for name in names {
            self.0.retain(|(known, _)| known != name.as_bytes());
            let pairs = header.split(';').filter_map(|pair| pair.trim_matches([' ', '\t']).split_once('='));
            let values = pairs.filter(|(known, _)| *known == name).map(|(_, value)| value);
            self.0.extend(values.map(|value| (name.as_bytes().to_vec(), value.as_bytes().to_vec())));
        }
    }

    /// Whether a parameter is missing, or there once and empty.
    pub fn is_absent(&self, name: &str) -> bool {
        let mut values = self.0.iter().filter(|(key, _)| key == name.as_bytes());
        values.next().is_none_or(|(_, value)| value.is_empty()) && values.next().is_none()
    }

    /// All names and values, as far as they are text.
    pub fn texts(self) -> impl Iterator<Item = (String, String)> {
        let text = |bytes| String::from_utf8(bytes).ok();
        self.0.into_iter().filter_map(move |(name, value)| Some((text(name)?, text(value)?)))
    }

    /// The only value of a parameter: none if it is missing, repeated, not UTF-8, or holds a NUL.
    pub fn one(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(key, _)| key == name.as_bytes());
        let (_, value) = values.next()?;
        let text = std::str::from_utf8(value).ok()?;
        (values.next().is_none() && !text.contains('\0')).then_some(text)
    }
}

/// Takes escapes out of what is form-encoded.
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

    /// Bytes in which everything that means something to the encoding is frequent.
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

        /// The other parser gives text, in which bytes that are no UTF-8 are U+FFFD; ours keeps bytes, so that they
        /// can be refused. It decodes nothing else differently.
        #[test]
        fn decodes_what_another_parser_decodes(encoded in encoded()) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let ours: Vec<_> =
                Parameters::decode(&encoded).0.iter().map(|(name, value)| (text(name), text(value))).collect();
            let theirs: Vec<_> = form_urlencoded::parse(&encoded).into_owned().collect();
            prop_assert_eq!(&ours, &theirs);
            prop_assert!(ours.len() <= Parameters::count(&encoded));
        }
    }

    #[test]
    fn parameters_are_counted_with_the_empty_ones() {
        assert_eq!(["", "a=1", "a=1&b", "&&"].map(|text| Parameters::count(text.as_bytes())), [1, 1, 2, 3]);
    }

    #[test]
    fn decodes_forms_and_refuses_what_is_ambiguous() {
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
