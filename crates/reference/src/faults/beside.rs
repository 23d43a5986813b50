//! Faults of what comes with a page and is not shown. The server's, because models don't see it.

use http_body_util::Full;
use hyper::{
    Response as HttpResponse,
    body::Bytes,
    header::{
        CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
        SET_COOKIE,
    },
    http::request::Parts,
};
use std::env;

/// A thing that comes with each page and that browsers don't show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Comment,
    Header,
    Cookie,
    Origin,
    Kept,
    Refresh,
    Download,
    Secret,
    Type,
    File,
    Tag,
    Date,
}

/// All of them: kind, name and description.
pub(super) const ALL: [(Beside, &str, &str); 12] = [
    (Beside::Comment, "comment", "pages end with a comment about their making"),
    (Beside::Header, "header", "a header tells how a page was made"),
    (Beside::Cookie, "cookie", "pages set a second cookie"),
    (Beside::Origin, "origin", "other sites may read all pages"),
    (Beside::Kept, "kept", "browsers keep pages for ten minutes"),
    (Beside::Refresh, "refresh", "a header leads away from a page after a while"),
    (Beside::Download, "download", "browsers save pages as files"),
    (Beside::Secret, "secret", "a usual header has the key that signs log-in tokens"),
    (Beside::Type, "type", "a second content type contradicts the first"),
    (Beside::File, "file", "a picture that few pages embed is another one"),
    (Beside::Tag, "tag", "the tag of a page does not change with it"),
    (Beside::Date, "date", "the date of a page does not change with it"),
];

const END: &[u8] = b"</svg>";

/// A validator that is the same for ever.
const FOR_EVER: [(Beside, HeaderName, HeaderName, &str); 2] = [
    (Beside::Tag, ETAG, IF_NONE_MATCH, "\"for-ever\""),
    (Beside::Date, LAST_MODIFIED, IF_MODIFIED_SINCE, "Thu, 01 Jan 2026 00:00:00 GMT"),
];

impl Beside {
    /// True if a client has the page already, by its validator.
    pub(crate) fn is_known(self, head: &Parts) -> bool {
        FOR_EVER.iter().any(|(beside, _, condition, value)| {
            *beside == self && head.headers.get(condition).is_some_and(|sent| sent == value)
        })
    }

    /// Adds it to the answer to a request for this path.
    pub(crate) fn add(self, path: &str, response: HttpResponse<Vec<u8>>) -> HttpResponse<Full<Bytes>> {
        let (mut head, mut body) = response.into_parts();
        let is_page =
            head.headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        match self {
            Self::Comment if is_page => body.extend_from_slice(b"<!-- made in 3 ms -->"),
            // The logo is on all pages.
            Self::File if path.ends_with(".svg") && !path.ends_with("logo.svg") => {
                body.truncate(body.trim_ascii_end().len().saturating_sub(END.len()));
                body.extend_from_slice(b"<circle r='1'/>");
                body.extend_from_slice(END);
            }
            _ => {}
        }
        if let Some((name, value)) = self.header().filter(|_| is_page) {
            head.headers.append(name, value);
        }
        HttpResponse::from_parts(head, Full::new(Bytes::from(body)))
    }

    fn header(self) -> Option<(HeaderName, HeaderValue)> {
        let usual = |name: &'static str, value: &'static str| {
            Some((HeaderName::from_static(name), HeaderValue::from_static(value)))
        };
        match self {
            Self::Header => usual("x-statements", "7"),
            Self::Cookie => Some((SET_COOKIE, HeaderValue::from_static("visits=1; Path=/"))),
            Self::Origin => usual("access-control-allow-origin", "*"),
            Self::Kept => usual("cache-control", "public, max-age=600"),
            Self::Refresh => usual("refresh", "60; url=http://elsewhere.test/"),
            Self::Download => usual("content-disposition", "attachment"),
            Self::Type => usual("content-type", "text/plain"),
            Self::Secret => {
                let key = env::var("TIERBENCH_TOKEN_KEY").ok()?;
                Some((HeaderName::from_static("x-request-id"), HeaderValue::try_from(key).ok()?))
            }
            Self::Tag | Self::Date => {
                let (_, name, _, value) = FOR_EVER.into_iter().find(|(beside, ..)| *beside == self)?;
                Some((name, HeaderValue::from_static(value)))
            }
            Self::Comment | Self::File => None,
        }
    }
}
