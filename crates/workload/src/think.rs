//! Think times and session lengths: negative exponential, drawn by inversion.

use rand::{Rng, RngExt};
use std::time::Duration;

/// The longest think time, in means. TPC-W (specification 1.8, clause 5.3.1.1) draws `-ln(r) · mean` and returns ten
/// means for all smaller `r`, which shortens the mean by less than 0.005 %.
const LONGEST_THINK_TIME: f64 = 10.0;

/// Draws a think time: negative exponential, at most ten means.
pub fn think_time(mean: Duration, random: &mut impl Rng) -> Duration {
    if mean.is_zero() {
        // Without think time, a number is drawn all the same, so that the other draws stay the same.
        let _: f64 = random.random();
        return mean;
    }
    mean.mul_f64(exponential(random).min(LONGEST_THINK_TIME))
}

/// Draws the length of a session: negative exponential.
pub fn session_length(mean: Duration, random: &mut impl Rng) -> Duration {
    mean.mul_f64(exponential(random))
}

/// The mean of [`think_time`], whose distribution is truncated.
pub(crate) fn mean_thought(mean: Duration) -> Duration {
    mean.mul_f64(1.0 - (-LONGEST_THINK_TIME).exp())
}

/// The probability that a session outlasts one more think time. It is the same at each step, because the exponential
/// distribution is memoryless.
pub(crate) fn chance_to_stay(think_time: Duration, session_length: Duration) -> f64 {
    if session_length.is_zero() {
        return 0.0;
    }
    // The mean of `exp(-think / length)` over the truncated distribution.
    let rate = 1.0 + think_time.as_secs_f64() / session_length.as_secs_f64();
    let cut = (-LONGEST_THINK_TIME * rate).exp();
    (1.0 - cut) / rate + cut
}

/// The probability that a session outlasts a response time.
pub(crate) fn chance_to_outlast(response: Duration, session_length: Duration) -> f64 {
    if response.is_zero() {
        return 1.0;
    }
    (-response.as_secs_f64() / session_length.as_secs_f64()).exp()
}

/// A negative exponential number with mean 1; at most about 37, because a drawn `f64` has 53 bits.
pub fn exponential(random: &mut impl Rng) -> f64 {
    let below_one: f64 = random.random();
    -(1.0 - below_one).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn think_times_follow_the_truncated_exponential_distribution() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mean = Duration::from_secs(7);
        let mut drawn: Vec<f64> =
            (0..200_000).map(|_| think_time(mean, &mut random).as_secs_f64() / 7.0).collect();
        drawn.sort_by(f64::total_cmp);
        let count = drawn.len() as f64;
        let distance = drawn
            .iter()
            .enumerate()
            .take_while(|(_, x)| **x < LONGEST_THINK_TIME)
            .map(|(i, x)| ((1.0 - (-x).exp()) - i as f64 / count).abs())
            .fold(0.0, f64::max);
        // The Kolmogorov-Smirnov distance at the level of 10⁻⁴.
        assert!(distance < 2.23 / count.sqrt(), "{distance}");
        assert!(*drawn.last().unwrap() <= LONGEST_THINK_TIME);
        // Nine of 200,000 draws lie beyond ten means on average.
        assert_eq!(*drawn.last().unwrap(), LONGEST_THINK_TIME);
    }

    #[test]
    fn the_formulas_match_the_draws() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let (think, length) = (Duration::from_secs(30), Duration::from_secs(40));
        let mut stayed = 0;
        let mut thought = Duration::ZERO;
        for _ in 0..400_000 {
            let drawn = think_time(think, &mut random);
            thought += drawn;
            stayed += u32::from(drawn < session_length(length, &mut random));
        }
        let deviation = f64::from(stayed) / 4e5 - chance_to_stay(think, length);
        assert!(deviation.abs() < 4.5 * 0.5 / 4e5_f64.sqrt(), "{deviation}");
        let deviation = thought.as_secs_f64() / 4e5 / mean_thought(think).as_secs_f64() - 1.0;
        assert!(deviation.abs() < 4.5 / 4e5_f64.sqrt(), "{deviation}");
        assert_eq!(chance_to_stay(think, Duration::ZERO), 0.0);
        assert_eq!(chance_to_stay(Duration::ZERO, length), 1.0);
    }

    #[test]
    fn a_mean_of_zero_is_no_wait() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        assert_eq!(think_time(Duration::ZERO, &mut random), Duration::ZERO);
    }
}
