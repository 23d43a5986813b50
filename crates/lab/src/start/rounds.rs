//! Comparison in rounds. The servers of all configurations are up and warm at once, but only one of them works at a time:
//! in each round every configuration gets a short stretch of its window, in an order that is drawn anew. What is compared are
//! neighbours in time, which met the same machine (randomized multiple interleaved trials: Abedi and Brecht, ICPE 2017).
//!
//! Servers also differ from start to start, by how they lie in memory and by what a JVM compiles. No number of rounds shows
//! that, so the start is the unit of replication (Kalibera and Jones, ISMM 2013): each repetition of the listed loads, or of the
//! peaks that were found, is one start of all servers, and gives one ratio for each pair.

use crate::{
    error::LabError,
    events::EventLog,
    plan::{GAP, Task, stretches},
    start::{
        Experiment,
        load_run::EndedLoad,
        point_run::PointRun,
        site_monitor::SiteMonitor,
        started_site::{StartedSite, site_of},
        window_control::JitSettling,
    },
};
use engine::{Directive, Load, Phase, Progress};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use results::Purpose;
use std::{
    sync::mpsc::{self, Receiver, Sender},
    thread::{self, Scope, ScopedJoinHandle},
    time::Duration,
};

/// The interval of progress reports.
const SECOND: Duration = Duration::from_secs(1);
/// The gap also lasts as long as slow answers take: a page that takes longer than gap and stretch would count nowhere, as the
/// pause awaits it. But it lasts no longer than this.
const LONGEST_GAP: Duration = Duration::from_secs(20);
/// The factor by which slow answers of a ramp fade with each second: a site of few answers has some in some seconds only, and one
/// that still warms up will not be so slow again.
const FADING: f64 = 0.9;

/// Drives one load on each site, all of them in rounds. The first turn of each is its ramp. Each attempt has clients of its own.
/// The mix is named where there are others.
pub(crate) fn drive_in_rounds(
    experiment: &Experiment<'_>,
    sites: &[StartedSite<'_, '_>],
    block: &[&Task],
    (attempt, mix): (u64, Option<&str>),
    events: &mut EventLog<'_>,
) -> Result<Vec<EndedLoad>, LabError> {
    let (rounds, length) = stretches(experiment.timing.window, block[0].purpose == Purpose::Search);
    let mut random = ChaCha8Rng::seed_from_u64(block[0].seed);
    let _spinner = sites[0].site.keep_awake(&experiment.context.executable);
    thread::scope(|scope| {
        let open = |task: &&Task| {
            let started = site_of(sites, task);
            let planned = experiment.load(started.variant, task);
            // The bits that numbers of attempts have are the lowest ones.
            let seed = planned.seed ^ attempt.reverse_bits();
            let load = Load { stretch: Some(length), window: length * rounds, seed, ..planned };
            let how = match block.len() {
                1 => format!("for {} s", load.window.as_secs()),
                _ => format!("{rounds} times {} s in rounds", length.as_secs()),
            };
            let by = mix.map_or(String::new(), |mix| format!(", {mix} mix,"));
            events.step(started.name(), format!("{}{by} {how}", load.kind));
            lane(experiment, scope, started, load)
        };
        let lanes: Vec<Lane<'_, '_>> = block.iter().map(open).collect();
        for _ in 0..=rounds {
            let mut order: Vec<usize> = (0..lanes.len()).collect();
            order.shuffle(&mut random);
            for index in order {
                lanes[index].turn(events);
                experiment.context.check_stop()?;
            }
        }
        lanes.into_iter().map(Lane::finish).collect()
    })
}

/// A thread that drives one site whenever it is its turn.
fn lane<'scope, 'env>(
    experiment: &'env Experiment<'env>,
    scope: &'scope Scope<'scope, 'env>,
    started: &'scope StartedSite<'_, '_>,
    load: Load,
) -> Lane<'scope, 'scope> {
    let (go, turns) = mpsc::channel();
    let (sender, received) = mpsc::channel();
    let (planned, configuration) = (load.clone(), started.name());
    let compilers = started.warmed.has_compilers && !experiment.timing.is_smoke;
    let driving = scope.spawn(move || {
        let mut turns = Turns::new(turns, sender);
        turns.wait();
        experiment.context.hosts.enter_namespace(configuration)?;
        if compilers {
            let lifted = experiment.context.hosts.lift_all(configuration)?;
            turns.settling = Some(JitSettling::begin(started.site, lifted, load.ramp));
        }
        let (monitor, _) = SiteMonitor::begin(started.site);
        let mut on_progress = |progress: &Progress| turns.on_progress(progress);
        let up = PointRun { experiment, variant: started.variant, site: started.site };
        let run = up.drive_load(&load, monitor, None, &mut on_progress)?;
        let is_settling = turns.is_settling();
        turns.settling.and_then(JitSettling::fault).map_or(Ok(()), Err)?;
        Ok(EndedLoad { run, is_settling })
    });
    Lane { configuration, load: planned, go, received, driving }
}

/// The indexes of the tasks that are driven at the same time, block by block: the first of each configuration, then the second.
pub(crate) fn blocks(tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let earlier =
            tasks[..at].iter().filter(|earlier| earlier.configuration == task.configuration).count();
        match blocks.get_mut(earlier) {
            Some(block) => block.push(at),
            None => blocks.push(vec![at]),
        }
    }
    blocks
}

/// The blocks of several experiments in turns: the first of each, then the second, each with the index of its experiment. The
/// order is drawn for each start, so that none always meets the data as another left them.
pub(crate) fn in_turns(blocks: Vec<Vec<Vec<usize>>>, seed: u64) -> Vec<(usize, Vec<usize>)> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let rounds = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut blocks: Vec<_> = blocks.into_iter().map(Vec::into_iter).collect();
    let turns = (0..rounds).flat_map(|_| order.iter().copied());
    turns.filter_map(|whose| Some((whose, blocks[whose].next()?))).collect()
}

/// A site that is driven in turns, for the lab thread.
struct Lane<'l, 's> {
    configuration: &'l str,
    load: Load,
    go: Sender<()>,
    received: Receiver<Progress>,
    driving: ScopedJoinHandle<'s, Result<EndedLoad, LabError>>,
}

impl Lane<'_, '_> {
    /// Lets its clients work until they pause again, or until the load is over.
    fn turn(&self, events: &mut EventLog<'_>) {
        if self.go.send(()).is_err() {
            return;
        }
        for progress in &self.received {
            if progress.phase == Phase::Paused {
                return;
            }
            events.driving(self.configuration, &self.load, &progress);
        }
    }

    /// Waits for the end of the load, which comes soon without further turns.
    fn finish(self) -> Result<EndedLoad, LabError> {
        let Self { go, received, driving, .. } = self;
        drop((go, received));
        driving.join().expect("a lane does not panic")
    }
}

/// The turns of a site, for the thread that drives it.
struct Turns<'r> {
    go: Receiver<()>,
    sender: Sender<Progress>,
    settling: Option<JitSettling<'r>>,
    phase: Phase,
    /// Whether the ramp is over, so that the next stretch counts.
    is_ready: bool,
    /// The begin of this turn, on the load's clock.
    since: Duration,
    /// The greatest 99th percentile of a second's response times towards the end of the ramp, fading with each second.
    slow_response: Duration,
    /// Whether there are no more turns.
    is_over: bool,
}

impl<'r> Turns<'r> {
    fn new(go: Receiver<()>, sender: Sender<Progress>) -> Self {
        let (settling, slow_response, since) = (None, Duration::ZERO, Duration::ZERO);
        let (phase, is_ready, is_over) = (Phase::Ramp, false, false);
        Self { go, sender, settling, phase, is_ready, since, slow_response, is_over }
    }

    fn wait(&mut self) {
        self.is_over |= self.go.recv().is_err();
    }

    fn is_settling(&self) -> bool {
        self.settling.as_ref().is_some_and(|settling| !settling.is_over())
    }

    /// Takes in each second and each phase.
    fn on_progress(&mut self, progress: &Progress) -> Directive {
        let before = std::mem::replace(&mut self.phase, progress.phase);
        // The lab thread may have given up.
        let _ = self.sender.send(progress.clone());
        match progress.phase {
            Phase::Paused => {
                self.since = progress.elapsed;
                self.wait();
                Directive::GoOn
            }
            _ if self.is_over => Directive::Enough,
            Phase::Ramp if before == Phase::Measure => Directive::Pause,
            Phase::Ramp if !self.is_ready => self.in_ramp(progress),
            // The directive holds for the next second.
            Phase::Ramp if progress.elapsed + SECOND < self.since + self.gap() => Directive::NotYet,
            _ => Directive::GoOn,
        }
    }

    /// The time for which clients work before the next stretch.
    fn gap(&self) -> Duration {
        self.slow_response.clamp(GAP, LONGEST_GAP)
    }

    /// The first turn is over when the ramp is.
    fn in_ramp(&mut self, progress: &Progress) -> Directive {
        if let Some((_, slow)) = progress.quantiles {
            self.slow_response = slow.max(self.slow_response.mul_f64(FADING));
        }
        let is_quiet =
            self.settling.as_mut().is_none_or(|settling| settling.on_progress(progress) == Directive::GoOn);
        self.is_ready = progress.is_ready && is_quiet;
        if self.is_ready { Directive::Pause } else { Directive::NotYet }
    }
}

#[cfg(test)]
mod tests;
