//! What there is to say of a load whose requests don't wait for one another.

use engine::Outcome;
use stats::{Check, CheckId};

/// The checks that ask for what only clients do who think, or who come back after each answer.
const OF_THINKERS: [CheckId; 5] = [
    CheckId::ThinkTimesMean,
    CheckId::ThinkTimesLaw,
    CheckId::WarmUp,
    CheckId::ClientTime,
    CheckId::CycleLaw,
];

/// At least so much of what is asked for in a window must be answered in it: else requests pile up.
const LEAST_SHARE: f64 = 0.99;

/// Leaves out what is asked of clients who think, and asks whether the site kept up.
pub(super) fn keep_what_applies(checks: &mut Vec<Check>, outcome: &Outcome) {
    checks.retain(|check| !OF_THINKERS.contains(&check.id));
    checks.push(kept_up(outcome));
}

fn kept_up(outcome: &Outcome) -> Check {
    let total = outcome.total();
    let (done, intended) = (total.completed + total.refused, outcome.intended);
    // What was on its way at one edge of the window or the other.
    let edges = f64::from(outcome.clients);
    let passed = done as f64 + edges >= LEAST_SHARE * intended as f64;
    let figure = format!("{done} answers to {intended} requests that were to be made");
    let threshold = format!("at least {:.0} %, but for what is on its way at the edges", 100.0 * LEAST_SHARE);
    Check::new(CheckId::KeptUp, passed, figure, threshold)
}
