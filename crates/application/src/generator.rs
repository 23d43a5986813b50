//! The initial rows of an application.
//!
//! They are a function of a dataset only, the same bytes on every machine. Any part of them can be generated
//! separately, on any thread, so that loaders generate rows while they send others, in constant memory.

use crate::{Table, Timestamp, Value};
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    io::{self, Write},
    ops::Range,
    str::FromStr,
};

/// The dataset of a run: the rows are a function of these values only.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    pub seed: u64,
    /// Size, as a multiple of the papers' database.
    pub scale: f64,
    /// The reference instant of dates in tables that move with the epoch.
    pub epoch: Timestamp,
    /// The instant of generation, not after the epoch: all other dates are relative to it.
    pub history: Timestamp,
    /// The distribution over users and rows.
    pub distribution: Distribution,
}

impl Dataset {
    /// Uniform data, generated at `epoch`.
    pub const fn new(seed: u64, scale: f64, epoch: Timestamp) -> Self {
        Self { seed, scale, epoch, history: epoch, distribution: Distribution::Uniform }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Distribution {
    /// Evenly, as in the papers.
    #[default]
    Uniform,
    /// A few users and rows are popular, most are not, as on real sites.
    Skewed,
}

impl Distribution {
    pub const ALL: [Self; 2] = [Self::Uniform, Self::Skewed];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Skewed => "skewed",
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the displayed names; the error lists them.
impl FromStr for Distribution {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|distribution| distribution.name() == text);
        found.ok_or_else(|| format!("`{text}` is no distribution; write `uniform` or `skewed`"))
    }
}

/// Generates the rows of a dataset, any part of them separately, on any thread.
///
/// The rows of a table come in units that are generated together: a user, or an auction with its bids. A unit may have
/// no row or several.
pub trait Generator: Send + Sync {
    fn units(&self, table: &Table) -> u64;

    /// Generates the rows of these units, in the order of the primary key. Units in order give rows in order.
    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value]));
}

/// Generates the files of a dataset, any of them separately, on any thread. Like rows, they are a function of the
/// dataset only.
pub trait FileGenerator: Send + Sync {
    fn count(&self) -> u64;

    /// The path of a file, from 0, below the site's files: `bookstore/images/7/image_107.png`.
    fn path(&self, number: u64) -> String;

    fn write(&self, number: u64, to: &mut dyn Write) -> io::Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_round_trip() {
        for distribution in Distribution::ALL {
            assert_eq!(distribution.to_string().parse(), Ok(distribution));
        }
        assert!("Uniform".parse::<Distribution>().unwrap_err().contains("`uniform` or `skewed`"));
    }
}
