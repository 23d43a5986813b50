//! The results of a verification.

use crate::{Contention, Survey, Traffic, Unexpected};
use std::fmt;

#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// Documents that were equal.
    pub documents: usize,
    /// Interactions that have answered with their page.
    pub interactions: usize,
    /// Outcome of each interaction; none if one client sent no sequence of requests.
    pub survey: Option<Survey>,
    /// The counts of the census; empty without one.
    pub census: Vec<Counted>,
    pub branches: usize,
    /// Rows that were equal; none if the stack has no store.
    pub rows: Option<usize>,
    /// Invariants that hold; none if the stack has no store.
    pub invariants: Option<usize>,
    /// The result of concurrent writes; none if they were not tried or the stack has no store.
    pub contention: Option<Contention>,
    /// The statements sent to the store, if it can be traced.
    pub traffic: Option<Traffic>,
    /// Unrecorded sequences of a configuration that may send its own statements.
    pub others: Vec<Unexpected>,
    /// Interactions with recorded sequences that were not sent. Only a full verification sends all of them.
    pub stale: Vec<String>,
}

impl Verified {
    /// The counts of the census: `items 330 of 330, pages of lists 1,240 of 1,240`; none without one.
    pub fn census_summary(&self) -> Option<String> {
        let counts: Vec<String> = self.census.iter().map(ToString::to_string).collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

/// Visited pages of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The kind: `items`, `pages of lists`.
    pub name: String,
    /// Pages that both sides have answered alike.
    pub visited: usize,
    pub all: usize,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} of {}", self.name, grouped(self.visited), grouped(self.all))
    }
}

/// A number with thousands separators.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| str::from_utf8(part).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_thousands_separators() {
        let counted = Counted { name: "old items".into(), visited: 5000, all: 1_240_000 };
        assert_eq!(counted.to_string(), "old items 5,000 of 1,240,000");
    }
}
