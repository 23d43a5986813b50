//! Claims about curves: throughput over clients, or response times over concurrency.
//!
//! Loads of a curve are often measured once, and the seconds of a run don't show the scatter between runs. Peaks do:
//! a load with fewer than three runs is given the uncertainty of as many runs with the scatter of all peaks under the
//! same workload.

use super::{
    evidence::{Evidence, Finding, Verdict, shown},
    pairs::{Expected, pairs},
};
use crate::{Arrival, Curve, Experiment, Figure, Load, Measured, Name, Ratio, Region, Shape};
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

type LoadFigure<'a> = (&'a Load, Interval);

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
        let past = |region: Region, claimed: &str| self.past(name, peak, &loads, (region, claimed));
        match curve {
            Curve::Falls => vec![past(Region::beyond_same(), "falls")],
            Curve::Flat => vec![past(Region::same(), "stays flat")],
            Curve::LinearThenFlat => {
                vec![rise(here, peak, &loads), past(Region::same(), "stays flat")]
            }
            Curve::Same | Curve::Linear => Vec::new(),
        }
    }

    /// The loads of a curve that have an interval.
    fn loads(&self, name: &'a Name) -> Vec<LoadFigure<'a>> {
        let measured = self.measured(&self.claim.experiment, name);
        let experiment = self.paper.experiment(&self.claim.experiment);
        let scatter = experiment.and_then(|experiment| self.seen.scatter(&experiment.workload()));
        let place = |load: &'a Load| Some((load, of_runs(load, scatter)?));
        measured.map(Measured::loads).unwrap_or_default().iter().filter_map(place).collect()
    }

    /// The ratio of two loads of a configuration: over their starts or, where the servers ran alone, by their intervals.
    fn of_loads(&self, name: &'a Name, [of, over]: [LoadFigure<'a>; 2]) -> Option<Ratio> {
        let workload = self.paper.experiment(&self.claim.experiment).map(Experiment::workload)?;
        let paired =
            self.seen.starts_of_loads(&workload, self.here(name), [of.0, over.0], Figure::Throughput);
        match paired {
            Some((samples, rule)) => Ratio::of_loads(&samples, rule),
            None => Ratio::of_intervals(of.1, over.1),
        }
    }

    fn same(&self, one: &'a Name, other: &'a Name) -> Vec<Finding> {
        let measured = [one, other].map(|name| self.measured(&self.claim.experiment, name));
        if let Some(reason) = measured.into_iter().find_map(Result::err) {
            return vec![Finding::untold(reason)];
        }
        let others = self.loads(other);
        let common = |(load, interval): LoadFigure<'a>| {
            let other = others.iter().find(|(known, _)| known.clients == load.clients)?;
            Some((load.clients, interval, other.1))
        };
        let common: Vec<_> = self.loads(one).into_iter().filter_map(common).collect();
        let names = [one, other].map(|name| self.here(name));
        // Below the peak, clients determine the throughput, so the peaks must be the same too.
        let mut findings: Vec<Finding> = common
            .iter()
            .map(|(clients, one, other)| self.at_load(names, *clients, [*one, *other]))
            .collect();
        findings.push(self.same_peak(one, other));
        if common.len() < LEAST_COMMON {
            findings.push(Finding::untold(format!(
                "{} and {} were measured at {} common loads, of at least {LEAST_COMMON} that it takes to compare curves",
                names[0],
                names[1],
                common.len()
            )));
        }
        findings
    }

    /// Two configurations with so many clients: over common starts or, where the servers ran alone, by their intervals.
    fn at_load(&self, names: [&str; 2], clients: u32, [one, other]: [Interval; 2]) -> Finding {
        let [of, over] = names;
        let workload = self.paper.experiment(&self.claim.experiment).map(Experiment::workload);
        let paired = workload.and_then(|workload| self.seen.starts_at(&workload, names, clients));
        let ratio = match paired {
            Some((samples, rule)) => Ratio::of_starts(&samples, rule),
            None => Ratio::of_intervals(one, other),
        };
        let Some(ratio) = ratio else {
            return Finding::untold(format!(
                "what {of} and {over} do with {clients} clients is too uncertain"
            ));
        };
        let clause =
            format!("with {clients} clients, {of}'s throughput is {} times that of {over}", shown(ratio));
        Expected::Same.of_ratio([of, over].map(|name| format!("{name} at {clients}")), ratio, &clause)
    }

    fn past(
        &self,
        name: &'a Name,
        peak: &'a Load,
        loads: &[LoadFigure<'a>],
        (region, claimed): (Region, &str),
    ) -> Finding {
        let here = self.here(name);
        let last = loads.iter().copied().max_by_key(|(load, _)| load.clients);
        let far = |(load, _): &LoadFigure<'_>| f64::from(load.clients) >= PAST * f64::from(peak.clients);
        let Some(last) = last.filter(far) else {
            return Finding::untold(format!(
                "{here} was not driven far enough past its peak: that takes at least {PAST} times its clients"
            ));
        };
        let ratio = Interval::of_mean(&peak.throughputs)
            .and_then(|throughput| self.of_loads(name, [(peak, throughput), last]));
        let Some(ratio) = ratio else {
            return Finding::untold(format!("{here}'s throughput is too uncertain at its peak or past it"));
        };
        let clients = last.0.clients;
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
}

fn of_runs(load: &Load, scatter: Option<Scatter>) -> Option<Interval> {
    let (interval, runs) = (load.interval?, load.throughputs.len());
    if runs >= LEAST_RUNS {
        return Some(interval);
    }
    let relative = scatter.map_or(f64::INFINITY, |scatter| scatter.relative_half_width(runs));
    Some(Interval { half_width: interval.half_width.max(relative * interval.mean), ..interval })
}

fn rise(here: &str, peak: &Load, loads: &[LoadFigure<'_>]) -> Finding {
    let mean = peak.throughputs.iter().sum::<f64>() / peak.throughputs.len() as f64;
    let rising = |load: &&LoadFigure<'_>| load.1.mean <= RISING * mean;
    let rising: Vec<&LoadFigure<'_>> = loads.iter().filter(rising).collect();
    let (Some(first), Some(last)) = (rising.first(), rising.last().filter(|_| rising.len() > 1)) else {
        return Finding::untold(format!(
            "{here} was measured at fewer than two loads below {RISING} of its peak, from which one could see how it rises"
        ));
    };
    let Some(ratio) = Ratio::of_intervals(per_client(last), per_client(first)) else {
        return Finding::untold(format!("{here}'s throughput below its peak is too uncertain"));
    };
    let (low, high) = (first.0.clients, last.0.clients);
    let clause =
        format!("with {high} clients, {here} does {} times as much for each as with {low}", shown(ratio));
    let names = [high, low].map(|clients| format!("{here} at {clients}, for a client"));
    Expected::Same.of_ratio(names, ratio, &clause)
}

fn per_client((load, throughput): &LoadFigure<'_>) -> Interval {
    let clients = f64::from(load.clients);
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
