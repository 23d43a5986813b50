//! The clients in virtual time, held against what theory says.

mod shop;

use engine::{Answer, ErrorKind, How, Load, Outcome, QueueServer, VirtualServer, simulate};
use shop::{Shop, load};
use std::time::Duration;
use workload::{InteractionId, Step};

const HOUR: u64 = 3_600_000;
const SERVICE: Duration = Duration::from_millis(50);

fn run(shop: &Shop, load: &Load, server: QueueServer) -> Outcome {
    let mut server = server;
    simulate(&mut server, &shop.users(), load)
}

/// Throughput of `clients` users who think for `think` on average, with `servers` exponential servers: the stationary
/// solution of the birth-death process in which the state is the number of users who wait.
fn theory(clients: u32, think: f64, servers: u32, service: f64) -> f64 {
    let mut weight = 1.0;
    let (mut weights, mut served) = (1.0, 0.0);
    for waiting in 1..=clients {
        let busy = f64::from(waiting.min(servers));
        weight *= f64::from(clients - waiting + 1) / think / (busy / service);
        weights += weight;
        served += weight * busy / service;
    }
    served / weights
}

#[test]
fn throughput_is_what_theory_says() {
    let shop = Shop::new();
    for (clients, servers) in [(5, 1), (20, 1), (40, 1), (60, 4), (100, 4)] {
        let load = load(clients, 1000, HOUR);
        let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, servers as usize, SERVICE, 7));
        let expected = theory(clients, 1.0, servers, 0.05);
        let found = outcome.throughput();
        // At 5 clients an hour has 17,000 requests, of which the standard error is below 1 %.
        assert!(
            (found / expected - 1.0).abs() < 0.025,
            "{clients} clients, {servers} servers: {found}, not {expected}"
        );
        let response = f64::from(clients) / expected - 1.0;
        let mean = outcome.response_times.mean().as_secs_f64();
        assert!((mean - response).abs() < 0.03 * (response + 1.0), "response {mean}, not {response}");
        assert_eq!(outcome.total().errors(), 0);
    }
}

#[test]
fn all_client_time_is_accounted_for() {
    let shop = Shop::new();
    let load = load(50, 1000, HOUR);
    let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 1, SERVICE, 7));
    let expected = 50.0 * load.window.as_secs_f64();
    assert!((outcome.accounted.as_secs_f64() / expected - 1.0).abs() < 0.001, "{:?}", outcome.accounted);
    let cycle = outcome.response_times.mean() + outcome.think_times.mean();
    let clients = outcome.throughput() * cycle.as_secs_f64();
    assert!((clients / 50.0 - 1.0).abs() < 0.02, "N = X (R + Z) gives {clients}");
    let seconds: u64 = outcome.window_timeline().iter().map(|second| second.completed).sum();
    assert_eq!(outcome.window_timeline().len(), 3600);
    assert_eq!(seconds, outcome.total().completed);
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let shop = Shop::new();
    let outcome = |seed| {
        let load = Load { seed, ..load(20, 1000, HOUR / 10) };
        let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 1, SERVICE, 7));
        (outcome.writes, outcome.transitions, outcome.timeline, outcome.accounted)
    };
    assert_eq!(outcome(1), outcome(1));
    assert_ne!(outcome(1), outcome(2));
}

#[test]
fn a_server_that_closes_idle_connections_causes_reconnects_and_no_errors() {
    let shop = Shop::new();
    let load = load(20, 7000, HOUR);
    let server = QueueServer::new(&shop.catalogue, 1, SERVICE, 7).closing_idle_after(Duration::from_secs(1));
    let outcome = run(&shop, &load, server);
    assert_eq!(outcome.total().errors(), 0);
    // Of think times with mean 7 s, exp(-1/7) last longer than 1 s. A session's end, which opens a connection of its
    // own, comes once in 900 s.
    let expected = (-1.0_f64 / 7.0).exp() * (1.0 - 7.0 / 900.0);
    let found = outcome.connections.reconnects as f64 / outcome.total().completed as f64;
    assert!((found - expected).abs() < 0.02, "{found}, not {expected}");
    assert_eq!(outcome.connections.races, 0);
}

#[test]
fn sessions_begin_with_a_new_connection_at_the_rate_of_their_law() {
    let shop = Shop::new();
    let load = Load { session_length: Duration::from_secs(60), ..load(50, 1000, HOUR) };
    let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 4, Duration::from_millis(1), 7));
    let starts = outcome.interactions[0].tally(How::Start).completed;
    // A session lasts 60 s and until the request after, which is a mean think time away.
    let expected = 50.0 * 3600.0 / 61.0;
    assert!((starts as f64 / expected - 1.0).abs() < 0.08, "{starts} starts, not {expected}");
    assert_eq!(outcome.connections.opened, starts);
}

#[test]
fn a_frozen_server_shows_in_full() {
    let shop = Shop::new();
    let load = Load { timeout: Duration::from_secs(60), ..load(50, 1000, 200_000) };
    let (from, until) = (Duration::from_secs(100), Duration::from_secs(110));
    let server = QueueServer::new(&shop.catalogue, 1, Duration::from_millis(1), 7).frozen(from, until);
    let outcome = run(&shop, &load, server);
    // Each user runs into the freeze after a mean think time of 1 s and waits for the other 9 s.
    let usual = outcome.total().completed as f64 * 0.00105;
    let waited = outcome.response_times.total.as_secs_f64() - usual;
    assert!((waited - 450.0).abs() < 30.0, "{waited} s");
    let response = outcome.response();
    assert!(response.max() > 9_500_000, "{}", response.max());
    let second = |at: usize| outcome.timeline[at].completed;
    assert!(second(105) == 0 && second(110) >= 50 && second(50) > 20);
    assert!(outcome.timeline[110].p95 > Duration::from_secs(8));
}

#[test]
fn users_think_by_their_law_and_follow_their_mix() {
    let shop = Shop::new();
    let load = load(100, 1000, HOUR);
    let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 4, Duration::from_millis(1), 7));
    for quantile in [0.05, 0.25, 0.5, 0.9, 0.99] {
        let expected = -(1.0_f64 - quantile).ln();
        let found = outcome.thinking.value_at_quantile(quantile) as f64 / 1e6;
        assert!((found / expected - 1.0).abs() < 0.02, "quantile {quantile}: {found}, not {expected}");
    }
    assert_eq!(outcome.thinking.len(), outcome.think_times.count);
    let mut distance = 0.0;
    for from in shop.catalogue.ids() {
        let drawn = outcome.transitions.row_sum(from) as f64;
        for (share, step) in shop.mix.steps(from) {
            let expected = share * drawn;
            distance += (outcome.transitions.count(from, step) as f64 - expected).powi(2) / expected;
        }
    }
    // Four degrees of freedom: chance exceeds this once in ten thousand times.
    assert!(distance < 23.5, "chi-square is {distance}");
    assert_eq!(outcome.transitions.count(InteractionId(0), Step::Back), 0);
    // Every page leads everywhere, and nobody can go back from the first page: nothing but the mix decides.
    let fallbacks: u64 = outcome.interactions.iter().map(|i| i.tally(How::Fallback).requests()).sum();
    assert_eq!(fallbacks, 0);
}

/// Answers by path with a status, after a while; refuses connections if told so.
struct Statuses {
    of_item: u16,
    of_buy: u16,
    takes: Duration,
    refuses: bool,
}

impl VirtualServer for Statuses {
    fn accept(&mut self, _now: Duration) -> Option<Duration> {
        (!self.refuses).then_some(Duration::from_millis(1))
    }

    fn answer(&mut self, request: &[u8], now: Duration) -> Answer {
        let status = match () {
            () if request.starts_with(b"GET /shop/Item") => self.of_item,
            () if request.starts_with(b"POST /shop/Buy") => self.of_buy,
            () => 200,
        };
        let page = "<a href='Item'>1</a><form action=Buy method=post></form><a href='index.html'>2</a>";
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n", page.len());
        Answer { at: now + self.takes, response: [head.as_str(), page].concat().into_bytes() }
    }
}

fn run_statuses(shop: &Shop, load: &Load, mut server: Statuses) -> Outcome {
    simulate(&mut server, &shop.users(), load)
}

const QUICK: Statuses =
    Statuses { of_item: 200, of_buy: 409, takes: Duration::from_millis(1), refuses: false };

#[test]
fn statuses_are_told_apart() {
    let shop = Shop::new();
    let load = load(10, 1000, HOUR / 4);
    let refused = run_statuses(&shop, &load, QUICK);
    let buy = refused.interactions[2].total();
    assert!(buy.refused > 500 && buy.errors() == 0 && buy.completed == 0, "{buy:?}");
    assert!(refused.writes[2].refused >= buy.refused && refused.writes[2].in_doubt == 0);
    for (status, kind, in_doubt) in [
        (404, ErrorKind::ClientStatus, false),
        (500, ErrorKind::ServerStatus, true),
        (302, ErrorKind::UnexpectedPage, true),
        (200, ErrorKind::UnexpectedPage, true),
    ] {
        let outcome = run_statuses(&shop, &load, Statuses { of_buy: status, ..QUICK });
        let buy = outcome.interactions[2].total();
        assert!(buy.errors_of(kind) > 100 && buy.errors() == buy.requests(), "{status}: {buy:?}");
        assert_eq!(outcome.writes[2].in_doubt > 0, in_doubt, "{status}");
        // An error sends the user back, which the mix did not ask for.
        let fallbacks: u64 = outcome.interactions.iter().map(|i| i.tally(How::Fallback).requests()).sum();
        assert!(fallbacks >= buy.errors() - 10, "{status}: {fallbacks}");
    }
}

#[test]
fn what_takes_too_long_fails_and_its_write_is_in_doubt() {
    let shop = Shop::new();
    let load = Load { timeout: Duration::from_millis(500), ..load(10, 1000, HOUR / 4) };
    let outcome = run_statuses(&shop, &load, Statuses { takes: Duration::from_millis(501), ..QUICK });
    let total = outcome.total();
    assert_eq!(total.errors_of(ErrorKind::Timeout), total.requests());
    assert_eq!(outcome.response_times.mean(), load.timeout);
    assert!((outcome.accounted.as_secs_f64() / 9000.0 - 1.0).abs() < 0.001);
}

#[test]
fn users_who_find_the_door_shut_wait_before_they_knock_again() {
    let shop = Shop::new();
    let shut = || Statuses { refuses: true, ..QUICK };
    let outcome = run_statuses(&shop, &load(10, 1000, 100_000), shut());
    let total = outcome.total();
    assert_eq!(total.errors_of(ErrorKind::ConnectRefused), total.requests());
    assert!((900..1100).contains(&total.requests()), "{total:?}");
    // Even users who don't think pause.
    let outcome = run_statuses(&shop, &load(10, 0, 100_000), shut());
    assert!((9_900..=10_010).contains(&outcome.total().requests()), "{:?}", outcome.total());
    assert_eq!(outcome.connections.failed, outcome.total().requests());
}
