//! Compilers inside the servers.

use crate::warm::second;
use engine::{Course, Phase, Progress};
use stack::{Meter, Site};
use stats::Warming;
use std::time::Duration;

/// For how long compilers may be at work in a point's ramp.
const MOST_RESTLESS: Duration = Duration::from_secs(180);

/// Keeps a point's window from beginning while compilers are at work inside the servers. What they assumed of the few
/// users who don't think is wrong for some of the code that many need who do, and for some of the way to a store that has
/// been started anew: Tomcat on a third of a processor needed 35 seconds to compile that again, and did two thirds
/// of what it did then.
pub(crate) struct Restless {
    meter: Meter,
    warming: Warming,
}

impl Restless {
    /// Begins just before the load does.
    pub(crate) fn begin(site: &Site<'_>) -> Self {
        Self { meter: Meter::begin(site), warming: Warming::default() }
    }

    /// To be told of each second and each phase.
    pub(super) fn hear(&mut self, progress: &Progress) -> Course {
        if progress.phase != Phase::Ramp {
            return Course::GoOn;
        }
        if progress.elapsed.as_secs() > 0 {
            // What each interaction costs isn't asked here.
            self.warming.record(second(self.meter.look(), 1));
        }
        if self.is_over() || progress.elapsed >= MOST_RESTLESS { Course::GoOn } else { Course::NotYet }
    }

    /// Whether they have come to rest.
    pub(super) fn is_over(&self) -> bool {
        self.warming.is_at_rest()
    }
}
