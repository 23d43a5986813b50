//! Limits of a result, as much part of it as its figures.

use crate::{
    finding::Kind,
    measured::{all_points, measured},
    words::{checks, is_open},
};
use results::{
    ConfigurationRecord, Manifest, Plan, Point, Purpose, ResultReader, Separation, Series, Statements,
    Verification, WarmUp, WorkloadModel,
};
use std::collections::BTreeMap;

/// Shorter windows miss events that recur at this period, in seconds.
const SLOW_S: f64 = 300.0;
/// Runs needed to see their scatter.
const ENOUGH_RUNS: u32 = 3;

pub(super) fn limitations(result: &ResultReader) -> Vec<Kind<'_>> {
    let manifest = &result.manifest;
    let is_external = manifest.configurations.iter().any(|one| one.verified == Verification::External);
    let mut kinds =
        if is_external { vec![Kind::ExternalServers, Kind::ExternalNeighbours] } else { around(manifest) };
    kinds.extend(closed_loop(result));
    if !is_external {
        kinds.extend(warm_rows(measured(result)));
    }
    kinds.extend(not_judged(measured(result)));
    kinds.extend(few_runs(manifest));
    kinds.extend(made_up(result));
    if !is_external {
        kinds.extend(of_scales(manifest));
    }
    kinds.extend(slow_changes(result));
    if !is_external {
        kinds.extend(of_the_site(result));
    }
    kinds
}

fn around(manifest: &Manifest) -> Vec<Kind<'_>> {
    let mut kinds = match &manifest.testbed {
        Some(testbed) if testbed.separation == Separation::Namespaces => {
            vec![Kind::SharedHosts, Kind::IdealLinks]
        }
        Some(testbed) if testbed.separation == Separation::Machines => Vec::new(),
        testbed => {
            let cores = manifest.host.cores;
            vec![Kind::SharedMachine { cores, has_testbed: testbed.is_some() }, Kind::Loopback]
        }
    };
    if manifest.testbed.is_none() {
        kinds.extend(shared_roles(&manifest.configurations));
    }
    kinds.push(Kind::PagesOnly);
    kinds
}

/// Clients who wait for the site come no sooner than it lets them: all of a closed workload, and of a partly open one those who
/// are there.
fn closed_loop(result: &ResultReader) -> Option<Kind<'static>> {
    let models = measured(result).iter().map(|point| point.kind.workload_model());
    match models.min().unwrap_or(WorkloadModel::Closed) {
        WorkloadModel::Open => None,
        WorkloadModel::PartlyOpen => Some(Kind::ClosedAfterFirst),
        WorkloadModel::Closed => Some(Kind::ClosedLoop),
    }
}

/// Without restored data, servers that warm longer begin their window with more rows.
fn warm_rows(points: &[Point]) -> Option<Kind<'static>> {
    let is_left = |warm_up: &WarmUp| warm_up.restore.is_none() && warm_up.writes > 0;
    let left = points.iter().filter_map(|point| point.warm_up.filter(is_left));
    let interactions = left.map(|warm_up| warm_up.interactions);
    Some(Kind::WarmRows { least: interactions.clone().min()?, most: interactions.max()? })
}

/// Properties that the points' checks left out.
fn not_judged(points: &[Point]) -> Option<Kind<'_>> {
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for name in points.iter().flat_map(|point| checks(point, is_open)) {
        *open.entry(name).or_default() += 1;
    }
    let kind = Kind::NotJudged { checks: open.into_iter().collect(), points: points.len() };
    points.iter().any(|point| point.verdict.checks.iter().any(is_open)).then_some(kind)
}

fn few_runs(manifest: &Manifest) -> Option<Kind<'static>> {
    let has_intervals = match manifest.spec.loads.series() {
        Series::Curve if manifest.spec.loads.plan == Plan::Listed => true,
        Series::Arrivals => false,
        Series::Curve | Series::OverloadCycle => return None,
    };
    let repetitions = manifest.spec.repetitions;
    (repetitions < ENOUGH_RUNS).then_some(Kind::FewRuns { repetitions, has_intervals })
}

/// Starts beyond those that were asked for.
fn made_up(result: &ResultReader) -> Option<Kind<'static>> {
    let is_compared =
        |point: &&Point| point.start.is_some() && matches!(point.purpose, Purpose::Listed | Purpose::Confirm);
    let repetitions = measured(result).iter().filter(is_compared).map(|point| point.repetition);
    let starts = repetitions.max()?.saturating_sub(result.manifest.spec.repetitions);
    (starts > 0).then_some(Kind::MadeUp { starts })
}

fn of_scales(manifest: &Manifest) -> Vec<Kind<'static>> {
    let differs_from_one = |factor: &f64| (factor - 1.0).abs() > 1e-9;
    let time = Some(manifest.spec.time_scale).filter(differs_from_one).map(Kind::TimeScale);
    let data = Some(manifest.spec.scale).filter(differs_from_one).map(Kind::DataScale);
    time.into_iter().chain(data).collect()
}

fn slow_changes(result: &ResultReader) -> Option<Kind<'static>> {
    let longest = result.arrivals.iter().map(|load| load.window_s).reduce(f64::max);
    let seconds = longest.unwrap_or(result.manifest.spec.window_s);
    (seconds < SLOW_S).then_some(Kind::SlowChanges { seconds, of_load: longest.is_some() })
}

/// Unknown properties of servers, data and statements.
fn of_the_site(result: &ResultReader) -> Vec<Kind<'_>> {
    let not_profiled = result.profiled.is_empty().then_some(Kind::NotProfiled);
    let was_audited = all_points(result).any(|point| point.audit.is_some());
    let free: Vec<&ConfigurationRecord> =
        result.manifest.configurations.iter().filter(|one| one.statements != Statements::Exact).collect();
    let free = (!free.is_empty()).then_some(Kind::FreeStatements(free));
    not_profiled.into_iter().chain([Kind::Durability { was_audited }]).chain(free).collect()
}

fn shared_roles(configurations: &[ConfigurationRecord]) -> Option<Kind<'_>> {
    let mut having: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for configuration in configurations {
        let mut roles: Vec<&str> =
            configuration.services.iter().map(|service| service.role.as_str()).collect();
        roles.dedup();
        match having.iter_mut().find(|(known, _)| *known == roles) {
            Some((_, names)) => names.push(&configuration.name),
            None => having.push((roles, vec![&configuration.name])),
        }
    }
    having.retain(|(roles, _)| roles.len() > 1);
    (!having.is_empty()).then_some(Kind::SharedRoles(having))
}
