//! The rows with which an application starts.
//!
//! They are a function of a scenario and of nothing else, the same bytes on every machine. Any part of them can be
//! made by itself, on any thread, so that loaders make rows while they send others, in flat memory.

use crate::{Table, Timestamp, Value};
use std::{
    fmt,
    io::{self, Write},
    ops::Range,
    str::FromStr,
};

/// What makes the rows of a run: they are a function of these and of nothing else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scenario {
    /// Seed of all random choices.
    pub seed: u64,
    /// Size, as a multiple of the papers' database.
    pub scale: f64,
    /// The instant at which the data are fresh: the dates of tables that move with the epoch are relative to it.
    pub epoch: Timestamp,
    /// The instant at which the data were generated, not after the epoch: all other dates are relative to it.
    pub history: Timestamp,
    /// How things are spread over users and rows.
    pub shape: Shape,
}

impl Scenario {
    /// Uniform data that are generated at `epoch`.
    pub const fn new(seed: u64, scale: f64, epoch: Timestamp) -> Self {
        Self { seed, scale, epoch, history: epoch, shape: Shape::Uniform }
    }
}

/// How things are spread over users and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shape {
    /// Evenly, as in the papers.
    #[default]
    Uniform,
    /// As on real sites: a few are popular or busy, most are not.
    Skewed,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Uniform, Self::Skewed];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Skewed => "skewed",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the words that are shown; the error says which there are.
impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|shape| shape.name() == text);
        found.ok_or_else(|| format!("`{text}` is no shape of data; write `uniform` or `skewed`"))
    }
}

/// Makes the rows of a scenario, any part of them by itself, on any thread.
///
/// The rows of a table come in units: a user, an auction with its bids, whatever is made at once. A unit may have no
/// row or several.
pub trait Generator: Send + Sync {
    /// How many units the rows of a table are made from.
    fn units(&self, table: &Table) -> u64;

    /// Makes the rows of these units, in the order of the primary key. Units in order give rows in order.
    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value]));
}

/// Makes the files of a scenario, any of them by itself, on any thread. Like rows, they are a function of the scenario and
/// of nothing else.
pub trait FileGenerator: Send + Sync {
    /// How many there are.
    fn count(&self) -> u64;

    /// The path of a file, from 0, below the site's files: `bookstore/images/7/image_107.png`.
    fn path(&self, number: u64) -> String;

    /// Writes it.
    fn write(&self, number: u64, to: &mut dyn Write) -> io::Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_as_they_are_shown() {
        for shape in Shape::ALL {
            assert_eq!(shape.to_string().parse(), Ok(shape));
        }
        assert!("Uniform".parse::<Shape>().unwrap_err().contains("`uniform` or `skewed`"));
    }
}
