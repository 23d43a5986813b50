//! The order of points. A schedule knows no clock and no server: it is told what points gave and says which are the
//! next ones, so that the points of an interrupted run, told again, lead to where it was.
//!
//! Points are measured turn by turn: a turn is one start of a configuration's servers. In a round of turns each
//! configuration has one; who comes first is drawn anew, so that a machine that grows slower by and by slows nobody more
//! than others. Where configurations are compared in rounds, the servers of all of them are up at once, and their turns are
//! one. Nobody's peak is confirmed before all are found: what will be compared is measured side by side. Starts on which a
//! point was INVALID are made up for, within limits. Profiles are taken last of all, when nothing is left that they could
//! disturb.

use crate::{
    error::LabError,
    plan::load_strategy::{LoadStrategy, PlannedLoad, SearchEnd},
};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use results::{Loads, Point, Purpose};
use stats::{PeakSearch, Remaining, StartSample, StoppingRule, compare_starts, is_decided};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use workload::{LoadKind, Series};

/// A point that is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    pub configuration: usize,
    pub kind: LoadKind,
    pub purpose: Purpose,
    /// The number of this measurement among those of the configuration at this load, from 1.
    pub repetition: u32,
    /// Its place among all points, from 1.
    pub sequence: u32,
    /// Seed of its clients: all configurations meet the same ones at the same load and repetition.
    pub seed: u64,
}

/// The configurations whose servers start next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The indexes of the configurations: several where their servers are up at once.
    pub configurations: Vec<usize>,
    pub purpose: Purpose,
    /// True if the servers of others may be up at the same time.
    pub is_in_rounds: bool,
    /// Seed of the clients that warm the servers.
    pub seed: u64,
}

/// The assumed clients at the knee where no tier has used any CPU.
const UNKNOWN_KNEE: f64 = 50.0;

/// Further starts at most, for those on which a point was INVALID. Without a limit, a site that is never VALID would have
/// no end; and checks that depend on a site's own speed could select its fast starts.
const MOST_MADE_UP: u32 = 2;

/// The points to be measured, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    seed: u64,
    configurations: Vec<ConfigurationState>,
    rounds: u64,
    /// The configurations that still have a turn in this round, the present one first.
    round: VecDeque<usize>,
    measured: u32,
    /// True if the servers of all configurations are up at once.
    is_in_rounds: bool,
    stopping: StoppingRule,
    /// The number of VALID starts that each pair is to share; none if INVALID ones aren't made up for.
    shared: Option<u32>,
    /// The further starts so far.
    made_up: u32,
    /// True once a point failed no check or another one than those of the machine: others do not disturb every start.
    has_quiet_start: bool,
}

impl Schedule {
    /// The schedule for configurations of these names. If they are compared `in_rounds`, the turns of a round are one.
    fn new(names: &[&str], loads: &Loads, repetitions: u32, seed: u64, in_rounds: bool) -> Self {
        let configuration = |name: &&str| ConfigurationState {
            name: (*name).to_owned(),
            strategy: LoadStrategy::new(loads, repetitions, in_rounds),
            profile: ProfileTask::None,
            runs: BTreeMap::new(),
            starts: StartSample::default(),
            seen: BTreeSet::new(),
            valid: BTreeMap::new(),
            is_reported: false,
        };
        let configurations = names.iter().map(configuration).collect();
        let (round, rounds, measured, made_up) = (VecDeque::new(), 0, 0, 0);
        // One start tells nothing of a pair, and the loads of an overload cycle are INVALID where it shows something.
        let is_compared =
            in_rounds && names.len() > 1 && repetitions > 1 && loads.series() != Series::OverloadCycle;
        let shared = is_compared.then_some(repetitions);
        Self {
            seed,
            configurations,
            rounds,
            round,
            measured,
            is_in_rounds: in_rounds,
            stopping: loads.stopping_rule(),
            shared,
            made_up,
            has_quiet_start: false,
        }
    }

    /// The schedule of an experiment, after the points that an interrupted run has measured.
    pub(crate) fn begin(
        names: &[&str],
        loads: &Loads,
        repetitions: u32,
        seed: u64,
        profiles: bool,
        in_rounds: bool,
        points: &[Point],
    ) -> Result<Self, LabError> {
        let mut schedule = Self::new(names, loads, repetitions, seed, in_rounds);
        if profiles {
            schedule = schedule.with_profiles();
        }
        schedule.replay(points)?;
        Ok(schedule)
    }

    /// In the end, each configuration is profiled at its peak, or else at its best load.
    fn with_profiles(mut self) -> Self {
        let all = self.configurations.iter_mut();
        all.for_each(|configuration| configuration.profile = ProfileTask::After(None));
        self
    }

    /// The next turn, or the present one if it goes on; none when all is measured.
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        if self.round.is_empty() {
            self.draw_round();
        }
        let first = *self.round.front()?;
        let purpose = self.configurations[first].purpose()?;
        let is_in_rounds = self.is_in_rounds && purpose != Purpose::Profile;
        let count = if is_in_rounds { self.round.len() } else { 1 };
        let configurations = self.round.iter().copied().take(count).collect();
        Some(Turn { configurations, purpose, is_in_rounds, seed: self.seed ^ u64::from(self.measured) })
    }

    /// The points of a turn, those of one configuration after those of another. How many clients the knee of each has is
    /// asked for, as far as demands say it.
    pub(crate) fn tasks(&mut self, turn: &Turn, knee: impl Fn(usize) -> Option<f64>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for index in &turn.configurations {
            let configuration = &mut self.configurations[*index];
            configuration.begin(knee(*index));
            let mut runs = configuration.runs.clone();
            for (kind, purpose) in self.configurations[*index].pending() {
                let clients = kind.clients();
                let repetition = runs.entry(clients).or_default();
                *repetition += 1;
                let seed = self.seed ^ (u64::from(clients) << 32) ^ (u64::from(*repetition) << 16);
                let sequence = self.measured + tasks.len() as u32 + 1;
                let repetition = *repetition;
                tasks.push(Task { configuration: *index, kind, purpose, repetition, sequence, seed });
            }
        }
        tasks
    }

    /// Takes in the next point. Returns the ends of searches that it ends, each with the configuration's name.
    pub(crate) fn record(&mut self, point: &Point) -> Vec<(String, SearchEnd)> {
        let Some(front) = self.round.front().copied() else { return Vec::new() };
        let configuration = &mut self.configurations[front];
        self.measured += 1;
        self.has_quiet_start |= !point.verdict.is_only_disturbed();
        *configuration.runs.entry(point.clients).or_default() += 1;
        configuration.record(point);
        if !configuration.strategy.is_within_turn() {
            self.round.pop_front();
        }
        if self.round.is_empty() {
            self.look();
            self.make_up();
        } else if self.is_in_rounds {
            // Whether these are the last starts is known when all configurations have had theirs.
            return Vec::new();
        }
        self.configurations.iter_mut().filter_map(ConfigurationState::report).collect()
    }

    /// Adds a start of all configurations if the measurement would end, and pairs share too few VALID starts. If others disturbed
    /// all of them, they would disturb further ones.
    fn make_up(&mut self) {
        if self.is_at_end()
            && self.has_quiet_start
            && self.made_up < MOST_MADE_UP
            && self.pairs().any(|pair| pair.shared < pair.wanted)
        {
            self.made_up += 1;
            self.configurations.iter_mut().for_each(|configuration| configuration.strategy.extend());
        }
    }

    /// True if all planned starts were made.
    fn is_at_end(&self) -> bool {
        self.configurations.iter().all(|configuration| configuration.strategy.purpose().is_none())
    }

    /// The starts of each pair of configurations at each load at which they are compared.
    fn pairs(&self) -> impl Iterator<Item = PairStarts> {
        let pairs = self
            .configurations
            .iter()
            .enumerate()
            .flat_map(|(at, one)| self.configurations[at + 1..].iter().map(move |other| (one, other)));
        let wanted = self.shared.into_iter();
        wanted.flat_map(move |wanted| {
            pairs.clone().flat_map(move |(one, other)| {
                let loads = one.strategy.compared().into_iter().zip(other.strategy.compared());
                loads.map(move |(load, of_other)| PairStarts {
                    wanted,
                    seen: one.seen.intersection(&other.seen).count() as u32,
                    shared: one.valid_at(load).intersection(&other.valid_at(of_other)).count() as u32,
                })
            })
        })
    }

    /// The further starts that INVALID ones so far will cost.
    fn expected_starts(&self) -> u32 {
        if self.is_at_end() || !self.has_quiet_start {
            return 0;
        }
        let lost = self.pairs().map(|pair| pair.seen - pair.shared).max().unwrap_or_default();
        lost.saturating_sub(self.made_up).min(MOST_MADE_UP - self.made_up)
    }

    /// Stops all searches if an interim analysis finds all comparisons decided.
    fn look(&mut self) {
        let stopping = self.stopping;
        let starts: Vec<StartSample> =
            self.configurations.iter().map(|configuration| configuration.starts.clone()).collect();
        let all = self.configurations.iter_mut().map(|configuration| configuration.strategy.confirming());
        let Some(mut searches) = all.collect::<Option<Vec<&mut PeakSearch>>>() else { return };
        let is_time = |search: &&mut PeakSearch| {
            stopping.is_after(search.confirmations()) && search.next(UNKNOWN_KNEE).is_some()
        };
        if searches.iter().all(is_time) && is_decided(&compare_starts(&starts, stopping)) {
            searches.iter_mut().for_each(|search| search.stop());
            self.shared = None;
        }
    }

    /// Takes in the points of a run that was interrupted. They must be those that this schedule would have asked for.
    fn replay(&mut self, points: &[Point]) -> Result<(), LabError> {
        for point in points {
            let turn = self.turn();
            let knee = point.warm_up.and_then(|warm_up| warm_up.knee_clients);
            let task = turn.and_then(|turn| {
                let configurations = turn.configurations.into_iter().take(1).collect();
                self.tasks(&Turn { configurations, ..turn }, |_| knee).into_iter().next()
            });
            match task {
                Some(task) if self.is_answered_by(&task, point) => drop(self.record(point)),
                task => return Err(self.other_plan(task.as_ref(), point)),
            }
        }
        Ok(())
    }

    fn is_answered_by(&self, task: &Task, point: &Point) -> bool {
        let asked = (&task.kind, task.purpose, task.repetition, task.sequence, task.seed);
        let given = (&point.kind, point.purpose, point.repetition, point.sequence, point.seed);
        asked == given && self.configurations[task.configuration].name == point.configuration
    }

    fn other_plan(&self, task: Option<&Task>, point: &Point) -> LabError {
        let planned = task.map_or("nothing more".to_owned(), |task| {
            let name = &self.configurations[task.configuration].name;
            format!("{name} with {} (run {})", task.kind, task.repetition)
        });
        let recorded = format!("{} with {} (run {})", point.configuration, point.kind, point.repetition);
        LabError::OtherPlan { sequence: self.measured + 1, recorded, planned }
    }

    /// True if a configuration may still be measured.
    pub(crate) fn needs(&self, configuration: usize) -> bool {
        let may_be_extended = self.shared.is_some() && self.made_up < MOST_MADE_UP && !self.is_at_end();
        may_be_extended || self.configurations[configuration].purpose().is_some()
    }

    /// The expected rest of each configuration.
    pub(crate) fn left(&self) -> impl Iterator<Item = Remaining> {
        let further = self.expected_starts();
        self.configurations.iter().map(move |configuration| {
            let Remaining { starts, search, whole } = configuration.left();
            let loads = configuration.strategy.compared().len() as u32;
            Remaining {
                starts: starts + f64::from(further),
                search,
                whole: whole + f64::from(further * loads),
            }
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        (0..self.configurations.len()).all(|configuration| !self.needs(configuration))
    }

    /// True if nothing was measured yet.
    pub(crate) fn is_new(&self) -> bool {
        self.measured == 0
    }

    /// True if the servers of all configurations are up at once.
    pub(crate) fn is_in_rounds(&self) -> bool {
        self.is_in_rounds
    }

    fn draw_round(&mut self) {
        let next = |(index, configuration): (usize, &ConfigurationState)| {
            Some((index, stage(configuration.purpose()?)))
        };
        let wanted: Vec<(usize, u8)> = self.configurations.iter().enumerate().filter_map(next).collect();
        let earliest = wanted.iter().map(|(_, stage)| *stage).min();
        let takes_part = |(_, stage): &&(usize, u8)| Some(*stage) == earliest;
        let mut round: Vec<usize> = wanted.iter().filter(takes_part).map(|(index, _)| *index).collect();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.rounds);
        round.shuffle(&mut random);
        self.round = round.into();
        self.rounds += 1;
    }
}

/// The experiments that share the next start, by the indexes of their schedules, each with its turn; none when all is measured.
/// Configurations that are compared in rounds share it. Each of the others has a start for itself.
pub(crate) fn sharing_next_start<'s>(
    schedules: impl Iterator<Item = &'s mut Schedule>,
) -> Vec<(usize, Turn)> {
    let turns = schedules.enumerate().filter_map(|(index, schedule)| Some((index, schedule.turn()?)));
    let (in_rounds, mut others): (Vec<_>, Vec<_>) = turns.partition(|(_, turn)| turn.is_in_rounds);
    others.truncate(1);
    if in_rounds.is_empty() { others } else { in_rounds }
}

/// Nobody goes on to the next stage before all are through with one.
fn stage(purpose: Purpose) -> u8 {
    match purpose {
        Purpose::Search => 0,
        Purpose::Listed | Purpose::Confirm => 1,
        Purpose::Profile => 2,
    }
}

/// Starts of a pair of configurations at a load.
struct PairStarts {
    /// The number of VALID ones that they are to share.
    wanted: u32,
    seen: u32,
    /// The VALID ones of both.
    shared: u32,
}

/// A configuration and the state of its measurement.
#[derive(Debug, Clone)]
struct ConfigurationState {
    name: String,
    strategy: LoadStrategy,
    profile: ProfileTask,
    runs: BTreeMap<u32, u32>,
    /// The throughput at its peak on each start that it shares with others.
    starts: StartSample,
    /// The starts on which it was measured for comparison, and of each load those that were VALID.
    seen: BTreeSet<u32>,
    valid: BTreeMap<u32, BTreeSet<u32>>,
    /// True if the end of its search was returned.
    is_reported: bool,
}

#[derive(Debug, Clone)]
enum ProfileTask {
    /// It isn't, or was.
    None,
    /// It will be, with as many clients as made its best point so far.
    After(Option<Best>),
}

/// The rank of a point: a VALID one is better than any other, then throughput counts.
#[derive(Debug, Clone)]
struct Best {
    valid: bool,
    throughput: f64,
    kind: LoadKind,
}

impl Best {
    fn is_better_than(&self, other: &Self) -> bool {
        (self.valid, self.throughput) > (other.valid, other.throughput)
    }
}

impl ConfigurationState {
    /// The purpose of its next point; none at the end.
    fn purpose(&self) -> Option<Purpose> {
        self.strategy.purpose().or_else(|| Some(self.profiled()?.1))
    }

    fn begin(&mut self, knee: Option<f64>) {
        self.strategy.begin(knee.unwrap_or(UNKNOWN_KNEE));
    }

    /// The rest of the present turn, in its order.
    fn pending(&self) -> Vec<PlannedLoad> {
        match self.strategy.purpose() {
            None => self.profiled().into_iter().collect(),
            Some(_) => self.strategy.pending().collect(),
        }
    }

    fn profiled(&self) -> Option<PlannedLoad> {
        let ProfileTask::After(Some(best)) = &self.profile else { return None };
        let found = self.strategy.end().and_then(|end| end.clients());
        let clients = found.unwrap_or_else(|| best.kind.clients());
        Some((best.kind.with_clients(clients), Purpose::Profile))
    }

    fn valid_at(&self, load: u32) -> BTreeSet<u32> {
        self.valid.get(&load).cloned().unwrap_or_default()
    }

    /// Its name and the end of its search, once.
    fn report(&mut self) -> Option<(String, SearchEnd)> {
        let end = self.strategy.end().filter(|_| !self.is_reported)?;
        self.is_reported = true;
        Some((self.name.clone(), end))
    }

    /// Takes in what the next load gave.
    fn record(&mut self, point: &Point) {
        if point.purpose == Purpose::Profile {
            self.profile = ProfileTask::None;
            return;
        }
        if let Some(start) = point.start.filter(|_| point.purpose != Purpose::Search) {
            self.seen.insert(start);
            if point.verdict.valid {
                self.valid.entry(point.clients).or_default().insert(start);
            }
        }
        if let ProfileTask::After(best) = &mut self.profile {
            let (valid, throughput) = (point.verdict.valid, point.throughput);
            let this = Best { valid, throughput, kind: point.kind.clone() };
            if best.as_ref().is_none_or(|best| this.is_better_than(best)) {
                *best = Some(this);
            }
        }
        self.strategy.record(point);
        let full = self.strategy.confirming().and_then(|search| search.peak_load());
        if point.purpose == Purpose::Confirm && point.verdict.valid && full == Some(point.clients) {
            self.starts.figures.extend(point.on_its_start(|round| round.throughput));
            self.starts.has_compilers |= point.warm_up.is_some_and(|warm_up| warm_up.has_compilers);
        }
    }

    fn left(&self) -> Remaining {
        let Remaining { starts, search, whole } = self.strategy.left();
        let profiles = f64::from(u8::from(matches!(self.profile, ProfileTask::After(_))));
        Remaining { starts: starts + profiles, search, whole: whole + profiles }
    }
}

#[cfg(test)]
mod tests;
