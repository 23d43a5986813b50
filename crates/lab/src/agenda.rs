//! At which loads one configuration is still to be measured.

use crate::Loads;
use results::{Point, Purpose};
use stats::{Next, PeakEstimate, PeakSearch};

/// At which loads one configuration is still to be measured.
#[derive(Debug, Clone)]
pub(crate) enum Agenda {
    /// At these, in this order, and so often.
    Listed { loads: Vec<u32>, repetitions: u32, done: u32, purpose: Purpose },
    /// Where the search wants.
    Search(PeakSearch),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SearchEnd {
    /// The peak, if it could be confirmed.
    pub peak: Option<PeakEstimate>,
    /// Whether it was passed with certainty.
    pub passed: bool,
}

impl Agenda {
    pub(crate) fn new(loads: &Loads, repetitions: u32) -> Self {
        match loads {
            Loads::These(list) => Self::listed_loads(list, repetitions, Purpose::Listed),
            Loads::Sweep(steps) => Self::listed_loads(steps, repetitions, Purpose::Sweep),
            Loads::Arrivals(model) => Self::listed_loads(&model.clients, repetitions, Purpose::Arrivals),
            Loads::ToThePeak { first, most, coarse } => {
                Self::Search(PeakSearch::new(*first, *most, repetitions).coarse(*coarse))
            }
        }
    }

    fn listed_loads(loads: &[u32], repetitions: u32, purpose: Purpose) -> Self {
        Self::Listed { loads: loads.to_vec(), repetitions, done: 0, purpose }
    }

    /// The next loads, as far as they share one start of the servers: what is left of a sweep or of a coarse search's
    /// doubled loads; of anything else, nothing.
    pub(crate) fn together(&self) -> Vec<u32> {
        match self {
            Self::Listed { loads, done, purpose: Purpose::Sweep, .. } if *done < self.listed() => {
                loads[*done as usize % loads.len()..].to_vec()
            }
            Self::Listed { .. } => Vec::new(),
            Self::Search(search) => search.untried(),
        }
    }

    /// Whether some of them are measured and others not, so that nothing may come between.
    pub(crate) fn is_within(&self) -> bool {
        match self {
            Self::Listed { loads, .. } => (1..loads.len()).contains(&self.together().len()),
            Self::Search(_) => !self.together().is_empty(),
        }
    }

    /// The next load and why it is measured; none at the end. All listed loads come once before any comes again.
    pub(crate) fn next(&self) -> Option<(u32, Purpose)> {
        match self {
            Self::Listed { done, .. } if *done == self.listed() => None,
            Self::Listed { loads, done, purpose, .. } => {
                Some((loads[*done as usize % loads.len()], *purpose))
            }
            Self::Search(search) => {
                search.next().map(|Next { clients, purpose }| (clients, recorded(purpose)))
            }
        }
    }

    /// Takes in what the next load gave.
    pub(crate) fn record(&mut self, point: &Point) {
        match self {
            Self::Listed { .. } => self.pass(),
            Self::Search(search) => point.tell(search),
        }
    }

    /// Leaves the next of listed loads behind.
    pub(crate) fn pass(&mut self) {
        if let Self::Listed { done, .. } = self {
            *done += 1;
        }
    }

    /// How the search has ended; none if it goes on, or if nothing was searched.
    pub(crate) fn end(&self) -> Option<SearchEnd> {
        match self {
            Self::Search(search) if search.next().is_none() => {
                Some(SearchEnd { peak: search.peak(), passed: search.passed() })
            }
            _ => None,
        }
    }

    /// How many points there are at least and at most until the end, if all of them are VALID.
    pub(crate) fn left(&self) -> (u32, u32) {
        match self {
            Self::Listed { done, .. } => (self.listed() - done, self.listed() - done),
            Self::Search(search) => search.left(),
        }
    }

    /// How many points there are in all, where their loads are listed.
    fn listed(&self) -> u32 {
        match self {
            Self::Listed { loads, repetitions, .. } => loads.len() as u32 * repetitions,
            Self::Search(_) => 0,
        }
    }
}

fn recorded(purpose: stats::Purpose) -> Purpose {
    match purpose {
        stats::Purpose::Search => Purpose::Search,
        stats::Purpose::Confirm => Purpose::Confirm,
    }
}
