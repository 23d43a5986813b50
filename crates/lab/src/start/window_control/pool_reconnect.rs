//! Connections to a store that has been started anew.

use crate::start::site_monitor::ConnectionsSample;
use engine::{Directive, Phase, Progress};
use std::time::Duration;

/// Fewer connections are there again in no time.
const MANY: f64 = 50.0;
/// They grow if there are so many times as many as ever …
const GROWN: f64 = 1.02;
/// … and have settled when they have not grown for so long.
const SETTLED: Duration = Duration::from_secs(2);
/// The longest ramp that it causes. A site that connects for each request may have more than ever now and then.
const MOST: Duration = Duration::from_secs(90);

/// Keeps a point's window from beginning while servers connect to a store that was restored below them. Where hundreds of
/// processes each do so at their first request, that is most of their work: mod_perl, at a load that is a third of what
/// it can do, did a third of it until all its 600 processes were connected.
#[derive(Default)]
pub(super) struct PoolReconnect {
    most: f64,
    grown: Duration,
}

impl PoolReconnect {
    /// Takes in each second and each phase, with the samples since the last.
    pub(super) fn on_progress(&mut self, progress: &Progress, seen: &[ConnectionsSample]) -> Directive {
        for seen in seen {
            if seen.connections > GROWN * self.most {
                (self.most, self.grown) = (seen.connections, seen.from + seen.length);
            }
        }
        let is_settled = self.most < MANY || progress.elapsed >= self.grown + SETTLED;
        if progress.phase != Phase::Ramp || is_settled || progress.elapsed >= MOST {
            return Directive::GoOn;
        }
        Directive::NotYet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ramp of which nothing else is told.
    fn progress(elapsed: Duration) -> Progress {
        let (phase, window_start, mean_response) = (Phase::Ramp, None, None);
        let (completed, errors, throughput) = (0, 0, 0.0);
        Progress {
            elapsed,
            phase,
            window_start,
            is_ready: false,
            completed,
            errors,
            throughput,
            mean_response,
            quantiles: None,
            lateness: Duration::ZERO,
            cpu: 0.0,
        }
    }

    /// The directive at the end of each second, in which there were so many connections.
    fn directives(connections: &[f64]) -> String {
        let mut connecting = PoolReconnect::default();
        let second = |(connections, at): (&f64, u64)| {
            let [at, length] = [at, 1].map(Duration::from_secs);
            let seen = ConnectionsSample { from: at - length, length, connections: *connections };
            match connecting.on_progress(&progress(at), &[seen]) {
                Directive::GoOn => 'y',
                _ => 'n',
            }
        };
        connections.iter().zip(1..).map(second).collect()
    }

    #[test]
    fn a_window_waits_until_the_connections_no_longer_grow() {
        assert_eq!(directives(&[8.0, 16.0, 32.0, 32.0]), "yyyy", "few are there soon");
        assert_eq!(directives(&[20.0, 300.0, 590.0, 599.0, 600.0, 600.0]), "ynnnyy");
        assert_eq!(
            directives(&[256.0, 3.0, 200.0, 256.0, 90.0]),
            "nnyyy",
            "some come and go with each request"
        );
    }

    #[test]
    fn the_wait_for_connections_is_limited() {
        let growing: Vec<f64> = (1..100).map(|at| 100.0 * 1.05_f64.powi(at)).collect();
        assert_eq!(directives(&growing), "n".repeat(89) + &"y".repeat(10));
    }
}
