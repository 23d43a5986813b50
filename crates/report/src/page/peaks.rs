//! Tables of peaks and of pairwise comparisons.

use super::choices::{Versus, versus};
use crate::{
    configuration::ConfigurationSummary,
    number,
    peak::Peak,
    series,
    summary::Summary,
    traffic::TracedPage,
    usage::{Usage, split},
    words::{capitalised, several},
};
use results::TierFigures;
use stats::Interval;

const QUANTILE_NAMES: [&str; 3] = ["p50", "p90", "p99"];

pub(super) struct PeakRow<'a> {
    pub(super) entry: &'a ConfigurationSummary,
    pub(super) class: String,
    pub(super) figures: Option<PeakFigures>,
    /// Ratios to other configurations that a reader may choose as the baseline.
    pub(super) versus: Vec<Versus>,
    pub(super) without: String,
}

pub(super) struct PeakFigures {
    pub(super) throughput: String,
    pub(super) half_width: Option<String>,
    pub(super) per_minute: String,
    pub(super) sessions_per_s: Option<String>,
    pub(super) clients: String,
    pub(super) source: String,
    /// Median, 90th and 99th percentile, each with name and interval.
    pub(super) times: Vec<(&'static str, String, Option<String>)>,
    pub(super) cores: String,
    pub(super) cores_by_tier: Vec<(String, String)>,
    pub(super) cpu_ms: String,
    pub(super) cpu_ms_interval: Option<String>,
    pub(super) cpu_ms_by_tier: Vec<(String, String)>,
    pub(super) asked: Option<Asked>,
    pub(super) errors: String,
    pub(super) times_best: String,
    pub(super) peak_status: &'static str,
    /// The bottleneck, the neighbouring loads, and the gain from doubling the clients.
    pub(super) why: String,
}

pub(super) struct Asked {
    pub(super) statements: String,
    /// Round trips and tables, and whether they were only traced.
    pub(super) besides: Vec<String>,
}

pub(super) struct ComparisonRow<'a> {
    pub(super) higher: &'a str,
    pub(super) lower: &'a str,
    pub(super) difference: String,
    pub(super) ratio: String,
    pub(super) p: String,
    pub(super) conclusion: &'static str,
    pub(super) differs: bool,
}

pub(super) fn rows(summary: &Summary) -> Vec<PeakRow<'_>> {
    let place = |entry: &ConfigurationSummary| {
        summary.configurations.iter().position(|known| known.name == entry.name)
    };
    let best_first = summary.best_first();
    let best = best_first.first().and_then(|best| best.peak.as_ref()).map_or(1.0, |peak| peak.throughput);
    let row = |entry| PeakRow {
        entry,
        // A configuration has the same colour in all tables and charts.
        class: series::class(place(entry).unwrap_or_default()),
        figures: entry.peak.as_ref().map(|peak| figures(entry, peak, best)),
        versus: entry.peak.as_ref().map_or_else(Vec::new, |peak| versus(summary, &entry.name, peak)),
        without: without(entry),
    };
    best_first.into_iter().map(row).collect()
}

fn without(entry: &ConfigurationSummary) -> String {
    if entry.points == 0 {
        return "not measured".to_owned();
    }
    let mut failing: Vec<&str> = Vec::new();
    for check in entry.rejected.iter().flat_map(|rejected| &rejected.checks) {
        if !failing.contains(&check.name()) {
            failing.push(check.name());
        }
    }
    let highest = entry.rejected.iter().map(|rejected| rejected.throughput).fold(0.0, f64::max);
    format!(
        "no VALID point: {} of up to {} interactions/s failed {}. Verdicts has the limits",
        several(entry.points, "point"),
        number::figure(highest),
        failing.join(", ")
    )
}

fn figures(entry: &ConfigurationSummary, peak: &Peak, best: f64) -> PeakFigures {
    let by_tier = |value: fn(&TierFigures) -> String| {
        peak.usage.tiers.iter().map(|tier| (tier.role.clone(), value(tier))).collect()
    };
    let per_minute =
        |interval: Interval| Interval { mean: 60.0 * interval.mean, half_width: 60.0 * interval.half_width };
    PeakFigures {
        throughput: number::figure(peak.throughput),
        half_width: peak.interval.map(number::half_width),
        per_minute: number::interval(60.0 * peak.throughput, peak.interval.map(per_minute)),
        sessions_per_s: peak.sessions_per_s.map(number::figure),
        clients: number::count(peak.clients.into()),
        source: peak.source(),
        times: QUANTILE_NAMES
            .into_iter()
            .zip(&peak.quantiles)
            .map(|(name, time)| {
                let interval = time.interval.map(|interval| number::range(time.value, interval));
                (name, number::figure(time.value), interval)
            })
            .collect(),
        cores: number::figure(peak.usage.cores()),
        cores_by_tier: by_tier(|tier| number::figure(tier.cores)),
        cpu_ms: number::figure(peak.usage.cpu_ms.value),
        cpu_ms_interval: peak
            .usage
            .cpu_ms
            .interval
            .map(|interval| number::range(peak.usage.cpu_ms.value, interval)),
        cpu_ms_by_tier: by_tier(|tier| {
            let (user, system) = split(tier, tier.cpu_ms_per_interaction);
            format!("{} + {}", number::figure(user), number::figure(system))
        }),
        asked: asked(&peak.usage, entry.traced.as_ref()),
        errors: number::percent(peak.failed, peak.attempted()),
        times_best: format!("{:.2}", peak.throughput / best),
        peak_status: peak.peak_status.label(),
        why: capitalised(&peak.why()),
    }
}

/// Work of the store for an interaction: as counted at the peak, or else as traced; tables can only be traced.
fn asked(usage: &Usage, traced: Option<&TracedPage>) -> Option<Asked> {
    let tables = traced.map(|page| format!("{} tables", number::figure(page.tables)));
    let counted = usage.statements().map(|statements| {
        let round_trips = usage.round_trips().map(|trips| format!("{} round trips", number::figure(trips)));
        (statements, round_trips, None)
    });
    let traced = traced.map(|page| {
        let about = if page.estimates_round_trips { "about " } else { "" };
        let round_trips = format!("{about}{} round trips", number::figure(page.round_trips));
        (page.statements, Some(round_trips), Some("traced".to_owned()))
    });
    let (statements, round_trips, source) = counted.or(traced)?;
    let besides = [round_trips, tables, source].into_iter().flatten().collect();
    Some(Asked { statements: number::figure(statements), besides })
}

pub(super) fn comparisons(summary: &Summary) -> Vec<ComparisonRow<'_>> {
    let rows = summary.comparisons.iter().map(|pair| ComparisonRow {
        higher: &pair.higher,
        lower: &pair.lower,
        difference: format!("+{}", number::interval(pair.difference.mean, Some(pair.difference))),
        ratio: pair
            .ratio
            .map_or_else(|| "unknown".to_owned(), |ratio| number::interval(ratio.mean, Some(ratio))),
        p: pair.p.map_or_else(|| "–".to_owned(), number::probability),
        conclusion: pair.conclusion(),
        differs: pair.differs,
    });
    rows.collect()
}
