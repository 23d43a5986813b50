//! The parameters that clients sent for acknowledged rows, which an audit compares with the rows.

use serde::{Deserialize, Serialize};

/// The most bytes that are kept for an interaction: those of four thousand bids and more.
const MOST_BYTES: usize = 256 << 10;

/// The bytes of a row beside those of its parameters.
const ROW_BYTES: usize = size_of::<(u64, u32)>();

/// The parameters that were sent for acknowledged rows: all of them, or, if they take too much memory, those of every second
/// row, every fourth, and so on, evenly over the whole load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentWrites {
    /// Each row's id, and the end of its parameters in the text.
    rows: Vec<(u64, u32)>,
    /// The form-encoded parameters of all rows. A text for each would take more memory than they have letters.
    text: String,
    /// One of so many is kept.
    stride: u64,
    seen: u64,
}

impl Default for SentWrites {
    fn default() -> Self {
        Self { rows: Vec::new(), text: String::new(), stride: 1, seen: 0 }
    }
}

impl SentWrites {
    /// Keeps the parameters of one more row, if it is its turn.
    pub(crate) fn add(&mut self, id: u64, parameters: &str) {
        if self.seen.is_multiple_of(self.stride) {
            self.keep(id, parameters);
            self.thin_to(MOST_BYTES);
        }
        self.seen += 1;
    }

    fn keep(&mut self, id: u64, parameters: &str) {
        self.text.push_str(parameters);
        self.rows.push((id, u32::try_from(self.text.len()).expect("all of them take less than 4 GiB")));
    }

    /// Takes in those of another load, or of another shard of it.
    pub(crate) fn append(&mut self, mut other: Self) {
        while self.stride != other.stride {
            let denser = if self.stride < other.stride { &mut *self } else { &mut other };
            denser.thin();
        }
        other.iter().for_each(|(id, parameters)| self.keep(id, parameters));
        self.seen += other.seen;
        self.thin_to(MOST_BYTES);
    }

    fn bytes(&self) -> usize {
        self.rows.len() * ROW_BYTES + self.text.len()
    }

    fn thin_to(&mut self, most_bytes: usize) {
        while self.bytes() > most_bytes && self.rows.len() > 1 {
            self.thin();
        }
    }

    /// Drops every second.
    fn thin(&mut self) {
        let mut half = Self { stride: 2 * self.stride, seen: self.seen, ..Self::default() };
        self.iter().step_by(2).for_each(|(id, parameters)| half.keep(id, parameters));
        *self = half;
    }

    /// The rows' ids, each with the form-encoded parameters that were sent for it.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        let mut begin = 0;
        self.rows.iter().map(move |(id, end)| {
            let own = begin..*end as usize;
            begin = own.end;
            (*id, &self.text[own])
        })
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
        ids.for_each(|id| sent.add(id, &"x".repeat(length)));
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
        assert!(many.bytes() <= MOST_BYTES);
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
