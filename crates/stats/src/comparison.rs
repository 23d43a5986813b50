//! Comparison of several configurations by the figures of their runs.
//!
//! Each run counts as one figure: its seconds depend on one another, and variance between starts of a server shows only
//! between runs (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). Each pair is compared by
//! Welch's t-test, which allows unequal variances (Welch, Biometrika 34, 1947). Of many pairs, some differ by chance
//! alone; Holm's step-down limits the probability of any false claim among all of them to 5 % (Holm, Scandinavian
//! Journal of Statistics 6, 1979).

use crate::{Interval, interval::student_quantile};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// With fewer runs than this, no difference is claimed: two runs hardly estimate a variance.
pub(crate) const LEAST_RUNS: usize = 3;

/// The probability of error of a single final analysis.
pub(crate) const SINGLE_ANALYSIS_ERROR: f64 = 0.05;

#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// All configurations, the highest mean first; those without a run are last.
    pub order: Vec<usize>,
    /// All pairs, in that order.
    pub pairs: Vec<Pair>,
    /// The maximal sets of configurations that don't differ, the highest first, as in a compact letter display. Each
    /// configuration is in at least one set, and may be in several.
    pub groups: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Index of the configuration with the higher mean.
    pub one: usize,
    pub other: usize,
    /// The difference of the means, with the 95 % interval of this pair alone. Its half-width is infinite if one of
    /// them has fewer than two runs.
    pub difference: Interval,
    /// The ratio of `one` to `other`, likewise; none if a mean isn't positive or there are too few runs.
    pub ratio: Option<Interval>,
    /// The standard error of the ratio's logarithm, likewise.
    pub ratio_error: Option<StandardError>,
    /// The p-value of the difference; none with fewer than three runs of either.
    pub p: Option<f64>,
    /// `p`, adjusted to the number of pairs.
    pub p_adjusted: Option<f64>,
    /// True if they differ, at 5 % for all pairs together, or at the level of an interim analysis.
    pub differs: bool,
}

/// A standard error, estimated with some degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandardError {
    pub value: f64,
    pub degrees: f64,
}

impl StandardError {
    /// The probability that an estimate is this far beyond a truth on the border, or farther.
    pub fn p_beyond(self, distance: f64) -> f64 {
        if self.value == 0.0 {
            return if distance > 0.0 { 0.0 } else { 1.0 };
        }
        let law = StudentsT::new(0.0, 1.0, self.degrees).expect("degrees of freedom are positive");
        law.cdf(-distance / self.value)
    }
}

/// Compares configurations, each with one figure per run. Figures that aren't finite are left out.
pub fn compare_all(samples: &[&[f64]]) -> Ranking {
    compare_as(samples, |value| value)
}

/// Compares configurations whose figures are response times. The test uses their reciprocals, because one slow run
/// inflates the variance of times so much that Welch's test loses its power. At the level of 5 %, it found equal
/// configurations to differ in 2 % of splits of recorded 99th percentiles, and in 4 % of their reciprocals. (Box and
/// Cox found the same of survival times: "An analysis of transformations", Journal of the Royal Statistical Society B
/// 26, 1964.) Order, differences and ratios are those of the times: `one` is slower.
pub fn compare_times(samples: &[&[f64]]) -> Ranking {
    compare_as(samples, f64::recip)
}

/// Compares figures on the scale of the test.
fn compare_as(samples: &[&[f64]], scale: fn(f64) -> f64) -> Ranking {
    let samples: Vec<TestedRuns> = samples.iter().map(|values| TestedRuns::of(values, scale)).collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let key = |who: &usize| samples[*who].plain.sort_key();
    order.sort_by(|one, other| key(other).total_cmp(&key(one)));
    let ordered_pairs = order.iter().enumerate().flat_map(|(place, one)| {
        order[place + 1..].iter().map(|other| compare(*one, &samples[*one], *other, &samples[*other]))
    });
    let mut pairs: Vec<Pair> = ordered_pairs.collect();
    adjust(&mut pairs, SINGLE_ANALYSIS_ERROR);
    let groups = groups(&order, &pairs);
    Ranking { order, pairs, groups }
}

/// A configuration's runs, and the same on the scale of the test.
struct TestedRuns {
    plain: RunStats,
    tested: RunStats,
}

impl TestedRuns {
    fn of(values: &[f64], scale: fn(f64) -> f64) -> Self {
        let scaled: Vec<f64> = values.iter().copied().map(scale).collect();
        Self { plain: RunStats::of(values), tested: RunStats::of(&scaled) }
    }
}

struct RunStats {
    runs: usize,
    mean: f64,
    /// The squared standard error of the mean; none for fewer than two runs.
    error: Option<f64>,
}

impl RunStats {
    fn of(values: &[f64]) -> Self {
        let values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let runs = values.len();
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (runs >= 2).then(|| squares / ((runs - 1) * runs) as f64);
        Self { runs, mean, error }
    }

    fn sort_key(&self) -> f64 {
        if self.runs == 0 { f64::NEG_INFINITY } else { self.mean }
    }
}

fn compare(one: usize, first: &TestedRuns, other: usize, second: &TestedRuns) -> Pair {
    let mean = first.plain.mean - second.plain.mean;
    let difference = MeanDifference::of(&first.plain, &second.plain);
    let tested = MeanDifference::of(&first.tested, &second.tested);
    let (ratio, ratio_error) = ratio(&first.plain, &second.plain).unzip();
    let enough = first.tested.runs.min(second.tested.runs) >= LEAST_RUNS;
    Pair {
        one,
        other,
        difference: difference
            .map_or(Interval { mean, half_width: f64::INFINITY }, |difference| difference.interval()),
        ratio,
        ratio_error,
        p: tested.filter(|_| enough).map(|difference| difference.p()),
        p_adjusted: None,
        differs: false,
    }
}

/// Relative errors of independent figures add as squares (first order, good for small errors).
fn ratio(first: &RunStats, second: &RunStats) -> Option<(Interval, StandardError)> {
    if first.mean <= 0.0 || second.mean <= 0.0 {
        return None;
    }
    let relative = |sample: &RunStats| Some((sample.error? / sample.mean.powi(2), sample.runs));
    let of_logarithms = MeanDifference { mean: 0.0, errors: [relative(first)?, relative(second)?] };
    let mean = first.mean / second.mean;
    let error = StandardError { value: of_logarithms.standard_error(), degrees: of_logarithms.degrees() };
    Some((Interval { mean, half_width: mean * of_logarithms.interval().half_width }, error))
}

/// A difference of two means with the squared standard error and the number of runs of each.
struct MeanDifference {
    mean: f64,
    errors: [(f64, usize); 2],
}

impl MeanDifference {
    /// None with fewer than two runs of either.
    fn of(first: &RunStats, second: &RunStats) -> Option<Self> {
        let errors = [(first.error?, first.runs), (second.error?, second.runs)];
        Some(Self { mean: first.mean - second.mean, errors })
    }

    fn standard_error(&self) -> f64 {
        self.errors.iter().map(|(error, _)| error).sum::<f64>().sqrt()
    }

    /// Degrees of freedom after Welch and Satterthwaite.
    fn degrees(&self) -> f64 {
        let parts = self.errors.iter().map(|(error, runs)| error * error / (runs - 1) as f64);
        let degrees = self.standard_error().powi(4) / parts.sum::<f64>();
        if degrees.is_finite() { degrees } else { 1.0 }
    }

    fn interval(&self) -> Interval {
        let half_width = match self.standard_error() {
            0.0 => 0.0,
            error => error * student_quantile(self.degrees()),
        };
        Interval { mean: self.mean, half_width }
    }

    /// The two-sided p-value.
    fn p(&self) -> f64 {
        let error = self.standard_error();
        if error == 0.0 {
            return if self.mean == 0.0 { 1.0 } else { 0.0 };
        }
        let law = StudentsT::new(0.0, 1.0, self.degrees()).expect("degrees of freedom are positive");
        2.0 * law.cdf(-(self.mean / error).abs())
    }
}

/// Holm's step-down over all pairs that have a p-value, with this probability of at least one false claim.
pub(crate) fn adjust(pairs: &mut [Pair], error: f64) {
    let mut tested: Vec<&mut Pair> = pairs.iter_mut().filter(|pair| pair.p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|pair| pair.p).collect();
    for (pair, adjusted) in tested.iter_mut().zip(holm(&p)) {
        pair.p_adjusted = Some(adjusted);
        pair.differs = adjusted < error;
    }
}

/// The p-values of a family of tests, adjusted by Holm's step-down. If those below 0.05 are claimed, the probability of
/// any false claim is at most 5 %.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|one, other| p[*one].total_cmp(&p[*other]));
    let mut adjusted = vec![1.0; p.len()];
    let mut highest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        highest = highest.max((p[index] * (p.len() - rank) as f64).min(1.0));
        adjusted[index] = highest;
    }
    adjusted
}

/// All configurations start in one set. Each pair that differs splits the sets that contain both, and subsets of others
/// are removed (Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons", Journal of
/// Computational and Graphical Statistics 13, 2004).
pub(crate) fn groups(order: &[usize], pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = if order.is_empty() { Vec::new() } else { vec![order.to_vec()] };
    for pair in pairs.iter().filter(|pair| pair.differs) {
        let (both, others): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|set| set.contains(&pair.one) && set.contains(&pair.other));
        sets = others;
        let without = |set: &[usize], who| set.iter().copied().filter(|member| *member != who).collect();
        let halves: Vec<Vec<usize>> =
            both.iter().flat_map(|set| [without(set, pair.other), without(set, pair.one)]).collect();
        for half in halves {
            if !sets.iter().any(|set| half.iter().all(|member| set.contains(member))) {
                sets.retain(|set| !set.iter().all(|member| half.contains(member)));
                sets.push(half);
            }
        }
    }
    let place = |who: &usize| order.iter().position(|member| member == who);
    sets.sort_by_key(|set| set.iter().map(place).collect::<Vec<_>>());
    sets
}

#[cfg(test)]
mod tests;
