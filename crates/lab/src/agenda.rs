//! At which loads one configuration is still to be measured.

use crate::Loads;
use results::{Point, Purpose};
use stats::{Next, PeakSearch};

/// At which loads one configuration is still to be measured.
#[derive(Debug, Clone)]
pub(crate) enum Agenda {
    /// At these, in this order, and so often.
    Listed { loads: Vec<u32>, repetitions: u32, done: u32 },
    /// Where the search wants.
    Search(PeakSearch),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SearchEnd {
    /// Clients and throughput, if a point was VALID.
    pub peak: Option<(u32, f64)>,
    /// Whether a higher load gave no more.
    pub passed: bool,
}

impl Agenda {
    pub(crate) fn new(loads: &Loads, repetitions: u32) -> Self {
        match loads {
            Loads::These(list) => Self::Listed { loads: list.clone(), repetitions, done: 0 },
            Loads::ToThePeak(first, most) => Self::Search(PeakSearch::new(*first, *most, repetitions)),
        }
    }

    /// The next load and why it is measured; none at the end. All listed loads come once before any comes again.
    pub(crate) fn next(&self) -> Option<(u32, Purpose)> {
        match self {
            Self::Listed { done, .. } if *done == self.listed() => None,
            Self::Listed { loads, done, .. } => Some((loads[*done as usize % loads.len()], Purpose::Listed)),
            Self::Search(search) => search.next().map(|Next { clients, purpose }| match purpose {
                stats::Purpose::Search => (clients, Purpose::Search),
                stats::Purpose::Confirm => (clients, Purpose::Confirm),
            }),
        }
    }

    /// Takes in what the next load gave.
    pub(crate) fn record(&mut self, point: &Point) {
        match self {
            Self::Listed { done, .. } => *done += 1,
            Self::Search(search) => {
                let purpose = match point.purpose {
                    Purpose::Confirm => stats::Purpose::Confirm,
                    Purpose::Search | Purpose::Listed => stats::Purpose::Search,
                };
                let half_width = point.throughput_half_width;
                search.record(point.clients, purpose, point.throughput, half_width, point.verdict.valid);
            }
        }
    }

    /// How the search has ended; none if it goes on, or if nothing was searched.
    pub(crate) fn end(&self) -> Option<SearchEnd> {
        match self {
            Self::Search(search) if search.next().is_none() => Some(SearchEnd {
                peak: search.peak().map(|peak| (peak.clients, peak.throughput)),
                passed: search.passed(),
            }),
            _ => None,
        }
    }

    /// How many points there are at least and at most until the end.
    pub(crate) fn left(&self) -> (u32, u32) {
        match self {
            Self::Listed { done, .. } => (self.listed() - done, self.listed() - done),
            Self::Search(search) => (u32::from(search.next().is_some()), 30),
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
