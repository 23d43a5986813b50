//! The walk of a table's users, as drawn by the emulator.

use super::{BACK, END, PAGES, Pages, RubisSessions, WRITERS};
use crate::pushdown::Walk;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The most pages of a session, as in the properties files of RUBiS.
const LIMIT: u32 = 1000;
/// Sessions that are simulated: the standard error stays below 1 % of the limit.
const SIMULATED: u32 = 10_000;

pub(super) fn sessions(columns: &[Vec<f64>]) -> RubisSessions {
    let drawn: Vec<_> = columns.iter().enumerate().map(|(page, column)| drawn(page, column)).collect();
    let normalised: Vec<_> =
        columns.iter().enumerate().map(|(page, column)| normalised(page, column)).collect();
    RubisSessions { drawn: pages(&drawn), limited: limited(&drawn), normalised: pages(&normalised) }
}

/// The probabilities with which the emulator draws each state at a page. The rest of a column is staying.
pub(super) fn drawn(page: usize, column: &[f64]) -> Vec<f64> {
    let mut highest: f64 = 0.0;
    let mut sum = 0.0;
    let mut chances: Vec<f64> = Vec::with_capacity(column.len());
    for share in column {
        sum += share;
        let reached = highest.max(sum).min(1.0);
        chances.push(reached - highest);
        highest = reached;
    }
    // Sums of decimal fractions miss 1 by rounding.
    if 1.0 - highest > 1e-9 {
        chances[page] += 1.0 - highest;
    }
    chances
}

fn normalised(page: usize, column: &[f64]) -> Vec<f64> {
    let sum: f64 = column.iter().sum();
    if sum == 0.0 {
        return drawn(page, column);
    }
    column.iter().map(|share| share / sum).collect()
}

/// The walk with these probabilities. The emulator keeps a history only on pages with a back button; there is no way
/// back from the others.
pub(super) fn walk(chances: &[Vec<f64>]) -> Walk {
    Walk {
        forward: chances.iter().map(|column| column[..PAGES].to_vec()).collect(),
        back: chances.iter().map(|column| column[BACK]).collect(),
        remembered: vec![true; PAGES],
        start: 0,
    }
}

fn pages(chances: &[Vec<f64>]) -> Option<Pages> {
    let is_chance = |share: &f64| (0.0..=1.0).contains(share);
    if !chances.iter().flatten().all(is_chance) {
        return None;
    }
    let visits = walk(chances).visits()?;
    let mean: f64 = visits.iter().sum();
    Some(Pages { mean, read_write: WRITERS.iter().map(|page| visits[*page]).sum::<f64>() / mean })
}

/// The mean length of sessions with the emulator's limit, and its standard error.
fn limited(chances: &[Vec<f64>]) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let lengths: Vec<f64> = (0..SIMULATED).map(|_| f64::from(length(chances, &mut random))).collect();
    let count = f64::from(SIMULATED);
    let mean = lengths.iter().sum::<f64>() / count;
    let variance = lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// The pages of one session.
fn length(chances: &[Vec<f64>], random: &mut impl Rng) -> u32 {
    let mut history = vec![0];
    for length in 1..LIMIT {
        let page = *history.last().expect("the first page stays on the history");
        match draw(&chances[page], random) {
            END => return length,
            // The first page has no predecessor; the emulator fails here.
            BACK if history.len() == 1 => {}
            BACK => {
                history.pop();
            }
            next => history.push(next),
        }
    }
    LIMIT
}

fn draw(chances: &[f64], random: &mut impl Rng) -> usize {
    let mut left: f64 = random.random();
    let drawn = chances.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    // A rounding rest goes to the last state that can be drawn.
    drawn.or(chances.iter().rposition(|share| *share > 0.0)).expect("some state is drawn")
}
