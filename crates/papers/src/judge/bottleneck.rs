//! Claims about bottlenecks.

use super::evidence::{Evidence, Finding, Verdict};
use crate::{Bottleneck, Limit, Limits, Load, Measured, Name, Paper, Resource};
use report::{CPU_SATURATED, LINK_BUSY};

impl<'a> Evidence<'a> {
    pub(super) fn bottleneck(&self, bottleneck: &'a Bottleneck) -> Vec<Finding> {
        bottleneck.of.iter().map(|name| self.limited(name, &bottleneck.limits)).collect()
    }

    fn limited(&self, name: &'a Name, limits: &Limits) -> Finding {
        let here = self.here(name);
        let load = match self.of(&self.claim.experiment, name, limiting) {
            Ok(load) => load,
            Err(reason) => return Finding::untold(reason),
        };
        match &load.limit {
            None => Finding::untold(format!("what limits {here} is not known: {}", load.evidence)),
            Some(limit) if limit.resource == Resource::Generator => {
                Finding::untold(format!("the load generator limits {here} ({}), not the site", load.evidence))
            }
            Some(limit) => judged(self.paper, here, limit, limits, load),
        }
    }
}

/// The load that shows what limits a configuration: its peak or, where that shows nothing or doesn't count, the VALID load
/// with the highest throughput at which something is named. One run is enough: a resource that is used up is the limit
/// whether or not more clients were tried.
fn limiting(measured: &Measured) -> Result<&Load, String> {
    let names = |load: &&Load| load.limit.is_some();
    let mean = |load: &Load| load.throughputs.iter().sum::<f64>() / load.throughputs.len() as f64;
    let best = measured.loads().iter().filter(names).max_by(|one, other| mean(one).total_cmp(&mean(other)));
    match (measured.peak(), best) {
        (Ok(peak), None) => Ok(peak),
        (Ok(peak), Some(_)) if peak.limit.is_some() => Ok(peak),
        (_, Some(best)) => Ok(best),
        (Err(reason), None) => Err(reason),
    }
}

fn judged(paper: &Paper, here: &str, seen: &Limit, limits: &Limits, load: &Load) -> Finding {
    let what = format!("{here} is limited by {seen} ({})", load.evidence);
    let (claimed, is_denied) = match limits {
        Limits::OneOf(limits) => (limits, false),
        Limits::NoneOf(limits) => (limits, true),
    };
    match is_one_of(paper, seen, claimed, load) {
        Ok(is) => {
            let reason = if is { what } else { format!("{what}, not by {}", either(claimed)) };
            Finding::plain(Verdict::of(Some(is != is_denied)), reason)
        }
        Err(open) => Finding::untold(format!("{what}, {open}")),
    }
}

/// `a`, `a or b`, `a, b or c`.
fn either(limits: &[Limit]) -> String {
    let named: Vec<String> = limits.iter().map(Limit::to_string).collect();
    match named.as_slice() {
        [first @ .., before, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{before} or {last}")
        }
        _ => named.concat(),
    }
}

/// True if the observed bottleneck is among these; or the reason why that is open.
fn is_one_of(paper: &Paper, seen: &Limit, limits: &[Limit], load: &Load) -> Result<bool, String> {
    let is: Vec<_> = limits.iter().map(|limit| is(paper, seen, limit, load)).collect();
    if is.contains(&Ok(true)) { Ok(true) } else { is.into_iter().find(Result::is_err).unwrap_or(Ok(false)) }
}

/// A report names one bottleneck: the first that it finds among exhausted resources.
fn is(paper: &Paper, seen: &Limit, claimed: &Limit, load: &Load) -> Result<bool, String> {
    if seen.resource == claimed.resource {
        match (&seen.machine, &claimed.machine) {
            (_, None) => return Ok(true),
            (None, Some(_)) if !has_its_own(claimed, load) => {
                return Err(format!("which its tiers share: whether it would be {claimed} is open"));
            }
            (Some(seen), Some(claimed)) if paper.share_a_machine(seen, claimed) => return Ok(true),
            _ => {}
        }
    }
    if is_saturated(claimed, load) {
        return Err(format!("but {claimed} is saturated as well"));
    }
    // Requests that wait for them hold locks, workers and connections.
    let is_unseen = matches!(claimed.resource, Resource::Memory | Resource::Disk);
    if is_unseen && matches!(seen.resource, Resource::Locks | Resource::Pool) {
        return Err(format!("but whether that waits for {claimed} isn't looked at"));
    }
    Ok(false)
}

fn is_saturated(claimed: &Limit, load: &Load) -> bool {
    let most = if claimed.resource == Resource::Network { LINK_BUSY } else { CPU_SATURATED };
    used(claimed, load).any(|share| share >= most)
}

/// True if the machine in a claim was observed apart from others.
fn has_its_own(claimed: &Limit, load: &Load) -> bool {
    used(claimed, load).next().is_some()
}

/// Utilisation of a claimed resource on each machine concerned.
fn used(claimed: &Limit, load: &Load) -> impl Iterator<Item = f64> {
    let shares = match claimed.resource {
        Resource::Cpu => Some(&load.machines),
        Resource::Network => Some(&load.links),
        _ => None,
    };
    let is_meant = |machine: &str| claimed.machine.as_ref().is_none_or(|claimed| **claimed == *machine);
    shares.into_iter().flatten().filter(move |(machine, _)| is_meant(machine)).map(|(_, share)| *share)
}
