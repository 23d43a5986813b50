//! The addresses of a site, and the one resolver of all references to it: links, forms, embedded files, redirects and
//! what people write, by the URL standard.

use crate::Encoding;
use std::borrow::Cow;
use std::sync::LazyLock;
use url::Url;

/// The addresses that lead to a site, of each transport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins {
    plain: Option<Url>,
    secure: Option<Url>,
}

/// A reference that stays within the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub is_secure: bool,
    /// Target as a request line has it: escaped, and without a fragment.
    pub path_and_query: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lead {
    Within(Located),
    /// To another site: its scheme, host and port.
    Elsewhere(String),
    /// To nothing that is requested: a script, an address of mail, or no address at all.
    Nowhere,
}

impl Lead {
    pub fn within(self) -> Option<Located> {
        match self {
            Self::Within(located) => Some(located),
            Self::Elsewhere(_) | Self::Nowhere => None,
        }
    }
}

impl Origins {
    /// A site with these hosts and ports, as addresses have them. One that both have is that over TLS: a port speaks one
    /// of them.
    pub fn new(plain: &str, secure: Option<&str>) -> Self {
        let url = |scheme: &str, authority: &str| Url::parse(&format!("{scheme}://{authority}/")).ok();
        Self {
            plain: url("http", plain).filter(|_| secure != Some(plain)),
            secure: secure.and_then(|authority| url("https", authority)),
        }
    }

    /// A site that nobody can name with an address.
    pub fn nowhere() -> &'static Self {
        static NOWHERE: LazyLock<Origins> = LazyLock::new(|| Origins { plain: None, secure: None });
        &NOWHERE
    }

    /// The host, without its port.
    pub fn host(&self, is_secure: bool) -> &str {
        let url = if is_secure { self.secure.as_ref() } else { self.plain.as_ref() };
        url.and_then(Url::host_str).unwrap_or_default()
    }

    /// The address of a document of the site, by what its request line had.
    pub fn document(&self, is_secure: bool, path_and_query: &str) -> Url {
        let (own, other) = if is_secure { (&self.secure, "https") } else { (&self.plain, "http") };
        let unknown = || Url::parse(&format!("{other}://site.invalid/")).ok();
        let own = own.clone().or_else(unknown).expect("this address is valid");
        own.join(path_and_query).ok().filter(|url| url.origin() == own.origin()).unwrap_or(own)
    }

    pub(crate) fn lead(&self, url: &Url, from: &Url) -> Lead {
        let is = |own: &Url| own.origin() == url.origin();
        let is_secure = url.scheme() == "https";
        let own = if is_secure { &self.secure } else { &self.plain };
        // A document that is fetched where the site has no address is still its own.
        if own.as_ref().is_some_and(is) || is(from) {
            return Lead::Within(Located { is_secure, path_and_query: path_and_query(url).to_owned() });
        }
        match url.scheme() {
            "http" | "https" => Lead::Elsewhere(url.origin().ascii_serialization()),
            _ => Lead::Nowhere,
        }
    }

    /// The target of a reference from an address.
    pub fn resolve(&self, base: &Url, reference: &str, encoding: Option<&'static Encoding>) -> Lead {
        join(base, reference, encoding).map_or(Lead::Nowhere, |url| self.lead(&url, base))
    }
}

/// A reference of a document in an encoding (none: UTF-8), made absolute.
pub(crate) fn join(base: &Url, reference: &str, encoding: Option<&'static Encoding>) -> Option<Url> {
    let Some(encoding) = encoding else { return base.join(reference).ok() };
    let encode = encoder(encoding);
    Url::options().base_url(Some(base)).encoding_override(Some(&encode)).parse(reference).ok()
}

fn encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| encoding.encode(query).0
}

/// A path whose escapes have capital letters: `%c3` and `%C3` are one octet.
pub(crate) fn with_upper_escapes(path: &str) -> Cow<'_, str> {
    let is_escape = |bytes: &[u8]| matches!(bytes, [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
    let mut upper = Cow::Borrowed(path);
    for (at, _) in path.match_indices('%') {
        let escape = path.get(at..at + 3).filter(|escape| is_escape(escape.as_bytes()));
        if let Some(escape) = escape.filter(|escape| escape.bytes().any(|byte| byte.is_ascii_lowercase())) {
            upper.to_mut().replace_range(at..at + 3, &escape.to_ascii_uppercase());
        }
    }
    upper
}

/// A path with its query as a request line has it.
pub fn path_and_query(url: &Url) -> &str {
    let end = url.fragment().map_or(url.as_str().len(), |fragment| url.as_str().len() - fragment.len() - 1);
    let start = url[..url::Position::BeforePath].len();
    &url.as_str()[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(base: &str, reference: &str) -> Option<String> {
        let site = Origins::new("shop.example:8080", Some("SHOP.example"));
        let base = site.document(false, base);
        let located = site.resolve(&base, reference, None).within()?;
        let scheme = if located.is_secure { "s:" } else { "" };
        Some(format!("{scheme}{}", located.path_and_query))
    }

    #[test]
    fn a_reference_resolves_as_in_a_browser() {
        for (reference, expected) in [
            ("next", "/dir/next"),
            ("?x=1", "/dir/a?x=1"),
            ("#top", "/dir/a?q=1"),
            ("/t#top", "/t"),
            ("/t?q=a b", "/t?q=a%20b"),
            (" /t\n/u?a\t=1 ", "/t/u?a=1"),
            ("../../x/./%2e%2e/y", "/y"),
            ("\\x\\y", "/x/y"),
            ("caf\u{e9}?\u{e9}='<", "/dir/caf%C3%A9?%C3%A9=%27%3C"),
            ("http://SHOP.EXAMPLE:8080", "/"),
            ("http://shop.example:8080?x=1", "/?x=1"),
            ("//shop.example:8080/t", "/t"),
            ("https://shop.example/t", "s:/t"),
            ("HTTPS://shop.example:443/t", "s:/t"),
            ("http:t", "/dir/t"),
        ] {
            assert_eq!(resolved("/dir/a?q=1", reference).as_deref(), Some(expected), "{reference}");
        }
    }

    #[test]
    fn other_sites_and_schemes_are_left() {
        let site = Origins::new("shop.example:8080", Some("SHOP.example"));
        let base = site.document(false, "/");
        for (reference, elsewhere) in [
            ("http://shop.example/", Some("http://shop.example")),
            ("https://shop.example:8080/", Some("https://shop.example:8080")),
            ("//Other.example/a?b", Some("http://other.example")),
            ("mailto:a@shop.example", None),
            ("javascript:void(0)", None),
            ("http://", None),
        ] {
            let expected = elsewhere.map_or(Lead::Nowhere, |site| Lead::Elsewhere(site.to_owned()));
            assert_eq!(site.resolve(&base, reference, None), expected, "{reference}");
        }
    }

    #[test]
    fn escapes_are_compared_with_capital_letters() {
        for (path, expected) in [
            ("/caf%c3%A9", "/caf%C3%A9"),
            ("/%7e%zz%c%2", "/%7E%zz%c%2"),
            ("/caf\u{e9}%", "/caf\u{e9}%"),
            ("/%e\u{e9}", "/%e\u{e9}"),
        ] {
            assert_eq!(with_upper_escapes(path), expected);
        }
    }

    #[test]
    fn a_port_of_both_transports_speaks_tls() {
        let site = Origins::new("shop.example", Some("shop.example"));
        let base = site.document(true, "/");
        assert_eq!(site.resolve(&base, "http://shop.example/a", None).within(), None);
        assert!(site.resolve(&base, "https://shop.example:443/a", None).within().is_some());
    }
}
