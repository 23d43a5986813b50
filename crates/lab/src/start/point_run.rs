//! A variant of an experiment on servers that are up: the loads that are driven while no other servers work, and audits.

use crate::{
    error::LabError,
    events::{EventLog, Events, rfc3339},
    plan::Task,
    start::{
        Experiment,
        audit::{self, Audited},
        load_run::{Driven, EndedLoad, LoadRun},
        profile::Profiling,
        site_monitor::SiteMonitor,
        system::{System, WatchedLoad, Watchers},
        warm_state::WarmState,
        window_control::{JitSettling, WindowController},
    },
    workspace::Variant,
};
use engine::{Directive, Load, Progress, WriteFates};
use results::{Audit, Folder, Purpose, WarmUp};
use std::time::SystemTime;
use workload::{Series, Users};

/// A variant of an experiment whose servers are up.
#[derive(Clone, Copy)]
pub(crate) struct PointRun<'r, 's> {
    pub experiment: &'r Experiment<'r>,
    pub variant: &'r Variant,
    pub site: &'r System<'s>,
}

impl PointRun<'_, '_> {
    pub(crate) fn name(&self) -> &str {
        &self.variant.configuration.name
    }

    /// Drives the tasks one after the other while no other servers work, and audits the data at their end. The steps of an
    /// overload cycle are such tasks: each follows the one before at once.
    pub(crate) fn drive_tasks(
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
        let start_up = &warmed.start_ups[0];
        let driven = |(run, warm_up)| Driven {
            run,
            start: None,
            warm_up,
            start_up: start_up.clone(),
            audit: audit.clone(),
        };
        Ok(all.into_iter().map(driven).collect())
    }

    /// Drives one task, with profilers if its point is profiled. Its window opens when connections and compilers have settled.
    fn drive_task(
        &self,
        task: &Task,
        warmed: &WarmState,
        events: &mut EventLog<'_>,
    ) -> Result<EndedLoad, LabError> {
        let Self { experiment, variant, site } = *self;
        let timing = &experiment.timing;
        let profiling = match task.purpose {
            Purpose::Profile => {
                events.step(self.name(), "attaching profilers");
                Some(site.attach_profilers(experiment.context, variant, timing.window)?)
            }
            _ => None,
        };
        let load = experiment.load(variant, task);
        let series = load.kind.series();
        let may_wait = series != Series::Arrivals && !timing.is_smoke;
        let compilers = warmed.has_compilers && may_wait;
        // The steps of an overload cycle follow each other on the same quotas.
        let lifted = match compilers && series != Series::OverloadCycle {
            true => experiment.context.hosts.lift_all(self.name())?,
            false => None,
        };
        let settling = compilers.then(|| JitSettling::begin(site, lifted, load.ramp));
        // Arrivals may be over sooner.
        let at_most = if series == Series::Arrivals { "at most " } else { "" };
        let length_s = (load.ramp + load.window).as_secs_f64();
        events.step(self.name(), format!("{} for {at_most}{length_s} s", load.kind));
        let (monitor, connections) = SiteMonitor::begin(site);
        let awaits_connections = may_wait && series == Series::Curve && profiling.is_none();
        let mut controller = WindowController::new(settling, awaits_connections.then_some(connections));
        let mut on_progress = |progress: &Progress| {
            events.driving(self.name(), &load, progress);
            controller.on_progress(progress)
        };
        let _spinner = site.keep_awake(&experiment.context.executable);
        let run = self.drive_load(&load, monitor, profiling, &mut on_progress)?;
        let is_settling = controller.is_settling();
        controller.expect_limits()?;
        Ok(EndedLoad { run, is_settling })
    }

    /// Drives a load as `on_progress` directs, while a monitor watches, and profilers if there are any.
    pub(crate) fn drive_load(
        &self,
        load: &Load,
        monitor: SiteMonitor<'_>,
        profiling: Option<Profiling>,
        on_progress: &mut dyn FnMut(&Progress) -> Directive,
    ) -> Result<LoadRun, LabError> {
        let Self { experiment, variant, site } = *self;
        let context = experiment.context;
        let (started, began) = (SystemTime::now(), rfc3339());
        let entering = load.kind.entering(&context.catalogue_of(variant));
        let watchers = Watchers { context, monitor, profiling };
        let watched = context.with_users(variant, &experiment.mix, &site.dataset(), |users| {
            let catalogue = entering.as_ref().unwrap_or(users.catalogue);
            site.drive_watched(&Users { catalogue, ..*users }, load, watchers, on_progress)
        });
        context.check_stop()?;
        let configuration = || self.name().to_owned();
        let failed = |fault| LabError::Engine { configuration: configuration(), fault };
        let WatchedLoad { outcome, log, profiling } = watched.map_err(failed)?;
        site.check_alive().map_err(|fault| LabError::Died {
            configuration: configuration(),
            clients: load.kind.clients(),
            fault,
        })?;
        let outcome = outcome.map_err(failed)?;
        let watched = log.watched(outcome.total().completed);
        Ok(LoadRun { started, began, outcome, watched, profiling: profiling? })
    }

    /// Audits the data after these writes; none where there is no store.
    pub(crate) fn audit(
        &self,
        writes: &[WriteFates],
        events: &mut dyn Events,
    ) -> Result<Option<Audited>, LabError> {
        let context = self.experiment.context;
        context.check_stop()?;
        events.step(self.name(), "auditing the changes");
        let audited = audit::audit(context, self.site, writes).transpose();
        audited.map_err(|fault| context.service_error(self.name(), fault))
    }

    /// Audits the data after all writes since they were restored, and shows once for each result that the audit sees a loss.
    /// None where there is no store.
    pub(crate) fn audit_and_plant(
        &self,
        writes: &[WriteFates],
        warmed: &WarmState,
        events: &mut EventLog<'_>,
    ) -> Result<Option<Audit>, LabError> {
        let audited =
            self.experiment.context.hosts.unthrottled(self.name(), || self.audit(writes, events))?;
        if let Some(audited) = &audited {
            self.plant_loss(writes, audited, events)?;
        }
        let with_warming =
            |audited: Audited| warmed.audit.iter().cloned().fold(audited.audit, Audit::with_earlier);
        Ok(audited.map(with_warming))
    }

    /// Deletes a row after the first audit of a result, and audits once more: that audit must see the loss.
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
        events.step(self.name(), "deleting a row, to see whether the audit sees it");
        let loss = audit::plant_loss(self.experiment.context, self.name(), self.site, writes, audited)?;
        let Some(loss) = loss else { return Ok(()) };
        let mut lacking = events.folders().filter(|folder| lacks_one(folder));
        Ok(lacking.try_for_each(|folder| folder.record_planted_loss(loss.clone()))?)
    }
}
