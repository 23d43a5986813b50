//! The experiment: what is measured, and how its sites are prepared.

use crate::{
    Event, LabError, Left, Loads, Plan, RunContext, Timing, Variant, compares_in_rounds, event_log::EventLog,
    forecast::units, plan::Pace, schedule::Schedule,
};
use results::{ConfigurationRecord, Folder, Point, RunSpec, Verification};
use stack::Site;
use testbed::Scratch;
use verify::Depth;
use workload::Mix;

/// The constants of the hash FNV-1a (Fowler, Noll and Vo).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// Everything an experiment needs to know.
pub struct Experiment<'a> {
    /// What all sites have in common.
    pub context: &'a RunContext<'a>,
    /// What clients do.
    pub mix: Mix,
    /// What is compared.
    pub variants: &'a [Variant],
    /// What was asked for.
    pub spec: RunSpec,
    /// How long everything takes.
    pub timing: Timing,
    /// At which loads to measure.
    pub loads: Loads,
    /// How many requests verification walks, unless it is left out.
    pub verify_requests: usize,
    /// How many experiments share each start of the servers, this one included.
    pub sharing: u32,
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
        let seed = self.context.dataset.seed;
        let is_in_rounds = self.is_in_rounds(points);
        let mut schedule = Schedule::new(&names, &self.loads, self.spec.repetitions, seed, is_in_rounds);
        if self.spec.profile {
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
            units(self.context.application, &self.context.dataset),
            self.variants.iter().map(Variant::warm_up),
            self.loads.starts_per_point(self.spec.repetitions),
            self.sharing,
        );
        points.iter().for_each(|point| pace.recall(point));
        pace
    }

    /// The seed of clients that walk by the experiment's mix. What they call unique must differ from what those of another mix
    /// do on the same data, whose schedule has the same seeds.
    pub(crate) fn seed_of_clients(&self, seed: u64) -> u64 {
        let hashed = self
            .mix
            .name
            .bytes()
            .fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
        seed ^ hashed
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
            repetitions: self.spec.repetitions,
            seed: self.context.dataset.seed,
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
        (!is_verified && !self.spec.skip_verify).then_some(self.verify_requests)
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
        } else if self.spec.skip_verify {
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
