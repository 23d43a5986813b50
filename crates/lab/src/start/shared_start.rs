//! A start of servers: they are restored, started, warmed, driven, audited and stopped. Experiments that differ only in their
//! mix share it.

use crate::{
    error::LabError,
    events::EventLog,
    plan::{Task, time_for_pages},
    start::{
        Experiment,
        load_run::{Driven, EndedLoad, LoadRun},
        page_sample::compare_pages,
        point_run::PointRun,
        rounds::{blocks, drive_in_rounds, in_turns},
        server_faults::{has_server_fault, logs_of, remark},
        started_site::{StartedSite, site_of},
        system::System,
        warm::warm,
        warm_state::WarmState,
    },
    workspace::Variant,
};
use results::{Audit, EventKind, Purpose, WarmUp};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Instant,
};
use workload::Series;

/// The step at the begin of each start.
pub(crate) const RESTORING: &str = "restoring everything to its first state";

/// The most attempts at a block that other programs disturb. Loads are compared with their neighbours, so the whole block is
/// driven again.
const MOST_ATTEMPTS: u64 = 3;

/// A load that is over, and the warm-up before it.
type WarmRun = (LoadRun, WarmUp);

/// A start of the servers of all configurations whose turn it is.
pub(crate) struct SharedStart<'e, 's> {
    /// Each with the index of its result.
    experiments: Vec<(usize, &'e Experiment<'e>)>,
    sites: Vec<StartedSite<'e, 's>>,
    seed: u64,
    began: Instant,
}

impl<'e, 's> SharedStart<'e, 's> {
    /// Starts and warms the servers of these of all configurations.
    pub(crate) fn begin(
        experiments: Vec<(usize, &'e Experiment<'e>)>,
        sites: &'e mut [Option<Box<System<'s>>>],
        configurations: &BTreeSet<usize>,
        seed: u64,
        events: &mut EventLog<'_>,
    ) -> Result<Self, LabError> {
        let mut start = Self { experiments, sites: Vec::new(), seed, began: Instant::now() };
        start.concern_all(events);
        for (index, site) in sites.iter_mut().enumerate().filter(|(index, _)| configurations.contains(index))
        {
            let site = &mut **site.as_mut().expect("all sites that are needed were prepared");
            let variant = &start.experiments[0].1.variants[index];
            match start.start_and_warm(variant, site, events) {
                Ok(warmed) => {
                    let writes = warmed.in_doubt_writes.clone();
                    start.sites.push(StartedSite { index, variant, site, warmed, writes });
                }
                Err(fault) => {
                    start.concern_all(events);
                    return stop(variant, site, events).and(start.stop(events)).and(Err(fault));
                }
            }
        }
        Ok(start)
    }

    fn start_and_warm(
        &self,
        variant: &Variant,
        site: &mut System<'_>,
        events: &mut EventLog<'_>,
    ) -> Result<WarmState, LabError> {
        let experiments: Vec<&Experiment<'_>> = self.experiments.iter().map(|(_, one)| *one).collect();
        let context = experiments[0].context;
        let configuration = &variant.configuration.name;
        context.check_stop()?;
        context.hosts.enter_namespace(configuration)?;
        events.step(configuration, RESTORING);
        context
            .hosts
            .unthrottled(|| site.start_fresh().map_err(|fault| context.site_error(variant, fault)))?;
        let warmed = warm(&experiments, variant, site, self.seed, events)?;
        for ((result, _), warm_up) in self.experiments.iter().zip(&warmed.figures) {
            events.concern([*result]);
            events.emit(EventKind::WarmedUp { configuration: configuration.clone(), warm_up: *warm_up });
        }
        self.concern_all(events);
        Ok(warmed)
    }

    /// The clients at a configuration's knee by the nth mix; none if that isn't known.
    pub(crate) fn knee(&self, configuration: usize, nth: usize) -> Option<f64> {
        let started = self.sites.iter().find(|started| started.index == configuration)?;
        started.warmed.figures[nth].knee_clients
    }

    /// Drives the tasks of each experiment, and audits the data when all are over. Shows the last log lines of servers that
    /// failed. Loads of one configuration whose peak is not
    /// searched are driven one after the other; all others in rounds.
    pub(crate) fn drive(
        &mut self,
        tasks: &[Vec<Task>],
        events: &mut EventLog<'_>,
    ) -> Result<Vec<Vec<Driven>>, LabError> {
        let mut driven = self.drive_all(tasks, events)?;
        for started in &self.sites {
            let own = tasks.iter().zip(&driven).flat_map(|(tasks, driven)| tasks.iter().zip(driven));
            let mut own = own.filter(|(task, _)| task.configuration == started.index);
            if own.any(|(_, driven)| has_server_fault(&driven.run.outcome)) {
                events.emit(remark(started.name(), &started.site.logs(), &logs_of(started.name())));
            }
        }
        self.compare_pages(tasks, &mut driven, events)?;
        Ok(driven)
    }

    /// Compares pages of each site with the model's after the last load, if configurations are verified. What is wrong then may
    /// have been wrong at any load.
    fn compare_pages(
        &mut self,
        tasks: &[Vec<Task>],
        driven: &mut [Vec<Driven>],
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        let (_, experiment) = self.experiments[0];
        // Whether a site recovers from too much load is what the others ask.
        let is_curve = experiment.spec.loads.series() == Series::Curve;
        if experiment.spec.skip_verify || !is_curve {
            return Ok(());
        }
        let context = experiment.context;
        let most = time_for_pages(self.began.elapsed() / self.sites.len().max(1) as u32);
        for started in &mut self.sites {
            let own = tasks.iter().flatten().zip(driven.iter_mut().flatten());
            let own = own.filter(|(task, _)| task.configuration == started.index);
            let audits: Vec<&mut Audit> = own.filter_map(|(_, driven)| driven.audit.as_mut()).collect();
            if audits.is_empty() {
                continue;
            }
            context.hosts.enter_namespace(started.name())?;
            events.step(started.name(), "comparing pages with the model's");
            let (variant, site) = (started.variant, &mut *started.site);
            let pages = context.hosts.unthrottled(|| compare_pages(context, variant, site, most))?;
            audits.into_iter().for_each(|audit| audit.pages.clone_from(&pages));
        }
        Ok(())
    }

    fn drive_all(
        &mut self,
        tasks: &[Vec<Task>],
        events: &mut EventLog<'_>,
    ) -> Result<Vec<Vec<Driven>>, LabError> {
        let is_searched = |task: &Task| matches!(task.purpose, Purpose::Search | Purpose::Confirm);
        match (self.sites.as_slice(), tasks) {
            ([StartedSite { variant, site, warmed, .. }], [tasks]) if !tasks.iter().any(is_searched) => {
                let run = PointRun { experiment: self.experiments[0].1, variant, site: &**site };
                Ok(vec![run.drive_tasks(tasks, warmed, events)?])
            }
            _ => self.drive_blocks(tasks, events),
        }
    }

    /// Drives tasks in rounds, block by block; the experiments take turns.
    fn drive_blocks(
        &mut self,
        tasks: &[Vec<Task>],
        events: &mut EventLog<'_>,
    ) -> Result<Vec<Vec<Driven>>, LabError> {
        let empty = |own: &Vec<Task>| own.iter().map(|_| None).collect();
        let mut all: Vec<Vec<Option<WarmRun>>> = tasks.iter().map(empty).collect();
        for (nth, block) in in_turns(tasks.iter().map(|own| blocks(own)).collect(), self.seed) {
            let (result, experiment) = self.experiments[nth];
            events.concern([result]);
            let own: Vec<&Task> = block.iter().map(|at| &tasks[nth][*at]).collect();
            let mix = (self.experiments.len() > 1).then_some(experiment.mix.name.as_str());
            let driven = self.drive_until_undisturbed(experiment, &own, mix, events)?;
            for (at, EndedLoad { run, is_settling }) in block.into_iter().zip(driven) {
                let warm_up = site_of(&self.sites, &tasks[nth][at]).warmed.figures_of(nth, is_settling);
                all[nth][at] = Some((run, warm_up));
            }
        }
        self.concern_all(events);
        let mut audits: BTreeMap<usize, Option<Audit>> = BTreeMap::new();
        for started in &self.sites {
            audits.insert(started.index, self.audit(started, events)?);
        }
        let driven = |(nth, (own, all)): (usize, (&Vec<Task>, Vec<Option<WarmRun>>))| {
            let is_alone = own.iter().all(|task| task.configuration == own[0].configuration);
            let start = (!is_alone).then(|| own[0].sequence);
            let of_task = |(task, (run, warm_up)): (&Task, WarmRun)| {
                let audit = audits.get(&task.configuration).cloned().flatten();
                let start_up = site_of(&self.sites, task).warmed.start_ups[nth].clone();
                Driven { run, start, warm_up, start_up, audit }
            };
            own.iter().zip(all.into_iter().flatten()).map(of_task).collect()
        };
        Ok(tasks.iter().zip(all).enumerate().map(driven).collect())
    }

    /// Drives a block, and again if other programs took so much of the machine meanwhile that it would not count. That depends
    /// on no figure of a site, so no window is chosen for its figures. A smoke run has no figures that count.
    fn drive_until_undisturbed(
        &mut self,
        experiment: &Experiment<'_>,
        block: &[&Task],
        mix: Option<&str>,
        events: &mut EventLog<'_>,
    ) -> Result<Vec<EndedLoad>, LabError> {
        let most_attempts = if experiment.timing.is_smoke { 1 } else { MOST_ATTEMPTS };
        let mut attempt = 0;
        loop {
            let mut driven = drive_in_rounds(experiment, &self.sites, block, (attempt, mix), events)?;
            for (task, ended) in block.iter().zip(&mut driven) {
                let mut sites = self.sites.iter_mut();
                let started = sites.find(|started| started.index == task.configuration);
                started.expect("each task has its site").add_writes(&mut ended.run);
            }
            attempt += 1;
            let disturbed = block.iter().zip(&driven).find(|(_, ended)| !ended.run.is_undisturbed());
            let Some((task, _)) = disturbed.filter(|_| attempt < most_attempts) else { return Ok(driven) };
            events.emit(EventKind::Remark {
                configuration: site_of(&self.sites, task).name().to_owned(),
                text: "Other work took too much of the machine, so these loads are put on again.".to_owned(),
            });
        }
    }

    /// Audits all writes since the data were restored.
    fn audit(
        &self,
        started: &StartedSite<'_, '_>,
        events: &mut EventLog<'_>,
    ) -> Result<Option<Audit>, LabError> {
        let (_, experiment) = self.experiments[0];
        experiment.context.hosts.enter_namespace(started.name())?;
        let run = PointRun { experiment, variant: started.variant, site: &*started.site };
        run.audit_and_plant(&started.writes, &started.warmed, events)
    }

    /// Keeps the logs of all servers, and stops them.
    pub(crate) fn stop(&mut self, events: &mut EventLog<'_>) -> Result<(), LabError> {
        self.concern_all(events);
        let stopped = self.sites.iter_mut().map(|started| stop(started.variant, started.site, events));
        stopped.fold(Ok(()), Result::and)
    }

    fn concern_all(&self, events: &mut EventLog<'_>) {
        events.concern(self.experiments.iter().map(|(result, _)| *result));
    }
}

/// Keeps the logs of servers, and stops them. Who asks why a start failed looks into its logs.
fn stop(variant: &Variant, site: &mut System<'_>, events: &mut EventLog<'_>) -> Result<(), LabError> {
    keep_logs(site, &variant.configuration.name, events)?;
    site.stop();
    Ok(())
}

/// Keeps the logs of the latest start of a configuration in the results.
fn keep_logs(site: &System<'_>, configuration: &str, events: &mut EventLog<'_>) -> Result<(), LabError> {
    for (path, text) in site.logs() {
        let path = Path::new("logs").join(configuration).join(path);
        events.folders().try_for_each(|folder| folder.write(&path.to_string_lossy(), &text))?;
    }
    Ok(())
}
