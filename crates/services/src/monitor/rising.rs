//! Rates of counters.

use std::time::Instant;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rising(Option<(Instant, f64)>);

impl Rising {
    /// The rate per second since the last value; none for the first. A lower value means a restarted counter.
    pub(super) fn a_second(&mut self, now: Instant, value: f64) -> Option<f64> {
        let (then, earlier) = self.0.replace((now, value))?;
        let length_s = now.saturating_duration_since(then).as_secs_f64();
        (length_s > 0.0).then(|| (value - earlier).max(0.0) / length_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_rate_needs_two_looks_and_a_counter_that_begins_anew_is_not_negative() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut counter = Rising::default();
        let rates = [(0, 10.0), (2, 16.0), (2, 17.0), (3, 4.0), (4, 5.0)]
            .map(|(second, value)| counter.a_second(at(second), value));
        assert_eq!(rates, [None, Some(3.0), None, Some(0.0), Some(1.0)]);
    }
}
