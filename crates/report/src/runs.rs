//! Means over several runs at one load, with intervals.

use results::Point;
use stats::Interval;
use std::collections::BTreeMap;

/// Quantiles shown, in the order of [`crate::Peak::quantiles`].
pub(crate) const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// A figure with its 95 % interval, which may be asymmetric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// None where there was too little data.
    pub interval: Option<(f64, f64)>,
}

/// VALID runs of each load, by rising load.
pub(crate) fn valid_loads<'a>(points: &[&'a Point]) -> BTreeMap<u32, Vec<&'a Point>> {
    let mut loads: BTreeMap<u32, Vec<&Point>> = BTreeMap::new();
    for point in points.iter().filter(|point| point.verdict.valid) {
        loads.entry(point.clients).or_default().push(point);
    }
    loads
}

pub(crate) fn mean_throughput(runs: &[&Point]) -> f64 {
    mean(runs, |run| run.throughput)
}

/// The unweighted mean of a figure over runs.
pub(crate) fn mean(runs: &[&Point], figure: impl Fn(&Point) -> f64) -> f64 {
    runs.iter().map(|run| figure(run)).sum::<f64>() / runs.len() as f64
}

/// 95 % interval of the throughput of runs at one load; see [`crate::Peak::interval`].
pub(crate) fn interval(runs: &[&Point]) -> Option<Interval> {
    let within = |run: &Point| {
        run.throughput_half_width.map(|half_width| Interval { mean: run.throughput, half_width })
    };
    match runs {
        [one] => within(one),
        [one, other] => {
            let (one, other) = (within(one)?, within(other)?);
            let mean = (one.mean + other.mean) / 2.0;
            let reach = one.high().max(other.high()) - mean;
            Some(Interval { mean, half_width: reach.max(mean - one.low().min(other.low())) })
        }
        _ => Interval::of_mean(&runs.iter().map(|run| run.throughput).collect::<Vec<_>>()),
    }
}

/// A figure that is not a number where nothing was measured.
pub(crate) fn known(figure: Option<f64>) -> f64 {
    figure.unwrap_or(f64::NAN)
}

/// A quantile of a point, with its interval where recorded; not a number if nothing completed.
pub(crate) fn quantile(point: &Point, quantile: f64) -> Estimate {
    let recorded = point.quantiles.iter().find(|recorded| (recorded.quantile - quantile).abs() < 1e-9);
    match recorded {
        Some(recorded) => Estimate { value: recorded.ms, interval: recorded.interval_ms },
        None => {
            let times = &point.response;
            let value = if quantile < 0.7 {
                times.p50_ms
            } else if quantile < 0.95 {
                times.p90_ms
            } else {
                times.p99_ms
            };
            Estimate { value: known(value), interval: None }
        }
    }
}

/// The same over several runs, with an interval like the throughput's.
pub(crate) fn quantile_of(runs: &[&Point], of: f64) -> Estimate {
    let each: Vec<Estimate> = runs.iter().map(|run| quantile(run, of)).collect();
    let within: Option<Vec<(f64, f64)>> = each.iter().map(|estimate| estimate.interval).collect();
    let values: Vec<f64> = each.iter().map(|estimate| estimate.value).collect();
    estimate(&values, &within.unwrap_or_default())
}

/// The mean of several runs' figures. Its interval comes from their scatter if there are three or more; otherwise it
/// is the hull of the intervals `within` runs.
pub(crate) fn estimate(values: &[f64], within: &[(f64, f64)]) -> Estimate {
    let value = values.iter().sum::<f64>() / values.len() as f64;
    let interval = if values.len() > 2 {
        Interval::of_mean(values).map(|interval| (interval.low().max(0.0), interval.high()))
    } else {
        within.iter().copied().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    Estimate { value, interval }
}
