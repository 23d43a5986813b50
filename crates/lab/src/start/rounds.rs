//! Comparison in rounds. The servers of all configurations are up and warm at once, but only one of them works at a time:
//! in each round every configuration gets a short stretch of its window, in an order that is drawn anew. What is compared are
//! neighbours in time, which met the same machine (randomized multiple interleaved trials: Abedi and Brecht, ICPE 2017).
//!
//! Servers also differ from start to start, by how they lie in memory and by what a JVM compiles. No number of rounds shows
//! that, so the start is the unit of replication (Kalibera and Jones, ISMM 2013): each repetition of the listed loads, or of the
//! peaks that were found, is one start of all servers, and gives one ratio for each pair.

use crate::{
    LabError,
    events::{Event, StepKind, event_log::EventLog},
    plan::schedule::Task,
    start::{
        Experiment,
        measure::{Driven, EndedLoad, LoadRun, keep_logs},
        site_monitor::SiteMonitor,
        system::System,
        warm::{WarmState, warm},
        window_control::JitSettling,
    },
    workspace::Variant,
};
use engine::{Directive, Load, Phase, Progress, WriteFates};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use results::{Audit, Purpose, WarmUp};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::mpsc::{self, Receiver, Sender},
    thread::{self, Scope, ScopedJoinHandle},
    time::Duration,
};

/// How long a stretch is about. With the same minutes, stretches of 3 s give half the interval that 15 s give; below that,
/// edges cost more than is won.
const STRETCH: Duration = Duration::from_secs(3);
/// How long clients are at work before a stretch begins: their connections may have been closed meanwhile, and caches filled
/// with what others need.
pub(crate) const GAP: Duration = Duration::from_secs(2);
/// How often progress is reported.
const SECOND: Duration = Duration::from_secs(1);
/// The gap also lasts as long as slow answers take: a page that takes longer than gap and stretch would count nowhere, as the
/// pause awaits it. But it lasts no longer than this.
const LONGEST_GAP: Duration = Duration::from_secs(20);
/// How much less slow answers of a ramp count for with each second: a site of few answers has some in some seconds only, and one
/// that still warms up will not be so slow again.
const FADING: f64 = 0.9;
/// Stretches of a window that only searches for the peak load.
const SEARCHED: u32 = 4;
/// How often a block is driven at most, if others take too much of the machine meanwhile. What is compared must be compared with
/// its neighbours, so all of it is driven again.
const MOST_ATTEMPTS: u64 = 3;

/// The stretches of a window that lasts so long at least: how many, and how long each is, in whole seconds.
fn stretches(window: Duration) -> (u32, Duration) {
    let count = window.as_secs_f64() / STRETCH.as_secs_f64();
    let count = (count.ceil() as u32).max(1);
    let each = (window.as_secs_f64() / f64::from(count)).ceil() as u64;
    (count, Duration::from_secs(each.max(1)))
}

/// The stretches of a load: how many, and how long each is. A search needs no more than a few.
pub(crate) fn stretches_of(window: Duration, is_search: bool) -> (u32, Duration) {
    stretches(if is_search { window.min(STRETCH * SEARCHED) } else { window })
}

/// A configuration whose servers are up and warm.
pub(crate) struct StartedSite<'e, 's> {
    index: usize,
    variant: &'e Variant,
    site: &'e mut System<'s>,
    warmed: WarmState,
    /// What became of all writes so far.
    writes: Vec<WriteFates>,
}

impl StartedSite<'_, '_> {
    fn name(&self) -> &str {
        &self.variant.configuration.name
    }

    /// Takes in what became of a load's writes, and tells the load of those before it.
    fn add_writes(&mut self, run: &mut LoadRun) {
        run.outcome.add_earlier_writes(std::mem::take(&mut self.writes));
        self.writes.clone_from(&run.outcome.writes);
    }

    /// Ends its servers. Whoever asks why something failed will look into the logs.
    fn leave(&mut self, events: &mut EventLog<'_>) -> Result<(), LabError> {
        leave(self.variant, self.site, events)
    }
}

/// A load that is over, and how its servers were warmed before.
type WarmRun = (LoadRun, WarmUp);

/// A start of the servers of all configurations whose turn it is, shared by experiments that differ in nothing but their mix.
pub(crate) struct SharedStart<'e, 's> {
    /// Each with the index of its result.
    experiments: Vec<(usize, &'e Experiment<'e>)>,
    sites: Vec<StartedSite<'e, 's>>,
    seed: u64,
}

impl<'e, 's> SharedStart<'e, 's> {
    /// Starts and warms the servers of these of all configurations.
    pub(crate) fn enter(
        experiments: Vec<(usize, &'e Experiment<'e>)>,
        sites: &'e mut [Option<Box<System<'s>>>],
        contenders: &BTreeSet<usize>,
        seed: u64,
        events: &mut EventLog<'_>,
    ) -> Result<Self, LabError> {
        let mut start = Self { experiments, sites: Vec::new(), seed };
        start.concern_all(events);
        for (index, site) in sites.iter_mut().enumerate().filter(|(index, _)| contenders.contains(index)) {
            let site = &mut **site.as_mut().expect("all sites that are needed were prepared");
            let variant = &start.experiments[0].1.variants[index];
            match start.start_and_warm(variant, site, events) {
                Ok(warmed) => {
                    let writes = warmed.in_doubt_writes.clone();
                    start.sites.push(StartedSite { index, variant, site, warmed, writes });
                }
                Err(fault) => {
                    start.concern_all(events);
                    return leave(variant, site, events).and(start.leave(events)).and(Err(fault));
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
        events.emit(Event::step(configuration, StepKind::Restoring));
        context
            .hosts
            .unthrottled(|| site.start_fresh().map_err(|fault| context.site_error(variant, fault)))?;
        let warmed = warm(&experiments, variant, site, self.seed, events)?;
        for ((result, _), warm_up) in self.experiments.iter().zip(&warmed.figures) {
            events.concern([*result]);
            events.emit(Event::WarmedUp { configuration, warm_up });
        }
        self.concern_all(events);
        Ok(warmed)
    }

    /// How many clients a configuration's knee has by the nth mix; none if that isn't known.
    pub(crate) fn knee(&self, contender: usize, nth: usize) -> Option<f64> {
        let started = self.sites.iter().find(|started| started.index == contender)?;
        started.warmed.figures[nth].knee_clients
    }

    /// Drives the tasks of each experiment, in its order, and says what became of the data until all was over.
    pub(crate) fn drive(
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
            let driven = self.drive_undisturbed(experiment, &own, mix, events)?;
            for (at, EndedLoad { run, is_settling }) in block.into_iter().zip(driven) {
                let place = place(&self.sites, &tasks[nth][at]);
                all[nth][at] = Some((run, self.sites[place].warmed.figures_of(nth, is_settling)));
            }
        }
        self.concern_all(events);
        let mut audits: BTreeMap<usize, Option<Audit>> = BTreeMap::new();
        for started in &self.sites {
            audits.insert(started.index, self.audit(started, events)?);
        }
        let driven = |(own, all): (&Vec<Task>, Vec<Option<WarmRun>>)| {
            let is_alone = own.iter().all(|task| task.contender == own[0].contender);
            let start = (!is_alone).then(|| own[0].sequence);
            let of_task = |(task, (run, warm_up)): (&Task, WarmRun)| {
                let audit = audits.get(&task.contender).cloned().flatten();
                Driven { run, start, warm_up, audit }
            };
            own.iter().zip(all.into_iter().flatten()).map(of_task).collect()
        };
        Ok(tasks.iter().zip(all).map(driven).collect())
    }

    /// Drives a block, and again if others took so much of the machine meanwhile that it would not count. That says nothing of
    /// how fast a site is, so that no window is chosen for its figures. A smoke run has no figures that count.
    fn drive_undisturbed(
        &mut self,
        experiment: &Experiment<'_>,
        block: &[&Task],
        mix: Option<&str>,
        events: &mut EventLog<'_>,
    ) -> Result<Vec<EndedLoad>, LabError> {
        let most_attempts = if experiment.timing.is_smoke { 1 } else { MOST_ATTEMPTS };
        let mut attempt = 0;
        loop {
            let mut driven = experiment.drive_block(&self.sites, block, (attempt, mix), events)?;
            for (task, ended) in block.iter().zip(&mut driven) {
                let place = place(&self.sites, task);
                self.sites[place].add_writes(&mut ended.run);
            }
            attempt += 1;
            let disturbed = block.iter().zip(&driven).find(|(_, ended)| !ended.run.is_undisturbed());
            let Some((task, _)) = disturbed.filter(|_| attempt < most_attempts) else { return Ok(driven) };
            let configuration = self.sites[place(&self.sites, task)].name();
            let text = "Other work took too much of the machine, so these loads are put on again.";
            events.emit(Event::Remark { configuration, text });
        }
    }

    /// One audit covers all that was written since the data were put back.
    fn audit(
        &self,
        started: &StartedSite<'_, '_>,
        events: &mut EventLog<'_>,
    ) -> Result<Option<Audit>, LabError> {
        let (_, experiment) = self.experiments[0];
        experiment.context.hosts.enter_namespace(started.name())?;
        let run = experiment.run_of(started.variant, started.site);
        run.audit_and_plant(&started.writes, &started.warmed, events)
    }

    /// Ends all servers.
    pub(crate) fn leave(&mut self, events: &mut EventLog<'_>) -> Result<(), LabError> {
        self.concern_all(events);
        let left = self.sites.iter_mut().map(|started| started.leave(events));
        left.fold(Ok(()), Result::and)
    }

    fn concern_all(&self, events: &mut EventLog<'_>) {
        events.concern(self.experiments.iter().map(|(result, _)| *result));
    }
}

impl Experiment<'_> {
    /// Puts one load on each site, all of them in rounds. The first turn of each is its ramp. Each attempt has clients of its
    /// own. The mix is named where there are others.
    fn drive_block(
        &self,
        sites: &[StartedSite<'_, '_>],
        block: &[&Task],
        (attempt, mix): (u64, Option<&str>),
        events: &mut EventLog<'_>,
    ) -> Result<Vec<EndedLoad>, LabError> {
        let (rounds, length) = stretches_of(self.timing.window, block[0].purpose == Purpose::Search);
        let mut random = ChaCha8Rng::seed_from_u64(block[0].seed);
        let _spinner = sites[0].site.keep_awake(&self.context.executable);
        thread::scope(|scope| {
            let lane = |task: &&Task| {
                let started = &sites[place(sites, task)];
                let planned = self.load(started.variant, task);
                // The bits that numbers of attempts have are the lowest ones.
                let seed = planned.seed ^ attempt.reverse_bits();
                let load = Load { stretch: Some(length), window: length * rounds, seed, ..planned };
                let how = match block.len() {
                    1 => format!("for {} s", load.window.as_secs()),
                    _ => format!("{rounds} times {} s in rounds", length.as_secs()),
                };
                let by = mix.map_or(String::new(), |mix| format!(", {mix} mix,"));
                let words = format!("{}{by} {how}", load.kind);
                events.emit(Event::step(started.name(), StepKind::Load(words)));
                self.lane(scope, started, load)
            };
            let lanes: Vec<Lane<'_, '_>> = block.iter().map(lane).collect();
            for _ in 0..=rounds {
                let mut order: Vec<usize> = (0..lanes.len()).collect();
                order.shuffle(&mut random);
                for index in order {
                    lanes[index].turn(events);
                    self.context.check_stop()?;
                }
            }
            lanes.into_iter().map(Lane::finish).collect()
        })
    }

    /// A thread on which one site is driven whenever it is its turn.
    fn lane<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        started: &'scope StartedSite<'_, '_>,
        load: Load,
    ) -> Lane<'scope, 'scope> {
        let (go, turns) = mpsc::channel();
        let (sender, received) = mpsc::channel();
        let (clients, configuration) = (load.kind.clients(), started.name());
        let compilers = started.warmed.has_compilers && !self.timing.is_smoke;
        let length_s = (load.ramp + load.window).as_secs_f64();
        let driving = scope.spawn(move || {
            let mut turns = Turns::new(turns, sender);
            turns.wait();
            self.context.hosts.enter_namespace(configuration)?;
            if compilers {
                let lifted = self.context.hosts.lift_all(configuration)?;
                turns.settling = Some(JitSettling::begin(started.site, lifted, load.ramp));
            }
            let (watcher, _) = SiteMonitor::begin(started.site);
            let mut tell = |progress: &Progress| turns.on_progress(progress);
            let up = self.run_of(started.variant, started.site);
            let run = up.drive_and_watch(&load, watcher, None, &mut tell)?;
            let is_settling = turns.is_settling();
            turns.settling.and_then(JitSettling::fault).map_or(Ok(()), Err)?;
            Ok(EndedLoad { run, is_settling })
        });
        Lane { configuration, clients, length_s, go, received, driving }
    }
}

/// Keeps the logs of servers, and ends them.
fn leave(variant: &Variant, site: &mut System<'_>, events: &mut EventLog<'_>) -> Result<(), LabError> {
    keep_logs(site, &variant.configuration.name, events)?;
    site.stop();
    Ok(())
}

/// Where the tasks stand that are done at the same time, block by block: the first of each configuration, then the second.
fn blocks(tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let earlier = tasks[..at].iter().filter(|earlier| earlier.contender == task.contender).count();
        match blocks.get_mut(earlier) {
            Some(block) => block.push(at),
            None => blocks.push(vec![at]),
        }
    }
    blocks
}

/// The blocks of several experiments in turns: the first of each, then the second, each with whose it is. Who comes first is
/// drawn for each start, so that nobody always meets the data as others left them.
fn in_turns(blocks: Vec<Vec<Vec<usize>>>, seed: u64) -> Vec<(usize, Vec<usize>)> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let rounds = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut blocks: Vec<_> = blocks.into_iter().map(Vec::into_iter).collect();
    let turns = (0..rounds).flat_map(|_| order.iter().copied());
    turns.filter_map(|whose| Some((whose, blocks[whose].next()?))).collect()
}

/// Whose task it is.
fn place(sites: &[StartedSite<'_, '_>], task: &Task) -> usize {
    let mut all = sites.iter();
    all.position(|started| started.index == task.contender).expect("each task has its site")
}

/// A site that is driven in turns, as whoever gives turns sees it.
struct Lane<'l, 's> {
    configuration: &'l str,
    clients: u32,
    length_s: f64,
    go: Sender<()>,
    received: Receiver<Progress>,
    driving: ScopedJoinHandle<'s, Result<EndedLoad, LabError>>,
}

impl Lane<'_, '_> {
    /// Lets its clients work until they stand still again, or until the load is over.
    fn turn(&self, events: &mut EventLog<'_>) {
        if self.go.send(()).is_err() {
            return;
        }
        for progress in &self.received {
            if progress.phase == Phase::Paused {
                return;
            }
            let (configuration, clients, length_s) = (self.configuration, self.clients, self.length_s);
            events.emit(Event::Driving { configuration, clients, length_s, progress: &progress });
        }
    }

    /// What was driven, once it is over; without further turns it is over soon.
    fn finish(self) -> Result<EndedLoad, LabError> {
        let Self { go, received, driving, .. } = self;
        drop((go, received));
        driving.join().expect("a lane does not panic")
    }
}

/// The turns of a site, as whoever drives it sees them.
struct Turns<'r> {
    go: Receiver<()>,
    sender: Sender<Progress>,
    settling: Option<JitSettling<'r>>,
    /// The phase that was received last.
    phase: Phase,
    /// Whether the ramp is over, so that what comes next counts.
    is_ready: bool,
    /// When its clients went to work last, on the load's clock.
    since: Duration,
    /// The greatest 99th percentile of a second's response times towards the end of the ramp. It fades with each second.
    slow_response: Duration,
    /// Nobody gives turns any more.
    is_over: bool,
}

impl<'r> Turns<'r> {
    fn new(go: Receiver<()>, sender: Sender<Progress>) -> Self {
        let (settling, slow_response, since) = (None, Duration::ZERO, Duration::ZERO);
        let (phase, is_ready, is_over) = (Phase::Ramp, false, false);
        Self { go, sender, settling, phase, is_ready, since, slow_response, is_over }
    }

    /// Waits for the next turn.
    fn wait(&mut self) {
        self.is_over |= self.go.recv().is_err();
    }

    fn is_settling(&self) -> bool {
        self.settling.as_ref().is_some_and(|settling| !settling.is_over())
    }

    /// To be told of each second and each phase.
    fn on_progress(&mut self, progress: &Progress) -> Directive {
        let before = std::mem::replace(&mut self.phase, progress.phase);
        // Whoever gives turns may have given up.
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
            // What is said now holds for the next second.
            Phase::Ramp if progress.elapsed + SECOND < self.since + self.gap() => Directive::NotYet,
            _ => Directive::GoOn,
        }
    }

    /// How long the clients are at work before the next stretch.
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
