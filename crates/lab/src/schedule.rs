//! Which point comes next. A schedule knows no clock and no server: it is told what points gave and says which is the
//! next one, so that the points of an interrupted run, told again, lead to where it was.
//!
//! Points are measured in rounds. In a round each configuration measures one point; who comes first is drawn anew, so
//! that a machine that grows slower by and by slows nobody more than others. Nobody's peak is confirmed before all are
//! found: what will be compared is measured side by side. Profiles are taken last of all, when nothing is left that they
//! could disturb.

use crate::{
    LabError, Loads,
    agenda::{Agenda, SearchEnd},
};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use results::{Point, Purpose};
use std::collections::{BTreeMap, VecDeque};

/// A point that is to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Task {
    /// The index of the configuration.
    pub contender: usize,
    pub clients: u32,
    pub purpose: Purpose,
    /// How often this configuration will have been measured at this load.
    pub repetition: u32,
    /// Its place among all points, from 1.
    pub sequence: u32,
    /// Seed of its clients: all configurations meet the same ones at the same load and repetition.
    pub seed: u64,
}

/// What is to be measured, and in which order.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    seed: u64,
    contenders: Vec<Contender>,
    rounds: u64,
    /// Who is still to be measured in this round.
    round: VecDeque<usize>,
    measured: u32,
    /// Whether the points of a repetition share a start of all servers.
    is_in_rounds: bool,
}

impl Schedule {
    /// The schedule for configurations of these names.
    pub(crate) fn new(names: &[&str], loads: &Loads, repetitions: u32, seed: u64) -> Self {
        let contender = |name: &&str| Contender {
            name: (*name).to_owned(),
            agenda: Agenda::new(loads, repetitions),
            profile: ProfileTask::None,
            runs: BTreeMap::new(),
        };
        let contenders = names.iter().map(contender).collect();
        Self { seed, contenders, rounds: 0, round: VecDeque::new(), measured: 0, is_in_rounds: false }
    }

    /// In the end, each configuration is profiled at its peak, or else at its best load.
    pub(crate) fn with_profiles(mut self) -> Self {
        let all = self.contenders.iter_mut();
        all.for_each(|contender| contender.profile = ProfileTask::After(None));
        self
    }

    /// All points of a repetition of listed loads or of peaks share one start of the servers of all configurations.
    pub(crate) fn in_rounds(mut self) -> Self {
        self.is_in_rounds = true;
        self
    }

    /// Whether a point shares its start with those of other configurations.
    pub(crate) fn shares_start(&self, task: &Task) -> bool {
        self.is_in_rounds && matches!(task.purpose, Purpose::Listed | Purpose::Confirm)
    }

    /// The next point; none when all is measured.
    pub(crate) fn next(&mut self) -> Option<Task> {
        let index = self.turn()?;
        let (clients, purpose) = self.contenders[index].next()?;
        let repetition = self.contenders[index].runs.get(&clients).unwrap_or(&0) + 1;
        Some(self.task(index, clients, purpose, repetition, 1))
    }

    /// Whose turn it is.
    fn turn(&mut self) -> Option<usize> {
        if self.round.is_empty() {
            self.draw_round();
        }
        self.round.front().copied()
    }

    fn task(&self, contender: usize, clients: u32, purpose: Purpose, repetition: u32, ahead: u32) -> Task {
        let seed = self.seed ^ (u64::from(clients) << 32) ^ (u64::from(repetition) << 16);
        Task { contender, clients, purpose, repetition, sequence: self.measured + ahead, seed }
    }

    /// The next points that share one start of the servers: all steps of a sweep, the doubled loads of a coarse search, in
    /// rounds what is left of a repetition, or else one point; nothing when all is measured.
    pub(crate) fn next_together(&mut self) -> Vec<Task> {
        let Some(first) = self.next() else { return Vec::new() };
        match first.purpose {
            Purpose::Listed if self.is_in_rounds => return self.rest_of_repetition(first.repetition),
            Purpose::Confirm if self.is_in_rounds => return self.rest_of_round(),
            _ => {}
        }
        let contender = &self.contenders[first.contender];
        let together = contender.agenda.together();
        if together.is_empty() {
            return vec![first];
        }
        let mut runs = contender.runs.clone();
        let tasks = together.into_iter().zip(1..).map(|(clients, ahead)| {
            let repetition = runs.entry(clients).or_default();
            *repetition += 1;
            self.task(first.contender, clients, first.purpose, *repetition, ahead)
        });
        tasks.collect()
    }

    /// The listed points up to the end of a repetition, in order.
    fn rest_of_repetition(&self, repetition: u32) -> Vec<Task> {
        let mut ahead = self.clone();
        let same = |task: &Task| task.purpose == Purpose::Listed && task.repetition == repetition;
        std::iter::from_fn(|| ahead.next().filter(same).inspect(|task| ahead.pass(task))).collect()
    }

    /// The peaks that are still to be confirmed in this round.
    fn rest_of_round(&self) -> Vec<Task> {
        let next = |(index, ahead): (&usize, u32)| {
            let contender = &self.contenders[*index];
            let (clients, purpose) = contender.next().filter(|(_, purpose)| *purpose == Purpose::Confirm)?;
            let repetition = contender.runs.get(&clients).unwrap_or(&0) + 1;
            Some(self.task(*index, clients, purpose, repetition, ahead))
        };
        // Points are recorded in the order of their tasks, so that none may be left out before another.
        self.round.iter().zip(1..).map_while(next).collect()
    }

    /// Goes on as if a listed point had been measured.
    fn pass(&mut self, task: &Task) {
        self.measured += 1;
        self.round.pop_front();
        let contender = &mut self.contenders[task.contender];
        *contender.runs.entry(task.clients).or_default() += 1;
        contender.agenda.pass();
    }

    /// Takes in what the next point gave. Returns the end of its configuration's search, if that is the end of it.
    pub(crate) fn record(&mut self, point: &Point) -> Option<SearchEnd> {
        let index = self.turn()?;
        self.measured += 1;
        let contender = &mut self.contenders[index];
        *contender.runs.entry(point.clients).or_default() += 1;
        let end = contender.record(point);
        if !contender.agenda.is_within() {
            self.round.pop_front();
        }
        end
    }

    /// Takes in the points of a run that was interrupted. They must be those that this schedule would have asked for.
    pub(crate) fn replay(&mut self, points: &[Point]) -> Result<(), LabError> {
        for point in points {
            match self.next() {
                Some(task) if self.is_answered_by(&task, point) => drop(self.record(point)),
                task => return Err(self.other_plan(task.as_ref(), point)),
            }
        }
        Ok(())
    }

    fn is_answered_by(&self, task: &Task, point: &Point) -> bool {
        let asked = (task.clients, task.purpose, task.repetition, task.sequence, task.seed);
        let given = (point.clients, point.purpose, point.repetition, point.sequence, point.seed);
        asked == given && self.contenders[task.contender].name == point.configuration
    }

    fn other_plan(&self, task: Option<&Task>, point: &Point) -> LabError {
        let planned = task.map_or("nothing more".to_owned(), |task| {
            let name = &self.contenders[task.contender].name;
            format!("{name} with {} clients (run {})", task.clients, task.repetition)
        });
        let recorded =
            format!("{} with {} clients (run {})", point.configuration, point.clients, point.repetition);
        LabError::OtherPlan { sequence: self.measured + 1, recorded, planned }
    }

    /// Whether a configuration may still be measured.
    pub(crate) fn needs(&self, contender: usize) -> bool {
        self.contenders[contender].next().is_some()
    }

    /// How many points there are at least and at most until the end.
    pub(crate) fn left(&self) -> (u32, u32) {
        let left = self.contenders.iter().map(Contender::left);
        left.fold((0, 0), |sum, left| (sum.0 + left.0, sum.1 + left.1))
    }

    fn draw_round(&mut self) {
        let next = |(index, contender): (usize, &Contender)| Some((index, stage(contender.next()?.1)));
        let wanted: Vec<(usize, u8)> = self.contenders.iter().enumerate().filter_map(next).collect();
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

/// Nobody goes on to the next stage before all are through with one.
fn stage(purpose: Purpose) -> u8 {
    match purpose {
        Purpose::Search => 0,
        Purpose::Listed | Purpose::Confirm | Purpose::Sweep | Purpose::Arrivals => 1,
        Purpose::Profile => 2,
    }
}

/// A configuration with what is still to be measured of it.
#[derive(Debug, Clone)]
struct Contender {
    name: String,
    agenda: Agenda,
    profile: ProfileTask,
    /// How often each load was measured.
    runs: BTreeMap<u32, u32>,
}

/// Whether a configuration is profiled.
#[derive(Debug, Clone)]
enum ProfileTask {
    /// It isn't, or was.
    None,
    /// It will be, with as many clients as made its best point so far.
    After(Option<Best>),
}

/// What a point was worth: a VALID one is better than any other, then throughput counts.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Best {
    valid: bool,
    throughput: f64,
    clients: u32,
}

impl Contender {
    /// The next load and why it is measured; none at the end.
    fn next(&self) -> Option<(u32, Purpose)> {
        let profile = || match &self.profile {
            ProfileTask::After(Some(best)) => {
                let peak = self.agenda.end().and_then(|end| end.peak);
                Some((peak.map_or(best.clients, |peak| peak.clients), Purpose::Profile))
            }
            _ => None,
        };
        self.agenda.next().or_else(profile)
    }

    /// Takes in what the next load gave. Returns the end of the search, if that is the end of it.
    fn record(&mut self, point: &Point) -> Option<SearchEnd> {
        if point.purpose == Purpose::Profile {
            self.profile = ProfileTask::None;
            return None;
        }
        if let ProfileTask::After(best) = &mut self.profile {
            let (valid, throughput, clients) = (point.verdict.valid, point.throughput, point.clients);
            let this = Best { valid, throughput, clients };
            *best = best.filter(|best| *best >= this).or(Some(this));
        }
        self.agenda.record(point);
        self.agenda.end()
    }

    /// How many points there are at least and at most until the end.
    fn left(&self) -> (u32, u32) {
        let (least, most) = self.agenda.left();
        let profiles = u32::from(matches!(self.profile, ProfileTask::After(_)));
        (least + profiles, most + profiles)
    }
}

#[cfg(test)]
mod tests;
