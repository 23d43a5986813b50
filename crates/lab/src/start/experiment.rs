//! The experiment: what is measured, and how its sites are prepared.

use crate::{
    LabError,
    events::{Event, event_log::EventLog},
    plan::{Forecast, Left, Loads, Plan, Timing, compares_in_rounds, forecast::units},
    start::RunContext,
    workspace::Variant,
};
use results::{ConfigurationRecord, Folder, Point, RunSpec, StoreTraffic, Verification};
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
}

impl Experiment<'_> {
    /// How long it is expected to take.
    pub fn forecast(&self) -> Forecast {
        let units = units(self.context.application, &self.context.dataset);
        Forecast::of(&self.spec, self.variants, &self.loads, self.timing, units)
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
    pub(crate) fn is_in_rounds(&self, points: &[Point]) -> bool {
        compares_in_rounds(&self.loads, self.variants.len(), points) && self.context.hosts.hold_several()
    }

    pub(crate) fn plan(&self, left: Left, folder: &Folder) -> Plan {
        Plan {
            configurations: self.variants.iter().map(|variant| variant.configuration.name.clone()).collect(),
            loads: self.loads.clone(),
            repetitions: self.spec.repetitions,
            seed: self.context.dataset.seed,
            done: folder.points().len() as u32,
            left,
        }
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
            let traffic = self.verify(variant, requests, scratch, events)?;
            let record = |folder: &mut Folder| {
                folder.record_verification(name, Verification::Passed, traffic.as_ref())
            };
            events.folders().try_for_each(record)?;
        } else if self.spec.skip_verify {
            events
                .folders()
                .try_for_each(|folder| folder.record_verification(name, Verification::Skipped, None))?;
        }
        self.context.site(variant, scratch, None, &mut |event| events.emit(event))
    }

    /// Holds a configuration against the model on a small site of its own: the model has its rows in memory. Returns what
    /// its pages asked of the store, if that can be traced.
    fn verify(
        &self,
        variant: &Variant,
        requests: usize,
        scratch: &Scratch,
        events: &mut EventLog<'_>,
    ) -> Result<Option<StoreTraffic>, LabError> {
        let mut tell = |event: Event<'_>| events.emit(event);
        let mut site = self.context.small_site(variant, scratch, &mut tell)?;
        let record = self.context.records.record(variant);
        let depth = Depth::Walk { requests };
        let proof = self.context.verify(variant, &mut site, depth, record.as_ref(), &mut tell)?;
        tell(Event::Verified { configuration: &variant.configuration.name, proof: &proof });
        Ok(proof.traffic.as_ref().map(|traffic| variant.traffic(traffic)))
    }
}
