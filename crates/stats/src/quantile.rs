//! Quantiles of response times with their intervals.
//!
//! Were responses independent, the true quantile would lie between two order statistics of theirs whose ranks follow
//! from the binomial law. But who waits behind others waits as long as they do: at saturation the queue forgets itself
//! only within a think time. So the ranks are those of the *effective* number of independent responses, known from how
//! much the share below the quantile scatters in time (Woodruff, "Confidence intervals for medians and other position
//! measures", JASA 47, 1952; with exact ranks at the effective number as in Korn and Graubard, "Confidence intervals for
//! proportions with small expected number of positive counts estimated from survey data", Survey Methodology 24, 1998).
//!
//! The scatter is told by batch means or by an autoregression of the seconds (Heidelberger and Welch, "A spectral method
//! for confidence interval generation and run length control in simulations", CACM 24, 1981, do so with higher orders),
//! whichever says more: batches of a short window are no longer than the queue's memory, and an autoregression doesn't
//! see a slow change under quick noise. Where the window holds too few independent responses, there is no interval.
//!
//! Coverage over 2,000 windows of two servers with 100 answers/s together, in % of the windows that have an interval, and in
//! brackets how many have one. Low, middle, near, knee, past and saturated are 0.4, 0.8, 0.95, 1, 1.1 and 1.5 times as
//! many clients as could be served without waiting. Plain batch means hold the median at saturation in 73 % (60 s).
//!
//! | think time, window | quantile | low | middle | near | knee | past | saturated |
//! |---|---|---|---|---|---|---|---|
//! | 7 s, 60 s | p50 | 97.0 | 95.8 | 93.6 (97) | 88.7 (67) | 77.1 (18) | 69.1 (8) |
//! | 7 s, 60 s | p90 | 96.5 | 93.9 (94) | 41.7 (9) | – | – | – |
//! | 7 s, 60 s | p99 | 95.7 (89) | – | – | – | – | – |
//! | 7 s, 300 s | p50 | 97.3 | 96.8 | 96.5 | 95.3 | 94.3 | 95.3 |
//! | 7 s, 300 s | p90 | 96.9 | 96.7 | 94.5 (98) | 93.4 (60) | 81.2 (1) | – |
//! | 7 s, 300 s | p99 | 96.3 | 90.7 (62) | – | – | – | – |
//! | 0.35 s, 10 s | p50 | 96.6 (95) | 95.5 (91) | 95.6 (87) | 94.6 (84) | 93.6 (76) | 91.2 (61) |
//! | 0.35 s, 10 s | p90 | 95.3 (77) | 90.2 (49) | 88.2 (25) | 80.6 (16) | 74.1 (5) | 75.0 (1) |
//! | 0.35 s, 10 s | p99 | – | – | – | – | – | – |
//!
//! Where only some windows have an interval, these are the windows that happen to look calm, so that they hold the
//! truth less often; but nowhere do more than 8 % of all windows have an interval that misses.

use crate::interval::{LEAST_BATCHES, autoregression, of_batches};
use statrs::distribution::{Beta, ContinuousCDF};

/// So many times as many independent responses must be in a window as are the fewest that tell a quantile.
const SPARE: f64 = 1.5;

/// Standard errors from the middle to either end of a 95 % interval, if the error is known.
const NORMAL: f64 = 1.959_964;

/// The chance that the true quantile lies outside on one side.
const TAIL: f64 = 0.025;

/// A quantile with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileInterval {
    /// The quantile of what was seen.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The interval of a quantile (0.99 for the 99th percentile; above 0 and below 1) of response times. `seconds` holds the
/// response times of each second of the window as pairs of a value in microseconds and how many had it; so are the
/// results in microseconds. None where the window is shorter than ten seconds or holds too few independent responses.
pub fn quantile_interval(seconds: &[Vec<(u32, u32)>], quantile: f64) -> Option<QuantileInterval> {
    let responses = Responses::of(seconds)?;
    // Few moments decide a far quantile, and a window without a bad one looks calm. The median sees how calm it was.
    if !is_within(responses.independent(0.5)? / SPARE, quantile) {
        return None;
    }
    let (low, high) = ranks(responses.independent(quantile)?, quantile)?;
    let [value, low, high] = [quantile, low, high].map(|share| f64::from(responses.at(share)));
    Some(QuantileInterval { value, low, high })
}

/// The response times of a window.
struct Responses<'a> {
    seconds: &'a [Vec<(u32, u32)>],
    /// Each value with how many there are up to it.
    cumulated: Vec<(u32, f64)>,
    total: f64,
}

impl<'a> Responses<'a> {
    /// None if there are none.
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

    /// The lowest value that at least this share of all doesn't exceed.
    fn at(&self, share: f64) -> u32 {
        let rank = share * self.total;
        let place = self.cumulated.partition_point(|(_, up_to)| *up_to < rank);
        self.cumulated[place.min(self.cumulated.len() - 1)].0
    }

    /// As many independent responses would tell as much of a quantile; none where the window is too short to say.
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

/// Whether the lowest and the highest of that many independent values lie on either side of a quantile.
fn is_within(independent: f64, quantile: f64) -> bool {
    quantile.max(1.0 - quantile).powf(independent) <= TAIL
}

/// Between which shares of that many independent values a quantile lies: of `n` values the `k`-th is below it with the
/// chance that the beta law with `k` and `n + 1 - k` gives. None where it may lie beyond the lowest or the highest.
fn ranks(independent: f64, quantile: f64) -> Option<(f64, f64)> {
    if !is_within(independent, quantile) {
        return None;
    }
    let rank_below_with = |chance: f64| {
        let (mut low, mut high) = (0.0, independent + 1.0);
        while high - low > 1e-6 * independent {
            let rank = (low + high) / 2.0;
            let law = Beta::new(rank, independent + 1.0 - rank).expect("a rank within the values");
            if law.cdf(quantile) > chance { low = rank } else { high = rank }
        }
        low
    };
    // A rank stands for the middle of its share.
    let share = |rank: f64| (rank - 0.5) / independent;
    Some((share(rank_below_with(1.0 - TAIL)), share(rank_below_with(TAIL))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_are_those_of_the_binomial_law() {
        // Conover, Practical Nonparametric Statistics: of 16 values the 4th and the 13th hold the median with 97.9 %,
        // the 5th and the 12th with 92.3 %.
        let (low, high) = ranks(16.0, 0.5).unwrap();
        let (low, high) = (low * 16.0 + 0.5, high * 16.0 + 0.5);
        assert!((4.0..5.0).contains(&low) && (12.0..13.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn of_a_far_quantile_as_many_values_are_needed_as_make_one_beyond_it_certain() {
        assert!(ranks(5.0, 0.5).is_none() && ranks(6.0, 0.5).is_some());
        assert!(ranks(35.0, 0.9).is_none() && ranks(36.0, 0.9).is_some());
        assert!(ranks(367.0, 0.99).is_none() && ranks(368.0, 0.99).is_some());
    }

    #[test]
    fn a_short_window_or_an_empty_one_has_no_interval() {
        let second: Vec<(u32, u32)> = (1..=100).map(|value| (value, 1)).collect();
        assert!(quantile_interval(&vec![second.clone(); 9], 0.5).is_none());
        assert!(quantile_interval(&vec![second; 10], 0.5).is_some());
        assert!(quantile_interval(&vec![Vec::new(); 60], 0.5).is_none());
    }

    #[test]
    fn a_window_in_which_the_queue_drifts_is_worth_few_responses() {
        let drifting: Vec<Vec<(u32, u32)>> = (0..60).map(|second| vec![(1000 + second * 50, 100)]).collect();
        assert!(quantile_interval(&drifting, 0.5).is_none());
    }

    proptest! {
        #[test]
        fn the_value_lies_within_and_counts_are_as_good_as_repetitions(
            values in proptest::collection::vec(proptest::collection::vec(1u32..5000, 20..60), 10..40),
            quantile in 0.2f64..0.8)
        {
            let apart: Vec<Vec<(u32, u32)>> =
                values.iter().map(|second| second.iter().flat_map(|value| [(*value, 1); 3]).collect()).collect();
            let counted: Vec<Vec<(u32, u32)>> =
                values.iter().map(|second| second.iter().map(|value| (*value, 3)).collect()).collect();
            let interval = quantile_interval(&apart, quantile);
            prop_assert_eq!(interval, quantile_interval(&counted, quantile));
            if let Some(QuantileInterval { value, low, high }) = interval {
                prop_assert!(low <= value && value <= high);
            }
        }
    }
}
