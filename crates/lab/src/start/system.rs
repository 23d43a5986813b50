//! The system under test: the operations of the laboratory on the servers of a variant.
//!
//! The servers of a [`Site`] are real. Tests have a system in virtual time, so that a whole experiment, from warming to verdicts,
//! takes milliseconds.

use crate::{
    error::LabError,
    events::EventLog,
    start::{
        Experiment, RunContext,
        profile::Profiling,
        site_monitor::{MonitorLog, News, SiteMonitor},
    },
    workers::{SiteLoad, drive_on_hosts, spawn},
    workspace::Variant,
};
use application::{Dataset, Row};
use engine::{Directive, EngineError, Load, Outcome, Progress};
use results::{HostFigures, HostUsageFigures, Sample};
use services::{Audit, ServiceError};
use stack::{Meter, Sampled, Sampling, Site, SiteError, TierStart, TiersUse};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool, mpsc},
    thread,
    time::Duration,
};
use testbed::{Hosts, IdleSpinner, Preferred, Scratch};
use workload::Users;

/// The servers of a variant, with their data.
pub(crate) trait SystemUnderTest: Send + Sync {
    /// Stops all servers, restores the data, and starts all servers again.
    fn start_fresh(&mut self) -> Result<(), SiteError>;
    /// Restores the data below servers that go on running. Returns the number of rows; none where there is no store.
    fn restore_data(&mut self) -> Option<Result<u64, ServiceError>>;
    fn stop(&mut self);
    /// An error if a server has ended although nobody stopped it.
    fn check_alive(&self) -> Result<(), ServiceError>;
    /// The changes since the data were loaded; none where there is no store.
    fn audit(&self) -> Option<Result<Audit, ServiceError>>;
    /// The rows of a table with these ids, as far as they are there; none where there is no store.
    fn rows_by_id(&self, table: &str, ids: &[u64]) -> Option<Result<Vec<Row>, ServiceError>>;
    /// Asks for nothing for so long.
    fn leave_alone(&self, time: Duration);
    /// Compares a sample of pages with the model's, of data that were just restored, for at most so long. Returns their number,
    /// and the first that differs.
    fn compare_pages(
        &self,
        context: &RunContext<'_>,
        variant: &Variant,
        most: Duration,
    ) -> Result<(usize, Option<String>), LabError>;
    /// Deletes a row behind the servers' back. Returns whether it was there; none where there is no store.
    fn lose_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>>;
    /// Changes a loaded row behind the servers' back, in a column that no interaction changes. Returns whether it was there; none
    /// where it has no such column.
    fn change_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>>;
    /// The last start of each server that runs.
    fn tiers_started(&self) -> Vec<TierStart>;
    /// Asks for a page until it is right; the time of that. None if it stays wrong.
    fn first_page(&self, path: &str) -> Option<Duration>;
    /// The logs of all servers with the names they get in a result's folder.
    fn logs(&self) -> Vec<(PathBuf, Vec<u8>)>;
    /// The cores that servers and laboratory may use.
    fn cores(&self) -> u32;
    fn dataset(&self) -> Dataset;
    /// Keeps its idle cores from sleeping; none where they don't sleep.
    fn keep_awake(&self, executable: &Path) -> Option<IdleSpinner>;
    /// Drives a load until it is over, or until `stop` is set. Calls `progress` at each second and each phase.
    fn drive(
        &self,
        users: &Users<'_>,
        load: &Load,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress) -> Directive,
    ) -> Result<Outcome, EngineError>;
    /// Drives a load while watchers look at the system.
    fn drive_watched(
        &self,
        users: &Users<'_>,
        load: &Load,
        watchers: Watchers<'_>,
        on_progress: &mut dyn FnMut(&Progress) -> Directive,
    ) -> Result<WatchedLoad, EngineError>;
    /// Meters the use of its tiers from now on.
    fn meter(&self) -> Box<dyn CpuMeter>;
    /// Samples its tiers and its machine from now on.
    fn sampler(&self) -> Box<dyn Sampler>;
    /// Attaches profilers, which record nothing yet. `window` is the time for which they will.
    fn attach_profilers(
        &self,
        context: &RunContext<'_>,
        variant: &Variant,
        window: Duration,
    ) -> Result<Profiling, LabError>;
}

pub(crate) struct Watchers<'w> {
    pub context: &'w RunContext<'w>,
    pub monitor: SiteMonitor<'w>,
    pub profiling: Option<Profiling>,
}

/// A load that was driven, and the records of its watchers.
pub(crate) struct WatchedLoad {
    pub outcome: Result<Outcome, EngineError>,
    pub log: MonitorLog,
    pub profiling: Result<Option<Profiling>, LabError>,
}

pub(crate) trait CpuMeter {
    /// The role of each tier, in the order in which they start.
    fn roles(&self) -> &[String];
    fn look(&mut self) -> TiersUse;
}

/// Samples tiers and machine, as [`Sampling`] does.
pub(crate) trait Sampler: Send {
    /// The use since the last call, at this time since the load began.
    fn tick(&mut self, at: Duration) -> Sample;
    /// Drops the use since the last call.
    fn skip(&mut self);
    /// Begins the window, or another stretch of it. A tick as well.
    fn open_window(&mut self, at: Duration) -> Sample;
    /// Ends the window, or the stretch of it that is open. A tick as well.
    fn close_window(&mut self, at: Duration) -> Sample;
    /// The machine and the hosts in the last stretch that ended.
    fn last_stretch(&self) -> Option<(HostFigures, Vec<HostUsageFigures>)>;
    /// Drops the last stretch, which another replaces.
    fn forget_stretch(&mut self);
    /// The connections of the stores in the last sample.
    fn store_connections(&self) -> f64;
    /// The figures of the window, in which so many interactions completed; none if there was no window.
    fn finish(self: Box<Self>, completed: u64) -> Option<Sampled>;
}

/// Prepares the system under test of a variant.
pub(crate) type Prepare<'p, 'e> =
    &'p dyn Fn(&'e Experiment<'e>, &'e Variant, &mut EventLog<'_>) -> Result<Box<System<'e>>, LabError>;

pub(crate) struct RealSystem<'s> {
    site: Site<'s>,
    /// The folder of profilers. All systems share it.
    scratch: Arc<Scratch>,
}

impl<'s> RealSystem<'s> {
    pub(crate) fn new(mut site: Site<'s>, scratch: Arc<Scratch>) -> Self {
        site.watch_contents();
        Self { site, scratch }
    }
}

impl SystemUnderTest for RealSystem<'_> {
    fn start_fresh(&mut self) -> Result<(), SiteError> {
        self.site.start_fresh()
    }

    fn restore_data(&mut self) -> Option<Result<u64, ServiceError>> {
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

    fn rows_by_id(&self, table: &str, ids: &[u64]) -> Option<Result<Vec<Row>, ServiceError>> {
        self.site.rows_by_id(table, ids)
    }

    fn leave_alone(&self, time: Duration) {
        thread::sleep(time);
    }

    fn compare_pages(
        &self,
        context: &RunContext<'_>,
        variant: &Variant,
        most: Duration,
    ) -> Result<(usize, Option<String>), LabError> {
        let found = context.spot_check(variant, &self.site, most)?;
        Ok((found.pages, found.difference))
    }

    fn lose_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>> {
        self.site.lose_row(table, id)
    }

    fn change_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>> {
        self.site.change_row(table, id)
    }

    fn tiers_started(&self) -> Vec<TierStart> {
        self.site.tiers_started()
    }

    fn first_page(&self, path: &str) -> Option<Duration> {
        self.site.first_page(path)
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
        let hosts = self.site.hosts().map(Hosts::clients).unwrap_or_default();
        if hosts.len() > 1 {
            let site_load = SiteLoad {
                application: users.catalogue.name.clone(),
                mix: users.mix.clone(),
                dataset: self.dataset(),
                site: self.site.address(),
                load: load.clone(),
            };
            return drive_on_hosts(&hosts, users, &site_load, stop, progress);
        }
        let _preferred = Preferred::this_thread();
        engine::drive_until(&self.site.target(), users, load, stop, progress)
    }

    fn drive_watched(
        &self,
        users: &Users<'_>,
        load: &Load,
        watchers: Watchers<'_>,
        on_progress: &mut dyn FnMut(&Progress) -> Directive,
    ) -> Result<WatchedLoad, EngineError> {
        let Watchers { context, monitor, profiling } = watchers;
        let halt = &AtomicBool::new(false);
        thread::scope(|scope| {
            let (to_monitor, news) = mpsc::channel();
            let monitor = spawn(scope, move || monitor.watch(context, halt, &news))?;
            let (to_profilers, phases) = mpsc::channel();
            let follow = move || profiling.map(|profiling| profiling.follow(&phases)).transpose();
            let profiling = spawn(scope, follow)?;
            let mut progress = |progress: Progress| {
                // The monitor ends early only if it panics; joining it shows that.
                let _ = to_monitor.send((&progress).into());
                // Profilers end early if they fail; joining them shows that.
                let _ = to_profilers.send(progress.phase);
                let directive = on_progress(&progress);
                if directive == Directive::Repeat {
                    let _ = to_monitor.send(News::Repeat);
                }
                directive
            };
            let outcome = self.drive(users, load, halt, &mut progress);
            drop((to_monitor, to_profilers));
            Ok(WatchedLoad {
                outcome,
                log: monitor.join().expect("the monitor does not panic"),
                profiling: profiling.join().expect("profilers do not panic"),
            })
        })
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

    fn last_stretch(&self) -> Option<(HostFigures, Vec<HostUsageFigures>)> {
        Self::last_stretch(self)
    }

    fn forget_stretch(&mut self) {
        Self::forget_stretch(self);
    }

    fn store_connections(&self) -> f64 {
        Self::store_connections(self)
    }

    fn finish(self: Box<Self>, completed: u64) -> Option<Sampled> {
        Self::finish(*self, completed)
    }
}

pub(crate) type System<'s> = dyn SystemUnderTest + 's;
