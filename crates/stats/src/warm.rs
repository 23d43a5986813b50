//! When the servers of a freshly started site are warm: compiled code, filled caches, opened connections.
//!
//! Nobody knows beforehand how long that takes (PHP: a second or two; a JVM: half a minute and more), so that evidence
//! ends it, not a constant. The evidence is what an interaction costs, in CPU time of all tiers, in each second of a
//! full load: it is steadier than throughput and response times, which whatever else runs on a machine changes as well.
//!
//! **It must have stopped falling.** A line is laid through the latest seconds (ordinary least squares), and the fall
//! over them must be less than 5 % of their mean with 90 % confidence. To look for a level stretch at the end is what
//! Georges, Buytaert and Eeckhout advise ("Statistically rigorous Java performance evaluation", OOPSLA 2007). They ask
//! for a coefficient of variation below a limit, but a noisy level has a large one and a slow fall a small one, as
//! Kalibera and Jones note ("Rigorous benchmarking in reasonable time", ISMM 2013). An upper limit of the fall can only
//! err by chance: where there is noise, it takes longer.
//!
//! **For as long as it has fallen far.** Barrett and others ("Virtual machine warmup blows hot and cold", OOPSLA 2017)
//! show plateaus in the middle of warming up. Whoever has become no cheaper must have been level for 5 seconds, and for
//! 4 seconds more with each halving of the cost since the dearest second.
//!
//! **And no compiler may be at work.** A large method may keep a JVM's second compiler busy for half a minute, in which
//! the cost is as level as it will ever be, and 1.6 times what it will be (Tomcat with the auction: level from second
//! 11 to second 37). So compilers inside the servers must have used less than 5 % of the CPU in the last 5 seconds,
//! where anybody can see them.
//!
//! **Where there is a compiler, doubling the time must gain less than those 5 %.** It begins with what is run most often,
//! and comes to the rest when that was run often enough, so that the cost falls with the logarithm of time. (Tomcat with the
//! auction was level after 40 seconds, and took two fifths less CPU for an interaction two minutes later.) So there the cost
//! must have been level for the later half of all seconds.
//!
//! **Nor may they begin again** when the load becomes another one. To a JVM, many users who think are not the few who
//! don't: what it assumed of them is wrong for a part of its code, and its compilers are at work again. Beside servers with a
//! third of a processor they were so for 35 seconds (Tomcat with the auction and 800 clients), in which the site did two
//! thirds of what it did then. So the load that is to be measured has to be on for a while too, until they rest
//! ([`Warming::is_at_rest`]).
//!
//! # How often this is wrong
//!
//! Simulated, 1,000 times each (see the tests): noise of 2 % and 5 % independent from second to second; noise of 5 % of
//! which 0.7 stays from one second to the next; and a neighbour who comes and goes for 5 s each and makes everything 15 %
//! dearer. In each field: when it ends on average, in seconds, and how often (in %) more than 3 % are still to be lost.
//! *Needed* is when 3 % are left.
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
//! So in quiet it takes about one and a half times as long as needed, of a JVM twice as long, and errs in 2 of 100 cases at
//! most, then by little. Beside a noisy neighbour it may stop early, on a fall that is slower than his coming and going, or
//! on a plateau of half a minute with no compiler to be seen. Where there is no compiler, a fall by a few percent that takes minutes it can't see at all.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How many seconds of a level cost are asked for at least.
const LEAST: usize = 5;
/// How many more are asked for with each halving of the cost.
const FOR_EACH_HALVING: f64 = 4.0;
/// A fall of less than this share, over the seconds that are looked at, doesn't matter.
const FALL: f64 = 0.05;
/// How sure one must be that it is less.
const CONFIDENCE: f64 = 0.9;
/// The share of the CPU that compilers may use.
const COMPILERS: f64 = 0.05;

/// What a site did in one second of warming up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmSecond {
    /// CPU time of all tiers for each completed interaction, in milliseconds.
    pub cpu_ms: f64,
    /// The share of this CPU time that compilers inside the servers used.
    pub compilers: f64,
}

/// Watches a site become warm.
#[derive(Debug, Clone, Default)]
pub struct Warming {
    seconds: Vec<WarmSecond>,
}

impl Warming {
    /// Takes in the next second.
    pub fn record(&mut self, second: WarmSecond) {
        self.seconds.push(second);
    }

    /// What an interaction cost in the first second, in milliseconds of CPU time; nothing before there was one.
    pub fn first(&self) -> Option<f64> {
        Some(self.seconds.first()?.cpu_ms)
    }

    /// What it cost last: the median of the last seconds, so that no single one decides.
    pub fn last(&self) -> Option<f64> {
        let mut last: Vec<f64> = self.latest(LEAST).iter().map(|second| second.cpu_ms).collect();
        last.sort_by(f64::total_cmp);
        last.get(last.len() / 2).copied()
    }

    /// Whether it is warm.
    pub fn is_warm(&self) -> bool {
        self.needed().is_some_and(|needed| {
            self.seconds.len() >= needed && !self.compiles() && fall_at_most(&self.costs(needed)) < FALL
        })
    }

    /// Whether compilers inside the servers are idle, and have been for some seconds.
    pub fn is_at_rest(&self) -> bool {
        self.seconds.len() >= LEAST && !self.compiles()
    }

    /// Whether any compiler was seen at work.
    pub fn has_compilers(&self) -> bool {
        self.seconds.iter().any(|second| second.compilers > 0.0)
    }

    /// For how many seconds the cost must have been level.
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

/// How far values fall at most from the first to the last, as a share of their mean.
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
    let law = StudentsT::new(0.0, 1.0, degrees).expect("there are degrees of freedom from three values on");
    (law.inverse_cdf(CONFIDENCE) * error - slope) * (count - 1.0) / mean
}

#[cfg(test)]
mod tests;
