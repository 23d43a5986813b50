//! Each configuration's peak, INVALID points and audits.

use crate::{
    measured::{measured, names},
    peak::{Peak, peak},
    traffic::TracedPage,
};
use results::{CheckId, Plan, Point, ResultReader, Series, Verification};

#[derive(Debug, Clone)]
pub struct ConfigurationSummary {
    pub name: String,
    /// `exact`, `equivalent` or `own`: its relation to the recorded statements.
    pub statements: String,
    /// Statements per page, traced while it was verified; none if not traced.
    pub traced: Option<TracedPage>,
    /// The outcome of verification; none if not recorded.
    pub verified: Option<Verification>,
    /// The values of its factors that no proof has.
    pub unproven: Vec<String>,
    pub points: usize,
    /// The best load; none if no point is VALID.
    pub peak: Option<Peak>,
    /// Peaks with a common letter cannot be told apart: `a`, `ab`. Empty where there is nothing to compare, or too
    /// few runs.
    pub letters: String,
    /// The audits of all its points: `sound`, `2 of 9 points unsound`, `not audited`.
    pub audit: String,
    /// True if no audit found a fault.
    pub sound: bool,
    pub rejected: Vec<Rejected>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    pub clients: u32,
    pub repetition: u32,
    pub throughput: f64,
    /// True if requests came and all of them failed.
    pub all_failed: bool,
    pub checks: Vec<CheckId>,
    /// Failed checks with their figures: `errors: 2.1 %, limit: at most 0.1 %`.
    pub reasons: Vec<String>,
}

/// Configurations in the order in which they were named, without letters.
pub fn configurations(result: &ResultReader) -> Vec<ConfigurationSummary> {
    names(result).iter().map(|name| configuration(result, name)).collect()
}

pub(crate) fn ranked(configurations: &[ConfigurationSummary]) -> Vec<(&str, &Peak)> {
    let mut ranked: Vec<(&str, &Peak)> = with_peak(configurations).collect();
    ranked.sort_by(|one, other| other.1.throughput.total_cmp(&one.1.throughput));
    ranked
}

/// Configurations with a peak, as they were named.
pub(crate) fn with_peak(configurations: &[ConfigurationSummary]) -> impl Iterator<Item = (&str, &Peak)> {
    configurations.iter().filter_map(|one| Some((one.name.as_str(), one.peak.as_ref()?)))
}

fn configuration(result: &ResultReader, name: &str) -> ConfigurationSummary {
    let points: Vec<&Point> = measured(result).iter().filter(|point| point.configuration == name).collect();
    let record = result.manifest.configurations.iter().find(|configuration| configuration.name == name);
    let unknown = || "not recorded".to_owned();
    let loads = &result.manifest.spec.loads;
    let has_peak = loads.series() == Series::Curve && !matches!(loads.plan, Plan::Capacity { .. });
    let (audit, sound) = audit(&points);
    ConfigurationSummary {
        name: name.to_owned(),
        statements: record.map_or_else(unknown, |record| record.statements.to_string()),
        traced: record
            .and_then(|record| record.traffic.as_ref())
            .and_then(|traffic| TracedPage::of_mix(traffic, &points.first()?.interactions)),
        verified: record.map(|record| record.verified),
        unproven: record.map_or(Vec::new(), |record| record.unproven.clone()),
        points: points.len(),
        peak: has_peak.then(|| peak(&points, &result.manifest)).flatten(),
        letters: String::new(),
        audit,
        sound,
        rejected: points.iter().filter(|point| !point.verdict.valid).map(|point| rejected(point)).collect(),
    }
}

/// The result of audits in words, and whether they found no fault.
fn audit(points: &[&Point]) -> (String, bool) {
    let audits: Vec<bool> =
        points.iter().filter_map(|point| Some(point.audit.as_ref()?.faults().is_empty())).collect();
    let unsound = audits.iter().filter(|sound| !**sound).count();
    match (audits.len(), unsound) {
        (0, _) => ("not audited".to_owned(), true),
        (_, 0) => ("sound".to_owned(), true),
        (all, unsound) => (format!("{unsound} of {all} unsound"), false),
    }
}

fn rejected(point: &Point) -> Rejected {
    let failing = || point.verdict.checks.iter().filter(|check| !check.passed);
    let reasons =
        failing().map(|check| format!("{}: {}, limit: {}", check.id.name(), check.figure, check.threshold));
    Rejected {
        clients: point.clients,
        repetition: point.repetition,
        throughput: point.throughput,
        all_failed: point.completed + point.refused == 0 && point.failed() > 0,
        checks: failing().map(|check| check.id).collect(),
        reasons: reasons.collect(),
    }
}
