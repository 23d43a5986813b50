//! A configuration's peak, from the points that were measured of it.

use crate::{
    bottleneck::Bottleneck,
    number,
    usage::{Usage, cpu_ms, usage},
};
use results::{InteractionFigures, Manifest, Point, Purpose, ResultReader, Round, Times};
use stats::{Interval, StoppingRule, PeakSearch, Starts};
use std::collections::BTreeMap;

/// The quantiles that are shown, in the order of [`Peak::quantiles`].
pub(crate) const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// A figure with the ends of its 95 % interval, which need not lie around it evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The interval's ends; none where too little was seen for one.
    pub interval: Option<(f64, f64)>,
}

/// The highest load that counts: the one that was found by a search and measured again, or the best of the listed
/// ones. Where there are several VALID runs, all figures are means over them, and counts are sums.
#[derive(Debug, Clone)]
pub struct Peak {
    /// Emulated clients.
    pub clients: u32,
    /// The next VALID loads below and above.
    pub neighbours: (Option<u32>, Option<u32>),
    /// How many VALID runs there are.
    pub runs: usize,
    /// Whether its runs count for a peak. Those of a search alone do not: what wins among many is too good by chance.
    pub confirmed: bool,
    /// Interactions per second.
    pub throughput: f64,
    /// Its 95 % interval. Over three runs and more, from their scatter; of one, from its seconds; of two, whose scatter
    /// says next to nothing, all that either of their intervals covers.
    pub interval: Option<Interval>,
    /// Interactions per second of each run.
    pub throughputs: Vec<f64>,
    /// What was measured in rounds: for each start of the servers, what it comes to over its rounds. Empty where it wasn't.
    pub starts: StartFigures,
    /// Response times.
    pub response: Times,
    /// The response times' median, 90th and 99th percentile in milliseconds, with intervals like the throughput's.
    pub quantiles: [Estimate; 3],
    /// What it took of the machine.
    pub usage: Usage,
    /// CPU milliseconds of all tiers per interaction, of each run.
    pub cpu_ms_of_runs: Vec<f64>,
    /// Interactions that completed.
    pub completed: u64,
    /// Interactions that the site refused by a rule of its business.
    pub refused: u64,
    /// Interactions that failed.
    pub failed: u64,
    /// Figures by interaction.
    pub interactions: Vec<InteractionFigures>,
    /// Whether the peak was really passed.
    pub peak_status: PeakStatus,
    /// What keeps it from being higher.
    pub bottleneck: Bottleneck,
}

/// The figures of each start, to be held against those of others on the same starts.
#[derive(Debug, Clone, PartialEq)]
pub struct StartFigures {
    /// Interactions per second.
    pub throughput: Starts,
    /// CPU milliseconds of all tiers per interaction.
    pub cpu_ms: Starts,
    /// When it was looked at how they compare.
    pub looks: StoppingRule,
}

impl StartFigures {
    fn of(runs: &[&Point], looks: StoppingRule) -> Self {
        let each = |figure| runs.iter().filter_map(|run| run.on_its_start(figure)).collect();
        Self { throughput: each(|round| round.throughput), cpu_ms: each(Round::cpu_ms), looks }
    }
}

impl Default for StartFigures {
    fn default() -> Self {
        Self { throughput: Starts::new(), cpu_ms: Starts::new(), looks: StoppingRule::Fixed }
    }
}

/// Whether more clients would give more than the peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeakStatus {
    /// Of listed loads, or doubled ones, a higher one was VALID and gave no more. After a search for what is between them it
    /// is certain that around the peak doubling the clients gains less than 10 %.
    Passed,
    /// That was not shown, but a host's CPU is used up there, so that more clients can give at most a twentieth more.
    UsedUp,
    /// A search has not shown that with certainty.
    Uncertain,
    /// All higher loads were INVALID.
    InvalidAbove,
    /// No higher load was measured.
    NothingAbove,
}

impl Peak {
    /// Interactions that completed, were refused or failed.
    pub fn attempted(&self) -> u64 {
        self.completed + self.refused + self.failed
    }

    /// What the intervals were taken from, for scatter between runs says more than scatter within them; where there are
    /// none, how many runs there were.
    pub fn source(&self) -> String {
        match (self.interval, self.runs) {
            (None, 1) => "1 run".to_owned(),
            (None, runs) => format!("{runs} runs"),
            (_, 1) => "within 1 run".to_owned(),
            (_, 2) => "within 2 runs".to_owned(),
            (_, runs) => format!("over {runs} runs"),
        }
    }

    /// Between which other loads it stands: `next VALID loads: 800 and 1,131`.
    pub fn surroundings(&self) -> String {
        let clients = |load: u32| number::count(load.into());
        match self.neighbours {
            (Some(below), Some(above)) => {
                format!("next VALID loads: {} and {}", clients(below), clients(above))
            }
            (Some(below), None) => format!("next VALID load: {}, none above", clients(below)),
            (None, Some(above)) => format!("next VALID load: {}, none below", clients(above)),
            (None, None) => "no other VALID load".to_owned(),
        }
    }
}

impl PeakStatus {
    /// Whether more clients would give nothing that matters.
    pub fn is_top(self) -> bool {
        matches!(self, Self::Passed | Self::UsedUp)
    }

    /// In a word or two.
    pub fn label(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::UsedUp => "CPU used up",
            Self::Uncertain => "not certain",
            Self::InvalidAbove => "INVALID above",
            Self::NothingAbove => "not passed",
        }
    }
}

/// The peak of these points, all of one configuration; none if no point is VALID.
pub(crate) fn peak(points: &[&Point], manifest: &Manifest) -> Option<Peak> {
    let found = match manifest.search(points.iter().copied()) {
        None => best(points, |_| true).map(|(clients, runs)| (clients, runs, true)),
        Some(search) => {
            // A search that was broken off has confirmed nothing yet.
            searched(points, &search)
                .or_else(|| best(points, |_| true).map(|(clients, runs)| (clients, runs, false)))
        }
    };
    let (clients, runs, confirmed) = found?;
    let peak_status = peak_status(points, clients, manifest);
    Some(Peak {
        neighbours: neighbours(points, clients),
        ..sum_up(clients, &runs, (confirmed, peak_status), manifest)
    })
}

/// The load with the highest mean throughput and its VALID runs, among the points that count.
fn best<'a>(points: &[&'a Point], counts: impl Fn(&Point) -> bool) -> Option<(u32, Vec<&'a Point>)> {
    let counting: Vec<&Point> = points.iter().copied().filter(|point| counts(point)).collect();
    let higher = |best: &(u32, Vec<&Point>), load: &(u32, Vec<&Point>)| {
        mean_throughput(&load.1) > mean_throughput(&best.1)
    };
    valid_loads(&counting).into_iter().reduce(|best, load| if higher(&best, &load) { load } else { best })
}

/// What the search has found: the runs that confirmed it, and no others, are its peak.
fn searched<'a>(points: &[&'a Point], search: &PeakSearch) -> Option<(u32, Vec<&'a Point>, bool)> {
    let clients = search.peak()?.clients;
    let confirmed = |point: &Point| point.purpose == Purpose::Confirm && point.clients == clients;
    best(points, confirmed).map(|(clients, runs)| (clients, runs, true))
}

fn neighbours(points: &[&Point], clients: u32) -> (Option<u32>, Option<u32>) {
    let loads = valid_loads(points);
    let mut below = loads.range(..clients);
    let mut above = loads.range(clients + 1..);
    (below.next_back().map(|(load, _)| *load), above.next().map(|(load, _)| *load))
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
pub struct Load {
    /// Emulated clients.
    pub clients: u32,
    /// Interactions per second, the mean of all VALID runs.
    pub throughput: f64,
    /// Its 95 % interval, as [`Peak::interval`] is.
    pub interval: Option<Interval>,
    /// How many VALID runs.
    pub runs: usize,
}

/// The curve of a configuration: its VALID loads, from the lowest up.
pub fn curve(result: &ResultReader, configuration: &str) -> Vec<Load> {
    let points: Vec<&Point> =
        result.points.iter().filter(|point| point.configuration == configuration).collect();
    let load = |(clients, runs): (&u32, &Vec<&Point>)| Load {
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

fn peak_status(points: &[&Point], clients: u32, manifest: &Manifest) -> PeakStatus {
    let is_passed = manifest.search(points.iter().copied()).map(|search| search.passed());
    let mut above = points.iter().filter(|point| point.clients > clients).peekable();
    if is_passed == Some(true) {
        PeakStatus::Passed
    } else if above.peek().is_none() {
        PeakStatus::NothingAbove
    } else if !above.any(|point| point.verdict.valid) {
        PeakStatus::InvalidAbove
    } else if is_passed == Some(false) {
        PeakStatus::Uncertain
    } else {
        PeakStatus::Passed
    }
}

/// Of a host's CPU so much may be in use at most where more clients could give more: what an interaction takes of it bounds
/// the throughput, whatever the number of clients (the utilisation law and its asymptote: Denning and Buzen, Computing
/// Surveys 10, 1978). That holds as long as an interaction takes as much with more clients.
const USED_UP: f64 = 0.95;

fn sum_up(
    clients: u32,
    runs: &[&Point],
    (confirmed, peak_status): (bool, PeakStatus),
    manifest: &Manifest,
) -> Peak {
    let usage = usage(runs);
    let is_used_up = usage.hosts.iter().any(|host| !host.tiers.is_empty() && host.cpu_use() >= Some(USED_UP));
    let peak_status =
        if is_used_up && peak_status != PeakStatus::Passed { PeakStatus::UsedUp } else { peak_status };
    Peak {
        clients,
        neighbours: (None, None),
        runs: runs.len(),
        confirmed,
        throughput: mean_throughput(runs),
        interval: interval(runs),
        throughputs: runs.iter().map(|run| run.throughput).collect(),
        starts: StartFigures::of(runs, manifest.looks()),
        response: mean_times(runs.iter().map(|run| (run.response, 1.0))),
        quantiles: QUANTILES.map(|quantile| quantile_of(runs, quantile)),
        cpu_ms_of_runs: runs.iter().map(|run| cpu_ms(run)).collect(),
        completed: runs.iter().map(|run| run.completed).sum(),
        refused: runs.iter().map(|run| run.refused).sum(),
        failed: runs.iter().map(|run| run.failed()).sum(),
        interactions: interactions(runs),
        peak_status,
        bottleneck: usage.bottleneck(manifest.testbed.as_ref()).at(
            clients,
            manifest.think_time_s,
            mean_throughput(runs),
        ),
        usage,
    }
}

/// The 95 % interval of the throughput of runs at one load; see [`Peak::interval`].
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

/// The weighted mean of times; of percentiles too, which is how runs of equal length are commonly summed up.
fn mean_times(times: impl Iterator<Item = (Times, f64)>) -> Times {
    let mut sum = Times::default();
    let mut weights = 0.0;
    for (time, weight) in times {
        sum.mean_ms += weight * time.mean_ms;
        sum.p50_ms += weight * time.p50_ms;
        sum.p90_ms += weight * time.p90_ms;
        sum.p99_ms += weight * time.p99_ms;
        sum.max_ms = sum.max_ms.max(time.max_ms);
        weights += weight;
    }
    if weights > 0.0 {
        for mean in [&mut sum.mean_ms, &mut sum.p50_ms, &mut sum.p90_ms, &mut sum.p99_ms] {
            *mean /= weights;
        }
    }
    sum
}

fn interactions(runs: &[&Point]) -> Vec<InteractionFigures> {
    let mut merged: Vec<InteractionFigures> = Vec::new();
    for interaction in runs.iter().flat_map(|run| &run.interactions) {
        match merged.iter_mut().find(|known| known.name == interaction.name) {
            Some(known) => {
                let both = [&*known, interaction].map(|figures| (figures.response, figures.completed as f64));
                known.response = mean_times(both.into_iter());
                known.completed += interaction.completed;
                known.refused += interaction.refused;
                known.failed += interaction.failed;
            }
            None => merged.push(interaction.clone()),
        }
    }
    let known = runs.len() as f64;
    for interaction in &mut merged {
        let shares = runs.iter().flat_map(|run| &run.interactions);
        let shares = shares.filter(|other| other.name == interaction.name).map(|other| other.expected_share);
        interaction.expected_share = shares.sum::<f64>() / known;
    }
    merged
}
