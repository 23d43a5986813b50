//! What will be measured, told before it begins, and how much is left, told again after each start.

pub(crate) mod forecast;
mod load_model;
pub(crate) mod load_strategy;
mod loads;
pub(crate) mod schedule;
pub(crate) mod timing;

pub use forecast::{Forecast, units};
pub use load_model::LoadModel;
pub use loads::{Loads, compares_in_rounds};
pub use timing::Timing;

use std::{iter::Sum, time::Duration};

/// What will be measured.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The configurations. In which order they are measured is drawn anew for each round of points.
    pub configurations: Vec<String>,
    /// At which loads.
    pub loads: Loads,
    /// How often each listed load, or else each peak, is measured; on how many starts a capacity is confirmed at most.
    pub repetitions: u32,
    /// Seed of the order and of all clients.
    pub seed: u64,
    /// How many points were measured before an interruption.
    pub done: u32,
    /// What is still to be measured, preparations included.
    pub left: Left,
}

/// How much is expected to be left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// Points.
    pub points: u32,
    /// How long they take, with all that comes between.
    pub time: Duration,
}

impl Sum for Left {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let add = |sum: Self, one: Self| Self { points: sum.points + one.points, time: sum.time + one.time };
        all.fold(Self::default(), add)
    }
}
