//! The epoll driver against servers on sockets. Timing is tested in virtual time (`simulated`); these tests cover
//! sockets, timers and the clock. Tests that depend on the speed of the machine are ignored by default.

mod endless;
mod http2;
#[path = "../shop/mod.rs"]
mod shop;
mod tls;
mod wide;

use engine::{
    Connection, Directive, Ended, EngineError, ErrorKind, Load, LoadKind, Outcome, Phase, Progress, Shard,
    Target, drive, drive_until,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shop::{Shop, load};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use workload::{ExternalSite, Method, exponential};

/// A server's treatment of connections and requests.
#[derive(Clone, Copy)]
struct Behaviour {
    /// Closes a connection after this idle time.
    keeps_idle: Duration,
    /// Sends bodies in chunks, byte by byte.
    in_chunks: bool,
    /// Ends each answer by closing the connection.
    until_close: bool,
    /// Closes the connection after each answer without announcing it.
    drops: bool,
    /// Time to answer.
    takes: Duration,
    /// Closes the connection instead of answering a POST on a reused one.
    ignores_posts: bool,
    /// Additional links on each page.
    links: usize,
    /// Bytes of a hidden field in each form.
    hidden: usize,
    /// Wait before it reads the body of a request.
    reads_after: Duration,
    /// Answers a POST without reading its body, and closes, which resets the connection.
    answers_early: bool,
}

const DECENT: Behaviour = Behaviour {
    keeps_idle: Duration::from_secs(60),
    in_chunks: false,
    until_close: false,
    drops: false,
    takes: Duration::ZERO,
    ignores_posts: false,
    links: 0,
    hidden: 0,
    reads_after: Duration::ZERO,
    answers_early: false,
};

/// Held by the one test that runs a server: tests must not take CPU time from each other.
static ALONE: Mutex<()> = Mutex::new(());

/// A web server with a thread per connection. It ends with the test.
struct Server {
    address: SocketAddr,
    ends: Arc<AtomicBool>,
    requests: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
    _alone: MutexGuard<'static, ()>,
}

impl Server {
    fn start(behaviour: Behaviour) -> Self {
        Self::start_with(move |stream, requests| serve(stream, behaviour, requests))
    }

    fn start_with(
        serve: impl Fn(&TcpStream, &AtomicU64) -> std::io::Result<()> + Copy + Send + 'static,
    ) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (ends, requests) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (ended, counted) = (ends.clone(), requests.clone());
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let (stream, counted) = (stream.unwrap(), counted.clone());
                // The client handles a broken connection.
                thread::spawn(move || serve(&stream, &counted).unwrap_or(()));
            }
        });
        Self { address, ends, requests, thread: Some(thread), _alone: alone }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        let knocked = TcpStream::connect(self.address);
        drop(knocked);
        self.thread.take().unwrap().join().unwrap();
    }
}

fn serve(stream: &TcpStream, behaviour: Behaviour, requests: &AtomicU64) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut is_used = false;
    loop {
        let Some((first, length)) = read_head(&mut reader)? else { return Ok(()) };
        if length > 0 && !behaviour.answers_early {
            thread::sleep(behaviour.reads_after);
        }
        if behaviour.answers_early && length > 0 {
            answer(stream, "<data class=acknowledged value=1></data>", behaviour)?;
            thread::sleep(behaviour.reads_after);
            return Ok(());
        }
        let mut posted = vec![0; length];
        reader.read_exact(&mut posted)?;
        if behaviour.hidden > 0 && length > 0 {
            let hidden = posted.strip_prefix(b"hidden=").unwrap();
            assert!(hidden.len() == behaviour.hidden && hidden.iter().all(|byte| *byte == b'y'));
        }
        if behaviour.ignores_posts && is_used && first.starts_with("POST") {
            return Ok(());
        }
        is_used = true;
        stream.set_read_timeout(Some(behaviour.keeps_idle))?;
        let row = 1 + requests.fetch_add(1, Ordering::SeqCst);
        thread::sleep(behaviour.takes);
        let body = format!(
            "<a href='Item'>1</a>{}<form action=Buy method=post>{}</form><a href='index.html'>2</a>\
             <data class=acknowledged value={row}></data>{}",
            "<a href='Item?of=10&amp;page=2'>more</a>".repeat(behaviour.links),
            match behaviour.hidden {
                0 => String::new(),
                size => format!("<input type=hidden name=hidden value={}>", "y".repeat(size)),
            },
            "x".repeat(if first.contains("/Item") { 100_000 } else { 10 }),
        );
        answer(stream, &body, behaviour)?;
        if behaviour.until_close || behaviour.drops {
            return stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

/// The first line of a request and the length of its body; none if the client has closed.
fn read_head(reader: &mut impl BufRead) -> std::io::Result<Option<(String, usize)>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            return Ok(Some((first, length)));
        }
    }
}

fn answer(mut stream: &TcpStream, body: &str, behaviour: Behaviour) -> std::io::Result<()> {
    if behaviour.until_close {
        return stream.write_all(format!("HTTP/1.0 200 OK\r\n\r\n{body}").as_bytes());
    }
    if !behaviour.in_chunks {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        return stream.write_all([head.as_str(), body].concat().as_bytes());
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    let (start, rest) = body.split_at(5);
    for byte in start.bytes() {
        stream.write_all(&[b'1', b'\r', b'\n', byte, b'\r', b'\n'])?;
    }
    stream.write_all(format!("{:x}\r\n{rest}\r\n0\r\n\r\n", rest.len()).as_bytes())
}

fn run(server: &Server, load: &Load) -> Outcome {
    let shop = Shop::new();
    let stop = AtomicBool::new(false);
    drive(&Target::plain(server.address, "localhost"), &shop.users(), load, &stop, &mut |_| {}).unwrap()
}

/// Puts users on a server until this number of pages was completed in the window, however long that takes.
fn run_until(server: &Server, shop: &Shop, load: &Load, pages: u64) -> Outcome {
    let (stop, load) = (AtomicBool::new(false), Load { window: HOURS, ..load.clone() });
    let mut before = None;
    let mut watch = |progress: Progress| match progress.phase {
        Phase::Measure
            if progress.completed >= before.get_or_insert(progress.completed).saturating_add(pages) =>
        {
            Directive::Enough
        }
        _ => Directive::GoOn,
    };
    drive_until(&Target::plain(server.address, "localhost"), &shop.users(), &load, &stop, &mut watch).unwrap()
}

/// Longer than any test takes.
const HOURS: Duration = Duration::from_secs(36_000);

/// Invariants of every outcome of a server that answers.
fn check(outcome: &Outcome, load: &Load) {
    is_accounted_for(outcome, load);
    let total = outcome.total();
    assert_eq!(total.errors(), 0, "{total:?}");
    assert!(total.completed > 0 && outcome.ended == Ended::Complete);
    assert!(outcome.writes[2].acknowledged.len() as u64 >= outcome.interactions[2].total().completed);
    assert_eq!(outcome.writes[2].in_doubt, 0);
    assert_eq!(outcome.sent, outcome.intended);
}

/// Asserts that the driver has lost no client, not even for a moment.
fn is_accounted_for(outcome: &Outcome, load: &Load) {
    let expected = f64::from(load.kind.clients()) * outcome.window.as_secs_f64();
    assert!((outcome.accounted.as_secs_f64() / expected - 1.0).abs() < 0.01, "{:?}", outcome.accounted);
}

#[test]
fn a_load_on_a_real_server_is_recorded() {
    let server = Server::start(DECENT);
    let load = load(50, 100, 1000);
    let outcome = run(&server, &load);
    check(&outcome, &load);
    assert_eq!(outcome.connections.reconnects, 0);
    assert_eq!(outcome.window, load.window);
    assert!(outcome.interactions[1].bytes > 100_000 * outcome.interactions[1].total().completed);
    assert!(outcome.cpu > Duration::ZERO && outcome.cpu_share() < 1.0, "{:?}", outcome.cpu);
    // Each write's row is acknowledged once.
    let mut rows = outcome.writes[2].acknowledged.clone();
    rows.sort_unstable();
    rows.dedup();
    assert!(rows.len() == outcome.writes[2].acknowledged.len() && !rows.is_empty());
}

#[test]
fn chunked_bodies_and_bodies_until_close_are_read() {
    for behaviour in [Behaviour { in_chunks: true, ..DECENT }, Behaviour { until_close: true, ..DECENT }] {
        let server = Server::start(behaviour);
        let load = load(20, 50, 500);
        let outcome = run(&server, &load);
        check(&outcome, &load);
        let asked = server.requests.load(Ordering::SeqCst);
        assert!(outcome.total().completed < asked);
        if behaviour.until_close {
            assert!(
                outcome.connections.opened >= outcome.total().completed - 20,
                "{:?}",
                outcome.connections.opened
            );
        }
        assert_eq!(outcome.connections.reconnects, 0);
    }
}

#[test]
fn a_connection_closed_while_idle_is_a_reconnect_and_no_error() {
    let server = Server::start(Behaviour { drops: true, ..DECENT });
    let load = load(20, 100, 1000);
    let outcome = run(&server, &load);
    let (connections, completed) = (&outcome.connections, outcome.total().completed);
    assert!(connections.reconnects > 0 && completed > 0, "{connections:?}");
    assert!(
        connections.opened + u64::from(load.kind.clients()) >= completed,
        "{connections:?} for {completed}"
    );
    only_races(&outcome);
}

/// A POST that races with the server's close is in doubt; nothing else may fail.
fn only_races(outcome: &Outcome) -> u64 {
    let races = outcome.total().errors_of(ErrorKind::KeepAliveRace);
    assert_eq!(outcome.total().errors(), races, "{:?}", outcome.total());
    assert!(races <= outcome.writes[2].in_doubt, "{:?}", outcome.writes);
    races
}

#[test]
fn posts_complete_or_race_if_the_server_closes_idle_connections() {
    let server = Server::start(Behaviour { drops: true, ..DECENT });
    let outcome = run_until(&server, &Shop::posting(), &load(50, 100, 0), 100);
    let posted = outcome.interactions[2].total();
    assert!(posted.completed > 0 && outcome.connections.reconnects > 0, "{posted:?}");
    only_races(&outcome);
}

#[test]
#[ignore = "part of make test-machine: how rare races are is a matter of how fast both sides are"]
fn races_are_rare_if_the_server_closes_idle_connections_soon() {
    let server = Server::start(Behaviour { keeps_idle: Duration::from_millis(30), ..DECENT });
    let load = load(200, 150, 3000);
    let shop = Shop::posting();
    let stop = AtomicBool::new(false);
    let outcome =
        drive(&Target::plain(server.address, "localhost"), &shop.users(), &load, &stop, &mut |_| {}).unwrap();
    let posted = outcome.interactions[2].total();
    assert!(posted.completed > 1000 && outcome.connections.reconnects > 1000, "{posted:?}");
    // A verdict allows one in a hundred.
    assert!(only_races(&outcome) < posted.requests() / 100, "{posted:?}");
}

#[test]
fn an_unanswered_post_on_a_reused_connection_is_a_race() {
    let server = Server::start(Behaviour { ignores_posts: true, ..DECENT });
    let load = load(20, 50, 1000);
    let outcome = run(&server, &load);
    assert!(only_races(&outcome) > 0, "{:?}", outcome.total());
    assert_eq!(outcome.interactions[2].total().errors(), outcome.total().errors());
    assert_eq!(outcome.connections.reconnects + outcome.connections.races, 0);
}

#[test]
fn a_thousand_clients_have_one_connection_each() {
    let server = Server::start(DECENT);
    let load = Load { ramp: Duration::from_secs(1), ..load(1000, 2000, 1000) };
    let outcome = run(&server, &load);
    check(&outcome, &load);
}

/// Only here do two drivers share a server.
#[test]
fn two_shards_of_a_load_send_all_of_its_requests() {
    let server = Server::start(DECENT);
    let load = load(31, 50, 1000);
    let shards: Vec<Outcome> = thread::scope(|scope| {
        let drive_shard = |index| {
            let load = Load { shard: Some(Shard { index, of: 2 }), ..load.clone() };
            let server = &server;
            scope.spawn(move || run(server, &load))
        };
        [0, 1].map(drive_shard).map(|shard| shard.join().unwrap()).into()
    });
    let counted: u64 = shards.iter().flat_map(|shard| &shard.timeline).map(|second| second.completed).sum();
    assert_eq!(shards.iter().map(|shard| shard.clients).collect::<Vec<_>>(), [16, 15]);
    let mut shards = shards.into_iter();
    let mut together = shards.next().unwrap();
    shards.for_each(|shard| together.add_shard(shard).unwrap());
    check(&together, &load);
    let seconds = together.timeline.iter().map(|second| second.completed).sum::<u64>();
    assert_eq!((seconds, counted), (counted, server.requests.load(Ordering::SeqCst)));
}

/// Only here does a driver stand still before its first request.
#[test]
fn clients_that_are_due_at_once_await_the_end_of_a_pause() {
    let server = Server::start(DECENT);
    let (load, stop) = (load(8, 0, 500), AtomicBool::new(false));
    let load = Load { ramp: Duration::from_secs(1), longest_ramp: Duration::from_secs(1), ..load };
    let mut before = None;
    let mut watch = |progress: Progress| {
        match progress.phase {
            Phase::Paused => before = Some(server.requests.load(Ordering::SeqCst)),
            _ if before.is_none() => return Directive::Pause,
            _ => {}
        }
        Directive::GoOn
    };
    let target = Target::plain(server.address, "localhost");
    let outcome = drive_until(&target, &Shop::new().users(), &load, &stop, &mut watch).unwrap();
    assert_eq!((before, outcome.total().errors()), (Some(0), 0));
    assert!(server.requests.load(Ordering::SeqCst) > 0);
}

#[test]
#[ignore = "part of make test-machine: lateness is the machine's own"]
fn many_idle_clients_are_woken_on_time() {
    let server = Server::start(DECENT);
    let load = Load { ramp: Duration::from_secs(1), ..load(1000, 2000, 2000) };
    let outcome = run(&server, &load);
    check(&outcome, &load);
    assert!(outcome.lateness.len() > 300, "{}", outcome.lateness.len());
    // Far below the millisecond of epoll's timeout.
    let late = outcome.lateness.value_at_quantile(0.5);
    assert!(late < 500, "half the requests were more than {late} µs late");
}

#[test]
#[ignore = "part of make test-machine: lateness is the machine's own"]
fn due_clients_are_woken_between_answers_that_came_together() {
    let server = Server::start(Behaviour { links: 2000, ..DECENT });
    let load = load(64, 0, 2000);
    let outcome = run(&server, &load);
    check(&outcome, &load);
    // Parsing takes so long that answers queue up for the driver. A client that has an answer sends the next request at
    // once.
    let each = outcome.cpu.as_micros() as u64 / outcome.total().completed;
    let late = outcome.lateness.value_at_quantile(0.5);
    assert!(late < 4 * each, "half the requests were {late} µs late or more, where a page takes {each} µs");
}

/// Answers after random times, and records in microseconds how long each really took.
fn serve_and_note(stream: &TcpStream, noted: &Mutex<Vec<u64>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut random = ChaCha8Rng::seed_from_u64(stream.peer_addr()?.port().into());
    while read_head(&mut reader)?.is_some() {
        let start = Instant::now();
        thread::sleep(Duration::from_millis(20).mul_f64(exponential(&mut random)));
        noted.lock().unwrap().push(start.elapsed().as_micros() as u64);
        answer(stream, "", DECENT)?;
    }
    Ok(())
}

#[test]
#[ignore = "part of make test-machine: how long a wake-up takes is the machine's own"]
fn quantiles_match_those_measured_by_the_server() {
    static NOTED: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let server = Server::start_with(|stream, _| serve_and_note(stream, &NOTED));
    let site = ExternalSite::of_paths("x", &["/".to_owned()], false).unwrap();
    let load = Load { ramp: Duration::ZERO, longest_ramp: Duration::ZERO, ..load(20, 20, 20_000) };
    let target = Target::plain(server.address, "localhost");
    let outcome =
        site.with_users(|users| drive(&target, users, &load, &AtomicBool::new(false), &mut |_| {})).unwrap();
    let mut noted = NOTED.lock().unwrap().clone();
    noted.sort_unstable();
    let service = outcome.service();
    assert!(noted.len() > 5000 && noted.len().abs_diff(service.len() as usize) < 50);
    for quantile in [0.1, 0.5, 0.9, 0.99] {
        let theirs = noted[(quantile * noted.len() as f64) as usize] as f64;
        let ours = service.value_at_quantile(quantile) as f64;
        println!("{quantile}: {ours} µs, of which the server took {theirs} µs");
        assert!((ours - theirs).abs() <= 0.01 * theirs + 50.0, "{quantile}: {ours} µs, not {theirs} µs");
    }
}

#[test]
fn a_large_request_is_sent_in_pieces() {
    // More than the kernel's buffers on both sides hold.
    let hidden = 12 << 20;
    let server = Server::start(Behaviour { hidden, reads_after: Duration::from_millis(100), ..DECENT });
    let load = load(2, 10, 0);
    let outcome = run_until(&server, &Shop::posting(), &load, 2);
    check(&outcome, &load);
    assert!(outcome.interactions[2].total().completed > 0, "{:?}", outcome.total());
}

#[test]
fn an_early_answer_counts_although_the_request_was_not_read() {
    for reads_after in [Duration::ZERO, Duration::from_millis(20)] {
        let server = Server::start(Behaviour { hidden: 5 << 20, answers_early: true, reads_after, ..DECENT });
        let load = load(4, 10, 0);
        let outcome = run_until(&server, &Shop::posting(), &load, 10);
        check(&outcome, &load);
        assert!(outcome.interactions[2].total().completed > 0, "{:?}", outcome.total());
    }
}

/// Treats each connection differently, and most of them wrongly.
fn misbehave(mut stream: &TcpStream, connections: &AtomicU64) -> std::io::Result<()> {
    const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n<a href='Item'/>";
    let number = connections.fetch_add(1, Ordering::SeqCst);
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    stream.peek(&mut [0])?;
    if number.is_multiple_of(8) {
        // Closing with unread data resets the connection.
        return Ok(());
    }
    let mut reader = BufReader::new(stream);
    read_head(&mut reader)?;
    match number % 8 {
        1 => stream.write_all(&PAGE[..30])?,
        2 => stream.write_all(&PAGE[..PAGE.len() - 1])?,
        3 => stream.write_all(b"That's no HTTP.\r\n\r\n")?,
        4 => stream.write_all(&[PAGE, PAGE].concat())?,
        // Longer than a client's timeout.
        5 => thread::sleep(Duration::from_millis(400)),
        6 => {
            stream.write_all(PAGE)?;
            stream.shutdown(std::net::Shutdown::Write)?;
            thread::sleep(Duration::from_millis(50));
        }
        _ => {
            stream.write_all(PAGE)?;
            read_head(&mut reader)?;
            stream.write_all(PAGE)?;
        }
    }
    Ok(())
}

#[test]
fn no_client_is_lost_whatever_the_server_does() {
    let server = Server::start_with(misbehave);
    for think in [0, 20] {
        let load = Load { timeout: Some(Duration::from_millis(300)), ..load(50, think, 2000) };
        let outcome = run(&server, &load);
        is_accounted_for(&outcome, &load);
        let total = outcome.total();
        for kind in [ErrorKind::Timeout, ErrorKind::Closed, ErrorKind::Reset, ErrorKind::Malformed] {
            assert!(total.errors_of(kind) > 0, "{kind}: {total:?}");
        }
        assert!(total.completed > 0, "{total:?}");
        // Whatever else may fail, connections succeed, and each status is 200.
        let others = [ErrorKind::ConnectRefused, ErrorKind::ClientStatus, ErrorKind::ServerStatus];
        assert!(others.iter().all(|kind| total.errors_of(*kind) == 0), "{total:?}");
    }
}

#[test]
fn a_step_of_an_overload_cycle_ends_without_draining() {
    let mute = Server::start_with(|mut stream, _| std::io::copy(&mut stream, &mut std::io::sink()).map(drop));
    let load = Load {
        kind: LoadKind::OverloadStep { clients: 20, think_time_s: 0.1 },
        timeout: None,
        ..load(20, 100, 1000)
    };
    let outcome = run(&mute, &load);
    is_accounted_for(&outcome, &load);
    assert_eq!(outcome.total().requests(), 0);
}

#[test]
fn an_unreachable_server_does_not_end_an_overload_cycle() {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let shop = Shop::new();
    // Longer than any other load tolerates it.
    let load =
        Load { kind: LoadKind::OverloadStep { clients: 20, think_time_s: 0.1 }, ..load(20, 100, 7000) };
    let stop = AtomicBool::new(false);
    let outcome =
        drive(&Target::plain(address, "localhost"), &shop.users(), &load, &stop, &mut |_| {}).unwrap();
    let total = outcome.total();
    assert_eq!((outcome.window, total.errors_of(ErrorKind::ConnectRefused)), (load.window, total.requests()));
    assert!(total.requests() > 0, "{total:?}");
}

#[test]
fn the_stop_flag_ends_the_load() {
    let server = Server::start(DECENT);
    let shop = Shop::new();
    let stop = AtomicBool::new(false);
    let mut reports: Vec<Progress> = Vec::new();
    let mut watch = |progress: Progress| {
        assert!(!stop.load(Ordering::Relaxed), "it goes on: {progress:?}");
        // A second of the window is over, and requests were completed in it.
        let is_under_way = progress.phase == Phase::Measure && progress.throughput > 0.0;
        stop.store(is_under_way && progress.mean_response.is_some(), Ordering::Relaxed);
        reports.push(progress);
    };
    let load = Load { window: HOURS, ..load(10, 100, 0) };
    let outcome =
        drive(&Target::plain(server.address, "localhost"), &shop.users(), &load, &stop, &mut watch).unwrap();
    assert_eq!(outcome.ended, Ended::Stopped);
    is_accounted_for(&outcome, &load);
    let mut phases: Vec<_> = reports.iter().map(|progress| progress.phase).collect();
    phases.dedup();
    assert_eq!(phases, [Phase::Ramp, Phase::Measure]);
}

/// Answers no more requests than it is allowed to.
static MAY_ANSWER: AtomicU64 = AtomicU64::new(0);

fn serve_when_allowed(stream: &TcpStream, requests: &AtomicU64) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some((_, length)) = read_head(&mut reader)? {
        reader.read_exact(&mut vec![0; length])?;
        let number = 1 + requests.fetch_add(1, Ordering::SeqCst);
        while MAY_ANSWER.load(Ordering::SeqCst) < number {
            thread::sleep(Duration::from_millis(1));
        }
        answer(stream, "<a href='Item'>1</a><data class=acknowledged value=1></data>", DECENT)?;
    }
    Ok(())
}

#[test]
fn answers_due_at_the_end_are_awaited() {
    let server = Server::start_with(serve_when_allowed);
    let (shop, stop) = (Shop::new(), AtomicBool::new(false));
    let load = Load { window: HOURS, ..load(10, 0, 0) };
    let mut watch = |progress: Progress| match (progress.phase, server.requests.load(Ordering::SeqCst)) {
        (Phase::Drain, _) => {
            MAY_ANSWER.store(20, Ordering::SeqCst);
            Directive::GoOn
        }
        // All have an answer, and have sent another request.
        (_, 20) => Directive::Enough,
        (_, asked) => {
            MAY_ANSWER.store(asked, Ordering::SeqCst);
            Directive::GoOn
        }
    };
    let outcome =
        drive_until(&Target::plain(server.address, "localhost"), &shop.users(), &load, &stop, &mut watch)
            .unwrap();
    check(&outcome, &load);
    assert_eq!((outcome.total().completed, server.requests.load(Ordering::SeqCst)), (10, 20));
}

#[test]
fn the_error_names_an_unreachable_server() {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let shop = Shop::new();
    let stop = AtomicBool::new(false);
    let load = load(20, 100, 600_000);
    let error =
        drive(&Target::plain(address, "localhost"), &shop.users(), &load, &stop, &mut |_| {}).unwrap_err();
    assert!(matches!(error, EngineError::NothingAnswers { last: ErrorKind::ConnectRefused, .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("nothing answers at {address}: ")), "{error}");
}

#[test]
fn a_single_connection_sends_requests_in_sequence() {
    for behaviour in [DECENT, Behaviour { drops: true, ..DECENT }] {
        let server = Server::start(behaviour);
        let mut connection =
            Connection::open(&Target::plain(server.address, "localhost"), Duration::from_secs(5)).unwrap();
        for _ in 0..3 {
            let page = connection.request(false, Method::Get, "/shop/Item", "").unwrap();
            assert_eq!((page.status, page.header("content-length").is_some()), (200, true));
            assert!(page.body.len() > 100_000);
        }
        assert_eq!(server.requests.load(Ordering::SeqCst), 3);
    }
}

#[test]
fn a_single_connection_reads_an_early_answer() {
    let server = Server::start(Behaviour { answers_early: true, ..DECENT });
    let mut connection =
        Connection::open(&Target::plain(server.address, "localhost"), Duration::from_secs(5)).unwrap();
    for _ in 0..3 {
        let page = connection.request(false, Method::Post, "/shop/Buy", &"x".repeat(12 << 20)).unwrap();
        assert_eq!(page.status, 200);
        // The next one needs a connection of its own, and a GET may be sent twice.
        assert_eq!(connection.request(false, Method::Get, "/shop/Item", "").unwrap().status, 200);
    }
}

#[test]
fn a_single_connection_names_an_unreachable_server() {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let error = Connection::open(&Target::plain(address, "localhost"), Duration::from_secs(5)).unwrap_err();
    assert!(error.to_string().contains(&format!("failed to connect to {address}")), "{error}");
}

#[test]
fn a_single_connection_says_how_long_it_waited_in_vain() {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let target = Target::plain(silent.local_addr().unwrap(), "localhost");
    let mut connection = Connection::open(&target, Duration::from_millis(50)).unwrap();
    let error = connection.request(false, Method::Get, "/shop/Item", "").unwrap_err();
    let source = std::error::Error::source(&error).expect("the wait's error").to_string();
    assert_eq!(source, "nothing within 0.05 s", "{error}");
}
