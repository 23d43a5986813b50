//! The parameters that clients sent for acknowledged rows, which an audit compares with the rows.

use serde::{Deserialize, Serialize};

/// The most bytes that are kept for an interaction: those of five thousand bids and more.
const MOST_BYTES: usize = 512 << 10;

/// The bytes of a row beside those of its parameters.
const ROW_BYTES: usize = size_of::<(u64, String)>();

/// The parameters that were sent for acknowledged rows: all of them, or, if they take too much memory, those of every second
/// row, every fourth, and so on, evenly over the whole load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentWrites {
    /// The row's id, and the form-encoded parameters.
    kept: Vec<(u64, String)>,
    /// One of so many is kept.
    stride: u64,
    seen: u64,
    bytes: usize,
}

impl Default for SentWrites {
    fn default() -> Self {
        Self { kept: Vec::new(), stride: 1, seen: 0, bytes: 0 }
    }
}

impl SentWrites {
    /// Keeps the parameters of one more row, if it is its turn.
    pub(crate) fn add(&mut self, id: u64, parameters: impl FnOnce() -> String) {
        if self.seen.is_multiple_of(self.stride) {
            let parameters = parameters();
            self.bytes += ROW_BYTES + parameters.len();
            self.kept.push((id, parameters));
            self.thin_to(MOST_BYTES);
        }
        self.seen += 1;
    }

    /// Takes in those of another load, or of another shard of it.
    pub(crate) fn append(&mut self, mut other: Self) {
        while self.stride != other.stride {
            let denser = if self.stride < other.stride { &mut *self } else { &mut other };
            denser.thin();
        }
        self.bytes += other.bytes;
        self.seen += other.seen;
        self.kept.append(&mut other.kept);
        self.thin_to(MOST_BYTES);
    }

    fn thin_to(&mut self, most_bytes: usize) {
        while self.bytes > most_bytes && self.kept.len() > 1 {
            self.thin();
        }
    }

    /// Drops every second.
    fn thin(&mut self) {
        let mut place = 0;
        self.kept.retain(|_| {
            place += 1;
            place % 2 == 1
        });
        self.stride *= 2;
        self.kept.shrink_to_fit();
        self.bytes = self.kept.iter().map(|(_, parameters)| ROW_BYTES + parameters.len()).sum();
    }

    /// The rows' ids, each with the form-encoded parameters that were sent for it.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        self.kept.iter().map(|(id, parameters)| (*id, parameters.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(sent: &SentWrites) -> Vec<u64> {
        sent.iter().map(|(id, _)| id).collect()
    }

    fn sent(ids: std::ops::Range<u64>, length: usize) -> SentWrites {
        let mut sent = SentWrites::default();
        ids.for_each(|id| sent.add(id, || "x".repeat(length)));
        sent
    }

    #[test]
    fn all_are_kept_while_there_is_room() {
        assert_eq!(ids(&sent(1..1001, 100)), (1..1001).collect::<Vec<_>>());
    }

    #[test]
    fn of_too_many_evenly_spread_ones_are_kept() {
        // As many as fit in, four and a half times.
        let many = sent(0..36, MOST_BYTES / 8 - ROW_BYTES);
        assert_eq!(ids(&many), (0..36).step_by(8).collect::<Vec<_>>());
        assert!(many.bytes <= MOST_BYTES);
    }

    #[test]
    fn loads_are_joined_at_the_stride_of_the_sparser() {
        let (mut few, many) = (sent(0..5, 1), sent(100..118, MOST_BYTES / 8 - ROW_BYTES));
        few.append(many);
        assert_eq!(ids(&few), [0, 4, 100, 104, 108, 112, 116]);
        assert_eq!((few.seen, few.stride), (23, 4));
        // Larger than all that may be kept, and alone.
        assert_eq!(ids(&sent(7..8, 2 * MOST_BYTES)), [7]);
    }
}
