//! Intervals of points hold the truth as often as they promise: from the engine's clients through what it records to
//! the point. Where intervals have few independent responses to go by is told by the tests of `stats`, which simulate
//! more cheaply.

use super::{Auction, Trial};
use simulation::exact::MachineRepairman;

/// In how many of so many points the interval of the throughput and of the median hold the truth, and how many have an
/// interval of the median, all in %.
fn coverage(trial: Trial, points: u64) -> (f64, f64, f64) {
    let auction = Auction::new("bidding");
    let think_s = trial.think_time.as_secs_f64();
    let exact = MachineRepairman::new(trial.clients, think_s, 1, think_s / trial.crowd);
    let (throughput, median_ms) = (exact.means().throughput, exact.response_quantile(0.5) * 1e3);
    let (mut of_throughput, mut of_median, mut given) = (0, 0, 0);
    for seed in 1..=points {
        let trial = Trial { seed, ..trial };
        let point = trial.judge(&auction, &trial.drive(&auction));
        let half_width = point.throughput_half_width.expect("a window of ten seconds or more");
        of_throughput += u32::from((point.throughput - throughput).abs() <= half_width);
        if let Some((low, high)) = point.quantiles[0].interval_ms {
            given += 1;
            of_median += u32::from(low <= median_ms && median_ms <= high);
        }
    }
    let percent = |part: u32, of: u32| 100.0 * f64::from(part) / f64::from(of.max(1));
    (percent(of_throughput, points as u32), percent(of_median, given), percent(given, points as u32))
}

/// 93 to 97 %, and twice as much to each side as so many points scatter. Of the medians, where one point in ten or more
/// has an interval.
fn holds_its_promise(name: &str, trial: Trial, points: u64) {
    let (throughput, median, given) = coverage(trial, points);
    println!("{name}: throughput {throughput:.1} %, median {median:.1} % of the {given:.0} % that have one");
    let is_kept = |coverage: f64, given: f64| {
        let scatter = 2.0 * 100.0 * (0.05 * 0.95 / (points as f64 * given / 100.0)).sqrt();
        (93.0 - scatter..=97.0 + scatter).contains(&coverage)
    };
    assert!(is_kept(throughput, 100.0), "throughput, {name}: {throughput} %");
    assert!(given < 10.0 || is_kept(median, given), "median, {name}: {median} %");
}

#[test]
fn intervals_of_points_hold_the_truth() {
    holds_its_promise("low load", Trial { clients: 40, ..Trial::new(0.35, 10) }, 100);
    holds_its_promise("near saturation", Trial { clients: 95, ..Trial::new(7.0, 60) }, 100);
}

#[test]
#[ignore = "takes a minute"]
fn intervals_of_points_hold_the_truth_in_each_of_500_runs() {
    for (load, clients) in [("low load", 40), ("near saturation", 95), ("saturated", 150)] {
        for (think_s, window_s) in [(7.0, 60), (7.0, 300), (0.35, 10)] {
            let name = format!("{load}, {think_s} s, {window_s} s");
            holds_its_promise(&name, Trial { clients, ..Trial::new(think_s, window_s) }, 500);
        }
    }
}
