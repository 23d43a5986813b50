//! Coverage of intervals over simulated windows of a closed load with known results.

use crate::closed_queue::{ClosedQueue, Window};
use simulation::exact::MachineRepairman;
use stats::{batch_means, quantile_interval};

const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// Windows with an interval, and of these, those that cover the truth.
#[derive(Clone, Copy, Default)]
struct Tally {
    windows: u32,
    given: u32,
    held: u32,
}

impl Tally {
    fn count(&mut self, truth: f64, interval: Option<(f64, f64)>) {
        self.windows += 1;
        self.given += u32::from(interval.is_some());
        self.held += u32::from(interval.is_some_and(|(low, high)| low <= truth && truth <= high));
    }

    fn percent(part: u32, of: u32) -> f64 {
        100.0 * f64::from(part) / f64::from(of.max(1))
    }

    fn coverage(&self) -> f64 {
        Self::percent(self.held, self.given)
    }

    fn given(&self) -> f64 {
        Self::percent(self.given, self.windows)
    }

    fn holds(&self) -> bool {
        let scatter = 100.0 * (0.05 * 0.95 / f64::from(self.given.max(1))).sqrt();
        (93.0 - scatter..=97.0 + scatter).contains(&self.coverage())
    }

    /// Windows whose interval misses the truth.
    fn misled(&self) -> f64 {
        Self::percent(self.given - self.held, self.windows)
    }
}

/// Tallies over `windows` windows: for the throughput's interval, then for those of the quantiles.
fn tallies(queue: &ClosedQueue, seconds: usize, windows: u64) -> (Tally, [Tally; QUANTILES.len()]) {
    let exact = MachineRepairman::new(queue.clients, queue.think_s, queue.servers, queue.service_s);
    let throughput = exact.means().throughput;
    let quantiles = QUANTILES.map(|quantile| 1e6 * exact.response_quantile(quantile));
    let (mut of_throughput, mut of_quantiles) = (Tally::default(), [Tally::default(); QUANTILES.len()]);
    for seed in 0..windows {
        let Window { completed, responses, before } = queue.window(seconds, seed);
        let interval = batch_means(&completed).map(|interval| (interval.low(), interval.high()));
        of_throughput.count(throughput, interval);
        for ((quantile, truth), tally) in QUANTILES.iter().zip(quantiles).zip(&mut of_quantiles) {
            let interval = quantile_interval(&responses, *quantile, &before);
            tally.count(truth, interval.map(|interval| (interval.low, interval.high)));
        }
    }
    (of_throughput, of_quantiles)
}

/// Percentage of windows with an interval below which misses are counted over all windows.
const RARELY: f64 = 10.0;

/// 93 to 97 %, plus the standard error of `windows` windows to each side.
fn assert_coverage(name: &str, seconds: usize, windows: u64) {
    let queue = ClosedQueue::named(name, if seconds == 10 { 0.35 } else { 7.0 });
    let (throughput, quantiles) = tallies(&queue, seconds, windows);
    println!("{name:>9} {seconds:>3} s  throughput {:5.1}", throughput.coverage());
    assert!(throughput.holds(), "throughput, {name}, {seconds} s: {}", throughput.coverage());
    for (quantile, tally) in QUANTILES.iter().zip(quantiles) {
        println!("{:>15} p{:<3} {:5.1} ({:.0})", "", quantile * 100.0, tally.coverage(), tally.given());
        let description =
            format!("p{quantile}, {name}, {seconds} s: {} of {}", tally.coverage(), tally.given());
        assert!(if tally.given() < RARELY { tally.misled() <= 2.0 } else { tally.holds() }, "{description}");
    }
}

#[test]
fn coverage_at_low_load() {
    assert_coverage("low", 60, 500);
}

#[test]
fn coverage_near_saturation() {
    assert_coverage("near", 60, 500);
}

#[test]
fn coverage_at_saturation() {
    assert_coverage("saturated", 300, 500);
}

#[test]
fn coverage_in_short_windows_with_short_think_times() {
    assert_coverage("middle", 10, 500);
}

/// The table in the module's documentation.
#[test]
#[ignore = "takes a minute"]
fn coverage_in_all_cases() {
    for seconds in [60, 300, 10] {
        for (name, _) in ClosedQueue::LOADS {
            assert_coverage(name, seconds, 2000);
        }
    }
}
