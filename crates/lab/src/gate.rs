//! When a point's window begins: what is cold to its users is awaited in their ramp. Nothing of this looks at how quick a
//! site is, so that no window is chosen for its figures.

mod connecting;
mod restless;

pub(crate) use restless::Restless;

use crate::watch::Seen;
use connecting::Connecting;
use engine::{Course, Progress};
use std::sync::mpsc::Receiver;
use testbed::TestbedError;

/// Says when the window of a load begins.
pub(crate) struct Gate<'a> {
    restless: Option<Restless<'a>>,
    /// What is seen of a site, where its connections are awaited.
    connecting: Option<(Connecting, Receiver<Seen>)>,
}

impl<'a> Gate<'a> {
    /// `restless` is there if compilers are inside its servers, and what is `seen` of a site if the load has a window that
    /// may begin at any time: others begin with the load, or one after the other.
    pub(crate) fn new(restless: Option<Restless<'a>>, seen: Option<Receiver<Seen>>) -> Self {
        Self { restless, connecting: seen.map(|seen| (Connecting::default(), seen)) }
    }

    /// To be told of each second and each phase.
    pub(crate) fn hear(&mut self, progress: &Progress) -> Course {
        let restless = self.restless.as_mut().map(|restless| restless.hear(progress));
        let connecting = self.connecting.as_mut().map(|(connecting, seen)| {
            let seen: Vec<Seen> = seen.try_iter().collect();
            connecting.hear(progress, &seen)
        });
        let all = restless.into_iter().chain(connecting);
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
