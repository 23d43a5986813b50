//! Quantiles of response times with their intervals.
//!
//! Independent responses would put the true quantile between two order statistics whose ranks follow from the
//! binomial distribution. But requests in one queue wait equally long: at saturation, response times are correlated
//! over a think time. So the ranks are those of the *effective* number of independent responses, estimated from the
//! variance over time of the share below the quantile (Woodruff, "Confidence intervals for medians and other position
//! measures", JASA 47, 1952; with exact ranks at the effective number as in Korn and Graubard, "Confidence intervals
//! for proportions with small expected number of positive counts estimated from survey data", Survey Methodology 24,
//! 1998).
//!
//! This variance is estimated by batch means or by an autoregression of the seconds (Heidelberger and Welch, "A
//! spectral method for confidence interval generation and run length control in simulations", CACM 24, 1981, do so with
//! higher orders); the larger estimate counts. Batches of a short window are no longer than the queue's memory, and an
//! autoregression misses a slow change under fast noise.
//!
//! No variance shows what a window is too short to contain. Whether it is too short must not be judged from the window
//! itself: calm windows would pass, and they cover the truth least often. So the seconds before it decide: their
//! throughput and response times give the correlation time of the queue, and the window must contain so many of these
//! that some lie beyond the quantile.
//!
//! Coverage over 2,000 windows of two servers with 100 answers/s together, in % of the windows that have an interval,
//! and in brackets how many have one. Low, middle, near, knee, past and saturated are 0.4, 0.8, 0.95, 1, 1.1 and 1.5
//! times as many clients as could be served without waiting. Plain batch means cover the median at saturation in 73 %
//! (60 s).
//!
//! | think time, window | quantile | low | middle | near | knee | past | saturated |
//! |---|---|---|---|---|---|---|---|
//! | 7 s, 60 s | p50 | 97.0 | 95.8 | 94.2 (73) | 90.6 (6) | – | – |
//! | 7 s, 60 s | p90 | 96.5 | 94.6 (45) | – | – | – | – |
//! | 7 s, 60 s | p99 | 100.0 (2) | – | – | – | – | – |
//! | 7 s, 300 s | p50 | 97.3 | 96.8 | 96.5 | 95.3 | 94.3 | 95.3 |
//! | 7 s, 300 s | p90 | 96.9 | 96.7 | 94.0 (73) | 94.0 (6) | – | – |
//! | 7 s, 300 s | p99 | 96.3 | – | – | – | – | – |
//! | 0.35 s, 10 s | p50 | 96.8 | 95.9 | 96.2 | 95.5 | 95.2 | 94.5 (97) |
//! | 0.35 s, 10 s | p90 | 96.1 | 93.5 (2) | – | – | – | – |
//! | 0.35 s, 10 s | p99 | – | – | – | – | – | – |

use crate::interval::{LEAST_BATCHES, autoregression, of_batches};
use statrs::distribution::{Beta, ContinuousCDF};

/// Correlation times of a window that must lie beyond a quantile, on the side with fewer.
const MEMORIES_BEYOND: f64 = 8.0;

/// Standard errors from the middle to either end of a 95 % interval of known variance.
const NORMAL: f64 = 1.959_964;

/// The probability that the true quantile lies outside on one side.
const TAIL: f64 = 0.025;

/// A quantile with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileInterval {
    pub value: f64,
    /// 95 % interval.
    pub low: f64,
    pub high: f64,
}

/// Observations of a closed load before the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Before {
    /// Mean think time, in seconds.
    pub think_s: f64,
    /// Answers per second.
    pub throughput: f64,
    /// Mean, in seconds.
    pub response_s: f64,
}

impl Before {
    /// The correlation time of the load, in seconds; none if nothing was observed.
    ///
    /// The queue of one server has the correlation time `1 / (√μ - √λ)²` (Morse, "Stochastic properties of waiting
    /// lines", Operations Research 3, 1955), which is `4 λ R²` near saturation, with the mean response time `R`. But
    /// the more clients wait, the fewer arrive: their number returns to its mean within a think time, and shows in
    /// response times one response time later. The rates of both effects add.
    fn memory_s(&self) -> Option<f64> {
        let queue = 4.0 * self.throughput * self.response_s.powi(2);
        let clients = self.think_s + self.response_s;
        (queue > 0.0).then(|| queue * clients / (queue + clients))
    }
}

/// The interval of a quantile (0.99 for the 99th percentile; above 0 and below 1) of response times. `seconds` holds
/// the response times of each second of the window as pairs of a value in microseconds and how many had it; the results
/// are in microseconds, too. None if the window is shorter than ten seconds, or too short for the quantile by what was
/// observed `before` it.
pub fn quantile_interval(
    seconds: &[Vec<(u32, u32)>],
    quantile: f64,
    before: &Before,
) -> Option<QuantileInterval> {
    let responses = Responses::of(seconds)?;
    let memories = responses.total.min(seconds.len() as f64 / before.memory_s()?);
    let is_long_enough = memories * quantile.min(1.0 - quantile) >= MEMORIES_BEYOND;
    let independent = responses.independent(quantile).filter(|_| is_long_enough)?;
    let (low, high) = ranks(independent, quantile);
    let [value, low, high] = [quantile, low, high].map(|share| f64::from(responses.at(share)));
    Some(QuantileInterval { value, low, high })
}

struct Responses<'a> {
    seconds: &'a [Vec<(u32, u32)>],
    /// Each value with the count of values up to it.
    cumulated: Vec<(u32, f64)>,
    total: f64,
}

impl<'a> Responses<'a> {
    /// None without responses.
    fn of(seconds: &'a [Vec<(u32, u32)>]) -> Option<Self> {
        let mut values: Vec<(u32, u32)> = seconds.iter().flatten().copied().collect();
        values.sort_unstable();
        let mut total = 0.0;
        let sums = values.into_iter().map(|(value, count)| {
            total += f64::from(count);
            (value, total)
        });
        let cumulated = sums.collect();
        (total > 0.0).then_some(Self { seconds, cumulated, total })
    }

    /// The lowest value that at least this share of all don't exceed.
    fn at(&self, share: f64) -> u32 {
        let rank = share * self.total;
        let place = self.cumulated.partition_point(|(_, up_to)| *up_to < rank);
        self.cumulated[place.min(self.cumulated.len() - 1)].0
    }

    /// The effective number of independent responses; none if the window is too short.
    fn independent(&self, quantile: f64) -> Option<f64> {
        let value = self.at(quantile);
        let excess = |second: &Vec<(u32, u32)>| {
            let share = |(of, count): &(u32, u32)| f64::from(*count) * (f64::from(*of <= value) - quantile);
            second.iter().map(share).sum::<f64>()
        };
        let excesses: Vec<f64> = self.seconds.iter().map(excess).collect();
        let wider =
            of_batches(&excesses, LEAST_BATCHES)?.half_width.max(autoregression(&excesses)?.half_width);
        let error = wider / NORMAL * excesses.len() as f64 / self.total;
        Some((quantile * (1.0 - quantile) / error.powi(2)).min(self.total))
    }
}

/// The ranks, as shares of that many independent values, between which a quantile lies: the `k`-th of `n` values is
/// below it with the probability of the beta distribution with `k` and `n + 1 - k`. If the quantile may lie beyond the
/// lowest or the highest value, these are the bounds.
fn ranks(independent: f64, quantile: f64) -> (f64, f64) {
    let rank_below_with = |chance: f64| {
        let (mut low, mut high) = (0.0, independent + 1.0);
        while high - low > 1e-6 * independent {
            let rank = (low + high) / 2.0;
            let law = Beta::new(rank, independent + 1.0 - rank).expect("a rank within the values");
            if law.cdf(quantile) > chance { low = rank } else { high = rank }
        }
        low
    };
    // A rank is the middle of its share.
    let share = |rank: f64| (rank - 0.5) / independent;
    let all_lie_above = (1.0 - quantile).powf(independent) > TAIL;
    let all_lie_below = quantile.powf(independent) > TAIL;
    let low = if all_lie_above { 0.0 } else { share(rank_below_with(1.0 - TAIL)) };
    let high = if all_lie_below { 1.0 } else { share(rank_below_with(TAIL)) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A load with a short correlation time.
    const QUICK: Before = Before { think_s: 7.0, throughput: 100.0, response_s: 0.01 };

    #[test]
    fn ranks_are_those_of_the_binomial_distribution() {
        // Conover, Practical Nonparametric Statistics: of 16 values, the 4th and the 13th enclose the median with 97.9
        // %, the 5th and the 12th with 92.3 %.
        let (low, high) = ranks(16.0, 0.5);
        let (low, high) = (low * 16.0 + 0.5, high * 16.0 + 0.5);
        assert!((4.0..5.0).contains(&low) && (12.0..13.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn a_high_quantile_needs_enough_values_beyond_it() {
        let reaches = |independent, quantile| ranks(independent, quantile).1;
        assert!(reaches(5.0, 0.5) == 1.0 && reaches(6.0, 0.5) < 1.0);
        assert!(reaches(35.0, 0.9) == 1.0 && reaches(36.0, 0.9) < 1.0);
        assert!(reaches(367.0, 0.99) == 1.0 && reaches(368.0, 0.99) < 1.0);
        assert_eq!((ranks(5.0, 0.5).0, ranks(5.0, 0.1).0), (0.0, 0.0));
    }

    #[test]
    fn short_and_empty_windows_have_no_interval() {
        let second: Vec<(u32, u32)> = (1..=100).map(|value| (value, 1)).collect();
        assert!(quantile_interval(&vec![second.clone(); 9], 0.5, &QUICK).is_none());
        assert!(quantile_interval(&vec![second; 10], 0.5, &QUICK).is_some());
        assert!(quantile_interval(&vec![Vec::new(); 60], 0.5, &QUICK).is_none());
    }

    #[test]
    fn without_observations_before_the_window_there_is_no_interval() {
        let second: Vec<(u32, u32)> = (1..=100).map(|value| (value, 1)).collect();
        let nothing = Before { think_s: 7.0, throughput: 0.0, response_s: f64::NAN };
        assert!(quantile_interval(&vec![second; 60], 0.5, &nothing).is_none());
    }

    #[test]
    fn higher_quantiles_and_longer_correlation_need_longer_windows() {
        let second: Vec<(u32, u32)> = (1..=100).map(|value| (value, 1)).collect();
        let shortest = |quantile, before: &Before| {
            let is_enough = |length: &usize| {
                quantile_interval(&vec![second.clone(); *length], quantile, before).is_some()
            };
            (10..4000).step_by(10).find(is_enough).unwrap()
        };
        let crowded = Before { response_s: 3.0, ..QUICK };
        let near = Before { response_s: 0.1, ..QUICK };
        assert_eq!([0.5, 0.9, 0.99].map(|quantile| shortest(quantile, &QUICK)), [10, 10, 40]);
        assert_eq!([0.5, 0.9, 0.99].map(|quantile| shortest(quantile, &near)), [50, 210, 2050]);
        assert_eq!([0.5, 0.9].map(|quantile| shortest(quantile, &crowded)), [160, 800]);
    }

    #[test]
    fn the_window_itself_does_not_decide_whether_there_is_an_interval() {
        let calm = vec![vec![(1000, 100)]; 60];
        let drifting: Vec<Vec<(u32, u32)>> = (0..60).map(|second| vec![(1000 + second * 50, 100)]).collect();
        let [calm, drifting] =
            [calm, drifting].map(|window| quantile_interval(&window, 0.5, &QUICK).unwrap());
        assert_eq!((calm.low, calm.high), (1000.0, 1000.0));
        assert_eq!(
            (drifting.low, drifting.high),
            (1000.0, 3950.0),
            "the effective number of responses is too low for more"
        );
    }

    proptest! {
        #[test]
        fn the_value_lies_within_its_interval(
            values in proptest::collection::vec(proptest::collection::vec(1u32..5000, 20..60), 10..40),
            quantile in 0.2f64..0.8)
        {
            let apart: Vec<Vec<(u32, u32)>> =
                values.iter().map(|second| second.iter().flat_map(|value| [(*value, 1); 3]).collect()).collect();
            let counted: Vec<Vec<(u32, u32)>> =
                values.iter().map(|second| second.iter().map(|value| (*value, 3)).collect()).collect();
            let interval = quantile_interval(&apart, quantile, &QUICK);
            prop_assert_eq!(interval, quantile_interval(&counted, quantile, &QUICK));
            if let Some(QuantileInterval { value, low, high }) = interval {
                prop_assert!(low <= value && value <= high);
            }
        }
    }
}
