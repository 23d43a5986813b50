//! Verifications side by side: most of their time is waiting for servers.

use crate::fault::Fault;
use lab::{LabError, proof::ProofDepth};
use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::Instant,
};

pub(super) const WORKERS: usize = 2;

/// A variant to verify, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) at: usize,
    pub(super) depth: ProofDepth,
}

pub(super) struct Outcome {
    pub(super) job: Job,
    pub(super) result: Result<(), Fault>,
}

/// True if the fault is a difference of this variant, so that others can still be verified.
pub(super) fn is_difference(fault: &Fault) -> bool {
    matches!(fault, Fault::Lab(LabError::Unverified { .. }))
}

struct State {
    waiting: Vec<Job>,
    running: Vec<Job>,
    outcomes: Vec<Outcome>,
}

impl State {
    /// The first job of a stack that no worker verifies, or else the first; none after the end, or after a fault that is no
    /// difference.
    fn next<'a>(&mut self, is_over: bool, stack: impl Fn(Job) -> &'a str) -> Option<Job> {
        let is_hopeless =
            |outcome: &Outcome| outcome.result.as_ref().is_err_and(|fault| !is_difference(fault));
        if is_over || self.waiting.is_empty() || self.outcomes.iter().any(is_hopeless) {
            return None;
        }
        let is_free = |job: &Job| !self.running.iter().any(|running| stack(*running) == stack(*job));
        let at = self.waiting.iter().position(is_free).unwrap_or(0);
        let job = self.waiting.remove(at);
        self.running.push(job);
        Some(job)
    }

    fn end(&mut self, outcome: Outcome) {
        self.running.retain(|running| *running != outcome.job);
        self.outcomes.push(outcome);
    }
}

/// Runs all jobs, of which none begins after `end`. `stack` names the stack of a job.
pub(super) fn run<'a>(
    jobs: Vec<Job>,
    end: Option<Instant>,
    stack: impl Fn(Job) -> &'a str + Sync,
    verify: impl Fn(Job) -> Result<(), Fault> + Sync,
) -> Vec<Outcome> {
    let state = Mutex::new(State { waiting: jobs, running: Vec::new(), outcomes: Vec::new() });
    let work = || {
        loop {
            let is_over = end.is_some_and(|end| end <= Instant::now());
            let next = state.lock().unwrap_or_else(PoisonError::into_inner).next(is_over, &stack);
            let Some(job) = next else { return };
            let result = verify(job);
            state.lock().unwrap_or_else(PoisonError::into_inner).end(Outcome { job, result });
        }
    };
    thread::scope(|scope| {
        let begun = (0..WORKERS).map(|_| thread::Builder::new().spawn_scoped(scope, work));
        // This thread works alone where no other can be started.
        if begun.filter(Result::is_ok).count() == 0 {
            work();
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner).outcomes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(count: usize) -> Vec<Job> {
        (0..count).map(|at| Job { at, depth: ProofDepth::Full }).collect()
    }

    fn state(count: usize) -> State {
        State { waiting: jobs(count), running: Vec::new(), outcomes: Vec::new() }
    }

    #[test]
    fn workers_take_different_stacks_while_there_are_two() {
        let stacks = ["java", "java", "php", "java"];
        let stack = |job: Job| stacks[job.at];
        let mut state = state(4);
        let next = |state: &mut State| state.next(false, stack).map(|job| job.at);
        assert_eq!([next(&mut state), next(&mut state)], [Some(0), Some(2)]);
        state.end(Outcome { job: jobs(3)[2], result: Ok(()) });
        assert_eq!([next(&mut state), next(&mut state)], [Some(1), Some(3)]);
        assert_eq!(next(&mut state), None);
    }

    #[test]
    fn none_begins_after_the_time_limit_or_an_error() {
        assert_eq!(state(1).next(true, |_| "php"), None);
        let mut interrupted = state(2);
        let job = interrupted.next(false, |_| "php").unwrap();
        interrupted.end(Outcome { job, result: Err(LabError::Interrupted.into()) });
        assert_eq!(interrupted.next(false, |_| "php"), None);
    }

    #[test]
    fn all_are_verified_once_although_one_differs() {
        let verify = |job: Job| match job.at {
            1 => Err(LabError::Unverified {
                configuration: "A".into(),
                fault: verify::VerifyError::Unsound(Vec::new()),
            }
            .into()),
            _ => Ok(()),
        };
        let outcomes = run(jobs(7), None, |_| "php", verify);
        let mut done: Vec<usize> = outcomes.iter().map(|outcome| outcome.job.at).collect();
        done.sort_unstable();
        assert_eq!(done, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(outcomes.iter().filter(|outcome| outcome.result.is_err()).count(), 1);
        let over = run(jobs(3), Some(Instant::now()), |_| "php", |_| Ok(()));
        assert!(over.is_empty());
    }
}
