//! The share of faultless points that are INVALID: at most one in a hundred, at every length of window, whether the site is
//! idle, near its limit, or beyond it.

use super::{Auction, Trial, failing};
use results::CheckId;
use std::collections::BTreeMap;

const WINDOWS_S: [u64; 5] = [10, 30, 60, 300, 1800];
const THINK_TIMES_S: [f64; 2] = [7.0, 0.35];
/// Clients as a share of those at which the site has no rest.
const LOADS: [(&str, f64); 3] = [("low", 0.3), ("near", 1.0), ("saturated", 1.3)];

/// The verdicts of faultless points.
#[derive(Default)]
struct Tally {
    points: u32,
    invalid: u32,
    /// The failures of each check, with an example.
    checks: BTreeMap<CheckId, (u32, String)>,
}

impl Tally {
    fn count(&mut self, auction: &Auction, trial: &Trial) {
        let point = trial.judge(auction, &trial.drive(auction));
        self.points += 1;
        self.invalid += u32::from(!point.verdict.valid);
        for check in point.verdict.checks.iter().filter(|check| !check.passed) {
            let example = format!("{} ({})", check.figure, check.threshold);
            self.checks.entry(check.id).or_insert((0, example)).0 += 1;
        }
    }

    fn add(&mut self, other: Self) {
        self.points += other.points;
        self.invalid += other.invalid;
        for (id, (count, example)) in other.checks {
            self.checks.entry(id).or_insert((0, example)).0 += count;
        }
    }
}

/// All lengths of window, think times and loads.
fn cells(crowd: f64) -> impl Iterator<Item = (String, Trial)> {
    let all = THINK_TIMES_S.into_iter().flat_map(|think| WINDOWS_S.map(|window| (think, window)));
    let all = all.flat_map(|(think, window)| LOADS.map(|load| (think, window, load)));
    all.map(move |(think, window, (load, share))| {
        let clients = (crowd * share).round() as u32;
        let name = format!("{window:4} s, think {think:4} s, {load:9} ({clients} clients)");
        (name, Trial { crowd, clients, ..Trial::new(think, window) })
    })
}

/// About how many requests a point has.
fn requests_of(trial: &Trial) -> f64 {
    let cycles = trial.window.as_secs_f64() / trial.think_time.as_secs_f64() + 10.0;
    f64::from(trial.clients).min(trial.crowd) * cycles
}

/// Points of a cell: as many as asked for, or as fit into so many requests; none if not even one fits.
fn run(auction: &Auction, trial: Trial, points: u32, requests: f64) -> Tally {
    let points = points.min((requests / requests_of(&trial)) as u32);
    let mut tally = Tally::default();
    for seed in 1..=u64::from(points) {
        tally.count(auction, &Trial { seed: seed * 7919, ..trial });
    }
    tally
}

#[test]
fn faultless_points_are_valid() {
    let auction = Auction::new("bidding");
    let mut all = Tally::default();
    for (_, trial) in cells(20.0) {
        all.add(run(&auction, trial, 20, requests_of(&trial).max(10_000.0)));
    }
    assert!(all.points >= 250, "{}", all.points);
    assert!(100 * all.invalid <= all.points, "{} of {}: {:?}", all.invalid, all.points, all.checks);
}

/// The same with so many points that each kind can be held to the limit by itself. Takes about twenty minutes with
/// `--release`, and prints what it saw. The environment may ask for more points of a kind, for points of more requests
/// in all, and for only the kinds whose name has a text in it.
#[test]
#[ignore = "takes many minutes; make test-all runs it"]
fn each_kind_of_faultless_point_is_valid() {
    let asked = |name: &str| std::env::var(name).ok();
    let number = |name: &str, usual: f64| asked(name).map_or(usual, |text| text.parse().unwrap());
    let (points, requests) = (number("TIERBENCH_POINTS", 1000.0) as u32, number("TIERBENCH_REQUESTS", 5e5));
    let only = asked("TIERBENCH_KIND").unwrap_or_default();
    let mut worst = Vec::new();
    for (mix, crowd) in [("bidding", 20.0), ("bidding", 300.0), ("bidding", 3000.0), ("browsing", 300.0)] {
        let auction = Auction::new(mix);
        for (cell, trial) in cells(crowd) {
            let name = format!("{mix}, {cell}");
            if !name.contains(&only) {
                continue;
            }
            let tally = run(&auction, trial, points, requests);
            let rate = f64::from(tally.invalid) / f64::from(tally.points.max(1));
            println!("{name}: {} of {} INVALID ({:.2} %)", tally.invalid, tally.points, 100.0 * rate);
            for (check, (count, example)) in &tally.checks {
                println!("    {count} × {check}: {example}");
            }
            // Three standard errors above one in a hundred, where few points are affordable.
            if rate > 0.01 + 3.0 * (0.01 / f64::from(tally.points.max(1))).sqrt() {
                worst.push(name);
            }
        }
    }
    assert!(worst.is_empty(), "more than 1 % are INVALID: {worst:?}");
}

#[test]
fn a_faultless_point_says_what_it_was_judged_by() {
    let auction = Auction::new("bidding");
    let trial = Trial::new(7.0, 300);
    let point = trial.judge(&auction, &trial.drive(&auction));
    assert!(failing(&point).is_empty(), "{:?}", failing(&point));
    assert_eq!(point.interactions.iter().map(|figures| figures.expected_share).sum::<f64>().round(), 1.0);
    assert_eq!(point.quantiles.len(), 3);
    for check in &point.verdict.checks {
        println!("{:30} {} | {}", check.id, check.figure, check.threshold);
        assert!(!check.figure.is_empty() && !check.threshold.is_empty(), "{check:?}");
    }
}
