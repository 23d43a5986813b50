//! Summary of a result: peaks, their comparison, the answer in a sentence, and all findings.

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

#[derive(Debug, Clone)]
pub struct Summary {
    pub title: String,
    /// Factors that all configurations share, in a line, left out of their names; none if they share none.
    pub common: Option<String>,
    /// The ranking in a sentence or two.
    pub answer: String,
    /// The bottlenecks in a sentence or two; empty where nothing was measured.
    pub reason: String,
    pub findings: Vec<Finding>,
    /// In the order in which they were named.
    pub configurations: Vec<ConfigurationSummary>,
    /// All pairs, the highest peaks first.
    pub comparisons: Vec<PairwiseComparison>,
    pub capacities: Option<Capacities>,
    /// In the order of measurement.
    pub overload_cycles: Vec<OverloadCycle>,
    pub arrived: Option<Arrived>,
}

/// The warning about a damaged result, to show before any figure.
pub fn alarm(result: &ResultReader) -> Option<String> {
    let damages: Vec<String> =
        damages(result).iter().map(|damage| format!("\n  {}", damage.finding().text)).collect();
    let title = DAMAGED.to_uppercase();
    (!damages.is_empty()).then(|| format!("{title} ({}){}\n", result.folder.display(), damages.concat()))
}

impl Summary {
    /// Findings that must be read before any figure, by title.
    pub fn banners(&self) -> Vec<Banner> {
        finding::banners(&self.findings)
    }

    pub fn findings_of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.severity == severity)
    }

    /// Configurations by falling peak, those without one last.
    pub(crate) fn best_first(&self) -> Vec<&ConfigurationSummary> {
        let throughput =
            |one: &ConfigurationSummary| one.peak.as_ref().map_or(f64::NEG_INFINITY, |peak| peak.throughput);
        let mut all: Vec<&ConfigurationSummary> = self.configurations.iter().collect();
        all.sort_by(|one, other| throughput(other).total_cmp(&throughput(one)));
        all
    }
}

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

/// A text about all overload cycles; none without any.
fn of_cycles(cycles: &[OverloadCycle], said: fn(&OverloadCycle) -> String) -> Option<String> {
    let sentences: Vec<String> = cycles.iter().map(said).collect();
    (!cycles.is_empty()).then(|| sentences.join(" "))
}
