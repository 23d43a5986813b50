//! The most clients that the open files of one process allow. Their server is another process, for it needs as many.

use super::ALONE;
use engine::{Load, Outcome, Phase, Progress, Target, drive};
use hdrhistogram::Histogram;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, io, thread};
use workload::ExternalSite;

/// Set in the environment of the server process of the other tests.
const IS_SERVER: &str = "TIERBENCH_TEST_IS_WIDE_SERVER";
/// The server's first words, before its address.
const LISTENS: &str = "listens at ";
/// The answer to each request.
const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// A server process, which ends with its input.
struct WideServer {
    process: Child,
    address: SocketAddr,
    /// Held, because the test harness ends if it can't print that a test takes over a minute.
    _output: BufReader<ChildStdout>,
}

impl WideServer {
    fn start() -> Self {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", "wide::serves_the_tests_of_the_parent_process", "--ignored", "--nocapture"])
            .env(IS_SERVER, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let said = output
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once(LISTENS)?.1.to_owned()));
        let address = said.expect("the server says where it listens").trim().parse().unwrap();
        Self { process, address, _output: output }
    }
}

impl Drop for WideServer {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "part of make test-machine: it is the server of the tests beside it, and does nothing alone"]
fn serves_the_tests_of_the_parent_process() {
    if env::var_os(IS_SERVER).is_none() {
        return;
    }
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        std::process::exit(0);
    });
    serve().unwrap();
}

/// Answers each request of each connection, on one thread. No request is longer than a packet.
fn serve() -> io::Result<()> {
    const LISTENER: Token = Token(usize::MAX);
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
    let mut listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    let (mut poll, mut events) = (Poll::new()?, Events::with_capacity(1024));
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    println!("{LISTENS}{}", listener.local_addr()?);
    let (mut streams, mut next) = (HashMap::new(), 0);
    loop {
        poll.poll(&mut events, None)?;
        for event in &events {
            if event.token() == LISTENER {
                while let Ok((mut stream, _)) = listener.accept() {
                    stream.set_nodelay(true)?;
                    poll.registry().register(&mut stream, Token(next), Interest::READABLE)?;
                    streams.insert(next, stream);
                    next += 1;
                }
            } else if streams.get_mut(&event.token().0).is_some_and(|stream| !answer(stream)) {
                streams.remove(&event.token().0);
            }
        }
    }
}

/// Returns whether the connection is still open.
fn answer(stream: &mut TcpStream) -> bool {
    let mut request = [0; 4096];
    loop {
        match stream.read(&mut request) {
            Ok(0) => return false,
            Ok(count) if !request[..count].ends_with(b"\r\n\r\n") => {}
            Ok(_) if stream.write_all(PAGE).is_err() => return false,
            Ok(_) => {}
            Err(fault) => return fault.kind() == io::ErrorKind::WouldBlock,
        }
    }
}

/// The load of users who think for seven seconds, all of whom are present before the window.
fn load(clients: u32, window: Duration) -> Load {
    Load {
        ramp: Duration::from_secs(15),
        longest_ramp: Duration::from_secs(15),
        window,
        ..super::load(clients, 7000, 0)
    }
}

/// Puts a load on a server of its own. Checks that all requests are answered, and that their number is that of such users.
fn run(load: &Load, progress: &mut dyn FnMut(Progress)) -> Outcome {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let server = WideServer::start();
    let target = Target::plain(server.address, "localhost");
    let site = ExternalSite::of_paths("wide", &["/".to_owned()], false).unwrap();
    let stop = AtomicBool::new(false);
    let outcome = site.with_users(|users| drive(&target, users, load, &stop, progress)).unwrap();
    let total = outcome.total();
    println!(
        "{} clients: {:.0} interactions/s, {:.2} cores, 99.9 % within {} µs",
        outcome.clients,
        outcome.throughput(),
        outcome.cpu_share(),
        outcome.lateness.value_at_quantile(0.999)
    );
    assert_eq!(total.errors(), 0, "{total:?}");
    super::is_accounted_for(&outcome, load);
    let expected = f64::from(load.kind.clients()) / 7.0;
    assert!((outcome.throughput() / expected - 1.0).abs() < 0.03, "{} /s", outcome.throughput());
    outcome
}

#[test]
#[ignore = "part of make test-machine: it needs 18,000 open files in each of two processes"]
fn one_process_drives_eighteen_thousand_clients() {
    let outcome = run(&load(18_000, Duration::from_secs(20)), &mut |_| {});
    assert_eq!((outcome.connections.failed, outcome.connections.reconnects), (0, 0));
    assert_eq!(outcome.sent, outcome.intended);
}

/// Lateness, in microseconds, of a thread that sleeps until even instants, two thousand a second, while `is_on`. It shows
/// the machine's own lateness: where the kernel cannot be preempted, its threads hold a CPU for milliseconds.
fn lateness_of_a_sleeper(is_on: &AtomicBool, ends: &AtomicBool) -> Histogram<u64> {
    let mut lateness = Histogram::new(3).unwrap();
    let mut due = Instant::now();
    while !ends.load(Ordering::Relaxed) {
        due += Duration::from_micros(500);
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if is_on.load(Ordering::Relaxed) {
            lateness += due.elapsed().as_micros() as u64;
        }
    }
    lateness
}

#[test]
#[ignore = "part of make test-machine: lateness is the machine's own"]
fn all_but_one_of_a_thousand_wake_ups_are_within_a_millisecond() {
    // The priority of a real run. Without the privilege, both are as late as others make them.
    let _ = setpriority_process(None, -20);
    let (is_on, ends) = (AtomicBool::new(false), AtomicBool::new(false));
    let (outcome, sleeper) = thread::scope(|scope| {
        let sleeper = scope.spawn(|| lateness_of_a_sleeper(&is_on, &ends));
        let outcome = run(&load(14_000, Duration::from_secs(60)), &mut |progress| {
            is_on.store(progress.phase == Phase::Measure, Ordering::Relaxed);
        });
        ends.store(true, Ordering::Relaxed);
        (outcome, sleeper.join().unwrap())
    });
    assert!(outcome.lateness.len() > 100_000, "{}", outcome.lateness.len());
    for quantile in [0.5, 0.99, 0.999, 0.9999] {
        let [ours, its] = [&outcome.lateness, &sleeper].map(|seen| seen.value_at_quantile(quantile));
        println!("{quantile}: {ours} µs late; a thread that only sleeps {its} µs");
    }
    let [late, own] = [&outcome.lateness, &sleeper].map(|seen| seen.value_at_quantile(0.999));
    assert!(
        late <= 1000.max(2 * own),
        "of a thousand requests, one was {late} µs late, the machine's own {own} µs"
    );
}

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim_end_matches("kB").trim().parse::<u64>().unwrap() << 10
}

#[test]
#[ignore = "part of make test-machine: it takes ten minutes"]
fn the_memory_of_a_load_does_not_grow_in_ten_minutes() {
    let mut seen = Vec::new();
    let outcome = run(&load(14_000, Duration::from_secs(600)), &mut |_| seen.push(resident()));
    // The record of each second grows by design: it is the result.
    let record: usize = outcome.latencies.iter().map(|second| 8 * second.values.capacity() + 128).sum();
    let (early, late) = (seen[60], *seen.last().unwrap());
    let growth = late.saturating_sub(early).saturating_sub(record as u64);
    println!("{growth} bytes more after ten minutes than after one, {record} bytes of record apart");
    // A leak of four bytes for each request would be as much.
    let requests = outcome.total().completed;
    assert!(growth < 4 * requests, "{growth} bytes more, at {requests} requests");
}
