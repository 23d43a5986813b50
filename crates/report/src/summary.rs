//! What a result says: each configuration's peak, and the answer in a sentence.

use crate::number;
use results::{InteractionFigures, Manifest, Point, ResultReader, Times};
use stats::{Comparison, Interval};
use std::collections::BTreeMap;

/// What a result says.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// What was asked: `Auction, bidding mix`.
    pub title: String,
    /// What nobody may miss before reading a figure.
    pub stamps: Vec<Stamp>,
    /// The answer in a sentence or two.
    pub answer: String,
    /// What to bear in mind with it, each in a sentence.
    pub cautions: Vec<String>,
    /// What became of the data, if that was looked at.
    pub data: Option<String>,
    /// Each configuration, in the order in which they were named.
    pub standings: Vec<Standing>,
}

/// Something that nobody may miss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// In a few words: `Demonstration only`.
    pub title: String,
    /// Why, each in a sentence.
    pub reasons: Vec<String>,
}

/// How a configuration did.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The configuration's name.
    pub name: String,
    /// `exact`, `equivalent` or `own`: whether it sends the recorded statements.
    pub work: String,
    /// `passed`, or why it was not verified.
    pub verified: String,
    /// How many points were measured.
    pub points: usize,
    /// Its best load; none if no point is VALID.
    pub peak: Option<Peak>,
    /// Its INVALID points.
    pub rejected: Vec<Rejected>,
}

/// The load with the highest mean throughput. Where it was measured several times, all figures are means over its VALID
/// runs, and counts are sums.
#[derive(Debug, Clone, PartialEq)]
pub struct Peak {
    /// Emulated clients.
    pub clients: u32,
    /// How many VALID runs of this load there are.
    pub runs: usize,
    /// Interactions per second.
    pub throughput: f64,
    /// Its 95 % interval. Over three runs and more, from their scatter; of one, from its seconds; of two, whose scatter
    /// says next to nothing, all that either of their intervals covers.
    pub interval: Option<Interval>,
    /// Response times.
    pub response: Times,
    /// CPU by tier.
    pub tiers: Vec<TierShare>,
    /// Interactions that completed.
    pub completed: u64,
    /// Interactions that the site refused by a rule of its business.
    pub refused: u64,
    /// Interactions that failed.
    pub failed: u64,
    /// Figures by interaction.
    pub interactions: Vec<InteractionFigures>,
    /// Whether the peak was really passed.
    pub passage: Passage,
}

/// CPU of a tier.
#[derive(Debug, Clone, PartialEq)]
pub struct TierShare {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name.
    pub service: String,
    /// As a share of one core.
    pub cores: f64,
    /// Milliseconds per completed interaction.
    pub cpu_ms: f64,
}

/// Whether more clients were tried than at the peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// A higher load was VALID and gave no more.
    Passed,
    /// All higher loads were INVALID.
    InvalidAbove,
    /// No higher load was measured.
    NothingAbove,
}

/// An INVALID point.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// Emulated clients.
    pub clients: u32,
    /// Which repetition of this load.
    pub repetition: u32,
    /// Interactions per second, not to be believed.
    pub throughput: f64,
    /// The checks that failed: `errors: 2.1 %, asked for: at most 0.1 %`.
    pub reasons: Vec<String>,
}

impl Peak {
    /// Interactions that completed, were refused or failed.
    pub fn attempted(&self) -> u64 {
        self.completed + self.refused + self.failed
    }

    /// CPU of all tiers as a share of one core.
    pub fn cores(&self) -> f64 {
        self.tiers.iter().map(|tier| tier.cores).sum()
    }

    /// CPU milliseconds per interaction of all tiers.
    pub fn cpu_ms(&self) -> f64 {
        self.tiers.iter().map(|tier| tier.cpu_ms).sum()
    }
}

impl Passage {
    /// In a word or two.
    pub fn label(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::InvalidAbove => "INVALID above",
            Self::NothingAbove => "not passed",
        }
    }
}

/// Sums up a result.
pub fn summary(result: &ResultReader) -> Summary {
    let standings: Vec<Standing> = names(result).iter().map(|name| standing(result, name)).collect();
    let manifest = &result.manifest;
    Summary {
        title: format!("{}, {} mix", manifest.application_title, manifest.mix),
        stamps: stamps(manifest, &standings),
        answer: answer(&standings),
        cautions: standings.iter().filter_map(caution).collect(),
        data: crate::data::sentences(result),
        standings,
    }
}

/// All configurations, named in the manifest or not.
fn names(result: &ResultReader) -> Vec<&str> {
    let named = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let mut names = Vec::new();
    for name in named.chain(result.points.iter().map(|point| point.configuration.as_str())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn standing(result: &ResultReader, name: &str) -> Standing {
    let points: Vec<&Point> = result.points.iter().filter(|point| point.configuration == name).collect();
    let record = result.manifest.configurations.iter().find(|configuration| configuration.name == name);
    let unknown = || "not recorded".to_owned();
    Standing {
        name: name.to_owned(),
        work: record.map_or_else(unknown, |record| record.work.clone()),
        verified: record.map_or_else(unknown, |record| record.verified.clone()),
        points: points.len(),
        peak: peak(&points),
        rejected: points.iter().filter(|point| !point.verdict.valid).map(|point| rejected(point)).collect(),
    }
}

fn rejected(point: &Point) -> Rejected {
    let failing = point.verdict.checks.iter().filter(|check| !check.passed);
    let reasons =
        failing.map(|check| format!("{}: {}, asked for: {}", check.name, check.figure, check.threshold));
    Rejected {
        clients: point.clients,
        repetition: point.repetition,
        throughput: point.throughput,
        reasons: reasons.collect(),
    }
}

/// The VALID runs of each load, from the lowest load up.
pub(crate) fn valid_loads<'a>(points: &[&'a Point]) -> BTreeMap<u32, Vec<&'a Point>> {
    let mut loads: BTreeMap<u32, Vec<&Point>> = BTreeMap::new();
    for point in points.iter().filter(|point| point.verdict.valid) {
        loads.entry(point.clients).or_default().push(point);
    }
    loads
}

/// The mean throughput of a load's runs.
pub(crate) fn mean_throughput(runs: &[&Point]) -> f64 {
    runs.iter().map(|point| point.throughput).sum::<f64>() / runs.len() as f64
}

fn peak(points: &[&Point]) -> Option<Peak> {
    let loads = valid_loads(points);
    let throughput = |runs: &Vec<&Point>| mean_throughput(runs);
    let (clients, runs) = loads
        .iter()
        .reduce(|best, load| if throughput(load.1) > throughput(best.1) { load } else { best })?;
    let passage = if loads.range(clients + 1..).next().is_some() {
        Passage::Passed
    } else if points.iter().any(|point| point.clients > *clients) {
        Passage::InvalidAbove
    } else {
        Passage::NothingAbove
    };
    Some(Peak {
        clients: *clients,
        runs: runs.len(),
        throughput: throughput(runs),
        interval: interval(runs),
        response: mean_times(runs.iter().map(|run| (run.response, 1.0))),
        tiers: tiers(runs),
        completed: runs.iter().map(|run| run.completed).sum(),
        refused: runs.iter().map(|run| run.refused).sum(),
        failed: runs.iter().map(|run| run.failed()).sum(),
        interactions: interactions(runs),
        passage,
    })
}

fn interval(runs: &[&Point]) -> Option<Interval> {
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

fn tiers(runs: &[&Point]) -> Vec<TierShare> {
    let mut tiers: Vec<TierShare> = Vec::new();
    let count = runs.len() as f64;
    for tier in runs.iter().flat_map(|run| &run.tiers) {
        let (cores, cpu_ms) = (tier.cores / count, tier.cpu_ms_per_interaction / count);
        match tiers.iter_mut().find(|known| known.role == tier.role && known.service == tier.service) {
            Some(known) => {
                known.cores += cores;
                known.cpu_ms += cpu_ms;
            }
            None => {
                let (role, service) = (tier.role.clone(), tier.service.clone());
                tiers.push(TierShare { role, service, cores, cpu_ms });
            }
        }
    }
    tiers
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
    merged
}

fn stamps(manifest: &Manifest, standings: &[Standing]) -> Vec<Stamp> {
    let unfinished = match &manifest.ending {
        None => {
            vec!["It was killed, or it is still running: what is shown is what it had measured.".to_owned()]
        }
        Some(ending) if !ending.complete => {
            vec![ending.reason.clone().unwrap_or_else(|| "It ended early; why was not recorded.".to_owned())]
        }
        Some(_) => Vec::new(),
    };
    let unverified = standings.iter().filter(|standing| standing.verified != "passed");
    let unverified = unverified.map(|standing| {
        format!(
            "{}: {}. Nobody has shown that it does the same work as the others.",
            standing.name, standing.verified
        )
    });
    let stamps = [
        ("Incomplete result", unfinished),
        ("Demonstration only", manifest.demonstration.clone()),
        ("Not verified", unverified.collect()),
    ];
    let stamps = stamps.into_iter().filter(|(_, reasons)| !reasons.is_empty());
    stamps.map(|(title, reasons)| Stamp { title: title.to_owned(), reasons }).collect()
}

/// How a peak stands to the best one.
enum Standoff {
    /// The best is this many times as high; with an interval where both have one.
    Behind(String),
    CannotBeToldApart,
    /// One of the two may go higher.
    Open,
}

fn answer(standings: &[Standing]) -> String {
    if standings.iter().all(|standing| standing.points == 0) {
        return "Nothing was measured, so there is no answer.".to_owned();
    }
    let mut ranked: Vec<(&str, &Peak)> = standings
        .iter()
        .filter_map(|standing| Some((standing.name.as_str(), standing.peak.as_ref()?)))
        .collect();
    ranked.sort_by(|one, other| other.1.throughput.total_cmp(&one.1.throughput));
    let without: Vec<String> = standings
        .iter()
        .filter(|standing| standing.peak.is_none())
        .map(|standing| standing.name.clone())
        .collect();
    let mut sentences = Vec::new();
    if let Some(((leader, best), rest)) = ranked.split_first() {
        sentences.extend(comparison(leader, best, rest));
    }
    match without.as_slice() {
        [] => (),
        [one] => sentences.push(format!("{one} has no VALID point, so nothing can be said of it.")),
        _ => {
            let names = enumerate(&without);
            sentences.push(format!("{names} have no VALID point, so nothing can be said of them."));
        }
    }
    sentences.join(" ")
}

fn comparison(leader: &str, best: &Peak, rest: &[(&str, &Peak)]) -> Vec<String> {
    let mut behind = Vec::new();
    let mut tied = Vec::new();
    let mut open = Vec::new();
    for (name, peak) in rest {
        let described = format!(
            "{name} ({} at {} clients)",
            number::interval(peak.throughput, peak.interval),
            count(peak)
        );
        match standoff(best, peak) {
            Standoff::Behind(times) => behind.push(format!("{times} times {described}")),
            Standoff::CannotBeToldApart => tied.push(described),
            Standoff::Open => open.push(described),
        }
    }
    let reached = number::interval(best.throughput, best.interval);
    let times = if behind.is_empty() { String::new() } else { format!(", {}", enumerate(&behind)) };
    let mut sentences =
        vec![format!("{leader} reached {reached} interactions/s at {} clients{times}.", count(best))];
    if !tied.is_empty() {
        let tied = enumerate(&tied);
        sentences.push(format!("It cannot be told apart from {tied}: the 95 % intervals overlap."));
    }
    if !open.is_empty() {
        let open = enumerate(&open);
        sentences.push(format!("How it compares with {open} is open: not all of these peaks were passed."));
    }
    sentences
}

fn count(peak: &Peak) -> String {
    number::count(peak.clients.into())
}

fn standoff(best: &Peak, other: &Peak) -> Standoff {
    // At one and the same load, figures compare even if neither is a peak.
    let passed = |peak: &Peak| peak.passage == Passage::Passed;
    if best.clients != other.clients && !(passed(best) && passed(other)) {
        return Standoff::Open;
    }
    if let (Some(ours), Some(theirs)) = (best.interval, other.interval) {
        if ours.compare(&theirs) == Comparison::CannotBeToldApart {
            return Standoff::CannotBeToldApart;
        }
        let ratio = ours.ratio(&theirs);
        return Standoff::Behind(
            ratio.map_or_else(|| "many".into(), |ratio| number::interval(ratio.mean, Some(ratio))),
        );
    }
    Standoff::Behind(number::figure(best.throughput / other.throughput))
}

/// `a`, `a and b`, `a, b and c`.
fn enumerate(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn caution(standing: &Standing) -> Option<String> {
    let peak = standing.peak.as_ref()?;
    let name = &standing.name;
    let clients = count(peak);
    let mut cautions = Vec::new();
    match peak.passage {
        Passage::Passed => (),
        Passage::NothingAbove => cautions.push(format!(
            "The peak of {name} was not passed: no load above {clients} clients was measured, so it may go higher."
        )),
        Passage::InvalidAbove => cautions.push(format!(
            "The peak of {name} is not certain: every point above {clients} clients is INVALID, so it may go higher."
        )),
    }
    if peak.interval.is_none() {
        cautions.push(format!(
            "The figure of {name} has no interval, for its window is too short: a small difference means nothing."
        ));
    }
    (!cautions.is_empty()).then(|| cautions.join(" "))
}
