//! The headers of an answer: those that it must have, those that no client minds, and all others, which are faults.
//!
//! A header can show secrets, set a cookie, let other sites read a page, or make a browser keep or leave it, and no
//! comparison of documents sees that.

use engine::HttpResponse;
use jiff::{SignedDuration, Timestamp, fmt::rfc2822::DateTimeParser};

/// Headers without a meaning for what a page shows or does: framing, validators, what a server says of itself, and
/// restrictions by which browsers protect their users.
const HARMLESS: [&str; 53] = [
    "accept-ranges",
    "age",
    "allow",
    "alt-svc",
    "cache-control",
    "connection",
    "content-encoding",
    "content-language",
    "content-length",
    "content-type",
    "cross-origin-embedder-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "date",
    "etag",
    "expires",
    "keep-alive",
    "last-modified",
    "location",
    "mime-version",
    "nel",
    "origin-agent-cluster",
    "permissions-policy",
    "pragma",
    "proxy-connection",
    "referrer-policy",
    "report-to",
    "reporting-endpoints",
    "retry-after",
    "server",
    "server-timing",
    "set-cookie",
    "soapaction",
    "strict-transport-security",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
    "via",
    "x-content-type-options",
    "x-dns-prefetch-control",
    "x-download-options",
    "x-frame-options",
    "x-permitted-cross-domain-policies",
    "x-powered-by",
    "x-process-time",
    "x-request-id",
    "x-response-time",
    "x-robots-tag",
    "x-runtime",
    "x-ua-compatible",
    "x-xss-protection",
];

/// Headers that must not be there twice, because clients choose differently between two values.
const SINGLE: [&str; 4] = ["content-type", "etag", "last-modified", "location"];

/// The header that lets other sites read an answer.
const OPEN_TO_ALL: &str = "access-control-allow-origin";

/// Headers with what they would do.
const FORBIDDEN: [(&str, &str); 9] = [
    ("access-control-allow-credentials", "it lets other sites read the page"),
    (OPEN_TO_ALL, "it lets other sites read the page"),
    ("clear-site-data", "browsers would forget their sessions"),
    ("content-disposition", "browsers would save the page instead of showing it"),
    ("content-location", "it gives the page another address"),
    ("content-security-policy", "it may keep browsers from loading what the page embeds"),
    ("link", "browsers would load what the page does not name"),
    ("refresh", "browsers would leave the page"),
    ("www-authenticate", "browsers would ask for a password"),
];

/// Checks all headers of an answer. A page that depends on data must not be kept by browsers.
pub(crate) fn expect_harmless(got: &HttpResponse, depends_on_data: bool) -> Result<(), String> {
    let headers = got.headers();
    for (name, value) in &headers {
        let plain = name.to_ascii_lowercase();
        let shown = || format!("  header `{name}: {value}`");
        // Anybody may read a page that is the same for everybody.
        if plain == OPEN_TO_ALL && !depends_on_data {
            continue;
        }
        if let Some((_, does)) = FORBIDDEN.iter().find(|(known, _)| *known == plain) {
            return Err(format!("{}: {does}", shown()));
        }
        if !HARMLESS.contains(&plain.as_str()) {
            return Err(format!(
                "{}, which pages do not have; remove it, or add it to the harmless ones in crates/verify/src/headers.rs",
                shown()
            ));
        }
        if plain == "location" && !matches!(got.status, 201 | 300..400) {
            return Err(format!("{}: status {} leads nowhere", shown(), got.status));
        }
        if SINGLE.contains(&plain.as_str())
            && headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name)).count() > 1
        {
            return Err(format!("{}: it is there several times", shown()));
        }
        if depends_on_data && lets_keep(&plain, value, &headers) {
            return Err(format!("{}: browsers would keep a page that changes", shown()));
        }
    }
    Ok(())
}

/// Directives by which a page is shown again without asking, for so many seconds. Some shared caches heed the second one only,
/// and the third one holds beyond the end of the others.
const LENGTHS: [&str; 3] = ["max-age=", "s-maxage=", "stale-while-revalidate="];

/// True if a header lets a browser, or a cache on the way, show the page again without asking.
fn lets_keep(name: &str, value: &str, all: &[(String, String)]) -> bool {
    let of = |wanted: &'static str| all.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
    let controls: Vec<String> = of("cache-control")
        .flat_map(|(_, value)| value.split(','))
        .map(|part| part.trim().to_ascii_lowercase().replace('"', ""))
        .collect();
    let has = |wanted: &str| controls.iter().any(|part| part == wanted);
    if has("no-store") || has("no-cache") {
        return false;
    }
    let is_long = |part: &String| {
        let length = LENGTHS.iter().find_map(|directive| part.strip_prefix(directive));
        part == "immutable" || length.is_some_and(|length| length.parse() != Ok(0_u64))
    };
    let date = DateTimeParser::new().parse_timestamp(value);
    match name {
        "cache-control" => controls.iter().any(is_long),
        _ if has("max-age=0") => false,
        "expires" => date.is_ok_and(|date| date > Timestamp::now() + SignedDuration::from_secs(1)),
        // RFC 9111, 4.2.2: without an end, caches guess one from the age of the page.
        "last-modified" => of("expires").next().is_none() && date.is_ok_and(|date| date < Timestamp::now()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::ResponseReader;

    fn judged(status: &str, header: &str, depends_on_data: bool) -> Result<(), String> {
        let text = format!("HTTP/1.1 {status} x\r\n{header}\r\nContent-Length: 0\r\n\r\n");
        let got = ResponseReader::default().receive(text.as_bytes()).unwrap().unwrap();
        expect_harmless(&got, depends_on_data)
    }

    #[test]
    fn what_servers_say_of_themselves_is_harmless() {
        for header in
            ["Server: Apache", "X-POWERED-BY: x", "vary: *", "Date: x", "Keep-Alive: timeout=5", "ETag: 1"]
        {
            assert_eq!(judged("200", header, true), Ok(()), "{header}");
        }
        assert_eq!(judged("308", "Location: /x", true), Ok(()));
        assert_eq!(judged("200", "Access-Control-Allow-Origin: *", false), Ok(()), "a file");
    }

    #[test]
    fn unknown_forbidden_and_doubled_headers_are_faults() {
        for (header, says) in [
            ("X-Debug: 7", "pages do not have"),
            ("Access-Control-Allow-Origin: *", "other sites"),
            ("Refresh: 0", "leave the page"),
            ("Location: /x", "leads nowhere"),
            ("Content-Type: a\r\ncontent-type: b", "several times"),
        ] {
            let fault = judged("200", header, true).expect_err(header);
            assert!(fault.contains(says), "{fault}");
        }
    }

    #[test]
    fn only_what_never_changes_may_be_kept() {
        for header in [
            "Cache-Control: public, max-age=60",
            "Cache-Control: immutable",
            "Cache-Control: max-age=0, stale-while-revalidate=60",
            "Cache-Control: max-age=0\r\nCache-Control: s-maxage=60",
            "Expires: Thu, 01 Jan 2099 00:00:00 GMT",
            "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT",
        ] {
            assert!(judged("200", header, true).is_err() && judged("200", header, false).is_ok(), "{header}");
        }
        for header in [
            "Cache-Control: no-cache, max-age=60",
            "Cache-Control: private, max-age=0",
            "Cache-Control: no-store\r\nCache-Control: max-age=60",
            "Cache-Control: max-age=0\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT",
            "Expires: 0\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT",
            "Expires: 0",
            "Expires: Thu, 01 Jan 1970 00:00:00 GMT",
        ] {
            assert_eq!(judged("200", header, true), Ok(()), "{header}");
        }
    }
}
