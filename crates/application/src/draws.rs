//! Random numbers for generated rows.
//!
//! Draws depend only on the ChaCha8 stream: not on how a library derives ranges or floats from it, nor on how a machine
//! computes logarithms. So rows are the same bytes on every machine and with every version of every library.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;

#[derive(Clone)]
pub struct Seed(ChaCha8Rng);

impl Seed {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The random stream of a row for a purpose; the application numbers its purposes.
    pub fn draws(&self, purpose: impl Into<u16>, id: i64) -> Draws {
        let mut random = self.0.clone();
        random.set_stream((u64::from(purpose.into()) << 48) | id.unsigned_abs());
        Draws(random)
    }
}

pub struct Draws(ChaCha8Rng);

impl Draws {
    /// A uniform number from 0 to `end`, excluded; the bias is at most `end` in 2^64.
    pub fn below(&mut self, end: i64) -> i64 {
        ((u128::from(self.0.next_u64()) * u128::from(end.unsigned_abs())) >> 64) as i64
    }

    pub fn within(&mut self, range: RangeInclusive<i64>) -> i64 {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, cases: i64) -> bool {
        self.below(100) < cases
    }

    pub fn any<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as i64) as usize]
    }

    /// An index into `weights`, with probabilities by weight.
    pub fn weighted(&mut self, weights: &[u32]) -> i64 {
        let mut left = self.below(weights.iter().map(|weight| i64::from(*weight)).sum());
        let reached = weights.iter().position(|weight| {
            left -= i64::from(*weight);
            left < 0
        });
        reached.unwrap_or_default() as i64
    }
}
