//! A program that calls a site's operations. The mix decides which operation is next; the application builds the call
//! and checks the answer. There are no pages and no back steps: after a wrong answer it goes on.

use crate::dialogue::random_of;
use crate::{Answer, AnswerKind, Call, Dialogue, How, InteractionId, Request, Step, Users, session_length};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// The calls of one client, through any number of consecutive sessions.
#[derive(Debug)]
pub struct Caller {
    random: ChaCha8Rng,
    ends: Option<Duration>,
    at: Option<InteractionId>,
    /// The path of the last request, whose buffer is reused.
    path: String,
}

impl Caller {
    pub fn new(seed: u64, client: u32) -> Self {
        Self { random: random_of(seed, client), ends: None, at: None, path: String::new() }
    }

    /// The next interaction, the reason, and the drawn transition.
    fn choose(
        &mut self,
        users: &Users<'_>,
        mean_length: Duration,
        now: Duration,
    ) -> (InteractionId, How, Option<(InteractionId, Step)>) {
        let is_over = self.ends.is_none_or(|ends| now >= ends);
        let Some(from) = self.at.filter(|_| !is_over) else {
            self.ends = Some(now + session_length(mean_length, &mut self.random));
            return (users.mix.first(users.catalogue.start, &mut self.random), How::Start, None);
        };
        let step = users.mix.draw(from, &mut self.random);
        match step {
            Step::To(to) => (to, How::Forward, Some((from, step))),
            Step::Back => (from, How::Back, Some((from, step))),
        }
    }
}

impl Dialogue for Caller {
    fn next(&mut self, users: &Users<'_>, mean_length: Duration, now: Duration) -> Request {
        let (interaction, how, drawn) = self.choose(users, mean_length, now);
        self.at = Some(interaction);
        let called = users.catalogue.get(interaction);
        let calls = users.habits.calls();
        let Call { headers, body } =
            calls.map(|calls| calls.call(called, &mut self.random)).unwrap_or_default();
        let (method, mut path_and_query) = (called.method, std::mem::take(&mut self.path));
        called.path.clone_into(&mut path_and_query);
        Request { interaction, method, path_and_query, headers, body, how, drawn }
    }

    fn ends(&mut self, now: Duration) -> bool {
        self.ends = self.ends.filter(|ends| now < *ends);
        self.ends.is_none()
    }

    fn answered(&mut self, users: &Users<'_>, request: &Request, answer: &Answer<'_>) -> AnswerKind {
        match users.habits.calls().is_some_and(|calls| calls.is_right(request, answer.status, answer.body)) {
            true => AnswerKind::Page { acknowledged: None },
            false => AnswerKind::Wrong,
        }
    }

    fn failed(&mut self, _: &Request) {}

    fn again(&mut self, over: Request) {
        self.path = over.path_and_query;
    }

    fn random(&mut self) -> &mut ChaCha8Rng {
        &mut self.random
    }
}
