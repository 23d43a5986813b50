//! A closed load on a queue, simulated as a Markov chain.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::Before;
use std::collections::VecDeque;

/// Clients with think times, and equal servers with a common queue; all times are negative exponential.
pub struct ClosedQueue {
    pub clients: u32,
    pub think_s: f64,
    pub servers: u32,
    pub service_s: f64,
}

/// Observations, second by second.
pub struct Window {
    pub completed: Vec<f64>,
    /// Response times in microseconds, each with the count 1.
    pub responses: Vec<Vec<(u32, u32)>>,
    /// Observations of the six think times before.
    pub before: Before,
}

impl ClosedQueue {
    /// Loads by name, as multiples of the clients that could be served without waiting.
    pub const LOADS: [(&str, f64); 6] =
        [("low", 0.4), ("middle", 0.8), ("near", 0.95), ("knee", 1.0), ("past", 1.1), ("saturated", 1.5)];

    /// Two servers that give 100 answers/s together, at a load of this name.
    pub fn named(load: &str, think_s: f64) -> Self {
        let (_, load) = Self::LOADS.into_iter().find(|(name, _)| *name == load).expect("a known load");
        let service_s = 0.02;
        let served = (think_s + service_s) * 100.0;
        Self { clients: (load * served).round() as u32, think_s, servers: 2, service_s }
    }

    /// A window after twelve think times.
    pub fn window(&self, seconds: usize, seed: u64) -> Window {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let start = (12.0 * self.think_s).ceil();
        let (completed, responses) = (vec![0.0; seconds], vec![Vec::new(); seconds]);
        let before = Before { think_s: self.think_s, throughput: 0.0, response_s: 0.0 };
        let mut observed = Window { completed, responses, before };
        let (mut answers_before, mut responses_before) = (0.0, 0.0);
        let (mut queue, mut served) = (VecDeque::new(), Vec::new());
        let mut now = 0.0;
        loop {
            let thinking = f64::from(self.clients) - (queue.len() + served.len()) as f64;
            let (asking, answering) = (thinking / self.think_s, served.len() as f64 / self.service_s);
            now -= (1.0 - random.random::<f64>()).ln() / (asking + answering);
            if now >= start + seconds as f64 {
                observed.before.throughput = answers_before / (start / 2.0);
                observed.before.response_s = responses_before / answers_before;
                return observed;
            }
            if random.random::<f64>() * (asking + answering) < asking {
                queue.push_back(now);
            } else {
                let asked = served.swap_remove(pick(&mut random, served.len()));
                if now >= start {
                    let second = (now - start) as usize;
                    observed.completed[second] += 1.0;
                    observed.responses[second].push((((now - asked) * 1e6_f64) as u32, 1));
                } else if now >= start / 2.0 {
                    answers_before += 1.0;
                    responses_before += now - asked;
                }
            }
            if served.len() < self.servers as usize {
                served.extend(queue.pop_front());
            }
        }
    }
}

fn pick(random: &mut impl Rng, of: usize) -> usize {
    (random.random::<f64>() * of as f64) as usize
}
