//! A browser's state for one user of a site: cookies, and the files in its cache.

mod cookie_date;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Limit of the cookies of a site: the number that RFC 6265, 6.1 requires at least.
const MOST_COOKIES: usize = 50;

/// Limit of a cookie's bytes, name and value together.
const LONGEST_COOKIE: usize = 4096;

/// A user's browser. Empty for a new user.
#[derive(Debug, Default)]
pub struct Browser {
    cookies: Vec<Cookie>,
    /// Hashes of the cached files' addresses.
    cached: HashSet<u64>,
    /// The ones that lead to others for ever.
    moved: HashSet<u64>,
}

#[derive(Debug)]
struct Cookie {
    name: String,
    value: String,
    path: String,
    /// The domain to whose hosts it is sent; none if only to the host that set it.
    domain: Option<String>,
    is_secure: bool,
    /// Instant of expiry; none of a session cookie.
    expires: Option<Duration>,
}

impl Browser {
    /// True if a file is in the cache, or on its way there.
    pub fn has(&self, is_secure: bool, path_and_query: &str) -> bool {
        self.cached.contains(&key(is_secure, path_and_query))
    }

    /// Records that a file is being fetched for the cache.
    pub fn keep(&mut self, is_secure: bool, path_and_query: &str) {
        self.cached.insert(key(is_secure, path_and_query));
    }

    /// Records that a file could not be fetched, or may not be kept.
    pub fn forget(&mut self, is_secure: bool, path_and_query: &str) {
        self.cached.remove(&key(is_secure, path_and_query));
    }

    /// Records that a file in the cache is a redirect.
    pub fn moved(&mut self, is_secure: bool, path_and_query: &str) {
        self.moved.insert(key(is_secure, path_and_query));
    }

    /// True if a file in the cache is a redirect.
    pub fn is_moved(&self, is_secure: bool, path_and_query: &str) -> bool {
        self.moved.contains(&key(is_secure, path_and_query))
    }

    /// Forgets all redirects of files, so that those that lead in a circle are found again.
    pub fn forget_moved(&mut self) {
        let moved = std::mem::take(&mut self.moved);
        self.cached.retain(|file| !moved.contains(file));
    }

    /// Stores the cookie of a `Set-Cookie` header (RFC 6265, 5.2 and 5.3). The header belongs to the answer of this host to
    /// a request for this path.
    pub fn set_cookie(&mut self, header: &str, host: &str, request_path: &str, now: Duration) {
        let mut parts = header.split(';').map(trim);
        let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { return };
        let (name, value) = (trim(name), trim(value));
        let has_control = |text: &str| text.chars().any(|c| c.is_control() && c != '\t');
        if name.is_empty() || name.len() + value.len() > LONGEST_COOKIE || has_control(header) {
            return;
        }
        let mut cookie = Cookie {
            name: name.to_owned(),
            value: value.to_owned(),
            path: folder(request_path).to_owned(),
            domain: None,
            is_secure: false,
            expires: None,
        };
        let mut has_max_age = false;
        for attribute in parts {
            let (name, value) =
                attribute.split_once('=').map_or((attribute, ""), |(name, value)| (trim(name), trim(value)));
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("path") {
                cookie.path = if value.starts_with('/') { value } else { folder(request_path) }.to_owned();
            } else if is("domain") && !value.is_empty() {
                cookie.domain = Some(value.strip_prefix('.').unwrap_or(value).to_ascii_lowercase());
            } else if is("secure") {
                cookie.is_secure = true;
            } else if is("max-age") {
                if let Some(length) = max_age(value) {
                    (has_max_age, cookie.expires) = (true, Some(now.saturating_add(length)));
                }
            } else if is("expires")
                && !has_max_age
                && let Some(date) = cookie_date::seconds(value)
            {
                cookie.expires = Some(now.saturating_add(from_today(date)));
            }
        }
        if cookie.domain.as_deref().is_some_and(|domain| !is_of_domain(host, domain)) {
            return;
        }
        self.store(cookie, now);
    }

    /// Puts a cookie in the place of the one that it replaces.
    fn store(&mut self, cookie: Cookie, now: Duration) {
        let is_same = |known: &Cookie| {
            (&known.name, &known.path, &known.domain) == (&cookie.name, &cookie.path, &cookie.domain)
        };
        let is_over = cookie.expires.is_some_and(|expires| expires <= now);
        match self.cookies.iter().position(is_same) {
            Some(at) if is_over => drop(self.cookies.remove(at)),
            Some(at) => self.cookies[at] = cookie,
            None if is_over => {}
            None => {
                if self.cookies.len() == MOST_COOKIES {
                    self.cookies.remove(0);
                }
                self.cookies.push(cookie);
            }
        }
    }

    /// Removes the cookies that have ended.
    pub fn expire(&mut self, now: Duration) {
        self.cookies.retain(|cookie| cookie.expires.is_none_or(|expires| expires > now));
    }

    /// The value of the `Cookie` header for a request; empty without cookies.
    pub fn cookies_for(&self, is_secure: bool, path: &str) -> String {
        let fits = |cookie: &&Cookie| (is_secure || !cookie.is_secure) && is_below(path, &cookie.path);
        let mut header = String::new();
        let mut sent: Vec<&Cookie> = self.cookies.iter().filter(fits).collect();
        // Longer paths come first, and then earlier cookies.
        sent.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        for Cookie { name, value, .. } in sent {
            let separator = if header.is_empty() { "" } else { "; " };
            header.extend([separator, name, "=", value]);
        }
        header
    }
}

/// Blanks and tabs around are none of a cookie's.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// The length of a `Max-Age` (RFC 6265, 5.2.2); none if it is no number.
fn max_age(value: &str) -> Option<Duration> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let seconds = if digits.len() < value.len() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    Some(Duration::from_secs(seconds))
}

/// The time until a date, in seconds since 1970; none if it is past.
fn from_today(date: i64) -> Duration {
    let today = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_secs(u64::try_from(date).unwrap_or_default()).saturating_sub(today)
}

/// True if a host belongs to a domain (RFC 6265, 5.1.3). Domains of one label are no site's own.
fn is_of_domain(host: &str, domain: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let is_name = host.parse::<IpAddr>().is_err() && !host.starts_with('[');
    let is_below = || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
    host == domain || is_name && domain.contains('.') && is_below()
}

fn key(is_secure: bool, path_and_query: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (is_secure, path_and_query).hash(&mut hasher);
    hasher.finish()
}

/// The default path of a cookie (RFC 6265, 5.1.4).
fn folder(path: &str) -> &str {
    let path = path.split('?').next().unwrap_or_default();
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(slash) => &path[..slash],
    }
}

/// True if the path of a request matches the path of a cookie (RFC 6265, 5.1.4).
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.split('?').next().and_then(|path| path.strip_prefix(folder));
    rest.is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(100);

    /// The cookies that a browser sends for `/shop/Cart` after these headers of `shop.example`, `wait` later.
    fn sent_after(headers: &[&str], wait: Duration) -> String {
        let mut browser = Browser::default();
        headers.iter().for_each(|header| browser.set_cookie(header, "shop.example", "/shop/Cart?x", NOW));
        browser.expire(NOW + wait);
        browser.cookies_for(false, "/shop/Cart")
    }

    #[test]
    fn cookies_match_by_path_and_scheme() {
        let mut browser = Browser::default();
        browser.set_cookie("cart=7; Path=/shop; HttpOnly", "a", "/shop/Cart?x", NOW);
        browser.set_cookie("token=a=b; Secure; SameSite=Lax", "a", "/shop/pay/Confirm", NOW);
        assert_eq!(browser.cookies_for(false, "/shop/Home?a=/b"), "cart=7");
        assert_eq!(browser.cookies_for(true, "/shop/pay/Done"), "token=a=b; cart=7");
        assert_eq!(browser.cookies_for(true, "/shopping"), "");
        browser.set_cookie("cart=8; path=/shop", "a", "/shop/Cart", NOW);
        assert_eq!(browser.cookies_for(false, "/shop"), "cart=8");
    }

    #[test]
    fn a_cookie_ends_with_its_date_or_its_age() {
        for end in [
            "Expires=Tue, 12-Oct-1999 00:00:00 GMT",
            "expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "Expires=Sun Nov  6 08:49:37 1994",
            "Max-Age=0",
            "Max-Age=-1",
            "Max-Age=0; Expires=Wed, 01 Jan 2200 00:00:00 GMT",
            "Expires=Wed, 01 Jan 2200 00:00:00 GMT; Max-Age=0",
        ] {
            assert_eq!(sent_after(&["a=1", &format!("a=; {end}")], Duration::ZERO), "", "{end}");
        }
        for stays in ["Expires=tomorrow", "Max-Age=soon", "Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]
        {
            assert_eq!(sent_after(&[&format!("a=1; {stays}")], Duration::from_secs(59)), "a=1", "{stays}");
        }
        assert_eq!(sent_after(&["a=1; Max-Age=60", "b=2"], Duration::from_secs(60)), "b=2");
    }

    #[test]
    fn a_cookie_is_taken_only_of_the_hosts_own_domain() {
        for domain in ["shop.example", ".SHOP.example", ""] {
            assert_eq!(sent_after(&[&format!("a=1; Domain={domain}")], Duration::ZERO), "a=1", "{domain}");
        }
        for domain in ["other.example", "op.example", "my.shop.example", "example"] {
            assert_eq!(sent_after(&[&format!("a=1; Domain={domain}")], Duration::ZERO), "", "{domain}");
        }
        assert!(!is_of_domain("127.0.0.1", "0.0.1"));
    }

    #[test]
    fn what_is_no_cookie_is_dropped() {
        let long = format!("long={}", "x".repeat(LONGEST_COOKIE));
        for header in ["=9", "nothing", long.as_str(), "a=\u{1}"] {
            assert_eq!(sent_after(&[header], Duration::ZERO), "", "{header}");
        }
        assert_eq!(sent_after(&[" a = 1 ; Path=elsewhere"], Duration::ZERO), "a=1");
    }

    #[test]
    fn the_cache_is_per_transport() {
        let mut browser = Browser::default();
        assert!(!browser.has(false, "/a.png"));
        browser.keep(false, "/a.png");
        assert!(browser.has(false, "/a.png"));
        assert!(!browser.has(true, "/a.png"));
        browser.forget(false, "/a.png");
        assert!(!browser.has(false, "/a.png"));
    }
}
