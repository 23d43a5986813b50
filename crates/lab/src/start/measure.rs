//! One point: everything put back, the load, the audit, the verdict, and what is kept of it. The steps of an overload cycle are
//! points that share all of that but the load: each follows the one before at once.

use crate::{
    LabError,
    events::{Event, StepKind, clock::rfc3339, event_log::EventLog},
    plan::{Loads, Timing, schedule::Task},
    point::{Identity, Measured, latency::intervals, point},
    start::{
        Experiment,
        audit::{self, Audited},
        point_run::PointRun,
        profile::Profiling,
        site_monitor::{MonitorLog, SiteMonitor, Watched},
        system::System,
        warm::{WarmState, warm},
        window_control::{JitSettling, WindowController},
    },
    workspace::Variant,
};
use engine::{Directive, EngineError, Load, Outcome, Progress, WriteFates};
use results::{Audit, Folder, HostFigures, Point, Purpose, WarmUp};
use stack::Sampled;
use stats::HostUse;
use std::{
    path::Path,
    sync::{atomic::AtomicBool, mpsc},
    time::SystemTime,
};
use workload::{LoadKind, Series, Users};

/// How often longer than planned a server may take over the requests before the window. Then its point counts all the same, and
/// the verdict has its say.
pub(crate) const MOST_RAMPS: u32 = 10;

/// A load that is over.
pub(crate) struct LoadRun {
    started: SystemTime,
    /// The same, as results record it.
    began: String,
    pub outcome: Outcome,
    watched: Watched,
    /// Of a profiled point.
    profiling: Option<Profiling>,
}

impl LoadRun {
    /// Whether the machine was left to it in its window, which took turns with those of others.
    pub(crate) fn is_undisturbed(&self) -> bool {
        self.watched.sampled.as_ref().is_none_or(|Sampled { host: HostFigures { cores, mean }, .. }| {
            let use_of_machine = HostUse {
                cores: *cores,
                steal_cores: mean.steal_cores,
                in_rounds: true,
                other_processes_cores: mean.other_processes_cores,
                quotas: Vec::new(),
            };
            use_of_machine.is_undisturbed()
        })
    }
}

/// A load that is over, on servers in which compilers may have been at work.
pub(crate) struct EndedLoad {
    pub run: LoadRun,
    /// Whether they were when its window began.
    pub is_settling: bool,
}

/// A load that is over, and all that there is to know of it.
pub(crate) struct Driven {
    pub run: LoadRun,
    /// Which start it was of all servers that took turns with these; none if these were alone.
    pub start: Option<u32>,
    /// How its servers were warmed before.
    pub warm_up: WarmUp,
    /// What became of the data in all the time since they were put back; none where there is no store.
    pub audit: Option<Audit>,
}

/// Takes a point as soon as it is measured, so that what comes after it can't lose it.
pub(crate) type Take<'t> = &'t mut dyn FnMut(&Point, &mut EventLog<'_>) -> Result<(), LabError>;

impl Experiment<'_> {
    /// Measures points on one start of the servers, which is the same as every other. Each is taken when it is over; what is
    /// written down here is all of it but the point itself.
    pub(crate) fn measure(
        &self,
        variant: &Variant,
        site: &mut System<'_>,
        tasks: &[Task],
        events: &mut EventLog<'_>,
        take: Take<'_>,
    ) -> Result<(), LabError> {
        let configuration = variant.configuration.name.as_str();
        self.context.check_stop()?;
        self.context.hosts.enter_namespace(configuration)?;
        events.emit(Event::step(configuration, StepKind::Restoring));
        self.context
            .hosts
            .unthrottled(|| site.start_fresh().map_err(|fault| self.context.site_error(variant, fault)))?;
        let profiled = self.warm_and_drive(variant, site, tasks, events, take);
        // Whoever asks why it failed will look into the logs.
        keep_logs(site, configuration, events)?;
        site.stop();
        // It takes long to read what profilers saw, and nobody needs the servers for it.
        for (task, driven) in profiled? {
            take(&self.point(variant, task, driven, events)?, events)?;
        }
        Ok(())
    }

    /// Judges a load that is over, and writes down all of it but the point itself.
    pub(crate) fn point(
        &self,
        variant: &Variant,
        task: &Task,
        driven: Driven,
        events: &mut EventLog<'_>,
    ) -> Result<Point, LabError> {
        let configuration = variant.configuration.name.as_str();
        let Driven { run, start, warm_up, audit } = driven;
        self.keep_series(task.sequence, &run, events.folder())?;
        let LoadRun { began, outcome, watched, profiling, .. } = run;
        if let Some(profiling) = profiling {
            events.emit(Event::step(configuration, StepKind::ReadingProfiles));
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
            kind: self.kind(task),
            is_external: false,
            seed: task.seed,
            timeout: variant.timeout,
            started: began,
        };
        let sampled = watched.sampled.ok_or_else(|| LabError::HeldUp {
            configuration: configuration.to_owned(),
            clients: task.clients,
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
            audit,
        };
        Ok(point(identity, measured))
    }

    /// Warms the servers and puts the loads on. Returns what is still to be taken: those whose profilers are not done.
    fn warm_and_drive<'t>(
        &self,
        variant: &Variant,
        site: &mut System<'_>,
        tasks: &'t [Task],
        events: &mut EventLog<'_>,
        take: Take<'_>,
    ) -> Result<Vec<(&'t Task, Driven)>, LabError> {
        let warmed = warm(&[self], variant, site, tasks[0].seed, events)?;
        let configuration = variant.configuration.name.as_str();
        events.emit(Event::WarmedUp { configuration, warm_up: &warmed.figures[0] });
        let driven = self.run_of(variant, site).drive_all(tasks, &warmed, events)?;
        let mut profiled = Vec::new();
        for (task, driven) in tasks.iter().zip(driven) {
            match task.purpose {
                Purpose::Profile => profiled.push((task, driven)),
                _ => take(&self.point(variant, task, driven, events)?, events)?,
            }
        }
        Ok(profiled)
    }

    fn kind(&self, task: &Task) -> LoadKind {
        let Timing { think_time, time_scale, window, .. } = self.timing;
        match &self.loads {
            Loads::Arrivals(model) => model.load(task.clients, time_scale, window),
            Loads::OverloadCycle(_) if task.purpose == Purpose::OverloadCycle => {
                LoadKind::OverloadStep { clients: task.clients, think_time_s: think_time.as_secs_f64() }
            }
            _ => LoadKind::closed(task.clients, think_time),
        }
    }

    pub(crate) fn load(&self, variant: &Variant, task: &Task) -> Load {
        let Timing { session_length, ramp, window, .. } = self.timing;
        let (kind, timeout) = (self.kind(task), variant.timeout.0);
        Load {
            session_length,
            ramp,
            warm_requests: kind.warm_requests(),
            longest_ramp: ramp * MOST_RAMPS,
            window: kind.window(window, timeout),
            timeout,
            seed: self.seed_of_clients(task.seed),
            ..Load::new(kind)
        }
    }

    /// What was seen second by second stays in the result.
    fn keep_series(&self, sequence: u32, run: &LoadRun, folder: &mut Folder) -> Result<(), LabError> {
        folder.write_samples(sequence, &run.watched.samples)?;
        folder.write_latency(sequence, run.started, intervals(&self.context.catalogue, &run.outcome))?;
        Ok(())
    }
}

impl PointRun<'_, '_> {
    /// Puts loads on, one after the other, and looks at what became of the data in all that time.
    fn drive_all(
        &self,
        tasks: &[Task],
        warmed: &WarmState,
        events: &mut EventLog<'_>,
    ) -> Result<Vec<Driven>, LabError> {
        let mut earlier = warmed.in_doubt_writes.clone();
        let mut all: Vec<(LoadRun, WarmUp)> = Vec::new();
        for task in tasks {
            let EndedLoad { mut run, is_settling } = self.drive_task(task, warmed, events)?;
            run.outcome.add_earlier_writes(std::mem::take(&mut earlier));
            earlier.clone_from(&run.outcome.writes);
            all.push((run, warmed.figures_of(0, is_settling)));
        }
        let audit = self.audit_and_plant(&earlier, warmed, events)?;
        let driven = |(run, warm_up)| Driven { run, start: None, warm_up, audit: audit.clone() };
        Ok(all.into_iter().map(driven).collect())
    }

    fn drive_task(
        &self,
        task: &Task,
        warmed: &WarmState,
        events: &mut EventLog<'_>,
    ) -> Result<EndedLoad, LabError> {
        let Self { experiment, variant, site } = *self;
        let profiling = match task.purpose {
            Purpose::Profile => {
                events.emit(Event::step(self.name(), StepKind::AttachingProfilers));
                let window = experiment.timing.window;
                Some(site.attach_profilers(experiment.context, variant, window)?)
            }
            _ => None,
        };
        let load = experiment.load(variant, task);
        let compilers =
            warmed.has_compilers && load.kind.series() != Series::Arrivals && !experiment.timing.is_smoke;
        // The steps of an overload cycle follow each other on the same quotas.
        let lifted = match compilers && load.kind.series() != Series::OverloadCycle {
            true => experiment.context.hosts.lift_all(self.name())?,
            false => None,
        };
        let settling = compilers.then(|| JitSettling::begin(site, lifted, load.ramp));
        self.drive(&load, settling, profiling, events)
    }

    /// Looks at what became of the data since they were put back, after these writes; none where there is no store.
    pub(crate) fn audit_and_plant(
        &self,
        writes: &[WriteFates],
        warmed: &WarmState,
        events: &mut EventLog<'_>,
    ) -> Result<Option<Audit>, LabError> {
        let audited = self.experiment.context.hosts.unthrottled(|| self.look_into(writes, events))?;
        if let Some(audited) = &audited {
            self.plant_loss(writes, audited, events)?;
        }
        let with_warming =
            |audited: Audited| warmed.audit.iter().cloned().fold(audited.audit, Audit::with_earlier);
        Ok(audited.map(with_warming))
    }

    /// Puts the load on while watching that all services live and what they use.
    fn drive(
        &self,
        load: &Load,
        settling: Option<JitSettling<'_>>,
        profiling: Option<Profiling>,
        events: &mut EventLog<'_>,
    ) -> Result<EndedLoad, LabError> {
        let Self { experiment, site, .. } = *self;
        let length_s = (load.ramp + load.window).as_secs_f64();
        // Where users arrive, it may be over sooner.
        let at_most = if load.kind.series() == Series::Arrivals { "at most " } else { "" };
        let words = format!("{} for {at_most}{length_s} s", load.kind);
        events.emit(Event::step(self.name(), StepKind::Load(words)));
        let (watcher, seen) = SiteMonitor::begin(site);
        let is_plain =
            load.kind.series() == Series::Curve && !experiment.timing.is_smoke && profiling.is_none();
        let mut controller = WindowController::new(settling, is_plain.then_some(seen));
        let mut tell = |progress: &Progress| {
            events.emit(driving(self.name(), load, progress));
            controller.on_progress(progress)
        };
        let _spinner = site.keep_awake(&experiment.context.executable);
        let run = self.drive_and_watch(load, watcher, profiling, &mut tell)?;
        let is_settling = controller.is_settling();
        controller.expect_limits()?;
        Ok(EndedLoad { run, is_settling })
    }

    /// Puts the load on as `tell` says, while a watcher and perhaps profilers look.
    pub(crate) fn drive_and_watch(
        &self,
        load: &Load,
        watcher: SiteMonitor<'_>,
        profiling: Option<Profiling>,
        tell: &mut dyn FnMut(&Progress) -> Directive,
    ) -> Result<LoadRun, LabError> {
        let (started, began) = (SystemTime::now(), rfc3339());
        let (driven, seen, profiling) = self.drive_watched(load, watcher, profiling, tell);
        self.experiment.context.check_stop()?;
        let configuration = || self.name().to_owned();
        self.site.check_alive().map_err(|fault| LabError::Died {
            configuration: configuration(),
            clients: load.kind.clients(),
            fault,
        })?;
        let outcome = driven.map_err(|fault| LabError::Engine { configuration: configuration(), fault })?;
        let watched = seen.watched(outcome.total().completed);
        Ok(LoadRun { started, began, outcome, watched, profiling: profiling? })
    }

    /// The load on this thread, the watcher and profilers on others.
    fn drive_watched(
        &self,
        load: &Load,
        watcher: SiteMonitor<'_>,
        profiling: Option<Profiling>,
        tell: &mut dyn FnMut(&Progress) -> Directive,
    ) -> (Result<Outcome, EngineError>, MonitorLog, Result<Option<Profiling>, LabError>) {
        let Self { experiment, site, .. } = *self;
        let context = experiment.context;
        let halt = &AtomicBool::new(false);
        let entering = load.kind.entering(&context.catalogue);
        let drive = |progress: &mut dyn FnMut(Progress) -> Directive| {
            context.with_users(&experiment.mix, &site.dataset(), |users| {
                let catalogue = entering.as_ref().unwrap_or(users.catalogue);
                site.drive(&Users { catalogue, ..*users }, load, halt, progress)
            })
        };
        if site.is_in_virtual_time() {
            let mut watcher = watcher;
            let driven = drive(&mut |progress| {
                watcher.on_progress(&(&progress).into());
                tell(&progress)
            });
            return (driven, watcher.end(), Ok(None));
        }
        std::thread::scope(|scope| {
            let (on_progress, news) = mpsc::channel();
            let watcher = scope.spawn(move || watcher.watch(context, halt, &news));
            let (turn, phases) = mpsc::channel();
            let follow = move || profiling.map(|profiling| profiling.follow(&phases)).transpose();
            let profiling = scope.spawn(follow);
            let mut progress = |progress: Progress| {
                // The watcher only ends before its time if it panics, which its join will tell.
                let _ = on_progress.send((&progress).into());
                // Profilers end before their time where they fail, which is told in the end.
                let _ = turn.send(progress.phase);
                tell(&progress)
            };
            let driven = drive(&mut progress);
            drop((on_progress, turn));
            let seen = watcher.join().expect("the watcher does not panic");
            (driven, seen, profiling.join().expect("profilers do not panic"))
        })
    }

    /// The first audit of a result is made once more after a row was deleted on purpose, to show that it would see a loss.
    fn plant_loss(
        &self,
        writes: &[WriteFates],
        audited: &Audited,
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        let lacks_one = |folder: &Folder| folder.manifest().planted_loss.is_none();
        if !events.folders().any(|folder| lacks_one(folder)) {
            return Ok(());
        }
        events.emit(Event::step(self.name(), StepKind::PlantingLoss));
        let loss = audit::plant_loss(self.experiment.context, self.name(), self.site, writes, audited)?;
        let Some(loss) = loss else { return Ok(()) };
        let mut lacking = events.folders().filter(|folder| lacks_one(folder));
        Ok(lacking.try_for_each(|folder| folder.record_planted_loss(loss.clone()))?)
    }
}

/// The logs of the latest point of a configuration stay in the result.
pub(crate) fn keep_logs(
    site: &System<'_>,
    configuration: &str,
    events: &mut EventLog<'_>,
) -> Result<(), LabError> {
    for (path, text) in site.logs() {
        let path = Path::new("logs").join(configuration).join(path);
        events.folders().try_for_each(|folder| folder.write(&path.to_string_lossy(), &text))?;
    }
    Ok(())
}

pub(crate) fn driving<'a>(configuration: &'a str, load: &Load, progress: &'a Progress) -> Event<'a> {
    let window_start = progress.window_start.unwrap_or(load.ramp);
    let length_s = (window_start + load.window).as_secs_f64();
    Event::Driving { configuration, clients: load.kind.behaviour().clients, length_s, progress }
}
