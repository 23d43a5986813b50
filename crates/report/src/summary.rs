//! What a result says: each configuration's peak, how they compare, the answer in a sentence, and all findings.

use crate::{
    capacity::{Capacities, capacities},
    configuration::{ConfigurationSummary, configurations},
    finding::{self, Banner, DAMAGED, Finding, Severity},
    headline,
    open_loop::{self, Arrived},
    overload_cycle::{self, OverloadCycle},
    ranking::{PairwiseComparison, Ranked, rank},
    review::{damages, review},
};
use results::{Names, ResultReader};

/// What a result says.
#[derive(Debug, Clone)]
pub struct Summary {
    /// What was asked: `Auction, bidding mix`.
    pub title: String,
    /// The factors that all configurations share, in a line; their names are without them. None if they share none.
    pub common: Option<String>,
    /// Which configuration goes how far, in a sentence or two.
    pub answer: String,
    /// What limits them, in a sentence or two; empty where nothing was measured.
    pub reason: String,
    /// What is said beside the figures, that which matters most first.
    pub findings: Vec<Finding>,
    /// Each configuration, in the order in which they were named.
    pub configurations: Vec<ConfigurationSummary>,
    /// Each two peaks against each other, the higher one first, the highest ones before the others.
    pub comparisons: Vec<PairwiseComparison>,
    /// The capacities under an objective, if that is what was searched.
    pub capacities: Option<Capacities>,
    /// The overload cycles, in the order in which they were made.
    pub overload_cycles: Vec<OverloadCycle>,
    /// The loads of clients who arrive, if that is what was measured.
    pub arrived: Option<Arrived>,
}

/// What must be said of a result that is not as it was written before any figure of it is shown.
pub fn alarm(result: &ResultReader) -> Option<String> {
    let damages: Vec<String> =
        damages(result).iter().map(|damage| format!("\n  {}", damage.finding().text)).collect();
    let title = DAMAGED.to_uppercase();
    (!damages.is_empty()).then(|| format!("{title} ({}){}\n", result.folder.display(), damages.concat()))
}

impl Summary {
    /// What nobody may miss before reading a figure, by title.
    pub fn banners(&self) -> Vec<Banner> {
        finding::banners(&self.findings)
    }

    /// The findings of a severity.
    pub fn findings_of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.severity == severity)
    }

    /// Each configuration, the one with the highest peak first, and those without one last.
    pub(crate) fn best_first(&self) -> Vec<&ConfigurationSummary> {
        let throughput =
            |one: &ConfigurationSummary| one.peak.as_ref().map_or(f64::NEG_INFINITY, |peak| peak.throughput);
        let mut all: Vec<&ConfigurationSummary> = self.configurations.iter().collect();
        all.sort_by(|one, other| throughput(other).total_cmp(&throughput(one)));
        all
    }
}

/// Sums up a result, under short names.
pub fn summary(result: &ResultReader) -> Summary {
    let (result, names) = result.with_short_names();
    summed_up(&result, &names)
}

/// Sums up a result that has short names.
pub(crate) fn summed_up(result: &ResultReader, names: &Names) -> Summary {
    let mut configurations = configurations(result);
    let Ranked { letters, comparisons } = rank(&configurations);
    for (one, letters) in configurations.iter_mut().zip(letters) {
        one.letters = letters;
    }
    let manifest = &result.manifest;
    let overload_cycles = overload_cycle::overload_cycles(result);
    let arrived = open_loop::arrived(result);
    let capacities = capacities(result);
    Summary {
        title: format!("{}, {} mix", manifest.application_title, manifest.spec.mix),
        common: names.common(),
        answer: of_cycles(&overload_cycles, |cycle| cycle.sentences.join(" "))
            .or_else(|| arrived.as_ref().map(|arrived| arrived.sentences.join(" ")))
            .or_else(|| capacities.as_ref().map(Capacities::answer))
            .unwrap_or_else(|| headline::answer(&configurations, &comparisons)),
        reason: of_cycles(&overload_cycles, |cycle| cycle.limits.clone()).unwrap_or_else(|| match &arrived {
            Some(arrived) => headline::limits(&arrived.limits()),
            None => headline::reason(&configurations),
        }),
        findings: review(result, &configurations),
        configurations,
        comparisons,
        capacities,
        overload_cycles,
        arrived,
    }
}

/// What is said of all overload cycles; none where there are none.
fn of_cycles(cycles: &[OverloadCycle], said: fn(&OverloadCycle) -> String) -> Option<String> {
    let sentences: Vec<String> = cycles.iter().map(said).collect();
    (!cycles.is_empty()).then(|| sentences.join(" "))
}
