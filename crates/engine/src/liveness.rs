//! Notices, second by second, when a server is not there or turns most clients away, so that a load that can't come to
//! anything ends at once and says why.

use crate::{EngineError, ErrorKind};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

/// A server that has not answered for so long, while connections failed, is taken for dead.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// With fewer failed connections than this in that time, nobody says that they dominate.
const FEW_FAILURES: u64 = 10;

/// What has been seen of a server since the load began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerCount {
    /// Answers of any kind.
    pub answers: u64,
    /// Failed attempts to connect.
    pub failures: u64,
    /// How the last of them failed.
    pub last_failure: ErrorKind,
}

#[derive(Default)]
pub(crate) struct LivenessCheck {
    seconds: u64,
    /// Answers and failures at each of the last seconds, the oldest first.
    recent: VecDeque<(u64, u64)>,
    /// Answers and failures when an answer was last noticed.
    last_answer: (u64, u64),
    /// When failures were first noticed since then.
    barren_since: Option<Duration>,
}

impl LivenessCheck {
    /// Whether another second has begun.
    pub fn is_due(&mut self, now: Duration) -> bool {
        let due = now.as_secs() > self.seconds;
        self.seconds = now.as_secs();
        due
    }

    /// To be asked once a second.
    pub fn judge(&mut self, seen: AnswerCount, now: Duration, target: SocketAddr) -> Result<(), EngineError> {
        self.is_there(seen, now, target)?;
        self.lets_clients_in(seen, target)
    }

    fn is_there(&mut self, seen: AnswerCount, now: Duration, target: SocketAddr) -> Result<(), EngineError> {
        if seen.answers > self.last_answer.0 {
            self.last_answer = (seen.answers, seen.failures);
            self.barren_since = None;
        }
        let failures = seen.failures - self.last_answer.1;
        if failures > 0 {
            let lasted = now - *self.barren_since.get_or_insert(now);
            // A lone user who thinks for long may fail once without that meaning anything.
            if lasted >= TIME_LIMIT && failures > 1 {
                return Err(EngineError::NothingAnswers {
                    target,
                    lasted,
                    failures,
                    last: seen.last_failure,
                });
            }
        }
        Ok(())
    }

    fn lets_clients_in(&mut self, seen: AnswerCount, target: SocketAddr) -> Result<(), EngineError> {
        // A server that has stopped answering is another matter.
        let still_answers = self.recent.back().is_some_and(|(answers, _)| seen.answers > *answers);
        self.recent.push_back((seen.answers, seen.failures));
        if self.recent.len() as u64 <= TIME_LIMIT.as_secs() {
            return Ok(());
        }
        let (answers, failures) = self.recent.pop_front().unwrap_or_default();
        let (answers, failures) = (seen.answers - answers, seen.failures - failures);
        if still_answers && failures > answers && failures >= FEW_FAILURES {
            let last = seen.last_failure;
            return Err(EngineError::TurnedAway { target, lasted: TIME_LIMIT, failures, answers, last });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    /// Judges a server whose answers and failures in each second are given; says what is wrong and in which second.
    fn judge(seconds: &[(u64, u64)]) -> Option<(usize, String)> {
        let target = SocketAddr::from((Ipv4Addr::LOCALHOST, 1234));
        let mut watch = LivenessCheck::default();
        let mut seen = AnswerCount { answers: 0, failures: 0, last_failure: ErrorKind::ConnectRefused };
        for (second, (answers, failures)) in seconds.iter().enumerate() {
            seen.answers += answers;
            seen.failures += failures;
            if let Err(error) = watch.judge(seen, Duration::from_secs(second as u64 + 1), target) {
                return Some((second, error.to_string()));
            }
        }
        None
    }

    #[test]
    fn a_server_that_is_not_there_is_noticed_after_five_seconds() {
        let (second, text) = judge(&[(0, 3); 20]).unwrap();
        assert_eq!(second, 5);
        assert!(
            text.starts_with("nothing answers at 127.0.0.1:1234: no connection succeeded for 5 s (18 "),
            "{text}"
        );
        let dies = [[(100, 0); 10], [(0, 50); 10]].concat();
        assert_eq!(judge(&dies).unwrap().0, 15);
    }

    #[test]
    fn a_server_that_turns_most_away_is_noticed() {
        let (second, text) = judge(&[(5, 6); 20]).unwrap();
        assert_eq!(second, 5);
        assert!(text.starts_with("127.0.0.1:1234 turns most clients away: in the last 5 s, 30 "), "{text}");
    }

    #[test]
    fn slow_servers_and_single_failures_are_borne() {
        for seconds in [[(0, 0); 20], [(6, 5); 20], [(1, 1); 20]] {
            assert_eq!(judge(&seconds), None);
        }
        let mut one_in_a_while =
            vec![(1, 0), (0, 0), (0, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (1, 0)];
        one_in_a_while.extend_from_within(..);
        assert_eq!(judge(&one_in_a_while), None);
    }
}
