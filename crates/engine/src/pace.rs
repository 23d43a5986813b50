//! Requests or sessions at a given rate, whatever the server does: the open and the partly open workload model
//! (Schroeder, Wierman and Harchol-Balter, "Open Versus Closed: A Cautionary Tale", NSDI 2006).
//!
//! Each instant is assigned to an idle client, in order. If all clients are busy, the first that becomes idle sends the
//! request at once. The response time still counts from the instant.

use crate::Shard;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;
use workload::Pace;

/// The random stream of the instants; no client uses it.
const STREAM: u64 = u64::MAX;

/// The instants at which a load's requests or sessions are to begin.
pub(crate) struct PaceSchedule {
    pace: Pace,
    random: ChaCha8Rng,
    count: u64,
    /// The next instant, in seconds.
    next_s: f64,
    /// One of this many instants belongs to this shard.
    one_of: u32,
}

impl PaceSchedule {
    /// The instants of a load with this rate and seed, or of its shard. All shards know all instants, so that together they
    /// make those of the whole.
    pub fn new(pace: Pace, seed: u64, shard: Option<Shard>) -> Self {
        let Shard { index, of } = shard.unwrap_or(Shard::WHOLE);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(STREAM);
        let mut schedule = Self { pace, random, count: 0, next_s: 0.0, one_of: of };
        (0..=index).for_each(|_| schedule.step());
        schedule
    }

    pub fn next(&mut self) -> Duration {
        let next = Duration::from_secs_f64(self.next_s);
        (0..self.one_of).for_each(|_| self.step());
        next
    }

    fn step(&mut self) {
        self.count += 1;
        self.next_s = self.pace.instant_s(self.count, self.next_s, &mut self.random);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::{PaceUnit, Spacing};

    fn pace(spacing: Spacing) -> Pace {
        Pace { per_s: 250.0, unit: PaceUnit::Request, spacing }
    }

    #[test]
    fn instants_have_their_rate_and_distribution() {
        for spacing in [Spacing::Even, Spacing::Poisson] {
            let mut instants = PaceSchedule::new(pace(spacing), 7, None);
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
    #[test]
    fn the_instants_of_all_shards_are_those_of_the_whole() {
        for spacing in [Spacing::Even, Spacing::Poisson] {
            let first = |count: usize, shard| {
                let mut instants = PaceSchedule::new(pace(spacing), 7, shard);
                (0..count).map(|_| instants.next()).collect::<Vec<_>>()
            };
            let shards = (0..3).flat_map(|index| first(100, Some(Shard { index, of: 3 })));
            let mut together: Vec<_> = shards.collect();
            together.sort_unstable();
            assert_eq!(together, first(300, None));
        }
    }
}
