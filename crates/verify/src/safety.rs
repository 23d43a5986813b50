//! Judges answers to requests that only broken or hostile clients send. They needn't be like the model's, but safe.

use crate::secrets::Secrets;
use engine::HttpResponse;
use memchr::memmem;
use std::ops::RangeInclusive;

/// Markup that a page would contain if a server repeated what was sent unescaped.
pub(crate) const MARKUP: &str = "<b>hostile</b>";

/// The statuses of refusals.
const REFUSALS: RangeInclusive<u16> = 400..=499;
/// Also refusals: not implemented, and an unsupported version of HTTP.
const UNSUPPORTED: [u16; 2] = [501, 505];
const REDIRECTS: [u16; 5] = [301, 302, 303, 307, 308];

/// Limits of every answer: texts that it may not contain, and places where redirects may lead.
pub(crate) struct Safety {
    /// The run's key, passwords, and paths of the machine.
    secrets: Secrets,
    /// The site's hosts with their ports.
    hosts: Vec<String>,
}

impl Safety {
    pub(crate) fn new(secrets: &[Vec<u8>], hosts: Vec<String>) -> Self {
        Self { secrets: Secrets::new(secrets), hosts }
    }

    /// Checks that bytes from a server have no markup of the client and no secret of the site.
    pub(crate) fn expect_harmless(&self, bytes: &[u8]) -> Result<(), String> {
        if memmem::find(bytes, MARKUP.as_bytes()).is_some() {
            return Err(format!("  the page repeats what was sent as markup: {MARKUP}"));
        }
        self.secrets.expect_none_in(bytes)
    }

    /// Checks that no byte of an answer belongs to a secret: of its body, its headers, and all else that came.
    pub(crate) fn expect_no_secret(&self, got: &HttpResponse) -> Result<(), String> {
        self.secrets.expect_none_in(&got.body)?;
        got.beside_body().into_iter().try_for_each(|bytes| self.secrets.expect_none_in(bytes))
    }

    /// Checks the body of an answer. Plain text shows no markup, whatever it says.
    pub(crate) fn expect_harmless_body(&self, got: &HttpResponse) -> Result<(), String> {
        match got.header("content-type").is_some_and(|kind| kind.starts_with("text/plain")) {
            true => self.secrets.expect_none_in(&got.body),
            false => self.expect_harmless(&got.body),
        }
    }

    /// True if an answer refuses the request. The error says that it is unsafe.
    pub(crate) fn is_refusal(&self, got: &HttpResponse, method: &str) -> Result<bool, String> {
        self.expect_harmless_body(got)?;
        got.beside_body().into_iter().try_for_each(|bytes| self.expect_harmless(bytes))?;
        if REDIRECTS.contains(&got.status) {
            let location = got.header("location").unwrap_or_default();
            return match self.is_within(&location) {
                true => Ok(true),
                false => Err(format!("  it redirects to `{location}`, which is not on this site")),
            };
        }
        // Frameworks answer so by themselves, and do nothing.
        let lists_methods = method == "OPTIONS" && (200..300).contains(&got.status);
        let lists_methods = lists_methods && got.body.is_empty() && got.header("allow").is_some();
        Ok(REFUSALS.contains(&got.status) || UNSUPPORTED.contains(&got.status) || lists_methods)
    }

    fn is_within(&self, location: &str) -> bool {
        let absolute = ["http://", "https://"].into_iter().find_map(|scheme| location.strip_prefix(scheme));
        match absolute {
            Some(rest) => self.hosts.iter().any(|host| {
                rest.strip_prefix(host.as_str()).is_some_and(|path| path.is_empty() || path.starts_with('/'))
            }),
            None => location.starts_with('/') && !location.starts_with("//") && !location.starts_with("/\\"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::ResponseReader;

    fn judged(method: &str, head: &str, body: &str) -> Result<bool, String> {
        let secrets = [b"s3cret-word".to_vec(), b"/tmp/site".to_vec()];
        let safety = Safety::new(&secrets, vec!["127.0.0.1:80".into()]);
        let text = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let got = ResponseReader::default().receive(text.as_bytes()).unwrap().unwrap();
        safety.is_refusal(&got, method)
    }

    #[test]
    fn plain_text_shows_no_markup_but_may_show_secrets() {
        let plain = "400 x\r\nContent-Type: text/plain; charset=utf-8";
        assert_eq!(judged("GET", plain, "no number: <b>hostile</b>"), Ok(true));
        assert!(judged("GET", "400 x\r\nContent-Type: text/html", "no number: <b>hostile</b>").is_err());
        assert!(judged("GET", plain, "no number: s3cret-word").is_err());
    }

    #[test]
    fn a_refusal_has_a_status_of_refusals() {
        for status in ["400 x", "404 x", "413 x", "431 x", "501 x", "505 x"] {
            assert_eq!(judged("GET", status, "<p>no</p>"), Ok(true), "{status}");
        }
        for status in ["200 x", "204 x", "500 x", "502 x", "503 x"] {
            assert_eq!(judged("GET", status, ""), Ok(false), "{status}");
        }
    }

    #[test]
    fn a_redirect_stays_within_the_site() {
        for location in ["/shop/Home", "http://127.0.0.1:80/shop", "https://127.0.0.1:80"] {
            assert_eq!(judged("GET", &format!("301 x\r\nLocation: {location}"), ""), Ok(true), "{location}");
        }
        for location in
            ["//evil.test/", "/\\evil.test", "http://evil.test/", "http://127.0.0.1:8080/", "x", ""]
        {
            assert!(judged("GET", &format!("302 x\r\nLocation: {location}"), "").is_err(), "{location}");
        }
    }

    #[test]
    fn only_options_may_list_methods() {
        assert_eq!(judged("OPTIONS", "200 x\r\nAllow: GET", ""), Ok(true));
        assert_eq!(judged("OPTIONS", "200 x", ""), Ok(false));
        assert_eq!(judged("OPTIONS", "200 x\r\nAllow: GET", "page"), Ok(false));
        assert_eq!(judged("PUT", "200 x\r\nAllow: GET", ""), Ok(false));
    }

    #[test]
    fn markup_and_secrets_are_unsafe_whatever_the_status() {
        for (head, body) in [
            ("400 x", "no <b>hostile</b> here"),
            ("404 x", "key=s3cret-word"),
            ("500 x", "in /tmp/site/app.php on line 7"),
            ("400 x\r\nX-Debug: s3cret-word", ""),
        ] {
            assert!(judged("GET", head, body).is_err(), "{head} {body}");
        }
    }
}
