//! Users who arrive, and their requests. The number of users present follows from the instants at which all of them came and
//! left, also of users whom several generators share.

use super::{Answers, Outcome};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A user who has arrived. Instants are since the load began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visitor {
    /// Place in the order of arrival, from 0.
    pub number: u32,
    pub came: Duration,
    /// None for a user who stayed until the end.
    pub left: Option<Duration>,
    /// Requests that ended in the window, in order.
    pub requests: Vec<VisitorRequest>,
}

/// A request by a user who has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitorRequest {
    pub intended: Duration,
    pub done: Duration,
    pub ending: VisitorEnding,
}

/// The ending of a request by a user who has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum VisitorEnding {
    Page,
    /// Refused, or with an error as its answer.
    Failed,
    /// No answer of any kind.
    Unanswered,
}

impl Outcome {
    /// Answers to each user, in the order of arrival; empty without arrivals.
    pub fn by_user(&self) -> Vec<Answers> {
        let answers = |visitor: &Visitor| {
            let mut answers = Answers::default();
            visitor.requests.iter().for_each(|request| answers.add_request(request));
            answers
        };
        self.visitors.iter().map(answers).collect()
    }

    /// Answers by the number of users present at the request; that for 0 is always empty. Empty without arrivals.
    pub fn by_concurrency(&self) -> Vec<Answers> {
        let presence = Presence::of(&self.visitors);
        let mut crowds: Vec<Answers> = Vec::new();
        for request in self.visitors.iter().flat_map(|visitor| &visitor.requests) {
            let present = presence.at(request.intended);
            crowds.resize(crowds.len().max(present + 1), Answers::default());
            crowds[present].add_request(request);
        }
        crowds
    }

    /// Users present at the first request that got no answer; none if all were answered, and without arrivals.
    pub fn first_timeout_at(&self) -> Option<u32> {
        let first = self.first_unanswered()?;
        Some(Presence::of(&self.visitors).at(first.intended) as u32)
    }

    /// Drops the users and requests after the first request without an answer, which ended the load of one generator before
    /// the others heard of it.
    pub fn end_arrivals_unanswered(&mut self) {
        let Some(end) = self.first_unanswered().map(|first| first.done) else { return };
        self.visitors.retain(|visitor| visitor.came <= end);
        for visitor in &mut self.visitors {
            visitor.requests.retain(|request| request.done <= end);
            visitor.left = visitor.left.filter(|left| *left <= end);
        }
    }

    fn first_unanswered(&self) -> Option<&VisitorRequest> {
        let requests = self.visitors.iter().flat_map(|visitor| &visitor.requests);
        let unanswered = requests.filter(|request| request.ending == VisitorEnding::Unanswered);
        unanswered.min_by_key(|request| request.done)
    }
}

impl Answers {
    fn add_request(&mut self, request: &VisitorRequest) {
        let response = request.done.saturating_sub(request.intended);
        self.add(response, request.ending == VisitorEnding::Page);
    }
}

/// The instants at which users came and left, each in order.
struct Presence {
    came: Vec<Duration>,
    left: Vec<Duration>,
}

impl Presence {
    fn of(visitors: &[Visitor]) -> Self {
        let sorted = |mut instants: Vec<Duration>| {
            instants.sort_unstable();
            instants
        };
        Self {
            came: sorted(visitors.iter().map(|visitor| visitor.came).collect()),
            left: sorted(visitors.iter().filter_map(|visitor| visitor.left).collect()),
        }
    }

    /// Users who have come and not left.
    fn at(&self, instant: Duration) -> usize {
        let until = |instants: &[Duration]| instants.partition_point(|at| *at <= instant);
        until(&self.came) - until(&self.left)
    }
}
