//! Each fault makes a point INVALID, and for the right reason.

use super::{Auction, QUIET, Trial, failing};
use engine::{Load, LoadKind, Outcome};
use results::{Audit, CheckId, Finding, HostSample};
use simulation::{GeneratorFaults, QueueServer, Reply, VirtualServer};
use std::num::NonZeroU64;
use std::time::Duration;

const NONE: [CheckId; 0] = [];

/// 300 clients for five minutes: about 13,000 requests of real length.
fn trial() -> Trial {
    Trial { crowd: 1000.0, clients: 300, ..Trial::new(7.0, 300) }
}

/// The checks that fail once something has happened to the outcome.
fn after(change: impl FnOnce(&mut Outcome)) -> Vec<CheckId> {
    let auction = Auction::new("bidding");
    let mut outcome = trial().drive(&auction);
    change(&mut outcome);
    failing(&trial().judge(&auction, &outcome))
}

/// The checks that fail with another load than the laboratory believes, and a generator with faults.
fn with(load: &Load, faults: GeneratorFaults) -> Vec<CheckId> {
    let auction = Auction::new("bidding");
    let outcome = trial().drive_with(&auction, &mut trial().server(&auction), load, &faults);
    failing(&trial().judge(&auction, &outcome))
}

#[test]
fn without_a_fault_the_point_is_valid() {
    assert_eq!(after(|_| ()), NONE);
    assert_eq!(with(&trial().load(), GeneratorFaults::default()), NONE);
}

#[test]
fn a_busy_generator_fails_the_check_of_its_cpu() {
    assert_eq!(after(|outcome| outcome.cpu = outcome.window.mul_f64(0.85)), [CheckId::GeneratorCpu]);
}

#[test]
fn a_late_generator_fails_the_check_of_lateness() {
    let late =
        |millis| GeneratorFaults { late_by: Duration::from_millis(millis), ..GeneratorFaults::default() };
    assert_eq!(with(&trial().load(), late(3)), [CheckId::Lateness]);
}

#[test]
fn dropped_sends_fail_their_check() {
    let dropping =
        |one_in| GeneratorFaults { drops_one_in: NonZeroU64::new(one_in), ..GeneratorFaults::default() };
    let failing = with(&trial().load(), dropping(10));
    assert!(failing.contains(&CheckId::DroppedSends), "{failing:?}");
    let failing = with(&trial().load(), dropping(500));
    assert!(failing.contains(&CheckId::DroppedSends), "{failing:?}");
}

#[test]
fn a_biased_row_of_the_matrix_is_found() {
    let auction = Auction::new("bidding");
    // Of a hundred users who look at something, ten go back who should bid.
    let biased =
        Auction::biased(&[("PutBidAuth = 0.520", "PutBidAuth = 0.420"), ("back = 0.230", "back = 0.330")]);
    let outcome = trial().drive(&biased);
    let failing = failing(&trial().judge(&auction, &outcome));
    assert!(failing.contains(&CheckId::Transitions), "{failing:?}");
}

#[test]
fn users_who_begin_elsewhere_than_the_mix_says_are_found() {
    // Sessions a tenth as long as they should be: the mix is drawn from rightly, and yet it is another one.
    let load = Load { session_length: Duration::from_secs(90), ..trial().load() };
    assert_eq!(with(&load, GeneratorFaults::default()), [CheckId::VisitedMix]);
}

#[test]
fn think_times_of_another_mean_are_found() {
    let kind = LoadKind::closed(trial().clients, Duration::from_secs_f64(7.5));
    let load = Load { kind, ..trial().load() };
    let failing = with(&load, GeneratorFaults::default());
    assert_eq!(failing[0], CheckId::ThinkTimesMean);
}

#[test]
fn think_times_of_the_right_mean_that_are_all_the_same_are_found() {
    let constant = |outcome: &mut Outcome| {
        let count = outcome.thinking.len();
        outcome.thinking.reset();
        outcome.thinking.record_n(outcome.think_times.mean().as_micros() as u64, count).unwrap();
    };
    assert_eq!(after(constant), [CheckId::ThinkTimesLaw]);
}

#[test]
fn think_times_of_the_right_mean_that_scatter_too_little_are_found() {
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
    assert_eq!(after(smoothed), [CheckId::ThinkTimesLaw]);
}

#[test]
fn a_lost_client_is_found() {
    let lost = |outcome: &mut Outcome| outcome.accounted -= outcome.window;
    assert_eq!(after(lost), [CheckId::ClientTime]);
}

#[test]
fn interactions_that_are_counted_twice_are_found() {
    let twice = |outcome: &mut Outcome| outcome.response_times.total *= 40;
    assert_eq!(after(twice), [CheckId::ResponseTimeLaw]);
}

#[test]
fn a_step_change_in_the_middle_is_found() {
    let auction = Auction::new("bidding");
    let slower = |trial: Trial, windows: f64, factor: f64| {
        let mut server = trial.server(&auction).slowing_down(trial.instant(windows), factor);
        let outcome = trial.drive_with(&auction, &mut server, &trial.load(), &GeneratorFaults::default());
        failing(&trial.judge(&auction, &outcome))
    };
    let steady = [CheckId::SteadyStateMser5, CheckId::SteadyStateChange];
    // Of a site that is beyond its limit, throughput changes; of one that has time, only the response time does.
    let saturated = Trial { crowd: 300.0, clients: 480, ..Trial::new(7.0, 300) };
    assert!(slower(saturated, 0.5, 1.4).contains(&steady[1]));
    assert_eq!(slower(trial(), 0.7, 2.0), steady[1..]);
    // A change at the beginning alone would be cut.
    assert_eq!(slower(trial(), 0.3, 0.5), steady);
}

#[test]
fn a_site_that_forgets_its_links_is_found() {
    let auction = Auction::new("bidding");
    let mut server = trial().server(&auction).forgetting_links(0.05);
    let outcome = trial().drive_with(&auction, &mut server, &trial().load(), &GeneratorFaults::default());
    let failing = failing(&trial().judge(&auction, &outcome));
    assert!(failing.contains(&CheckId::Fallbacks), "{failing:?}");
}

#[test]
fn too_short_a_warm_up_is_found() {
    let ramp = Duration::from_secs(35);
    let load = Load { ramp, longest_ramp: ramp, ..trial().load() };
    let failing = with(&load, GeneratorFaults::default());
    assert!(failing.contains(&CheckId::WarmUp), "{failing:?}");
}

#[test]
fn missing_answers_are_found() {
    let auction = Auction::new("bidding");
    let (from, until) = (trial().instant(0.2), trial().instant(0.5));
    let mut server = trial().server(&auction).frozen(from, until);
    let outcome = trial().drive_with(&auction, &mut server, &trial().load(), &GeneratorFaults::default());
    let failing = failing(&trial().judge(&auction, &outcome));
    assert_eq!(failing[0], CheckId::Errors);
}

/// Fails with one post in a hundred.
struct Moody {
    site: QueueServer,
    posts: u32,
}

impl VirtualServer for Moody {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let answer = self.site.answer(request, now);
        let is_post = request.starts_with(b"POST");
        self.posts += u32::from(is_post);
        if is_post && self.posts.is_multiple_of(100) {
            return Reply { response: b"HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".to_vec(), ..answer };
        }
        answer
    }
}

#[test]
fn errors_of_the_site_are_found() {
    let auction = Auction::new("bidding");
    let mut server = Moody { site: trial().server(&auction), posts: 0 };
    let outcome = trial().drive_with(&auction, &mut server, &trial().load(), &GeneratorFaults::default());
    assert_eq!(failing(&trial().judge(&auction, &outcome)), [CheckId::Errors]);
}

#[test]
fn steal_is_found() {
    let auction = Auction::new("bidding");
    let outcome = trial().drive(&auction);
    let on = |host| failing(&trial().judge_on(&auction, &outcome, host, None));
    assert_eq!(on(HostSample { steal_cores: 0.03, ..QUIET }), [CheckId::Steal]);
    assert_eq!(on(HostSample { other_processes_cores: 0.12, ..QUIET }), [CheckId::OtherProcesses]);
}

#[test]
fn lost_data_are_found() {
    let auction = Auction::new("bidding");
    let outcome = trial().drive(&auction);
    let finding = |violations| Finding {
        invariant: "bids-rise".to_owned(),
        sentence: "Each bid is higher than the one before.".to_owned(),
        violations,
        examples: Vec::new(),
        seconds: 0.1,
    };
    let audit = |violations| Audit {
        seconds: 0.1,
        findings: vec![finding(violations)],
        accounts: Vec::new(),
        pages: None,
    };
    let on = |audit| failing(&trial().judge_on(&auction, &outcome, QUIET, Some(audit)));
    assert_eq!(on(audit(0)), NONE);
    assert_eq!(on(audit(1)), [CheckId::Audit]);
}
