//! The engine alone, against an external site: nothing is started, verified, warmed or audited, and nothing is known of the
//! servers but their answers.

use crate::{
    error::LabError,
    events::{Event, EventLog, rfc3339},
    plan::Timing,
    point::{Identity, Measured, intervals, point},
    workers::{Worker, Workers},
    workspace::Timeout,
};
use engine::{Directive, EngineError, Load, Outcome, Phase, Progress, Shard, Target};
use results::{Folder, Point, Purpose, Sample};
use stack::{Sampled, Sampling};
use std::{
    slice,
    sync::atomic::{AtomicBool, Ordering},
    time::SystemTime,
};
use testbed::Preferred;
use workload::{LoadKind, Users};

/// Loads on an external site.
pub struct Drive<'a> {
    pub target: &'a Target,
    pub users: &'a Users<'a>,
    /// Instant at which the command began, in seconds: its unique texts hold it, since the site keeps those of earlier runs.
    pub began: i64,
    pub timing: Timing,
    pub timeout: Timeout,
    /// The loads, in their order.
    pub steps: &'a [DriveStep],
    pub seed: u64,
    /// Set from outside to stop everything.
    pub stop: &'a AtomicBool,
    /// The workers that drive the loads; none if this thread does.
    pub workers: Option<&'a Workers>,
}

#[derive(Debug, Clone)]
pub struct DriveStep {
    pub name: String,
    pub kind: LoadKind,
    /// The repetition of this load, from 1.
    pub repetition: u32,
}

/// The stack of an external site, in results.
pub const NO_STACK: &str = "elsewhere";

impl Drive<'_> {
    /// Drives the loads one after the other, and writes down a point of each.
    ///
    /// # Errors
    /// Nothing answers there, the result can't be written, it holds points of other loads, or somebody stopped it.
    pub fn run(&self, folder: &mut Folder, emit: &mut dyn FnMut(Event<'_>)) -> Result<(), LabError> {
        let done = self.replay(folder.points())?;
        let mut events = EventLog::new(slice::from_mut(folder), emit);
        for (step, sequence) in self.steps.iter().zip(1..).skip(done) {
            let point = self.measure(step, sequence, &mut events)?;
            events.folder().append(&point)?;
            events.measured(&point);
            events.check()?;
        }
        Ok(())
    }

    /// The number of loads that an interrupted run has measured. They must be the first ones.
    fn replay(&self, points: &[Point]) -> Result<usize, LabError> {
        let mut steps = self.steps.iter();
        for point in points {
            let step = steps.next();
            let is_same = |step: &&DriveStep| {
                (&step.name, &step.kind, step.repetition)
                    == (&point.configuration, &point.kind, point.repetition)
            };
            if step.filter(is_same).is_none() {
                let load = |name: &str, kind: &LoadKind, run: u32| format!("{name} with {kind} (run {run})");
                return Err(LabError::OtherPlan {
                    sequence: point.sequence,
                    recorded: load(&point.configuration, &point.kind, point.repetition),
                    planned: step.map_or("nothing more".to_owned(), |step| {
                        load(&step.name, &step.kind, step.repetition)
                    }),
                });
            }
        }
        Ok(points.len())
    }

    /// Drives a shard of one of the loads, as a worker.
    ///
    /// # Errors
    /// Nothing answers there, or there is no such load.
    pub fn shard(&self, sequence: u32, shard: Shard, worker: &mut Worker) -> Result<Outcome, EngineError> {
        let step = sequence.checked_sub(1).and_then(|step| self.steps.get(step as usize));
        let step =
            step.ok_or_else(|| EngineError::Worker { fault: format!("a worker knows no load {sequence}") })?;
        let load = Load { shard: Some(shard), ..self.load(step, sequence) };
        self.drive_on_this_thread(&load, &mut |progress| worker.on_progress(progress))
    }

    fn measure(&self, step: &DriveStep, sequence: u32, events: &mut EventLog<'_>) -> Result<Point, LabError> {
        let load = self.load(step, sequence);
        let words = format!("{} for {} s", step.kind, (load.ramp + load.window).as_secs_f64());
        events.step(&step.name, words);
        let (started, began) = (SystemTime::now(), rfc3339());
        let mut seconds = DriveProgress::begin();
        let outcome = self.drive_step(&load, sequence, &mut |progress| {
            events.driving(&step.name, &load, &progress);
            seconds.on_progress(&progress);
        });
        if self.stop.load(Ordering::Relaxed) {
            return Err(LabError::Interrupted);
        }
        let outcome =
            outcome.map_err(|fault| LabError::Engine { configuration: step.name.clone(), fault })?;
        let (sampled, samples) = seconds.end();
        events.folder().write_samples(sequence, &samples)?;
        events.folder().write_latency(sequence, started, intervals(self.users.catalogue, &outcome))?;
        let sampled = sampled.ok_or_else(|| LabError::HeldUp {
            configuration: step.name.clone(),
            clients: step.kind.clients(),
        })?;
        let identity = Identity {
            configuration: &step.name,
            stack: NO_STACK,
            repetition: step.repetition,
            start: None,
            sequence,
            purpose: Purpose::Listed,
            kind: step.kind.clone(),
            is_external: true,
            seed: load.seed,
            timeout: self.timeout,
            started: began,
        };
        let measured = Measured {
            sampler_cpu: sampled.sampler_cpu,
            ..Measured::of_clients(self.users.catalogue, self.users.mix, &self.timing, &outcome, sampled.host)
        };
        Ok(point(identity, measured))
    }

    fn load(&self, step: &DriveStep, sequence: u32) -> Load {
        let seed = self.seed.wrapping_add(u64::from(sequence) - 1);
        Load { began: Some(self.began), ..self.timing.load(step.kind.clone(), self.timeout, seed) }
    }

    fn drive_step(
        &self,
        load: &Load,
        sequence: u32,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, EngineError> {
        if let Some(workers) = self.workers {
            return workers.drive_divided(load, sequence, self.stop, tell);
        }
        self.drive_on_this_thread(load, &mut |progress| {
            tell(progress);
            Directive::GoOn
        })
    }

    fn drive_on_this_thread(
        &self,
        load: &Load,
        tell: &mut dyn FnMut(Progress) -> Directive,
    ) -> Result<Outcome, EngineError> {
        let _preferred = Preferred::this_thread();
        engine::drive_until(self.target, self.users, load, self.stop, tell)
    }
}

/// Samples this machine each second, on the clients' own thread: a sample takes tens of microseconds.
struct DriveProgress {
    sampling: Sampling,
    phase: Phase,
    samples: Vec<Sample>,
}

impl DriveProgress {
    fn begin() -> Self {
        Self { sampling: Sampling::of_machine(), phase: Phase::Ramp, samples: Vec::new() }
    }

    fn on_progress(&mut self, progress: &Progress) {
        let before = std::mem::replace(&mut self.phase, progress.phase);
        let at = progress.elapsed;
        self.samples.push(match (before, self.phase) {
            (Phase::Measure, Phase::Measure) => self.sampling.tick(at),
            (_, Phase::Measure) => self.sampling.open_window(at),
            (Phase::Measure, _) => self.sampling.close_window(at),
            _ => self.sampling.tick(at),
        });
    }

    fn end(self) -> (Option<Sampled>, Vec<Sample>) {
        // Nothing is known of its tiers.
        (self.sampling.finish(0), self.samples)
    }
}
