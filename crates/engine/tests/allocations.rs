//! A client that only counts answers allocates no memory per request.

use engine::{Load, LoadKind, Phase, Progress, Target, drive};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;
use workload::ExternalSite;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const CONNECTIONS: u32 = 8;
/// Allocations for each second of the timeline.
const A_SECOND: usize = 60;

/// Answers each request, which comes in one piece, with the same bytes, without allocating.
fn serve(listener: &TcpListener) {
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_nodelay(true).unwrap();
    let (head, body) =
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1024\r\n\r\n", [b'x'; 1024]);
    let mut answer = [0; 2048];
    answer[..head.len()].copy_from_slice(head.as_bytes());
    answer[head.len()..head.len() + body.len()].copy_from_slice(&body);
    let mut request = [0; 4096];
    while stream.read(&mut request).is_ok_and(|count| count > 0) {
        if stream.write_all(&answer[..head.len() + body.len()]).is_err() {
            return;
        }
    }
}

#[test]
fn requests_do_not_allocate() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let target = Target::plain(listener.local_addr().unwrap(), "localhost");
    let paths = ["/a", "/b?c=d"].map(str::to_owned);
    let site = ExternalSite::of_paths("x", &paths, false).unwrap();
    let load = Load {
        session_length: Duration::from_secs(1_000_000),
        ramp: Duration::from_secs(1),
        warm_requests: 1.0,
        longest_ramp: Duration::from_secs(5),
        window: Duration::from_secs(2),
        ..Load::new(LoadKind::NoThink { clients: CONNECTIONS })
    };
    thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| serve(&listener));
        }
        // At the beginning of the window, and at its end.
        let mut samples = Vec::with_capacity(16);
        let mut sample = |progress: Progress| {
            if samples.len() < 16 && progress.phase != Phase::Ramp {
                samples.push((progress.completed, COUNTED.stats().allocations));
            }
        };
        let outcome = site
            .with_users(|users| drive(&target, users, &load, &AtomicBool::new(false), &mut sample))
            .unwrap();
        assert_eq!(outcome.total().errors(), 0);
        let (first, last) = (samples[0], samples[samples.len() - 1]);
        let (requests, taken) = (last.0 - first.0, last.1 - first.1);
        println!("{taken} allocations in {requests} requests");
        assert!(requests > 20 * A_SECOND as u64, "{requests} requests say nothing");
        assert!(taken <= 3 * A_SECOND, "{taken} allocations in {requests} requests");
    });
}
