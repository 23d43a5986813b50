//! A browser's state for one user of a site: cookies, and the files in its cache.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

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
}

#[derive(Debug)]
struct Cookie {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
}

impl Browser {
    /// Whether a file is in the cache, or on its way there.
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

    /// Stores the cookie of a `Set-Cookie` header. The header belongs to the answer to a request for this path.
    pub fn set_cookie(&mut self, header: &str, request_path: &str) {
        let mut parts = header.split(';').map(str::trim);
        let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { return };
        if name.is_empty() || name.len() + value.len() > LONGEST_COOKIE {
            return;
        }
        let mut cookie = Cookie {
            name: name.to_owned(),
            value: value.to_owned(),
            path: folder(request_path).to_owned(),
            is_secure: false,
        };
        let mut is_over = false;
        for attribute in parts {
            let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("path") && value.starts_with('/') {
                value.clone_into(&mut cookie.path);
            } else if is("secure") {
                cookie.is_secure = true;
            } else if is("max-age") {
                is_over = value.parse().is_ok_and(|seconds: i64| seconds <= 0);
            } else if is("expires") {
                // Servers write this date to delete a cookie; other dates lie beyond the end of a session.
                is_over |= value.contains("1970");
            }
        }
        self.cookies.retain(|known| known.name != cookie.name || known.path != cookie.path);
        if !is_over && self.cookies.len() < MOST_COOKIES {
            self.cookies.push(cookie);
        }
    }

    /// The value of the `Cookie` header for a request; empty without cookies.
    pub fn cookies_for(&self, is_secure: bool, path: &str) -> String {
        let fits = |cookie: &&Cookie| (is_secure || !cookie.is_secure) && is_below(path, &cookie.path);
        let mut header = String::new();
        for Cookie { name, value, .. } in self.cookies.iter().filter(fits) {
            let separator = if header.is_empty() { "" } else { "; " };
            header.extend([separator, name, "=", value]);
        }
        header
    }
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

/// Whether the path of a request matches the path of a cookie (RFC 6265, 5.1.4).
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.split('?').next().and_then(|path| path.strip_prefix(folder));
    rest.is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_match_by_path_and_scheme_and_expire() {
        let mut browser = Browser::default();
        browser.set_cookie("cart=7; Path=/shop; HttpOnly", "/shop/Cart?x");
        browser.set_cookie("token=a=b; Secure; SameSite=Lax", "/shop/pay/Confirm");
        assert_eq!(browser.cookies_for(false, "/shop/Home?a=/b"), "cart=7");
        assert_eq!(browser.cookies_for(true, "/shop/pay/Done"), "cart=7; token=a=b");
        assert_eq!(browser.cookies_for(true, "/shopping"), "");
        browser.set_cookie("cart=8; path=/shop", "/shop/Cart");
        assert_eq!(browser.cookies_for(false, "/shop"), "cart=8");
        browser.set_cookie("cart=; path=/shop; Max-Age=0", "/shop/Cart");
        assert_eq!(browser.cookies_for(false, "/shop"), "");
        browser.set_cookie("cart=9; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT", "/");
        browser.set_cookie("=9", "/");
        browser.set_cookie("nothing", "/");
        browser.set_cookie(&format!("long={}", "x".repeat(LONGEST_COOKIE)), "/");
        assert_eq!(browser.cookies_for(false, "/"), "");
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
