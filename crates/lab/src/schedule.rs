//! Which point comes next. A schedule knows no clock and no server: it is told what points gave and says which is the
//! next one, so that the points of an interrupted run, told again, lead to where it was.
//!
//! Points are measured in rounds. In a round each configuration measures one point; who comes first is drawn anew, so
//! that a machine that grows slower by and by slows nobody more than others. Nobody's peak is confirmed before all are
//! found: what will be compared is measured side by side.

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
}

impl Schedule {
    /// The schedule for configurations of these names.
    pub(crate) fn new(names: &[&str], loads: &Loads, repetitions: u32, seed: u64) -> Self {
        let contender = |name: &&str| Contender {
            name: (*name).to_owned(),
            agenda: Agenda::new(loads, repetitions),
            runs: BTreeMap::new(),
        };
        let contenders = names.iter().map(contender).collect();
        Self { seed, contenders, rounds: 0, round: VecDeque::new(), measured: 0 }
    }

    /// The next point; none when all is measured.
    pub(crate) fn next(&mut self) -> Option<Task> {
        if self.round.is_empty() {
            self.draw_round();
        }
        let index = *self.round.front()?;
        let contender = &self.contenders[index];
        let (clients, purpose) = contender.agenda.next()?;
        let repetition = contender.runs.get(&clients).unwrap_or(&0) + 1;
        Some(Task {
            contender: index,
            clients,
            purpose,
            repetition,
            sequence: self.measured + 1,
            seed: self.seed ^ (u64::from(clients) << 32) ^ (u64::from(repetition) << 16),
        })
    }

    /// Takes in what the next point gave. Returns the end of its configuration's search, if that is the end of it.
    pub(crate) fn record(&mut self, point: &Point) -> Option<SearchEnd> {
        self.measured += 1;
        let contender = &mut self.contenders[self.round.pop_front()?];
        *contender.runs.entry(point.clients).or_default() += 1;
        contender.agenda.record(point);
        contender.agenda.end()
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
        self.contenders[contender].agenda.next().is_some()
    }

    /// How many points there are at least and at most until the end.
    pub(crate) fn left(&self) -> (u32, u32) {
        let left = self.contenders.iter().map(|contender| contender.agenda.left());
        left.fold((0, 0), |sum, left| (sum.0 + left.0, sum.1 + left.1))
    }

    fn draw_round(&mut self) {
        let next = |(index, contender): (usize, &Contender)| Some((index, contender.agenda.next()?.1));
        let wanted: Vec<(usize, Purpose)> = self.contenders.iter().enumerate().filter_map(next).collect();
        let all_found = wanted.iter().all(|(_, purpose)| *purpose != Purpose::Search);
        let takes_part = |(_, purpose): &&(usize, Purpose)| all_found || *purpose == Purpose::Search;
        let mut round: Vec<usize> = wanted.iter().filter(takes_part).map(|(index, _)| *index).collect();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.rounds);
        round.shuffle(&mut random);
        self.round = round.into();
        self.rounds += 1;
    }
}

/// A configuration with what is still to be measured of it.
#[derive(Debug, Clone)]
struct Contender {
    name: String,
    agenda: Agenda,
    /// How often each load was measured.
    runs: BTreeMap<u32, u32>,
}

#[cfg(test)]
mod tests;
