//! Addresses of sites, as people write them: `http://127.0.0.1:8080/path?query`. They are read by the URL standard.

use crate::fault::CommandError;
use serde::{Deserialize, Serialize};
use std::{
    io,
    net::{SocketAddr, TcpStream, ToSocketAddrs},
    time::Duration,
};
use url::{Host, ParseError, Url};

/// The time in which an address of several must accept a connection.
const LONGEST_CONNECT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub is_secure: bool,
    /// Host and port as a `Host` header has them: without the scheme's own port.
    pub authority: String,
    /// The path with its query as a request line has them; `/` where none was written.
    pub path: String,
    /// The host: a name, or an address without brackets.
    name: String,
    port: u16,
}

/// The address at which a host takes connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ResolvedHost {
    pub at: SocketAddr,
    /// True if its name has other addresses too.
    pub is_chosen: bool,
}

impl Address {
    pub(crate) fn read(text: &str) -> Result<Self, CommandError> {
        let url = parse(text).map_err(|fault| {
            let error = CommandError::input(format!("`{text}` is no address: {fault}"));
            error.with_help("write it as http://HOST:PORT/PATH")
        })?;
        let host = url.host_str().unwrap_or_default();
        let usual = if url.scheme() == "https" { 443 } else { 80 };
        Ok(Self {
            is_secure: url.scheme() == "https",
            authority: url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
            path: workload::path_and_query(&url).to_owned(),
            name: match url.host() {
                Some(Host::Ipv6(address)) => address.to_string(),
                _ => host.to_owned(),
            },
            port: url.port().unwrap_or(usual),
        })
    }

    /// The host without its port: the name that its certificate must be for.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Looks the host up. Of several addresses, that which accepts a connection first in their order is taken.
    pub(crate) fn resolve(&self) -> Result<ResolvedHost, CommandError> {
        self.first_of(&self.all()?, |at| TcpStream::connect_timeout(&at, LONGEST_CONNECT).map(drop))
    }

    /// All addresses of the host, in the resolver's order.
    fn all(&self) -> Result<Vec<SocketAddr>, CommandError> {
        let unknown = |fault: &str| {
            CommandError::input(format!("the host {} can't be resolved ({fault})", self.name))
                .with_help("check its name")
        };
        let found = (self.name.as_str(), self.port).to_socket_addrs();
        let mut all: Vec<SocketAddr> = Vec::new();
        for at in found.map_err(|fault| unknown(&fault.to_string()))? {
            if !all.contains(&at) {
                all.push(at);
            }
        }
        if all.is_empty() { Err(unknown("it has no address")) } else { Ok(all) }
    }

    /// The first address that accepts. The only one is taken as it is: the load says why it doesn't answer.
    fn first_of(
        &self,
        all: &[SocketAddr],
        mut connect: impl FnMut(SocketAddr) -> io::Result<()>,
    ) -> Result<ResolvedHost, CommandError> {
        if let [at] = all {
            return Ok(ResolvedHost { at: *at, is_chosen: false });
        }
        let mut refused = String::new();
        for at in all {
            match connect(*at) {
                Ok(()) => return Ok(ResolvedHost { at: *at, is_chosen: true }),
                Err(fault) => refused.push_str(&format!("\n  {at}: {fault}")),
            }
        }
        let fault = format!("no address of {} accepts a connection:{refused}", self.name);
        Err(CommandError::unreachable(fault).with_help("start the server, or check the host and the port"))
    }

    /// Scheme and authority: what all addresses of a site share.
    pub(crate) fn site(&self) -> String {
        format!("{}://{}", if self.is_secure { "https" } else { "http" }, self.authority)
    }
}

/// The address that a text has by the standard, if it can be a site's.
fn parse(text: &str) -> Result<Url, String> {
    let text = text.trim();
    let Some((scheme, rest)) = text.split_once("://") else { return Err("it has no http://".to_owned()) };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return Err("only http and https are supported".to_owned());
    }
    // The standard takes the first part of the path where the host is missing.
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err("it holds a user name or password".to_owned());
    }
    if !authority.starts_with('[') && authority.matches(':').count() > 1 {
        return Err("its host is malformed; brackets surround an address of IPv6".to_owned());
    }
    if authority.is_empty() || authority.starts_with(':') {
        return Err("its host is missing".to_owned());
    }
    Url::parse(text).map_err(|fault| match fault {
        ParseError::InvalidPort => "its port is no number up to 65535".to_owned(),
        ParseError::EmptyHost => "its host is missing".to_owned(),
        other => format!("its host is malformed ({other})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use miette::Diagnostic as _;

    #[test]
    fn an_address_is_read_as_browsers_read_it() {
        let read = |text: &str| {
            let address = Address::read(text).unwrap();
            (address.site(), address.path)
        };
        for (text, site, path) in [
            ("http://127.0.0.1:8080/a?b=c#d", "http://127.0.0.1:8080", "/a?b=c"),
            ("HTTPS://127.0.0.1", "https://127.0.0.1", "/"),
            ("http://[::1]:81?x", "http://[::1]:81", "/?x"),
            ("http://a:80/b", "http://a", "/b"),
            ("https://a:443", "https://a", "/"),
            ("https://a:80", "https://a:80", "/"),
            ("http://Shop.Example/Caf\u{e9}?q=\u{e4}", "http://shop.example", "/Caf%C3%A9?q=%C3%A4"),
            ("http://a/b c?d=\"<e f>\"", "http://a", "/b%20c?d=%22%3Ce%20f%3E%22"),
            ("http://a/x/../y/./%7Ez", "http://a", "/y/%7Ez"),
            ("http://b\u{fc}cher.example/", "http://xn--bcher-kva.example", "/"),
            ("  http://a/b\t", "http://a", "/b"),
        ] {
            assert_eq!(read(text), (site.to_owned(), path.to_owned()), "{text}");
        }
        assert_eq!(Address::read("https://[::1]:81").unwrap().name(), "::1");
        assert_eq!(Address::read("https://[::1]:81").unwrap().resolve().unwrap().at.to_string(), "[::1]:81");
        assert_eq!(Address::read("https://127.0.0.1").unwrap().resolve().unwrap().at.port(), 443);
    }

    #[test]
    fn an_invalid_address_is_refused_with_the_form_of_a_valid_one() {
        for (text, fault) in [
            ("127.0.0.1:8080", "no http://"),
            ("ftp://a/", "only http and https"),
            ("http:///a", "host is missing"),
            ("http://:80/a", "host is missing"),
            ("http://a:b/", "no number"),
            ("http://a:99999/", "no number"),
            ("http://::1/", "malformed"),
            ("http://a b/", "malformed"),
            ("http://[::1/", "malformed"),
            ("http://me@a/", "user name or password"),
            ("http://me:word@a:80/", "user name or password"),
        ] {
            let error = Address::read(text).unwrap_err();
            let help = error.help().unwrap().to_string();
            assert!(error.to_string().contains(fault) && help.contains("http://HOST:PORT/PATH"), "{error}");
        }
        let nowhere = Address::read("http://nowhere.invalid/").unwrap().resolve().unwrap_err();
        assert!(nowhere.help().unwrap().to_string().contains("check its name"), "{nowhere}");
    }

    #[test]
    fn the_first_address_that_accepts_is_taken() {
        let address = Address::read("http://both.example/").unwrap();
        let all: [SocketAddr; 3] =
            ["[::1]:80".parse().unwrap(), "127.0.0.1:80".parse().unwrap(), "127.0.0.2:80".parse().unwrap()];
        let refused = || Err(io::ErrorKind::ConnectionRefused.into());
        let second = address.first_of(&all, |at| if at == all[0] { refused() } else { Ok(()) });
        assert_eq!(second.unwrap(), ResolvedHost { at: all[1], is_chosen: true });
        let nowhere = address.first_of(&all, |_| refused()).unwrap_err().to_string();
        assert!(all.iter().all(|at| nowhere.contains(&format!("{at}: "))), "{nowhere}");
        let only = address.first_of(&all[..1], |_| panic!("the load tries it"));
        assert_eq!(only.unwrap(), ResolvedHost { at: all[0], is_chosen: false });
    }
}
