//! How long an experiment is expected to take, known before anything is built or brought up.

use crate::{LabError, Left, Loads, Timing, compares_in_rounds, plan::Pace, schedule::Schedule};
use application::{Application, Scenario};
use results::Point;
use std::time::Duration;

/// An experiment, as far as it says how long it takes.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// The configurations by name, each with how long its servers take to be warm.
    pub configurations: Vec<(String, Duration)>,
    /// At which loads.
    pub loads: Loads,
    /// How often each listed load, or else each peak, is measured.
    pub repetitions: u32,
    /// How long everything takes.
    pub timing: Timing,
    /// Seed of the data.
    pub seed: u64,
    /// From how many [`units`] the data are made.
    pub units: u64,
}

impl Forecast {
    /// What is still to be measured of it if it gave these points so far, with the preparation of its sites, and if so many
    /// experiments share all that, this one included. Points that the experiment would not have asked for are an error.
    pub fn left(&self, points: &[Point], sharing: u32) -> Result<Left, LabError> {
        let Self { configurations, loads, repetitions, timing, .. } = self;
        let names: Vec<&str> = configurations.iter().map(|(name, _)| name.as_str()).collect();
        let in_rounds = compares_in_rounds(loads, names.len(), points);
        let mut schedule = Schedule::new(&names, loads, *repetitions, self.seed, in_rounds);
        schedule.replay(points)?;
        let warm_ups = configurations.iter().map(|(_, warm_up)| *warm_up);
        let starts = loads.starts_per_point(*repetitions);
        let mut pace = Pace::new(timing, loads, self.units, warm_ups, starts, sharing);
        points.iter().for_each(|point| pace.recall(point));
        let sites = (0..names.len()).filter(|index| schedule.needs(*index)).count();
        Ok(pace.left(schedule.left()).after(pace.preparing(sites, sites)))
    }
}

/// From how many units a scenario's rows are made: how large its data are.
pub fn units(application: &dyn Application, scenario: &Scenario) -> u64 {
    let generator = application.generator(scenario);
    application.tables().iter().map(|table| generator.units(table)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_experiment_that_has_not_begun_takes_its_points_and_its_preparations() {
        let [ramp, window] = [7, 20].map(Duration::from_secs);
        let timing = Timing {
            think_time: ramp / 10,
            session_length: ramp,
            ramp,
            window,
            time_scale: 0.1,
            is_smoke: false,
        };
        let configurations = [("A", 10), ("B", 46)];
        let configurations =
            configurations.map(|(name, warm_up)| (name.to_owned(), Duration::from_secs(warm_up))).to_vec();
        let loads = Loads::List(vec![5, 6]);
        let units = 2_500_000;
        let forecast = Forecast { configurations, loads, repetitions: 3, timing, seed: 1, units };
        let left = |sharing| forecast.left(&[], sharing).unwrap();
        assert_eq!(left(1).points, (12, 12));
        let load = ramp + window;
        let start = Duration::from_secs(5 + 15 + (10 + 46) / 2);
        let preparations = Duration::from_secs(2 * (2 + 5));
        assert_eq!(left(1).time.0, (load + start) * 12 + preparations);
        // Of two, each has half of a start, on which both mixes warm the servers.
        let start = start + Duration::from_secs(10);
        assert_eq!(left(2).time.0, (load + start / 2) * 12 + preparations / 2);
    }
}
