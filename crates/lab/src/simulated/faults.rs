//! Each fault makes a point INVALID, and for the right reason.

use super::{Auction, QUIET, Trial, failing};
use engine::{Answer, GeneratorFaults, Load, Outcome, QueueServer, VirtualServer};
use results::{Audit, Finding, HostSample};
use std::num::NonZeroU64;
use std::time::Duration;

/// 300 clients for five minutes: about 13,000 requests of real length.
fn trial() -> Trial {
    Trial { crowd: 1000.0, clients: 300, ..Trial::new(7.0, 300) }
}

/// The checks that fail once something has happened to the outcome.
fn after(change: impl FnOnce(&mut Outcome)) -> Vec<String> {
    let auction = Auction::new("bidding");
    let mut outcome = trial().drive(&auction);
    change(&mut outcome);
    owned(&failing(&trial().judge(&auction, &outcome)))
}

/// The checks that fail with another load than the laboratory believes, and a generator with faults.
fn with(load: &Load, faults: GeneratorFaults) -> Vec<String> {
    let auction = Auction::new("bidding");
    let outcome = trial().drive_with(&auction, &mut trial().server(&auction), load, &faults);
    owned(&failing(&trial().judge(&auction, &outcome)))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn without_a_fault_the_point_is_valid() {
    assert_eq!(after(|_| ()), [""; 0]);
    assert_eq!(with(&trial().load(), GeneratorFaults::default()), [""; 0]);
}

#[test]
fn a_busy_generator() {
    assert_eq!(after(|outcome| outcome.cpu = outcome.window.mul_f64(0.85)), ["generator CPU"]);
}

#[test]
fn a_generator_that_is_late() {
    let late =
        |millis| GeneratorFaults { late_by: Duration::from_millis(millis), ..GeneratorFaults::default() };
    assert_eq!(with(&trial().load(), late(3)), ["lateness"]);
}

#[test]
fn dropped_sends() {
    let dropping =
        |one_in| GeneratorFaults { drops_one_in: NonZeroU64::new(one_in), ..GeneratorFaults::default() };
    let failing = with(&trial().load(), dropping(10));
    assert!(failing.contains(&"dropped sends".to_owned()), "{failing:?}");
    let failing = with(&trial().load(), dropping(500));
    assert!(failing.contains(&"dropped sends".to_owned()), "{failing:?}");
}

#[test]
fn a_biased_row_of_the_matrix() {
    let auction = Auction::new("bidding");
    // Of a hundred users who look at something, ten go back who should bid.
    let biased =
        Auction::biased(&[("PutBidAuth = 0.520", "PutBidAuth = 0.420"), ("back = 0.230", "back = 0.330")]);
    let outcome = trial().drive(&biased);
    let failing = owned(&failing(&trial().judge(&auction, &outcome)));
    assert!(failing.contains(&"transitions".to_owned()), "{failing:?}");
}

#[test]
fn users_who_begin_elsewhere_than_the_mix_says() {
    // Sessions a tenth as long as they should be: the mix is drawn from rightly, and yet it is another one.
    let load = Load { session_length: Duration::from_secs(90), ..trial().load() };
    assert_eq!(with(&load, GeneratorFaults::default()), ["visited mix"]);
}

#[test]
fn think_times_of_another_mean() {
    let load = Load { think_time: Duration::from_secs_f64(7.5), ..trial().load() };
    let failing = with(&load, GeneratorFaults::default());
    assert_eq!(failing[0], "think times: mean");
}

#[test]
fn think_times_of_the_right_mean_that_are_all_the_same() {
    let constant = |outcome: &mut Outcome| {
        let count = outcome.thinking.len();
        outcome.thinking.reset();
        outcome.thinking.record_n(outcome.think_times.mean().as_micros() as u64, count).unwrap();
    };
    assert_eq!(after(constant), ["think times: law"]);
}

#[test]
fn think_times_of_the_right_mean_that_scatter_too_little() {
    // The middle of two neighbours, as if each user thought in two halves.
    let smoothed = |outcome: &mut Outcome| {
        let times: Vec<u64> = outcome
            .thinking
            .iter_recorded()
            .flat_map(|value| std::iter::repeat_n(value.value_iterated_to(), value.count_at_value() as usize))
            .collect();
        outcome.thinking.reset();
        let half = times.len() / 2;
        for at in 0..times.len() {
            let other = times[(at * 7919 + half) % times.len()];
            outcome.thinking.record((times[at] + other) / 2).unwrap();
        }
    };
    assert_eq!(after(smoothed), ["think times: law"]);
}

#[test]
fn a_client_that_got_lost() {
    let lost = |outcome: &mut Outcome| outcome.accounted -= outcome.window;
    assert_eq!(after(lost), ["client time"]);
}

#[test]
fn interactions_that_are_counted_twice() {
    let twice = |outcome: &mut Outcome| outcome.response_times.total *= 40;
    assert_eq!(after(twice), ["N = X·(R+Z)"]);
}

#[test]
fn a_step_change_in_the_middle() {
    let auction = Auction::new("bidding");
    let slower = |trial: Trial, windows: f64, factor: f64| {
        let mut server = trial.server(&auction).slowing_down(trial.instant(windows), factor);
        let outcome = trial.drive_with(&auction, &mut server, &trial.load(), &GeneratorFaults::default());
        owned(&failing(&trial.judge(&auction, &outcome)))
    };
    let steady = ["steady state: MSER-5", "steady state: change"];
    // Of a site that is beyond its limit, throughput changes; of one that has time, only the response time does.
    let saturated = Trial { crowd: 300.0, clients: 480, ..Trial::new(7.0, 300) };
    assert!(slower(saturated, 0.5, 1.4).contains(&steady[1].to_owned()));
    assert_eq!(slower(trial(), 0.7, 2.0), steady[1..]);
    // What was only the beginning would be cut.
    assert_eq!(slower(trial(), 0.3, 0.5), steady);
}

#[test]
fn a_site_that_forgets_its_links() {
    let auction = Auction::new("bidding");
    let mut server = trial().server(&auction).forgetting_links(0.05);
    let outcome = trial().drive_with(&auction, &mut server, &trial().load(), &GeneratorFaults::default());
    let failing = owned(&failing(&trial().judge(&auction, &outcome)));
    assert!(failing.contains(&"fallbacks".to_owned()), "{failing:?}");
}

#[test]
fn too_short_a_warm_up() {
    let ramp = Duration::from_secs(35);
    let load = Load { ramp, longest_ramp: ramp, ..trial().load() };
    let failing = with(&load, GeneratorFaults::default());
    assert!(failing.contains(&"warm-up".to_owned()), "{failing:?}");
}

#[test]
fn answers_that_do_not_come() {
    let auction = Auction::new("bidding");
    let (from, until) = (trial().instant(0.2), trial().instant(0.5));
    let mut server = trial().server(&auction).frozen(from, until);
    let outcome = trial().drive_with(&auction, &mut server, &trial().load(), &GeneratorFaults::default());
    let failing = owned(&failing(&trial().judge(&auction, &outcome)));
    assert_eq!(failing[0], "errors");
}

/// Fails with one post in a hundred.
struct Moody {
    site: QueueServer,
    posts: u32,
}

impl VirtualServer for Moody {
    fn answer(&mut self, request: &[u8], now: Duration) -> Answer {
        let answer = self.site.answer(request, now);
        let is_post = request.starts_with(b"POST");
        self.posts += u32::from(is_post);
        if is_post && self.posts.is_multiple_of(100) {
            return Answer { response: b"HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".to_vec(), ..answer };
        }
        answer
    }
}

#[test]
fn errors_of_the_site() {
    let auction = Auction::new("bidding");
    let mut server = Moody { site: trial().server(&auction), posts: 0 };
    let outcome = trial().drive_with(&auction, &mut server, &trial().load(), &GeneratorFaults::default());
    assert_eq!(failing(&trial().judge(&auction, &outcome)), ["errors"]);
}

#[test]
fn a_machine_that_is_robbed() {
    let auction = Auction::new("bidding");
    let outcome = trial().drive(&auction);
    let on = |host| owned(&failing(&trial().judge_on(&auction, &outcome, host, None)));
    assert_eq!(on(HostSample { steal_cores: 0.03, ..QUIET }), ["steal"]);
    assert_eq!(on(HostSample { foreign_cores: 0.12, ..QUIET }), ["other processes"]);
}

#[test]
fn data_that_are_lost() {
    let auction = Auction::new("bidding");
    let outcome = trial().drive(&auction);
    let finding = |violations| Finding {
        invariant: "bids-rise".to_owned(),
        sentence: "Each bid is higher than the one before.".to_owned(),
        violations,
        examples: Vec::new(),
        seconds: 0.1,
    };
    let audit =
        |violations| Audit { seconds: 0.1, findings: vec![finding(violations)], accounts: Vec::new() };
    let on = |audit| owned(&failing(&trial().judge_on(&auction, &outcome, QUIET, Some(audit))));
    assert_eq!(on(audit(0)), [""; 0]);
    assert_eq!(on(audit(1)), ["audit"]);
}

/// Prints how often each fault is seen, by its size: in a point of 13,000 requests, and in one of the shortest kind.
#[test]
#[ignore = "prints, and holds nothing"]
fn how_small_a_fault_is_seen() {
    let auction = Auction::new("bidding");
    for usual in [trial(), Trial { crowd: 3000.0, clients: 400, ..Trial::new(0.35, 10) }] {
        println!("{} clients, {:?}, think {:?}", usual.clients, usual.window, usual.think_time);
        for (fault, check, sizes, drive) in FAULTS {
            let seen = sizes.iter().map(|size| {
                let seen = (1..=20).filter(|seed| {
                    let trial = Trial { seed: *seed, ..usual };
                    let outcome = drive(&trial, &auction, *size);
                    failing(&trial.judge(&auction, &outcome)).contains(&check)
                });
                format!("{size}: {} %", 5 * seen.count())
            });
            println!("  {fault} ({check}): {}", seen.collect::<Vec<_>>().join(", "));
        }
    }
}

/// A kind of fault, the check that is to see it, sizes, and what a load with it comes to.
type Fault = (&'static str, &'static str, &'static [f64], fn(&Trial, &Auction, f64) -> Outcome);

const FAULTS: [Fault; 9] = [
    ("one in so many sends dropped", "dropped sends", &[2000.0, 800.0, 500.0], |trial, auction, size| {
        let faults =
            GeneratorFaults { drops_one_in: NonZeroU64::new(size as u64), ..GeneratorFaults::default() };
        trial.drive_with(auction, &mut trial.server(auction), &trial.load(), &faults)
    }),
    ("points of a step of a row", "transitions", &[2.0, 4.0, 6.0, 8.0, 10.0, 15.0], |trial, _, size| {
        let [bid, back] = [0.52 - size / 100.0, 0.23 + size / 100.0];
        let (bid, back) = (format!("PutBidAuth = {bid:.3}"), format!("back = {back:.3}"));
        trial.drive(&Auction::biased(&[("PutBidAuth = 0.520", &bid), ("back = 0.230", &back)]))
    }),
    ("sessions so many times as long", "visited mix", &[0.5, 0.3, 0.2, 0.1, 0.05], |trial, auction, size| {
        let load = Load { session_length: trial.load().session_length.mul_f64(size), ..trial.load() };
        trial.drive_with(auction, &mut trial.server(auction), &load, &GeneratorFaults::default())
    }),
    (
        "think times so many times as long",
        "think times: mean",
        &[1.02, 1.03, 1.04, 1.05],
        |trial, auction, size| {
            let load = Load { think_time: trial.think_time.mul_f64(size), ..trial.load() };
            trial.drive_with(auction, &mut trial.server(auction), &load, &GeneratorFaults::default())
        },
    ),
    (
        "share of think times that are the mean",
        "think times: law",
        &[0.02, 0.04, 0.06, 0.1],
        |trial, auction, size| {
            let mut outcome = trial.drive(auction);
            let constant = (outcome.thinking.len() as f64 * size / (1.0 - size)) as u64;
            outcome.thinking.record_n(trial.think_time.as_micros() as u64, constant).unwrap();
            outcome
        },
    ),
    ("throughput falls to, beyond the limit", STEADY, &[0.9, 0.85, 0.8, 0.7, 0.6], |trial, auction, size| {
        let crowded = Trial { crowd: f64::from(trial.clients) / 1.5, ..*trial };
        let mut server = crowded.server(auction).slowing_down(crowded.instant(0.5), 1.0 / size);
        crowded.drive_with(auction, &mut server, &crowded.load(), &GeneratorFaults::default())
    }),
    ("response time rises to", STEADY, &[1.2, 1.3, 1.5, 2.0], |trial, auction, size| {
        let mut server = trial.server(auction).slowing_down(trial.instant(0.5), size);
        trial.drive_with(auction, &mut server, &trial.load(), &GeneratorFaults::default())
    }),
    (
        "share of pages without links",
        "fallbacks",
        &[0.005, 0.01, 0.015, 0.02, 0.03],
        |trial, auction, size| {
            let mut server = trial.server(auction).forgetting_links(size);
            trial.drive_with(auction, &mut server, &trial.load(), &GeneratorFaults::default())
        },
    ),
    ("ramp of so many think times", "warm-up", &[10.0, 9.5, 9.0, 8.0], |trial, auction, size| {
        let ramp = trial.think_time.mul_f64(size);
        let load = Load { ramp, longest_ramp: ramp, ..trial.load() };
        trial.drive_with(auction, &mut trial.server(auction), &load, &GeneratorFaults::default())
    }),
];

const STEADY: &str = "steady state: change";
