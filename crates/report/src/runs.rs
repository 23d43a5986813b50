//! Figures of several runs at one load: means, and the intervals that the runs allow.

use results::{Point, ResultReader};
use stats::Interval;
use std::collections::BTreeMap;

/// The quantiles that are shown, in the order of [`crate::Peak::quantiles`].
pub(crate) const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// A figure with the ends of its 95 % interval, which need not lie around it evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The interval's ends; none where too little was seen for one.
    pub interval: Option<(f64, f64)>,
}

/// The VALID runs of each load, from the lowest load up.
pub(crate) fn valid_loads<'a>(points: &[&'a Point]) -> BTreeMap<u32, Vec<&'a Point>> {
    let mut loads: BTreeMap<u32, Vec<&Point>> = BTreeMap::new();
    for point in points.iter().filter(|point| point.verdict.valid) {
        loads.entry(point.clients).or_default().push(point);
    }
    loads
}

/// A load with its throughput, as a curve shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Emulated clients.
    pub clients: u32,
    /// Interactions per second, the mean of all VALID runs.
    pub throughput: f64,
    /// Its 95 % interval, as [`crate::Peak::interval`] is.
    pub interval: Option<Interval>,
    /// How many VALID runs.
    pub runs: usize,
}

/// The curve of a configuration: its VALID loads, from the lowest up.
pub fn curve(result: &ResultReader, configuration: &str) -> Vec<CurvePoint> {
    let points: Vec<&Point> =
        result.points.iter().filter(|point| point.configuration == configuration).collect();
    let load = |(clients, runs): (&u32, &Vec<&Point>)| CurvePoint {
        clients: *clients,
        throughput: mean_throughput(runs),
        interval: interval(runs),
        runs: runs.len(),
    };
    valid_loads(&points).iter().map(load).collect()
}

/// The mean throughput of a load's runs.
pub(crate) fn mean_throughput(runs: &[&Point]) -> f64 {
    mean(runs, |run| run.throughput)
}

/// The mean of a figure over runs, each as long as the other.
pub(crate) fn mean(runs: &[&Point], figure: impl Fn(&Point) -> f64) -> f64 {
    runs.iter().map(|run| figure(run)).sum::<f64>() / runs.len() as f64
}

/// The 95 % interval of the throughput of runs at one load; see [`crate::Peak::interval`].
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

/// A quantile of a point: with its interval where that was recorded.
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
            Estimate { value, interval: None }
        }
    }
}

/// The same of several runs, with an interval like the throughput's.
pub(crate) fn quantile_of(runs: &[&Point], of: f64) -> Estimate {
    let each: Vec<Estimate> = runs.iter().map(|run| quantile(run, of)).collect();
    let within: Option<Vec<(f64, f64)>> = each.iter().map(|estimate| estimate.interval).collect();
    let values: Vec<f64> = each.iter().map(|estimate| estimate.value).collect();
    estimate(&values, &within.unwrap_or_default())
}

/// The mean of several runs' figures. Its interval is from their scatter where there are three and more; otherwise it
/// covers the intervals that they have `within` themselves, if they have.
pub(crate) fn estimate(values: &[f64], within: &[(f64, f64)]) -> Estimate {
    let value = values.iter().sum::<f64>() / values.len() as f64;
    let interval = if values.len() > 2 {
        Interval::of_mean(values).map(|interval| (interval.low().max(0.0), interval.high()))
    } else {
        within.iter().copied().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    Estimate { value, interval }
}
