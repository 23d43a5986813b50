//! What is known of what a configuration does: whether it was verified, and which statements it sends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// How the verification of a configuration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// It has not come to that yet.
    Pending,
    /// It does what the model does.
    Passed,
    /// It was left out, as somebody wanted.
    Skipped,
    /// Somebody else runs the site.
    #[serde(rename = "not-ours")]
    External,
}

impl Verification {
    /// Whether there is nothing to warn of.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Passed | Self::External)
    }
}

impl fmt::Display for Verification {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.pad(match self {
            Self::Pending => "not yet",
            Self::Passed => "passed",
            Self::Skipped => "left out with --skip-verify",
            Self::External => "not ours to verify",
        })
    }
}

/// Whether a configuration sends the recorded statements to its stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Statements {
    /// The recorded statements, in order.
    Exact,
    /// The same effects by other statements.
    Equivalent,
    /// Its own, or none.
    Own,
}

impl fmt::Display for Statements {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.pad(match self {
            Self::Exact => "exact",
            Self::Equivalent => "equivalent",
            Self::Own => "own",
        })
    }
}

/// What pages asked of the store while the configuration was verified, as the store logged it: one user, little data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoreTraffic {
    /// Of each interaction that answered with its page.
    pub interactions: BTreeMap<String, StoreCost>,
    /// Whether round trips are estimates: PostgreSQL doesn't log what is sent without waiting for an answer.
    pub estimates_round_trips: bool,
}

/// What the pages of an interaction asked of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoreCost {
    /// How many pages.
    pub pages: u64,
    /// How many statements they took together.
    pub statements: u64,
    /// How many tables these named: those of each page once, added up over the pages.
    pub tables: u64,
    /// Round trips to the store, including housekeeping.
    pub round_trips: u64,
    /// Counts of a driver's other commands (`prepare`, `close`, `connect`, …).
    pub housekeeping: BTreeMap<String, u64>,
}

impl StoreCost {
    /// The sum of both.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.pages += other.pages;
        self.statements += other.statements;
        self.tables += other.tables;
        self.round_trips += other.round_trips;
        for (what, count) in &other.housekeeping {
            *self.housekeeping.entry(what.clone()).or_default() += count;
        }
        self
    }

    /// So much for each page; 0 where there is none.
    pub fn per_page(&self, sum: u64) -> f64 {
        if self.pages == 0 { 0.0 } else { sum as f64 / self.pages as f64 }
    }
}
