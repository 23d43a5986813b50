//! The forecast of an experiment's length: the loads that it asks for on average, times what starts and loads took in trials.

use crate::{
    error::LabError,
    plan::{AT_ONCE, GAP, Schedule, Task, Timing, compares_in_rounds, is_quick, stretches, time_for_pages},
    workspace::Variant,
};
use application::{Application, Dataset};
use results::{LeftRecord, Loads, Plan, Point, Purpose, RunSpec};
use stats::Remaining;
use std::time::Duration;
use workload::{LoadKind, Series};

/// An experiment, as far as its length depends on it.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// The configurations by name, each with the time to warm its servers.
    pub configurations: Vec<(String, Duration)>,
    pub loads: Loads,
    /// Measurements of each listed load, or else of each peak.
    pub repetitions: u32,
    pub timing: Timing,
    /// Seed of the data.
    pub seed: u64,
    /// The [`units`] of the data.
    pub units: u64,
    /// True if configurations are verified first.
    pub verifies: bool,
    /// Comparison of pages with the model's at the end of each start.
    pub compares_pages: bool,
    /// True if they are profiled last.
    pub profiles: bool,
}

// Seen on two processors, in comparisons of three configurations of the bookstore for an hour, of six of them with three
// mixes for four hours, and of two of the auction up to their capacities.

/// Verifying a configuration, and building a site whose data are in the cache: 14 s of PHP, 23 s of servlets.
const PREPARING: Duration = Duration::from_secs(20);
/// Starting and stopping the servers of a configuration, its audits, and judging its points: 4 s to 7 s.
const STARTING: Duration = Duration::from_secs(5);
/// On each start, restoring data that are made from a million units, before servers are warmed and after, and reading them:
/// 2 s with MyISAM, and several times that with other engines.
const RESTORING_A_MILLION: Duration = Duration::from_secs(6);
/// The checksums of loaded rows, of a million units, at the audit of each start: an estimate.
const CHECKSUMS_OF_A_MILLION: Duration = Duration::from_secs(4);
/// The model that pages are compared with, made from a million units, and the choice of pages: 1.3 s of CPU time for the former.
const MODEL_OF_A_MILLION: Duration = Duration::from_secs(3);
/// Warming servers by each further mix: 7 s to 70 s of servlets whose first mix took 50 s instead of 90 s, 8 s of PHP.
const WARMING_AGAIN: Duration = Duration::from_secs(10);
/// In each turn of a load in rounds, what lies between gap and stretch: clients wait for slow answers, and in the ramp for
/// compilers. Below the knee it was 0.3 s to 2.5 s a turn, at four times its load 10 s; on average 2.8 s to 3.6 s.
const WAITING: Duration = Duration::from_secs(3);
/// The same of sites that are warm in seconds: 0.7 s of PHP at three times its knee.
const WAITING_OF_QUICK: Duration = Duration::from_secs(1);

impl Forecast {
    /// The forecast for a specification, with all variants and the number of [`units`] of the data.
    pub fn of(spec: &RunSpec, variants: &[Variant], units: u64) -> Self {
        let timing = Timing::of(spec);
        let of_variant = |variant: &Variant| {
            let limit = variant.longest_warm_up(timing.longest_warm_up);
            (variant.configuration.name.clone(), variant.warm_up().min(limit))
        };
        Self {
            configurations: variants.iter().map(of_variant).collect(),
            loads: spec.loads.clone(),
            repetitions: spec.repetitions,
            timing,
            seed: spec.seed,
            units,
            verifies: !spec.skip_verify,
            // The start itself decides likewise.
            compares_pages: !spec.skip_verify && spec.loads.series() == Series::Curve,
            profiles: spec.profile,
        }
    }

    /// The rest of it after these points, with the preparation of its sites, where so many experiments share all that, this one
    /// included.
    ///
    /// # Errors
    /// The experiment would not have asked for these points.
    pub fn left(&self, points: &[Point], sharing: u32) -> Result<LeftRecord, LabError> {
        let in_rounds = compares_in_rounds(&self.loads, self.configurations.len(), points);
        let names: Vec<&str> = self.configurations.iter().map(|(name, _)| name.as_str()).collect();
        let Self { loads, repetitions, seed, profiles, .. } = self;
        let schedule = Schedule::begin(&names, loads, *repetitions, *seed, *profiles, in_rounds, points)?;
        Ok(self.left_of(&schedule, sharing, SlowdownFactor::default()))
    }

    /// The rest of a schedule, slowed down by this factor.
    pub(crate) fn left_of(&self, schedule: &Schedule, sharing: u32, slowdown: SlowdownFactor) -> LeftRecord {
        let remaining: Vec<Remaining> = schedule.left().collect();
        let points: f64 = remaining.iter().map(|one| one.search + one.whole).sum();
        let needed = remaining.iter().filter(|one| one.starts > 0.0).count() as u32;
        let preparing = if self.verifies && schedule.is_new() { PREPARING * needed } else { Duration::ZERO };
        let time = preparing / sharing.max(1) + self.time(&remaining, schedule.is_in_rounds(), sharing);
        LeftRecord::new(points.round() as u32, time.mul_f64(slowdown.factor()))
    }

    /// The time of these starts and loads of each configuration, where so many mixes share each start.
    fn time(&self, remaining: &[Remaining], in_rounds: bool, sharing: u32) -> Duration {
        let sharing = sharing.max(1);
        let of_one = |(index, one): (usize, &Remaining)| {
            let [search, whole] = [true, false].map(|is_search| self.load(index, is_search, in_rounds));
            let loads = search.mul_f64(one.search) + whole.mul_f64(one.whole);
            if one.starts <= 0.0 {
                return loads;
            }
            let start = self.start(index, sharing, in_rounds);
            let pages = self.comparing(start + (loads * sharing).div_f64(one.starts));
            loads + ((start + pages) / sharing).mul_f64(one.starts)
        };
        remaining.iter().enumerate().map(of_one).sum()
    }

    /// The time of a start of one configuration, on which so many mixes warm its servers: its part of it, where sites warm at the
    /// same time.
    pub(crate) fn start(&self, configuration: usize, mixes: u32, in_rounds: bool) -> Duration {
        let (_, warm_up) = &self.configurations[configuration];
        let warming = match self.timing.is_smoke {
            true => Duration::ZERO,
            false => *warm_up + WARMING_AGAIN * (mixes - 1),
        };
        let restoring = (RESTORING_A_MILLION + CHECKSUMS_OF_A_MILLION).mul_f64(self.millions());
        let part = if in_rounds && self.is_quick(configuration) { self.part_of_group() } else { 1.0 };
        STARTING + (restoring + warming).mul_f64(part)
    }

    fn is_quick(&self, configuration: usize) -> bool {
        is_quick(self.configurations[configuration].1)
    }

    /// The time of all groups that start together, over that of all their sites one after the other.
    fn part_of_group(&self) -> f64 {
        let quick = (0..self.configurations.len()).filter(|index| self.is_quick(*index)).count();
        quick.div_ceil(AT_ONCE) as f64 / quick.max(1) as f64
    }

    /// The time for comparing pages with the model's at the end of a start of one configuration that took so long.
    pub(crate) fn comparing(&self, start: Duration) -> Duration {
        if !self.compares_pages {
            return Duration::ZERO;
        }
        (RESTORING_A_MILLION / 2 + MODEL_OF_A_MILLION).mul_f64(self.millions()) + time_for_pages(start)
    }

    fn millions(&self) -> f64 {
        self.units as f64 / 1e6
    }

    /// The time of these loads of a schedule.
    pub(crate) fn loads_of<'t>(
        &self,
        tasks: impl Iterator<Item = &'t Task>,
        schedule: &Schedule,
    ) -> Duration {
        let load = |task: &Task| {
            self.load(task.configuration, task.purpose == Purpose::Search, schedule.is_in_rounds())
        };
        tasks.map(load).sum()
    }

    /// The time of a load. Searched loads are driven in rounds even if they are those of one configuration.
    fn load(&self, configuration: usize, is_search: bool, in_rounds: bool) -> Duration {
        let Timing { ramp, window, .. } = self.timing;
        let kinds = &self.loads.kinds;
        if kinds.iter().all(LoadKind::takes_turns) && (in_rounds || self.loads.plan != Plan::Listed) {
            let (count, length) = stretches(window, is_search);
            let waiting = if self.is_quick(configuration) { WAITING_OF_QUICK } else { WAITING };
            return ramp + waiting + (GAP + length + waiting) * count;
        }
        let windows: Duration = kinds.iter().map(|kind| kind.expected_window(window)).sum();
        ramp + windows / (kinds.len() as u32).max(1)
    }
}

/// The time that starts took, over the time that the forecast gave them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SlowdownFactor {
    expected: Duration,
    taken: Duration,
}

impl SlowdownFactor {
    /// Takes in the times of a start with its loads.
    pub(crate) fn record(&mut self, expected: Duration, taken: Duration) {
        self.expected += expected;
        self.taken += taken;
    }

    fn factor(&self) -> f64 {
        if self.expected.is_zero() { 1.0 } else { self.taken.div_duration_f64(self.expected) }
    }
}

/// The number of units that a dataset's rows are made from: the size of its data.
pub fn units(application: &dyn Application, dataset: &Dataset) -> u64 {
    let generator = application.generator(dataset);
    application.tables().iter().map(|table| generator.units(table)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::StoppingRule;

    const THINK_TIME: Duration = Duration::from_millis(700);
    const PHP: u64 = 10;
    const SERVLET: u64 = 90;

    fn forecast(warm_ups: &[u64], loads: Loads, [ramp, window]: [f64; 2], units: u64) -> Forecast {
        let ramp = Duration::from_secs_f64(ramp);
        let timing = Timing {
            session_length: ramp,
            ramp,
            window: Duration::from_secs_f64(window),
            time_scale: 0.1,
            longest_warm_up: None,
            is_smoke: false,
        };
        let named = |(index, warm_up): (usize, &u64)| (index.to_string(), Duration::from_secs(*warm_up));
        Forecast {
            configurations: warm_ups.iter().enumerate().map(named).collect(),
            loads,
            repetitions: 3,
            timing,
            seed: 1,
            units,
            verifies: true,
            // The runs whose times stand below are older than that.
            compares_pages: false,
            profiles: false,
        }
    }

    fn search(most: u32) -> Loads {
        Loads::peak(most, THINK_TIME, StoppingRule::Fixed)
    }

    /// The bookstore of the published size.
    fn bookstore() -> Forecast {
        let whole = forecast(&[PHP, SERVLET, SERVLET], search(2488), [7.0, 30.0], 1_660_000);
        Forecast { repetitions: 4, ..whole }
    }

    /// Figures 5 to 10 of `middleware-2003`, quick: each of three mixes.
    fn figures_5_to_10() -> Forecast {
        let warm_ups = [PHP, SERVLET, SERVLET, SERVLET, SERVLET, PHP];
        forecast(&warm_ups, search(1600), [4.0, 15.0], 166_000)
    }

    fn schedule(forecast: &Forecast, in_rounds: bool, points: &[Point]) -> Schedule {
        let names: Vec<&str> = forecast.configurations.iter().map(|(name, _)| name.as_str()).collect();
        let Forecast { loads, repetitions, seed, profiles, .. } = forecast;
        Schedule::begin(&names, loads, *repetitions, *seed, *profiles, in_rounds, points).unwrap()
    }

    fn assert_within_a_third(expected: Duration, real_min: f64) {
        let expected_min = expected.as_secs_f64() / 60.0;
        assert!((0.67..1.33).contains(&(expected_min / real_min)), "{expected_min} min, not {real_min}");
    }

    #[test]
    fn a_search_takes_about_as_long_as_it_is_told() {
        assert_within_a_third(bookstore().left(&[], 1).unwrap().time(), 62.7);
        let mixes = [(); 3].map(|()| figures_5_to_10().left(&[], 3).unwrap());
        // With two interruptions: 101, 97 and 40 minutes.
        assert_within_a_third(mixes.into_iter().sum::<LeftRecord>().time(), 238.0);
    }

    #[test]
    fn starts_and_loads_that_were_counted_take_about_as_long_as_they_took() {
        let counted = |starts, search, whole| Remaining { starts, search, whole };
        let of_bookstore = [counted(5.0, 8.0, 7.0); 3];
        assert_within_a_third(bookstore().time(&of_bookstore, true, 1), 61.7);
        // On three starts, two mixes were confirmed. The third one's search went on with one configuration.
        let confirmed = [counted(3.0, 0.0, 6.0); 6];
        let mut third = [counted(3.0, 0.0, 2.0); 6];
        third[5].search = 3.0;
        let shared = [confirmed, confirmed, third];
        let shared = shared.iter().map(|one| figures_5_to_10().time(one, true, 3)).sum();
        assert_within_a_third(shared, 96.3);
        // Until it was interrupted: the servlets alone on the last two starts.
        let loads = Loads::capacity(4000, THINK_TIME, "p90 <= 1s".parse().unwrap());
        let auction = forecast(&[PHP, SERVLET], loads, [4.0, 18.0], 625_000);
        let measured = [counted(2.0, 8.0, 0.0), counted(4.0, 10.0, 0.0)];
        assert_within_a_third(auction.time(&measured, true, 1), 14.8);
    }

    #[test]
    fn listed_loads_have_a_start_each_or_share_one_in_rounds() {
        let forecast = forecast(&[PHP, SERVLET], Loads::closed(&[5, 6], THINK_TIME), [7.0, 20.0], 2_500_000);
        let left = |in_rounds, sharing, points: &[Point]| {
            let schedule = schedule(&forecast, in_rounds, points);
            let left = forecast.left_of(&schedule, sharing, SlowdownFactor::default());
            (left.points, left.seconds)
        };
        let starts = 2.0 * (5.0 + 15.0 + 10.0) + 10.0 + 90.0;
        assert_eq!(left(false, 1, &[]), (12, 2.0 * 20.0 + 6.0 * starts + 12.0 * 27.0));
        let loads = 6.0 * (8.0 + 7.0 * (1.0 + 3.0 + 1.0)) + 6.0 * (10.0 + 7.0 * (1.0 + 3.0 + 3.0));
        assert_eq!(left(true, 1, &[]), (12, 2.0 * 20.0 + 3.0 * starts + loads));
        // Of two, each has half of a start, on which both mixes warm the servers.
        assert_eq!(left(true, 2, &[]), (12, 20.0 + 1.5 * (starts + 20.0) + loads));
    }

    #[test]
    fn comparing_pages_is_counted_at_the_end_of_each_start() {
        let without = forecast(&[PHP], Loads::closed(&[800], THINK_TIME), [10.0, 18.0], 1_000_000);
        let with = Forecast { compares_pages: true, ..without.clone() };
        let seconds = |forecast: &Forecast| {
            forecast.left_of(&schedule(forecast, true, &[]), 1, SlowdownFactor::default()).seconds
        };
        let start = 5.0 + 6.0 + 4.0 + 10.0 + 10.0 + 1.0 + 6.0 * (1.0 + 3.0 + 1.0);
        let pages = 3.0 + 3.0 + start / 20.0;
        assert!((seconds(&with) - seconds(&without) - 3.0 * pages).abs() < 1e-6);
    }

    #[test]
    fn servers_of_a_smoke_run_are_not_warmed() {
        let forecast = bookstore();
        let timing = Timing { is_smoke: true, ..forecast.timing };
        let smoke = Forecast { timing, ..forecast.clone() };
        assert_eq!(forecast.start(1, 2, true), smoke.start(1, 2, true) + Duration::from_secs(100));
    }

    #[test]
    fn sites_that_are_warm_in_seconds_start_two_at_a_time() {
        let start = |warm_ups: &[u64], in_rounds| {
            let forecast = forecast(warm_ups, Loads::closed(&[5], THINK_TIME), [7.0, 20.0], 1_000_000);
            forecast.start(0, 1, in_rounds).as_secs_f64()
        };
        assert_eq!([start(&[PHP, SERVLET], true), start(&[PHP, PHP], false)], [25.0, 25.0]);
        assert_eq!(start(&[PHP, PHP, SERVLET], true), 15.0);
        assert!((start(&[PHP, PHP, PHP], true) - (5.0 + 20.0 * 2.0 / 3.0)).abs() < 1e-6);
        assert_eq!(start(&[SERVLET, SERVLET], true), 105.0);
    }

    #[test]
    fn what_things_took_changes_what_is_left() {
        let forecast = bookstore();
        let schedule = schedule(&forecast, true, &[]);
        let mut slowdown = SlowdownFactor::default();
        let before = forecast.left_of(&schedule, 1, slowdown);
        slowdown.record(Duration::from_secs(100), Duration::from_secs(200));
        slowdown.record(Duration::from_secs(300), Duration::from_secs(400));
        let after = forecast.left_of(&schedule, 1, slowdown);
        assert_eq!(after.points, before.points);
        assert!((after.seconds - before.seconds * 1.5).abs() < 1e-6);
    }
}
