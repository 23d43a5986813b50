//! The experiment: what is measured, and how its sites are prepared.

use crate::{
    Event, LabError, Left, LoadModel, Plan, RunContext, Variant, event_log::EventLog, forecast::units,
    plan::Pace, rounds, schedule::Schedule,
};
use results::{ConfigurationRecord, Folder, Objective, Point, Verification};
use stack::Site;
use stats::StoppingRule;
use std::time::Duration;
use testbed::Scratch;
use verify::Depth;
use workload::Mix;

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

/// At which loads to measure.
#[derive(Debug, Clone)]
pub enum Loads {
    /// At these, in this order.
    List(Vec<u32>),
    /// Around the knee until the best load is known, and then at that.
    PeakSearch {
        /// The number of clients that is never exceeded.
        most: u32,
        /// When it is looked whether all is told, so that no further starts are made.
        looks: StoppingRule,
    },
    /// Around the capacity under an objective, until it is known or stays inconclusive.
    Capacity {
        /// The objective.
        objective: Objective,
        /// The number of clients that is never exceeded.
        most: u32,
    },
    /// At these, one after the other on the same running servers: past the peak, and back down.
    OverloadCycle(Vec<u32>),
    /// Those of a model by which users arrive.
    Arrivals(LoadModel),
}

impl Loads {
    /// When it is looked at how configurations compare.
    pub(crate) fn looks(&self) -> StoppingRule {
        match self {
            Self::PeakSearch { looks, .. } => *looks,
            Self::List(_) | Self::Capacity { .. } | Self::OverloadCycle(_) | Self::Arrivals(_) => {
                StoppingRule::Fixed
            }
        }
    }
}

/// Everything an experiment needs to know.
pub struct Experiment<'a> {
    /// What all sites have in common.
    pub context: &'a RunContext<'a>,
    /// What clients do.
    pub mix: Mix,
    /// What is compared.
    pub variants: &'a [Variant],
    /// How long everything takes.
    pub timing: Timing,
    /// At which loads to measure.
    pub loads: Loads,
    /// How often each listed load, or else each peak, is measured; on how many starts a capacity is confirmed at most.
    pub repetitions: u32,
    /// How many requests verification walks; none leaves verification out.
    pub verify_requests: Option<usize>,
    /// Whether each configuration is profiled in the end, at its peak or else at its best load.
    pub profiles: bool,
    /// How many experiments share each start of the servers, this one included.
    pub sharing: u32,
}

/// Whether so many configurations are compared in rounds: at listed loads, at their peaks and capacities, where all sites fit
/// into memory at once. Who goes on with a run does as it had begun.
pub fn compares_in_rounds(loads: &Loads, configurations: usize, points: &[Point]) -> bool {
    let repeats = matches!(loads, Loads::List(_) | Loads::PeakSearch { .. } | Loads::Capacity { .. });
    let fits = || match points {
        [] => rounds::fit(configurations),
        points => points.iter().any(|point| point.start.is_some()),
    };
    repeats && configurations > 1 && fits()
}

impl Experiment<'_> {
    /// How long all of it is expected to take, in seconds, if nothing is measured yet.
    pub fn expected_s(&self) -> Result<f64, LabError> {
        Ok(self.left(&self.schedule(&[])?, &self.pace(&[]), &[]).expected_s())
    }

    /// What is to be measured, after these points.
    pub(crate) fn schedule(&self, points: &[Point]) -> Result<Schedule, LabError> {
        let names: Vec<&str> =
            self.variants.iter().map(|variant| variant.configuration.name.as_str()).collect();
        let seed = self.context.scenario.seed;
        let is_in_rounds = self.is_in_rounds(points);
        let mut schedule = Schedule::new(&names, &self.loads, self.repetitions, seed, is_in_rounds);
        if self.profiles {
            schedule = schedule.with_profiles();
        }
        schedule.replay(points)?;
        Ok(schedule)
    }

    /// How long points take, after these.
    pub(crate) fn pace(&self, points: &[Point]) -> Pace {
        let mut pace = Pace::new(
            &self.timing,
            &self.loads,
            units(self.context.application, &self.context.scenario),
            self.variants.iter().map(Variant::warm_up),
            self.loads.starts_per_point(self.repetitions),
            self.sharing,
        );
        points.iter().for_each(|point| pace.recall(point));
        pace
    }

    /// Whether configurations are compared in rounds: at listed loads, at their peaks and capacities, where all sites fit into
    /// memory, and each has hosts of its own where there is a testbed.
    fn is_in_rounds(&self, points: &[Point]) -> bool {
        compares_in_rounds(&self.loads, self.variants.len(), points) && self.context.hosts.hold_several()
    }

    pub(crate) fn plan(&self, schedule: &Schedule, pace: &Pace, folder: &Folder) -> Plan {
        Plan {
            configurations: self.variants.iter().map(|variant| variant.configuration.name.clone()).collect(),
            loads: self.loads.clone(),
            repetitions: self.repetitions,
            seed: self.context.scenario.seed,
            done: folder.points().len() as u32,
            point: pace.point(),
            left: self.left(schedule, pace, &folder.manifest().configurations),
        }
    }

    /// What is left to do, with the preparation of sites of which these were verified before an interruption.
    fn left(&self, schedule: &Schedule, pace: &Pace, records: &[ConfigurationRecord]) -> Left {
        let needed: Vec<&Variant> = self.needed(schedule).collect();
        let verified = needed.iter().filter(|variant| self.walk(variant, records).is_some()).count();
        pace.left(schedule.left()).after(pace.preparing(needed.len(), verified))
    }

    /// The configurations that may still be measured.
    fn needed(&self, schedule: &Schedule) -> impl Iterator<Item = &Variant> {
        let all = self.variants.iter().enumerate();
        all.filter(|(index, _)| schedule.needs(*index)).map(|(_, variant)| variant)
    }

    /// How many requests verification walks with a configuration; none if it is left out, or if this run had done it
    /// before it was interrupted.
    fn walk(&self, variant: &Variant, records: &[ConfigurationRecord]) -> Option<usize> {
        let own = records.iter().find(|record| record.name == variant.configuration.name);
        let is_verified = own.is_some_and(|record| record.verified == Verification::Passed);
        self.verify_requests.filter(|_| !is_verified)
    }

    /// Verifies a configuration, and brings the data that it is measured with: for all results that this is about.
    pub(crate) fn prepare(
        &self,
        variant: &Variant,
        scratch: &Scratch,
        events: &mut EventLog<'_>,
    ) -> Result<Site<'_>, LabError> {
        let name = &variant.configuration.name;
        self.context.hosts.enter_namespace(name)?;
        let walk = |folder: &mut Folder| self.walk(variant, &folder.manifest().configurations);
        let requests = events.folders().find_map(walk);
        if let Some(requests) = requests {
            self.verify(variant, requests, scratch, events)?;
            events.folders().try_for_each(|folder| folder.record_verification(name, Verification::Passed))?;
        } else if self.verify_requests.is_none() {
            events
                .folders()
                .try_for_each(|folder| folder.record_verification(name, Verification::Skipped))?;
        }
        self.context.site(variant, scratch, None, &mut |event| events.emit(event))
    }

    /// Holds a configuration against the model on a small site of its own: the model has its rows in memory.
    fn verify(
        &self,
        variant: &Variant,
        requests: usize,
        scratch: &Scratch,
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        let mut tell = |event: Event<'_>| events.emit(event);
        let mut site = self.context.small_site(variant, scratch, &mut tell)?;
        let record = self.context.records.record(variant);
        let depth = Depth::Walk { requests };
        let proof = self.context.verify(variant, &mut site, depth, record.as_ref(), &mut tell)?;
        tell(Event::Verified { configuration: &variant.configuration.name, proof: &proof });
        Ok(())
    }
}
