//! Claims about curves: throughput over clients, or response times over concurrency.
//!
//! Loads of a curve are often measured once, and the seconds of a run don't show the scatter between runs. Peaks do:
//! a load with fewer than three runs is given the uncertainty of as many runs with the scatter of all peaks under the
//! same workload.

use super::{
    evidence::{Evidence, Finding, Verdict, shown},
    pairs::{Expected, pairs},
};
use crate::{Arrival, Curve, Measured, Name, Peak, Ratio, Region, Shape};
use report::CurvePoint;
use stats::{Interval, Scatter};

/// Ratio to the peak's clients from which on a load is past the peak.
const PAST: f64 = 1.25;

/// Largest share of the peak's throughput on the rising part of a curve.
const RISING: f64 = 0.5;

/// Least number of common loads for comparing two curves.
const LEAST_COMMON: usize = 3;

/// Least number of concurrencies for testing response times for a line.
const LEAST_CONCURRENCIES: usize = 6;

const LEAST_RUNS: usize = 3;

/// A load's clients with its throughput.
type LoadFigure = (u32, Interval);

impl<'a> Evidence<'a> {
    pub(super) fn shape(&self, shape: &'a Shape) -> Vec<Finding> {
        match shape.curve {
            Curve::Same => pairs(&shape.of).flat_map(|(one, other)| self.same(one, other)).collect(),
            Curve::Linear => shape.of.iter().map(|name| self.straight(name)).collect(),
            Curve::Falls | Curve::Flat | Curve::LinearThenFlat => {
                shape.of.iter().flat_map(|name| self.alone(name, shape.curve)).collect()
            }
        }
    }

    fn straight(&self, name: &'a Name) -> Finding {
        let here = self.here(name);
        let runs = |measured: &'a Measured| measured.arrived()?.highest();
        let bends: Vec<f64> = match self.of(&self.claim.experiment, name, runs) {
            Ok(runs) => runs.iter().filter_map(bend).collect(),
            Err(reason) => return Finding::untold(reason),
        };
        match Ratio::of_ratios(&bends) {
            Some(ratio) => even(here, ratio),
            None => Finding::untold(format!(
                "whether {here}'s response times rise evenly is not claimed: that takes at least three runs with \
                 {LEAST_CONCURRENCIES} numbers of clients or more"
            )),
        }
    }

    fn alone(&self, name: &'a Name, curve: Curve) -> Vec<Finding> {
        let here = self.here(name);
        let peak = match self.peak(&self.claim.experiment, name) {
            Ok(peak) => peak,
            Err(reason) => return vec![Finding::untold(reason)],
        };
        let loads = self.loads(name);
        match curve {
            Curve::Falls => vec![past(here, peak, &loads, Region::beyond_same(), "falls")],
            Curve::Flat => vec![past(here, peak, &loads, Region::same(), "stays flat")],
            Curve::LinearThenFlat => {
                vec![rise(here, peak, &loads), past(here, peak, &loads, Region::same(), "stays flat")]
            }
            Curve::Same | Curve::Linear => Vec::new(),
        }
    }

    /// The loads of a curve that have an interval.
    fn loads(&self, name: &'a Name) -> Vec<LoadFigure> {
        let measured = self.measured(&self.claim.experiment, name);
        let experiment = self.paper.experiment(&self.claim.experiment);
        let scatter = experiment.and_then(|experiment| self.seen.scatter(&experiment.workload()));
        let place = |load: &CurvePoint| Some((load.clients, of_runs(load, scatter)?));
        match measured {
            Ok(Measured::Searched(searched)) => searched.curve.iter().filter_map(place).collect(),
            Ok(Measured::Arrived(_)) | Err(_) => Vec::new(),
        }
    }

    fn same(&self, one: &'a Name, other: &'a Name) -> Vec<Finding> {
        let measured = [one, other].map(|name| self.measured(&self.claim.experiment, name));
        if let Some(reason) = measured.into_iter().find_map(Result::err) {
            return vec![Finding::untold(reason)];
        }
        let others = self.loads(other);
        let common = |(clients, interval): LoadFigure| {
            let other = others.iter().find(|(known, _)| *known == clients)?;
            Some((clients, interval, other.1))
        };
        let common: Vec<_> = self.loads(one).into_iter().filter_map(common).collect();
        let names = [one, other].map(|name| self.here(name));
        if common.len() < LEAST_COMMON {
            return vec![Finding::untold(format!(
                "{} and {} were measured at {} common loads, of at least {LEAST_COMMON} that it takes to compare curves",
                names[0],
                names[1],
                common.len()
            ))];
        }
        // Below the peak, clients determine the throughput, so the peaks must be the same too.
        let loads = common.into_iter().map(|(clients, one, other)| at_load(names, clients, one, other));
        loads.chain([self.same_peak(one, other)]).collect()
    }
}

fn of_runs(load: &CurvePoint, scatter: Option<Scatter>) -> Option<Interval> {
    let interval = load.interval?;
    if load.runs >= LEAST_RUNS {
        return Some(interval);
    }
    let relative = scatter.map_or(f64::INFINITY, |scatter| scatter.relative_half_width(load.runs));
    Some(Interval { half_width: interval.half_width.max(relative * interval.mean), ..interval })
}

fn at_load([of, over]: [&str; 2], clients: u32, one: Interval, other: Interval) -> Finding {
    let Some(ratio) = Ratio::of_intervals(one, other) else {
        return Finding::untold(format!("what {of} and {over} do with {clients} clients is too uncertain"));
    };
    let clause =
        format!("with {clients} clients, {of}'s throughput is {} times that of {over}", shown(ratio));
    Expected::Same.of_ratio([of, over].map(|name| format!("{name} at {clients}")), ratio, &clause)
}

fn past(here: &str, peak: &Peak, loads: &[LoadFigure], region: Region, claimed: &str) -> Finding {
    let last = loads.iter().max_by_key(|(clients, _)| *clients);
    let far = |load: &&LoadFigure| f64::from(load.0) >= PAST * f64::from(peak.clients);
    let Some((clients, last)) = last.filter(far) else {
        return Finding::untold(format!(
            "{here} was not driven far enough past its peak: that takes at least {PAST} times its clients"
        ));
    };
    let ratio = Interval::of_mean(&peak.throughputs).and_then(|peak| Ratio::of_intervals(peak, *last));
    let Some(ratio) = ratio else {
        return Finding::untold(format!("{here}'s throughput is too uncertain at its peak or past it"));
    };
    let reason = |verdict| {
        let Region { low, high } = Region::same();
        let judged = match verdict {
            Verdict::Holds => format!("so that it {claimed}"),
            Verdict::NoLongerHolds => format!("which is not how a curve looks that {claimed}"),
            Verdict::CannotBeTold => format!("from which one can't tell whether it {claimed}"),
        };
        format!(
            "{here}'s peak is {} times its throughput with {clients} clients, where {low:.2} to {high:.2} is flat, {judged}",
            shown(ratio)
        )
    };
    let names = [format!("{here} at its peak"), format!("{here} at {clients}")];
    Finding::of_ratio(names, ratio, region, None, reason)
}

fn rise(here: &str, peak: &Peak, loads: &[LoadFigure]) -> Finding {
    let mean = peak.throughputs.iter().sum::<f64>() / peak.throughputs.len() as f64;
    let rising = |load: &&LoadFigure| load.1.mean <= RISING * mean;
    let rising: Vec<&LoadFigure> = loads.iter().filter(rising).collect();
    let (Some(first), Some(last)) = (rising.first(), rising.last().filter(|_| rising.len() > 1)) else {
        return Finding::untold(format!(
            "{here} was measured at fewer than two loads below {RISING} of its peak, from which one could see how it rises"
        ));
    };
    let Some(ratio) = Ratio::of_intervals(per_client(last), per_client(first)) else {
        return Finding::untold(format!("{here}'s throughput below its peak is too uncertain"));
    };
    let (low, high) = (first.0, last.0);
    let clause =
        format!("with {high} clients, {here} does {} times as much for each as with {low}", shown(ratio));
    let names = [high, low].map(|clients| format!("{here} at {clients}, for a client"));
    Expected::Same.of_ratio(names, ratio, &clause)
}

fn per_client((clients, throughput): &LoadFigure) -> Interval {
    let clients = f64::from(*clients);
    Interval { mean: throughput.mean / clients, half_width: throughput.half_width / clients }
}

/// The middle third's mean response time, over that of a straight line between the first and last third.
fn bend(run: &Arrival) -> Option<f64> {
    let points = &run.by_concurrency;
    if points.len() < LEAST_CONCURRENCIES {
        return None;
    }
    let third = points.len() / 3;
    let mean = |points: &[(u32, f64)]| {
        let sum = |value: fn(&(u32, f64)) -> f64| points.iter().map(value).sum::<f64>() / points.len() as f64;
        (sum(|point| f64::from(point.0)), sum(|point| point.1))
    };
    let [first, middle, last] =
        [&points[..third], &points[third..points.len() - third], &points[points.len() - third..]].map(mean);
    let slope = (last.1 - first.1) / (last.0 - first.0);
    let line = first.1 + slope * (middle.0 - first.0);
    Some(middle.1 / line)
}

fn even(here: &str, ratio: Ratio) -> Finding {
    let region = Region::same();
    let reason = |verdict| {
        let Region { low, high } = region;
        let judged = match verdict {
            Verdict::Holds => "so that they rise evenly",
            Verdict::NoLongerHolds => "so that they don't rise evenly",
            Verdict::CannotBeTold => "from which one can't tell whether they rise evenly",
        };
        format!(
            "with half of the clients, {here}'s response times are {} times those on a straight line from few to all, where \
             {low:.2} to {high:.2} is straight, {judged}",
            shown(ratio)
        )
    };
    let names = [format!("{here} with half of the clients"), "a straight line".to_owned()];
    Finding::of_ratio(names, ratio, region, None, reason)
}
