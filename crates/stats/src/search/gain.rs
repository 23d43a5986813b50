//! How much more throughput doubling the clients brings.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How sure a gain is to be no more. A search asks a few times, and is to be sure at 99 % in all.
const CERTAINTY: f64 = 0.9975;

/// With fewer degrees of freedom the scatter of runs is a guess.
const LEAST_DEGREES: f64 = 2.0;

/// What doubling the clients gains at most, as a share, by the line through runs that are given as clients and throughput
/// (both positive; both axes logarithmic). Runs scatter by the square root of `least_variance`, as a share, or more. None
/// for fewer than four runs or a single load.
pub(super) fn gain_at_most(runs: &[(f64, f64)], least_variance: f64) -> Option<f64> {
    let logarithms: Vec<(f64, f64)> = runs.iter().map(|run| (run.0.log2(), run.1.ln())).collect();
    let (count, degrees) = (runs.len() as f64, runs.len() as f64 - 2.0);
    let middle = |of: fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>() / count;
    let (clients, throughput) = (middle(|run| run.0), middle(|run| run.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        logarithms.iter().map(|run| of(run.0 - clients, run.1 - throughput)).sum::<f64>()
    };
    let spread = sum(&|clients, _| clients.powi(2));
    if degrees < LEAST_DEGREES || spread == 0.0 {
        return None;
    }
    let slope = sum(&|clients, throughput| clients * throughput) / spread;
    let beside = sum(&|clients, throughput| (throughput - slope * clients).powi(2));
    let variance = (beside / degrees).max(least_variance);
    let law = StudentsT::new(0.0, 1.0, degrees).expect("degrees of freedom are positive");
    Some((slope + law.inverse_cdf(CERTAINTY) * (variance / spread).sqrt()).exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn without_scatter_it_is_the_slope() {
        let creep = [100.0, 150.0, 200.0, 700.0].map(|clients: f64| (clients, 7.0 * clients.powf(0.2)));
        assert!(near(gain_at_most(&creep, 0.0).unwrap(), 2.0_f64.powf(0.2) - 1.0));
        let fall = [100.0, 200.0, 400.0, 800.0].map(|clients: f64| (clients, 1e6 / clients));
        assert!(near(gain_at_most(&fall, 0.0).unwrap(), -0.5));
    }

    #[test]
    fn scatter_adds_as_much_as_students_t_says() {
        // Two loads, a doubling apart, with two runs each. The slope's error is that of a difference of two means, and
        // t with two degrees of freedom is 14.089 at 99.75 %.
        let scatter = 0.01_f64;
        let runs =
            [(1.0, scatter.exp()), (1.0, (-scatter).exp()), (2.0, scatter.exp()), (2.0, (-scatter).exp())];
        let error = (4.0 * scatter.powi(2) / 2.0).sqrt();
        let expected = (14.089 * error).exp_m1();
        assert!((gain_at_most(&runs, 0.0).unwrap() - expected).abs() < 1e-4);
        assert!(
            gain_at_most(&runs, 0.01).unwrap() > 1.5 * expected,
            "runs that scatter more than these show"
        );
    }

    #[test]
    fn too_few_runs_and_a_single_load_tell_nothing() {
        assert_eq!(gain_at_most(&[(1.0, 5.0), (2.0, 5.0), (4.0, 5.0)], 0.0), None);
        assert_eq!(gain_at_most(&[(2.0, 5.0); 9], 0.0), None);
        assert_eq!(gain_at_most(&[], 0.0), None);
    }
}
