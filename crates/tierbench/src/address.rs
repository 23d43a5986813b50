//! Addresses of sites, as people write them: `http://127.0.0.1:8080/path?query`.

use crate::fault::CommandError;
use std::net::{SocketAddr, ToSocketAddrs};

/// An address that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub is_secure: bool,
    /// Host and port as they were written, which is also what a `Host` header says.
    pub authority: String,
    /// The path with its query; `/` where none was written.
    pub path: String,
}

impl Address {
    /// Parses an address.
    pub(crate) fn read(text: &str) -> Result<Self, CommandError> {
        let wrong = |fault: &str| {
            let error = CommandError::input(format!("`{text}` is no address: {fault}"));
            Err(error.with_help("write it as http://HOST:PORT/PATH"))
        };
        let Some((scheme, rest)) = text.split_once("://") else { return wrong("it has no http://") };
        let is_secure = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return wrong("only http and https are supported"),
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if authority.contains('@') {
            return wrong("it holds a user name or password");
        }
        let (name, port) = split(authority);
        if name.is_empty() || name.contains([':', '[']) && !authority.starts_with('[') {
            return wrong("its host is missing or malformed");
        }
        if port.is_some_and(|port| port.parse::<u16>().is_err()) {
            return wrong("its port is no number up to 65535");
        }
        if path.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return wrong("it has a blank, which is %20 in an address");
        }
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        Ok(Self { is_secure, authority: authority.to_owned(), path })
    }

    /// The host without its port: the name that its certificate must be for.
    pub(crate) fn name(&self) -> &str {
        split(&self.authority).0
    }

    /// Looks the host up.
    pub(crate) fn resolve(&self) -> Result<SocketAddr, CommandError> {
        let (name, port) = split(&self.authority);
        let usual = if self.is_secure { 443 } else { 80 };
        let port = port.and_then(|port| port.parse().ok()).unwrap_or(usual);
        let unknown = |fault: String| {
            CommandError::input(format!("the host {name} can't be resolved ({fault})"))
                .with_help("check its name")
        };
        let mut found = (name, port).to_socket_addrs().map_err(|fault| unknown(fault.to_string()))?;
        found.next().ok_or_else(|| unknown("it has no address".to_owned()))
    }

    /// Scheme and authority: what all addresses of a site share.
    pub(crate) fn site(&self) -> String {
        format!("{}://{}", if self.is_secure { "https" } else { "http" }, self.authority)
    }
}

/// Host, without the brackets of IPv6, and port.
fn split(authority: &str) -> (&str, Option<&str>) {
    if let Some((name, rest)) = authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return (name, rest.strip_prefix(':'));
    }
    authority.rsplit_once(':').map_or((authority, None), |(name, port)| (name, Some(port)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use miette::Diagnostic as _;

    #[test]
    fn an_address_is_split_into_scheme_authority_and_path() {
        let read = |text: &str| {
            let address = Address::read(text).unwrap();
            (address.site(), address.path.clone(), address.resolve().unwrap().to_string())
        };
        for (text, site, path, at) in [
            ("http://127.0.0.1:8080/a?b=c#d", "http://127.0.0.1:8080", "/a?b=c", "127.0.0.1:8080"),
            ("HTTPS://127.0.0.1", "https://127.0.0.1", "/", "127.0.0.1:443"),
            ("http://[::1]:81?x", "http://[::1]:81", "/?x", "[::1]:81"),
        ] {
            assert_eq!(read(text), (site.to_owned(), path.to_owned(), at.to_owned()));
        }
        assert_eq!(Address::read("https://[::1]:81").unwrap().name(), "::1");
    }

    #[test]
    fn an_invalid_address_is_refused_with_the_form_of_a_valid_one() {
        for (text, fault) in [
            ("127.0.0.1:8080", "no http://"),
            ("ftp://a/", "only http and https"),
            ("http:///a", "host is missing"),
            ("http://a:b/", "no number"),
            ("http://a:99999/", "no number"),
            ("http://::1/", "malformed"),
            ("http://me@a/", "user name or password"),
            ("http://a/b c", "%20"),
        ] {
            let error = Address::read(text).unwrap_err();
            let help = error.help().unwrap().to_string();
            assert!(error.to_string().contains(fault) && help.contains("http://HOST:PORT/PATH"), "{error}");
        }
        let nowhere = Address::read("http://nowhere.invalid/").unwrap().resolve().unwrap_err();
        assert!(nowhere.help().unwrap().to_string().contains("check its name"), "{nowhere}");
    }
}
