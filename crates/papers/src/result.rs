//! Observations of a paper's experiments in a result folder.

use crate::{
    Arrival, Arrived, Bound, Limit, Load, Machine, Measured, Name, Observations, Paper, Peak, Resource,
    Searched, Workload,
};
use report::{Cause, CurvePoint, PeakStatus, StartFigures, TierCost, Usage, configurations, curve};
use results::{
    ArrivalFigures, ArrivalsEnd, HostRecord, HostUsageFigures, Plan, Point, Purpose, ResultReader, Series,
    TestbedRecord,
};
use std::collections::BTreeMap;

impl Observations {
    /// Observations of a workload in a result, for a paper's configurations by their names in tierbench. Of two
    /// variants of the same one the later one counts; variants outside the paper are ignored.
    ///
    /// Machines are those of its testbed. Without one all tiers share a machine, so no machine's utilisation is
    /// known.
    pub fn of_result(paper: &Paper, workload: &Workload, result: &ResultReader) -> Self {
        let mut seen = Self::default();
        let loads = &result.manifest.spec.loads;
        if loads.series() == Series::Arrivals {
            let clients = loads.clients();
            for configuration in &result.manifest.configurations {
                let arrived = arrived(result, &configuration.name, &clients);
                seen.add(workload, paper.here(&configuration.name), Measured::Arrived(arrived));
            }
            return seen;
        }
        if let Plan::Capacity { .. } = &loads.plan {
            for configuration in &result.manifest.configurations {
                let sustained = sustained(result, &configuration.name);
                seen.add(workload, paper.here(&configuration.name), Measured::Arrived(sustained));
            }
            return seen;
        }
        let is_listed = loads.plan == Plan::Listed;
        for configuration in configurations(result) {
            let taken = |load: &CurvePoint| taken(paper, load, result.manifest.testbed.as_ref());
            let peak = counting(configuration.peak.as_ref(), is_listed);
            let searched = Searched {
                peak: peak.map(|(peak, bound)| Peak { load: taken(&peak.load()), bound }),
                loads: curve(result, &configuration.name).iter().map(taken).collect(),
            };
            seen.add(workload, paper.here(&configuration.name), Measured::Searched(Box::new(searched)));
        }
        seen
    }
}

fn arrived(result: &ResultReader, configuration: &str, loads: &[u32]) -> Arrived {
    let runs = |clients: u32| {
        let counts = |point: &&Point| {
            point.configuration == configuration && point.clients == clients && point.verdict.valid
        };
        result.arrivals.iter().filter(counts).filter_map(arrival).collect()
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
        response_ms: unfairness
            .map_or(point.response.mean_ms.unwrap_or(f64::NAN), |unfairness| unfairness.mean_ms),
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

/// The most clients with whom an objective is met and their traffic, by confirming start.
fn sustained(result: &ResultReader, configuration: &str) -> Arrived {
    let own: Vec<&Point> =
        result.points.iter().filter(|point| point.configuration == configuration).collect();
    let search = result.manifest.capacity_search(own.iter().copied());
    let by_start = search.map_or_else(Vec::new, |(_, search)| search.by_start());
    if by_start.is_empty() {
        return Arrived::default();
    }
    let confirming: Vec<&Point> = own.into_iter().filter(|point| point.purpose == Purpose::Confirm).collect();
    let of_start = |(clients, [below, _]): (&Option<f64>, &[&Point; 2])| {
        let clients = (*clients)?;
        // Below the capacity clients wait for themselves alone, so that traffic grows as they do.
        let traffic = below.bytes_received as f64 / below.window_s * clients / f64::from(below.clients);
        Some(Arrival { clients: Some(clients), traffic, ..Arrival::default() })
    };
    let starts = by_start.iter().zip(confirming.as_chunks().0);
    let loads = &result.manifest.spec.loads;
    Arrived { loads: [(loads.max_clients(), starts.filter_map(of_start).collect())].into() }
}

/// The peak or the best of listed loads, with how far it goes; or the reason why it doesn't count.
fn counting(peak: Option<&report::Peak>, is_listed: bool) -> Result<(&report::Peak, Bound), String> {
    let peak = peak.ok_or("has no VALID point")?;
    let bound = if is_listed { Ok(Bound::Reached) } else { bound(peak.peak_status, peak.confirmed) };
    bound.map(|bound| (peak, bound)).map_err(str::to_owned)
}

/// Reach of the best load of a search, or the reason why it doesn't count: the winner among many loads that were
/// measured once is too high by chance.
fn bound(peak_status: PeakStatus, confirmed: bool) -> Result<Bound, &'static str> {
    match peak_status {
        _ if !confirmed => Err("has a peak that was not measured again"),
        PeakStatus::Passed | PeakStatus::Saturated => Ok(Bound::Reached),
        PeakStatus::Uncertain => Ok(Bound::AtLeast("may go further with more clients")),
        PeakStatus::InvalidAbove => {
            Ok(Bound::AtLeast("has no VALID point above its best load, so it may go further"))
        }
        PeakStatus::NothingAbove => {
            Ok(Bound::AtLeast("was not driven beyond its best load, so it may go further"))
        }
    }
}

fn taken(paper: &Paper, load: &CurvePoint, testbed: Option<&TestbedRecord>) -> Load {
    let measured = paper.about.machines.iter().find(|machine| machine.is_measured);
    let cost = match measured {
        None => Some(&load.cost),
        Some(machine) => cost_on(paper, machine, load, testbed),
    };
    let TierCost { cpu_ms_of_runs, cpu_ms_of_starts, faults_per_s, system_shares } =
        cost.cloned().unwrap_or_default();
    Load {
        clients: load.clients,
        throughputs: load.throughputs.clone(),
        interval: load.interval,
        cpu_ms: cpu_ms_of_runs,
        faults_per_s,
        system_shares,
        starts: StartFigures { cpu_ms: cpu_ms_of_starts, ..load.starts.clone() },
        machines: shares(paper, load, testbed, cpu_use),
        links: shares(paper, load, testbed, |host, _| host.link_use()),
        limit: load.bottleneck.cause.as_ref().map(|cause| limit(paper, cause, &load.usage, testbed)),
        evidence: load.bottleneck.evidence.clone(),
    }
}

fn cost_on<'p>(
    paper: &Paper,
    machine: &Machine,
    load: &'p CurvePoint,
    testbed: Option<&TestbedRecord>,
) -> Option<&'p TierCost> {
    let record = testbed?.hosts.iter().find(|record| stands_for(record, machine))?;
    let is_its_own = !roles(paper, record, &load.usage).is_empty();
    load.cost_by_host.get(&record.name).filter(|_| is_its_own)
}

/// True if a host has the roles of a machine, and no others.
fn stands_for(record: &HostRecord, machine: &Machine) -> bool {
    let plays = |role: &Name| record.roles.iter().any(|played| **played == **role);
    machine.is_one() && record.roles.len() == machine.roles.len() && machine.roles.iter().all(plays)
}

/// The roles by which claims may call a host: its own, or those of a machine of the paper. None if it has others too,
/// or a tier whose role no host has.
fn roles<'a>(paper: &Paper, record: &'a HostRecord, usage: &Usage) -> &'a [String] {
    let is_a_machine = || paper.about.machines.iter().any(|machine| stands_for(record, machine));
    let host = usage.hosts.iter().find(|host| host.mean.name == record.name);
    let mut tiers = host.into_iter().flat_map(|host| usage.tiers_on(host));
    let is_apart = tiers.all(|tier| record.roles.contains(&tier.role));
    if is_apart && (record.roles.len() == 1 || is_a_machine()) { &record.roles } else { &[] }
}

/// Utilisation of each host with tiers, by its roles.
fn shares(
    paper: &Paper,
    load: &CurvePoint,
    testbed: Option<&TestbedRecord>,
    used: fn(&HostUsageFigures, &HostRecord) -> Option<f64>,
) -> BTreeMap<String, f64> {
    let records = testbed.map_or(&[][..], |testbed| testbed.hosts.as_slice());
    let with_tiers = load.usage.hosts.iter().filter(|host| !host.tiers.is_empty());
    let shares = with_tiers.filter_map(|host| {
        let record = records.iter().find(|record| record.name == host.mean.name)?;
        let share = used(host, record)?;
        Some(roles(paper, record, &load.usage).iter().map(move |role| (role.clone(), share)))
    });
    shares.flatten().collect()
}

/// CPU utilisation of a host's quota or, without one, of its cores.
fn cpu_use(host: &HostUsageFigures, record: &HostRecord) -> Option<f64> {
    let cores = || (!record.cores.is_empty()).then(|| host.mean.cores / record.cores.len() as f64);
    host.cpu_use().or_else(cores)
}

/// The bottleneck in a report, with its machine.
fn limit(paper: &Paper, cause: &Cause, usage: &Usage, testbed: Option<&TestbedRecord>) -> Limit {
    let (resource, machine) = match cause {
        Cause::Machine => (Resource::Cpu, None),
        Cause::Generator => (Resource::Generator, None),
        Cause::HostCpu(host) => (Resource::Cpu, role_of(paper, host, usage, testbed)),
        Cause::Link(host) => (Resource::Network, role_of(paper, host, usage, testbed)),
        Cause::Collector(tier) => (Resource::Collector, Some(tier.role.as_str())),
        Cause::Locks(_, tier) => (Resource::Locks, Some(tier.role.as_str())),
        Cause::Pool(_, tier) => (Resource::Pool, Some(tier.role.as_str())),
    };
    Limit { resource, machine: machine.map(Name::from) }
}

/// The first of the roles by which claims may call a host of the testbed; none if it is shared.
fn role_of<'a>(
    paper: &Paper,
    host: &'a str,
    usage: &Usage,
    testbed: Option<&'a TestbedRecord>,
) -> Option<&'a str> {
    let record = testbed.and_then(|testbed| testbed.hosts.iter().find(|record| record.name == host));
    record.map_or(Some(host), |record| roles(paper, record, usage).first().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_ends_below_invalid_loads_or_at_its_last_one_has_found_a_lower_bound() {
        for (peak_status, why) in [
            (PeakStatus::InvalidAbove, "has no VALID point above its best load, so it may go further"),
            (PeakStatus::NothingAbove, "was not driven beyond its best load, so it may go further"),
            (PeakStatus::Uncertain, "may go further with more clients"),
        ] {
            assert_eq!(bound(peak_status, true), Ok(Bound::AtLeast(why)));
            assert!(bound(peak_status, false).is_err());
        }
    }

    #[test]
    fn a_peak_that_was_passed_counts_once_it_is_confirmed() {
        for peak_status in [PeakStatus::Passed, PeakStatus::Saturated] {
            assert_eq!(bound(peak_status, true), Ok(Bound::Reached));
            assert_eq!(bound(peak_status, false), Err("has a peak that was not measured again"));
        }
    }
}
