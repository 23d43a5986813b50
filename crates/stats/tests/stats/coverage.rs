//! Intervals hold the truth as often as they quota, over simulated windows of a closed load whose truth is known.

use crate::closed_queue::{ClosedQueue, Window};
use stats::{batch_means, exact::MachineRepairman, quantile_interval};

const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// How often an interval was given, and how often it held the truth.
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

/// Over so many windows: the throughput's interval, then those of the quantiles.
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

/// Where fewer windows than this have an interval, in %, it counts for all windows how often one misses the truth.
const RARELY: f64 = 10.0;

/// 93 to 97 %, and as much to each side as so many windows scatter.
fn holds_its_promise(name: &str, seconds: usize, windows: u64) {
    let queue = ClosedQueue::named(name, if seconds == 10 { 0.35 } else { 7.0 });
    let (throughput, quantiles) = tallies(&queue, seconds, windows);
    println!("{name:>9} {seconds:>3} s  throughput {:5.1}", throughput.coverage());
    assert!(throughput.holds(), "throughput, {name}, {seconds} s: {}", throughput.coverage());
    for (quantile, tally) in QUANTILES.iter().zip(quantiles) {
        println!("{:>15} p{:<3} {:5.1} ({:.0})", "", quantile * 100.0, tally.coverage(), tally.given());
        let told = format!("p{quantile}, {name}, {seconds} s: {} of {}", tally.coverage(), tally.given());
        assert!(if tally.given() < RARELY { tally.misled() <= 2.0 } else { tally.holds() }, "{told}");
    }
}

#[test]
fn at_low_load() {
    holds_its_promise("low", 60, 500);
}

#[test]
fn near_saturation() {
    holds_its_promise("near", 60, 500);
}

#[test]
fn saturated() {
    holds_its_promise("saturated", 300, 500);
}

#[test]
fn in_a_short_window_with_short_think_times() {
    holds_its_promise("middle", 10, 500);
}

/// The table in the module's documentation.
#[test]
#[ignore = "takes a minute"]
fn everywhere() {
    for seconds in [60, 300, 10] {
        for (name, _) in ClosedQueue::LOADS {
            holds_its_promise(name, seconds, 2000);
        }
    }
}
