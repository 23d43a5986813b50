//! How fast processors were, and what a point would be had they been as fast as usual.
//!
//! Neighbours on the real machine slow a virtual processor by a quarter and more for minutes, of which steal tells nothing.
//! Runs scatter by it until hardly a ratio can be told. But a point says how long a little work took meanwhile, always the
//! same: what is short of CPU does so many times less, and each interaction takes so many times the CPU. (A covariate that
//! is measured with each run: Cochran, "Analysis of covariance: its nature and uses", Biometrics 13, 1957. The slope is taken
//! to be one; a site was seen to be slowed by more than the little work was, so that less is made equal than could be.)

use crate::{Point, ShareFigures};
use stats::Speed;

/// Who uses so much of the CPU that he is promised would do more on faster processors.
const SHORT_OF_CPU: f64 = 0.9;

impl Point {
    /// How slow the processors were on which tiers ran: CPU time in microseconds that a little work took, always the same.
    /// None where nobody timed it.
    pub fn slowness(&self) -> Option<f64> {
        let of_hosts: Option<Vec<f64>> = self.tier_hosts().map(|host| host.mean.work_us).collect();
        match of_hosts?.as_slice() {
            [] => self.host.mean.work_us,
            each => Some(each.iter().sum::<f64>() / each.len() as f64),
        }
    }

    /// Whether a host of tiers used up the CPU that it is promised, so that faster processors would have done more. On a
    /// machine that promises nothing, nobody can say.
    pub fn is_short_of_cpu(&self) -> bool {
        self.tier_hosts().any(|host| host.cpu_use() > Some(SHORT_OF_CPU))
    }

    /// How slow the processors were that it was short of; none where nobody timed that, or where it was not.
    pub(crate) fn speed(&self) -> Option<Speed> {
        let slowness = self.slowness().filter(|_| self.is_short_of_cpu())?;
        Some(Speed { slowness, most: self.asked_at_most() })
    }

    /// Interactions per second that its clients would do on servers that answer at once. What they wait between two of them
    /// is told by Little's law: clients are there N = X (R + Z) times.
    fn asked_at_most(&self) -> f64 {
        let ended = self.completed + self.refused + self.failed();
        let cycle_s = f64::from(self.clients) * self.window_s / ended as f64;
        let wait_s = cycle_s - self.response.mean_ms / 1e3;
        if wait_s > 0.0 { self.throughput * cycle_s / wait_s } else { f64::INFINITY }
    }

    fn tier_hosts(&self) -> impl Iterator<Item = &ShareFigures> {
        self.hosts.iter().filter(|host| !host.tiers.is_empty())
    }

    /// The point as it would be on processors of this slowness: its throughput, if it was short of CPU, and the CPU time
    /// that an interaction takes. All else stays as it was measured. Nothing changes where its slowness isn't known.
    #[must_use]
    pub fn at_slowness(mut self, usual: f64) -> Self {
        let Some(slowness) = self.slowness() else { return self };
        if let Some(speed) = self.speed() {
            let times = speed.times(self.throughput, usual);
            self.throughput *= times;
            self.throughput_half_width = self.throughput_half_width.map(|half_width| half_width * times);
        }
        self.tiers.iter_mut().for_each(|tier| tier.cpu_ms_per_interaction *= usual / slowness);
        self.host.mean.work_us = Some(usual);
        self.hosts.iter_mut().for_each(|host| host.mean.work_us = Some(usual));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ShareSample, TierFigures, Times, fixture};
    use proptest::prelude::*;

    fn host(tiers: &[&str], used: f64, work_us: Option<f64>) -> ShareFigures {
        let mean = ShareSample { cores: used, work_us, ..ShareSample::default() };
        let tiers = tiers.iter().map(|tier| (*tier).to_owned()).collect();
        ShareFigures { mean, tiers, cpu: Some(1.0), ..ShareFigures::default() }
    }

    fn point(throughput: f64, hosts: Vec<ShareFigures>) -> Point {
        Point { throughput, hosts, ..fixture::point(100) }
    }

    #[test]
    fn only_hosts_of_tiers_tell_and_all_of_them_must() {
        let [web, db, clients] = [(&["web"][..], 0.5, 40.0), (&["db"], 0.95, 60.0), (&[], 1.0, 500.0)]
            .map(|(tiers, used, work_us)| host(tiers, used, Some(work_us)));
        let both = point(1.0, vec![clients.clone(), web.clone(), db]);
        assert_eq!((both.slowness(), both.is_short_of_cpu()), (Some(50.0), true));
        let idle = point(1.0, vec![clients, web]);
        assert_eq!((idle.slowness(), idle.is_short_of_cpu()), (Some(40.0), false));
        assert_eq!(point(1.0, vec![host(&["web"], 1.0, None)]).slowness(), None);
        let mut alone = point(1.0, Vec::new());
        assert_eq!(alone.slowness(), None);
        alone.host.mean.work_us = Some(45.0);
        assert_eq!((alone.slowness(), alone.is_short_of_cpu()), (Some(45.0), false));
    }

    #[test]
    fn no_speed_makes_clients_ask_for_more() {
        // Ten clients who are there all the time come around once a second, and wait for an answer for 0.1 s of it.
        let response = Times { mean_ms: 100.0, ..Times::default() };
        let hosts = vec![host(&["web"], 0.95, Some(60.0))];
        let near = Point { clients: 10, completed: 8, refused: 0, response, ..point(8.0, hosts) };
        assert_eq!(near.failed(), 2, "who failed came around too");
        assert!((near.clone().at_slowness(30.0).throughput - 8.0 / 0.9).abs() < 1e-9);
        assert!((near.clone().at_slowness(58.0).throughput - 8.0 * 60.0 / 58.0).abs() < 1e-9);
        assert!((near.at_slowness(120.0).throughput - 4.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn at_equal_speed_speed_does_not_matter(slow in 20.0..200.0_f64, usual in 20.0..200.0_f64) {
            // Where the work takes 50 us, it does 300/s, and an interaction takes 2 ms.
            let tier = TierFigures { cpu_ms_per_interaction: slow / 25.0, ..TierFigures::default() };
            let with = |throughput, used| Point {
                tiers: vec![tier.clone()],
                throughput_half_width: Some(throughput / 100.0),
                // Its clients do little but wait.
                response: Times { mean_ms: 8300.0, ..Times::default() },
                ..point(throughput, vec![host(&["web"], used, Some(slow))])
            };
            let full = with(300.0 * 50.0 / slow, 0.99).at_slowness(usual);
            let idle = with(80.0, 0.4).at_slowness(usual);
            let expected = 300.0 * 50.0 / usual;
            prop_assert!((full.throughput / expected - 1.0).abs() < 1e-9);
            prop_assert!((full.throughput_half_width.unwrap() / expected - 0.01).abs() < 1e-9);
            prop_assert_eq!(idle.throughput, 80.0, "users decide what is done");
            for point in [&full, &idle] {
                prop_assert!((point.tiers[0].cpu_ms_per_interaction * 25.0 / usual - 1.0).abs() < 1e-9);
            }
            let again = full.clone().at_slowness(usual);
            prop_assert!((again.throughput / full.throughput - 1.0).abs() < 1e-9);
        }
    }
}
