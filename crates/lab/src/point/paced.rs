//! What there is to say of a load whose requests or sessions don't wait for one another.

use engine::{Outcome, PaceUnit};
use stats::{Check, CheckId};

/// The checks that ask for what only clients do who are there all the time.
const OF_A_CONSTANT_NUMBER: [CheckId; 3] = [CheckId::WarmUp, CheckId::ClientTime, CheckId::CycleLaw];

/// The checks that ask for what only clients do who think.
const OF_THINKERS: [CheckId; 2] = [CheckId::ThinkTimesMean, CheckId::ThinkTimesLaw];

/// At least so much of what is asked for in a window must be answered in it: else requests pile up.
const LEAST_SHARE: f64 = 0.99;

/// Leaves out what does not apply, and asks whether the site kept up. Of sessions that find no room, their first requests
/// are not sent, which is a check of all loads.
pub(super) fn keep_what_applies(checks: &mut Vec<Check>, unit: PaceUnit, outcome: &Outcome) {
    checks.retain(|check| !OF_A_CONSTANT_NUMBER.contains(&check.id));
    match unit {
        PaceUnit::Request => {
            checks.retain(|check| !OF_THINKERS.contains(&check.id));
            checks.push(kept_up(outcome));
        }
        // How far shares scatter is known of users who are there for the whole window.
        PaceUnit::Session => checks.retain(|check| check.id != CheckId::VisitedMix),
    }
}

fn kept_up(outcome: &Outcome) -> Check {
    let total = outcome.total();
    let (done, intended) = (total.completed + total.refused, outcome.intended);
    // What was on its way at one edge of a stretch or the other.
    let edges = f64::from(outcome.clients) * outcome.stretches.len() as f64;
    let passed = done as f64 + edges >= LEAST_SHARE * intended as f64;
    let figure = format!("{done} answers to {intended} requests that were to be made");
    let threshold = format!("at least {:.0} %, but for what is on its way at the edges", 100.0 * LEAST_SHARE);
    Check::new(CheckId::KeptUp, passed, figure, threshold)
}
