//! What a result folder shows of a paper's experiments.

use crate::{Limit, Measured, Name, Peak, Resource, Seen, Workload};
use report::{Passage, curve, summary};
use results::{ResultReader, ShareFigures, TestbedRecord};

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
    Peak {
        clients: peak.clients,
        throughputs: peak.throughputs.clone(),
        cpu_ms: peak.cpu_ms_of_runs.clone(),
        machines: peak.hosts.iter().filter_map(|host| machine(host, testbed?)).collect(),
        limit: peak.bottleneck.cause.as_deref().and_then(|cause| limit(cause, testbed)),
        evidence: peak.bottleneck.evidence.clone(),
    }
}

/// The share of its CPU that a host used, by the role for which the testbed has it. One on which nothing ran, or that has
/// several roles, is no machine of anybody's own.
fn machine(host: &ShareFigures, testbed: &TestbedRecord) -> Option<(String, f64)> {
    let record = testbed.hosts.iter().find(|record| record.name == host.mean.name)?;
    let cores = || (!record.cores.is_empty()).then(|| host.mean.cores / record.cores.len() as f64);
    let share = host.cpu_use().or_else(cores)?;
    match record.roles.as_slice() {
        [role] if !host.tiers.is_empty() => Some((role.clone(), share)),
        _ => None,
    }
}

/// The limit that a report names: `the CPU of this machine`, `the CPU of web` for a host, `the link of web`, `table locks
/// of db (mariadb)`, `the workers of web (apache)`.
fn limit(cause: &str, testbed: Option<&TestbedRecord>) -> Option<Limit> {
    if cause == "the load generator" {
        return Some(Limit { resource: Resource::Generator, machine: None });
    }
    let (what, whose) = cause.split_once(" of ")?;
    let resource = match what {
        "the CPU" => Resource::Cpu,
        "the link" => Resource::Network,
        locks if locks.ends_with(" locks") => Resource::Locks,
        collector if collector.contains("collector") => Resource::Collector,
        _ => Resource::Pool,
    };
    let host = testbed.and_then(|testbed| testbed.hosts.iter().find(|host| host.name == whose));
    let machine = match host.map(|host| host.roles.as_slice()) {
        Some([role]) => Some(role.as_str()),
        // It is nobody's own.
        Some(_) => None,
        None => whose.split(' ').next().filter(|_| whose != "this machine"),
    };
    Some(Limit { resource, machine: machine.map(Name::from) })
}
