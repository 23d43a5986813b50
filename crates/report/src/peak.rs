//! A configuration's peak.

use crate::{
    bottleneck::{Bottleneck, CPU_SATURATED},
    curve::{CurvePoint, StartFigures, TierCost},
    number,
    runs::{Estimate, QUANTILES, mean_throughput, quantile_of, valid_loads},
    usage::Usage,
    words::{capitalised, several},
};
use results::{InteractionFigures, Manifest, Point, Purpose, Times};
use stats::{Interval, PeakSearch};
use std::collections::BTreeMap;

/// The highest load that counts: the result of a search, measured again, or the best of the listed loads. Over
/// several VALID runs, figures are means and counts are sums.
#[derive(Debug, Clone)]
pub struct Peak {
    pub clients: u32,
    /// The next VALID loads below and above.
    pub neighbours: (Option<u32>, Option<u32>),
    pub runs: usize,
    /// True if its runs count for a peak. Those of a search do not: the winner among many loads is too high by chance
    /// (selection bias).
    pub confirmed: bool,
    pub throughput: f64,
    /// 95 % interval: from three runs on by their scatter; of one run, by its seconds; of two, the hull of both
    /// intervals.
    pub interval: Option<Interval>,
    pub throughputs: Vec<f64>,
    /// Means over the rounds of each start; empty where nothing was measured in rounds.
    pub starts: StartFigures,
    pub response: Times,
    /// Median, 90th and 99th percentile of response times in milliseconds, with intervals like the throughput's.
    pub quantiles: [Estimate; 3],
    /// Session starts per second, where users have sessions.
    pub sessions_per_s: Option<f64>,
    pub usage: Usage,
    /// Of all tiers.
    pub cost: TierCost,
    /// By name of the host.
    pub cost_by_host: BTreeMap<String, TierCost>,
    pub completed: u64,
    /// Interactions refused by a business rule.
    pub refused: u64,
    pub failed: u64,
    pub interactions: Vec<InteractionFigures>,
    pub peak_status: PeakStatus,
    /// Factor on throughput from doubling the clients, with its 95 % interval over starts; none without a search.
    pub gain: Option<Interval>,
    pub bottleneck: Bottleneck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeakStatus {
    /// A search has shown that doubling the clients gains less than 10 %, or a higher listed load was VALID and gave
    /// no more.
    Passed,
    /// Not shown by a search, but a host's CPU is saturated: more clients can give at most 8 % more.
    Saturated,
    Uncertain,
    InvalidAbove,
    NothingAbove,
}

impl Peak {
    /// The load without what only a peak has.
    pub fn load(&self) -> CurvePoint {
        CurvePoint {
            clients: self.clients,
            throughputs: self.throughputs.clone(),
            interval: self.interval,
            starts: self.starts.clone(),
            cost: self.cost.clone(),
            cost_by_host: self.cost_by_host.clone(),
            usage: self.usage.clone(),
            bottleneck: self.bottleneck.clone(),
        }
    }

    pub fn attempted(&self) -> u64 {
        self.completed + self.refused + self.failed
    }

    /// The source of the intervals: scatter between runs rather than within them; without intervals, the number of
    /// runs.
    pub fn source(&self) -> String {
        let runs = several(self.runs, "run");
        match (self.interval, self.runs) {
            (None, _) => runs,
            (_, 1 | 2) => format!("within {runs}"),
            _ => format!("over {runs}"),
        }
    }

    /// The bottleneck, the neighbouring loads, and the gain from doubling the clients, a sentence each.
    pub fn why(&self) -> String {
        let parts =
            [Some(self.bottleneck.sentence()), Some(capitalised(&self.surroundings())), self.gain_in_words()];
        parts.into_iter().flatten().map(|part| part + ".").collect::<Vec<_>>().join(" ")
    }

    /// `Passed: twice the clients give 0.97 (0.95 to 0.99) of it`; none where the gain was not measured.
    pub fn gain_in_words(&self) -> Option<String> {
        let gain = self.gain.filter(|gain| gain.half_width.is_finite())?;
        let twice = match self.peak_status {
            PeakStatus::Passed => "Passed: twice",
            _ => "Twice",
        };
        Some(format!(
            "{twice} the clients give {:.2} ({:.2} to {:.2}) of it",
            gain.mean,
            gain.low_of_factor(),
            gain.high()
        ))
    }

    /// The neighbouring loads: `next VALID loads: 800 and 1,131`.
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
    /// True if more clients would give no relevant gain.
    pub fn is_top(self) -> bool {
        matches!(self, Self::Passed | Self::Saturated)
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Saturated => "CPU saturated",
            Self::Uncertain => "not certain",
            Self::InvalidAbove => "INVALID above",
            Self::NothingAbove => "not passed",
        }
    }
}

/// The peak of one configuration's points; none if no point is VALID.
pub(crate) fn peak(points: &[&Point], manifest: &Manifest) -> Option<Peak> {
    let found = match manifest.search(points.iter().copied()) {
        None => best(points, |_| true).map(|(clients, runs)| (clients, runs, true)),
        Some(search) => {
            // A search that was broken off has confirmed nothing.
            searched(points, &search)
                .or_else(|| best(points, |_| true).map(|(clients, runs)| (clients, runs, false)))
        }
    };
    let (clients, runs, confirmed) = found?;
    let search = manifest.search(points.iter().copied());
    let peak_status = peak_status(points, clients, search.as_ref().map(PeakSearch::passed));
    Some(Peak {
        neighbours: neighbours(points, clients),
        gain: search.filter(|_| confirmed).and_then(|search| search.gain()),
        ..sum_up(clients, &runs, points, (confirmed, peak_status), manifest)
    })
}

/// The load with the highest mean throughput, and its VALID runs, among the points that count.
fn best<'a>(points: &[&'a Point], counts: impl Fn(&Point) -> bool) -> Option<(u32, Vec<&'a Point>)> {
    let counting: Vec<&Point> = points.iter().copied().filter(|point| counts(point)).collect();
    let higher = |best: &(u32, Vec<&Point>), load: &(u32, Vec<&Point>)| {
        mean_throughput(&load.1) > mean_throughput(&best.1)
    };
    valid_loads(&counting).into_iter().reduce(|best, load| if higher(&best, &load) { load } else { best })
}

/// The peak of a search: the runs that confirmed it, and no others.
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

/// `is_passed` is the search's answer, if there was a search.
fn peak_status(points: &[&Point], clients: u32, is_passed: Option<bool>) -> PeakStatus {
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

fn sum_up(
    clients: u32,
    runs: &[&Point],
    points: &[&Point],
    (confirmed, peak_status): (bool, PeakStatus),
    manifest: &Manifest,
) -> Peak {
    let CurvePoint { throughputs, interval, starts, cost, cost_by_host, usage, bottleneck, .. } =
        CurvePoint::of(clients, runs, points, manifest);
    let is_saturated =
        usage.hosts.iter().any(|host| !host.tiers.is_empty() && host.cpu_use() >= Some(CPU_SATURATED));
    let peak_status = match peak_status {
        PeakStatus::Passed => PeakStatus::Passed,
        _ if is_saturated => PeakStatus::Saturated,
        other => other,
    };
    Peak {
        clients,
        neighbours: (None, None),
        runs: runs.len(),
        confirmed,
        throughput: mean_throughput(runs),
        interval,
        throughputs,
        starts,
        response: mean_times(&runs.iter().map(|run| (run.response, 1.0)).collect::<Vec<_>>()),
        quantiles: QUANTILES.map(|quantile| quantile_of(runs, quantile)),
        sessions_per_s: sessions_per_s(runs),
        cost,
        cost_by_host,
        completed: runs.iter().map(|run| run.completed).sum(),
        refused: runs.iter().map(|run| run.refused).sum(),
        failed: runs.iter().map(|run| run.failed()).sum(),
        interactions: interactions(runs),
        peak_status,
        gain: None,
        bottleneck,
        usage,
    }
}

fn sessions_per_s(runs: &[&Point]) -> Option<f64> {
    let figures: Vec<f64> = runs.iter().map(|run| run.sessions_per_s).collect::<Option<_>>()?;
    Some(figures.iter().sum::<f64>() / figures.len() as f64)
}

/// Weighted mean of times. Percentiles too are commonly averaged over runs of equal length.
fn mean_times(times: &[(Times, f64)]) -> Times {
    let mean = |of: fn(&Times) -> Option<f64>| {
        let measured = || times.iter().filter_map(|(times, weight)| Some((of(times)?, *weight)));
        let weights: f64 = measured().map(|(_, weight)| weight).sum();
        (weights > 0.0).then(|| measured().map(|(time, weight)| weight * time).sum::<f64>() / weights)
    };
    Times {
        mean_ms: mean(|times| times.mean_ms),
        p50_ms: mean(|times| times.p50_ms),
        p90_ms: mean(|times| times.p90_ms),
        p99_ms: mean(|times| times.p99_ms),
        max_ms: times.iter().filter_map(|(times, _)| times.max_ms).reduce(f64::max),
    }
}

fn interactions(runs: &[&Point]) -> Vec<InteractionFigures> {
    let mut merged: Vec<InteractionFigures> = Vec::new();
    for interaction in runs.iter().flat_map(|run| &run.interactions) {
        match merged.iter_mut().find(|known| known.name == interaction.name) {
            Some(known) => {
                let both = [&*known, interaction].map(|figures| (figures.response, figures.completed as f64));
                known.response = mean_times(&both);
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
