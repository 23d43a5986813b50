//! Claims that no request fails.

use super::evidence::{Evidence, Finding, Verdict};
use crate::{Arrival, Measured, NoErrors};

impl<'a> Evidence<'a> {
    pub(super) fn no_errors(&self, none: &'a NoErrors) -> Vec<Finding> {
        none.of.iter().map(|name| self.answers_all(name)).collect()
    }

    /// True if all requests succeed at all loads. One failed request refutes that.
    fn answers_all(&self, name: &'a str) -> Finding {
        let here = self.here(name);
        let arrived = match self.of(&self.claim.experiment, name, Measured::arrived) {
            Ok(arrived) => arrived,
            Err(reason) => return Finding::untold(reason),
        };
        let sum = |count: fn(&Arrival) -> u64| arrived.loads.values().flatten().map(count).sum::<u64>();
        let (failed, all) = (sum(|run| run.failed), sum(|run| run.requests));
        let unknown: Vec<String> = arrived
            .loads
            .iter()
            .filter(|(_, runs)| runs.is_empty())
            .map(|(load, _)| load.to_string())
            .collect();
        if failed > 0 {
            Finding::plain(Verdict::NoLongerHolds, format!("of {here}, {failed} of {all} requests failed"))
        } else if all > 0 && unknown.is_empty() {
            Finding::plain(Verdict::Holds, format!("{here} answered all of {all} requests"))
        } else {
            Finding::untold(format!("{here} has no VALID run of the load of {}", unknown.join(", ")))
        }
    }
}
