//! Simulated comparisons on few starts: how often intervals are wrong, and how wide they are.

use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const COMPARISONS: usize = 3000;
/// Standard deviation of a start, which all configurations share.
const COMMON: f64 = 0.10;
/// Relative deviations of eight configurations of a class.
const DEVIATIONS: [f64; 8] = [0.5, 0.64, 0.79, 0.93, 1.07, 1.21, 1.36, 1.5];
/// With a compiler inside, and without.
const JVM: f64 = 0.085;
const PHP: f64 = 0.028;

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Equal configurations with these deviations on a number of starts.
fn measured(deviations: &[f64], starts: u32, random: &mut ChaCha8Rng) -> Vec<StartSample> {
    let common: Vec<f64> = (0..starts).map(|_| COMMON * normal(random)).collect();
    let sample = |deviation: &f64| StartSample {
        figures: (1..).zip(common.iter().map(|common| (common + deviation * normal(random)).exp())).collect(),
        has_compilers: *deviation > 2.0 * PHP,
    };
    deviations.iter().map(sample).collect()
}

/// The shares of intervals of a pair's logarithm that lie above the truth, below it, and its half-widths.
#[derive(Debug, Clone, Default)]
struct Errors {
    above: usize,
    below: usize,
    widths: Vec<f64>,
}

impl Errors {
    fn add(&mut self, mean: f64, half_width: f64) {
        self.above += usize::from(mean > half_width);
        self.below += usize::from(mean < -half_width);
        self.widths.push(half_width);
    }

    fn worst_side(&self) -> f64 {
        self.above.max(self.below) as f64 / self.widths.len() as f64
    }

    fn coverage(&self) -> f64 {
        1.0 - (self.above + self.below) as f64 / self.widths.len() as f64
    }

    fn median_width(&mut self) -> f64 {
        self.widths.sort_unstable_by(f64::total_cmp);
        self.widths[self.widths.len() / 2]
    }
}

/// The variance of the mean of a pair's ratios, by the samples.
type Estimate = fn(&[StartSample], usize, usize) -> (f64, f64);

/// The errors of each pair, by pairs of indexes.
fn errors(deviations: &[f64], starts: u32, estimate: Estimate) -> BTreeMap<(usize, usize), Errors> {
    let mut random = ChaCha8Rng::seed_from_u64(41);
    let mut all: BTreeMap<(usize, usize), Errors> = BTreeMap::new();
    for _ in 0..COMPARISONS {
        let samples = measured(deviations, starts, &mut random);
        for one in 0..samples.len() {
            for other in one + 1..samples.len() {
                let ratios = ratios(&samples[one], &samples[other]);
                let (variance, degrees) = estimate(&samples, one, other);
                let half_width = quantile(degrees, 0.05) * variance.sqrt();
                all.entry((one, other)).or_default().add(mean(&ratios), half_width);
            }
        }
    }
    all
}

fn ratios(one: &StartSample, other: &StartSample) -> Vec<f64> {
    let both = one.figures.values().zip(other.figures.values());
    both.map(|(one, other)| (one / other).ln()).collect()
}

fn class(samples: &[StartSample], is_member: impl Fn(&StartSample) -> bool) -> Option<ClassVariance> {
    ClassVariance::of(samples.iter().filter(|sample| is_member(sample)).map(|sample| &sample.figures))
}

/// The variance by which [`compare_starts`] compares.
fn ours(samples: &[StartSample], one: usize, other: usize) -> (f64, f64) {
    let classes =
        [one, other].map(|who| class(samples, |sample| sample.has_compilers == samples[who].has_compilers));
    let pair = PairVariance::of(&ratios(&samples[one], &samples[other]), classes).unwrap();
    (pair.of_mean, pair.degrees)
}

fn own(samples: &[StartSample], one: usize, other: usize) -> (f64, f64) {
    let pair = PairVariance::of(&ratios(&samples[one], &samples[other]), [None; 2]).unwrap();
    (pair.of_mean, pair.degrees)
}

/// All configurations as one class, without the pair's own variance.
fn pooled(samples: &[StartSample], one: usize, _: usize) -> (f64, f64) {
    let all = class(samples, |_| true).unwrap();
    (2.0 * all.variance / samples[one].figures.len() as f64, all.degrees)
}

#[test]
fn the_worst_pair_of_an_uneven_class_errs_in_one_of_twenty_on_each_side() {
    let deviations = DEVIATIONS.map(|deviation| deviation * JVM);
    for starts in [3, 4, 5] {
        let mut all = errors(&deviations, starts, ours);
        let worst = all.values().map(Errors::worst_side).fold(0.0, f64::max);
        let coverage = mean(&all.values().map(Errors::coverage).collect::<Vec<_>>());
        assert!(worst <= 0.05 && coverage >= 0.95, "{starts} starts: {worst}, {coverage}");
        if starts == 3 {
            let width = |all: &mut BTreeMap<_, Errors>| {
                mean(&all.values_mut().map(Errors::median_width).collect::<Vec<_>>())
            };
            let share = width(&mut all) / width(&mut errors(&deviations, starts, own));
            assert!(share <= 0.68, "{share} of their own");
        }
    }
    // A control: what the class's variance alone gives.
    let alone = errors(&deviations, 3, pooled);
    assert!(alone.values().map(Errors::worst_side).fold(0.0, f64::max) > 0.065);
}

#[test]
fn classes_keep_their_own_variance() {
    let deviations = [PHP, PHP, JVM, JVM, JVM];
    let of_compilers = |all: &BTreeMap<(usize, usize), Errors>| {
        mean(&[(2, 3), (2, 4), (3, 4)].map(|pair| all[&pair].coverage()))
    };
    let all = errors(&deviations, 3, ours);
    assert!(all.values().all(|pair| pair.coverage() >= 0.94), "{:?}", all.keys());
    assert!(of_compilers(&errors(&deviations, 3, pooled)) < 0.91, "a control: one class for all");
}

#[test]
fn two_starts_compare_where_the_class_has_enough_degrees_of_freedom() {
    let mut random = ChaCha8Rng::seed_from_u64(43);
    let p = |deviations: &[f64], random: &mut ChaCha8Rng| {
        compare_starts(&measured(deviations, 2, random), StoppingRule::Fixed).pairs[0].p
    };
    assert!(p(&[JVM; 5], &mut random).is_some(), "four degrees of freedom");
    assert!(p(&[JVM; 4], &mut random).is_none());
    let worst = errors(&DEVIATIONS.map(|deviation| deviation * JVM), 2, ours);
    let worst = worst.values().map(Errors::worst_side).fold(0.0, f64::max);
    assert!(worst <= 0.055, "{worst}");
}
