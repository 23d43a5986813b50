//! How long the parts of an experiment take.

use std::time::Duration;

/// How long servers are warmed at most. On a slow machine, a JVM was seen not to be warm after 90 s.
pub(crate) const LONGEST_WARM_UP: Duration = Duration::from_secs(240);

/// How long everything takes.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Mean think time of the clients.
    pub think_time: Duration,
    /// Mean length of their sessions.
    pub session_length: Duration,
    /// How long a point runs at least before it counts.
    pub ramp: Duration,
    /// How long it counts.
    pub window: Duration,
    /// Factor on all lengths of time that services know of their clients.
    pub time_scale: f64,
    /// Whether it is only tried if everything runs: then servers are hardly warmed.
    pub is_smoke: bool,
}
