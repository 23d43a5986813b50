//! Progress reports of a load, and the directives that they return, for the drivers in real and in virtual time.

use crate::recorder::Recorder;
use crate::{Phase, Progress};
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    /// The load goes on as planned.
    GoOn,
    /// The load goes on as planned, but the window doesn't begin before another directive.
    NotYet,
    /// The clients stand still: think times are suspended, due answers are awaited, and then [`Phase::Paused`] is reported.
    /// The window doesn't begin before another directive.
    Pause,
    /// The answer to [`Phase::Paused`]: the stretch before this pause does not count, and another takes its place.
    Repeat,
    /// The window ends now, as if it had been planned that short.
    Enough,
    /// The window ended at this instant, which has passed: that of all shards ends at once.
    EnoughSince(Duration),
}

/// Receives each progress report, and returns how the load goes on.
pub(crate) type ProgressHandler<'a> = &'a mut dyn FnMut(Progress) -> Directive;

/// The second and the phase of the last report; at first, a second that never comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastReported(u64, Phase);

impl Default for LastReported {
    fn default() -> Self {
        Self(u64::MAX, Phase::Ramp)
    }
}

impl LastReported {
    /// The phase, if it or another second has begun since the last report. The recorder has reached `now`.
    pub fn update(&mut self, recorder: &Recorder, now: Duration) -> Option<Phase> {
        let current = Self(now.as_secs(), recorder.window().phase(now));
        let is_new = current != *self;
        *self = current;
        is_new.then_some(current.1)
    }

    /// The instant at which the last reported phase ends or may end.
    pub fn phase_end(self, recorder: &Recorder) -> Duration {
        recorder.window().end_of(self.1)
    }

    /// The instant of the next report if nothing happens until then.
    pub fn next(self, recorder: &Recorder) -> Duration {
        let second = if self.0 == u64::MAX { 0 } else { self.0 + 1 };
        self.phase_end(recorder).min(Duration::from_secs(second))
    }
}

/// Reports the progress and executes the directive, except for a pause, which the driver executes.
pub(crate) fn report_progress(
    recorder: &mut Recorder,
    now: Duration,
    progress: ProgressHandler<'_>,
) -> Directive {
    let directive = progress(recorder.progress(now));
    recorder.hold_window(matches!(directive, Directive::NotYet | Directive::Pause));
    match directive {
        Directive::Enough => recorder.end_window(now),
        Directive::EnoughSince(end) => recorder.end_window(end.min(now)),
        Directive::GoOn | Directive::NotYet | Directive::Pause | Directive::Repeat => {}
    }
    directive
}

/// Reports that the clients stand still. They go on when this returns.
pub(crate) fn report_pause(
    recorder: &mut Recorder,
    now: Duration,
    progress: ProgressHandler<'_>,
) -> Directive {
    let directive = progress(Progress { phase: Phase::Paused, ..recorder.progress(now) });
    match directive {
        Directive::Repeat => recorder.forget_stretch(),
        Directive::Enough => recorder.end_window(now),
        _ => {}
    }
    recorder.keep();
    directive
}
