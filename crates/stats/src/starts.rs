//! Comparison of several configurations that were measured in rounds, on the same starts.
//!
//! Some properties of a server are fixed at its start (memory layout, JIT-compiled code) and show in all its rounds, so
//! that intervals from rounds are far too narrow. In simulations, they cover the truth in 89 of 100 cases if starts
//! deviate by 1.5 %, and in 75 at 3 %. So each start gives one figure per configuration, and one ratio per pair, whose
//! variance over starts enters Student's t-test. Common disturbances cancel in the ratio (Kalibera and Jones, "Rigorous
//! benchmarking in reasonable time", ISMM 2013).
//!
//! Three starts give a pair two degrees of freedom, and an interval that is five times as wide as its standard error. The
//! configurations of a class give more. The variance is the greater one of the pair's own and the class's, with the class's
//! degrees of freedom (Satterthwaite, Biometrics Bulletin 2, 1946, across classes). In simulations of eight configurations
//! whose deviations differ by three, the worst pair errs in at most 5 % on each side; with the class's variance alone, in
//! 7.7 %.

mod class_variance;

use crate::{
    Interval, Pair, Ranking, StandardError, StoppingRule,
    comparison::{LEAST_RUNS, adjust, groups},
    interval::{mean, quantile},
};
use class_variance::ClassVariance;
use std::collections::BTreeMap;

/// A configuration's figures by the number of the start: positive ones, such as throughputs.
pub type Starts = BTreeMap<u32, f64>;

/// The figure of one start: the geometric mean of its rounds, so that the ratio of two configurations is the mean ratio
/// of neighbouring windows. None if there are no rounds, or one is not positive.
pub fn of_rounds(rounds: &[f64]) -> Option<f64> {
    let all_are_positive = rounds.iter().all(|figure| figure.is_finite() && *figure > 0.0);
    (all_are_positive && !rounds.is_empty()).then(|| mean_logarithm(rounds.iter()).exp())
}

/// With at least so many degrees of freedom of their classes, two shared starts compare a pair.
const LEAST_DEGREES: f64 = 4.0;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct StartSample {
    pub figures: Starts,
    /// True if a compiler works inside its servers. It makes starts differ more, so that these are a class of their own.
    pub has_compilers: bool,
}

/// Compares configurations by the starts that both of a pair have. Intervals and claims have the probability of error
/// that the stopping rule allows.
pub fn compare_starts(samples: &[StartSample], rule: StoppingRule) -> Ranking {
    let classes = [false, true].map(|has_compilers| {
        let members = samples.iter().filter(|sample| sample.has_compilers == has_compilers);
        ClassVariance::of(members.map(|sample| &sample.figures))
    });
    let class_of = |who: usize| classes[usize::from(samples[who].has_compilers)];
    let samples: Vec<&Starts> = samples.iter().map(|sample| &sample.figures).collect();
    let samples = samples.as_slice();
    let error = rule.error(samples.iter().map(|starts| starts.len()).max().unwrap_or_default());
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let key = |who: &usize| match samples[*who].is_empty() {
        true => f64::NEG_INFINITY,
        false => mean_logarithm(samples[*who].values()),
    };
    order.sort_by(|one, other| key(other).total_cmp(&key(one)));
    let mut pairs: Vec<Pair> = order
        .iter()
        .enumerate()
        .flat_map(|(place, one)| order[place + 1..].iter().map(|other| (*one, *other)))
        .map(|(one, other)| compare([one, other], samples, [one, other].map(class_of), error))
        .collect();
    adjust(&mut pairs, error);
    let groups = groups(&order, &pairs);
    Ranking { order, pairs, groups }
}

fn mean_logarithm<'a>(figures: impl Iterator<Item = &'a f64>) -> f64 {
    mean(&figures.map(|figure| figure.ln()).collect::<Vec<f64>>())
}

fn compare(who: [usize; 2], samples: &[&Starts], classes: [Option<ClassVariance>; 2], error: f64) -> Pair {
    let [one, other] = who;
    let shared = samples[one].iter().filter_map(|(start, figure)| Some((figure, samples[other].get(start)?)));
    let (differences, ratios): (Vec<f64>, Vec<f64>) =
        shared.map(|(one, other)| (one - other, (one / other).ln())).unzip();
    let means = who.map(|who| mean(&samples[who].values().copied().collect::<Vec<f64>>()));
    let of_pair = PairVariance::of(&ratios, classes);
    let half_width = |pair: PairVariance| quantile(pair.degrees, error) * pair.of_mean.sqrt();
    // To first order, an interval of a logarithm is a relative interval.
    let ratio = of_pair.map(|pair| {
        let ratio = mean(&ratios).exp();
        Interval { mean: ratio, half_width: ratio * half_width(pair) }
    });
    let is_enough = |pair: &PairVariance| ratios.len() >= LEAST_RUNS || pair.degrees >= LEAST_DEGREES;
    Pair {
        one,
        other,
        difference: difference(&differences, &ratios, of_pair, error)
            .unwrap_or(Interval { mean: means[0] - means[1], half_width: f64::INFINITY }),
        ratio,
        ratio_error: of_pair.map(PairVariance::error),
        p: of_pair.filter(is_enough).map(|pair| pair.p(mean(&ratios))),
        p_adjusted: None,
        differs: false,
    }
}

/// The interval of the mean difference: its own, as much wider or narrower as that of the ratio is by the classes.
fn difference(
    differences: &[f64],
    ratios: &[f64],
    of_pair: Option<PairVariance>,
    error: f64,
) -> Option<Interval> {
    let own = Interval::of_mean_at(differences, error)?;
    let (pair, of_ratios) = (of_pair?, PairVariance::of(ratios, [None; 2])?);
    let width = |pair: PairVariance| quantile(pair.degrees, error) * pair.of_mean.sqrt();
    let factor = if of_ratios.of_mean > 0.0 { width(pair) / width(of_ratios) } else { 1.0 };
    Some(Interval { half_width: own.half_width * factor, ..own })
}

/// The variance of the mean logarithm of a pair's ratios.
#[derive(Debug, Clone, Copy)]
struct PairVariance {
    of_mean: f64,
    degrees: f64,
}

impl PairVariance {
    /// The greater one of the pair's own and its classes', where those have more degrees of freedom; none for fewer than
    /// two shared starts.
    fn of(ratios: &[f64], classes: [Option<ClassVariance>; 2]) -> Option<Self> {
        let degrees = ratios.len().checked_sub(1).filter(|degrees| *degrees > 0)? as f64;
        let count = ratios.len() as f64;
        let middle = mean(ratios);
        let variance = ratios.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / degrees;
        let own = Self { of_mean: variance / count, degrees };
        let [Some(one), Some(other)] = classes else { return Some(own) };
        let of_mean = (one.variance + other.variance) / count;
        // Configurations of one class share its estimate.
        let degrees = if one == other {
            one.degrees
        } else {
            let share = |class: ClassVariance| class.variance.powi(2) / class.degrees;
            (one.variance + other.variance).powi(2) / (share(one) + share(other))
        };
        Some(if degrees > own.degrees { Self { of_mean: of_mean.max(own.of_mean), degrees } } else { own })
    }

    fn error(self) -> StandardError {
        StandardError { value: self.of_mean.sqrt(), degrees: self.degrees }
    }

    /// The two-sided p-value of a mean other than 0.
    fn p(self, mean: f64) -> f64 {
        (2.0 * self.error().p_beyond(mean.abs())).min(1.0)
    }
}

/// A ratio of two loads, or of two mixes, of one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadRatio {
    pub ratio: Interval,
    pub error: StandardError,
}

/// The ratio of the first configuration's figures in two conditions on the same starts. What a start fixes of its servers
/// cancels, so that only the windows' deviations are left. The other configurations show how large these are: the variance
/// is the greater one of its own and its class's. None of fewer than three starts, or two where the class shows enough.
pub fn compare_loads(configurations: &[[StartSample; 2]], rule: StoppingRule) -> Option<LoadRatio> {
    let ratios = |[one, other]: &[StartSample; 2]| -> Vec<f64> {
        let shared =
            one.figures.iter().filter_map(|(start, figure)| Some(figure / other.figures.get(start)?));
        shared.map(f64::ln).collect()
    };
    let first = configurations.first()?;
    let of_class = configurations.iter().filter(|of| of[0].has_compilers == first[0].has_compilers);
    let of_class: Vec<Vec<f64>> = of_class.map(ratios).filter(|ratios| ratios.len() > 1).collect();
    let degrees = of_class.iter().map(|ratios| ratios.len() - 1).sum::<usize>() as f64;
    let squares = |ratios: &Vec<f64>| {
        let middle = mean(ratios);
        ratios.iter().map(|ratio| (ratio - middle).powi(2)).sum::<f64>()
    };
    // A ratio has the variance of two deviations.
    let variance = of_class.iter().map(squares).sum::<f64>() / degrees / 2.0;
    let class = (degrees > 0.0).then_some(ClassVariance { variance, degrees });
    let ratios = ratios(first);
    let pair = PairVariance::of(&ratios, [class; 2])?;
    if ratios.len() < LEAST_RUNS && pair.degrees < LEAST_DEGREES {
        return None;
    }
    let ratio = mean(&ratios).exp();
    let half_width = ratio * quantile(pair.degrees, rule.error(ratios.len())) * pair.of_mean.sqrt();
    Some(LoadRatio { ratio: Interval { mean: ratio, half_width }, error: pair.error() })
}

#[cfg(test)]
mod class_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
    use rand_chacha::ChaCha8Rng;

    fn starts(figures: &[f64]) -> StartSample {
        StartSample { figures: (1..).zip(figures.iter().copied()).collect(), has_compilers: false }
    }

    #[test]
    fn pairing_by_start_finds_differences_that_unpaired_runs_hide() {
        // The machine is half as fast on the second start; on each start the first is a tenth faster.
        let fast = starts(&[110.0, 55.2, 87.8]);
        let slow = starts(&[100.0, 50.0, 80.0]);
        let ranking = compare_starts(&[slow.clone(), fast.clone()], StoppingRule::Fixed);
        assert_eq!((ranking.order.as_slice(), ranking.groups.len()), (&[1, 0][..], 2));
        let ratio = ranking.pairs[0].ratio.unwrap();
        assert!((ratio.mean - 1.1).abs() < 0.005 && ratio.low() > 1.08, "{ratio:?}");
        let alone: Vec<Vec<f64>> =
            [slow, fast].iter().map(|all| all.figures.values().copied().collect()).collect();
        assert!(!crate::compare_all(&[&alone[0], &alone[1]]).pairs[0].differs);
    }

    #[test]
    fn only_common_starts_count() {
        let [one, other] = [[(1, 10.0), (2, 11.0), (4, 12.0)], [(1, 5.0), (3, 1.0), (4, 6.0)]]
            .map(|figures| StartSample { figures: figures.into(), has_compilers: false });
        let pair = compare_starts(&[one, other, StartSample::default()], StoppingRule::Fixed).pairs[0];
        assert_eq!((pair.ratio.unwrap().mean, pair.p), (2.0, None), "two starts never differ");
    }

    #[test]
    fn what_a_start_fixes_cancels_between_two_loads_of_it() {
        let loads = |ratios: [f64; 3]| {
            let of_starts = [100.0, 50.0, 80.0];
            let low: Vec<f64> = of_starts.iter().zip(ratios).map(|(figure, ratio)| figure / ratio).collect();
            [starts(&of_starts), starts(&low)]
        };
        let alone = compare_loads(&[loads([1.10, 1.11, 1.09])], StoppingRule::Fixed).unwrap();
        assert!((alone.ratio.mean - 1.1).abs() < 1e-4 && alone.ratio.half_width < 0.03, "{alone:?}");
        assert_eq!(alone.error.degrees, 2.0);
        let others = [loads([1.10, 1.11, 1.09]), loads([0.90, 0.91, 0.89]), loads([1.00, 0.99, 1.01])];
        let pooled = compare_loads(&others, StoppingRule::Fixed).unwrap();
        assert!(
            pooled.error.degrees == 6.0 && pooled.ratio.half_width < alone.ratio.half_width,
            "{pooled:?}"
        );
        let two =
            |load: [StartSample; 2]| load.map(|sample| starts(&[sample.figures[&1], sample.figures[&2]]));
        assert_eq!(
            compare_loads(&[two(others[0].clone())], StoppingRule::Fixed),
            None,
            "two show no scatter"
        );
        let carried = [two(others[0].clone()), others[1].clone(), others[2].clone()];
        assert!(compare_loads(&carried, StoppingRule::Fixed).is_some(), "others show how large it is");
        assert_eq!(compare_loads(&[], StoppingRule::Fixed), None);
    }

    #[test]
    fn a_round_without_pages_gives_no_figure() {
        assert_eq!(of_rounds(&[2.0, 8.0]).map(f64::round), Some(4.0));
        assert_eq!((of_rounds(&[2.0, 0.0]), of_rounds(&[])), (None, None));
    }

    /// A machine of varying speed, and servers that differ from start to start.
    struct Noise {
        /// Standard deviation of the logarithm of slowness, and its correlation time in seconds.
        speed: (f64, f64),
        /// Standard deviation between starts.
        start: f64,
        /// An oscillation of slowness with this period in seconds.
        swing: Option<f64>,
    }

    const CONFIGURATIONS: usize = 5;
    const ROUNDS: usize = 8;
    /// Seconds of a window, of the gap before it, and between two starts.
    const WINDOW: f64 = 3.0;
    const GAP: f64 = 2.0;
    const BETWEEN: f64 = 400.0;
    /// Interactions per second, with 1.2 times the deviation of a Poisson process.
    const RATE: f64 = 250.0;

    fn normal(random: &mut impl Rng) -> f64 {
        let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// The logarithm of slowness at present.
    struct Speed<'n> {
        noise: &'n Noise,
        state: f64,
        at: f64,
    }

    impl Speed<'_> {
        /// Advances by `seconds`.
        fn after(&mut self, seconds: f64, random: &mut impl Rng) -> f64 {
            let (deviation, time) = self.noise.speed;
            let kept = (-seconds / time).exp();
            self.state = kept * self.state + (1.0 - kept * kept).sqrt() * normal(random);
            self.at += seconds;
            let swing = |period: f64| 0.10 * (std::f64::consts::TAU * self.at / period).sin();
            deviation * self.state + self.noise.swing.map_or(0.0, swing)
        }
    }

    /// The logarithms of the rounds' throughputs of equal configurations: by start, configuration and round.
    fn measure(
        noise: &Noise,
        starts: usize,
        shuffled: bool,
        random: &mut impl Rng,
    ) -> Vec<[Vec<f64>; CONFIGURATIONS]> {
        let mut speed = Speed { noise, state: normal(random), at: 1000.0 * random.random::<f64>() };
        let mut all = Vec::new();
        for _ in 0..starts {
            speed.after(BETWEEN, random);
            let fixed: [f64; CONFIGURATIONS] = std::array::from_fn(|_| noise.start * normal(random));
            let mut rounds: [Vec<f64>; CONFIGURATIONS] = Default::default();
            for _ in 0..ROUNDS {
                let mut order: [usize; CONFIGURATIONS] = std::array::from_fn(|index| index);
                if shuffled {
                    order.shuffle(random);
                }
                for who in order {
                    let middle = speed.after(GAP + WINDOW / 2.0, random);
                    speed.after(WINDOW / 2.0, random);
                    let own = 1.2 / (RATE * WINDOW).sqrt() * normal(random);
                    rounds[who].push(RATE.ln() - middle + fixed[who] + own);
                }
            }
            all.push(rounds);
        }
        all
    }

    /// The coverage of comparisons of equal configurations: over starts, and over the rounds of one start.
    fn coverage(noise: &Noise, shuffled: bool) -> (f64, f64) {
        const COMPARISONS: usize = 400;
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let (mut by_starts, mut by_rounds, mut pairs) = (0, 0, 0);
        for _ in 0..COMPARISONS {
            let all = measure(noise, 6, shuffled, &mut random);
            let figure = |rounds: &Vec<f64>| {
                of_rounds(&rounds.iter().map(|logarithm| logarithm.exp()).collect::<Vec<f64>>()).unwrap()
            };
            let samples: Vec<StartSample> = (0..CONFIGURATIONS)
                .map(|who| starts(&all.iter().map(|start| figure(&start[who])).collect::<Vec<f64>>()))
                .collect();
            for pair in compare_starts(&samples, StoppingRule::Fixed).pairs {
                let ratio = pair.ratio.unwrap();
                by_starts += usize::from((ratio.mean.ln()).abs() <= ratio.half_width / ratio.mean);
                let [one, other] = [pair.one, pair.other].map(|who| &all[0][who]);
                let rounds: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
                let of_rounds = Interval::of_mean(&rounds).unwrap();
                by_rounds += usize::from(of_rounds.mean.abs() <= of_rounds.half_width);
                pairs += 1;
            }
        }
        (by_starts as f64 / pairs as f64, by_rounds as f64 / pairs as f64)
    }

    /// The results of sequential comparisons of five configurations, in shares.
    #[derive(Debug, Default)]
    struct SequentialResult {
        /// The final interval covers the truth.
        covered: f64,
        /// The first is found higher than another by at least 2 %.
        higher: f64,
        /// Another one is found higher than the first.
        lower: f64,
        /// Two equal ones are found equal.
        same: f64,
        /// The final interval of the first over another lies wholly above the truth, or wholly below it.
        beyond: [f64; 2],
    }

    /// Compares five configurations; the first is faster by this factor, the others are equal.
    fn compare_sequentially(noise: &Noise, first: f64) -> SequentialResult {
        const COMPARISONS: usize = 300;
        let mut random = ChaCha8Rng::seed_from_u64(23);
        let (mut sum, mut firsts, mut equals) = (SequentialResult::default(), 0.0, 0.0);
        for _ in 0..COMPARISONS {
            let all = measure(noise, 9, true, &mut random);
            let figure = |start: usize, who: usize| {
                let faster = if who == 0 { first } else { 1.0 };
                let rounds: Vec<f64> = all[start][who].iter().map(|round| round.exp() * faster).collect();
                of_rounds(&rounds).unwrap()
            };
            let ranking = [4, 6, 9].into_iter().find_map(|count| {
                let sample = |who| starts(&(0..count).map(|start| figure(start, who)).collect::<Vec<f64>>());
                let samples: Vec<StartSample> = (0..CONFIGURATIONS).map(sample).collect();
                let ranking = compare_starts(&samples, StoppingRule::Sequential);
                (count == 9 || crate::is_decided(&ranking)).then_some(ranking)
            });
            for pair in ranking.unwrap().pairs {
                let ratio = pair.ratio.unwrap();
                let truth = match (pair.one, pair.other) {
                    (0, _) => first,
                    (_, 0) => first.recip(),
                    _ => 1.0,
                };
                let relative = ratio.half_width / ratio.mean;
                sum.covered += f64::from((ratio.mean / truth).ln().abs() <= relative);
                if pair.one == 0 || pair.other == 0 {
                    firsts += 1.0;
                    let above = (ratio.mean / truth).ln() * if pair.one == 0 { 1.0 } else { -1.0 };
                    sum.beyond[0] += f64::from(above > relative);
                    sum.beyond[1] += f64::from(above < -relative);
                    let is_so = (ratio.mean.ln() - relative).exp() >= 1.02;
                    sum.higher += f64::from(pair.one == 0 && is_so);
                    sum.lower += f64::from(pair.other == 0 && is_so);
                } else {
                    equals += 1.0;
                    sum.same += f64::from(ratio.mean.ln() + relative <= 1.05_f64.ln());
                }
            }
        }
        sum.covered /= firsts + equals;
        sum.higher /= firsts;
        sum.lower /= firsts;
        sum.beyond = sum.beyond.map(|wrong| wrong / firsts);
        sum.same /= equals;
        sum
    }

    /// The share of comparisons in which the first of two configurations, faster by this factor, is found to differ where
    /// neither starts nor rounds are shared: three runs of each, minutes apart, each with a window of 15 s.
    fn told_by_separate_runs(noise: &Noise, faster: f64) -> f64 {
        const COMPARISONS: usize = 300;
        const RUNS: usize = 3;
        const BETWEEN_RUNS: f64 = 120.0;
        let mut random = ChaCha8Rng::seed_from_u64(29);
        let is_told = |random: &mut ChaCha8Rng| {
            let mut speed = Speed { noise, state: normal(random), at: 0.0 };
            let mut samples = [Vec::new(), Vec::new()];
            for _ in 0..RUNS {
                for (factor, sample) in [faster, 1.0].into_iter().zip(&mut samples) {
                    speed.after(BETWEEN_RUNS, random);
                    let slowness = mean(&std::array::from_fn::<f64, 5, _>(|_| speed.after(WINDOW, random)));
                    let own =
                        1.2 / (RATE * 5.0 * WINDOW).sqrt() * normal(random) + noise.start * normal(random);
                    sample.push(factor * RATE * (own - slowness).exp());
                }
            }
            let pair = crate::compare_all(&[&samples[0], &samples[1]]).pairs[0];
            pair.differs && pair.one == 0
        };
        (0..COMPARISONS).filter(|_| is_told(&mut random)).count() as f64 / COMPARISONS as f64
    }

    /// A control: shows the need for pairs and shared starts.
    #[test]
    fn separate_runs_hardly_ever_tell_a_tenth() {
        let usual = Noise { speed: (0.15, 60.0), start: 0.015, swing: None };
        let told = told_by_separate_runs(&usual, 1.1);
        assert!(told <= 0.15, "C6: {told}");
    }

    #[test]
    fn sequential_comparisons_keep_their_probability_of_error() {
        let calm = Noise { speed: (0.08, 60.0), start: 0.015, swing: None };
        let usual = Noise { speed: (0.15, 60.0), ..calm };
        let rough = Noise { speed: (0.25, 60.0), ..calm };
        for noise in [&calm, &usual, &rough] {
            let (equal, faster) = (compare_sequentially(noise, 1.0), compare_sequentially(noise, 1.1));
            assert!(equal.covered >= 0.95 && faster.covered >= 0.95, "C1: {equal:?}, {faster:?}");
            assert!(equal.higher <= 0.005 && faster.lower == 0.0, "C3: {equal:?}, {faster:?}");
            assert!(faster.higher >= 0.8, "C4: {faster:?}");
        }
        assert!(
            compare_sequentially(&usual, 1.1).higher >= 0.95,
            "C4: {:?}",
            compare_sequentially(&usual, 1.1)
        );
        assert!(compare_sequentially(&calm, 1.0).same >= 0.75, "C5: {:?}", compare_sequentially(&calm, 1.0));
        // At the limit of a claim, at most 2.5 % of intervals are wrong on each side, plus the chance deviation of so
        // few comparisons.
        for edge in [1.02, 1.05, 1.43] {
            let edge = compare_sequentially(&usual, edge);
            assert!(edge.beyond.iter().all(|wrong| *wrong <= 0.025 + 0.027), "C2: {edge:?}");
        }
    }

    #[test]
    fn intervals_over_starts_cover_the_truth_and_those_over_rounds_do_not() {
        for (start, most_by_rounds) in [(0.015, 0.91), (0.03, 0.80)] {
            let (by_starts, by_rounds) = coverage(&Noise { speed: (0.08, 60.0), start, swing: None }, true);
            assert!(by_starts >= 0.94 && by_rounds <= most_by_rounds, "{start}: {by_starts}, {by_rounds}");
        }
        let rough = Noise { speed: (0.25, 60.0), start: 0.03, swing: None };
        assert!(coverage(&rough, true).0 >= 0.94);
    }

    #[test]
    fn a_fixed_order_fails_if_the_machine_oscillates_with_the_rounds() {
        // Each configuration meets the same part of the oscillation in each round and at each start.
        let period = CONFIGURATIONS as f64 * (WINDOW + GAP);
        assert_eq!(BETWEEN % period, 0.0);
        let swing = Some(period);
        let noise = Noise { speed: (0.03, 60.0), start: 0.005, swing };
        let (shuffled, fixed) = (coverage(&noise, true).0, coverage(&noise, false).0);
        assert!(shuffled >= 0.94 && fixed <= 0.4, "{shuffled}, {fixed}");
    }
}
