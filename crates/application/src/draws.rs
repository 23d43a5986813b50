//! Random choices.
//!
//! What is drawn depends on the stream of ChaCha8 and on nothing else: neither on how a library makes a range or a
//! float of it, nor on how a machine computes logarithms. So rows are the same bytes on every machine and with every
//! version of every library.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::RangeInclusive;

/// The seed of all streams.
#[derive(Clone)]
pub struct Seed(ChaCha8Rng);

impl Seed {
    /// The seed with this number.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The random choices of a row for a purpose, which an application gives numbers.
    pub fn draws(&self, purpose: impl Into<u16>, id: i64) -> Draws {
        let mut random = self.0.clone();
        random.set_stream((u64::from(purpose.into()) << 48) | id.unsigned_abs());
        Draws(random)
    }
}

/// A stream of random choices.
pub struct Draws(ChaCha8Rng);

impl Draws {
    /// A number from 0 up to but without `end`, each as likely as the others to within `end` in 2^64.
    pub fn below(&mut self, end: i64) -> i64 {
        ((u128::from(self.0.next_u64()) * u128::from(end.unsigned_abs())) >> 64) as i64
    }

    /// A number of the range, each as likely as the others.
    pub fn within(&mut self, range: RangeInclusive<i64>) -> i64 {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, cases: i64) -> bool {
        self.below(100) < cases
    }

    /// One of some things.
    pub fn any<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as i64) as usize]
    }

    /// A number from 0, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[u32]) -> i64 {
        let mut left = self.below(weights.iter().map(|weight| i64::from(*weight)).sum());
        let reached = weights.iter().position(|weight| {
            left -= i64::from(*weight);
            left < 0
        });
        reached.unwrap_or_default() as i64
    }
}
