//! Whether a server has recovered from more than it could bear: a load on the way down against the same load on the way
//! up, on the same running server.

use crate::Interval;

/// What is asked of a server that counts as recovered: this share of its throughput on the way up.
pub const RECOVERED: f64 = 0.95;

/// What the same load gave on the way up and on the way down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recovery {
    /// How many times the throughput of the way up that of the way down is, with its 95 % interval. Its half-width is
    /// infinite where one of the two has no interval.
    pub ratio: Interval,
    /// What that allows to say.
    pub finding: Finding,
}

/// Whether a server has recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// With certainty, its throughput is at least [`RECOVERED`] of what it was.
    Recovered,
    /// With certainty, it is less than that.
    NotRecovered,
    /// The interval holds [`RECOVERED`].
    Open,
}

impl Recovery {
    /// Compares two throughputs, each with the half-width of its 95 % interval from batch means, if its window allowed
    /// one; none where nothing came through on the way up. The relative errors of independent figures add as squares (first order, good
    /// while both are small).
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
            high if high.low() >= RECOVERED => Finding::Recovered,
            low if low.high() < RECOVERED => Finding::NotRecovered,
            _ => Finding::Open,
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
    fn only_an_interval_that_lies_on_one_side_decides() {
        for (up, down, finding) in [
            ((100.0, 2.0), (100.0, 2.0), Finding::Recovered),
            ((100.0, 1.0), (97.0, 1.0), Finding::Recovered),
            ((100.0, 9.0), (100.0, 9.0), Finding::Open),
            ((100.0, 1.0), (95.0, 1.0), Finding::Open),
            ((100.0, 2.0), (60.0, 2.0), Finding::NotRecovered),
            ((100.0, 2.0), (0.0, 0.0), Finding::NotRecovered),
        ] {
            assert_eq!(recovery(up, down).finding, finding, "{up:?} {down:?}");
        }
    }

    #[test]
    fn the_interval_of_a_ratio_holds_both_scatters() {
        let ratio = recovery((200.0, 6.0), (100.0, 4.0)).ratio;
        assert_eq!(ratio.mean, 0.5);
        assert!(
            (ratio.half_width - 0.5 * (0.03_f64.powi(2) + 0.04_f64.powi(2)).sqrt()).abs() < 1e-12,
            "{ratio:?}"
        );
    }

    #[test]
    fn without_intervals_nothing_is_claimed() {
        for (up, down) in [(None, Some(1.0)), (Some(1.0), None), (None, None)] {
            let recovery = Recovery::of((100.0, up), (10.0, down)).unwrap();
            assert_eq!((recovery.finding, recovery.ratio.half_width), (Finding::Open, f64::INFINITY));
        }
        assert_eq!(Recovery::of((0.0, Some(0.0)), (100.0, Some(1.0))), None);
    }
}
