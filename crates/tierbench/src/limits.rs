//! Limits of the numbers that are asked for, by an option or by the manifest of an earlier run.

use std::{ops::RangeInclusive, time::Duration};
use workload::Length;

/// No disk holds the data of a larger scale: those of scale 1 take 1.5 GB.
pub(crate) const LARGEST_SCALE: f64 = 10_000.0;

/// Rates from one in a day, of which no run sees any, to more than a generator of one thread makes.
pub(crate) const RATES: RangeInclusive<f64> = 1e-5..=1e6;

/// Paces from a thousand times faster than people to a thousand times slower.
pub(crate) const TIME_SCALES: RangeInclusive<f64> = 0.001..=1000.0;

/// The longest ramp or window of a point, and the longest think time before it is scaled.
pub(crate) const LONGEST: Duration = Length::LONGEST.0;

/// The longest time that was scaled.
pub(crate) const LONGEST_SCALED: Duration = Duration::from_secs(1000 * LONGEST.as_secs());

/// More than the cores of any machine that drives loads.
pub(crate) const MOST_WORKERS: u32 = 256;

/// More than anybody waits for.
pub(crate) const MOST_REPETITIONS: u32 = 1000;

/// The most listed loads, each as often as it is repeated: the result has a line for each.
pub(crate) const MOST_POINTS: u64 = 1 << 20;

/// True if so many seconds are a length of time, at most this one.
pub(crate) fn is_length(seconds: f64, longest: Duration) -> bool {
    Duration::try_from_secs_f64(seconds).is_ok_and(|length| length <= longest)
}
