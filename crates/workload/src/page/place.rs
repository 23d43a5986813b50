//! Where a document is, and where its references lead.

use crate::Encoding;
use crate::origins::{Lead, Origins, join};
use std::borrow::Cow;
use url::Url;

/// The address of a document, by which its references resolve.
pub(super) struct DocumentAddress<'a> {
    site: &'a Origins,
    pub is_secure: bool,
    path_and_query: &'a str,
    /// The document's `<base>`.
    base: Option<Url>,
    /// Other than UTF-8, in which queries are sent.
    pub encoding: Option<&'static Encoding>,
}

/// Where a reference leads.
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
        Self { site, is_secure, path_and_query, base: None, encoding: None }
    }

    pub fn in_encoding(self, encoding: Option<&'static Encoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Takes the document's first `<base href>`.
    pub fn with_base(self, href: &str) -> Self {
        let base = join(&self.address(), href, None).filter(|url| !url.cannot_be_a_base());
        Self { base, ..self }
    }

    /// Where a reference leads.
    pub fn locate<'t>(&'t self, reference: &'t str) -> Reference<'t> {
        if self.base.is_none() && (self.encoding.is_none() || reference.is_ascii()) {
            let trimmed = reference.trim_matches(|c: char| c <= ' ');
            if is_plain(trimmed) {
                let (path, query) = resolve(self.path_and_query, trimmed);
                return Reference::Within(Found { is_secure: self.is_secure, path, query: query.into() });
            }
        }
        self.locate_by_standard(reference)
    }

    /// Where the form without an action leads: to the document itself, whatever its `<base>` is.
    pub fn document(&self) -> Found<'_> {
        let (path, query) = self.path_and_query.split_once('?').unwrap_or((self.path_and_query, ""));
        Found { is_secure: self.is_secure, path: path.into(), query: query.into() }
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
        let (path, query) = found.path_and_query.split_once('?').unwrap_or((&found.path_and_query, ""));
        let (path, query) = (path.to_owned().into(), query.to_owned().into());
        Reference::Within(Found { is_secure: found.is_secure, path, query })
    }

    fn address(&self) -> Url {
        self.site.document(self.is_secure, self.path_and_query)
    }
}

/// Whether a reference needs no more than [`resolve`]: nothing of its path is escaped, and no scheme or host begins it.
fn is_plain(reference: &str) -> bool {
    let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~!$&()*+,;=@".contains(&byte);
    !path.starts_with("//") && path.bytes().all(stays)
}

/// Resolves a reference on the page `base` to a path and query.
fn resolve<'a>(base: &'a str, reference: &'a str) -> (Cow<'a, str>, &'a str) {
    let reference = reference.split('#').next().unwrap_or_default();
    let (base_path, base_query) = base.split_once('?').unwrap_or((base, ""));
    let (path, query) = match reference.split_once('?') {
        Some((path, query)) => (path, query),
        None if reference.is_empty() => ("", base_query),
        None => (reference, ""),
    };
    let path = if path.is_empty() {
        Cow::Borrowed(base_path)
    } else if path.starts_with('/') {
        Cow::Borrowed(path)
    } else {
        let folder = &base_path[..base_path.rfind('/').map_or(0, |slash| slash + 1)];
        Cow::Owned([folder, path].concat())
    };
    let path = if path.contains("/.") { Cow::Owned(without_dots(&path)) } else { path };
    (path, query)
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
