//! Intervals of means.
//!
//! Coverage of the throughput's interval over 2,000 simulated windows, in %. For the loads, see the documentation of
//! quantiles.
//!
//! | think time, window | low | middle | near | knee | past | saturated |
//! |---|---|---|---|---|---|---|
//! | 7 s, 60 s | 95.1 | 95.0 | 95.7 | 97.3 | 94.8 | 94.8 |
//! | 7 s, 300 s | 95.5 | 94.5 | 95.1 | 96.2 | 94.5 | 94.5 |
//! | 0.35 s, 10 s | 95.7 | 95.6 | 95.4 | 95.8 | 96.1 | 95.2 |
//!
//! Fifteen batches suffice: the completions of one second depend little on the seconds before, even if response times
//! depend on them for a think time. An autoregression or fewer batches gain nothing here.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Batches of a long window. Beyond 10 to 30 batches an interval hardly gets narrower, while longer batches depend less on
/// one another (Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30, 1982).
const BATCHES: usize = 15;

/// With fewer batches than this, Schmeiser advises against an interval.
pub(crate) const LEAST_BATCHES: usize = 10;

/// Longer series are shortened to the means of neighbours.
const LONGEST_SERIES: usize = 300;

const CONFIDENCE: f64 = 0.95;

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub mean: f64,
    /// In the mean's unit.
    pub half_width: f64,
}

impl Interval {
    /// The interval of the mean of independent values, by Student's t; none for fewer than two.
    pub fn of_mean(values: &[f64]) -> Option<Self> {
        Self::of_mean_at(values, 1.0 - CONFIDENCE)
    }

    /// `of_mean` with this probability of error.
    pub fn of_mean_at(values: &[f64], error: f64) -> Option<Self> {
        let degrees = values.len().checked_sub(1).filter(|degrees| *degrees > 0)? as f64;
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / degrees;
        Some(Self { mean, half_width: quantile(degrees, error) * (variance / count).sqrt() })
    }

    pub fn low(&self) -> f64 {
        self.mean - self.half_width
    }

    pub fn high(&self) -> f64 {
        self.mean + self.half_width
    }

    /// Lower end of the interval of a factor, whose logarithm is as far from both ends.
    pub fn low_of_factor(&self) -> f64 {
        self.mean.powi(2) / self.high()
    }
}

/// Standard deviation of runs relative to their means, common to several configurations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// Of a run's logarithm.
    deviation: f64,
    degrees: f64,
}

impl Scatter {
    /// The common deviation of groups of runs, each around its own mean (the mean square within groups of an analysis
    /// of variance); none if no group has two runs. Figures must be positive.
    pub fn within<'a>(groups: impl IntoIterator<Item = &'a [f64]>) -> Option<Self> {
        let (mut squares, mut degrees) = (0.0, 0.0);
        for group in groups.into_iter().filter(|group| !group.is_empty()) {
            let logarithms: Vec<f64> = group.iter().map(|value| value.ln()).collect();
            let middle = mean(&logarithms);
            squares += logarithms.iter().map(|value| (value - middle).powi(2)).sum::<f64>();
            degrees += (group.len() - 1) as f64;
        }
        (degrees > 0.0).then(|| Self { deviation: (squares / degrees).sqrt(), degrees })
    }

    /// Relative half-width of the 95 % interval of the mean of `runs` runs.
    pub fn relative_half_width(&self, runs: usize) -> f64 {
        student_quantile(self.degrees) * self.deviation / (runs as f64).sqrt()
    }
}

/// The interval of a mean throughput from its counts in consecutive seconds, by batch means; none if the window is too
/// short for ten batches.
///
/// Neighbouring seconds depend on one another, so that their variance alone would give too narrow an interval. The
/// means of batches, several seconds each, are nearly independent (Law and Carson, "A sequential procedure for
/// determining the length of a steady-state simulation", Operations Research 27, 1979). The interval is that of the
/// run's own long-run mean: variance between runs shows only when a load is measured again. The first seconds may fill
/// no batch; they count in the mean only.
pub fn batch_means(values_per_second: &[f64]) -> Option<Interval> {
    of_batches(values_per_second, BATCHES)
}

/// Batch means with about `batches` batches, at least ten. Fewer and longer batches cover slower changes.
pub(crate) fn of_batches(values: &[f64], batches: usize) -> Option<Interval> {
    if values.len() < LEAST_BATCHES {
        return None;
    }
    let length = (values.len() / batches).max(1);
    let means: Vec<f64> = values.rchunks_exact(length).map(mean).collect();
    let scatter = Interval::of_mean(&means)?;
    Some(Interval { mean: mean(values), ..scatter })
}

/// The interval of the mean of a stationary series by an autoregression of first order; none for fewer than ten values.
///
/// With the correlation `r` of neighbours, `n` values are worth `n (1 - r) / (1 + r)` independent ones. Estimated from
/// few values, `r` is too small by about `(1 + 3 r) / n` (Kendall, Biometrika 41, 1954), and so is the variance; both
/// are corrected. Long series are shortened to means of neighbours.
pub(crate) fn autoregression(values: &[f64]) -> Option<Interval> {
    if values.len() < LEAST_BATCHES {
        return None;
    }
    let length = (values.len() / LONGEST_SERIES).max(1);
    let means: Vec<f64> = values.rchunks_exact(length).map(mean).collect();
    let (count, middle) = (means.len() as f64, mean(&means));
    let squares: f64 = means.iter().map(|value| (value - middle).powi(2)).sum();
    let products: f64 = means.windows(2).map(|two| (two[0] - middle) * (two[1] - middle)).sum();
    let estimated = if squares > 0.0 { products / squares } else { 0.0 };
    let correlation = (estimated + (1.0 + 3.0 * estimated.max(0.0)) / count).clamp(0.0, 1.0 - 3.0 / count);
    let worth = count * (1.0 - correlation) / (1.0 + correlation);
    let variance = squares / count / (1.0 - 1.0 / worth.max(1.5));
    let degrees = (worth - 1.0).clamp(1.0, count - 1.0);
    let half_width = student_quantile(degrees) * (variance / worth).sqrt();
    Some(Interval { mean: mean(values), half_width })
}

/// Half-width of a 95 % interval in standard errors that were estimated with `degrees` (positive) degrees of freedom.
pub(crate) fn student_quantile(degrees: f64) -> f64 {
    quantile(degrees, 1.0 - CONFIDENCE)
}

pub(crate) fn quantile(degrees: f64, error: f64) -> f64 {
    let law = StudentsT::new(0.0, 1.0, degrees).expect("degrees of freedom are positive");
    law.inverse_cdf(1.0 - error / 2.0)
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn normal(random: &mut impl Rng) -> f64 {
        let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// The share of simulated runs whose interval holds the true mean. A run's seconds are an AR(1) process: each
    /// keeps `correlation` of its predecessor's deviation.
    fn coverage(correlation: f64, seconds: usize) -> f64 {
        const RUNS: usize = 2000;
        const TRUTH: f64 = 500.0;
        let mut random = ChaCha8Rng::seed_from_u64(42);
        let innovation = (1.0 - correlation * correlation).sqrt();
        let covered = (0..RUNS).filter(|_| {
            let mut deviation = normal(&mut random);
            let run: Vec<f64> = (0..seconds)
                .map(|_| {
                    deviation = correlation * deviation + innovation * normal(&mut random);
                    TRUTH + 20.0 * deviation
                })
                .collect();
            let interval = batch_means(&run).unwrap();
            interval.low() <= TRUTH && TRUTH <= interval.high()
        });
        covered.count() as f64 / RUNS as f64
    }

    #[test]
    fn intervals_keep_their_coverage_at_low_correlation() {
        for (correlation, seconds) in [(0.0, 10), (0.0, 60), (0.1, 60), (-0.2, 60), (0.3, 300), (0.6, 900)] {
            let share = coverage(correlation, seconds);
            assert!((0.93..=0.97).contains(&share), "AR({correlation}) over {seconds} s: {share}");
        }
    }

    #[test]
    fn coverage_drops_in_short_windows_with_strong_correlation() {
        let share = coverage(0.3, 60);
        assert!((0.91..0.95).contains(&share), "{share}");
        let naive_would_be_worse = coverage(0.6, 60);
        assert!((0.80..0.93).contains(&naive_would_be_worse), "{naive_would_be_worse}");
    }

    #[test]
    fn short_windows_have_no_interval_and_long_ones_ten_to_thirty_batches() {
        assert_eq!(batch_means(&[5.0; 9]), None);
        assert_eq!(batch_means(&[5.0; 10]), Some(Interval { mean: 5.0, half_width: 0.0 }));
        for seconds in 10..5000_usize {
            let batches = seconds / (seconds / BATCHES).max(1);
            assert!((10..30).contains(&batches), "{batches} of {seconds} s");
        }
    }

    #[test]
    fn seconds_outside_the_batches_count_in_the_mean() {
        let mut seconds = vec![10.0; 31];
        seconds[0] = 41.0;
        assert_eq!(batch_means(&seconds), Some(Interval { mean: 11.0, half_width: 0.0 }));
    }

    #[test]
    fn a_single_run_takes_the_deviation_of_other_groups() {
        const RUNS: usize = 4000;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut run = |mean: f64| mean * (0.05 * normal(&mut random)).exp();
        let held = (0..RUNS).filter(|_| {
            let groups = [100.0, 300.0, 900.0].map(|mean| [mean; 3].map(&mut run));
            let scatter = Scatter::within(groups.iter().map(<[f64; 3]>::as_slice)).unwrap();
            (run(500.0) / 500.0).ln().abs() <= scatter.relative_half_width(1)
        });
        let share = held.count() as f64 / RUNS as f64;
        assert!((0.94..=0.96).contains(&share), "{share}");
        let three = Scatter::within([&[9.0, 10.0, 11.0][..], &[7.0], &[]]).unwrap();
        let expected = Interval::of_mean(&[9.0_f64, 10.0, 11.0].map(f64::ln)).unwrap();
        assert!((three.relative_half_width(3) - expected.half_width).abs() < 1e-12);
        assert_eq!(Scatter::within([&[1.0][..], &[]]), None);
    }

    #[test]
    fn students_t_matches_the_printed_table() {
        let interval = Interval::of_mean(&[9.0, 10.0, 11.0]).unwrap();
        assert!((interval.half_width - 4.303 / 3.0_f64.sqrt()).abs() < 1e-3, "{interval:?}");
        assert_eq!(Interval::of_mean(&[9.0]), None);
    }
}
