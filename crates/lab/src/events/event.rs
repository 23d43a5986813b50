//! Events of a running experiment, as it emits them.

use engine::{Load, Progress};
use results::{EventKind, Point};

/// An event, for the terminal.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// An event that a result may keep.
    Kind(&'a EventKind),
    /// The following events concern this mix; emitted where experiments of several mixes share starts.
    Mix(&'a str),
    /// A point was measured, judged and written down.
    Measured(&'a Point),
    /// Clients are at work; emitted about once a second.
    Driving {
        configuration: &'a str,
        clients: u32,
        /// Planned length of ramp and window in seconds.
        length_s: f64,
        progress: &'a Progress,
    },
}

impl<'a> Event<'a> {
    /// The progress of a load whose window began as `progress` says, or begins after the shortest ramp.
    pub(crate) fn driving(configuration: &'a str, load: &Load, progress: &'a Progress) -> Self {
        let window_start = progress.window_start.unwrap_or(load.ramp);
        let length_s = (window_start + load.window).as_secs_f64();
        let clients = load.kind.behaviour().clients;
        Self::Driving { configuration, clients, length_s, progress }
    }
}
