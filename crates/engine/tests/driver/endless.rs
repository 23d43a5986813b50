//! Servers that never stop sending.

use super::{HOURS, Server, is_accounted_for, read_head};
use crate::shop::{Shop, load};
use engine::{Ended, ErrorKind, Load, Phase, Progress, Target, drive};
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Sends what doesn't count as a page's body as fast as it is read, for as long as it is read.
fn send_for_ever(mut stream: &TcpStream, requests: &AtomicU64) -> std::io::Result<()> {
    read_head(&mut BufReader::new(stream))?;
    requests.fetch_add(1, Ordering::SeqCst);
    let chunk = [format!("{:x}\r\n", 1 << 20).as_bytes(), &vec![b'x'; 1 << 20], b"\r\n"].concat();
    stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    loop {
        stream.write_all(&chunk)?;
    }
}

/// The same, slowly.
fn send_a_byte_now_and_then(mut stream: &TcpStream, requests: &AtomicU64) -> std::io::Result<()> {
    read_head(&mut BufReader::new(stream))?;
    requests.fetch_add(1, Ordering::SeqCst);
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")?;
    loop {
        stream.write_all(b"x")?;
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_answer_that_only_trickles_ends_with_the_timeout() {
    let server = Server::start_with(send_a_byte_now_and_then);
    let load = Load { timeout: Some(Duration::from_millis(200)), ..load(5, 10, 1000) };
    let outcome = super::run(&server, &load);
    is_accounted_for(&outcome, &load);
    let total = outcome.total();
    assert!(total.errors_of(ErrorKind::Timeout) > 0 && total.errors() == total.requests(), "{total:?}");
}

#[test]
fn a_flood_ends_at_the_limit_of_a_page() {
    let server = Server::start_with(send_for_ever);
    let load = Load { timeout: Some(Duration::from_secs(60)), ..load(2, 10, 500) };
    let outcome = super::run(&server, &load);
    let total = outcome.total();
    assert!(total.errors_of(ErrorKind::TooLarge) > 0 && total.errors() == total.requests(), "{total:?}");
}

#[test]
fn the_stop_flag_ends_a_load_amid_floods() {
    let server = Server::start_with(send_for_ever);
    let (shop, stop) = (Shop::new(), AtomicBool::new(false));
    let load = Load { timeout: None, window: HOURS, ..load(4, 0, 1000) };
    let mut watch = |progress: Progress| {
        if progress.phase == Phase::Measure && server.requests.load(Ordering::SeqCst) > 10 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let target = Target::plain(server.address, "localhost");
    let outcome = drive(&target, &shop.users(), &load, &stop, &mut watch).unwrap();
    assert_eq!(outcome.ended, Ended::Stopped);
}
