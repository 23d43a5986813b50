//! The experiment: its specification, the preparation of its sites, its loads and their judgement.

use crate::{
    error::LabError,
    events::EventLog,
    plan::{Forecast, Schedule, Task, Timing, compares_in_rounds, units},
    point::{Identity, Measured, intervals, point},
    start::{
        RunContext,
        load_run::{Driven, LoadRun},
    },
    workspace::Variant,
};
use engine::Load;
use results::{
    ConfigurationRecord, EventKind, Folder, LeftRecord, Point, RunSpec, StoreTraffic, Verification,
};
use stack::Site;
use testbed::Scratch;
use verify::Depth;
use workload::Mix;

/// The constants of the hash FNV-1a (Fowler, Noll and Vo).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// A mix, the variants that are compared, and how.
pub struct Experiment<'a> {
    /// The context that all sites share.
    pub context: &'a RunContext<'a>,
    pub mix: Mix,
    pub variants: &'a [Variant],
    pub spec: RunSpec,
    pub timing: Timing,
    /// The requests that verification walks, unless it is skipped.
    pub verify_requests: usize,
}

impl Experiment<'_> {
    pub fn forecast(&self) -> Forecast {
        let units = units(self.context.application, &self.context.dataset);
        Forecast::of(&self.spec, self.variants, units)
    }

    /// The seed of its clients. Their unique names must differ from those of the clients of another mix on the same data, whose
    /// schedule has the same seeds.
    pub(crate) fn seed_of_clients(&self, seed: u64) -> u64 {
        let hashed = self
            .mix
            .name
            .bytes()
            .fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
        seed ^ hashed
    }

    /// True if configurations are compared in rounds: at listed loads, at their peaks and capacities, where all sites fit into
    /// memory, and each has hosts of its own where there is a testbed.
    fn is_in_rounds(&self, points: &[Point]) -> bool {
        compares_in_rounds(&self.spec.loads, self.variants.len(), points) && self.context.hosts.hold_several()
    }

    /// The schedule after these points: it decides which loads come next.
    pub(crate) fn schedule(&self, points: &[Point]) -> Result<Schedule, LabError> {
        let names: Vec<&str> = self.variants.iter().map(|one| one.configuration.name.as_str()).collect();
        let RunSpec { repetitions, seed, profile, .. } = self.spec;
        let in_rounds = self.is_in_rounds(points);
        Schedule::begin(&names, &self.spec.loads, repetitions, seed, profile, in_rounds, points)
    }

    pub(crate) fn plan(&self, left: LeftRecord, folder: &Folder) -> EventKind {
        EventKind::Plan {
            configurations: self.variants.iter().map(|variant| variant.configuration.name.clone()).collect(),
            loads: self.spec.loads.clone(),
            repetitions: self.spec.repetitions,
            seed: self.context.dataset.seed,
            done: folder.points().len() as u32,
            left,
        }
    }

    /// The requests that verification walks with a configuration; none if it is skipped, or if this run had done it before an
    /// interruption.
    fn walk(&self, variant: &Variant, records: &[ConfigurationRecord]) -> Option<usize> {
        let own = records.iter().find(|record| record.name == variant.configuration.name);
        let is_verified = own.is_some_and(|record| record.verified == Verification::Passed);
        (!is_verified && !self.spec.skip_verify).then_some(self.verify_requests)
    }

    /// Verifies a configuration, and brings the data that it is measured with, for all results that are concerned.
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

    /// Verifies a configuration on a small site of its own, because the model has its rows in memory. Returns the requests of
    /// its pages to the store, if they can be traced.
    fn verify(
        &self,
        variant: &Variant,
        requests: usize,
        scratch: &Scratch,
        events: &mut EventLog<'_>,
    ) -> Result<Option<StoreTraffic>, LabError> {
        let mut tell = |event: EventKind| events.emit(event);
        let mut site = self.context.small_site(variant, scratch, &mut tell)?;
        let record = self.context.records.record(variant, &self.context.catalogue);
        let depth = Depth::Walk { requests };
        let proof = self.context.verify(variant, &mut site, depth, record.as_ref(), &mut tell)?;
        tell(EventKind::Verified {
            configuration: variant.configuration.name.clone(),
            interactions: proof.interactions as u64,
            documents: proof.documents as u64,
        });
        Ok(proof.traffic.as_ref().map(|traffic| variant.traffic(traffic)))
    }

    pub(crate) fn load(&self, variant: &Variant, task: &Task) -> Load {
        self.timing.load(task.kind.clone(), variant.timeout, self.seed_of_clients(task.seed))
    }

    /// Judges a load that is over, and writes down everything about it but the point itself.
    pub(crate) fn judge(
        &self,
        variant: &Variant,
        task: &Task,
        driven: Driven,
        events: &mut EventLog<'_>,
    ) -> Result<Point, LabError> {
        let configuration = variant.configuration.name.as_str();
        let Driven { run, start, warm_up, start_up, audit } = driven;
        let LoadRun { started, began, outcome, watched, profiling } = run;
        let latencies = intervals(&self.context.catalogue, &outcome);
        events.folder().write_samples(task.sequence, &watched.samples)?;
        events.folder().write_latency(task.sequence, started, latencies)?;
        if let Some(profiling) = profiling {
            events.step(configuration, "reading the profiles");
            let (profile, stacks) = profiling.finish(variant)?;
            events.folder().write_profile(task.sequence, &profile, &stacks)?;
        }
        let identity = Identity {
            configuration,
            stack: &variant.stack.name,
            repetition: task.repetition,
            start,
            sequence: task.sequence,
            purpose: task.purpose,
            kind: task.kind.clone(),
            is_external: false,
            seed: task.seed,
            timeout: variant.timeout,
            started: began,
        };
        let sampled = watched.sampled.ok_or_else(|| LabError::HeldUp {
            configuration: configuration.to_owned(),
            clients: task.kind.clients(),
        })?;
        let measured = Measured {
            catalogue: &self.context.catalogue,
            mix: &self.mix,
            timing: &self.timing,
            outcome: &outcome,
            tiers: sampled.tiers,
            host: sampled.host,
            hosts: sampled.hosts,
            sampler_cpu: sampled.sampler_cpu,
            rounds: if start.is_some() { sampled.stretches } else { Vec::new() },
            warm_up: Some(warm_up),
            start_up: Some(start_up),
            audit,
        };
        Ok(point(identity, measured))
    }
}
