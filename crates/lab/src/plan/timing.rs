//! The times of an experiment: think time, ramp, window, and the stretches of a window in rounds.

use crate::workspace::{Timeout, length};
use engine::Load;
use results::RunSpec;
use std::time::Duration;
use workload::LoadKind;

/// The longest ramp, in planned ramps, for the requests before the window. After that the point counts all the same, and its
/// verdict says whether it is steady.
const MOST_RAMPS: u32 = 10;

/// The length of a stretch, about. With the same minutes, stretches of 3 s give half the interval that 15 s give; shorter ones
/// lose more at their edges than they win.
const STRETCH: Duration = Duration::from_secs(3);
/// The time for which clients work before a stretch begins. Their connections may have been closed meanwhile, and caches filled
/// with the data of others. After longer gaps, neighbours did not compare better.
pub(crate) const GAP: Duration = Duration::from_secs(1);
/// Stretches of a window that only searches for the peak load.
const SEARCHED: u32 = 4;

/// The longest expected warm-up of a site that needs no processor for itself.
const QUICK: Duration = Duration::from_secs(20);
/// Such sites that warm at the same time. With more, each would have too little of the processors to become warm in time.
pub(crate) const AT_ONCE: usize = 2;

/// True if sites that are expected to warm for so long do so beside others.
pub(crate) fn is_quick(warm_up: Duration) -> bool {
    warm_up <= QUICK
}

/// The share of a start that pages are compared for after its loads, and the least and the longest time for that.
const SHARE_FOR_PAGES: f64 = 0.05;
const LEAST_FOR_PAGES: Duration = Duration::from_secs(3);
const LONGEST_FOR_PAGES: Duration = Duration::from_secs(20);

/// The longest time for comparing pages at the end of a start that took so long for one configuration.
pub(crate) fn time_for_pages(start: Duration) -> Duration {
    start.mul_f64(SHARE_FOR_PAGES).clamp(LEAST_FOR_PAGES, LONGEST_FOR_PAGES)
}

/// The times that a specification asks for.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    pub session_length: Duration,
    /// The shortest ramp, before the window.
    pub ramp: Duration,
    pub window: Duration,
    /// The time limit of a warm-up; none for what the services of a configuration expect.
    pub longest_warm_up: Option<Duration>,
    /// Factor on all lengths of time that services know of their clients.
    pub time_scale: f64,
    /// True if the run only tries that everything works: then servers are hardly warmed.
    pub is_smoke: bool,
}

impl Timing {
    pub fn of(spec: &RunSpec) -> Self {
        Self {
            session_length: length(spec.session_length_s),
            ramp: length(spec.ramp_s),
            window: length(spec.window_s),
            longest_warm_up: spec.warm_up_s.map(length),
            time_scale: spec.time_scale,
            is_smoke: spec.smoke,
        }
    }

    /// A load of this kind with these times.
    pub(crate) fn load(&self, kind: LoadKind, Timeout(timeout): Timeout, seed: u64) -> Load {
        Load {
            session_length: self.session_length,
            ramp: self.ramp,
            warm_requests: kind.warm_requests(),
            longest_ramp: self.ramp * MOST_RAMPS,
            window: kind.window(self.window, timeout),
            timeout,
            seed,
            ..Load::new(kind)
        }
    }
}

/// The stretches of a window in rounds that is at least so long: their number, and the length of each in whole seconds.
pub(crate) fn stretches(window: Duration, is_search: bool) -> (u32, Duration) {
    let window = if is_search { window.min(STRETCH * SEARCHED) } else { window };
    let count = window.as_secs_f64() / STRETCH.as_secs_f64();
    let count = (count.ceil() as u32).max(1);
    let each = (window.as_secs_f64() / f64::from(count)).ceil() as u64;
    (count, Duration::from_secs(each.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_share_of_the_start_within_limits() {
        let pages = |seconds| time_for_pages(Duration::from_secs(seconds)).as_secs_f64();
        assert_eq!([0, 60, 100, 400, 7200].map(pages), [3.0, 3.0, 5.0, 20.0, 20.0]);
    }

    #[test]
    fn a_window_is_cut_into_stretches_of_whole_seconds_that_are_no_shorter_together() {
        let cut = |seconds| {
            let (count, each) = stretches(Duration::from_secs(seconds), false);
            (count, each.as_secs())
        };
        assert_eq!([1, 3, 8, 10, 24].map(cut), [(1, 1), (1, 3), (3, 3), (4, 3), (8, 3)]);
        assert_eq!(stretches(Duration::from_millis(200), false), (1, Duration::from_secs(1)));
        assert_eq!(
            stretches(Duration::from_secs(24), true),
            (4, Duration::from_secs(3)),
            "a search needs few"
        );
    }
}
