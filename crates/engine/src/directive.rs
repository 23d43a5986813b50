//! Whoever watches a load hears how it goes, and says how it goes on. Both drivers, in real and in virtual time, tell and
//! listen by this.

use crate::recorder::Recorder;
use crate::{Phase, Progress};
use std::time::Duration;

/// How a load goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    /// As planned.
    GoOn,
    /// As planned, but the window doesn't begin before something else is said.
    NotYet,
    /// The clients stand still: no think time goes on, the answers that are due are awaited, and then [`Phase::Paused`] is reported.
    /// The window doesn't begin before something else is said.
    Pause,
    /// The window ends now, as if it had been meant to be that short.
    Enough,
}

/// Hears how a load goes, and says how it goes on.
pub(crate) type ProgressHandler<'a> = &'a mut dyn FnMut(Progress) -> Directive;

/// The second and the phase that was told last; before that, a second that never comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastReported(u64, Phase);

impl Default for LastReported {
    fn default() -> Self {
        Self(u64::MAX, Phase::Ramp)
    }
}

impl LastReported {
    /// The phase, if it or another second is news at this instant, which the recorder has reached.
    pub fn next_report(&mut self, recorder: &Recorder, now: Duration) -> Option<Phase> {
        let news = Self(now.as_secs(), recorder.window().phase(now));
        let is_news = news != *self;
        *self = news;
        is_news.then_some(news.1)
    }

    /// When the phase that was told last ends or may end.
    pub fn turn(self, recorder: &Recorder) -> Duration {
        recorder.window().end_of(self.1)
    }

    /// The next instant at which there is something to tell if nothing happens until then.
    pub fn next(self, recorder: &Recorder) -> Duration {
        let second = if self.0 == u64::MAX { 0 } else { self.0 + 1 };
        self.turn(recorder).min(Duration::from_secs(second))
    }
}

/// Tells how the load goes, and does what is said, but for a pause, which is the driver's.
pub(crate) fn report_progress(
    recorder: &mut Recorder,
    now: Duration,
    watcher: ProgressHandler<'_>,
) -> Directive {
    let course = watcher(recorder.progress(now));
    recorder.hold_window(matches!(course, Directive::NotYet | Directive::Pause));
    if course == Directive::Enough {
        recorder.end_window(now);
    }
    course
}

/// Tells that the clients stand still; they go on when this returns.
pub(crate) fn tell_pause(recorder: &mut Recorder, now: Duration, watcher: ProgressHandler<'_>) {
    watcher(Progress { phase: Phase::Paused, ..recorder.progress(now) });
}
