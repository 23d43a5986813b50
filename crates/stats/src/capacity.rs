//! The capacity of one configuration under an objective: the most clients with which it still holds, such as "90 % of the pages
//! come within a second".
//!
//! 1. *Bracket*: from the knee, loads are doubled or halved until the objective holds at one and fails at the next.
//! 2. *Bisection*: the geometric middle is tried until the two are within 4 % of each other.
//! 3. *Confirmation from both sides*: both are measured on further starts of all servers. The capacity is confirmed when the 95 %
//!    interval of the lower one lies within the objective, and that of the upper one outside. If a mean changes sides, the bracket
//!    follows it, and bisection goes on.
//!
//! After so many starts without an answer the search is inconclusive: it says between which loads the capacity lies.
//! Like the search for the peak, it depends on nothing but what was recorded.

use crate::Interval;
use std::collections::BTreeMap;

/// The bracket is narrow enough when its ends differ by no more than this factor.
const RESOLUTION: f64 = 1.04;

/// Each end is measured on so many starts at least, and at most.
const STARTS: (usize, usize) = (3, 8);

/// After so many runs in all, whoever has no answer has none.
const MOST_RUNS: usize = 60;

/// What a run gave at a load.
#[derive(Debug, Clone, Copy)]
pub struct ObjectiveRun {
    /// With how many clients.
    pub clients: u32,
    /// The logarithm of the figure over its limit, of several objectives the largest: above 0 where an objective was missed. None
    /// where the run doesn't count.
    pub excess: Option<f64>,
}

/// What is known of the capacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Capacity {
    /// Both sides are confirmed.
    Confirmed {
        /// The objective holds with so many clients.
        met: u32,
        /// It fails with so many.
        missed: u32,
    },
    /// Between these loads the runs disagree.
    Inconclusive {
        /// The objective surely holds with so many clients; none where that is sure of no load.
        met: Option<u32>,
        /// It surely fails with so many; none where that is sure of no load.
        missed: Option<u32>,
    },
    /// It fails with a single client.
    None,
    /// It holds with as many clients as there may be.
    AtLeast(u32),
}

/// A search for the capacity.
#[derive(Debug, Clone)]
pub struct CapacitySearch {
    most: u32,
    runs: BTreeMap<u32, Vec<f64>>,
    made: usize,
}

/// Measured loads on both sides of the capacity.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    met: Option<u32>,
    missed: Option<u32>,
}

impl CapacitySearch {
    /// A search that never goes beyond `most` clients (at least 1).
    pub fn new(most: u32) -> Self {
        Self { most: most.max(1), runs: BTreeMap::new(), made: 0 }
    }

    /// The loads of the next start, from the lowest up; empty when the search is done. The number of clients at the knee is used
    /// for the first one.
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

    /// Takes what one run gave.
    pub fn record(&mut self, run: ObjectiveRun) {
        self.made += 1;
        if let Some(excess) = run.excess {
            self.runs.entry(run.clients).or_default().push(excess);
        }
    }

    /// The answer; none while the search goes on.
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

    /// The highest load at which the objective holds on average, below the lowest load at which it fails.
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

/// The load between two that are too far apart.
fn middle(met: u32, missed: u32) -> Option<u32> {
    let middle = (f64::from(met) * f64::from(missed)).sqrt().round() as u32;
    let is_wide = f64::from(missed) / f64::from(met) > RESOLUTION;
    (is_wide && met < middle && middle < missed).then_some(middle)
}
