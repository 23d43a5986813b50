//! Ratios with their 95 % intervals, and the regions that claims admit.
//!
//! A claim about a ratio is decided only if the whole interval lies within the claimed region, or wholly outside: the
//! one confirms the claim and the other refutes it, each with an error of at most 5 % (an equivalence test by its
//! interval: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). A wider interval therefore never
//! decides what a narrower one within it doesn't.
//!
//! All of it is symmetric on the scale of logarithms, so that a ratio and its inverse are judged alike.

use stats::{
    Interval, LoadRatio, Pair, Ranking, StandardError, StartSample, StoppingRule, compare_all, compare_loads,
    compare_starts,
};

/// Tolerated factor between a ratio and the printed one, beyond rounding. The studies give no intervals, say nothing
/// of scatter between runs, and found peaks at round numbers of clients.
const PRINTED_TOLERANCE: f64 = 1.1;

/// Largest ratio without a relevant difference: less than the smallest difference that a paper calls one, 10,440 to
/// 9,780 interactions a minute, 6.7 %.
const SAME: f64 = 1.05;

/// Smallest ratio that counts as a difference.
const HIGHER: f64 = 1.02;

/// Standard errors in half of a 95 % interval of a normal deviate.
const NORMAL: f64 = 1.96;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    pub value: f64,
    /// The ends of its 95 % interval.
    pub low: f64,
    pub high: f64,
    pub error: StandardError,
}

impl Ratio {
    /// Ratio of means over runs; none with fewer than three of either, since two don't show their scatter.
    ///
    /// The interval is the one with which reports compare peaks (Welch's degrees of freedom, the delta method), taken
    /// as one of the ratio's logarithm, for which relative errors are errors.
    pub fn of_runs(one: &[f64], other: &[f64]) -> Option<Self> {
        Self::of_ranking(&compare_all(&[one, other]))
    }

    /// Ratio of the first sample over the second over common starts, in which common disturbances of the machine cancel.
    /// The others on these starts show how far starts differ. None of fewer than three starts, or two where the others
    /// show enough.
    pub fn of_starts(samples: &[StartSample], stopping_rule: StoppingRule) -> Option<Self> {
        Self::of_ranking(&compare_starts(samples, stopping_rule))
    }

    /// Ratio of two conditions of a configuration, followed by those of others: see [`compare_loads`].
    pub fn of_loads(configurations: &[[StartSample; 2]], stopping_rule: StoppingRule) -> Option<Self> {
        let LoadRatio { ratio, error } = compare_loads(configurations, stopping_rule)?;
        Some(Self::spread(ratio.mean, ratio.half_width / ratio.mean, error))
    }

    /// Ratio of the first over the second.
    fn of_ranking(ranking: &Ranking) -> Option<Self> {
        let is_meant = |pair: &&Pair| pair.one.min(pair.other) == 0 && pair.one.max(pair.other) == 1;
        let pair = ranking.pairs.iter().find(is_meant).filter(|pair| pair.p.is_some())?;
        let ratio = pair.ratio?;
        let ratio = Self::spread(ratio.mean, ratio.half_width / ratio.mean, pair.ratio_error?);
        Some(if pair.one == 0 { ratio } else { ratio.inverse() })
    }

    /// Mean of ratios, one per run; none of fewer than three.
    pub fn of_ratios(ratios: &[f64]) -> Option<Self> {
        let mean = Some(ratios).filter(|ratios| ratios.len() > 2).and_then(Interval::of_mean)?;
        Self::of_intervals(mean, Interval { mean: 1.0, half_width: 0.0 })
    }

    /// Ratio of figures with their own 95 % intervals; none where one of them may not be positive.
    ///
    /// Relative half-widths add as squares, as relative errors do (the delta method on logarithms: Hedges, Gurevitch
    /// and Curtis, Ecology 80, 1999; separate intervals for standard errors: Zou and Donner, Statistics in Medicine
    /// 27, 2008).
    pub fn of_intervals(one: Interval, other: Interval) -> Option<Self> {
        let relative =
            |interval: Interval| (interval.low() > 0.0).then(|| interval.half_width / interval.mean);
        let relative = relative(one)?.hypot(relative(other)?);
        let error = StandardError { value: relative / NORMAL, degrees: f64::INFINITY };
        Some(Self::spread(one.mean / other.mean, relative, error))
    }

    fn spread(value: f64, relative: f64, error: StandardError) -> Self {
        let factor = relative.exp();
        Self { value, low: value / factor, high: value * factor, error }
    }

    pub fn inverse(self) -> Self {
        Self { value: self.value.recip(), low: self.high.recip(), high: self.low.recip(), error: self.error }
    }

    /// The product of two independent ratios: relative half-widths add as squares, and so do standard errors, with
    /// Satterthwaite's degrees of freedom.
    pub fn times(self, other: Self) -> Self {
        let relative = |ratio: Self| (ratio.high / ratio.low).ln() / 2.0;
        let [one, two] = [self.error, other.error].map(|error| error.value.powi(2));
        let share = |variance: f64, degrees: f64| variance.powi(2) / degrees;
        let shares = share(one, self.error.degrees) + share(two, other.error.degrees);
        let degrees = if shares > 0.0 { (one + two).powi(2) / shares } else { f64::INFINITY };
        let error = StandardError { value: (one + two).sqrt(), degrees };
        Self::spread(self.value * other.value, relative(self).hypot(relative(other)), error)
    }

    /// The ratio where the numerator is a lower bound.
    pub fn at_least(self) -> Self {
        Self { high: f64::INFINITY, ..self }
    }

    /// The ratio where the denominator is a lower bound.
    pub fn at_most(self) -> Self {
        Self { low: 0.0, ..self }
    }
}

/// The region of a ratio that a claim admits: from `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    pub low: f64,
    /// May be infinite.
    pub high: f64,
}

impl Region {
    /// The region around a printed ratio between these two. No tolerance turns a ratio printed as higher into the
    /// same or a lower one.
    pub fn around(low: f64, high: f64) -> Self {
        let (least, most) = (low / PRINTED_TOLERANCE, high * PRINTED_TOLERANCE);
        Self {
            low: if low > HIGHER { least.max(HIGHER) } else { least },
            high: if high < HIGHER.recip() { most.min(HIGHER.recip()) } else { most },
        }
    }

    pub fn same() -> Self {
        Self { low: SAME.recip(), high: SAME }
    }

    pub fn higher() -> Self {
        Self { low: HIGHER, high: f64::INFINITY }
    }

    /// The region of a difference too large for a plateau.
    pub fn beyond_same() -> Self {
        Self { low: SAME, high: f64::INFINITY }
    }

    /// The probability that a ratio on the region's border is measured this far outside, or farther; none of one that is
    /// not outside with all of its interval.
    pub fn p_outside(&self, ratio: Ratio) -> Option<f64> {
        let beyond = if ratio.high < self.low {
            (self.low / ratio.value).ln()
        } else if self.high < ratio.low {
            (ratio.value / self.high).ln()
        } else {
            return None;
        };
        Some(ratio.error.p_beyond(beyond))
    }

    /// True if the ratio is in the region; none where its interval is only partly so.
    pub fn holds(&self, ratio: Ratio) -> Option<bool> {
        if self.low <= ratio.low && ratio.high <= self.high {
            Some(true)
        } else if ratio.high < self.low || self.high < ratio.low {
            Some(false)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn starts_that_are_shared_decide_what_runs_do_not() {
        let starts = |figures: &[f64]| StartSample {
            figures: (1..).zip(figures.iter().copied()).collect(),
            has_compilers: false,
        };
        let of_starts =
            |one: &[f64], other: &[f64]| Ratio::of_starts(&[starts(one), starts(other)], StoppingRule::Fixed);
        let (one, other) = ([112.0, 56.0, 90.0], [100.0, 51.0, 80.0]);
        let ratio = of_starts(&one, &other).unwrap();
        assert_eq!(Region::higher().holds(ratio), Some(true), "{ratio:?}");
        assert_eq!(Region::higher().holds(of_starts(&other, &one).unwrap()), Some(false));
        assert_eq!(Region::higher().holds(Ratio::of_runs(&one, &other).unwrap()), None);
        assert_eq!(of_starts(&one, &[2.0, 3.0]), None);
    }

    fn interval(mean: f64, half_width: f64) -> Interval {
        Interval { mean, half_width }
    }

    fn ratio(value: f64, low: f64, high: f64) -> Ratio {
        Ratio { value, low, high, error: StandardError { value: 0.1, degrees: 2.0 } }
    }

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
    }

    #[test]
    fn the_ratio_of_runs_is_that_of_the_reports() {
        let (one, other) = ([100.0, 102.0, 104.0], [50.0, 51.0, 52.0]);
        let ratio = Ratio::of_runs(&one, &other).unwrap();
        let reported = compare_all(&[&one, &other]).pairs[0].ratio.unwrap();
        assert!(close(ratio.value, 2.0));
        assert!(close((ratio.high / ratio.low).ln() / 2.0, reported.half_width / reported.mean));
        assert_eq!(Ratio::of_runs(&one[..2], &other), None);
        assert_eq!(Ratio::of_runs(&[], &other), None);
    }

    #[test]
    fn a_ratio_through_an_anchor_is_less_certain_than_either() {
        let [one, two] = [Ratio::of_runs(&[99.0, 100.0, 101.0], &[50.0, 50.2, 50.4]); 2].map(Option::unwrap);
        let both = one.times(two);
        assert!(close(both.value, one.value * two.value));
        assert!(close((both.high / both.low).ln(), 2.0_f64.sqrt() * (one.high / one.low).ln()));
        assert!(close(both.error.degrees, 2.0 * one.error.degrees), "{both:?}");
    }

    #[test]
    fn the_chance_of_being_outside_falls_from_a_fortieth_with_the_distance() {
        let interval = Ratio::of_runs(&[99.0, 100.0, 101.0], &[99.0, 100.0, 101.0]).unwrap();
        let above = |low: f64| Region { low, high: f64::INFINITY };
        let p = above(interval.high * 1.000_001).p_outside(interval).unwrap();
        assert!((p - 0.025).abs() < 1e-4, "{p}");
        assert!(above(1.5).p_outside(interval).unwrap() < p);
        assert_eq!(above(interval.value).p_outside(interval), None);
        assert_eq!(above(1.5).p_outside(interval.at_least()), None, "it may be higher");
    }

    #[test]
    fn nothing_is_said_of_what_may_be_zero() {
        assert_eq!(Ratio::of_intervals(interval(10.0, 1.0), interval(10.0, 10.0)), None);
        assert_eq!(Ratio::of_intervals(interval(10.0, f64::INFINITY), interval(10.0, 1.0)), None);
        assert_eq!(Ratio::of_intervals(interval(f64::NAN, 1.0), interval(10.0, 1.0)), None);
    }

    #[test]
    fn the_smallest_difference_that_a_paper_prints_is_neither_none_nor_too_small() {
        let printed = 10_440.0 / 9_780.0;
        let ratio = ratio(printed, printed, printed);
        assert_eq!(Region::same().holds(ratio), Some(false));
        assert_eq!(Region::higher().holds(ratio), Some(true));
    }

    proptest! {
        #[test]
        fn swapping_inverts(
            one in prop::collection::vec(1.0..1e4_f64, 3..6),
            other in prop::collection::vec(1.0..1e4_f64, 3..6),
        ) {
            let ratio = Ratio::of_runs(&one, &other).unwrap();
            let swapped = Ratio::of_runs(&other, &one).unwrap().inverse();
            prop_assert!(close(ratio.value, swapped.value) && close(ratio.low, swapped.low));
            let figure = |runs: &[f64]| interval(runs[0], runs[0] / runs[1].max(runs[0]) / 2.0);
            let ratio = Ratio::of_intervals(figure(&one), figure(&other)).unwrap();
            let swapped = Ratio::of_intervals(figure(&other), figure(&one)).unwrap().inverse();
            prop_assert!(close(ratio.low, swapped.low) && close(ratio.high, swapped.high));
        }

        #[test]
        fn the_unit_does_not_matter(
            one in prop::collection::vec(1.0..1e4_f64, 3..6),
            other in prop::collection::vec(1.0..1e4_f64, 3..6),
            unit in 0.01..100.0_f64,
        ) {
            let scaled = |runs: &[f64]| runs.iter().map(|run| run * unit).collect::<Vec<f64>>();
            let ratio = Ratio::of_runs(&one, &other).unwrap();
            let other = Ratio::of_runs(&scaled(&one), &scaled(&other)).unwrap();
            prop_assert!(close(ratio.low, other.low) && close(ratio.high, other.high));
        }

        #[test]
        fn a_wider_interval_holds_the_narrower_one(
            (one, other) in (10.0..100.0_f64, 10.0..100.0_f64),
            (width, wider) in (0.0..0.9_f64, 0.0..0.9_f64),
        ) {
            let (width, wider) = (width.min(wider), width.max(wider));
            let of = |width: f64| Ratio::of_intervals(interval(one, one * width), interval(other, 1.0)).unwrap();
            prop_assert!(of(wider).low <= of(width).low && of(width).high <= of(wider).high);
        }

        #[test]
        fn a_wider_interval_decides_nothing_new(
            value in 0.2..5.0_f64,
            (below, above) in (1.0..2.0_f64, 1.0..2.0_f64),
            (lower, higher) in (1.0..2.0_f64, 1.0..2.0_f64),
            printed in 0.3..3.0_f64,
        ) {
            let narrow = ratio(value, value / below, value * above);
            let wide = ratio(value, narrow.low / lower, narrow.high * higher);
            for region in [Region::around(printed, printed), Region::same(), Region::higher(), Region::beyond_same()] {
                let decided = region.holds(wide);
                prop_assert!(decided.is_none() || decided == region.holds(narrow));
            }
        }

        #[test]
        fn a_narrow_interval_is_decided_rightly(value in 0.2..5.0_f64, printed in 0.3..3.0_f64) {
            let ratio = ratio(value, value / 1.001, value * 1.001);
            let off = (value / printed).ln().abs();
            prop_assume!((off - PRINTED_TOLERANCE.ln()).abs() > 0.002);
            prop_assume!((value.ln().abs() - HIGHER.ln()).abs() > 0.002);
            let is_aside = printed.ln().abs() > HIGHER.ln();
            let changes_sides = is_aside && printed.ln().signum() * value.ln() < HIGHER.ln();
            let expected = off < PRINTED_TOLERANCE.ln() && !changes_sides;
            prop_assert_eq!(Region::around(printed, printed).holds(ratio), Some(expected));
        }
    }
}
