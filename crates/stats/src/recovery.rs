//! Recovery of a server from overload: a load on the way down is compared with the same load on the way up, on the same running
//! server.

use crate::Interval;

/// The share of its throughput on the way up at which a server counts as recovered.
pub const RECOVERED: f64 = 0.95;

/// The throughput of the same load on the way up and on the way down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recovery {
    /// The ratio of the throughput on the way down to that on the way up, with its 95 % interval. Its half-width is
    /// infinite if one of the two has no interval.
    pub ratio: Interval,
    pub finding: RecoveryStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryStatus {
    /// The interval lies at or above [`RECOVERED`].
    Recovered,
    /// The interval lies below [`RECOVERED`].
    NotRecovered,
    /// The interval contains [`RECOVERED`].
    Open,
}

impl Recovery {
    /// Compares two throughputs, each with the half-width of its 95 % interval from batch means, if it has one; none if
    /// the throughput on the way up was 0. The relative errors of independent figures add as squares (first order, good
    /// for small errors).
    pub fn of(up: (f64, Option<f64>), down: (f64, Option<f64>)) -> Option<Self> {
        if up.0 <= 0.0 {
            return None;
        }
        let mean = down.0 / up.0;
        let both = up.1.zip(down.1);
        let half_width =
            both.map_or(f64::INFINITY, |(of_up, of_down)| (of_down / up.0).hypot(mean * of_up / up.0));
        let ratio = Interval { mean, half_width };
        let finding = match ratio {
            high if high.low() >= RECOVERED => RecoveryStatus::Recovered,
            low if low.high() < RECOVERED => RecoveryStatus::NotRecovered,
            _ => RecoveryStatus::Open,
        };
        Some(Self { ratio, finding })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recovery(up: (f64, f64), down: (f64, f64)) -> Recovery {
        Recovery::of((up.0, Some(up.1)), (down.0, Some(down.1))).unwrap()
    }

    #[test]
    fn an_interval_on_one_side_of_the_limit_decides() {
        for (up, down, finding) in [
            ((100.0, 2.0), (100.0, 2.0), RecoveryStatus::Recovered),
            ((100.0, 1.0), (97.0, 1.0), RecoveryStatus::Recovered),
            ((100.0, 9.0), (100.0, 9.0), RecoveryStatus::Open),
            ((100.0, 1.0), (95.0, 1.0), RecoveryStatus::Open),
            ((100.0, 2.0), (60.0, 2.0), RecoveryStatus::NotRecovered),
            ((100.0, 2.0), (0.0, 0.0), RecoveryStatus::NotRecovered),
        ] {
            assert_eq!(recovery(up, down).finding, finding, "{up:?} {down:?}");
        }
    }

    #[test]
    fn the_errors_of_a_ratio_add_as_squares() {
        let ratio = recovery((200.0, 6.0), (100.0, 4.0)).ratio;
        assert_eq!(ratio.mean, 0.5);
        assert!(
            (ratio.half_width - 0.5 * (0.03_f64.powi(2) + 0.04_f64.powi(2)).sqrt()).abs() < 1e-12,
            "{ratio:?}"
        );
    }

    #[test]
    fn without_intervals_recovery_is_open() {
        for (up, down) in [(None, Some(1.0)), (Some(1.0), None), (None, None)] {
            let recovery = Recovery::of((100.0, up), (10.0, down)).unwrap();
            assert_eq!((recovery.finding, recovery.ratio.half_width), (RecoveryStatus::Open, f64::INFINITY));
        }
        assert_eq!(Recovery::of((0.0, Some(0.0)), (100.0, Some(1.0))), None);
    }
}
