//! What those who wait are told.

use std::time::{Duration, Instant};

/// How long nothing is told within a phase.
const QUIET: Duration = Duration::from_secs(2);

/// A phase that begins, or how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase<'a> {
    /// Its name.
    pub name: &'a str,
    /// How far it is; none when it begins.
    pub detail: Option<&'a str>,
}

impl<'a> Phase<'a> {
    /// A phase that begins.
    pub fn begun(name: &'a str) -> Self {
        Self { name, detail: None }
    }
}

/// Tells which phase begins, and within a long one how far it is.
pub(crate) struct Progress<'a> {
    tell: &'a mut dyn FnMut(Phase<'_>),
    phase: String,
    told: Instant,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(tell: &'a mut dyn FnMut(Phase<'_>)) -> Self {
        Self { tell, phase: String::new(), told: Instant::now() }
    }

    /// A phase begins.
    pub(crate) fn begin(&mut self, phase: impl Into<String>) {
        self.phase = phase.into();
        self.told = Instant::now();
        (self.tell)(Phase::begun(&self.phase));
    }

    /// How far the phase is, told every two seconds at most.
    pub(crate) fn within(&mut self, text: impl FnOnce() -> String) {
        if self.told.elapsed() >= QUIET {
            self.told = Instant::now();
            (self.tell)(Phase { name: &self.phase, detail: Some(&text()) });
        }
    }
}
