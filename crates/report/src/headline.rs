//! The answer in sentences: each configuration's peak, and its bottleneck.

use crate::{
    bottleneck::{Bottleneck, Cause},
    configuration::{ConfigurationSummary, ranked},
    number,
    peak::Peak,
    ranking::{Cost, PairwiseComparison},
    words::{agreeing, enumerate, several},
};
use stats::Interval;

const NOTHING: &str = "Nothing was measured, so there is no answer.";

enum PairOutcome {
    /// Ratio of the best to this one.
    Behind(String),
    CannotBeToldApart,
    TooFewRuns,
    Open,
}

pub(crate) fn answer(configurations: &[ConfigurationSummary], comparisons: &[PairwiseComparison]) -> String {
    if configurations.iter().all(|row| row.points == 0) {
        return NOTHING.to_owned();
    }
    let mut sentences = Vec::new();
    if let Some((leader, rest)) = ranked(configurations).split_first() {
        sentences.extend(comparison(*leader, rest, comparisons));
    }
    let without: Vec<&str> =
        configurations.iter().filter(|row| row.peak.is_none()).map(|row| row.name.as_str()).collect();
    if !without.is_empty() {
        let (have, they) =
            (agreeing(without.len(), "has", "have"), agreeing(without.len(), "it has", "they have"));
        sentences.push(format!("{} {have} no VALID point, so {they} no peak.", enumerate(&without)));
    }
    sentences.join(" ")
}

/// Bottlenecks of the configurations, the highest peak first.
pub(crate) fn reason(configurations: &[ConfigurationSummary]) -> String {
    limits(&ranked(configurations).iter().map(|(name, peak)| (*name, &peak.bottleneck)).collect::<Vec<_>>())
}

pub(crate) fn limits(each: &[(&str, &Bottleneck)]) -> String {
    if let [(name, bottleneck)] = each {
        return limit(name, bottleneck);
    }
    let (served, limited): (Vec<_>, Vec<_>) = each.iter().partition(|(_, bottleneck)| bottleneck.is_served);
    let causes = by(limited.iter().map(|(name, bottleneck)| (bottleneck.cause.as_ref(), *name)));
    let unknown = causes.iter().position(|(cause, _)| cause.is_none());
    let leader_unknown = unknown == Some(0);
    let unknown = unknown.map(|place| format!("What limits {} is not known.", enumerate(&causes[place].1)));
    let sentences = match leader_unknown {
        true => [unknown, limited_by(&causes)],
        false => [limited_by(&causes), unknown],
    };
    let served = by(served.iter().map(|(name, bottleneck)| (bottleneck.evidence.as_str(), *name)));
    let served = served.iter().map(|(evidence, names)| format!("{} {evidence}.", enumerate(names)));
    sentences.into_iter().flatten().chain(served).collect::<Vec<_>>().join(" ")
}

/// Names grouped by a common key, in order of appearance.
fn by<'a, K: PartialEq>(named: impl Iterator<Item = (K, &'a str)>) -> Vec<(K, Vec<&'a str>)> {
    let mut groups: Vec<(K, Vec<&str>)> = Vec::new();
    for (common, name) in named {
        match groups.iter_mut().find(|(known, _)| *known == common) {
            Some((_, names)) => names.push(name),
            None => groups.push((common, vec![name])),
        }
    }
    groups
}

fn limit(name: &str, Bottleneck { cause, evidence, is_served }: &Bottleneck) -> String {
    match cause {
        None if *is_served => format!("{name} {evidence}."),
        Some(cause) => format!("{name} is limited by {cause}: {evidence}."),
        None => format!("What limits {name} is not known: {evidence}."),
    }
}

/// `A is limited by X, B and C by Y.`
fn limited_by(causes: &[(Option<&Cause>, Vec<&str>)]) -> Option<String> {
    let known = causes.iter().filter_map(|(cause, names)| Some(((*cause)?, names)));
    let parts: Vec<String> = known
        .enumerate()
        .map(|(index, (cause, names))| {
            let be = agreeing(names.len(), "is", "are");
            let verb = if index == 0 { format!(" {be} limited") } else { String::new() };
            format!("{}{verb} by {cause}", enumerate(names))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("{}.", parts.join(", ")))
}

fn comparison(
    (leader, best): (&str, &Peak),
    rest: &[(&str, &Peak)],
    comparisons: &[PairwiseComparison],
) -> Vec<String> {
    let with = |name: &str| comparisons.iter().find(|pair| pair.higher == leader && pair.lower == name);
    let [mut behind, mut tied, mut untold, mut open] = [const { Vec::new() }; 4];
    for (name, peak) in rest {
        let figure = number::interval(peak.throughput, peak.interval);
        // Do not repeat what equals the best configuration's.
        let source = if peak.source() == best.source() { String::new() } else { source(peak, " ", "") };
        let described = format!("{name} ({figure}{source})");
        match outcome(with(name)) {
            PairOutcome::Behind(times) => behind.push(format!("{times} times {described}")),
            PairOutcome::CannotBeToldApart => tied.push(described),
            PairOutcome::TooFewRuns => untold.push(described),
            PairOutcome::Open => open.push(format!("{described} at {}", several(peak.clients, "client"))),
        }
    }
    let mut sentences = vec![format!(
        "{leader} reached {} interactions/s at {} ({}{}).",
        number::interval(best.throughput, best.interval),
        several(best.clients, "client"),
        source(best, "± ", "; "),
        best.surroundings()
    )];
    if !behind.is_empty() {
        sentences.push(format!("That is {}.", nearest_and_farthest(&behind)));
    }
    sentences.extend(rest.iter().filter_map(|(name, _)| Some(costs(leader, name, with(name)?.cost?))));
    if !tied.is_empty() {
        sentences.push(format!("It cannot be told apart from {}.", enumerate(&tied)));
    }
    if !untold.is_empty() {
        let from = enumerate(&untold);
        sentences.push(format!("Whether it differs from {from} cannot be told: each peak needs three runs."));
    }
    if !open.is_empty() {
        let open = enumerate(&open);
        sentences.push(format!("How it compares with {open} is open: not all of these peaks were passed."));
    }
    sentences
}

/// Compares the CPU time per interaction of two configurations.
fn costs(leader: &str, name: &str, cost: Cost) -> String {
    let times = number::interval(cost.ratio.mean, Some(cost.ratio));
    if cost.differs {
        format!("An interaction takes {times} times as much CPU time on {leader} as on {name}.")
    } else {
        format!("{leader} and {name} cannot be told apart by CPU time per interaction ({times} times).")
    }
}

/// Limit of ratios in a sentence; the table has all.
const MOST_RATIOS: usize = 4;

fn nearest_and_farthest(behind: &[String]) -> String {
    match behind {
        [nearest, between @ .., farthest] if behind.len() > MOST_RATIOS => {
            let others = several(between.len(), "other");
            format!("from {nearest} to {farthest}, with {others} between them")
        }
        _ => enumerate(behind),
    }
}

fn source(peak: &Peak, before: &str, after: &str) -> String {
    peak.interval.map_or_else(String::new, |_| format!("{before}{}{after}", peak.source()))
}

fn outcome(pair: Option<&PairwiseComparison>) -> PairOutcome {
    match pair {
        Some(PairwiseComparison { open: true, .. }) => PairOutcome::Open,
        Some(PairwiseComparison { p: Some(_), differs: true, ratio, .. }) => {
            PairOutcome::Behind(times(*ratio))
        }
        Some(PairwiseComparison { p: Some(_), .. }) => PairOutcome::CannotBeToldApart,
        _ => PairOutcome::TooFewRuns,
    }
}

fn times(ratio: Option<Interval>) -> String {
    ratio.map_or_else(|| "many".to_owned(), |ratio| number::interval(ratio.mean, Some(ratio)))
}
