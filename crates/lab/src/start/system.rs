//! The system under test: what the laboratory does with the servers of a variant, and what it asks of them.
//!
//! Those of a [`Site`] are real. Tests have some in virtual time, so that all of an experiment, from warming to verdicts, takes
//! milliseconds.

use crate::{
    LabError,
    events::event_log::EventLog,
    start::{Experiment, RunContext, profile::Profiling},
    workspace::Variant,
};
use application::Dataset;
use engine::{Directive, EngineError, Load, Outcome, Progress};
use results::Sample;
use services::{Audit, ServiceError};
use stack::{Meter, Sampled, Sampling, Site, SiteError, TiersUse};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};
use testbed::{IdleSpinner, Preferred, Scratch};
use workload::Users;

/// The servers of a variant, and the data that they keep.
pub(crate) trait SystemUnderTest: Send + Sync {
    /// Stops all servers, puts the data into their first state, and starts all servers again.
    fn start_fresh(&mut self) -> Result<(), SiteError>;
    /// Puts the data into their first state below servers that go on running. Returns how many rows there are; none where there
    /// is no store.
    fn put_data_back(&mut self) -> Option<Result<u64, ServiceError>>;
    /// Stops all servers.
    fn stop(&mut self);
    /// An error if a server has ended although nobody stopped it.
    fn check_alive(&self) -> Result<(), ServiceError>;
    /// What is newer than the loaded rows; none where there is no store.
    fn audit(&self) -> Option<Result<Audit, ServiceError>>;
    /// Deletes a row behind the servers' back. Says whether it was there; none where there is no store.
    fn lose_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>>;
    /// The logs of all servers with the names they get in a result's folder.
    fn logs(&self) -> Vec<(PathBuf, Vec<u8>)>;
    /// How many cores servers and laboratory may use.
    fn cores(&self) -> u32;
    /// The data as they are now.
    fn dataset(&self) -> Dataset;
    /// Whether its time is not ours: then all that is to be known of a load is looked at on the thread that drives it.
    fn is_in_virtual_time(&self) -> bool;
    /// Keeps its idle cores from sleeping, where that takes something.
    fn keep_awake(&self, executable: &Path) -> Option<IdleSpinner>;
    /// Puts a load on until it is over, or until `stop` is set. `progress` hears of each second and each phase.
    fn drive(
        &self,
        users: &Users<'_>,
        load: &Load,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress) -> Directive,
    ) -> Result<Outcome, EngineError>;
    /// Reads what its tiers use from now on.
    fn meter(&self) -> Box<dyn CpuMeter>;
    /// Samples its tiers and its machine from now on.
    fn sampler(&self) -> Box<dyn Sampler>;
    /// Attaches profilers, which look at nothing yet. `window` is how long they will.
    fn attach_profilers(
        &self,
        context: &RunContext<'_>,
        variant: &Variant,
        window: Duration,
    ) -> Result<Profiling, LabError>;
}

/// Reads what tiers use.
pub(crate) trait CpuMeter {
    /// The role of each tier, in the order in which they start.
    fn roles(&self) -> &[String];
    /// What was used since the last look.
    fn look(&mut self) -> TiersUse;
}

/// Samples tiers and machine, as [`Sampling`] does.
pub(crate) trait Sampler: Send {
    /// What was done since the last call, at this time since the load began.
    fn tick(&mut self, at: Duration) -> Sample;
    /// What was done since the last call counts for nothing.
    fn skip(&mut self);
    /// The window, or another stretch of it, begins. A tick as well.
    fn open_window(&mut self, at: Duration) -> Sample;
    /// The window, or the stretch of it that is open, ends. A tick as well.
    fn close_window(&mut self, at: Duration) -> Sample;
    /// How many connections the stores had in the last sample.
    fn store_connections(&self) -> f64;
    /// What was seen over the window, in which so many interactions completed; none if there was no window.
    fn finish(self: Box<Self>, completed: u64) -> Option<Sampled>;
}

/// Brings the systems under test of an experiment.
pub(crate) type Prepare<'p, 'e> =
    &'p dyn Fn(&'e Experiment<'e>, &'e Variant, &mut EventLog<'_>) -> Result<Box<System<'e>>, LabError>;

/// Real servers.
pub(crate) struct RealSystem<'s> {
    site: Site<'s>,
    /// Where profilers write. All systems share it.
    scratch: Arc<Scratch>,
}

impl<'s> RealSystem<'s> {
    pub(crate) fn new(site: Site<'s>, scratch: Arc<Scratch>) -> Self {
        Self { site, scratch }
    }
}

impl SystemUnderTest for RealSystem<'_> {
    fn start_fresh(&mut self) -> Result<(), SiteError> {
        self.site.start_fresh()
    }

    fn put_data_back(&mut self) -> Option<Result<u64, ServiceError>> {
        self.site.restore_data()
    }

    fn stop(&mut self) {
        self.site.stop();
    }

    fn check_alive(&self) -> Result<(), ServiceError> {
        self.site.check_alive()
    }

    fn audit(&self) -> Option<Result<Audit, ServiceError>> {
        self.site.audit(false)
    }

    fn lose_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>> {
        self.site.lose_row(table, id)
    }

    fn logs(&self) -> Vec<(PathBuf, Vec<u8>)> {
        self.site.logs()
    }

    fn cores(&self) -> u32 {
        let all = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        self.site.cores().map_or_else(all, |cores| cores.len() as u32)
    }

    fn dataset(&self) -> Dataset {
        self.site.dataset()
    }

    fn is_in_virtual_time(&self) -> bool {
        false
    }

    fn keep_awake(&self, executable: &Path) -> Option<IdleSpinner> {
        Some(IdleSpinner::keep(executable, self.site.cores()))
    }

    fn drive(
        &self,
        users: &Users<'_>,
        load: &Load,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress) -> Directive,
    ) -> Result<Outcome, EngineError> {
        let _preferred = Preferred::this_thread();
        engine::drive_until(&self.site.target(), users, load, stop, progress)
    }

    fn meter(&self) -> Box<dyn CpuMeter> {
        Box::new(Meter::begin(&self.site))
    }

    fn sampler(&self) -> Box<dyn Sampler> {
        Box::new(Sampling::begin(&self.site))
    }

    fn attach_profilers(
        &self,
        context: &RunContext<'_>,
        variant: &Variant,
        window: Duration,
    ) -> Result<Profiling, LabError> {
        Profiling::attach(context, variant, &self.site, &self.scratch, window)
    }
}

impl CpuMeter for Meter {
    fn roles(&self) -> &[String] {
        Self::roles(self)
    }

    fn look(&mut self) -> TiersUse {
        Self::look(self)
    }
}

impl Sampler for Sampling {
    fn tick(&mut self, at: Duration) -> Sample {
        Self::tick(self, at)
    }

    fn skip(&mut self) {
        Self::skip(self);
    }

    fn open_window(&mut self, at: Duration) -> Sample {
        Self::open_window(self, at)
    }

    fn close_window(&mut self, at: Duration) -> Sample {
        Self::close_window(self, at)
    }

    fn store_connections(&self) -> f64 {
        Self::store_connections(self)
    }

    fn finish(self: Box<Self>, completed: u64) -> Option<Sampled> {
        Self::finish(*self, completed)
    }
}

/// A system under test as whoever uses it sees it.
pub(crate) type System<'s> = dyn SystemUnderTest + 's;
