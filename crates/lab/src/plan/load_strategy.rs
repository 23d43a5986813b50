//! The loads of one configuration that are still to be measured, turn by turn: a turn is one start of its servers.

use results::{EventKind, Loads, Objective, Plan, Point, Purpose};
use stats::{
    Capacity, CapacitySearch, PeakEstimate, PeakSearch, Remaining, SearchPhase, StartLoads, StoppingRule,
};
use std::collections::VecDeque;
use workload::{LoadKind, Series};

/// A load that is measured next, and why.
pub(crate) type PlannedLoad = (LoadKind, Purpose);

/// The loads of one configuration that are still to be measured.
#[derive(Debug, Clone)]
pub(crate) struct LoadStrategy {
    wanted: Wanted,
    stopping: StoppingRule,
    /// Loads that are left of the present turn.
    pending: VecDeque<PlannedLoad>,
}

#[derive(Debug, Clone)]
enum Wanted {
    /// Each listed load, in this order, a number of times: one a turn, or all of them.
    Listed { loads: Vec<LoadKind>, repetitions: u32, begun: u32, is_whole: bool },
    /// Loads of the kind with which the search for the peak ends at the latest.
    Search(PeakSearch, LoadKind),
    /// The same of the search for the capacity under an objective.
    Capacity(CapacitySearch, LoadKind, Objective),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SearchEnd {
    Peak {
        /// The peak, if it could be confirmed.
        peak: Option<PeakEstimate>,
        /// True if it was passed with certainty.
        passed: bool,
    },
    Capacity(Capacity),
}

impl SearchEnd {
    /// The load that was found.
    pub(crate) fn clients(&self) -> Option<u32> {
        match self {
            Self::Peak { peak, .. } => peak.map(|peak| peak.clients),
            Self::Capacity(capacity) => capacity.clients().filter(|clients| *clients > 0),
        }
    }

    pub(crate) fn event(&self, configuration: String) -> EventKind {
        match *self {
            Self::Peak { peak, passed } => EventKind::Passed {
                configuration,
                clients: peak.map(|peak| peak.clients),
                throughput: peak.map(|peak| peak.throughput),
                half_width: peak.and_then(|peak| peak.interval).map(|interval| interval.half_width),
                passed,
            },
            Self::Capacity(capacity) => EventKind::Capacity {
                configuration,
                answer: capacity.to_string(),
                clients: capacity.clients(),
            },
        }
    }
}

impl LoadStrategy {
    /// Of listed loads, all share a start if configurations are compared `in_rounds`.
    pub(crate) fn new(loads: &Loads, repetitions: u32, in_rounds: bool) -> Self {
        let largest = || loads.kinds[0].clone();
        let max_clients = loads.max_clients();
        let wanted = match &loads.plan {
            Plan::Listed => Wanted::Listed {
                loads: loads.kinds.clone(),
                repetitions,
                begun: 0,
                is_whole: in_rounds || loads.series() == Series::OverloadCycle,
            },
            Plan::Peak { .. } => Wanted::Search(PeakSearch::new(max_clients, repetitions), largest()),
            Plan::Capacity { objective } => {
                Wanted::Capacity(CapacitySearch::new(max_clients, repetitions), largest(), objective.clone())
            }
        };
        Self { wanted, stopping: loads.stopping_rule(), pending: VecDeque::new() }
    }

    /// Reason for measuring it next; none at the end.
    pub(crate) fn purpose(&self) -> Option<Purpose> {
        // Which loads a search begins with makes no difference to that.
        let next = |turn: &VecDeque<PlannedLoad>| Some(turn.front()?.1);
        next(&self.pending).or_else(|| next(&self.next_turn(1.0)))
    }

    /// Begins the next turn unless one is on; `knee` is how many clients the knee has as far as is known.
    pub(crate) fn begin(&mut self, knee: f64) {
        if !self.pending.is_empty() {
            return;
        }
        self.pending = self.next_turn(knee);
        if let Wanted::Listed { begun, .. } = &mut self.wanted {
            *begun += self.pending.len() as u32;
        }
    }

    fn next_turn(&self, knee: f64) -> VecDeque<PlannedLoad> {
        match &self.wanted {
            Wanted::Search(search, largest) => loads_of(search.next(knee), largest),
            Wanted::Capacity(search, largest, _) => loads_of(search.next(knee), largest),
            Wanted::Listed { loads, begun, is_whole, .. } if *begun < self.listed() => {
                let at = *begun as usize % loads.len();
                let end = if *is_whole { loads.len() } else { at + 1 };
                loads[at..end].iter().map(|kind| (kind.clone(), Purpose::Listed)).collect()
            }
            Wanted::Listed { .. } => VecDeque::new(),
        }
    }

    /// True if the present turn goes on.
    pub(crate) fn is_within_turn(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The rest of the present turn, in its order.
    pub(crate) fn pending(&self) -> impl Iterator<Item = PlannedLoad> {
        self.pending.iter().cloned()
    }

    /// Measures the listed loads, or the peak that was found, on one more start.
    pub(crate) fn extend(&mut self) {
        match &mut self.wanted {
            Wanted::Listed { repetitions, .. } => *repetitions += 1,
            Wanted::Search(search, _) => search.extend(),
            Wanted::Capacity(..) => {}
        }
    }

    /// The loads at which configurations are compared: those listed, or the peak. None while there is no such load.
    pub(crate) fn compared(&self) -> Vec<u32> {
        match &self.wanted {
            Wanted::Listed { loads, .. } => loads.iter().map(LoadKind::clients).collect(),
            Wanted::Search(search, _) => search.peak_load().into_iter().collect(),
            Wanted::Capacity(..) => Vec::new(),
        }
    }

    /// Takes in what the next load gave.
    pub(crate) fn record(&mut self, point: &Point) {
        self.pending.pop_front();
        match &mut self.wanted {
            Wanted::Search(search, _) => point.tell(search),
            Wanted::Capacity(search, _, objective) => point.tell_capacity(search, objective),
            Wanted::Listed { .. } => {}
        }
    }

    /// The search for the peak, if it has found the load that it confirms.
    pub(crate) fn confirming(&mut self) -> Option<&mut PeakSearch> {
        match &mut self.wanted {
            Wanted::Search(search, _) if search.peak_load().is_some() => Some(search),
            _ => None,
        }
    }

    /// The end of the search; none if it goes on, or if nothing was searched.
    pub(crate) fn end(&self) -> Option<SearchEnd> {
        if self.purpose().is_some() {
            return None;
        }
        match &self.wanted {
            Wanted::Search(search, _) => {
                Some(SearchEnd::Peak { peak: search.peak(), passed: search.passed() })
            }
            Wanted::Capacity(search, ..) => search.answer().map(SearchEnd::Capacity),
            Wanted::Listed { .. } => None,
        }
    }

    /// The expected rest, that of the present turn included: its servers must start again.
    pub(crate) fn left(&self) -> Remaining {
        let present = self.pending.front().map(|(_, purpose)| match purpose {
            Purpose::Search => SearchPhase::Search,
            _ => SearchPhase::Confirm,
        });
        let mut left = match &self.wanted {
            Wanted::Listed { loads, begun, is_whole, .. } => {
                let points = f64::from(self.listed() - begun);
                let of_a_start = if *is_whole { loads.len() } else { 1 };
                Remaining { starts: points / of_a_start as f64, search: 0.0, whole: points }
            }
            Wanted::Search(search, _) => search.remaining(self.stopping, present),
            Wanted::Capacity(search, ..) => search.remaining(present),
        };
        let pending = self.pending.len() as f64;
        match present {
            Some(SearchPhase::Search) => left.search += pending,
            Some(SearchPhase::Confirm) => left.whole += pending,
            None => return left,
        }
        left.starts += 1.0;
        left
    }

    /// The number of all points, where their loads are listed.
    fn listed(&self) -> u32 {
        match &self.wanted {
            Wanted::Listed { loads, repetitions, .. } => loads.len() as u32 * repetitions,
            Wanted::Search(..) | Wanted::Capacity(..) => 0,
        }
    }
}

/// Loads of a start that a search wants.
fn loads_of(start: Option<StartLoads>, largest: &LoadKind) -> VecDeque<PlannedLoad> {
    let Some(StartLoads { clients, purpose }) = start else { return VecDeque::new() };
    let purpose = match purpose {
        SearchPhase::Search => Purpose::Search,
        SearchPhase::Confirm => Purpose::Confirm,
    };
    clients.into_iter().map(|clients| (largest.with_clients(clients), purpose)).collect()
}
