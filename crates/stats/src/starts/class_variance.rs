//! The variance of a class of configurations, from the starts that they share.
//!
//! A start's logarithm is that of the start, which all its configurations share, plus that of the configuration, plus a
//! deviation. Configurations of a class (with a compiler inside, and without) have deviations of about the same size, so
//! that the residuals of a two-way analysis estimate it with many more degrees of freedom than a pair has of its own.
//! Between classes they differ: pooled over all, intervals of pairs with compilers cover the truth in 89 of 100 cases.

use super::Starts;
use std::collections::{BTreeMap, BTreeSet};

/// The variance of a configuration's deviations, of their logarithms, and its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClassVariance {
    pub variance: f64,
    pub degrees: f64,
}

/// Rounds of fitting at most, and the relative change at which it ends. Incomplete tables take a few rounds.
const ROUNDS: usize = 50;
const CONVERGED: f64 = 1e-9;

impl ClassVariance {
    /// The mean square of the residuals of a class's table of starts and configurations; none without two of each.
    pub(super) fn of<'a>(members: impl Iterator<Item = &'a Starts>) -> Option<Self> {
        let cells: Vec<(usize, u32, f64)> = members
            .enumerate()
            .flat_map(|(member, starts)| {
                starts.iter().map(move |(start, figure)| (member, *start, figure.ln()))
            })
            .collect();
        let shared = |start: u32| cells.iter().filter(|cell| cell.1 == start).count() > 1;
        // A start that only one has says nothing of deviations.
        let cells: Vec<(usize, u32, f64)> = cells.iter().copied().filter(|cell| shared(cell.1)).collect();
        let starts: BTreeSet<u32> = cells.iter().map(|cell| cell.1).collect();
        let members: BTreeSet<usize> = cells.iter().map(|cell| cell.0).collect();
        let parameters = (starts.len() + members.len()).checked_sub(1)?;
        let degrees = cells.len().checked_sub(parameters).filter(|degrees| *degrees > 0)? as f64;
        Some(Self { variance: residual_squares(&cells) / degrees, degrees })
    }
}

/// The sum of the squared residuals after the effects of starts and members, by turns, until it falls no more: at once
/// where no start is missing.
fn residual_squares(cells: &[(usize, u32, f64)]) -> f64 {
    let mut residuals: Vec<f64> = cells.iter().map(|cell| cell.2).collect();
    let mut squares = f64::INFINITY;
    for _ in 0..ROUNDS {
        subtract_means(&mut residuals, cells.iter().map(|cell| u64::from(cell.1)));
        subtract_means(&mut residuals, cells.iter().map(|cell| cell.0 as u64));
        let now = residuals.iter().map(|residual| residual.powi(2)).sum::<f64>();
        if now >= squares * (1.0 - CONVERGED) {
            return now;
        }
        squares = now;
    }
    squares
}

/// Subtracts from each value the mean of those with its key.
fn subtract_means(values: &mut [f64], keys: impl Iterator<Item = u64> + Clone) {
    let mut sums: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (value, key) in values.iter().zip(keys.clone()) {
        let (sum, count) = sums.entry(key).or_default();
        (*sum, *count) = (*sum + value, *count + 1.0);
    }
    for (value, key) in values.iter_mut().zip(keys) {
        let (sum, count) = sums[&key];
        *value -= sum / count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(figures: &[(u32, f64)]) -> Starts {
        figures.iter().map(|(start, logarithm)| (*start, logarithm.exp())).collect()
    }

    #[test]
    fn effects_of_starts_and_configurations_leave_no_residual() {
        let [one, other] = [0.0, 0.5].map(|own| starts(&[(1, own + 0.3), (2, own - 0.2), (3, own + 1.0)]));
        let class = ClassVariance::of([&one, &other].into_iter()).unwrap();
        assert!(class.variance < 1e-20 && class.degrees == 2.0, "{class:?}");
    }

    #[test]
    fn the_variance_of_two_is_half_that_of_their_differences() {
        let one = starts(&[(1, 0.1), (2, 0.4), (3, 0.2), (9, 5.0)]);
        let other = starts(&[(1, 0.0), (2, 0.1), (3, 0.3)]);
        let class = ClassVariance::of([&one, &other].into_iter()).unwrap();
        // The differences 0.1, 0.3 and −0.1 have the variance 0.04.
        assert!((class.variance - 0.02).abs() < 1e-12 && class.degrees == 2.0, "{class:?}");
    }

    #[test]
    fn missing_starts_cost_degrees_of_freedom() {
        let full = starts(&[(1, 0.1), (2, 0.4), (3, 0.2)]);
        let less = starts(&[(1, 0.0), (3, 0.3)]);
        let degrees =
            |members: &[&Starts]| ClassVariance::of(members.iter().copied()).map(|class| class.degrees);
        assert_eq!(degrees(&[&full, &full, &less]), Some(3.0));
        assert_eq!(degrees(&[&full]), None);
        assert_eq!(degrees(&[&full, &starts(&[(2, 0.1)])]), None);
    }
}
