//! Which of several configurations differ, from the figures of their runs.
//!
//! A run is one figure: its seconds depend on one another, and what differs from start to start of a server shows
//! only between runs (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). Each pair is
//! compared by Welch's t, which lets the two scatter differently (Welch, Biometrika 34, 1947). Where there are many
//! pairs, some differ by chance alone; Holm's step-down holds the chance of even one false claim among all of them to
//! 5 % (Holm, Scandinavian Journal of Statistics 6, 1979).

use crate::{Interval, interval::student_quantile};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The chance of at least one false claim in a family of comparisons.
const LEVEL: f64 = 0.05;

/// With fewer runs than this nothing is claimed: two runs can't tell how much runs scatter.
const LEAST_RUNS: usize = 3;

/// What the runs of several configurations allow to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// All of them, the highest mean first; those without a run are last.
    pub order: Vec<usize>,
    /// Every two of them, in that order.
    pub pairs: Vec<Pair>,
    /// The largest sets within which nobody can be told apart, the highest first, as a compact letter display shows
    /// them. Everybody is in at least one; who lies between two sets may be in both.
    pub groups: Vec<Vec<usize>>,
}

/// Two configurations compared; `one` has the higher mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Which.
    pub one: usize,
    /// With which.
    pub other: usize,
    /// By how much `one` is higher, with the 95 % interval of this pair alone. Its half-width is infinite where one
    /// of them has fewer than two runs.
    pub difference: Interval,
    /// How many times `other` it is, likewise; none where the means aren't positive or there are too few runs.
    pub ratio: Option<Interval>,
    /// How probable a difference at least as great is between configurations that don't differ; none with fewer than
    /// three runs of either.
    pub p: Option<f64>,
    /// The same, adjusted to the number of pairs.
    pub p_adjusted: Option<f64>,
    /// They differ, at 5 % for all pairs together.
    pub differs: bool,
}

/// Compares configurations, each with one figure per run. Figures that aren't finite are left out.
pub fn compare_all(samples: &[&[f64]]) -> Ranking {
    let samples: Vec<Sample> = samples.iter().map(|values| Sample::of(values)).collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by(|one, other| samples[*other].sort_key().total_cmp(&samples[*one].sort_key()));
    let ordered_pairs = order.iter().enumerate().flat_map(|(place, one)| {
        order[place + 1..].iter().map(|other| compare(*one, &samples[*one], *other, &samples[*other]))
    });
    let mut pairs: Vec<Pair> = ordered_pairs.collect();
    adjust(&mut pairs);
    let groups = groups(&order, &pairs);
    Ranking { order, pairs, groups }
}

/// What counts of a configuration's runs.
struct Sample {
    runs: usize,
    mean: f64,
    /// The squared standard error of the mean; none for fewer than two runs.
    error: Option<f64>,
}

impl Sample {
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

fn compare(one: usize, first: &Sample, other: usize, second: &Sample) -> Pair {
    let mean = first.mean - second.mean;
    let unknown = Interval { mean, half_width: f64::INFINITY };
    let mut pair =
        Pair { one, other, difference: unknown, ratio: None, p: None, p_adjusted: None, differs: false };
    let (Some(error_of_first), Some(error_of_second)) = (first.error, second.error) else { return pair };
    let difference =
        Difference { mean, errors: [(error_of_first, first.runs), (error_of_second, second.runs)] };
    pair.difference = difference.interval();
    if first.mean > 0.0 && second.mean > 0.0 {
        pair.ratio = Some(ratio(first, error_of_first, second, error_of_second));
    }
    if first.runs.min(second.runs) >= LEAST_RUNS {
        pair.p = Some(difference.p());
    }
    pair
}

/// The relative errors of independent figures add as squares (first order, good while both are small).
fn ratio(first: &Sample, error_of_first: f64, second: &Sample, error_of_second: f64) -> Interval {
    let relative = |sample: &Sample, error: f64| (error / sample.mean.powi(2), sample.runs);
    let errors = [relative(first, error_of_first), relative(second, error_of_second)];
    let of_logarithms = Difference { mean: 0.0, errors }.interval();
    let mean = first.mean / second.mean;
    Interval { mean, half_width: mean * of_logarithms.half_width }
}

/// A difference of two means with the squared standard error and the number of runs of each.
struct Difference {
    mean: f64,
    errors: [(f64, usize); 2],
}

impl Difference {
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

    /// Of both sides.
    fn p(&self) -> f64 {
        let error = self.standard_error();
        if error == 0.0 {
            return if self.mean == 0.0 { 1.0 } else { 0.0 };
        }
        let law = StudentsT::new(0.0, 1.0, self.degrees()).expect("degrees of freedom are positive");
        2.0 * law.cdf(-(self.mean / error).abs())
    }
}

/// Holm's step-down over all pairs that have a p.
fn adjust(pairs: &mut [Pair]) {
    let mut tested: Vec<&mut Pair> = pairs.iter_mut().filter(|pair| pair.p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|pair| pair.p).collect();
    for (pair, adjusted) in tested.iter_mut().zip(holm(&p)) {
        pair.p_adjusted = Some(adjusted);
        pair.differs = adjusted < LEVEL;
    }
}

/// What a family of tests comes to, each adjusted to their number by Holm's step-down, in their order. Below 0.05 they
/// claim something, and the chance that any such claim is false is at most 5 %.
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

/// All in one set at first; each pair that differs splits the sets that hold both, and sets within others go (Piepho,
/// "An algorithm for a letter-based representation of all-pairwise comparisons", Journal of Computational and
/// Graphical Statistics 13, 2004).
fn groups(order: &[usize], pairs: &[Pair]) -> Vec<Vec<usize>> {
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
