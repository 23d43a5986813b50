//! A configuration's peak, from the points that were measured of it.

use crate::{
    bottleneck::{Bottleneck, title},
    number,
    runs::{Estimate, QUANTILES, interval, mean_throughput, quantile_of, valid_loads},
    usage::{Usage, usage},
    words::{capitalised, several},
};
use results::{HostUsageFigures, InteractionFigures, Manifest, Point, Purpose, Round, TierFigures, Times};
use stats::{Interval, PeakSearch, Starts, StoppingRule};
use std::collections::BTreeMap;

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
    /// Sessions that began per second, where users have sessions.
    pub sessions_per_s: Option<f64>,
    /// What it took of the machine.
    pub usage: Usage,
    /// What all tiers took.
    pub cost: TierCost,
    /// What the tiers of each host took, by its name.
    pub cost_by_host: BTreeMap<String, TierCost>,
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
    /// By what factor twice the clients multiply the throughput, with its 95 % interval over starts; none where no search
    /// has measured that.
    pub gain: Option<Interval>,
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
        let each =
            |figure: fn(&Round) -> f64| runs.iter().filter_map(|run| run.on_its_start(figure)).collect();
        Self { throughput: each(|round| round.throughput), cpu_ms: each(Round::cpu_ms), looks }
    }
}

impl Default for StartFigures {
    fn default() -> Self {
        Self { throughput: Starts::new(), cpu_ms: Starts::new(), looks: StoppingRule::Fixed }
    }
}

/// What some tiers took, all together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TierCost {
    /// CPU milliseconds per interaction, of each run.
    pub cpu_ms_of_runs: Vec<f64>,
    /// The same of each start; empty where nothing was measured in rounds.
    pub cpu_ms_of_starts: Starts,
    /// Page faults a second, of each run.
    pub faults_per_s: Vec<f64>,
}

impl TierCost {
    fn of(runs: &[&Point], counts: impl Fn(&TierFigures) -> bool) -> Self {
        let sum = |run: &Point, figure: fn(&TierFigures) -> f64| {
            run.tiers.iter().filter(|tier| counts(tier)).map(figure).sum::<f64>()
        };
        let of_start = |run: &&Point| {
            run.on_its_start(|round| round.cpu_ms_of(|tier| run.tiers.get(tier).is_some_and(&counts)))
        };
        let faults = |tier: &TierFigures| tier.minor_faults_per_s + tier.major_faults_per_s;
        Self {
            cpu_ms_of_runs: runs.iter().map(|run| sum(run, |tier| tier.cpu_ms_per_interaction)).collect(),
            cpu_ms_of_starts: runs.iter().filter_map(of_start).collect(),
            faults_per_s: runs.iter().map(|run| sum(run, faults)).collect(),
        }
    }

    fn of_host(host: &HostUsageFigures, runs: &[&Point]) -> (String, Self) {
        (host.mean.name.clone(), Self::of(runs, |tier| host.tiers.contains(&title(tier))))
    }
}

/// Whether more clients would give more than the peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeakStatus {
    /// A search has shown that twice the clients gain less than 10 %. Of listed loads, a higher one was VALID and gave no
    /// more.
    Passed,
    /// A search has not shown that, but a host's CPU is saturated: more clients can give at most a twentieth more.
    Saturated,
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
        let runs = several(self.runs, "run");
        match (self.interval, self.runs) {
            (None, _) => runs,
            (_, 1 | 2) => format!("within {runs}"),
            _ => format!("over {runs}"),
        }
    }

    /// What limits it, between which loads it stands, and what twice the clients give: each in a sentence.
    pub fn why(&self) -> String {
        let parts =
            [Some(self.bottleneck.sentence()), Some(capitalised(&self.surroundings())), self.gain_in_words()];
        parts.into_iter().flatten().map(|part| part + ".").collect::<Vec<_>>().join(" ")
    }

    /// `Passed: twice the clients give 0.97 (0.95 to 0.99) of it`; none where that was not measured.
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
        matches!(self, Self::Passed | Self::Saturated)
    }

    /// In a word or two.
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
    let search = manifest.search(points.iter().copied());
    let peak_status = peak_status(points, clients, search.as_ref().map(PeakSearch::passed));
    Some(Peak {
        neighbours: neighbours(points, clients),
        gain: search.filter(|_| confirmed).and_then(|search| search.gain()),
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

/// `is_passed` is what a search says, if there was one.
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

/// From this share of its CPU on a host is saturated: what an interaction takes of it bounds the throughput, whatever the
/// number of clients (the utilisation law and its asymptote: Denning and Buzen, Computing Surveys 10, 1978). That holds as
/// long as an interaction takes as much with more clients.
pub(crate) const SATURATED: f64 = 0.95;

fn sum_up(
    clients: u32,
    runs: &[&Point],
    (confirmed, peak_status): (bool, PeakStatus),
    manifest: &Manifest,
) -> Peak {
    let usage = usage(runs);
    let is_saturated =
        usage.hosts.iter().any(|host| !host.tiers.is_empty() && host.cpu_use() >= Some(SATURATED));
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
        interval: interval(runs),
        throughputs: runs.iter().map(|run| run.throughput).collect(),
        starts: StartFigures::of(runs, manifest.looks()),
        response: mean_times(runs.iter().map(|run| (run.response, 1.0))),
        quantiles: QUANTILES.map(|quantile| quantile_of(runs, quantile)),
        sessions_per_s: sessions_per_s(runs),
        cost: TierCost::of(runs, |_| true),
        cost_by_host: usage.hosts.iter().map(|host| TierCost::of_host(host, runs)).collect(),
        completed: runs.iter().map(|run| run.completed).sum(),
        refused: runs.iter().map(|run| run.refused).sum(),
        failed: runs.iter().map(|run| run.failed()).sum(),
        interactions: interactions(runs),
        peak_status,
        gain: None,
        bottleneck: usage.bottleneck(manifest.testbed.as_ref()).at(
            clients,
            manifest.spec.think_time_s,
            mean_throughput(runs),
        ),
        usage,
    }
}

fn sessions_per_s(runs: &[&Point]) -> Option<f64> {
    let figures: Vec<f64> = runs.iter().map(|run| run.sessions_per_s).collect::<Option<_>>()?;
    Some(figures.iter().sum::<f64>() / figures.len() as f64)
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
