//! Sites whose servers are to start. The warm-up of a site without a compiler lasts as long as its evidence takes to come in,
//! second by second, and not as long as the processors need: two such sites warm in the time of one. Compilers need the
//! processors themselves, so that the sites of a JVM follow each other.

use crate::{
    error::LabError,
    events::{EventLog, Events},
    plan::{AT_ONCE, is_quick},
    start::{Experiment, shared_start::RESTORING, system::System, warm::warm, warm_state::WarmState},
    workers::spawn,
    workspace::Variant,
};
use results::EventKind;
use std::{sync::mpsc, thread};

/// A configuration whose servers are to start.
pub(crate) struct ColdSite<'e, 's> {
    pub index: usize,
    pub variant: &'e Variant,
    pub site: &'e mut System<'s>,
}

/// A site with its state after the warm-up, or with the fault that ended it.
pub(crate) type StartResult<'e, 's> = (ColdSite<'e, 's>, Result<WarmState, LabError>);

/// The sites in the groups that start at the same time.
pub(crate) fn groups<'e, 's>(sites: impl Iterator<Item = ColdSite<'e, 's>>) -> Vec<Vec<ColdSite<'e, 's>>> {
    let (quick, slow): (Vec<_>, Vec<_>) = sites.partition(|cold| is_quick(cold.variant.warm_up()));
    let mut groups: Vec<Vec<ColdSite<'e, 's>>> = Vec::new();
    for cold in quick {
        match groups.last_mut().filter(|group| group.len() < AT_ONCE) {
            Some(group) => group.push(cold),
            None => groups.push(vec![cold]),
        }
    }
    groups.extend(slow.into_iter().map(|cold| vec![cold]));
    groups
}

/// Starts and warms the servers of a group. While several are at work, only the begin of their steps is shown.
pub(crate) fn start_and_warm<'e, 's>(
    experiments: &[&Experiment<'_>],
    mut group: Vec<ColdSite<'e, 's>>,
    seed: u64,
    events: &mut EventLog<'_>,
) -> Vec<StartResult<'e, 's>> {
    let (sender, news) = mpsc::channel();
    let sites = group.iter_mut();
    let warmed: Vec<Result<WarmState, LabError>> = thread::scope(|scope| {
        let mut starting = Vec::new();
        for cold in sites {
            let (mut sender, configuration) = (sender.clone(), cold.variant.configuration.name.clone());
            let start = move || cold.start_and_warm(experiments, seed, &mut sender);
            starting.push(spawn(scope, start).map_err(|fault| LabError::Engine { configuration, fault }));
        }
        drop(sender);
        for event in news {
            let is_alone = starting.iter().flatten().filter(|one| !one.is_finished()).count() < 2;
            if is_alone || !matches!(event, EventKind::Step { detail: Some(_), .. }) {
                events.emit(event);
            }
        }
        let ended = starting.into_iter().map(|one| one?.join().expect("a start does not panic"));
        ended.collect()
    });
    group.into_iter().zip(warmed).collect()
}

impl ColdSite<'_, '_> {
    fn start_and_warm(
        &mut self,
        experiments: &[&Experiment<'_>],
        seed: u64,
        events: &mut dyn Events,
    ) -> Result<WarmState, LabError> {
        let (context, variant) = (experiments[0].context, self.variant);
        let configuration = &variant.configuration.name;
        context.check_stop()?;
        context.hosts.enter_namespace(configuration)?;
        events.step(configuration, RESTORING);
        let start = || self.site.start_fresh().map_err(|fault| context.site_error(variant, fault));
        context.hosts.unthrottled(configuration, start)?;
        warm(experiments, variant, self.site, seed, events)
    }
}
