//! How long an experiment is expected to take, known before anything is built or brought up.

use crate::{LabError, Left, Loads, Timing, compares_in_rounds, plan::Pace, schedule::Schedule};
use application::{Application, Scenario};
use results::Point;
use std::time::Duration;

/// What is still to be measured of an experiment that gave these points so far, with the preparation of its sites.
///
/// Each configuration is told by its name and by how long its servers take to be warm; `seed` is that of the data, which
/// are made from so many [`units`]. Points that the experiment would not have asked for are an error.
pub fn forecast(
    configurations: &[(&str, Duration)],
    loads: &Loads,
    repetitions: u32,
    timing: &Timing,
    seed: u64,
    units: u64,
    points: &[Point],
) -> Result<Left, LabError> {
    let (names, warm_ups): (Vec<&str>, Vec<Duration>) = configurations.iter().copied().unzip();
    let in_rounds = compares_in_rounds(loads, names.len(), points);
    let mut schedule = Schedule::new(&names, loads, repetitions, seed, in_rounds);
    schedule.replay(points)?;
    let mut pace = Pace::new(timing, loads, units, warm_ups, loads.starts_per_point(repetitions));
    points.iter().for_each(|point| pace.recall(point));
    let sites = (0..names.len()).filter(|index| schedule.needs(*index)).count();
    Ok(pace.left(schedule.left()).after_preparing(sites, sites))
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
        let warmed = [("A", Duration::from_secs(10)), ("B", Duration::from_secs(46))];
        let left = forecast(&warmed, &Loads::List(vec![5, 6]), 3, &timing, 1, 2_500_000, &[]).unwrap();
        assert_eq!(left.points, (12, 12));
        let point = ramp + window + Duration::from_secs(5 + 15 + (10 + 46) / 2);
        assert_eq!(left.time.0, point * 12 + Duration::from_secs(2 * (2 + 5)));
    }
}
