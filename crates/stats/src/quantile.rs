//! Quantiles of response times with their intervals.

use crate::batch_means;

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

/// The interval of a quantile (0.99 for the 99th percentile) of response times, by order statistics: the values at
/// the ranks between which the true quantile lies in 95 % of windows. `seconds` holds the response times of each
/// second of the window as pairs of a value in microseconds and how many had it, ascending; so are the results in
/// microseconds. None where the window is too short, or the quantile too far out for it.
///
/// Response times depend on one another, so the ranks are as far apart as the share of values below the quantile
/// scatters from second to second (Woodruff, "Confidence intervals for medians and other position measures", Journal
/// of the American Statistical Association 47, 1952).
pub fn quantile_interval(seconds: &[Vec<(u32, u32)>], quantile: f64) -> Option<QuantileInterval> {
    let sorted = Sorted::of(seconds)?;
    let value = sorted.at(quantile);
    let excess = |second: &Vec<(u32, u32)>| {
        let below: f64 =
            second.iter().filter(|(of, _)| *of <= value).map(|(_, count)| f64::from(*count)).sum();
        let all: f64 = second.iter().map(|(_, count)| f64::from(*count)).sum();
        below - quantile * all
    };
    let excesses: Vec<f64> = seconds.iter().map(excess).collect();
    let scatter = batch_means(&excesses)?.half_width * seconds.len() as f64 / sorted.total;
    let (low, high) = (quantile - scatter, quantile + scatter);
    let inside = low * sorted.total >= 1.0 && (1.0 - high) * sorted.total >= 1.0;
    let end = |share| f64::from(sorted.at(share));
    inside.then(|| QuantileInterval { value: f64::from(value), low: end(low), high: end(high) })
}

/// All values of a window, ascending, with how many there are up to each.
struct Sorted {
    cumulated: Vec<(u32, f64)>,
    total: f64,
}

impl Sorted {
    /// None if there are no values.
    fn of(seconds: &[Vec<(u32, u32)>]) -> Option<Self> {
        let mut values: Vec<(u32, u32)> = seconds.iter().flatten().copied().collect();
        values.sort_unstable();
        let mut total = 0.0;
        let sums = values.into_iter().map(|(value, count)| {
            total += f64::from(count);
            (value, total)
        });
        let cumulated = sums.collect();
        (total > 0.0).then_some(Self { cumulated, total })
    }

    /// The lowest value that at least this share of all doesn't exceed.
    fn at(&self, share: f64) -> u32 {
        let rank = share * self.total;
        let place = self.cumulated.partition_point(|(_, up_to)| *up_to < rank);
        self.cumulated[place.min(self.cumulated.len() - 1)].0
    }
}
