//! What there is to say of a load whose users arrived.

use crate::plan::{LoadModel, Timing};
use engine::{Answers, Outcome};
use results::{ArrivalFigures, ArrivalsEnd, ConcurrencyFigures, Unfairness};
use stats::{Check, CheckId};

/// The checks that mean something where nothing is steady: those of the generator and of the machine.
const CHECKS: [CheckId; 7] = [
    CheckId::GeneratorCpu,
    CheckId::Lateness,
    CheckId::DroppedSends,
    CheckId::Completed,
    CheckId::Steal,
    CheckId::OtherProcesses,
    CheckId::HostsGotCpu,
];

/// More of them, where they aren't what is counted, and the figures are not those of a working site.
const ERROR_SHARE: f64 = 0.001;

/// Leaves out what is asked of users who are there all the time, and asks instead what may be asked of these.
pub(super) fn keep_what_applies(checks: &mut Vec<Check>, model: &LoadModel, outcome: &Outcome) {
    checks.retain(|check| CHECKS.contains(&check.id));
    if !model.counts_errors() {
        checks.push(errors(model, outcome));
    }
}

/// The one that ends the load is what was looked for.
fn errors(model: &LoadModel, outcome: &Outcome) -> Check {
    let total = outcome.total();
    let looked_for = u64::from(ended(model, outcome) == ArrivalsEnd::Unanswered);
    let failed = total.errors().saturating_sub(looked_for);
    let share = if failed == 0 { 0.0 } else { failed as f64 / total.requests() as f64 };
    let figure = format!("{:.3} % ({failed} of {})", 100.0 * share, total.requests());
    let besides = if model.ends_unanswered() { ", besides the one that ends it" } else { "" };
    let threshold = format!("at most {} %{besides}", 100.0 * ERROR_SHARE);
    Check::new(CheckId::Errors, share <= ERROR_SHARE, figure, threshold)
}

fn ended(model: &LoadModel, outcome: &Outcome) -> ArrivalsEnd {
    let unanswered = outcome.total().unanswered();
    match model.ends_unanswered() && unanswered > 0 {
        true => ArrivalsEnd::Unanswered,
        false if model.counts_errors() => ArrivalsEnd::AllGone,
        false => ArrivalsEnd::Over,
    }
}

pub(super) fn figures(outcome: &Outcome, model: &LoadModel, clients: u32, timing: &Timing) -> ArrivalFigures {
    ArrivalFigures {
        model: model.name.clone(),
        users: outcome.by_user.len() as u32,
        every_s: model.every(clients, timing.time_scale).as_secs_f64(),
        ended: ended(model, outcome),
        first_timeout_at: outcome.first_timeout_at,
        by_concurrency: (0..)
            .zip(&outcome.by_concurrency)
            .filter_map(|(there, answers)| crowd(there, answers))
            .collect(),
        unfairness: model.counts_errors().then(|| unfairness(outcome)).flatten(),
    }
}

/// Nothing where nobody asked.
fn crowd(there: u32, answers: &Answers) -> Option<ConcurrencyFigures> {
    let Answers { pages, failed, longest, .. } = answers;
    (pages.count + failed > 0).then(|| ConcurrencyFigures {
        there,
        completed: pages.count,
        failed: *failed,
        mean_ms: pages.mean().as_secs_f64() * 1e3,
        deviation_ms: answers.deviation_s().map(|deviation| deviation * 1e3),
        max_ms: longest.as_secs_f64() * 1e3,
    })
}

fn unfairness(outcome: &Outcome) -> Option<Unfairness> {
    let later = &outcome.by_user[outcome.by_user.len() / 2..];
    let answered = later.iter().filter(|answers| answers.pages.count > 0);
    Unfairness::of(answered.map(|answers| answers.pages.mean().as_secs_f64() * 1e3).collect())
}
