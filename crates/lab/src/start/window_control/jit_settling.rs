//! Compilers inside the servers.

use crate::start::{
    system::{CpuMeter, System},
    warm_state::second,
};
use engine::{Directive, Phase, Progress};
use stats::Warming;
use std::time::Duration;
use testbed::{LiftedLimits, TestbedError};

/// The longest work of compilers in a point's ramp.
const MOST_RESTLESS: Duration = Duration::from_secs(180);

/// Keeps a point's window from beginning while compilers are at work inside the servers. What they assumed of the few
/// users who don't think is wrong for some of the code that many need who do, and for some of the way to a store that has
/// been started anew: Tomcat on a third of a processor needed 35 seconds to compile that again, and did two thirds
/// of what it did then. Up to three minutes were seen. So tiers have all of the testbed for it, and then a ramp with their quotas.
pub(crate) struct JitSettling<'a> {
    meter: Box<dyn CpuMeter>,
    warming: Warming,
    lifted: Option<LiftedLimits<'a>>,
    /// The error if limits could not be restored.
    fault: Option<TestbedError>,
    /// The length of a ramp, ...
    ramp: Duration,
    /// ... and until when this one goes on at least.
    until: Duration,
}

impl<'a> JitSettling<'a> {
    /// Begins just before a load does that has such a ramp.
    pub(crate) fn begin(site: &System<'_>, lifted: Option<LiftedLimits<'a>>, ramp: Duration) -> Self {
        let (warming, until) = (Warming::default(), Duration::ZERO);
        Self { meter: site.meter(), warming, lifted, fault: None, ramp, until }
    }

    /// Takes in each second and each phase.
    pub(crate) fn on_progress(&mut self, progress: &Progress) -> Directive {
        if progress.phase != Phase::Ramp {
            return Directive::GoOn;
        }
        if progress.elapsed.as_secs() > 0 {
            // The cost of an interaction has no influence here.
            self.warming.record(second(&self.meter.look(), 1));
        }
        let is_late = progress.elapsed >= MOST_RESTLESS;
        if (is_late || self.warming.compilers_are_idle())
            && let Some(lifted) = self.lifted.take()
        {
            self.fault = lifted.restore().err();
            self.warming = Warming::default();
            self.until = progress.elapsed + self.ramp;
        }
        let is_over = self.is_over() || is_late;
        if is_over && progress.elapsed >= self.until { Directive::GoOn } else { Directive::NotYet }
    }

    /// Reason why the limits of hosts did not hold in the window, if they didn't.
    pub(crate) fn fault(self) -> Option<TestbedError> {
        self.fault
    }

    /// True if they have come to rest.
    pub(crate) fn is_over(&self) -> bool {
        self.lifted.is_none() && self.warming.compilers_are_idle()
    }
}
