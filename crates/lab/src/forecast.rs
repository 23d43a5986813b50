//! How long an experiment is expected to take, known before anything is built or brought up.

use crate::{LabError, Left, Loads, Timing, plan::Pace, schedule::Schedule};
use results::Point;

/// What is still to be measured of an experiment that gave these points so far, with the preparation of its sites.
///
/// `seed` and `scale` are those of the data. Points that the experiment would not have asked for are an error.
pub fn forecast(
    names: &[&str],
    (loads, repetitions): (&Loads, u32),
    timing: &Timing,
    (seed, scale): (u64, f64),
    points: &[Point],
) -> Result<Left, LabError> {
    let mut schedule = Schedule::new(names, loads, repetitions, seed);
    schedule.replay(points)?;
    let mut pace = Pace::new(timing, scale);
    points.iter().for_each(|point| pace.recall(point));
    let sites = (0..names.len()).filter(|index| schedule.needs(*index)).count();
    Ok(pace.left(schedule.left()).after_preparing(sites, sites))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_experiment_that_has_not_begun_takes_its_points_and_its_preparations() {
        let [ramp, window] = [7, 20].map(Duration::from_secs);
        let timing = Timing {
            think_time: ramp / 10,
            session_length: ramp,
            ramp,
            window,
            time_scale: 0.1,
            is_trial: false,
        };
        let left = forecast(&["A", "B"], (&Loads::These(vec![5, 6]), 3), &timing, (1, 1.0), &[]).unwrap();
        assert_eq!(left.points, (12, 12));
        let point = ramp + window + Duration::from_secs(2 + 6 + 10);
        assert_eq!(left.time.0, point * 12 + Duration::from_secs(2 * (2 + 5)));
    }
}
