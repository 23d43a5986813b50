//! Claims about bottlenecks.

use super::evidence::{Evidence, Finding, Verdict};
use crate::{Bottleneck, Limit, Limits, Name, Paper, Peak, Resource};
use report::{HOST_BUSY, LINK_BUSY};

impl<'a> Evidence<'a> {
    pub(super) fn bottleneck(&self, bottleneck: &'a Bottleneck) -> Vec<Finding> {
        bottleneck.of.iter().map(|name| self.limited(name, &bottleneck.limits)).collect()
    }

    fn limited(&self, name: &'a Name, limits: &Limits) -> Finding {
        let here = self.here(name);
        let peak = match self.peak(&self.claim.experiment, name) {
            Ok(peak) => peak,
            Err(reason) => return Finding::untold(reason),
        };
        match &peak.limit {
            None => Finding::untold(format!("what limits {here} is not known: {}", peak.evidence)),
            Some(limit) if limit.resource == Resource::Generator => {
                Finding::untold(format!("the load generator limits {here} ({}), not the site", peak.evidence))
            }
            Some(limit) => judged(self.paper, here, limit, limits, peak),
        }
    }
}

fn judged(paper: &Paper, here: &str, seen: &Limit, limits: &Limits, peak: &Peak) -> Finding {
    let what = format!("{here} is limited by {seen} ({})", peak.evidence);
    let (claimed, is_denied) = match limits {
        Limits::OneOf(limits) => (limits, false),
        Limits::NoneOf(limits) => (limits, true),
    };
    match is_one_of(paper, seen, claimed, peak) {
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

/// Whether the observed bottleneck is among these; or the reason why that is open.
fn is_one_of(paper: &Paper, seen: &Limit, limits: &[Limit], peak: &Peak) -> Result<bool, String> {
    let is: Vec<_> = limits.iter().map(|limit| is(paper, seen, limit, peak)).collect();
    if is.contains(&Ok(true)) { Ok(true) } else { is.into_iter().find(Result::is_err).unwrap_or(Ok(false)) }
}

/// A report names one bottleneck: the first that it finds among exhausted resources.
fn is(paper: &Paper, seen: &Limit, claimed: &Limit, peak: &Peak) -> Result<bool, String> {
    if seen.resource == claimed.resource {
        match (&seen.machine, &claimed.machine) {
            (_, None) => return Ok(true),
            (None, Some(_)) if !has_its_own(claimed, peak) => {
                return Err(format!("which its tiers share: whether it would be {claimed} is open"));
            }
            (Some(seen), Some(claimed)) if paper.share_a_machine(seen, claimed) => return Ok(true),
            _ => {}
        }
    }
    if is_saturated(claimed, peak) {
        return Err(format!("but {claimed} is saturated as well"));
    }
    // Requests that wait for them hold locks, workers and connections.
    let is_unseen = matches!(claimed.resource, Resource::Memory | Resource::Disk);
    if is_unseen && matches!(seen.resource, Resource::Locks | Resource::Pool) {
        return Err(format!("but whether that waits for {claimed} isn't looked at"));
    }
    Ok(false)
}

fn is_saturated(claimed: &Limit, peak: &Peak) -> bool {
    let most = if claimed.resource == Resource::Network { LINK_BUSY } else { HOST_BUSY };
    used(claimed, peak).any(|share| share >= most)
}

/// Whether the machine in a claim was observed apart from others.
fn has_its_own(claimed: &Limit, peak: &Peak) -> bool {
    used(claimed, peak).next().is_some()
}

/// Utilisation of a claimed resource on each machine concerned.
fn used(claimed: &Limit, peak: &Peak) -> impl Iterator<Item = f64> {
    let shares = match claimed.resource {
        Resource::Cpu => Some(&peak.machines),
        Resource::Network => Some(&peak.links),
        _ => None,
    };
    let is_meant = |machine: &str| claimed.machine.as_ref().is_none_or(|claimed| **claimed == *machine);
    shares.into_iter().flatten().filter(move |(machine, _)| is_meant(machine)).map(|(_, share)| *share)
}
