//! Steady-state detection for the warm-up of a freshly started site: compiled code, filled caches, open connections.
//!
//! The length of a warm-up is not known beforehand (PHP: a second or two; a JVM: half a minute and more), so that
//! evidence ends it, not a constant. The evidence is the cost of an interaction, in CPU time of all tiers, in each
//! second of a full load. It is steadier than throughput and response times, which other processes on the machine also
//! change.
//!
//! **The cost must have stopped falling.** A line is fitted to the latest seconds (ordinary least squares), and the
//! fall over them must be less than 5 % of their mean with 90 % confidence. Georges, Buytaert and Eeckhout advise to
//! look for a level stretch at the end ("Statistically rigorous Java performance evaluation", OOPSLA 2007). They
//! require a coefficient of variation below a limit, but a noisy level has a large one and a slow fall a small one, as
//! Kalibera and Jones note ("Rigorous benchmarking in reasonable time", ISMM 2013). An upper confidence limit of the
//! fall errs only by chance: noise makes it take longer.
//!
//! **The longer, the more it has fallen.** Barrett and others ("Virtual machine warmup blows hot and cold", OOPSLA
//! 2017) show plateaus in the middle of a warm-up. The cost must have been level for 5 seconds, and for 4 more with
//! each halving since the most expensive second.
//!
//! **No JIT compiler may be active.** A large method may keep a JVM's second compiler busy for half a minute. The cost
//! is then level, but 1.6 times the final one (Tomcat with the auction: level from second 11 to second 37). So
//! observable compiler threads must have used less than 5 % of the CPU in the last 5 seconds.
//!
//! **With a JIT compiler, doubling the time must gain less than these 5 %.** A compiler begins with the hottest code,
//! so that the cost falls with the logarithm of time. (Tomcat with the auction was level after 40 seconds, and took two
//! fifths less CPU for an interaction two minutes later.) So the cost must have been level for the later half of all
//! seconds.
//!
//! **The compilers must be idle under the measured load, too.** The warm-up's few users without think times differ from
//! many users who think: a JVM deoptimises part of its code and compiles again. With a third of a CPU, that took 35
//! seconds (Tomcat with the auction and 800 clients), at two thirds of the later throughput. So the measured load also
//! runs until the compilers are idle ([`Warming::compilers_are_idle`]).
//!
//! # How often this is wrong
//!
//! Simulated, 1,000 times each (see the tests): independent noise of 2 % and 5 %; noise of 5 % with an autocorrelation
//! of 0.7; and a noisy neighbour that comes and goes every 5 s and adds 15 % to the cost. Each field holds the mean end
//! in seconds, and how often (in %) the cost still falls by more than 3 % afterwards. *Needed* is when 3 % are left.
//!
//! | | needed | 2 % | 5 % | 5 %, dependent | neighbour |
//! |---|---|---|---|---|---|
//! | PHP | 3 | 11 (0) | 13 (0) | 11 (0) | 11 (0) |
//! | falls within 5 s | 21 | 37 (0) | 41 (0) | 38 (0) | 38 (0) |
//! | within 8 s | 31 | 46 (0) | 48 (0) | 43 (1) | 42 (4) |
//! | within 12 s | 42 | 50 (2) | 51 (12) | 43 (42) | 42 (53) |
//! | plateau until 20 s | 26 | 40 (0) | 43 (1) | 39 (11) | 38 (18) |
//! | plateau until 30 s | 35 | 51 (0) | 53 (4) | 46 (24) | 43 (36) |
//! | JVM | 37 | 72 (0) | 75 (0) | 76 (0) | 78 (0) |
//!
//! Without disturbances, it takes about one and a half times as long as needed, for a JVM twice as long. It errs in at
//! most 2 of 100 cases, and by little. With a noisy neighbour it may stop early: on a slow fall, or on a plateau of
//! half a minute without an observable compiler. Without a compiler, it can't detect a fall of a few percent over
//! minutes.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The least number of seconds with a level cost.
const LEAST: usize = 5;
/// The additional seconds for each halving of the cost.
const FOR_EACH_HALVING: f64 = 4.0;
/// A smaller relative fall over the tested seconds doesn't matter.
const FALL: f64 = 0.05;
/// The confidence that the fall is smaller.
const CONFIDENCE: f64 = 0.9;
/// The share of the CPU that JIT compilers may use.
const COMPILERS: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmSecond {
    /// CPU time of all tiers for each completed interaction, in milliseconds.
    pub cpu_ms: f64,
    /// The share of this CPU time that JIT compilers used.
    pub compilers: f64,
}

/// Detects when a site is warm.
#[derive(Debug, Clone, Default)]
pub struct Warming {
    seconds: Vec<WarmSecond>,
}

impl Warming {
    pub fn record(&mut self, second: WarmSecond) {
        self.seconds.push(second);
    }

    /// The CPU time of an interaction in the first second, in milliseconds; none before that.
    pub fn first(&self) -> Option<f64> {
        Some(self.seconds.first()?.cpu_ms)
    }

    /// The latest cost: the median of the last seconds, so that no single one decides.
    pub fn last(&self) -> Option<f64> {
        let mut last: Vec<f64> = self.latest(LEAST).iter().map(|second| second.cpu_ms).collect();
        last.sort_by(f64::total_cmp);
        last.get(last.len() / 2).copied()
    }

    pub fn is_warm(&self) -> bool {
        self.needed().is_some_and(|needed| {
            self.seconds.len() >= needed && !self.compiles() && fall_at_most(&self.costs(needed)) < FALL
        })
    }

    /// True if JIT compilers have been idle for some seconds.
    pub fn compilers_are_idle(&self) -> bool {
        self.seconds.len() >= LEAST && !self.compiles()
    }

    /// True if any JIT compiler was active.
    pub fn has_compilers(&self) -> bool {
        self.seconds.iter().any(|second| second.compilers > 0.0)
    }

    /// For how many seconds the cost must be level.
    fn needed(&self) -> Option<usize> {
        let dearest = self.seconds.iter().map(|second| second.cpu_ms).fold(0.0, f64::max);
        let halvings = (dearest / self.last()?).log2();
        let least = halvings.is_finite().then(|| LEAST + (FOR_EACH_HALVING * halvings).ceil() as usize)?;
        Some(if self.has_compilers() { least.max(self.seconds.len().div_ceil(2)) } else { least })
    }

    fn compiles(&self) -> bool {
        let latest = self.latest(LEAST);
        latest.iter().map(|second| second.compilers).sum::<f64>() >= COMPILERS * latest.len() as f64
    }

    fn costs(&self, latest: usize) -> Vec<f64> {
        self.latest(latest).iter().map(|second| second.cpu_ms).collect()
    }

    fn latest(&self, count: usize) -> &[WarmSecond] {
        &self.seconds[self.seconds.len().saturating_sub(count)..]
    }
}

/// The upper confidence limit of the fall from the first value to the last, as a share of their mean.
fn fall_at_most(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let middle = (count - 1.0) / 2.0;
    let from_middle = |at: usize| at as f64 - middle;
    let spread = count * (count * count - 1.0) / 12.0;
    let slope = values.iter().enumerate().map(|(at, value)| from_middle(at) * value).sum::<f64>() / spread;
    let residual = |(at, value): (usize, &f64)| (value - mean - slope * from_middle(at)).powi(2);
    let degrees = count - 2.0;
    let error = (values.iter().enumerate().map(residual).sum::<f64>() / degrees / spread).sqrt();
    let law = StudentsT::new(0.0, 1.0, degrees).expect("three values or more have degrees of freedom");
    (law.inverse_cdf(CONFIDENCE) * error - slope) * (count - 1.0) / mean
}

#[cfg(test)]
mod tests;
