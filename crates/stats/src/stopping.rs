//! Interim analyses of a growing comparison: when it may stop, and the probability of error of each.

use crate::{Interval, Ranking, comparison::SINGLE_ANALYSIS_ERROR};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Starts and probability of error of each interim analysis. Together they are right in at least 95 of 100 comparisons,
/// however they depend on one another (Bonferroni, 1936).
const INTERIM_ANALYSES: [(u32, f64); 3] = [(4, 0.01), (6, 0.02), (9, 0.02)];

/// Peaks within this factor count as equal.
const SAME: f64 = 1.05;

/// A higher peak is higher by at least this factor: smaller differences decide nothing.
const HIGHER: f64 = 1.02;

/// The number of analyses of a comparison, and when they take place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StoppingRule {
    /// Once, after a fixed number of starts.
    Fixed,
    /// After four, six and nine starts: it stops as soon as all pairs are decided.
    Sequential,
}

impl StoppingRule {
    /// The probability of error of the analysis after `starts` starts.
    pub fn error(self, starts: usize) -> f64 {
        let analysis = INTERIM_ANALYSES
            .iter()
            .find(|(most, _)| starts <= *most as usize)
            .unwrap_or(&INTERIM_ANALYSES[INTERIM_ANALYSES.len() - 1]);
        if self == Self::Fixed { SINGLE_ANALYSIS_ERROR } else { analysis.1 }
    }

    pub fn most_starts() -> u32 {
        INTERIM_ANALYSES[INTERIM_ANALYSES.len() - 1].0
    }

    /// The expected number of starts of a comparison that goes on after `done`: up to the second analysis, or the next one.
    pub(crate) fn expected_after(self, done: u32) -> u32 {
        let mut analyses = INTERIM_ANALYSES[1..].iter().map(|(starts, _)| *starts);
        analyses.find(|starts| *starts > done).filter(|_| self == Self::Sequential).unwrap_or(u32::MAX)
    }

    /// True if an interim analysis follows `starts` starts.
    pub fn is_after(self, starts: u32) -> bool {
        self == Self::Sequential && INTERIM_ANALYSES.iter().any(|(due, _)| *due == starts)
    }
}

/// True if all pairs are decided: they differ by at least 2 %, or are equal within 5 %.
pub fn is_decided(ranking: &Ranking) -> bool {
    ranking.pairs.iter().all(|pair| {
        let (differ, same) =
            (|ratio: Interval| ratio.low() >= HIGHER, |ratio: Interval| ratio.high() <= SAME);
        // The first has the higher mean.
        pair.ratio.is_some_and(|ratio| pair.differs && differ(ratio) || same(ratio))
    })
}
