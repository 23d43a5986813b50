//! Begin of a point's window: what is cold to its users is awaited in their ramp. Nothing of this looks at how quick a
//! site is, so that no window is chosen for its figures.

mod jit_settling;
mod pool_reconnect;

pub(crate) use jit_settling::JitSettling;

use crate::start::site_monitor::ConnectionsSample;
use engine::{Directive, Progress};
use pool_reconnect::PoolReconnect;
use std::sync::mpsc::Receiver;
use testbed::TestbedError;

/// Says when the window of a load begins.
pub(crate) struct WindowController<'a> {
    settling: Option<JitSettling<'a>>,
    /// The connections of a site, where they are awaited.
    connecting: Option<(PoolReconnect, Receiver<ConnectionsSample>)>,
}

impl<'a> WindowController<'a> {
    /// `settling` is there if compilers are inside its servers, and what is `seen` of a site if the load has a window that
    /// may begin at any time: others begin with the load, or one after the other.
    pub(crate) fn new(settling: Option<JitSettling<'a>>, seen: Option<Receiver<ConnectionsSample>>) -> Self {
        Self { settling, connecting: seen.map(|seen| (PoolReconnect::default(), seen)) }
    }

    /// Takes in each second and each phase.
    pub(crate) fn on_progress(&mut self, progress: &Progress) -> Directive {
        let settling = self.settling.as_mut().map(|settling| settling.on_progress(progress));
        let connecting = self.connecting.as_mut().map(|(connecting, seen)| {
            let seen: Vec<ConnectionsSample> = seen.try_iter().collect();
            connecting.on_progress(progress, &seen)
        });
        let all = settling.into_iter().chain(connecting);
        all.into_iter().find(|course| *course != Directive::GoOn).unwrap_or(Directive::GoOn)
    }

    /// An error if the limits of hosts could not be restored before the window: its figures are those of other hosts.
    pub(crate) fn expect_limits(self) -> Result<(), TestbedError> {
        self.settling.and_then(JitSettling::fault).map_or(Ok(()), Err)
    }

    /// True if compilers were still at work when the window began.
    pub(crate) fn is_settling(&self) -> bool {
        self.settling.as_ref().is_some_and(|settling| !settling.is_over())
    }
}
