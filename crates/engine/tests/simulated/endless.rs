//! Servers whose answers never end, or are larger than a client may hold.

use crate::shop::{Shop, load};
use engine::{ErrorKind, Load, Outcome};
use simulation::{Reply, VirtualServer, simulate};
use std::time::Duration;

/// Answers each request so.
struct Hostile(Vec<u8>);

impl VirtualServer for Hostile {
    fn answer(&mut self, _request: &[u8], now: Duration) -> Reply {
        Reply { at: now + Duration::from_millis(5), response: self.0.clone() }
    }
}

fn outcome_of(response: Vec<u8>) -> Outcome {
    let load = Load { timeout: Some(Duration::from_secs(2)), ..load(3, 1000, 20_000) };
    let outcome = simulate(&mut Hostile(response), &Shop::new().users(), &load);
    assert_eq!(outcome.accounted, 3 * outcome.window, "no client is lost");
    outcome
}

/// Asserts that each request ends with this error.
fn expect_only(kind: ErrorKind, response: Vec<u8>) {
    let outcome = outcome_of(response);
    let total = outcome.total();
    assert!(total.errors_of(kind) > 10 && total.errors_of(kind) == total.requests(), "{kind}: {total:?}");
}

#[test]
fn answers_without_an_end_are_too_large() {
    let chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect_only(ErrorKind::TooLarge, b"HTTP/1.1 102 Processing\r\n\r\n".repeat(50_000));
    expect_only(ErrorKind::TooLarge, [&chunks[..], &b"1;extension\r\nx\r\n".repeat(200_000)].concat());
    expect_only(ErrorKind::TooLarge, [&chunks[..], b"1;", &[b'x'; 2 << 20]].concat());
    expect_only(ErrorKind::Malformed, [&chunks[..], &[b'0'; 100]].concat());
}

#[test]
fn a_form_with_more_fields_than_a_client_may_hold_is_no_page() {
    let fields = "<input name=a value=1>".repeat(600_000);
    let page = format!("<a href='Item'></a><form action='Buy' method='post'>{fields}</form>");
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", page.len());
    expect_only(ErrorKind::UnexpectedPage, [head.as_bytes(), page.as_bytes()].concat());
}
