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
    workers::spawn,
};
use engine::{Directive, Load, Phase, Progress};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use results::{EventKind, Purpose};
use stats::{HostUse, MachineUse};
use std::{
    sync::mpsc::{self, Receiver, Sender},
    thread::{self, Scope, ScopedJoinHandle},
    time::Duration,
};
use testbed::CpuCount;

/// The interval of progress reports.
const SECOND: Duration = Duration::from_secs(1);
/// The gap also lasts as long as slow answers take: a page that takes longer than gap and stretch would count nowhere, as the
/// pause awaits it. But it lasts no longer than this.
const LONGEST_GAP: Duration = Duration::from_secs(20);
/// The factor by which slow answers of a ramp fade with each second: a site of few answers has some in some seconds only, and one
/// that still warms up will not be so slow again.
const FADING: f64 = 0.9;

/// Rounds in a row that others disturb, after which none is repeated.
const MOST_IN_A_ROW: u32 = 3;

/// The rounds of a block. One that others disturb is driven again, since its windows would not count; nothing of this looks at a
/// figure of a site. At most half as many are driven in addition.
struct Rounds {
    needed: u32,
    extra: u32,
    in_a_row: u32,
}

impl Rounds {
    /// A count of this many rounds. A smoke run has no figures that count.
    fn new(needed: u32, is_smoke: bool) -> Self {
        Self { needed, extra: if is_smoke { 0 } else { needed.div_ceil(2) }, in_a_row: 0 }
    }

    /// The most rounds that are driven.
    fn most(&self) -> u32 {
        self.needed + self.extra
    }

    /// Takes in a round. Returns whether another takes its place.
    fn record(&mut self, is_disturbed: bool) -> bool {
        self.in_a_row = if is_disturbed { self.in_a_row + 1 } else { 0 };
        let repeats = is_disturbed && self.extra > 0 && self.in_a_row < MOST_IN_A_ROW;
        if self.in_a_row == MOST_IN_A_ROW {
            self.extra = 0;
        }
        match repeats {
            true => self.extra -= 1,
            false => self.needed -= 1,
        }
        repeats
    }
}

/// Drives one load on each site, all of them in rounds. The first turn of each is its ramp. The mix is named where there are
/// others.
pub(crate) fn drive_in_rounds(
    experiment: &Experiment<'_>,
    sites: &[StartedSite<'_, '_>],
    block: &[&Task],
    mix: Option<&str>,
    events: &mut EventLog<'_>,
) -> Result<Vec<EndedLoad>, LabError> {
    let (count, length) = stretches(experiment.timing.window, block[0].purpose == Purpose::Search);
    let mut rounds = Rounds::new(count, experiment.timing.is_smoke);
    let mut random = ChaCha8Rng::seed_from_u64(block[0].seed);
    let _spinner = sites[0].site.keep_awake(&experiment.context.executable);
    thread::scope(|scope| {
        let open = |task: &&Task| {
            let started = site_of(sites, task);
            let planned = experiment.load(started.variant, task);
            let load = Load { stretch: Some(length), window: length * rounds.most(), ..planned };
            let how = match block.len() {
                1 => format!("for {} s", (length * count).as_secs()),
                _ => format!("{count} times {} s in rounds", length.as_secs()),
            };
            let by = mix.map_or(String::new(), |mix| format!(", {mix} mix,"));
            events.step(started.name(), format!("{}{by} {how}", load.kind));
            let lane = lane(experiment, scope, started, load)?;
            Ok(Lane { load: Load { window: length * count, ..lane.load.clone() }, ..lane })
        };
        let lanes = block.iter().map(open).collect::<Result<Vec<Lane<'_, '_>>, LabError>>()?;
        let mut round = |turn: Turn, events: &mut EventLog<'_>| {
            let mut order: Vec<&Lane<'_, '_>> = lanes.iter().collect();
            order.shuffle(&mut random);
            let drive = |lane: &Lane<'_, '_>| {
                let foreign = lane.turn(turn, events);
                experiment.context.check_stop()?;
                Ok(foreign)
            };
            order.into_iter().map(drive).collect::<Result<Vec<_>, LabError>>()
        };
        round(Turn::Next, events)?;
        let (mut turn, mut is_told) = (Turn::Next, false);
        while rounds.needed > 0 {
            let count = CpuCount::begin();
            let foreign =
                round(turn, events)?.into_iter().flatten().find(|foreign| !foreign.is_undisturbed());
            if let Some(foreign) = foreign.as_ref().filter(|_| !is_told && !experiment.timing.is_smoke) {
                let configuration = lanes[0].configuration.to_owned();
                events.emit(EventKind::Remark { configuration, text: in_words(foreign, &count) });
                is_told = true;
            }
            turn = if rounds.record(foreign.is_some()) { Turn::Again } else { Turn::Next };
        }
        lanes.into_iter().map(Lane::finish).collect()
    })
}

/// The use of the machine by others since a count began, what follows from it, and what helps.
pub(crate) fn in_words(foreign: &HostUse, count: &CpuCount) -> String {
    let HostUse { cores, steal_cores, other_processes_cores: other, machines, .. } = foreign;
    let own = (String::new(), f64::from(*cores), *other, *steal_cores);
    let of_machine = |machine: &MachineUse| {
        let MachineUse { host, cores, steal_cores, other_processes_cores } = machine;
        (format!(" on {host}"), *cores, *other_processes_cores, *steal_cores)
    };
    let all = machines.iter().map(of_machine).chain([own]);
    let most = all.max_by(|one, other| (one.2 + one.3).total_cmp(&(other.2 + other.3)));
    let (place, cores, other, steal) = most.expect("this machine is one");
    let who = if other >= steal { "Other programs use" } else { "The hypervisor withholds" };
    let busiest = if other >= steal && place.is_empty() { count.busiest_other() } else { None };
    let name = busiest.map_or(String::new(), |busiest| format!(", {busiest} the most"));
    format!(
        "{who} {:.1} of {cores} cores{place}{name}. Rounds that this disturbs are driven again, at most half as many. End what \
         disturbs, or expect INVALID points.",
        other.max(steal)
    )
}

/// A thread that drives one site whenever it is its turn.
fn lane<'scope, 'env>(
    experiment: &'env Experiment<'env>,
    scope: &'scope Scope<'scope, 'env>,
    started: &'scope StartedSite<'_, '_>,
    load: Load,
) -> Result<Lane<'scope, 'scope>, LabError> {
    let (go, turns) = mpsc::channel();
    let (sender, received) = mpsc::channel();
    let (planned, configuration) = (load.clone(), started.name());
    let compilers = started.warmed.has_compilers && !experiment.timing.is_smoke;
    let drive = move || -> Result<EndedLoad, LabError> {
        let mut turns = Turns::new(turns, sender);
        turns.wait();
        experiment.context.hosts.enter_namespace(configuration)?;
        if compilers {
            let lifted = experiment.context.hosts.lift_all(configuration)?;
            turns.settling = Some(JitSettling::begin(started.site, lifted, load.ramp));
        }
        let (mut monitor, _) = SiteMonitor::begin(started.site);
        turns.foreign = Some(monitor.foreign_use());
        let mut on_progress = |progress: &Progress| turns.on_progress(progress);
        let up = PointRun { experiment, variant: started.variant, site: started.site };
        let run = up.drive_load(&load, monitor, None, &mut on_progress)?;
        let is_settling = turns.is_settling();
        turns.settling.and_then(JitSettling::fault).map_or(Ok(()), Err)?;
        Ok(EndedLoad { run, is_settling })
    };
    let failed = |fault| LabError::Engine { configuration: configuration.to_owned(), fault };
    let driving = spawn(scope, drive).map_err(failed)?;
    Ok(Lane { configuration, load: planned, go, received, driving })
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

/// The order to a site whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Turn {
    Next,
    /// Its last stretch does not count.
    Again,
}

/// News of a site in its turn.
enum TurnNews {
    Progress(Progress),
    /// The turn is over; what others used of the machine in its stretch, if it had one.
    Over(Option<HostUse>),
}

/// A site that is driven in turns, for the lab thread.
struct Lane<'l, 's> {
    configuration: &'l str,
    load: Load,
    go: Sender<Turn>,
    received: Receiver<TurnNews>,
    driving: ScopedJoinHandle<'s, Result<EndedLoad, LabError>>,
}

impl Lane<'_, '_> {
    /// Lets its clients work until they pause again, or until the load is over. Returns what others used of the machine.
    fn turn(&self, turn: Turn, events: &mut EventLog<'_>) -> Option<HostUse> {
        self.go.send(turn).ok()?;
        for told in &self.received {
            match told {
                TurnNews::Over(foreign) => return foreign,
                TurnNews::Progress(progress) => events.driving(self.configuration, &self.load, &progress),
            }
        }
        None
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
    go: Receiver<Turn>,
    sender: Sender<TurnNews>,
    /// Use of the machine by others in each stretch, once the site is watched.
    foreign: Option<Receiver<HostUse>>,
    settling: Option<JitSettling<'r>>,
    phase: Phase,
    /// True if the ramp is over, so that the next stretch counts.
    is_ready: bool,
    /// True if a stretch has ended in this turn.
    has_stretch: bool,
    /// The begin of this turn, on the load's clock.
    since: Duration,
    /// The greatest 99th percentile of a second's response times towards the end of the ramp, fading with each second.
    slow_response: Duration,
    /// True if there are no more turns.
    is_over: bool,
}

impl<'r> Turns<'r> {
    fn new(go: Receiver<Turn>, sender: Sender<TurnNews>) -> Self {
        let (foreign, settling, slow_response, since) = (None, None, Duration::ZERO, Duration::ZERO);
        let (phase, is_ready, has_stretch, is_over) = (Phase::Ramp, false, false, false);
        Self { go, sender, foreign, settling, phase, is_ready, has_stretch, since, slow_response, is_over }
    }

    /// Waits for a turn. Returns whether its stretch replaces the last one.
    fn wait(&mut self) -> bool {
        let turn = self.go.recv();
        self.is_over |= turn.is_err();
        turn == Ok(Turn::Again)
    }

    fn is_settling(&self) -> bool {
        self.settling.as_ref().is_some_and(|settling| !settling.is_over())
    }

    /// Takes in each second and each phase.
    fn on_progress(&mut self, progress: &Progress) -> Directive {
        if progress.phase == Phase::Paused {
            self.phase = Phase::Paused;
            return self.pause(progress.elapsed);
        }
        let before = std::mem::replace(&mut self.phase, progress.phase);
        // The lab thread may have given up.
        let _ = self.sender.send(TurnNews::Progress(progress.clone()));
        match progress.phase {
            _ if self.is_over => Directive::Enough,
            Phase::Ramp if before == Phase::Measure => {
                self.has_stretch = true;
                Directive::Pause
            }
            Phase::Ramp if !self.is_ready => self.in_ramp(progress),
            // The directive holds for the next second.
            Phase::Ramp if progress.elapsed + SECOND < self.since + self.gap() => Directive::NotYet,
            _ => Directive::GoOn,
        }
    }

    /// Stands still until the next turn.
    fn pause(&mut self, at: Duration) -> Directive {
        self.since = at;
        let foreign = if std::mem::take(&mut self.has_stretch) { self.foreign_use() } else { None };
        let _ = self.sender.send(TurnNews::Over(foreign));
        match self.wait() {
            _ if self.is_over => Directive::Enough,
            true => Directive::Repeat,
            false => Directive::GoOn,
        }
    }

    /// The monitor's last figures; nothing if it is too late to tell.
    fn foreign_use(&self) -> Option<HostUse> {
        let foreign = self.foreign.as_ref()?;
        let first = foreign.recv_timeout(SECOND).ok()?;
        Some(foreign.try_iter().last().unwrap_or(first))
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
