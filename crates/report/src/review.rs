//! Selection of a result's findings, by severity.

mod limitations;

use crate::{
    again::again,
    audits::audits,
    configuration::{ConfigurationSummary, with_peak},
    finding::{Audits, Finding, Group, Kind},
    measured::{measured, names},
    overload_cycle::{Requests, steps_of_cycles},
    peak::{Peak, PeakStatus},
};
use results::{Point, ResultReader, Series, Verb, Verification};
use std::{cmp::Reverse, collections::BTreeMap};

type Concern = fn(&Peak) -> bool;

pub(crate) fn review(result: &ResultReader, configurations: &[ConfigurationSummary]) -> Vec<Finding> {
    let mut kinds = damages(result);
    kinds.extend(of_the_run(result, configurations));
    let mut findings: Vec<Finding> = kinds.iter().map(Kind::finding).collect();
    let kinds = integrity(result);
    findings.extend(kinds.iter().map(Kind::finding));
    findings.extend(again(result));
    let mut kinds = of_peaks(configurations);
    kinds.extend(of_requests(result));
    kinds.extend(invalid(configurations));
    kinds.extend(of_data(result));
    kinds.extend(left_out(result));
    kinds.extend(limitations::limitations(result));
    findings.extend(kinds.iter().map(Kind::finding));
    findings.sort_by_key(|finding| finding.severity);
    findings
}

pub(crate) fn damages(result: &ResultReader) -> Vec<Kind<'_>> {
    result.damages.iter().map(|damage| Kind::Damaged(damage)).collect()
}

fn of_the_run<'a>(result: &'a ResultReader, configurations: &'a [ConfigurationSummary]) -> Vec<Kind<'a>> {
    let manifest = &result.manifest;
    let ended = match &manifest.ending {
        None => Some(Kind::Killed { can_go_on: can_go_on(result) }),
        Some(ending) if !ending.complete => {
            Some(Kind::EndedEarly { reason: ending.reason.as_deref(), can_go_on: can_go_on(result) })
        }
        Some(_) => None,
    };
    let demonstration = manifest.demonstration.iter().map(|reason| Kind::Demonstration(reason));
    let not_verified =
        configurations.iter().filter(|one| !one.verified.is_some_and(Verification::is_settled));
    let not_verified = not_verified.map(|one| Kind::NotVerified {
        configuration: &one.name,
        why: one.verified.map_or_else(|| "not recorded".to_owned(), |verified| verified.to_string()),
    });
    // Before it was measured, only its pages by one mix were compared.
    let unproven = configurations.iter().filter(|one| !one.unproven.is_empty());
    let unproven = unproven.map(|one| Kind::NotVerified {
        configuration: &one.name,
        why: format!("no proof has {}", one.unproven.join(" or ")),
    });
    ended.into_iter().chain(demonstration).chain(not_verified).chain(unproven).collect()
}

/// True if `--resume` would add anything. Of another site's loads all may be measured, or none, which is no begun run.
fn can_go_on(result: &ResultReader) -> bool {
    let spec = &result.manifest.spec;
    let steps = spec.loads.kinds.len() * spec.repetitions as usize;
    spec.verb != Verb::Drive || (1..steps).contains(&result.points.len())
}

/// Lost data and failed points, as one finding. Overload cycles have none: their steps are expected to fail, and they
/// report that themselves.
fn integrity(result: &ResultReader) -> Option<Kind<'static>> {
    if result.manifest.spec.loads.series() == Series::OverloadCycle {
        return None;
    }
    let points = measured(result);
    let invalid = points.iter().filter(|point| !point.verdict.valid).count();
    let audits = audits(result);
    (audits.all > 0 || invalid > 0).then_some(Kind::Integrity { audits, invalid, points: points.len() })
}

/// A finding about several configurations is stated once.
fn of_peaks(configurations: &[ConfigurationSummary]) -> Vec<Kind<'_>> {
    let all = with_peak(configurations).count();
    let group = |concerned: Concern| {
        let peaks: Vec<(&str, u32)> = with_peak(configurations)
            .filter(|(_, peak)| concerned(peak))
            .map(|(name, peak)| (name, peak.clients))
            .collect();
        (!peaks.is_empty()).then_some(Group { is_all: peaks.len() == all, peaks })
    };
    let kinds = [
        group(|peak| peak.peak_status == PeakStatus::NothingAbove).map(Kind::NothingAbove),
        group(|peak| peak.peak_status == PeakStatus::InvalidAbove).map(Kind::InvalidAbove),
        group(|peak| peak.peak_status == PeakStatus::Uncertain).map(Kind::Uncertain),
        group(|peak| !peak.confirmed).map(Kind::NotConfirmed),
        group(|peak| peak.interval.is_none()).map(Kind::NoInterval),
    ];
    kinds.into_iter().flatten().collect()
}

/// Timeouts of each configuration or overload cycle, and the audit of a cycle's data.
fn of_requests(result: &ResultReader) -> Vec<Kind<'_>> {
    let curves = names(result).into_iter().map(|name| {
        let points: Vec<&Point> = result.points.iter().filter(|point| point.configuration == name).collect();
        [timeouts(&points), failures(&points)]
    });
    let cycles = steps_of_cycles(result).into_iter().flat_map(|(_, points)| {
        let audit = points.last().and_then(|last| last.audit.as_ref());
        [timeouts(&points), audit.map(|audit| Kind::CycleAudited { faults: audit.faults() })]
    });
    curves.flatten().chain(cycles).flatten().collect()
}

/// The kinds of errors of INVALID points whose first causes are known.
fn failures<'a>(points: &[&'a Point]) -> Option<Kind<'a>> {
    let failing: Vec<&'a Point> = points.iter().copied().filter(|point| !point.verdict.valid).collect();
    let mut kinds: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for point in &failing {
        for (kind, count) in point.errors.iter().filter(|(_, count)| **count > 0) {
            if let Some(cause) = point.causes.get(kind) {
                kinds.entry(kind).or_insert((0, cause)).0 += count;
            }
        }
    }
    let mut causes: Vec<_> = kinds.into_iter().map(|(kind, (count, cause))| (kind, count, cause)).collect();
    causes.sort_by_key(|(_, count, _)| Reverse(*count));
    let configuration = &failing.first()?.configuration;
    (!causes.is_empty()).then(|| Kind::Failures { configuration, requests: Requests::of(&failing), causes })
}

/// Other sites to which pages of any point refer, the most frequent first.
fn left_out(result: &ResultReader) -> Option<Kind<'_>> {
    let mut sites: BTreeMap<&str, u64> = BTreeMap::new();
    for (site, count) in measured(result).iter().flat_map(|point| &point.left_out) {
        *sites.entry(site).or_default() += count;
    }
    let mut sites: Vec<(&str, u64)> = sites.into_iter().collect();
    sites.sort_by_key(|(_, count)| Reverse(*count));
    (!sites.is_empty()).then_some(Kind::LeftOut(sites))
}

/// None where no request timed out.
fn timeouts<'a>(points: &[&'a Point]) -> Option<Kind<'a>> {
    let (first, requests) = (points.first()?, Requests::of(points));
    let kind = Kind::Timeouts { configuration: &first.configuration, timeout_s: first.timeout_s, requests };
    (requests.timed_out > 0).then_some(kind)
}

fn invalid(configurations: &[ConfigurationSummary]) -> impl Iterator<Item = Kind<'_>> {
    configurations
        .iter()
        .flat_map(|one| one.rejected.iter().map(|point| Kind::Invalid { configuration: &one.name, point }))
}

/// Audit results, and whether the audits could have shown a loss.
fn of_data(result: &ResultReader) -> Vec<Kind<'_>> {
    let audits = audits(result);
    let planted = result.manifest.planted_loss.as_ref().map(Kind::PlantedLoss);
    match audits {
        Audits { all: 0, .. } => Vec::new(),
        audits => [Some(Kind::Audited(audits)), planted].into_iter().flatten().collect(),
    }
}
