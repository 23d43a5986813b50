//! The answer in sentences: which, how far, and why.

use crate::{
    Bottleneck, Cause, ConfigurationSummary, Peak, number,
    ranking::{Cost, PairwiseComparison},
    words::enumerate,
};
use stats::Interval;

/// How a peak stands to the best one.
enum Standoff {
    /// The best is this many times as high.
    Behind(String),
    CannotBeToldApart,
    /// One of the two has too few runs to tell.
    Untold,
    /// One of the two may go higher.
    Open,
}

/// Which configuration goes how far.
pub(crate) fn answer(summaries: &[ConfigurationSummary], contests: &[PairwiseComparison]) -> String {
    if summaries.iter().all(|row| row.points == 0) {
        return "Nothing was measured, so there is no answer.".to_owned();
    }
    let mut sentences = Vec::new();
    if let Some((leader, rest)) = ranked(summaries).split_first() {
        sentences.extend(comparison(*leader, rest, contests));
    }
    let without: Vec<&str> =
        summaries.iter().filter(|row| row.peak.is_none()).map(|row| row.name.as_str()).collect();
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

/// What limits the configurations, the one with the highest peak first.
pub(crate) fn reason(summaries: &[ConfigurationSummary]) -> String {
    let ranked = ranked(summaries);
    limits(&ranked.iter().map(|(name, peak)| (*name, &peak.bottleneck)).collect::<Vec<_>>())
}

/// What limits each of these.
pub(crate) fn limits(each: &[(&str, &Bottleneck)]) -> String {
    if let [(name, Bottleneck { cause, evidence, is_served })] = each {
        return match cause {
            None if *is_served => format!("{name} {evidence}."),
            Some(cause) => format!("{name} is limited by {cause}: {evidence}."),
            None => format!("What limits {name} is not known: {evidence}."),
        };
    }
    let mut causes: Vec<(Option<&Cause>, Vec<&str>)> = Vec::new();
    let (served, limited): (Vec<_>, Vec<_>) = each.iter().partition(|(_, bottleneck)| bottleneck.is_served);
    for (name, bottleneck) in limited {
        let cause = bottleneck.cause.as_ref();
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, names)) => names.push(name),
            None => causes.push((cause, vec![name])),
        }
    }
    let limited = causes.iter().filter_map(|(cause, names)| Some(((*cause)?, names)));
    let limited: Vec<String> = limited
        .enumerate()
        .map(|(index, (cause, names))| {
            let be = if names.len() == 1 { "is" } else { "are" };
            let verb = if index == 0 { format!(" {be} limited") } else { String::new() };
            format!("{}{verb} by {cause}", enumerate(names))
        })
        .collect();
    let limited = (!limited.is_empty()).then(|| format!("{}.", limited.join(", ")));
    let unknown = causes.iter().position(|(cause, _)| cause.is_none());
    let leader_unknown = unknown == Some(0);
    let unknown = unknown.map(|place| format!("What limits {} is not known.", enumerate(&causes[place].1)));
    let sentences = if leader_unknown { [unknown, limited] } else { [limited, unknown] };
    let served = served.iter().map(|(name, bottleneck)| format!("{name} {}.", bottleneck.evidence));
    sentences.into_iter().chain(served.map(Some)).flatten().collect::<Vec<_>>().join(" ")
}

/// All that have a peak, the best first.
fn ranked(summaries: &[ConfigurationSummary]) -> Vec<(&str, &Peak)> {
    let mut ranked: Vec<(&str, &Peak)> =
        summaries.iter().filter_map(|row| Some((row.name.as_str(), row.peak.as_ref()?))).collect();
    ranked.sort_by(|one, other| other.1.throughput.total_cmp(&one.1.throughput));
    ranked
}

fn comparison(
    (leader, best): (&str, &Peak),
    rest: &[(&str, &Peak)],
    contests: &[PairwiseComparison],
) -> Vec<String> {
    let [mut behind, mut tied, mut untold, mut open] = [const { Vec::new() }; 4];
    for (name, peak) in rest {
        let figure = number::interval(peak.throughput, peak.interval);
        // What is as with the best is said there.
        let source = if peak.source() == best.source() { String::new() } else { source(peak, " ", "") };
        let described = format!("{name} ({figure}{source})");
        match standoff(contest_of(leader, name, contests)) {
            Standoff::Behind(times) => behind.push(format!("{times} times {described}")),
            Standoff::CannotBeToldApart => tied.push(described),
            Standoff::Untold => untold.push(described),
            Standoff::Open => open.push(format!("{described} at {} clients", clients(peak))),
        }
    }
    let times = if behind.is_empty() { String::new() } else { format!(", {}", headline(&behind)) };
    let mut sentences = vec![format!(
        "{leader} reached {} interactions/s at {} clients ({}{}){times}.",
        number::interval(best.throughput, best.interval),
        clients(best),
        source(best, "± ", "; "),
        best.surroundings()
    )];
    sentences.extend(
        rest.iter()
            .filter_map(|(name, _)| Some(costs(leader, name, contest_of(leader, name, contests)?.cost?))),
    );
    if !tied.is_empty() {
        sentences.push(format!("It cannot be told apart from {}.", enumerate(&tied)));
    }
    if !untold.is_empty() {
        sentences.push(format!(
            "Whether it differs from {} is not claimed: that takes at least three runs of each peak.",
            enumerate(&untold)
        ));
    }
    if !open.is_empty() {
        let open = enumerate(&open);
        sentences.push(format!("How it compares with {open} is open: not all of these peaks were passed."));
    }
    sentences
}

fn contest_of<'c>(
    higher: &str,
    lower: &str,
    contests: &'c [PairwiseComparison],
) -> Option<&'c PairwiseComparison> {
    contests.iter().find(|contest| contest.higher == higher && contest.lower == lower)
}

/// What an interaction costs two configurations.
fn costs(leader: &str, name: &str, cost: Cost) -> String {
    let times = number::interval(cost.ratio.mean, Some(cost.ratio));
    if cost.differs {
        format!("An interaction costs {leader} {times} times the CPU time that it costs {name}.")
    } else {
        format!(
            "What an interaction costs {leader} and {name} in CPU time cannot be told apart ({times} times)."
        )
    }
}

/// How many ratios a sentence bears. The table has them all.
const MOST_RATIOS: usize = 4;

/// All, or the nearest and the farthest.
fn headline(behind: &[String]) -> String {
    match behind {
        [nearest, between @ .., farthest] if behind.len() > MOST_RATIOS => {
            format!("from {nearest} to {farthest}, with {} others between them", between.len())
        }
        _ => enumerate(behind),
    }
}

/// What an interval was taken from, where there is one.
fn source(peak: &Peak, before: &str, after: &str) -> String {
    peak.interval.map_or_else(String::new, |_| format!("{before}{}{after}", peak.source()))
}

fn clients(peak: &Peak) -> String {
    number::count(peak.clients.into())
}

fn standoff(contest: Option<&PairwiseComparison>) -> Standoff {
    match contest {
        Some(PairwiseComparison { open: true, .. }) => Standoff::Open,
        Some(PairwiseComparison { p: Some(_), differs: true, ratio, .. }) => Standoff::Behind(times(*ratio)),
        Some(PairwiseComparison { p: Some(_), .. }) => Standoff::CannotBeToldApart,
        _ => Standoff::Untold,
    }
}

fn times(ratio: Option<Interval>) -> String {
    ratio.map_or_else(|| "many".to_owned(), |ratio| number::interval(ratio.mean, Some(ratio)))
}
