//! The one fault that virtual time can't have: a generator that has no time. So this one drives a real server.

use super::{Auction, Trial, failing};
use results::CheckId;
use simulation::{QueueServer, VirtualServer};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

/// Answers one request after the other at once, until the client hangs up.
fn serve(mut client: TcpStream, site: &Mutex<QueueServer>) -> Option<()> {
    loop {
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            client.read_exact(&mut byte).ok()?;
            request.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&request).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: u64 = length.map_or(0, |length| length.trim().parse().unwrap_or(0));
        std::io::copy(&mut (&mut client).take(length), &mut std::io::sink()).ok()?;
        let answer = site.lock().ok()?.answer(&request, Duration::ZERO);
        client.write_all(&answer.response).ok()?;
    }
}

#[test]
fn a_busy_generator_is_late() {
    let auction = Auction::new("bidding");
    let trial = Trial { clients: 20, ..Trial::new(0.1, 2) };
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let site = Arc::new(Mutex::new(trial.server(&auction)));
    // It ends with the test's process; each connection ends with its client.
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let site = Arc::clone(&site);
            thread::spawn(move || serve(client, &site));
        }
    });
    // Other work in the generator's thread takes most of each second.
    let mut busy = |_| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(800) {
            std::hint::spin_loop();
        }
    };
    let stop = AtomicBool::new(false);
    let outcome = engine::drive(
        &engine::Target::plain(address, "localhost"),
        &auction.users(),
        &trial.load(),
        &stop,
        &mut busy,
    )
    .unwrap();
    let point = trial.judge(&auction, &outcome);
    assert!(failing(&point).contains(&CheckId::Lateness), "{:?}", point.verdict.checks);
    assert!(point.completed > 0);
}
