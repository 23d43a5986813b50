//! The shards of a load: together they are the load.

use crate::shop::{Shop, load};
use engine::{EngineError, Load, LoadKind, Outcome, Shard};
use proptest::prelude::*;
use simulation::{Reply, VirtualServer, simulate};
use std::collections::BTreeMap;
use std::time::Duration;
use workload::{ArrivalLoad, Spacing};

/// Takes a time for each page that depends on the request alone, and counts the requests.
#[derive(Default)]
struct Site(BTreeMap<Vec<u8>, u64>);

impl VirtualServer for Site {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        *self.0.entry(request.to_owned()).or_default() += 1;
        let takes = 300 + 7919 * request.len() as u64 % 40_000;
        let body = "<a href='Item'>1</a><form action=Buy method=post><input name=bid></form>\
                    <a href='index.html'>2</a><data class=acknowledged value=1></data>";
        let status = if request.len().is_multiple_of(7) { "409 Conflict" } else { "200 OK" };
        let response = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        Reply { at: now + Duration::from_micros(takes), response: response.into_bytes() }
    }
}

fn run(site: &mut Site, load: &Load) -> Outcome {
    simulate(site, &Shop::new().users(), load)
}

/// Drives all shards one after the other, takes each outcome through text, as workers do, and adds them up.
fn run_shards(site: &mut Site, load: &Load, of: u32) -> Outcome {
    let shards = (0..of).map(|index| {
        let outcome = run(site, &Load { shard: Some(Shard { index, of }), ..load.clone() });
        let text = serde_json::to_string(&outcome).unwrap();
        let read: Outcome = serde_json::from_str(&text).unwrap();
        assert_eq!(read, outcome);
        read
    });
    let add = |mut sum: Outcome, shard| {
        sum.add_shard(shard).unwrap();
        sum
    };
    shards.reduce(add).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_shards_of_a_load_send_its_requests_and_add_up_to_its_outcome(
        clients in 1..60_u32,
        of in 1..9_u32,
        think in 20..400_u64,
        seed: u64,
    ) {
        let load = Load { seed, ..load(clients, think, 5000) };
        let [mut whole, mut shards] = [Site::default(), Site::default()];
        let expected = run(&mut whole, &load);
        let found = run_shards(&mut shards, &load, of.min(clients));
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(found.response(), expected.response());
        prop_assert!(whole.0 == shards.0, "other requests were sent");
    }
}

/// The requests of a site with their instants: the click streams of all its users.
#[derive(Default)]
struct Clicks(Vec<(Duration, Vec<u8>)>);

impl VirtualServer for Clicks {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        self.0.push((now, request.to_owned()));
        Site::default().answer(request, now)
    }
}

#[test]
fn the_click_streams_of_800_users_are_the_same_however_many_generators_divide_them() {
    let load = load(800, 1000, 6000);
    let streams = |of: u32| {
        let mut clicks = Clicks::default();
        for index in 0..of {
            simulate(
                &mut clicks,
                &Shop::new().users(),
                &Load { shard: Some(Shard { index, of }), ..load.clone() },
            );
        }
        clicks.0.sort();
        clicks.0
    };
    let whole = streams(1);
    assert!(whole.len() > 3 * 800, "{}", whole.len());
    assert!(streams(2) == whole && streams(4) == whole, "other clicks, or at other instants");
}

#[test]
fn the_shares_of_generators_are_kept_beside_their_sum() {
    let mut shards = [0, 1].map(|index| {
        run(&mut Site::default(), &Load { shard: Some(Shard { index, of: 2 }), ..load(11, 50, 3000) })
    });
    shards[0].driven_by("client");
    shards[1].driven_by("more");
    let [mut sum, more] = shards;
    sum.add_shard(more).unwrap();
    let shares: Vec<_> = sum.generators.iter().map(|one| (one.host.as_str(), one.clients)).collect();
    assert_eq!(shares, [("client", 6), ("more", 5)]);
    let all = |of: fn(&engine::GeneratorShare) -> u64| sum.generators.iter().map(of).sum::<u64>();
    assert_eq!((all(|one| one.intended), all(|one| one.sent)), (sum.intended, sum.sent));
    assert_eq!(all(|one| one.lateness.len()), sum.lateness.len());
}

#[test]
fn the_shards_of_an_open_workload_keep_its_rate() {
    for spacing in [Spacing::Even, Spacing::Poisson] {
        let kind = LoadKind::Rate { per_s: 200.0, spacing, connections: 90 };
        let load = Load { kind, ramp: Duration::from_secs(1), ..load(90, 1, 10_000) };
        let expected = run(&mut Site::default(), &load);
        let found = run_shards(&mut Site::default(), &load, 3);
        // The client that makes a request depends on who is idle; the instant of the request does not.
        assert_eq!((found.intended, found.sent), (expected.intended, expected.sent));
        assert_eq!(found.clients, 90);
    }
}

/// Users who come each 100 ms and stay, or leave after some requests.
fn arriving(requests: Option<u32>, ends_unanswered: bool) -> Load {
    let arrivals = ArrivalLoad {
        model: "simulated".into(),
        clients: 60,
        users: 60,
        every_s: 0.1,
        start: "Home".into(),
        requests,
        think_s: (0.05, 0.4),
        ends_unanswered,
        again: false,
    };
    Load { kind: LoadKind::Arrivals(arrivals), ..load(60, 1, 20_000) }
}

#[test]
fn users_who_arrive_and_leave_are_the_same_however_many_generators_divide_them() {
    for requests in [None, Some(1), Some(5)] {
        let load = arriving(requests, false);
        let expected = run(&mut Site::default(), &load);
        assert_eq!(expected.visitors.len(), 60);
        for of in [2, 3, 7] {
            let found = run_shards(&mut Site::default(), &load, of);
            assert_eq!(found.visitors, expected.visitors, "{requests:?} requests, {of} generators");
            assert_eq!((found.total(), found.window), (expected.total(), expected.window));
            assert_eq!(found.by_concurrency(), expected.by_concurrency());
        }
    }
}

/// A site that answers nobody from its fifth second on.
#[derive(Default)]
struct Failing(Site);

impl VirtualServer for Failing {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let reply = self.0.answer(request, now);
        let late = if now < Duration::from_secs(5) { Duration::ZERO } else { Duration::from_secs(60) };
        Reply { at: reply.at + late, ..reply }
    }
}

#[test]
fn arrivals_that_generators_divide_end_with_the_first_request_of_all_that_has_no_answer() {
    let load = Load { timeout: Some(Duration::from_secs(1)), ..arriving(None, true) };
    let outcome =
        |shard| simulate(&mut Failing::default(), &Shop::new().users(), &Load { shard, ..load.clone() });
    let expected = outcome(None);
    assert!(expected.first_timeout_at() > Some(40), "{:?}", expected.first_timeout_at());
    let shards = (0..3).map(|index| outcome(Some(Shard { index, of: 3 })));
    let mut found = shards
        .reduce(|mut sum, shard| {
            sum.add_shard(shard).unwrap();
            sum
        })
        .unwrap();
    found.end_arrivals_unanswered();
    assert_eq!(found.visitors, expected.visitors);
    assert_eq!(found.first_timeout_at(), expected.first_timeout_at());
}

#[test]
fn shards_whose_windows_differ_are_refused() {
    let shard = |index, ramp| {
        let shard = Some(Shard { index, of: 2 });
        run(&mut Site::default(), &Load { shard, ramp: Duration::from_secs(ramp), ..load(10, 50, 1000) })
    };
    let mut sum = shard(0, 1);
    let refused = sum.add_shard(shard(1, 2));
    assert!(matches!(refused, Err(EngineError::UnequalWindows)), "{refused:?}");
}
