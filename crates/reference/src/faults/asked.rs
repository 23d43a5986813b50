//! Faults that depend on how a page is asked for. The server's, because models don't see it.

use hyper::{
    Method, Version,
    header::{
        ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONNECTION, COOKIE, HOST, HeaderMap, HeaderName, USER_AGENT,
    },
    header::{IF_MODIFIED_SINCE, IF_NONE_MATCH},
    http::request::Parts,
};

/// A manner of asking that gets another page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Http10,
    Close,
    Agent,
    Accept,
    Language,
    Forwarded,
    Host,
    Cookie,
    Tag,
    Since,
    Head,
    Order,
    Encoding,
}

/// All of them: manner, name and description.
pub(super) const ALL: [(Asked, &str, &str); 13] = [
    (Asked::Http10, "version", "clients of HTTP/1.0 get another page"),
    (Asked::Close, "close", "clients that close the connection get another page"),
    (Asked::Agent, "agent", "other browsers get another page"),
    (Asked::Accept, "accept", "clients that accept other types get another page"),
    (Asked::Language, "language", "clients with a language get another page"),
    (Asked::Forwarded, "forwarded", "clients behind a proxy get another page"),
    (Asked::Host, "host", "clients of another host get another page"),
    (Asked::Cookie, "cookie", "clients with a foreign cookie get another page"),
    (Asked::Tag, "tag", "no page is modified since any tag"),
    (Asked::Since, "since", "no page is modified since any date"),
    (Asked::Head, "head", "a HEAD leads to status 500"),
    (Asked::Order, "order", "parameters that are not sorted get another page"),
    (Asked::Encoding, "encoding", "clients that take compressed pages get another page"),
];

impl Asked {
    /// True if a request is asked for in this manner.
    pub(crate) fn is_met(self, head: &Parts) -> bool {
        let value = |name: HeaderName| text(&head.headers, &name);
        match self {
            Self::Http10 => head.version < Version::HTTP_11,
            Self::Close => value(CONNECTION) == Some("close"),
            Self::Agent => !value(USER_AGENT).is_some_and(|agent| agent.starts_with("tierbench/")),
            Self::Accept => !value(ACCEPT).is_some_and(|accept| accept.starts_with("text/html,")),
            Self::Language => value(ACCEPT_LANGUAGE).is_some(),
            Self::Forwarded => head.headers.contains_key("x-forwarded-for"),
            Self::Host => value(HOST).is_some_and(|host| host.starts_with(|c: char| c.is_ascii_alphabetic())),
            Self::Cookie => value(COOKIE).is_some_and(|cookies| cookies.contains("theme=")),
            Self::Tag => value(IF_NONE_MATCH).is_some(),
            Self::Since => value(IF_MODIFIED_SINCE).is_some(),
            Self::Head => head.method == Method::HEAD,
            Self::Order => head.uri.query().is_some_and(is_turned),
            Self::Encoding => value(ACCEPT_ENCODING).is_some(),
        }
    }

    /// The status that replaces the page; none if the page is altered.
    pub(crate) fn status(self) -> Option<u16> {
        match self {
            Self::Tag | Self::Since => Some(304),
            Self::Head => Some(500),
            _ => None,
        }
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// True if the parameters of a page of results come in another order than links have them.
fn is_turned(query: &str) -> bool {
    let at = |name: &str| query.split('&').position(|pair| pair.split('=').next() == Some(name));
    match (at("page"), at("nbOfItems")) {
        (Some(page), Some(items)) => items < page,
        _ => false,
    }
}
