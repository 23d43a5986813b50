//! Facts about a configuration's behaviour: its verification, and the statements that it sends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// Outcome of a configuration's verification.
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
    /// True if there is nothing to warn of.
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

/// Agreement of a configuration's statements with the recorded ones.
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

/// Work of the store for pages, as it logged them during verification: one user, little data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoreTraffic {
    /// Of each interaction that answered with its page.
    pub interactions: BTreeMap<String, StoreCost>,
    /// True where round trips are estimates: PostgreSQL doesn't log what is sent without waiting for an answer.
    pub estimates_round_trips: bool,
}

/// Work of the store for the pages of an interaction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoreCost {
    /// Pages in the log.
    pub pages: u64,
    /// Statements of these pages together.
    pub statements: u64,
    /// Tables that the statements named: those of each page once, added up over the pages.
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

    /// Mean of a sum over the pages; 0 without pages.
    pub fn per_page(&self, sum: u64) -> f64 {
        if self.pages == 0 { 0.0 } else { sum as f64 / self.pages as f64 }
    }
}
