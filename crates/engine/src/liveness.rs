//! Detects each second whether a server is unreachable or refuses most clients, so that a hopeless load ends at once
//! with a reason.

use crate::{EngineError, ErrorKind};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

/// Time without an answer, while connections failed, after which a server counts as unreachable.
const UNREACHABLE_AFTER: Duration = Duration::from_secs(5);

/// Failed connections in that time that are needed for a majority.
const FEW_FAILURES: u64 = 10;

/// Answers and failures of a server since the load began.
#[derive(Debug, Clone)]
pub(crate) struct ServerActivity {
    /// Answers of any kind.
    pub answers: u64,
    /// Failed attempts to connect.
    pub failures: u64,
    pub last_failure: ErrorKind,
    /// The first cause of a failure of this kind.
    pub cause: String,
}

#[derive(Default)]
pub(crate) struct LivenessCheck {
    seconds: u64,
    /// Answers and failures at each of the last seconds, the oldest first.
    recent: VecDeque<(u64, u64)>,
    /// Answers and failures at the last check that found a new answer.
    last_answer: (u64, u64),
    /// The first failure observed since then.
    failing_since: Option<Duration>,
}

impl LivenessCheck {
    /// True if another second has begun.
    pub fn is_due(&mut self, now: Duration) -> bool {
        let due = now.as_secs() > self.seconds;
        self.seconds = now.as_secs();
        due
    }

    /// Checks the server once a second.
    pub fn check(
        &mut self,
        activity: &ServerActivity,
        now: Duration,
        target: SocketAddr,
    ) -> Result<(), EngineError> {
        self.check_reachable(activity, now, target)?;
        self.check_accepting(activity, target)
    }

    fn check_reachable(
        &mut self,
        activity: &ServerActivity,
        now: Duration,
        target: SocketAddr,
    ) -> Result<(), EngineError> {
        if activity.answers > self.last_answer.0 {
            self.last_answer = (activity.answers, activity.failures);
            self.failing_since = None;
        }
        let failures = activity.failures - self.last_answer.1;
        if failures > 0 {
            let lasted = now - *self.failing_since.get_or_insert(now);
            // A single failure of one user who thinks for long proves nothing.
            if lasted >= UNREACHABLE_AFTER && failures > 1 {
                return Err(EngineError::NothingAnswers {
                    target,
                    lasted,
                    failures,
                    last: activity.last_failure,
                    cause: activity.cause.clone(),
                });
            }
        }
        Ok(())
    }

    fn check_accepting(&mut self, activity: &ServerActivity, target: SocketAddr) -> Result<(), EngineError> {
        // A server that no longer answers at all is the case above.
        let still_answers = self.recent.back().is_some_and(|(answers, _)| activity.answers > *answers);
        self.recent.push_back((activity.answers, activity.failures));
        if self.recent.len() as u64 <= UNREACHABLE_AFTER.as_secs() {
            return Ok(());
        }
        let (answers, failures) = self.recent.pop_front().unwrap_or_default();
        let (answers, failures) = (activity.answers - answers, activity.failures - failures);
        if still_answers && failures > answers && failures >= FEW_FAILURES {
            let last = activity.last_failure;
            return Err(EngineError::TurnedAway {
                target,
                lasted: UNREACHABLE_AFTER,
                failures,
                answers,
                last,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    /// Checks a server with these answers and failures in each second. Returns the error and the second in which it
    /// came.
    fn check(seconds: &[(u64, u64)]) -> Option<(usize, String)> {
        let target = SocketAddr::from((Ipv4Addr::LOCALHOST, 1234));
        let mut liveness = LivenessCheck::default();
        let mut activity = ServerActivity {
            answers: 0,
            failures: 0,
            last_failure: ErrorKind::ConnectRefused,
            cause: String::new(),
        };
        for (second, (answers, failures)) in seconds.iter().enumerate() {
            activity.answers += answers;
            activity.failures += failures;
            if let Err(error) = liveness.check(&activity, Duration::from_secs(second as u64 + 1), target) {
                return Some((second, error.to_string()));
            }
        }
        None
    }

    #[test]
    fn an_unreachable_server_is_detected_after_five_seconds() {
        let (second, text) = check(&[(0, 3); 20]).unwrap();
        assert_eq!(second, 5);
        assert!(
            text.starts_with("nothing answers at 127.0.0.1:1234: no connection succeeded for 5 s (18 "),
            "{text}"
        );
        let dies = [[(100, 0); 10], [(0, 50); 10]].concat();
        assert_eq!(check(&dies).unwrap().0, 15);
    }

    #[test]
    fn a_server_that_refuses_most_clients_is_detected() {
        let (second, text) = check(&[(5, 6); 20]).unwrap();
        assert_eq!(second, 5);
        assert!(text.starts_with("127.0.0.1:1234 turns most clients away: in the last 5 s, 30 "), "{text}");
    }

    #[test]
    fn slow_servers_and_single_failures_are_tolerated() {
        for seconds in [[(0, 0); 20], [(6, 5); 20], [(1, 1); 20]] {
            assert_eq!(check(&seconds), None);
        }
        let mut one_in_a_while =
            vec![(1, 0), (0, 0), (0, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (1, 0)];
        one_in_a_while.extend_from_within(..);
        assert_eq!(check(&one_in_a_while), None);
    }
}
