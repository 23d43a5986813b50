//! How often a comparison is looked at while it grows, and what each look may err.

use crate::{Interval, Ranking};

/// After how many starts it is looked at whether all is told, with the chance of error that the look may have. Together they are
/// right in at least 95 of 100 comparisons, however one depends on another (Bonferroni, 1936).
const LOOKS: [(u32, f64); 3] = [(4, 0.01), (6, 0.02), (9, 0.02)];

/// The chance of error of whoever looks once.
pub(crate) const ONCE: f64 = 0.05;

/// Peaks within this factor show no difference that matters.
const SAME: f64 = 1.05;

/// What is higher is so by at least this factor: nobody chooses for less.
const HIGHER: f64 = 1.02;

/// When it is looked at how configurations compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// In the end.
    Once,
    /// After four starts, six, and nine: as soon as all is told, no further ones are made.
    AsTheyCome,
}

impl Looks {
    /// The chance of error that the look after so many starts may have.
    pub fn error(self, starts: usize) -> f64 {
        let look = LOOKS.iter().find(|(most, _)| starts <= *most as usize).unwrap_or(&LOOKS[LOOKS.len() - 1]);
        if self == Self::Once { ONCE } else { look.1 }
    }

    /// On how many starts is measured at most, if nobody says it.
    pub fn most_starts() -> u32 {
        LOOKS[LOOKS.len() - 1].0
    }

    /// After how many starts it is looked at next, which may be so many.
    pub(crate) fn next(self, done: u32) -> u32 {
        let next = LOOKS.iter().map(|(look, _)| *look).find(|look| *look >= done);
        next.filter(|_| self == Self::AsTheyCome).unwrap_or(u32::MAX)
    }

    /// Whether it is looked at after so many starts.
    pub fn is_after(self, starts: u32) -> bool {
        self == Self::AsTheyCome && LOOKS.iter().any(|(look, _)| *look == starts)
    }
}

/// Whether all is told: each two differ by a fiftieth at least, or are the same within a twentieth.
pub fn is_told(ranking: &Ranking) -> bool {
    ranking.pairs.iter().all(|pair| {
        let (differ, same) =
            (|ratio: Interval| ratio.low() >= HIGHER, |ratio: Interval| ratio.high() <= SAME);
        // The first has the higher mean.
        pair.ratio.is_some_and(|ratio| pair.differs && differ(ratio) || same(ratio))
    })
}
