//! What a result folder shows of a paper's experiments.

use crate::{Limit, Measured, Name, Peak, Resource, Seen, Workload};
use report::{Passage, curve, summary};
use results::{ResultReader, TierFigures};
use std::collections::BTreeMap;

/// A machine with less than a tenth of its processors' time left has no reserve that a closed load could still use;
/// reports say so too.
const BUSY: f64 = 0.9;

impl Seen {
    /// What a result shows, for configurations by their names without factors. Of two that differ only by factors the
    /// later one counts, so that a result of variants is nothing to judge a paper by.
    ///
    /// `cores` says how many cores the tiers of each role may use together, where they have a machine of their own: 0.3
    /// of a host that gets 30 % of one. Of other roles nobody can say whether their machine is busy.
    pub fn of_result(result: &ResultReader, cores: &BTreeMap<String, f64>) -> Self {
        let manifest = &result.manifest;
        let workload = Workload { application: manifest.application.clone(), mix: manifest.mix.clone() };
        let mut seen = Self::default();
        for standing in summary(result).standings {
            let plain = standing.name.split(',').next().unwrap_or_default().to_owned();
            let measured = Measured {
                peak: counting(standing.peak.as_ref()).map(|peak| taken(peak, cores)),
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

fn taken(peak: &report::Peak, cores: &BTreeMap<String, f64>) -> Peak {
    let machines = machines(&peak.tiers, cores);
    let busiest = machines.iter().max_by(|one, other| one.1.total_cmp(other.1));
    let (limit, evidence) = match busiest.filter(|(_, share)| **share >= BUSY) {
        Some((machine, share)) => {
            let limit = Limit { resource: Resource::Cpu, machine: Some(machine.as_str().into()) };
            (Some(limit), format!("{:.0} % of its CPU is in use", 100.0 * share))
        }
        None => (peak.bottleneck.cause.as_deref().and_then(limit), peak.bottleneck.evidence.clone()),
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

/// The share of each machine's CPU that its tiers use.
fn machines(tiers: &[TierFigures], cores: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    for tier in tiers {
        if let Some(all) = cores.get(&tier.role).filter(|all| **all > 0.0) {
            *shares.entry(tier.role.clone()).or_default() += tier.cores / all;
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
