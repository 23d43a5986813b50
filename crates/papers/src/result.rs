//! What a result folder shows of a paper's experiments.

use crate::{
    Arrival, Arrived, Limit, Measured, Name, Observations, Paper, Peak, Resource, Searched, Workload,
};
use report::{Cause, PeakStatus, configurations, curve};
use results::{
    ArrivalFigures, ArrivalsEnd, HostRecord, HostUsageFigures, LoadPlan, Point, ResultReader, TestbedRecord,
};
use std::collections::BTreeMap;

impl Observations {
    /// What a result shows of a workload, for a paper's configurations by their names here. Of two variants of the same one
    /// the later one counts, so that a result of others than the paper's is nothing to judge it by.
    ///
    /// Machines are those of its testbed. Without one nobody can say which machine would be busy: all tiers share one.
    pub fn of_result(paper: &Paper, workload: &Workload, result: &ResultReader) -> Self {
        let mut seen = Self::default();
        if let LoadPlan::Arrivals { clients, .. } = &result.manifest.spec.loads {
            for configuration in &result.manifest.configurations {
                let arrived = arrived(result, &configuration.name, clients);
                seen.add(workload, paper.here(&configuration.name), Measured::Arrived(arrived));
            }
            return seen;
        }
        let is_listed = matches!(&result.manifest.spec.loads, LoadPlan::Listed(_));
        for configuration in configurations(result) {
            let peak = counting(configuration.peak.as_ref(), is_listed);
            let searched = Searched {
                peak: peak.map(|peak| taken(peak, result.manifest.testbed.as_ref())),
                curve: curve(result, &configuration.name),
            };
            seen.add(workload, paper.here(&configuration.name), Measured::Searched(Box::new(searched)));
        }
        seen
    }
}

/// What was measured of a configuration at each of the loads that were planned.
fn arrived(result: &ResultReader, configuration: &str, loads: &[u32]) -> Arrived {
    let runs = |clients: u32| {
        let counts = |point: &&Point| {
            point.configuration == configuration && point.clients == clients && point.verdict.valid
        };
        result.arrived.iter().filter(counts).filter_map(arrival).collect()
    };
    Arrived { loads: loads.iter().map(|clients| (*clients, runs(*clients))).collect() }
}

fn arrival(point: &Point) -> Option<Arrival> {
    let ArrivalFigures { ended, first_timeout_at, by_concurrency, unfairness, .. } =
        point.arrivals.as_ref()?;
    let first_timeout_at = first_timeout_at.filter(|_| *ended == ArrivalsEnd::Unanswered);
    Some(Arrival {
        clients: first_timeout_at.map(f64::from),
        traffic: point.bytes_received as f64 / point.window_s,
        response_ms: unfairness.map_or(point.response.mean_ms, |unfairness| unfairness.mean_ms),
        deviation_ms: unfairness.map(|unfairness| unfairness.deviation_ms),
        p90_over_p10: unfairness.map(|unfairness| unfairness.p90_over_p10()),
        failed: point.failed(),
        requests: point.completed + point.refused + point.failed(),
        by_concurrency: by_concurrency
            .iter()
            .filter(|one| one.completed > 0)
            .map(|one| (one.there, one.mean_ms))
            .collect(),
    })
}

/// The peak, if it is one, or the best of listed loads; or why it doesn't count.
fn counting(peak: Option<&report::Peak>, is_listed: bool) -> Result<&report::Peak, String> {
    let peak = peak.ok_or("has no VALID point")?;
    match if is_listed { None } else { why_not(peak.peak_status, peak.confirmed) } {
        Some(why) => Err(why.to_owned()),
        None => Ok(peak),
    }
}

/// Why the best load that a search has found is no peak.
fn why_not(peak_status: PeakStatus, confirmed: bool) -> Option<&'static str> {
    match peak_status {
        _ if !confirmed => Some("has a peak that was not measured again"),
        PeakStatus::Passed | PeakStatus::Saturated => None,
        PeakStatus::Uncertain => Some("may go further with more clients"),
        PeakStatus::InvalidAbove => Some("has no VALID point above its best load, so it may go further"),
        PeakStatus::NothingAbove => Some("was not driven beyond its best load, so it may go further"),
    }
}

fn taken(peak: &report::Peak, testbed: Option<&TestbedRecord>) -> Peak {
    Peak {
        clients: peak.clients,
        throughputs: peak.throughputs.clone(),
        cpu_ms: peak.cpu_ms_of_runs.clone(),
        starts: peak.starts.clone(),
        machines: shares(peak, testbed, cpu_use),
        links: shares(peak, testbed, |host, _| host.link_use()),
        limit: peak.bottleneck.cause.as_ref().map(|cause| limit(cause, testbed)),
        evidence: peak.bottleneck.evidence.clone(),
    }
}

/// How much of something each host with tiers used, by the role for which the testbed has it. One that has several roles is
/// no machine of anybody's own.
fn shares(
    peak: &report::Peak,
    testbed: Option<&TestbedRecord>,
    used: fn(&HostUsageFigures, &HostRecord) -> Option<f64>,
) -> BTreeMap<String, f64> {
    let records = testbed.map_or(&[][..], |testbed| testbed.hosts.as_slice());
    let share = |host: &HostUsageFigures| {
        let record = records.iter().find(|record| record.name == host.mean.name)?;
        match record.roles.as_slice() {
            [role] if !host.tiers.is_empty() => Some((role.clone(), used(host, record)?)),
            _ => None,
        }
    };
    peak.usage.hosts.iter().filter_map(share).collect()
}

/// The share of a host's CPU quota that is in use; of one without a quota, of its cores.
fn cpu_use(host: &HostUsageFigures, record: &HostRecord) -> Option<f64> {
    let cores = || (!record.cores.is_empty()).then(|| host.mean.cores / record.cores.len() as f64);
    host.cpu_use().or_else(cores)
}

/// The limit that a report has found, and whose it is.
fn limit(cause: &Cause, testbed: Option<&TestbedRecord>) -> Limit {
    let (resource, machine) = match cause {
        Cause::Machine => (Resource::Cpu, None),
        Cause::Generator => (Resource::Generator, None),
        Cause::HostCpu(host) => (Resource::Cpu, role_of(host, testbed)),
        Cause::Link(host) => (Resource::Network, role_of(host, testbed)),
        Cause::Collector(tier) => (Resource::Collector, Some(tier.role.as_str())),
        Cause::Locks(_, tier) => (Resource::Locks, Some(tier.role.as_str())),
        Cause::Pool(_, tier) => (Resource::Pool, Some(tier.role.as_str())),
    };
    Limit { resource, machine: machine.map(Name::from) }
}

/// The role that a host of the testbed plays alone; none if it is nobody's own.
fn role_of<'a>(host: &'a str, testbed: Option<&'a TestbedRecord>) -> Option<&'a str> {
    let record = testbed.and_then(|testbed| testbed.hosts.iter().find(|record| record.name == host));
    match record.map(|record| record.roles.as_slice()) {
        Some([role]) => Some(role.as_str()),
        Some(_) => None,
        None => Some(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_ends_below_invalid_loads_or_at_its_last_one_has_found_no_peak() {
        for (peak_status, why) in [
            (PeakStatus::InvalidAbove, "has no VALID point above its best load, so it may go further"),
            (PeakStatus::NothingAbove, "was not driven beyond its best load, so it may go further"),
            (PeakStatus::Uncertain, "may go further with more clients"),
        ] {
            assert_eq!(why_not(peak_status, true), Some(why));
        }
    }

    #[test]
    fn a_peak_that_was_passed_counts_once_it_is_confirmed() {
        for peak_status in [PeakStatus::Passed, PeakStatus::Saturated] {
            assert_eq!(why_not(peak_status, true), None);
            assert_eq!(why_not(peak_status, false), Some("has a peak that was not measured again"));
        }
    }
}
