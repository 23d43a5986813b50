//! Searches the capacity of one configuration: the highest number of clients with which an objective still holds. An objective
//! is, for example, "90 % of the pages arrive within a second".
//!
//! 1. *Bracket*: from the knee, the load is doubled or halved until the objective holds at one load and fails at the next.
//! 2. *Bisection*: the geometric middle is measured until the two loads are within 4 % of each other.
//! 3. *Confirmation from both sides*: both loads are measured on further starts of all servers. The capacity is confirmed when
//!    the 95 % interval of the lower load meets the objective and that of the upper load misses it. If a mean changes sides, the
//!    bracket follows it, and bisection goes on.
//!
//! After 60 runs without an answer the search is inconclusive: it gives the loads between which the capacity lies.
//! Like the search for the peak, it depends on the recorded runs alone.

use crate::Interval;
use std::collections::BTreeMap;

/// Bisection ends when the ends of the bracket differ by at most this factor.
const RESOLUTION: f64 = 1.04;

/// The least and the most starts on which each end of the bracket is measured.
const STARTS: (usize, usize) = (3, 8);

/// A search without an answer after this many runs is inconclusive.
const MOST_RUNS: usize = 60;

/// The result of one run at one load.
#[derive(Debug, Clone, Copy)]
pub struct ObjectiveRun {
    /// The number of clients.
    pub clients: u32,
    /// The logarithm of measured value over limit, the largest of several objectives. Above 0 an objective was missed. `None` if
    /// the run is invalid.
    pub excess: Option<f64>,
}

/// The answer of a capacity search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Capacity {
    /// Both ends of the bracket are confirmed.
    Confirmed {
        /// The objective is met with this many clients.
        met: u32,
        /// It is missed with this many.
        missed: u32,
    },
    /// Between these loads the runs disagree.
    Inconclusive {
        /// The highest load whose interval meets the objective.
        met: Option<u32>,
        /// The lowest load whose interval misses it.
        missed: Option<u32>,
    },
    /// The objective is missed with a single client.
    None,
    /// The objective is met with the most clients allowed.
    AtLeast(u32),
}

/// A search for the capacity.
#[derive(Debug, Clone)]
pub struct CapacitySearch {
    most: u32,
    runs: BTreeMap<u32, Vec<f64>>,
    made: usize,
}

/// The measured loads next to the capacity on either side.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    met: Option<u32>,
    missed: Option<u32>,
}

impl CapacitySearch {
    /// A search with at most `most` clients (at least 1).
    pub fn new(most: u32) -> Self {
        Self { most: most.max(1), runs: BTreeMap::new(), made: 0 }
    }

    /// The loads of the next start, in ascending order; empty when the search is done. The first load is the number of clients
    /// at the knee.
    pub fn next(&self, knee: f64) -> Vec<u32> {
        if self.answer().is_some() {
            return Vec::new();
        }
        let Bracket { met, missed } = self.bracket();
        match (met, missed) {
            (None, None) => vec![(knee.round() as u32).clamp(1, self.most)],
            (Some(met), None) => vec![met.saturating_mul(2).min(self.most)],
            (None, Some(missed)) => vec![(missed / 2).max(1)],
            (Some(met), Some(missed)) => {
                middle(met, missed).map_or_else(|| vec![met, missed], |load| vec![load])
            }
        }
    }

    /// Records the result of one run.
    pub fn record(&mut self, run: ObjectiveRun) {
        self.made += 1;
        if let Some(excess) = run.excess {
            self.runs.entry(run.clients).or_default().push(excess);
        }
    }

    /// The answer; `None` while the search goes on.
    pub fn answer(&self) -> Option<Capacity> {
        let Bracket { met, missed } = self.bracket();
        let enough = |load: u32| self.runs[&load].len() >= STARTS.0;
        let exhausted = |load: u32| self.runs[&load].len() >= STARTS.1;
        match (met, missed) {
            (None, Some(1)) if enough(1) => Some(Capacity::None),
            (Some(most), None) if most == self.most && enough(most) => Some(Capacity::AtLeast(most)),
            (Some(met), Some(missed)) if middle(met, missed).is_none() => match () {
                () if self.surely_met(met) && self.surely_missed(missed) => {
                    Some(Capacity::Confirmed { met, missed })
                }
                () if exhausted(met) && exhausted(missed) => Some(self.inconclusive()),
                () => None,
            },
            _ => None,
        }
        .or_else(|| (self.made >= MOST_RUNS).then(|| self.inconclusive()))
    }

    /// The lowest load that misses the objective on average, and the highest load below it.
    fn bracket(&self) -> Bracket {
        let missed = self.runs.iter().find(|(_, runs)| mean(runs) > 0.0).map(|(load, _)| *load);
        let met = self.runs.keys().rfind(|load| missed.is_none_or(|missed| **load < missed));
        Bracket { met: met.copied(), missed }
    }

    fn inconclusive(&self) -> Capacity {
        let met = self.runs.keys().copied().filter(|load| self.surely_met(*load)).max();
        let missed = self.runs.keys().copied().filter(|load| self.surely_missed(*load)).min();
        Capacity::Inconclusive { met, missed }
    }

    fn surely_met(&self, load: u32) -> bool {
        self.interval(load).is_some_and(|interval| interval.high() <= 0.0)
    }

    fn surely_missed(&self, load: u32) -> bool {
        self.interval(load).is_some_and(|interval| interval.low() > 0.0)
    }

    /// The interval of the excess at a load that was measured often enough.
    fn interval(&self, load: u32) -> Option<Interval> {
        let runs = &self.runs[&load];
        if runs.len() < STARTS.0 { None } else { Interval::of_mean(runs) }
    }
}

fn mean(runs: &[f64]) -> f64 {
    runs.iter().sum::<f64>() / runs.len() as f64
}

/// The geometric middle of two loads; `None` if they are within the resolution.
fn middle(met: u32, missed: u32) -> Option<u32> {
    let middle = (f64::from(met) * f64::from(missed)).sqrt().round() as u32;
    let is_wide = f64::from(missed) / f64::from(met) > RESOLUTION;
    (is_wide && met < middle && middle < missed).then_some(middle)
}
