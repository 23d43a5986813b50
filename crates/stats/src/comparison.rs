//! Which of several configurations differ, from the figures of their runs.
//!
//! A run is one figure: its seconds depend on one another, and what differs from start to start of a server shows
//! only between runs (Kalibera and Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). Each pair is
//! compared by Welch's t, which lets the two scatter differently (Welch, Biometrika 34, 1947). Where there are many
//! pairs, some differ by chance alone; Holm's step-down holds the chance of even one false claim among all of them to
//! 5 % (Holm, Scandinavian Journal of Statistics 6, 1979).

use crate::{Interval, interval::student_quantile, looks::ONCE};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// With fewer runs than this nothing is claimed: two runs can't tell how much runs scatter.
pub(crate) const LEAST_RUNS: usize = 3;

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
    /// They differ, at 5 % for all pairs together, or at what a look may err.
    pub differs: bool,
}

/// Compares configurations, each with one figure per run. Figures that aren't finite are left out.
pub fn compare_all(samples: &[&[f64]]) -> Ranking {
    compare_as(samples, |value| value)
}

/// Compares configurations whose figures are response times. It is tested on their reciprocals, which are speeds: one slow
/// run makes times scatter so much that Welch's test hardly claims anything. Of recorded 99th percentiles it told equals
/// apart in 2 % of splits at the level of 5 %, and in 4 % of their reciprocals. (Of survival times Box and Cox found the
/// same: "An analysis of transformations", Journal of the Royal Statistical Society B 26, 1964.) The order, differences
/// and ratios are those of the times: `one` is slower.
pub fn compare_times(samples: &[&[f64]]) -> Ranking {
    compare_as(samples, f64::recip)
}

/// Compares figures, and tests them on another scale.
fn compare_as(samples: &[&[f64]], scale: fn(f64) -> f64) -> Ranking {
    let samples: Vec<Both> = samples.iter().map(|values| Both::of(values, scale)).collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let key = |who: &usize| samples[*who].plain.sort_key();
    order.sort_by(|one, other| key(other).total_cmp(&key(one)));
    let ordered_pairs = order.iter().enumerate().flat_map(|(place, one)| {
        order[place + 1..].iter().map(|other| compare(*one, &samples[*one], *other, &samples[*other]))
    });
    let mut pairs: Vec<Pair> = ordered_pairs.collect();
    adjust(&mut pairs, ONCE);
    let groups = groups(&order, &pairs);
    Ranking { order, pairs, groups }
}

/// A configuration's runs as they are, and on the scale on which they are tested.
struct Both {
    plain: Sample,
    tested: Sample,
}

impl Both {
    fn of(values: &[f64], scale: fn(f64) -> f64) -> Self {
        let scaled: Vec<f64> = values.iter().copied().map(scale).collect();
        Self { plain: Sample::of(values), tested: Sample::of(&scaled) }
    }
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

fn compare(one: usize, first: &Both, other: usize, second: &Both) -> Pair {
    let mean = first.plain.mean - second.plain.mean;
    let difference = Difference::of(&first.plain, &second.plain);
    let tested = Difference::of(&first.tested, &second.tested);
    let enough = first.tested.runs.min(second.tested.runs) >= LEAST_RUNS;
    Pair {
        one,
        other,
        difference: difference
            .map_or(Interval { mean, half_width: f64::INFINITY }, |difference| difference.interval()),
        ratio: ratio(&first.plain, &second.plain),
        p: tested.filter(|_| enough).map(|difference| difference.p()),
        p_adjusted: None,
        differs: false,
    }
}

/// The relative errors of independent figures add as squares (first order, good while both are small).
fn ratio(first: &Sample, second: &Sample) -> Option<Interval> {
    if first.mean <= 0.0 || second.mean <= 0.0 {
        return None;
    }
    let relative = |sample: &Sample| Some((sample.error? / sample.mean.powi(2), sample.runs));
    let of_logarithms = Difference { mean: 0.0, errors: [relative(first)?, relative(second)?] };
    let mean = first.mean / second.mean;
    Some(Interval { mean, half_width: mean * of_logarithms.interval().half_width })
}

/// A difference of two means with the squared standard error and the number of runs of each.
struct Difference {
    mean: f64,
    errors: [(f64, usize); 2],
}

impl Difference {
    /// None with fewer than two runs of either.
    fn of(first: &Sample, second: &Sample) -> Option<Self> {
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

/// Holm's step-down over all pairs that have a p, with this chance of at least one false claim.
pub(crate) fn adjust(pairs: &mut [Pair], error: f64) {
    let mut tested: Vec<&mut Pair> = pairs.iter_mut().filter(|pair| pair.p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|pair| pair.p).collect();
    for (pair, adjusted) in tested.iter_mut().zip(holm(&p)) {
        pair.p_adjusted = Some(adjusted);
        pair.differs = adjusted < error;
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
