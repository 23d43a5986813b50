//! The smallest faults that are seen.

use super::{Auction, Trial, failing};
use engine::{Load, LoadKind, Outcome};
use results::CheckId;
use simulation::GeneratorFaults;
use std::num::NonZeroU64;

/// A fault that may be small or large.
struct Fault {
    name: &'static str,
    check: CheckId,
    /// From hard to see to obvious.
    sizes: &'static [f64],
    drive: fn(&Trial, &Auction, f64) -> Outcome,
}

const FAULTS: [Fault; 9] = [
    Fault {
        name: "one of so many requests never sent",
        check: CheckId::DroppedSends,
        sizes: &[2000.0, 800.0, 500.0],
        drive: |trial, auction, size| {
            let drops_one_in = NonZeroU64::new(size as u64);
            let faults = GeneratorFaults { drops_one_in, ..GeneratorFaults::default() };
            trial.drive_with(auction, &mut trial.server(auction), &trial.load(), &faults)
        },
    },
    Fault {
        name: "a step of a row off by so many points",
        check: CheckId::Transitions,
        sizes: &[2.0, 4.0, 6.0, 8.0, 10.0, 15.0],
        drive: |trial, _, size| {
            let [bid, back] = [0.52 - size / 100.0, 0.23 + size / 100.0];
            let (bid, back) = (format!("PutBidAuth = {bid:.3}"), format!("back = {back:.3}"));
            trial.drive(&Auction::biased(&[("PutBidAuth = 0.520", &bid), ("back = 0.230", &back)]))
        },
    },
    Fault {
        name: "sessions so many times as long",
        check: CheckId::VisitedMix,
        sizes: &[0.5, 0.3, 0.2, 0.1],
        drive: |trial, auction, size| {
            let load = Load { session_length: trial.load().session_length.mul_f64(size), ..trial.load() };
            driven(trial, auction, &load)
        },
    },
    Fault {
        name: "think times so many times as long",
        check: CheckId::ThinkTimesMean,
        sizes: &[1.02, 1.03, 1.04, 1.05, 1.07],
        drive: |trial, auction, size| {
            let load = Load {
                kind: LoadKind::closed(trial.clients, trial.think_time.mul_f64(size)),
                ..trial.load()
            };
            driven(trial, auction, &load)
        },
    },
    Fault {
        name: "such a share of think times that are just the mean",
        check: CheckId::ThinkTimesLaw,
        sizes: &[0.02, 0.04, 0.06, 0.1],
        drive: |trial, auction, size| {
            let mut outcome = trial.drive(auction);
            let constant = (outcome.thinking.len() as f64 * size / (1.0 - size)) as u64;
            outcome.thinking.record_n(trial.think_time.as_micros() as u64, constant).unwrap();
            outcome
        },
    },
    Fault {
        name: "throughput falls to such a share in the middle",
        check: CHANGE,
        sizes: &[0.9, 0.85, 0.8, 0.75],
        drive: |trial, auction, size| {
            let crowded = Trial { crowd: f64::from(trial.clients) / 1.5, ..*trial };
            slowed(&crowded, auction, 1.0 / size)
        },
    },
    Fault {
        name: "response time becomes so many times as long in the middle",
        check: CHANGE,
        sizes: &[1.2, 1.3, 1.5, 2.0],
        drive: slowed,
    },
    Fault {
        name: "such a share of pages without links",
        check: CheckId::Fallbacks,
        sizes: &[0.005, 0.01, 0.015, 0.02, 0.03],
        drive: |trial, auction, size| {
            let mut server = trial.server(auction).forgetting_links(size);
            trial.drive_with(auction, &mut server, &trial.load(), &GeneratorFaults::default())
        },
    },
    Fault {
        name: "a ramp of so many think times",
        check: CheckId::WarmUp,
        sizes: &[10.0, 9.5, 9.0, 8.0],
        drive: |trial, auction, size| {
            let ramp = trial.think_time.mul_f64(size);
            driven(trial, auction, &Load { ramp, longest_ramp: ramp, ..trial.load() })
        },
    },
];

const CHANGE: CheckId = CheckId::SteadyStateChange;

fn driven(trial: &Trial, auction: &Auction, load: &Load) -> Outcome {
    trial.drive_with(auction, &mut trial.server(auction), load, &GeneratorFaults::default())
}

/// From the middle of the window on, the site takes so many times as long.
fn slowed(trial: &Trial, auction: &Auction, factor: f64) -> Outcome {
    let mut server = trial.server(auction).slowing_down(trial.instant(0.5), factor);
    trial.drive_with(auction, &mut server, &trial.load(), &GeneratorFaults::default())
}

/// In how many loads of twenty a fault is seen, by its size.
fn seen(fault: &Fault, usual: Trial) -> Vec<usize> {
    let auction = Auction::new("bidding");
    let is_seen = |size: f64, seed: u64| {
        let trial = Trial { seed, ..usual };
        let outcome = (fault.drive)(&trial, &auction, size);
        failing(&trial.judge(&auction, &outcome)).contains(&fault.check)
    };
    fault.sizes.iter().map(|size| (1..=20).filter(|seed| is_seen(*size, *seed)).count()).collect()
}

/// Prints how often each fault is seen: in a point of 13,000 requests, where an obvious one is, and in one of the
/// shortest kind.
#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn obvious_faults_are_seen() {
    let long = Trial { crowd: 1000.0, clients: 300, ..Trial::new(7.0, 300) };
    let short = Trial { crowd: 3000.0, clients: 400, ..Trial::new(0.35, 10) };
    for fault in &FAULTS {
        let [long, short] = [long, short].map(|trial| seen(fault, trial));
        println!(
            "{} {:?} ({}): {long:?} of 20, in ten seconds {short:?}",
            fault.name, fault.sizes, fault.check
        );
        assert!(long.last() >= Some(&16), "{}", fault.name);
    }
}
