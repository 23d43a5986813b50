//! The place of a document, and the targets of its references.

use crate::Encoding;
use crate::origins::{Lead, Origins, join};
use memchr::{memchr, memchr2, memrchr};
use std::borrow::Cow;
use url::Url;

/// The address of a document, by which its references resolve.
pub(super) struct DocumentAddress<'a> {
    site: &'a Origins,
    pub is_secure: bool,
    path_and_query: &'a str,
    path: &'a str,
    query: &'a str,
    /// The document's `<base>`.
    base: Option<Url>,
    /// Other than UTF-8, in which queries are sent.
    pub encoding: Option<&'static Encoding>,
}

pub(super) enum Reference<'t> {
    Within(Found<'t>),
    /// To another site, whose address this is.
    Elsewhere(String),
    Nowhere,
}

/// A reference within the site.
pub(super) struct Found<'t> {
    pub is_secure: bool,
    pub path: Cow<'t, str>,
    pub query: Cow<'t, str>,
}

impl<'a> DocumentAddress<'a> {
    pub fn new(site: &'a Origins, is_secure: bool, path_and_query: &'a str) -> Self {
        let (path, query) = split_query(path_and_query);
        Self { site, is_secure, path_and_query, path, query, base: None, encoding: None }
    }

    pub fn in_encoding(self, encoding: Option<&'static Encoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Takes the document's first `<base href>`.
    pub fn with_base(self, href: &str) -> Self {
        let base = join(&self.address(), href, None).filter(|url| !url.cannot_be_a_base());
        Self { base, ..self }
    }

    pub fn locate<'t>(&'t self, reference: &'t str) -> Reference<'t> {
        if self.base.is_none()
            && (self.encoding.is_none() || reference.is_ascii())
            && let Some(plain) = Plain::of(trimmed(reference))
        {
            let (path, query) = self.resolve(&plain);
            return Reference::Within(Found { is_secure: self.is_secure, path, query: query.into() });
        }
        self.locate_by_standard(reference)
    }

    /// The target of a form without an action: the document itself, whatever its `<base>` is.
    pub fn document(&self) -> Found<'_> {
        Found { is_secure: self.is_secure, path: self.path.into(), query: self.query.into() }
    }

    fn locate_by_standard(&self, reference: &str) -> Reference<'static> {
        let address = self.address();
        let base = self.base.as_ref().unwrap_or(&address);
        let Some(url) = join(base, reference, self.encoding) else { return Reference::Nowhere };
        let found = match self.site.lead(&url, &address) {
            Lead::Within(found) => found,
            Lead::Elsewhere(site) => return Reference::Elsewhere(site),
            Lead::Nowhere => return Reference::Nowhere,
        };
        let (path, query) = split_query(&found.path_and_query);
        let (path, query) = (path.to_owned().into(), query.to_owned().into());
        Reference::Within(Found { is_secure: found.is_secure, path, query })
    }

    fn address(&self) -> Url {
        self.site.document(self.is_secure, self.path_and_query)
    }
}

/// A reference without scheme, host and anything in its path that is escaped.
struct Plain<'t> {
    path: &'t str,
    /// None without a `?`.
    query: Option<&'t str>,
    /// True if a part of the path may begin with a dot.
    has_dots: bool,
}

/// The properties of a path that [`Plain::of`] tells: one bit each, so that a path is read without a branch for each octet.
static OCTETS: [u8; 256] = {
    let mut octets = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        octets[byte] = match byte as u8 {
            b'.' => DOT,
            b'/' | b'-' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b',' | b';'
            | b'=' | b'@' => 0,
            letter if letter.is_ascii_alphanumeric() => 0,
            _ => OTHER,
        };
        byte += 1;
    }
    octets
};
const DOT: u8 = 1;
const OTHER: u8 = 2;

impl<'t> Plain<'t> {
    /// None of a reference that only the standard's parser resolves.
    fn of(reference: &'t str) -> Option<Self> {
        let end = memchr2(b'?', b'#', reference.as_bytes()).unwrap_or(reference.len());
        let (path, rest) = reference.split_at(end);
        let found = path.bytes().fold(0, |found, byte| found | OCTETS[usize::from(byte)]);
        if found & OTHER != 0 || path.starts_with("//") {
            return None;
        }
        let has_dots = found & DOT != 0 && (path.starts_with('.') || path.contains("/."));
        let rest = &rest[..memchr(b'#', rest.as_bytes()).unwrap_or(rest.len())];
        Some(Self { path, query: rest.strip_prefix('?'), has_dots })
    }
}

impl DocumentAddress<'_> {
    /// Resolves a reference to a path and query.
    fn resolve<'t>(&'t self, reference: &Plain<'t>) -> (Cow<'t, str>, &'t str) {
        let Plain { path, query, has_dots } = *reference;
        if path.is_empty() {
            return (self.path.into(), query.unwrap_or(self.query));
        }
        let path = if path.starts_with('/') {
            Cow::Borrowed(path)
        } else {
            let folder = &self.path[..memrchr(b'/', self.path.as_bytes()).map_or(0, |slash| slash + 1)];
            Cow::Owned([folder, path].concat())
        };
        let path = if has_dots { Cow::Owned(without_dots(&path)) } else { path };
        (path, query.unwrap_or_default())
    }
}

/// Without the control characters and blanks around.
fn trimmed(reference: &str) -> &str {
    let is_bare = |byte: Option<&u8>| byte.is_none_or(|byte| *byte > b' ');
    match is_bare(reference.as_bytes().first()) && is_bare(reference.as_bytes().last()) {
        true => reference,
        false => reference.trim_matches(|c: char| c <= ' '),
    }
}

fn split_query(path_and_query: &str) -> (&str, &str) {
    match memchr(b'?', path_and_query.as_bytes()) {
        Some(at) => (&path_and_query[..at], &path_and_query[at + 1..]),
        None => (path_and_query, ""),
    }
}

fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}
