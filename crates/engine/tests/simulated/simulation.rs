//! Records of clients in virtual time, with and without faults of servers and generators.

use crate::shop::{Shop, load};
use engine::{ErrorKind, How, Load, LoadKind, Outcome};
use proptest::prelude::*;
use simulation::{GeneratorFaults, QueueServer, Reply, VirtualServer, simulate, simulate_with_faults};
use std::{collections::BTreeMap, num::NonZeroU64, ops::Range, time::Duration};
use workload::{InteractionId, Step};

const HOUR: u64 = 3_600_000;
const SERVICE: Duration = Duration::from_millis(50);

fn run(shop: &Shop, load: &Load, server: QueueServer) -> Outcome {
    let mut server = server;
    simulate(&mut server, &shop.users(), load)
}

/// The clients' time in the window is that of the cycles which ended in it, but for its edges.
pub fn adds_up(outcome: &Outcome) {
    let cycles = outcome.think_times.total + outcome.response_times.total;
    assert_eq!(outcome.accounted + outcome.carried_in, cycles + outcome.cut_off);
}

#[test]
fn all_client_time_is_accounted_for() {
    let shop = Shop::new();
    let load = load(50, 1000, HOUR);
    let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 1, SERVICE, 7));
    assert_eq!(outcome.accounted, 50 * load.window);
    adds_up(&outcome);
    let cycle = outcome.response_times.mean() + outcome.think_times.mean();
    let clients = outcome.throughput() * cycle.as_secs_f64();
    assert!((clients / 50.0 - 1.0).abs() < 0.02, "N = X (R + Z) gives {clients}");
    assert_eq!((outcome.intended, outcome.lateness.max()), (outcome.sent, 1));
}

proptest! {
    #[test]
    fn all_time_and_requests_are_accounted_for_wherever_the_window_begins(
        clients in 1..30_u32,
        think in 0..3000_u64,
        ramp in 0..20_000_u64,
        more in 0..60_000_u64,
        warm_requests in 0.0..30.0_f64,
        window in 1..60_000_u64,
        seed in any::<u64>(),
    ) {
        let shop = Shop::new();
        let load = Load {
            ramp: Duration::from_millis(ramp),
            longest_ramp: Duration::from_millis(ramp + more),
            warm_requests,
            timeout: Some(Duration::from_secs(5)),
            seed,
            ..load(clients, think, window)
        };
        let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 1, 2 * SERVICE, seed));
        prop_assert_eq!(outcome.accounted, clients * load.window);
        adds_up(&outcome);
        prop_assert_eq!((outcome.window, outcome.intended), (load.window, outcome.sent));
        let start = outcome.window_start;
        prop_assert_eq!(start.subsec_nanos(), 0);
        prop_assert!(load.ramp <= start && start < load.longest_ramp + Duration::from_secs(1), "{:?}", start);
        let is_warm = outcome.warm_requests >= warm_requests;
        prop_assert!(is_warm || start >= load.longest_ramp, "{} at {:?}", outcome.warm_requests, start);
        // Each think time ends with a request, except for those before a session's first.
        prop_assert!(outcome.intended.abs_diff(outcome.think_times.count) <= u64::from(clients));
        // Intended and done requests of a window differ by those under way at its ends.
        prop_assert!(outcome.intended.abs_diff(outcome.response_times.count) <= u64::from(clients));
        prop_assert_eq!(outcome.visits().iter().sum::<u64>(), outcome.total().requests());
        prop_assert_eq!(outcome.timeline.len(), outcome.latencies.len());
    }
}

#[test]
fn the_window_waits_for_users_of_an_overloaded_server() {
    let shop = Shop::new();
    // Twenty requests a second for 400 users: each makes one in 20 s.
    let load = |warm_requests, longest| Load {
        warm_requests,
        longest_ramp: Duration::from_secs(longest),
        timeout: Some(Duration::from_secs(100)),
        ..load(400, 1000, 60_000)
    };
    let server = || QueueServer::new(&shop.catalogue, 1, SERVICE, 7);
    let warm = run(&shop, &load(10.0, 1000), server());
    let start = warm.window_start.as_secs();
    assert!((190..210).contains(&start), "{start}");
    assert!((10.0..10.1).contains(&warm.warm_requests), "{}", warm.warm_requests);
    let hasty = run(&shop, &load(10.0, 50), server());
    assert_eq!(hasty.window_start, Duration::from_secs(50));
    assert!((2.2..2.8).contains(&hasty.warm_requests), "{}", hasty.warm_requests);
    let careless = run(&shop, &load(0.0, 50), server());
    assert_eq!(careless.window_start, Duration::from_secs(10));
    // Figures cover the window, and the timeline covers the whole load.
    for outcome in [warm, hasty, careless] {
        let in_window: u64 = outcome.window_timeline().map(|second| second.completed).sum();
        assert_eq!((outcome.window_timeline().count(), in_window), (60, outcome.total().completed));
        let ever: u64 = outcome.timeline.iter().map(|second| second.completed).sum();
        let before = outcome.warm_requests * 400.0;
        assert!(ever as f64 >= before + in_window as f64, "{ever}");
    }
}

#[test]
fn response_times_by_second_add_up_to_those_of_the_window() {
    let shop = Shop::new();
    let outcome = run(&shop, &load(50, 1000, HOUR / 4), QueueServer::new(&shop.catalogue, 1, SERVICE, 7));
    let mut all = BTreeMap::new();
    for (second, latencies) in outcome.window_timeline().zip(outcome.window_latencies()) {
        assert!(latencies.values.is_sorted_by(|one, next| one.0 < next.0), "{latencies:?}");
        let counted: u64 = latencies.values.iter().map(|(_, count)| u64::from(*count)).sum();
        assert_eq!(counted, second.completed);
        latencies.values.iter().for_each(|(value, count)| *all.entry(*value).or_insert(0) += count);
    }
    let response = outcome.response();
    for quantile in [0.01, 0.5, 0.9, 0.99, 1.0] {
        let rank = (quantile * response.len() as f64).ceil() as u32;
        let mut observed = 0;
        let reached = all.iter().find(|(_, count)| {
            observed += **count;
            observed >= rank
        });
        let (kept, exact) = (f64::from(*reached.unwrap().0), response.value_at_quantile(quantile) as f64);
        assert!(kept <= exact && exact <= kept * (1.0 + 1.0 / 256.0 + 0.001), "{quantile}: {kept} {exact}");
    }
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
    // Of think times with mean 7 s, a share of exp(-1/7) lasts longer than 1 s. A session ends, and a new connection is
    // opened, once in 900 s.
    let expected = (-1.0_f64 / 7.0).exp() * (1.0 - 7.0 / 900.0);
    let found = outcome.connections.reconnects as f64 / outcome.total().completed as f64;
    assert!((found - expected).abs() < 0.02, "{found}, not {expected}");
    assert_eq!(outcome.connections.races, 0);
}

#[test]
fn sessions_begin_at_their_rate_with_a_new_connection() {
    let shop = Shop::new();
    let load = Load { session_length: Duration::from_secs(60), ..load(50, 1000, HOUR) };
    let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 4, Duration::from_millis(1), 7));
    let starts = outcome.interactions[0].tally(How::Start).completed;
    // A session lasts 60 s and until the next request, which is a mean think time away.
    let expected = 50.0 * 3600.0 / 61.0;
    assert!((starts as f64 / expected - 1.0).abs() < 0.08, "{starts} starts, not {expected}");
    assert_eq!(outcome.connections.opened, starts);
}

#[test]
fn a_freeze_shows_in_full() {
    let shop = Shop::new();
    let load = Load { timeout: Some(Duration::from_secs(60)), ..load(50, 1000, 200_000) };
    let (from, until) = (Duration::from_secs(100), Duration::from_secs(110));
    let server = QueueServer::new(&shop.catalogue, 1, Duration::from_millis(1), 7).frozen(from, until);
    let outcome = run(&shop, &load, server);
    // Each user meets the freeze after a mean think time of 1 s and waits for the other 9 s.
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
fn a_slowdown_shows_from_its_instant_on() {
    let shop = Shop::new();
    let from = Duration::from_secs(100);
    let server = QueueServer::new(&shop.catalogue, 1, SERVICE, 7).slowing_down(from, 4.0);
    let load = Load { timeout: Some(Duration::from_secs(60)), ..load(50, 1000, 290_000) };
    let outcome = run(&shop, &load, server);
    let done = |seconds: Range<usize>| {
        let count = seconds.len() as f64;
        outcome.timeline[seconds].iter().map(|second| second.completed as f64).sum::<f64>() / count
    };
    // Saturated before and after.
    assert!((done(10..100) / 20.0 - 1.0).abs() < 0.1, "{}", done(10..100));
    assert!((done(110..300) / 5.0 - 1.0).abs() < 0.1, "{}", done(110..300));
}

#[test]
fn pages_without_links_send_users_back() {
    let shop = Shop::new();
    let server = || QueueServer::new(&shop.catalogue, 1, Duration::from_millis(1), 7);
    let outcome = run(&shop, &load(50, 1000, HOUR / 4), server().forgetting_links(0.2));
    let fallbacks: u64 = outcome.interactions.iter().map(|i| i.tally(How::Fallback).requests()).sum();
    let share = fallbacks as f64 / outcome.total().requests() as f64;
    // The mix itself goes back from fewer than one page in three, which needs no link.
    assert!((0.15..0.2).contains(&share), "{share}");
    assert_eq!(outcome.total().errors(), 0);
}

#[test]
fn dropped_requests_are_intended_and_not_sent() {
    let shop = Shop::new();
    let load = load(50, 1000, HOUR / 4);
    let faults = GeneratorFaults { drops_one_in: NonZeroU64::new(10), ..GeneratorFaults::default() };
    let mut server = QueueServer::new(&shop.catalogue, 1, Duration::from_millis(1), 7);
    let outcome = simulate_with_faults(&mut server, &shop.users(), &load, &faults);
    let (intended, sent) = (outcome.intended as f64, outcome.sent as f64);
    assert!((sent / intended - 0.9).abs() < 0.001, "{sent} of {intended}");
    // Their users wait until the timeout.
    let total = outcome.total();
    assert!(total.errors().abs_diff(outcome.intended - outcome.sent) <= 50, "{total:?}");
    assert_eq!(total.errors_of(ErrorKind::Timeout), total.errors());
    assert_eq!(outcome.accounted, 50 * load.window);
}

#[test]
fn lateness_is_recorded_and_no_time_is_lost() {
    let shop = Shop::new();
    let load = load(50, 1000, HOUR / 4);
    let late_by = Duration::from_millis(30);
    let faults = GeneratorFaults { late_by, ..GeneratorFaults::default() };
    let mut server = QueueServer::new(&shop.catalogue, 4, Duration::from_millis(1), 7);
    let outcome = simulate_with_faults(&mut server, &shop.users(), &load, &faults);
    assert!(outcome.lateness.min().abs_diff(30_000) < 30 && outcome.lateness.max().abs_diff(30_000) < 30);
    assert!(outcome.response().min() >= 29_950, "{}", outcome.response().min());
    assert_eq!((outcome.intended, outcome.accounted), (outcome.sent, 50 * load.window));
}

#[test]
fn think_times_and_transitions_follow_their_distributions() {
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
    // Four degrees of freedom: the probability of exceeding this is 10⁻⁴.
    assert!(distance < 23.5, "chi-square is {distance}");
    assert_eq!(outcome.transitions.count(InteractionId(0), Step::Back), 0);
    // Every page links to every other, and a user can't go back from the first page: only the mix decides.
    let fallbacks: u64 = outcome.interactions.iter().map(|i| i.tally(How::Fallback).requests()).sum();
    assert_eq!(fallbacks, 0);
}

/// Answers by path with a status, after a while; refuses connections if `refuses`.
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

    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let status = match () {
            () if request.starts_with(b"GET /shop/Item") => self.of_item,
            () if request.starts_with(b"POST /shop/Buy") => self.of_buy,
            () => 200,
        };
        let page = "<a href='Item'>1</a><form action=Buy method=post></form><a href='index.html'>2</a>";
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n", page.len());
        Reply { at: now + self.takes, response: [head.as_str(), page].concat().into_bytes() }
    }
}

fn run_statuses(shop: &Shop, load: &Load, mut server: Statuses) -> Outcome {
    simulate(&mut server, &shop.users(), load)
}

const QUICK: Statuses =
    Statuses { of_item: 200, of_buy: 409, takes: Duration::from_millis(1), refuses: false };

#[test]
fn each_status_has_its_error_kind() {
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
        // An error sends the user back, which is no transition of the mix.
        let fallbacks: u64 = outcome.interactions.iter().map(|i| i.tally(How::Fallback).requests()).sum();
        assert!(fallbacks >= buy.errors() - 10, "{status}: {fallbacks}");
    }
}

#[test]
fn a_timeout_is_an_error_and_its_write_is_in_doubt() {
    let shop = Shop::new();
    let load = Load { timeout: Some(Duration::from_millis(500)), ..load(10, 1000, HOUR / 4) };
    let outcome = run_statuses(&shop, &load, Statuses { takes: Duration::from_millis(501), ..QUICK });
    let total = outcome.total();
    assert_eq!(total.errors_of(ErrorKind::Timeout), total.requests());
    assert_eq!(Some(outcome.response_times.mean()), load.timeout);
    assert!((outcome.accounted.as_secs_f64() / 9000.0 - 1.0).abs() < 0.001);
}

#[test]
fn users_without_a_timeout_wait_for_every_answer() {
    let shop = Shop::new();
    let load = Load { timeout: None, ..load(10, 1000, HOUR / 4) };
    let takes = Duration::from_secs(45);
    let outcome = run_statuses(&shop, &load, Statuses { takes, ..QUICK });
    assert_eq!((outcome.total().errors(), outcome.response_times.mean().as_secs()), (0, takes.as_secs()));
    assert_eq!(outcome.response().max() / 1_000_000, 45);
    assert_eq!(outcome.accounted, 10 * load.window);
}

#[test]
fn writes_under_way_at_the_end_of_a_step_are_in_doubt() {
    let shop = Shop::new();
    let step =
        Load { kind: LoadKind::OverloadStep { clients: 50, think_time_s: 1.0 }, ..load(50, 1000, HOUR / 4) };
    let outcome = run_statuses(&shop, &step, Statuses { takes: Duration::from_secs(5), ..QUICK });
    assert_eq!((outcome.total().errors(), outcome.accounted), (0, 50 * step.window));
    let in_doubt: u64 = outcome.writes.iter().map(|fates| fates.in_doubt).sum();
    assert!((1..=50).contains(&in_doubt), "{in_doubt}");
    let last = (outcome.window_start + outcome.window).as_secs() as usize;
    assert!(outcome.timeline.len() <= last + 1, "{} seconds", outcome.timeline.len());
    // The same load outside a cycle awaits its last answers.
    let alone =
        run_statuses(&shop, &load(50, 1000, HOUR / 4), Statuses { takes: Duration::from_secs(5), ..QUICK });
    assert_eq!(alone.total(), outcome.total());
    assert!(alone.timeline.len() > last + 3 && alone.writes.iter().all(|fates| fates.in_doubt == 0));
}

#[test]
fn users_pause_after_a_refused_connection() {
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
