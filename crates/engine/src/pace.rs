//! Requests at instants in which the server has no say: the open model.
//!
//! The instants are handed out in their order, each to a client that is idle. Where all clients wait for answers, the
//! instants pass, and whoever has an answer first asks at once: the response time counts from the instant all the same.

use crate::Load;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;
use workload::exponential;

/// How many requests are made a second, whether or not the server keeps up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Requests a second, above 0.
    pub per_second: f64,
    /// How they lie in time.
    pub spacing: Spacing,
}

/// How instants lie in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Each as long after the one before as any other.
    Even,
    /// As if very many users came independently of each other (a Poisson process).
    Poisson,
}

/// Random numbers of the instants, which no client has.
const STREAM: u64 = u64::MAX;

/// Hands out the instants of a load.
pub(crate) struct Timetable {
    pace: Pace,
    random: ChaCha8Rng,
    count: u64,
    /// The next one, in seconds.
    next_s: f64,
}

impl Timetable {
    /// Those of a load, if it has any.
    pub fn of(load: &Load) -> Option<Self> {
        let pace = load.pace?;
        let mut random = ChaCha8Rng::seed_from_u64(load.seed);
        random.set_stream(STREAM);
        let mut timetable = Self { pace, random, count: 0, next_s: 0.0 };
        timetable.step();
        Some(timetable)
    }

    pub fn next(&mut self) -> Duration {
        let next = Duration::from_secs_f64(self.next_s);
        self.step();
        next
    }

    /// Even instants are computed anew each, so that no rounding adds up.
    fn step(&mut self) {
        self.count += 1;
        self.next_s = match self.pace.spacing {
            Spacing::Even => self.count as f64 / self.pace.per_second,
            Spacing::Poisson => self.next_s + exponential(&mut self.random) / self.pace.per_second,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_have_their_rate_and_their_law() {
        for spacing in [Spacing::Even, Spacing::Poisson] {
            let pace = Pace { per_second: 250.0, spacing };
            let mut instants =
                Timetable { pace, random: ChaCha8Rng::seed_from_u64(7), count: 0, next_s: 0.0 };
            instants.step();
            let times: Vec<f64> = (0..100_000).map(|_| instants.next().as_secs_f64()).collect();
            let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
            let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
            assert!((mean * 250.0 - 1.0).abs() < 0.015, "{mean}");
            // A Poisson process has gaps whose deviation is their mean.
            let deviation = variance.sqrt() / mean;
            let expected = if spacing == Spacing::Even { 0.0 } else { 1.0 };
            assert!((deviation - expected).abs() < 0.02, "{spacing:?}: {deviation}");
        }
    }
}
