//! A start of servers: they are restored, started, warmed, driven, audited and stopped. Experiments that differ only in their
//! mix share it.

use crate::{
    error::LabError,
    events::EventLog,
    plan::{Task, time_for_pages},
    start::{
        Experiment,
        cold_site::{ColdSite, groups, start_and_warm},
        load_run::{Driven, EndedLoad, LoadRun},
        page_sample::compare_pages,
        point_run::PointRun,
        rounds::{blocks, drive_in_rounds, in_turns},
        server_faults::{has_server_fault, logs_of, remark},
        started_site::{StartedSite, site_of},
        system::System,
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
        let variants = start.experiments[0].1.variants;
        let needed = sites.iter_mut().enumerate().filter(|(index, _)| configurations.contains(index));
        let cold = needed.map(|(index, site)| ColdSite {
            index,
            variant: &variants[index],
            site: &mut **site.as_mut().expect("all sites that are needed were prepared"),
        });
        for group in groups(cold) {
            if let Err(fault) = start.warm_group(group, events) {
                start.concern_all(events);
                return start.stop(events).and(Err(fault));
            }
        }
        Ok(start)
    }

    /// Starts and warms the servers of a group. Those that fail are stopped.
    fn warm_group(
        &mut self,
        group: Vec<ColdSite<'e, 's>>,
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        let experiments: Vec<&Experiment<'_>> = self.experiments.iter().map(|(_, one)| *one).collect();
        let mut all = Ok(());
        for (cold, warmed) in start_and_warm(&experiments, group, self.seed, events) {
            let ColdSite { index, variant, site } = cold;
            match warmed {
                Ok(warmed) => self.take_warm(StartedSite::new(index, variant, site, warmed), events),
                Err(fault) => all = all.and(stop(variant, site, events)).and(Err(fault)),
            }
        }
        all
    }

    fn take_warm(&mut self, started: StartedSite<'e, 's>, events: &mut EventLog<'_>) {
        for ((result, _), warm_up) in self.experiments.iter().zip(&started.warmed.figures) {
            events.concern([*result]);
            let configuration = started.name().to_owned();
            events.emit(EventKind::WarmedUp { configuration, warm_up: *warm_up });
        }
        self.concern_all(events);
        self.sites.push(started);
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
            let compare = || compare_pages(context, variant, site, most);
            let pages = context.hosts.unthrottled(&variant.configuration.name, compare)?;
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
            let driven = self.drive_block(experiment, &own, mix, events)?;
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

    /// Drives a block, and takes in what it wrote.
    fn drive_block(
        &mut self,
        experiment: &Experiment<'_>,
        block: &[&Task],
        mix: Option<&str>,
        events: &mut EventLog<'_>,
    ) -> Result<Vec<EndedLoad>, LabError> {
        let mut driven = drive_in_rounds(experiment, &self.sites, block, mix, events)?;
        for (task, ended) in block.iter().zip(&mut driven) {
            let mut sites = self.sites.iter_mut();
            let started = sites.find(|started| started.index == task.configuration);
            started.expect("each task has its site").add_writes(&mut ended.run);
        }
        Ok(driven)
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
