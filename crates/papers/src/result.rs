//! What a result folder shows of a paper's experiments.

use crate::{Limit, Measured, Name, Peak, Resource, Seen, Workload};
use report::{Passage, curve, summary};
use results::{HostRecord, ResultReader, TestbedRecord, TierFigures};
use std::collections::BTreeMap;

/// A machine with less than a tenth of its processors' time left has no reserve that a closed load could still use;
/// reports say so too.
const BUSY: f64 = 0.9;

impl Seen {
    /// What a result shows, for configurations by their names without factors. Of two that differ only by factors the
    /// later one counts, so that a result of variants is nothing to judge a paper by.
    ///
    /// Machines are those of its testbed. Without one nobody can say which machine would be busy: all tiers share one.
    pub fn of_result(result: &ResultReader) -> Self {
        let manifest = &result.manifest;
        let workload = Workload { application: manifest.application.clone(), mix: manifest.mix.clone() };
        let mut seen = Self::default();
        for standing in summary(result).standings {
            let plain = standing.name.split(',').next().unwrap_or_default().to_owned();
            let peak = counting(standing.peak.as_ref());
            let measured = Measured {
                peak: peak.map(|peak| taken(peak, manifest.testbed.as_ref())),
                curve: curve(result, &standing.name),
            };
            seen.add(workload.clone(), plain, measured);
        }
        seen
    }
}

/// The peak, if it is one; or why it isn't.
fn counting(peak: Option<&report::Peak>) -> Result<&report::Peak, String> {
    let peak = peak.ok_or("has no VALID point")?;
    match peak.passage {
        _ if !peak.confirmed => Err("has a peak that was not measured again".to_owned()),
        Passage::Passed => Ok(peak),
        Passage::Uncertain => Err("may go further with more clients".to_owned()),
        Passage::InvalidAbove => {
            Err("has no VALID point above its best load, so it may go further".to_owned())
        }
        Passage::NothingAbove => Err("was not driven beyond its best load, so it may go further".to_owned()),
    }
}

fn taken(peak: &report::Peak, testbed: Option<&TestbedRecord>) -> Peak {
    let machines = machines(&peak.tiers, testbed);
    let reported = peak.bottleneck.cause.as_deref().and_then(limit);
    // Reports know the CPU of a whole machine only, and look at collectors first: those may be what keeps it busy.
    let collector = reported.as_ref().is_some_and(|limit| limit.resource == Resource::Collector);
    let busiest = machines.iter().max_by(|one, other| one.1.total_cmp(other.1));
    let (limit, evidence) = match busiest.filter(|(_, share)| !collector && **share >= BUSY) {
        Some((machine, share)) => {
            let limit = Limit { resource: Resource::Cpu, machine: Some(machine.as_str().into()) };
            (Some(limit), format!("{:.0} % of it in use", 100.0 * share))
        }
        None => (reported, peak.bottleneck.evidence.clone()),
    };
    Peak {
        clients: peak.clients,
        throughputs: peak.throughputs.clone(),
        cpu_ms: peak.cpu_ms_of_runs.clone(),
        machines,
        limit,
        evidence,
    }
}

/// The share of each machine's CPU that its tiers use, by the role for which the testbed has it.
fn machines(tiers: &[TierFigures], testbed: Option<&TestbedRecord>) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    let hosts: &[HostRecord] = testbed.map_or(&[], |testbed| &testbed.hosts);
    for tier in tiers {
        // A host with several roles is no machine of anybody's own.
        let alone = |host: &&HostRecord| host.roles == [tier.role.as_str()];
        if let Some(host) = hosts.iter().find(alone) {
            let cores = host.cpu.unwrap_or(host.cores.len() as f64);
            *shares.entry(tier.role.clone()).or_default() += tier.cores / cores;
        }
    }
    shares
}

/// The limit that a report names: `the CPU of this machine`, `table locks of db (mariadb)`, `the workers of web (apache)`.
fn limit(cause: &str) -> Option<Limit> {
    if cause == "the load generator" {
        return Some(Limit { resource: Resource::Generator, machine: None });
    }
    let (what, whose) = cause.split_once(" of ")?;
    let resource = match what {
        "the CPU" => Resource::Cpu,
        locks if locks.ends_with(" locks") => Resource::Locks,
        link if link.contains("link") || link.contains("network") => Resource::Network,
        collector if collector.contains("collector") => Resource::Collector,
        _ => Resource::Pool,
    };
    let machine = whose.split(' ').next().filter(|_| whose != "this machine").map(Name::from);
    Some(Limit { resource, machine })
}
