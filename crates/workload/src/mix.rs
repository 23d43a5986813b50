//! Mixes: sparse, row-stochastic matrices of transitions between interactions.

use crate::{Catalogue, InteractionId};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// A link or a form that leads to this interaction.
    To(InteractionId),
    /// The browser's back button.
    Back,
}

/// A named set of transition probabilities. Sessions end by their clock: there is no end state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mix {
    pub name: String,
    /// A line of text for readers.
    pub title: String,
    /// Steps from each interaction with their cumulated probabilities; empty for unreachable ones.
    pub(crate) rows: Vec<Vec<(f64, Step)>>,
    /// True if all rows are one, since the next request depends on weights alone.
    pub(crate) is_memoryless: bool,
}

/// The name of a mix that has no file of its own.
pub(crate) const OWN: &str = "own";

impl Mix {
    /// A mix whose next request depends on `weights` alone, which are above 0.
    pub(crate) fn weighted(catalogue: &Catalogue, weights: &[f64]) -> Self {
        let all: f64 = weights.iter().sum();
        let sums = weights.iter().scan(0.0, |sum, weight| {
            *sum += weight / all;
            Some(*sum)
        });
        let row: Vec<(f64, Step)> = sums.zip(catalogue.ids().map(Step::To)).collect();
        Self {
            name: OWN.to_owned(),
            title: catalogue.title.clone(),
            rows: vec![row; weights.len()],
            is_memoryless: true,
        }
    }

    /// The mix with equal probabilities in each row, to visit all steps soon.
    #[must_use]
    pub fn evened(&self) -> Self {
        let even = |from: u16| {
            let steps = self.steps(InteractionId(from)).filter(|(share, _)| *share > 0.0);
            let steps: Vec<Step> = steps.map(|(_, step)| step).collect();
            let sums = (1..=steps.len()).map(|number| number as f64 / steps.len() as f64);
            sums.zip(steps.iter().copied()).collect()
        };
        Self { rows: (0..self.rows.len() as u16).map(even).collect(), ..self.clone() }
    }

    /// The mix without steps to other interactions than these; none if its users could not begin. Where nothing remains,
    /// they go back.
    pub fn within(&self, start: InteractionId, has: impl Fn(InteractionId) -> bool) -> Option<Self> {
        let row = |from: InteractionId| {
            let stays = |(_, step): &(f64, Step)| matches!(step, Step::Back) || self.leads(*step, &has);
            let steps: Vec<(f64, Step)> = self.steps(from).filter(stays).collect();
            let all: f64 = steps.iter().map(|(share, _)| share).sum();
            let sums = steps.iter().scan(0.0, |sum, (share, step)| {
                *sum += share / all;
                Some((*sum, *step))
            });
            if all > 0.0 { sums.collect() } else { vec![(1.0, Step::Back)] }
        };
        let leads_on = self.steps(start).any(|(share, step)| share > 0.0 && self.leads(step, &has));
        if !has(start) || !leads_on {
            return None;
        }
        let mut within = Self {
            rows: (0..self.rows.len() as u16).map(|from| row(InteractionId(from))).collect(),
            ..self.clone()
        };
        let reached = within.reached_from(start);
        within.rows.iter_mut().zip(reached).filter(|(_, reached)| !reached).for_each(|(row, _)| row.clear());
        Some(within)
    }

    fn leads(&self, step: Step, has: &impl Fn(InteractionId) -> bool) -> bool {
        matches!(step, Step::To(to) if has(to))
    }

    /// The steps from an interaction with their probabilities.
    pub fn steps(&self, from: InteractionId) -> impl Iterator<Item = (f64, Step)> + '_ {
        let mut before = 0.0;
        self.rows[from.index()].iter().map(move |(sum, step)| {
            let share = sum - before;
            before = *sum;
            (share, *step)
        })
    }

    /// The first request of a session that begins at `start`. Without a memory, it is drawn as all others are: many short
    /// sessions would request little but `start` otherwise.
    pub fn first(&self, start: InteractionId, random: &mut impl Rng) -> InteractionId {
        match self.is_memoryless.then(|| self.draw(start, random)) {
            Some(Step::To(first)) => first,
            Some(Step::Back) | None => start,
        }
    }

    /// Draws the next step of a user at `from`.
    pub fn draw(&self, from: InteractionId, random: &mut impl Rng) -> Step {
        let row = &self.rows[from.index()];
        let u: f64 = random.random();
        let drawn = row.iter().find(|(sum, _)| u < *sum).or(row.last());
        drawn.expect("a mix gives every reachable interaction a row").1
    }
}
