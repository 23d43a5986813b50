//! Claims about what limits a configuration.

use super::{Bench, Finding, Verdict};
use crate::{Bottleneck, Limit, Limits, Name, Peak, Resource};

impl<'a> Bench<'a> {
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
            Some(limit) => judged(here, limit, limits, peak),
        }
    }
}

fn judged(here: &str, seen: &Limit, limits: &Limits, peak: &Peak) -> Finding {
    let (claimed, decided) = match limits {
        Limits::OneOf(limits) => (limits, is_one_of(seen, limits)),
        Limits::NoneOf(limits) => (limits, is_one_of(seen, limits).map(|is| !is)),
    };
    let what = format!("{here} is limited by {seen} ({})", peak.evidence);
    let named = either(claimed);
    let reason = match (limits, decided) {
        (_, None) => format!("{what}, which its tiers share: whether it would be {named} is open"),
        (Limits::OneOf(_), Some(true)) | (Limits::NoneOf(_), Some(false)) => what,
        (Limits::OneOf(_), Some(false)) | (Limits::NoneOf(_), Some(true)) => {
            format!("{what}, not by {named}")
        }
    };
    Finding::plain(Verdict::of(decided), reason)
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

/// Whether what was seen is among these; none where the machine that was seen is shared.
fn is_one_of(seen: &Limit, limits: &[Limit]) -> Option<bool> {
    let is: Vec<Option<bool>> = limits.iter().map(|limit| is(seen, limit)).collect();
    if is.contains(&Some(true)) {
        Some(true)
    } else if is.contains(&None) {
        None
    } else {
        Some(false)
    }
}

fn is(seen: &Limit, claimed: &Limit) -> Option<bool> {
    if seen.resource != claimed.resource {
        return Some(false);
    }
    match (&seen.machine, &claimed.machine) {
        (_, None) => Some(true),
        (None, Some(_)) => None,
        (Some(seen), Some(claimed)) => Some(seen == claimed),
    }
}
