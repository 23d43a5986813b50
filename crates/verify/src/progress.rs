//! Progress reports for the user.

use std::time::{Duration, Instant};

/// The least time between two reports within a phase.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// A phase that begins, or its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase<'a> {
    pub name: &'a str,
    /// Its progress; none when it begins.
    pub detail: Option<&'a str>,
}

impl<'a> Phase<'a> {
    /// A phase that begins.
    pub fn begun(name: &'a str) -> Self {
        Self { name, detail: None }
    }
}

/// Reports the begin of phases, and the progress within a long one.
pub(crate) struct ProgressReporter<'a> {
    on_progress: &'a mut dyn FnMut(Phase<'_>),
    phase: String,
    reported: Instant,
}

impl<'a> ProgressReporter<'a> {
    pub(crate) fn new(on_progress: &'a mut dyn FnMut(Phase<'_>)) -> Self {
        Self { on_progress, phase: String::new(), reported: Instant::now() }
    }

    pub(crate) fn begin(&mut self, phase: impl Into<String>) {
        self.phase = phase.into();
        self.reported = Instant::now();
        (self.on_progress)(Phase::begun(&self.phase));
    }

    /// Reports the progress of the phase, at most every two seconds.
    pub(crate) fn within(&mut self, text: impl FnOnce() -> String) {
        if self.reported.elapsed() >= REPORT_INTERVAL {
            self.reported = Instant::now();
            (self.on_progress)(Phase { name: &self.phase, detail: Some(&text()) });
        }
    }
}
