//! Keeps a point's window to time in which its machine was there. A virtual machine's own host may give its processors to
//! others (steal), for seconds or for minutes, and no VALID point comes of that. A window that is lost for it is given
//! up, and begins anew under the same load, as soon as the processors have been there for a while. Of the site itself
//! nothing is looked at, so that no window is chosen for its figures.

use crate::watch::Seen;
use engine::{Course, Phase, Progress};
use results::HostFigures;
use stats::HostUse;
use std::time::Duration;

/// For how long processors must have been there before a window that was given up begins anew.
const QUIET: Duration = Duration::from_secs(3);
/// How many windows long is waited in all, so that an unquiet machine costs no more than that.
const MOST_WINDOWS: u32 = 3;

/// Gives windows up that are lost.
pub(super) struct Quiet {
    window: Duration,
    /// Processor time that was given to others since the window began.
    stolen_s: f64,
    /// For how long none was, up to now.
    quiet: Duration,
    /// When the first window was given up, since the load began.
    given_up: Option<Duration>,
}

impl Quiet {
    /// For a window of this length.
    pub(super) fn new(window: Duration) -> Self {
        Self { window, stolen_s: 0.0, quiet: Duration::ZERO, given_up: None }
    }

    /// To be told of each second and each phase, with what was seen since.
    pub(super) fn hear(&mut self, progress: &Progress, seen: &[Seen]) -> Course {
        let begin = progress.window_start;
        let mut is_lost = false;
        for seen in seen {
            let is_robbed = robbed(seen.host, seen.host.mean.steal_cores);
            self.quiet = if is_robbed { Duration::ZERO } else { self.quiet + seen.length };
            // The one in which it begins is the window's if most of it is.
            if begin.is_some_and(|begin| seen.from + seen.length / 2 >= begin) {
                self.stolen_s += seen.host.mean.steal_cores * seen.length.as_secs_f64();
                is_lost |= robbed(seen.host, self.stolen_s / self.window.as_secs_f64());
            }
        }
        let first = self.given_up.unwrap_or(progress.elapsed);
        let waits_on = progress.elapsed < first + self.window * MOST_WINDOWS;
        match progress.phase {
            Phase::Measure if is_lost && waits_on => {
                self.given_up = Some(first);
                self.stolen_s = 0.0;
                Course::Anew
            }
            Phase::Ramp if self.given_up.is_some() && self.quiet < QUIET && waits_on => Course::NotYet,
            _ => Course::GoOn,
        }
    }
}

/// Whether so many processors given to others are too many for a VALID point.
fn robbed(host: HostFigures, steal_cores: f64) -> bool {
    let (in_rounds, foreign_cores, promises) = (false, 0.0, Vec::new());
    HostUse { cores: host.cores, steal_cores, in_rounds, foreign_cores, promises }.is_robbed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::progress;
    use results::HostSample;

    const WINDOW: Duration = Duration::from_secs(10);

    struct Machine {
        quiet: Quiet,
        /// When the window began.
        begun: Option<Duration>,
    }

    impl Machine {
        fn new() -> Self {
            Self { quiet: Quiet::new(WINDOW), begun: None }
        }

        /// A second with so much given to others is over; what is said of it once its window has begun, if it has.
        fn second(&mut self, at: u64, steal_cores: f64) -> Course {
            let mean = HostSample { steal_cores, ..HostSample::default() };
            let [at, length] = [at, 1].map(Duration::from_secs);
            let host = HostFigures { cores: 2, mean };
            let seen = Seen { from: at - length, length, host, connections: 0.0 };
            let phase = if self.begun.is_some() { Phase::Measure } else { Phase::Ramp };
            let course = self.quiet.hear(&progress(at, phase, self.begun), &[seen]);
            if course == Course::Anew {
                self.begun = None;
            }
            course
        }
    }

    #[test]
    fn a_window_is_given_up_as_soon_as_it_is_lost_and_begins_anew_when_it_is_quiet() {
        let mut machine = Machine::new();
        // What was given away in the ramp is nothing to the window.
        assert_eq!(machine.second(1, 1.0), Course::GoOn);
        machine.begun = Some(Duration::from_secs(1));
        // A VALID window of 10 s on 2 cores loses 0.2 s at most.
        assert_eq!(machine.second(2, 0.1), Course::GoOn);
        assert_eq!(machine.second(3, 0.09), Course::GoOn);
        assert_eq!(machine.second(4, 0.02), Course::Anew);
        let courses = [0.0, 0.3, 0.0, 0.0, 0.0].iter().zip(5..).map(|(steal, at)| machine.second(at, *steal));
        let not_yet = Course::NotYet;
        assert_eq!(courses.collect::<Vec<_>>(), [not_yet, not_yet, not_yet, not_yet, Course::GoOn]);
        machine.begun = Some(Duration::from_secs(10));
        assert_eq!(machine.second(11, 0.19), Course::GoOn, "what the first window had lost is forgotten");
    }

    #[test]
    fn it_does_not_wait_for_ever() {
        let mut machine = Machine::new();
        let mut last = Course::GoOn;
        for at in 1..100 {
            machine.begun =
                (last == Course::GoOn).then(|| machine.begun.unwrap_or(Duration::from_secs(at - 1)));
            last = machine.second(at, 0.5);
            let waits = at <= u64::from(MOST_WINDOWS) * WINDOW.as_secs();
            assert_eq!(last != Course::GoOn, waits, "at {at} s: {last:?}");
        }
    }

    #[test]
    fn where_nobody_looks_nothing_is_given_up() {
        assert!(!robbed(HostFigures { cores: 0, ..HostFigures::default() }, 1.0));
    }
}
