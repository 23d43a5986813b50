//! The experiment: what is measured, and the way from its plan to its last point.

use crate::{
    Bench, Chosen, Event, LabError, LoadModel, Plan, forecast::units, journal::Journal, plan::Pace, rounds,
    schedule::Schedule,
};
use results::{Folder, Point, Purpose};
use stack::Site;
use stats::Looks;
use std::{
    mem,
    time::{Duration, Instant},
};
use testbed::Scratch;
use verify::Depth;

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
    pub is_trial: bool,
}

/// At which loads to measure.
#[derive(Debug, Clone)]
pub enum Loads {
    /// At these, in this order.
    These(Vec<u32>),
    /// Around the knee until the best load is known, and then at that.
    ToThePeak {
        /// The number of clients that is never exceeded.
        most: u32,
        /// When it is looked whether all is told, so that no further starts are made.
        looks: Looks,
    },
    /// At these, one after the other on the same running servers: past the peak, and back down.
    Sweep(Vec<u32>),
    /// Those of a model by which users arrive.
    Arrivals(LoadModel),
}

impl Loads {
    /// When it is looked at how configurations compare.
    pub(crate) fn looks(&self) -> Looks {
        match self {
            Self::ToThePeak { looks, .. } => *looks,
            Self::These(_) | Self::Sweep(_) | Self::Arrivals(_) => Looks::Once,
        }
    }
}

/// Everything an experiment needs to know.
pub struct Experiment<'a> {
    /// What all sites have in common.
    pub bench: Bench<'a>,
    /// What is compared.
    pub chosen: &'a [Chosen],
    /// How long everything takes.
    pub timing: Timing,
    /// At which loads to measure.
    pub loads: Loads,
    /// How often each listed load, or else each peak, is measured.
    pub repetitions: u32,
    /// How many requests verification walks; none leaves verification out.
    pub verify_requests: Option<usize>,
    /// Whether each configuration is profiled in the end, at its peak or else at its best load.
    pub profiles: bool,
}

/// Runs an experiment, or goes on with it where the folder has points already. Each point is in the folder as soon as
/// it is judged.
pub fn run(
    experiment: &Experiment<'_>,
    folder: &mut Folder,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<(), LabError> {
    let result = experiment.run(&mut Journal::new(folder, emit));
    // Once somebody has asked for the end, whatever fails fails because of it.
    experiment.bench.check_stop().and(result)
}

/// Whether so many configurations are compared in rounds: at listed loads and at their peaks, where all sites fit into memory
/// at once. Who goes on with a run does as it had begun.
pub fn compares_in_rounds(loads: &Loads, configurations: usize, points: &[Point]) -> bool {
    let repeats = matches!(loads, Loads::These(_) | Loads::ToThePeak { .. });
    let fits = || match points {
        [] => rounds::fit(configurations),
        points => points.iter().any(|point| point.start.is_some()),
    };
    repeats && configurations > 1 && fits()
}

/// How verification ended, as the manifest tells it.
const PASSED: &str = "passed";

impl Experiment<'_> {
    fn run(&self, journal: &mut Journal<'_>) -> Result<(), LabError> {
        let names: Vec<&str> = self.chosen.iter().map(|chosen| chosen.configuration.name.as_str()).collect();
        let seed = self.bench.scenario.seed;
        let is_in_rounds = self.is_in_rounds(journal.folder);
        let mut schedule = Schedule::new(&names, &self.loads, self.repetitions, seed, is_in_rounds);
        if self.profiles {
            schedule = schedule.with_profiles();
        }
        schedule.replay(journal.folder.points())?;
        let mut pace = Pace::new(
            (&self.timing, &self.loads),
            units(self.bench.application, &self.bench.scenario),
            self.chosen.iter().map(Chosen::warm_up),
            self.loads.starts_per_point(self.repetitions),
        );
        journal.folder.points().iter().for_each(|point| pace.recall(point));
        let plan = self.plan(&schedule, &pace, journal.folder);
        if plan.done == 0 {
            journal.folder.record_expected(plan.left.expected_s())?;
        }
        journal.tell(Event::Plan(&plan));
        if schedule.turn().is_none() {
            return Ok(());
        }
        let scratch = self.bench.scratch(self.chosen.len())?;
        let mut sites = self.bench.hosts.hurry(|| self.prepare_all(&schedule, &scratch, journal))?;
        self.measure_all(&mut sites, schedule, pace, &scratch, journal)
    }

    /// Whether configurations are compared in rounds: at listed loads and at their peaks, where all sites fit into memory, and
    /// each has hosts of its own where there is a testbed.
    fn is_in_rounds(&self, folder: &Folder) -> bool {
        let compares = compares_in_rounds(&self.loads, self.chosen.len(), folder.points());
        compares && self.bench.hosts.hold_several()
    }

    fn plan(&self, schedule: &Schedule, pace: &Pace, folder: &Folder) -> Plan {
        let needed: Vec<&Chosen> = self.needed(schedule).collect();
        let unverified = needed.iter().filter(|chosen| self.walk(chosen, folder).is_some()).count();
        Plan {
            configurations: self.chosen.iter().map(|chosen| chosen.configuration.name.clone()).collect(),
            loads: self.loads.clone(),
            repetitions: self.repetitions,
            seed: self.bench.scenario.seed,
            done: folder.points().len() as u32,
            point: pace.point(),
            left: pace.left(schedule.left()).after_preparing(needed.len(), unverified),
        }
    }

    /// The configurations that may still be measured.
    fn needed(&self, schedule: &Schedule) -> impl Iterator<Item = &Chosen> {
        let all = self.chosen.iter().enumerate();
        all.filter(|(index, _)| schedule.needs(*index)).map(|(_, chosen)| chosen)
    }

    /// How many requests verification walks with a configuration; none if it is left out, or if this run had done it
    /// before it was interrupted.
    fn walk(&self, chosen: &Chosen, folder: &Folder) -> Option<usize> {
        let mut records = folder.manifest().configurations.iter();
        let is_verified =
            records.any(|record| record.name == chosen.configuration.name && record.verified == PASSED);
        self.verify_requests.filter(|_| !is_verified)
    }

    /// Brings the sites of all configurations that may still be measured; by the index of the configuration.
    fn prepare_all(
        &self,
        schedule: &Schedule,
        scratch: &Scratch,
        journal: &mut Journal<'_>,
    ) -> Result<Vec<Option<Site<'_>>>, LabError> {
        let mut sites = Vec::new();
        for (index, chosen) in self.chosen.iter().enumerate() {
            let site = match schedule.needs(index) {
                true => Some(self.prepare(chosen, scratch, journal)?),
                false => None,
            };
            sites.push(site);
            journal.check()?;
        }
        Ok(sites)
    }

    /// Verifies a configuration, and brings the data that it is measured with.
    fn prepare(
        &self,
        chosen: &Chosen,
        scratch: &Scratch,
        journal: &mut Journal<'_>,
    ) -> Result<Site<'_>, LabError> {
        let name = &chosen.configuration.name;
        self.bench.hosts.visit(name)?;
        if let Some(requests) = self.walk(chosen, journal.folder) {
            self.verify(chosen, requests, scratch, journal)?;
            journal.folder.record_verification(name, PASSED)?;
        } else if self.verify_requests.is_none() {
            journal.folder.record_verification(name, "left out with --unverified")?;
        }
        self.bench.site(chosen, scratch, None, &mut |event| journal.tell(event))
    }

    /// Holds a configuration against the model on a small site of its own: the model has its rows in memory.
    fn verify(
        &self,
        chosen: &Chosen,
        requests: usize,
        scratch: &Scratch,
        journal: &mut Journal<'_>,
    ) -> Result<(), LabError> {
        let mut tell = |event: Event<'_>| journal.tell(event);
        let mut site = self.bench.small_site(chosen, scratch, &mut tell)?;
        let record = self.bench.records.record(chosen);
        let depth = Depth::Walk { requests };
        let proof = self.bench.verify(chosen, &mut site, depth, record.as_ref(), &mut tell)?;
        tell(Event::Verified { configuration: &chosen.configuration.name, proof: &proof });
        Ok(())
    }

    fn measure_all(
        &self,
        sites: &mut [Option<Site<'_>>],
        mut schedule: Schedule,
        mut pace: Pace,
        scratch: &Scratch,
        journal: &mut Journal<'_>,
    ) -> Result<(), LabError> {
        while let Some(turn) = schedule.turn() {
            let mut began = Instant::now();
            let is_search = matches!(turn.purpose, Purpose::Search | Purpose::Confirm);
            let entrants = match is_search || turn.contenders.len() > 1 {
                true => self.enter(sites, &turn, journal)?,
                false => Vec::new(),
            };
            let knee = |index| entrants.iter().find_map(|entrant| entrant.knee(index));
            let tasks = schedule.tasks(&turn, knee);
            let mut take = |point: &Point, journal: &mut Journal<'_>| -> Result<(), LabError> {
                journal.folder.append(point)?;
                pace.record(mem::replace(&mut began, Instant::now()).elapsed());
                journal.tell(Event::Measured(point));
                for (configuration, end) in schedule.record(point) {
                    let configuration = configuration.as_str();
                    journal.tell(Event::Passed { configuration, peak: end.peak, passed: end.passed });
                }
                Ok(())
            };
            match turn.contenders[0] {
                alone if entrants.is_empty() => {
                    let site = sites[alone].as_mut().expect("all sites that are needed were prepared");
                    self.measure(&self.chosen[alone], site, &tasks, scratch, journal, &mut take)?;
                }
                _ => self.measure_in_rounds(entrants, &tasks, journal, &mut take)?,
            }
            journal.tell(Event::Left(pace.left(schedule.left())));
            journal.check()?;
        }
        Ok(())
    }
}
