//! How long the parts of an experiment take.

use results::RunSpec;
use std::time::Duration;
use workload::Catalogue;

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

impl Timing {
    /// What is asked for, of users with this catalogue.
    pub fn of(spec: &RunSpec, catalogue: &Catalogue) -> Self {
        Self {
            think_time: length(spec.think_time_s),
            session_length: length(catalogue.session_length.0.as_secs_f64() * spec.time_scale),
            ramp: length(spec.ramp_s),
            window: length(spec.window_s),
            time_scale: spec.time_scale,
            is_smoke: spec.smoke,
        }
    }
}

/// Seconds as a length of time; none at all if there is no such length, as a manifest may hold whatever somebody wrote into it.
pub(crate) fn length(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
