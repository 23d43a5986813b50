//! Figures of a load whose users arrived.

use engine::{Answers, Outcome};
use results::{ArrivalFigures, ArrivalsEnd, ConcurrencyFigures, Unfairness};
use workload::ArrivalLoad;

fn ended(load: &ArrivalLoad, outcome: &Outcome) -> ArrivalsEnd {
    match load.counts_errors() {
        _ if load.ends_unanswered && outcome.total().unanswered() > 0 => ArrivalsEnd::Unanswered,
        true => ArrivalsEnd::AllGone,
        false => ArrivalsEnd::Over,
    }
}

pub(super) fn figures(outcome: &Outcome, load: &ArrivalLoad) -> ArrivalFigures {
    ArrivalFigures {
        users: outcome.visitors.len() as u32,
        ended: ended(load, outcome),
        first_timeout_at: outcome.first_timeout_at(),
        by_concurrency: (0..)
            .zip(outcome.by_concurrency())
            .filter_map(|(there, answers)| crowd(there, &answers))
            .collect(),
        unfairness: load.counts_errors().then(|| unfairness(outcome)).flatten(),
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
    let users = outcome.by_user();
    let answered = users[users.len() / 2..].iter().filter(|answers| answers.pages.count > 0);
    Unfairness::of(answered.map(|answers| answers.pages.mean().as_secs_f64() * 1e3).collect())
}
