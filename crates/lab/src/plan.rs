//! What will be measured and how long it is expected to take, told before it begins and again after each point.

use crate::{Loads, Timing};
use results::Point;
use stats::{CapacitySearch, PeakSearch, SearchPhase, StoppingRule};
use std::{iter::Sum, time::Duration};

/// What will be measured.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The configurations. In which order they are measured is drawn anew for each round of points.
    pub configurations: Vec<String>,
    /// At which loads.
    pub loads: Loads,
    /// How often each listed load, or else each peak, is measured; on how many starts a capacity is confirmed at most.
    pub repetitions: u32,
    /// Seed of the order and of all clients.
    pub seed: u64,
    /// How many points were measured before an interruption.
    pub done: u32,
    /// How long one point is expected to take, with restoring and auditing the data.
    pub point: Duration,
    /// What is still to be measured, preparations included.
    pub left: Left,
}

/// How much is still to be measured: at least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Points.
    pub points: (u32, u32),
    /// How long that is expected to take.
    pub time: (Duration, Duration),
}

/// What stopping, starting and auditing take, until it is known better.
const BETWEEN_POINTS: Duration = Duration::from_secs(5);
/// What restoring data takes besides that are made from a million units: before servers are warmed and after, and reading
/// them then.
const RESTORING_A_MILLION: Duration = Duration::from_secs(6);
/// What building a site takes whose data are in the cache.
const BUILDING: Duration = Duration::from_secs(2);
/// What verifying it takes.
const VERIFYING: Duration = Duration::from_secs(5);
/// What warming takes with another mix on servers that are warm: little more than the evidence for it.
const WARMING_AGAIN: Duration = Duration::from_secs(10);

/// On about so many starts a capacity is bracketed before it is confirmed.
const BRACKETING_STARTS: u32 = 3;

impl Loads {
    /// How long one of them is expected to take.
    fn expected(&self, timing: &Timing) -> Duration {
        match self {
            Self::Arrivals(model) => model.expected(timing.window, timing.time_scale),
            Self::List(_) | Self::OverloadCycle(_) | Self::PeakSearch { .. } | Self::Capacity { .. } => {
                timing.ramp + timing.window
            }
        }
    }

    /// How many starts of the servers come on a point, if all points are VALID.
    pub(crate) fn starts_per_point(&self, repetitions: u32) -> f64 {
        match *self {
            Self::List(_) | Self::Arrivals(_) => 1.0,
            Self::OverloadCycle(ref steps) => 1.0 / steps.len().max(1) as f64,
            Self::PeakSearch { most, .. } => {
                let points = PeakSearch::new(most, repetitions).remaining(StoppingRule::Fixed, 0).1;
                f64::from(1 + repetitions) / f64::from(points)
            }
            Self::Capacity { most, .. } => {
                let points = CapacitySearch::new(most, repetitions).remaining(0, SearchPhase::Search).1;
                f64::from(BRACKETING_STARTS + repetitions) / f64::from(points)
            }
        }
    }
}

/// How long points take: first as the settings promise, then as it was seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    promised: Duration,
    /// What is promised of that besides the loads, the warming one included.
    between: Duration,
    starts: f64,
    /// How many experiments share a start and the preparation of sites.
    sharing: u32,
    taken: Duration,
    points: u32,
}

impl Pace {
    /// The pace at which points are promised whose data are made from so many units, on so many starts of the servers each,
    /// which so many experiments share. `warm_ups` is how long the servers of each configuration take to be warm; the
    /// configurations take turns.
    pub(crate) fn new(
        timing: &Timing,
        loads: &Loads,
        units: u64,
        warm_ups: impl IntoIterator<Item = Duration>,
        starts: f64,
        sharing: u32,
    ) -> Self {
        let with_all_mixes = |first: Duration| first + first.min(WARMING_AGAIN) * (sharing - 1);
        let warm_ups: Vec<Duration> =
            warm_ups.into_iter().filter(|_| !timing.is_smoke).map(with_all_mixes).collect();
        let warming = (warm_ups.iter().sum::<Duration>() / warm_ups.len().max(1) as u32).mul_f64(starts);
        let between = (BETWEEN_POINTS + RESTORING_A_MILLION.mul_f64(units as f64 / 1e6)) / sharing;
        let promised = warming / sharing + loads.expected(timing) + between;
        Self { promised, between, starts, sharing, taken: Duration::ZERO, points: 0 }
    }

    /// Takes in a point from before an interruption: how long its loads took is written down.
    pub(crate) fn recall(&mut self, point: &Point) {
        let warming_s = point.warm_up.map_or(0.0, |warm_up| warm_up.seconds) * self.starts;
        self.record(Duration::from_secs_f64(warming_s + point.warm_s + point.window_s) + self.between);
    }

    /// Takes in how long a point took in all.
    pub(crate) fn record(&mut self, taken: Duration) {
        self.taken += taken;
        self.points += 1;
    }

    /// How long a point takes.
    pub(crate) fn point(&self) -> Duration {
        if self.points == 0 { self.promised } else { self.taken / self.points }
    }

    /// How long so many points take.
    pub(crate) fn left(&self, points: (u32, u32)) -> Left {
        Left { points, time: (self.point() * points.0, self.point() * points.1) }
    }

    /// An experiment's share of the preparation of so many sites, of which so many are verified.
    pub(crate) fn preparing(&self, sites: usize, verified: usize) -> Duration {
        (BUILDING * sites as u32 + VERIFYING * verified as u32) / self.sharing
    }
}

impl Left {
    /// With what comes before it.
    pub(crate) fn after(self, preparing: Duration) -> Self {
        Self { time: (self.time.0 + preparing, self.time.1 + preparing), ..self }
    }

    /// Seconds in the middle between least and most.
    pub fn expected_s(&self) -> f64 {
        (self.time.0 + self.time.1).as_secs_f64() / 2.0
    }
}

impl Sum for Left {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let nothing = Self { points: (0, 0), time: (Duration::ZERO, Duration::ZERO) };
        all.fold(nothing, |sum, left| Self {
            points: (sum.points.0 + left.points.0, sum.points.1 + left.points.1),
            time: (sum.time.0 + left.time.0, sum.time.1 + left.time.1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_hardly_warms() {
        let promised = |is_smoke| {
            let timing = Timing { is_smoke, ..timing() };
            Pace::new(&timing, &listed(), 0, [Duration::from_secs(45)], 1.0, 1).point().as_secs()
        };
        assert_eq!(promised(false), promised(true) + 45);
    }

    fn listed() -> Loads {
        Loads::List(vec![50])
    }

    fn timing() -> Timing {
        let [ramp, window] = [70, 60].map(Duration::from_secs);
        Timing { think_time: ramp / 10, session_length: ramp, ramp, window, time_scale: 1.0, is_smoke: false }
    }

    #[test]
    fn points_that_share_a_start_share_its_warming() {
        let search = Loads::PeakSearch { most: 400, looks: StoppingRule::Fixed };
        // Up to eighteen loads on a start, and the best of them, with one beyond it, on three.
        assert_eq!(search.starts_per_point(3), 4.0 / 24.0);
        assert_eq!(Loads::OverloadCycle(vec![1, 2, 1, 1]).starts_per_point(3), 0.25);
        let promised =
            |starts| Pace::new(&timing(), &listed(), 0, [Duration::from_secs(40)], starts, 1).point();
        assert_eq!(promised(1.0) - promised(0.25), Duration::from_secs(30));
    }

    #[test]
    fn what_was_promised_gives_way_to_what_was_seen() {
        let warm_ups = [7, 13].map(Duration::from_secs);
        let mut pace = Pace::new(&timing(), &listed(), 1_250_000, warm_ups, 1.0, 1);
        assert_eq!(pace.point(), Duration::from_millis(70_000 + 60_000 + 5_000 + 10_000 + 7_500));
        pace.record(Duration::from_secs(200));
        pace.record(Duration::from_secs(100));
        let left = pace.left((2, 10));
        assert_eq!(left.time, (Duration::from_secs(300), Duration::from_secs(1500)));
        assert_eq!(left.expected_s(), 900.0);
    }

    #[test]
    fn preparations_are_expected_too() {
        let pace = |sharing| Pace::new(&timing(), &listed(), 0, [Duration::from_secs(10)], 1.0, sharing);
        let left = |sharing| pace(sharing).left((1, 1)).after(pace(sharing).preparing(3, 2));
        assert_eq!(left(1).time.0, Duration::from_secs(145 + 3 * 2 + 2 * 5));
        let both: Left = [left(2), left(2)].into_iter().sum();
        assert_eq!(both.points, (2, 2));
        assert_eq!(
            both.time.0,
            left(1).time.0 + Duration::from_secs(130 + 10),
            "all but a load and its mix's warming"
        );
    }
}
