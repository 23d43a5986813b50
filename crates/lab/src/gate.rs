//! When a point's window begins. What is cold to its users is awaited in their ramp, and a window that is lost to the
//! machine's own host begins anew. Nothing of this looks at how quick a site is, so that no window is chosen for its
//! figures.

mod connecting;
mod quiet;
mod restless;

pub(crate) use restless::Restless;

use crate::watch::Seen;
use connecting::Connecting;
use engine::{Course, Progress};
use quiet::Quiet;
use std::{sync::mpsc::Receiver, time::Duration};
use testbed::TestbedError;

/// Says when the window of a load begins.
pub(crate) struct Gate<'a> {
    seen: Receiver<Seen>,
    restless: Option<Restless<'a>>,
    plain: Option<(Connecting, Quiet)>,
}

impl<'a> Gate<'a> {
    /// By what is seen of a site. `restless` is there if compilers are inside its servers, `window` if the load has a window
    /// that may begin at any time: others begin with the load, or one after the other.
    pub(crate) fn new(
        restless: Option<Restless<'a>>,
        seen: Receiver<Seen>,
        window: Option<Duration>,
    ) -> Self {
        Self { seen, restless, plain: window.map(|window| (Connecting::default(), Quiet::new(window))) }
    }

    /// To be told of each second and each phase.
    pub(crate) fn hear(&mut self, progress: &Progress) -> Course {
        let seen: Vec<Seen> = self.seen.try_iter().collect();
        let restless = self.restless.as_mut().map(|restless| restless.hear(progress));
        let plain = self
            .plain
            .as_mut()
            .map(|(connecting, quiet)| [connecting.hear(progress, &seen), quiet.hear(progress, &seen)]);
        let all = restless.into_iter().chain(plain.into_iter().flatten());
        all.into_iter().find(|course| *course != Course::GoOn).unwrap_or(Course::GoOn)
    }

    /// An error if the limits of hosts could not be put back before the window: its figures are those of other hosts.
    pub(crate) fn expect_limits(self) -> Result<(), TestbedError> {
        self.restless.and_then(Restless::fault).map_or(Ok(()), Err)
    }

    /// Whether compilers were still at work when the window began.
    pub(crate) fn is_restless(&self) -> bool {
        self.restless.as_ref().is_some_and(|restless| !restless.is_over())
    }
}

/// A load of which nothing else is told.
#[cfg(test)]
fn progress(elapsed: Duration, phase: engine::Phase, window_start: Option<Duration>) -> Progress {
    let (completed, errors, throughput, mean_response) = (0, 0, 0.0, None);
    Progress { elapsed, phase, window_start, is_ready: false, completed, errors, throughput, mean_response }
}
