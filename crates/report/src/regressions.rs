//! Regressions: what a second result shows to be worse than a first, by more than somebody tolerates.
//!
//! Each figure is judged by the 95 % interval of its ratio between the results. It is worse where the whole interval lies
//! beyond the tolerance, and within the tolerance where the whole interval does. Elsewhere it cannot be told, and an estimate
//! says how many starts would tell.

use crate::{
    difference::{SharedLoad, shared_loads},
    usage::cpu_ms,
};
use results::{Point, ResultReader};
use stats::compare_all;
use std::{fmt, str::FromStr};

/// By how much a figure may be worse: `3%`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Tolerance(f64);

impl Tolerance {
    /// The default tolerance.
    pub const USUAL: Self = Self(0.03);

    /// The largest ratio of worse to better that is tolerated.
    fn ratio(self) -> f64 {
        1.0 + self.0
    }
}

impl FromStr for Tolerance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
        let share = number.filter(|percent| (0.0..=1000.0).contains(percent)).map(|percent| percent / 100.0);
        share
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no share; write a number from 0 to 1000 and %, such as 3%"))
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", (self.0 * 1e6).round() / 1e4)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct JudgedFigure {
    pub name: &'static str,
    pub unit: &'static str,
    pub higher_is_better: bool,
    /// None where a point has none.
    pub(crate) of: fn(&Point) -> Option<f64>,
}

impl PartialEq for JudgedFigure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

pub(crate) const JUDGED: [JudgedFigure; 4] = [
    JudgedFigure {
        name: "throughput",
        unit: "interactions/s",
        higher_is_better: true,
        of: |point| Some(point.throughput),
    },
    JudgedFigure { name: "p99", unit: "ms", higher_is_better: false, of: |point| point.response.p99_ms },
    JudgedFigure {
        name: "CPU per interaction",
        unit: "ms",
        higher_is_better: false,
        of: |point| Some(cpu_ms(point)).filter(|_| !point.tiers.is_empty()),
    },
    JudgedFigure { name: "memory", unit: "bytes", higher_is_better: false, of: memory },
];

/// Memory of all tiers: proportional where that is known of all, or else resident.
fn memory(point: &Point) -> Option<f64> {
    let proportional: Option<u64> = point.tiers.iter().map(|tier| tier.proportional_bytes).sum();
    let bytes = proportional.unwrap_or_else(|| point.tiers.iter().map(|tier| tier.resident_bytes).sum());
    (bytes > 0).then_some(bytes as f64)
}

/// A figure at one load of both results.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub configuration: String,
    /// `400`, `800 (peak)`.
    pub clients: String,
    pub figure: JudgedFigure,
    /// Means over the starts.
    pub means: [f64; 2],
    /// The second over the first, with the ends of its 95 % interval; none with fewer than three starts of either.
    pub ratio: Option<[f64; 3]>,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Worse by more than is tolerated.
    Worse,
    /// Not worse by more than is tolerated.
    Tolerated,
    /// It cannot be told. About so many starts of each would tell; none if more than anybody measures.
    Unknown { starts: Option<u32> },
}

/// Starts that show how far starts differ.
const LEAST_STARTS: u32 = 3;
const MOST_STARTS: f64 = 500.0;

/// The figures of all loads that both results have measured.
#[derive(Debug, Clone)]
pub struct Regressions {
    pub tolerance: Tolerance,
    pub judgements: Vec<Judgement>,
}

impl Regressions {
    pub fn of(before: &ResultReader, after: &ResultReader, tolerance: Tolerance) -> Self {
        let loads = shared_loads(before, after);
        let judgements = loads.iter().flat_map(|load| judge_load(load, tolerance)).collect();
        Self { tolerance, judgements }
    }

    pub fn worse(&self) -> impl Iterator<Item = &Judgement> {
        self.judgements.iter().filter(|one| one.outcome == Outcome::Worse)
    }

    pub fn unknown(&self) -> impl Iterator<Item = &Judgement> {
        self.judgements.iter().filter(|one| matches!(one.outcome, Outcome::Unknown { .. }))
    }

    /// The starts of each result that would tell all figures; none where nothing is open, or no number would tell.
    pub fn starts_needed(&self) -> Option<u32> {
        let open = self.unknown().map(|one| match one.outcome {
            Outcome::Unknown { starts } => starts,
            _ => None,
        });
        open.collect::<Option<Vec<u32>>>()?.into_iter().max()
    }
}

fn judge_load(load: &SharedLoad<'_>, tolerance: Tolerance) -> Vec<Judgement> {
    let judgement = |figure: &JudgedFigure| {
        let values = load
            .runs
            .each_ref()
            .map(|runs| runs.iter().map(|run| (figure.of)(run)).collect::<Option<Vec<f64>>>());
        let [Some(before), Some(after)] = values else { return None };
        let means = [&before, &after].map(|values| values.iter().sum::<f64>() / values.len() as f64);
        if means.iter().any(|mean| *mean <= 0.0) {
            return None;
        }
        let ratio = ratio(&before, &after);
        let starts = before.len().min(after.len());
        Some(Judgement {
            configuration: load.configuration.to_owned(),
            clients: load.clients.clone(),
            figure: *figure,
            means,
            ratio,
            outcome: outcome(ratio, figure.higher_is_better, starts, tolerance),
        })
    };
    JUDGED.iter().filter_map(judgement).collect()
}

/// The second over the first with the ends of the 95 % interval, which is that of the ratio's logarithm.
fn ratio(before: &[f64], after: &[f64]) -> Option<[f64; 3]> {
    let ranking = compare_all(&[before, after]);
    let pair = ranking.pairs.first().filter(|pair| pair.p.is_some())?;
    let ratio = pair.ratio?;
    let spread = (ratio.half_width / ratio.mean).exp();
    let value = if pair.one == 1 { ratio.mean } else { ratio.mean.recip() };
    Some([value, value / spread, value * spread])
}

fn outcome(ratio: Option<[f64; 3]>, higher_is_better: bool, starts: usize, tolerance: Tolerance) -> Outcome {
    let Some(ratio) = ratio else { return Outcome::Unknown { starts: Some(LEAST_STARTS) } };
    let [value, low, high] = match (higher_is_better, ratio) {
        (false, ratio) => ratio,
        (true, [value, low, high]) => [value.recip(), high.recip(), low.recip()],
    };
    let limit = tolerance.ratio();
    if low > limit {
        return Outcome::Worse;
    }
    if high <= limit {
        return Outcome::Tolerated;
    }
    // The half-width of an interval falls with the square root of the starts.
    let (half_width, distance) = ((high / value).ln(), (value / limit).ln().abs());
    let needed = (starts as f64 * (half_width / distance).powi(2)).ceil().max(starts as f64 + 1.0);
    Outcome::Unknown { starts: (needed <= MOST_STARTS).then_some(needed as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const THREE: Tolerance = Tolerance(0.03);

    fn judged(before: &[f64], after: &[f64], higher_is_better: bool, tolerance: Tolerance) -> Outcome {
        outcome(ratio(before, after), higher_is_better, before.len().min(after.len()), tolerance)
    }

    #[test]
    fn only_an_interval_wholly_beyond_the_tolerance_is_worse() {
        let before = [100.0, 101.0, 99.0, 100.0];
        let scaled = |factor: f64| before.map(|value| value * factor);
        assert_eq!(judged(&before, &scaled(1.10), false, THREE), Outcome::Worse);
        assert_eq!(judged(&before, &scaled(0.90), true, THREE), Outcome::Worse);
        assert_eq!(judged(&before, &scaled(1.10), true, THREE), Outcome::Tolerated);
        assert_eq!(judged(&before, &before, false, THREE), Outcome::Tolerated);
        let Outcome::Unknown { starts: Some(starts) } = judged(&before, &scaled(1.025), false, THREE) else {
            panic!("it cannot be told");
        };
        assert!((5..200).contains(&starts), "{starts}");
    }

    #[test]
    fn two_starts_tell_nothing() {
        let outcome = judged(&[1.0, 1.0], &[9.0, 9.0], false, THREE);
        assert_eq!(outcome, Outcome::Unknown { starts: Some(3) });
    }

    #[test]
    fn a_tolerance_is_a_share_in_per_cent() {
        assert_eq!("3%".parse(), Ok(THREE));
        assert_eq!("2.5 %".parse::<Tolerance>().unwrap().to_string(), "2.5 %");
        for wrong in ["3", "-1%", "x%", "%", "1e9%", "NaN%"] {
            assert!(wrong.parse::<Tolerance>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_larger_tolerance_never_makes_anything_worse(
            before in prop::collection::vec(1.0..100.0_f64, 3..8),
            after in prop::collection::vec(1.0..100.0_f64, 3..8),
            tolerances in (0.0..2.0_f64, 0.0..2.0_f64),
            higher_is_better in any::<bool>(),
        ) {
            let (small, large) = (tolerances.0.min(tolerances.1), tolerances.0.max(tolerances.1));
            let rank = |share| match judged(&before, &after, higher_is_better, Tolerance(share)) {
                Outcome::Tolerated => 0,
                Outcome::Unknown { .. } => 1,
                Outcome::Worse => 2,
            };
            prop_assert!(rank(large) <= rank(small));
        }

        #[test]
        fn a_result_is_never_worse_than_itself(
            values in prop::collection::vec(0.1..1000.0_f64, 3..9),
            higher_is_better in any::<bool>(),
        ) {
            prop_assert_ne!(judged(&values, &values, higher_is_better, Tolerance(0.0)), Outcome::Worse);
        }

        #[test]
        fn a_figure_and_its_inverse_are_judged_alike(
            before in prop::collection::vec(10.0..11.0_f64, 3..8),
            after in prop::collection::vec(10.0..12.0_f64, 3..8),
        ) {
            let ratio = ratio(&before, &after);
            let inverse = ratio.map(|[value, low, high]| [value.recip(), high.recip(), low.recip()]);
            let both = [outcome(ratio, false, before.len(), THREE), outcome(inverse, true, before.len(), THREE)];
            // Rounding may change a number of starts by one.
            let kind = |outcome: &Outcome| std::mem::discriminant(outcome);
            prop_assert_eq!(kind(&both[0]), kind(&both[1]));
        }
    }
}
