//! The search for the peak of one configuration: it decides which loads are measured on the next start.
//!
//! 1. The first start measures a few loads around the knee, where the asymptotic bounds meet: N* = (D + Z) / max(D_k /
//!    q_k), with think time Z and the CPU demand D_k of an interaction on a host with q_k cores (Denning and Buzen,
//!    "The operational analysis of queueing network models", Computing Surveys 10, 1978). The demands are known from
//!    warming up. If the best of these loads is the lowest or the highest, the next start continues beyond it. If
//!    neighbours of the best on the grid were not tried, the next start tries them.
//! 2. The peak load is the lowest load within 1 % of the highest throughput. The best of many is biased upwards by
//!    chance, so that its figures come from further starts alone.
//! 3. On the first three of these starts, twice as many clients follow the peak load. The peak is passed if they gain
//!    less than a tenth. The interval of the gains of single starts decides, in which common disturbances cancel.
//!
//! A search depends on nothing but its recorded points. An interrupted search goes on where it was once they are
//! recorded again.

use crate::{Interval, StoppingRule, interval::mean};
use std::collections::BTreeMap;

/// Loads lie on a grid, from 100 clients in steps of the square root of two: 140, 200, 280, 400. Configurations with
/// similar knees thus share loads, so that their curves can be compared.
const GRID: (f64, f64) = (100.0, std::f64::consts::SQRT_2);

/// The loads of the first start, in steps of the grid from the knee: from half of its clients to four times as many. They
/// are dense where a sharp collapse may lie. Each load more takes minutes where many configurations share a start.
const LADDER: [i32; 6] = [-2, -1, 0, 1, 2, 4];

/// Steps of the grid between loads beyond an end of the ladder; a start tries two.
const BEYOND: i32 = 2;

/// Mean work after the ladder: 1.3 starts with 1.6 loads in simulations, and fewer on real servers.
const EXTENSION: Remaining = Remaining { starts: 1.0, search: 1.5, whole: 0.0 };

/// Throughputs that differ by less count as equal, and the lowest load is the best: its users wait least (an
/// indifference zone: Bechhofer, Annals of Mathematical Statistics 25, 1954).
const INDIFFERENCE: f64 = 0.01;

/// The peak is passed when doubling the clients gains less than this share.
const MARGIN: f64 = 0.1;

/// Starts on which more clients follow the peak load.
const STARTS_BEYOND: u32 = 3;

/// The reason for measuring a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchPhase {
    /// Find the peak load.
    Search,
    /// Confirm its throughput, or that more clients gain little.
    Confirm,
}

/// The loads of one start of the servers, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartLoads {
    pub clients: Vec<u32>,
    pub purpose: SearchPhase,
}

/// Expected work until the end of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Remaining {
    /// Starts of the servers.
    pub starts: f64,
    /// Points that only find a load.
    pub search: f64,
    /// Points with whole windows.
    pub whole: f64,
}

/// The peak, from the confirming runs alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakEstimate {
    pub clients: u32,
    /// Mean throughput there, in interactions per second.
    pub throughput: f64,
    /// With its 95 % interval over the starts.
    pub interval: Option<Interval>,
    pub runs: usize,
}

#[derive(Debug, Clone, Copy)]
pub struct SearchRun {
    pub clients: u32,
    pub purpose: SearchPhase,
    /// Interactions per second.
    pub throughput: f64,
    pub valid: bool,
}

/// A search for the number of clients with the highest throughput.
#[derive(Debug, Clone)]
pub struct PeakSearch {
    most: u32,
    starts: u32,
    /// The throughput at each searched load, and whether it was VALID.
    searched: BTreeMap<u32, (f64, bool)>,
    /// The throughput of each confirming run; none if it was INVALID.
    confirmed: BTreeMap<u32, Vec<Option<f64>>>,
}

impl PeakSearch {
    /// A search up to `most` clients (at least 1), with `starts` (at least 1) to confirm.
    pub fn new(most: u32, starts: u32) -> Self {
        let (searched, confirmed) = (BTreeMap::new(), BTreeMap::new());
        Self { most: most.max(1), starts: starts.max(1), searched, confirmed }
    }

    /// The loads of the next start, in ascending order; none when the search is done. `knee` matters only until the
    /// search has begun.
    pub fn next(&self, knee: f64) -> Option<StartLoads> {
        let search = if self.searched.is_empty() { self.ladder(knee) } else { self.beside_the_best() };
        if !search.is_empty() {
            return Some(StartLoads { clients: search, purpose: SearchPhase::Search });
        }
        let full = self.peak_load()?;
        let done = self.confirmations();
        let more = self.more_than(full).filter(|_| done < STARTS_BEYOND);
        let clients = [full].into_iter().chain(more).collect();
        (done < self.starts).then_some(StartLoads { clients, purpose: SearchPhase::Confirm })
    }

    /// Confirms the peak on one more start.
    pub fn extend(&mut self) {
        self.starts += 1;
    }

    /// Ends the search with the confirmations that it has.
    pub fn stop(&mut self) {
        self.starts = self.confirmations();
    }

    /// The number of starts that confirmed the peak load, VALID or not.
    pub fn confirmations(&self) -> u32 {
        self.peak_load().and_then(|full| self.confirmed.get(&full)).map_or(0, |runs| runs.len() as u32)
    }

    pub fn record(&mut self, run: SearchRun) {
        let valid = run.valid && run.throughput.is_finite() && run.throughput > 0.0;
        match run.purpose {
            SearchPhase::Search => drop(self.searched.insert(run.clients, (run.throughput, valid))),
            SearchPhase::Confirm => {
                let runs = self.confirmed.entry(run.clients).or_default();
                runs.push(Some(run.throughput).filter(|_| valid));
            }
        }
    }

    /// The peak load; none if nothing was searched. If no load was VALID, the INVALID ones decide where to measure
    /// again.
    pub fn peak_load(&self) -> Option<u32> {
        let loads = |counts: fn(bool) -> bool| {
            let counting = self.searched.iter().filter(move |(_, (_, valid))| counts(*valid));
            counting.map(|(load, (throughput, _))| (*load, *throughput))
        };
        lowest_of_the_best(loads(|valid| valid)).or_else(|| lowest_of_the_best(loads(|_| true)))
    }

    /// The peak, once it is confirmed.
    pub fn peak(&self) -> Option<PeakEstimate> {
        let clients = self.peak_load()?;
        let runs: Vec<f64> = self.confirmed.get(&clients)?.iter().flatten().copied().collect();
        let estimate = || PeakEstimate {
            clients,
            throughput: mean(&runs),
            interval: Interval::of_mean(&runs),
            runs: runs.len(),
        };
        (!runs.is_empty()).then(estimate)
    }

    /// The factor by which doubling the clients multiplies the throughput at the peak load, with its 95 % interval over
    /// starts; none if fewer than two starts had both loads.
    pub fn gain(&self) -> Option<Interval> {
        let full = self.peak_load()?;
        let more = self.more_than(full)?;
        let doublings = (f64::from(more) / f64::from(full)).log2();
        let both = self.confirmed.get(&full)?.iter().zip(self.confirmed.get(&more)?);
        let gains: Vec<f64> =
            both.filter_map(|(full, more)| Some(((*more)? / (*full)?).ln() / doublings)).collect();
        let logarithm = Interval::of_mean(&gains)?;
        let mean = logarithm.mean.exp();
        Some(Interval { mean, half_width: logarithm.high().exp() - mean })
    }

    /// True if the peak was passed: doubling the clients gains less than a tenth.
    pub fn passed(&self) -> bool {
        self.gain().is_some_and(|gain| gain.high() < 1.0 + MARGIN)
    }

    /// Work after the present start, which goes on with phase `present`, if all points are VALID and the comparison stops by
    /// this rule.
    pub fn remaining(&self, rule: StoppingRule, present: Option<SearchPhase>) -> Remaining {
        let beside = self.beside_the_best().len();
        let Remaining { starts, search, .. } = match present {
            Some(SearchPhase::Search) => EXTENSION,
            None if self.searched.is_empty() => Remaining {
                starts: 1.0 + EXTENSION.starts,
                search: LADDER.len() as f64 + EXTENSION.search,
                ..EXTENSION
            },
            None if beside > 0 => Remaining { starts: 1.0, search: beside as f64, whole: 0.0 },
            Some(SearchPhase::Confirm) | None => Remaining::default(),
        };
        let done = self.confirmations();
        let confirming = rule.expected_after(done).min(self.starts).saturating_sub(done);
        let has_more = self.peak_load().is_none_or(|full| self.more_than(full).is_some());
        let with_more = (done + confirming).min(STARTS_BEYOND).saturating_sub(done);
        let more = if has_more { with_more } else { 0 };
        Remaining { starts: starts + f64::from(confirming), search, whole: f64::from(confirming + more) }
    }

    fn ladder(&self, knee: f64) -> Vec<u32> {
        let place = step(knee.max(1.0));
        self.at(LADDER.map(|steps| place + steps))
    }

    /// The loads at these steps of the grid that are allowed and were not tried.
    fn at(&self, steps: impl IntoIterator<Item = i32>) -> Vec<u32> {
        let mut loads: Vec<u32> = steps.into_iter().map(|step| load(step).clamp(1, self.most)).collect();
        loads.dedup();
        loads.retain(|load| !self.searched.contains_key(load));
        loads
    }

    /// Untried loads that may be better than the best: beyond it if it is at an end, else its neighbours.
    fn beside_the_best(&self) -> Vec<u32> {
        let ends = self.searched.first_key_value().zip(self.searched.last_key_value());
        let (Some(best), Some(((lowest, _), (highest, _)))) = (self.peak_load(), ends) else {
            return Vec::new();
        };
        let place = step(f64::from(best));
        if best == *lowest {
            self.at([2, 1].map(|times| place - times * BEYOND))
        } else if best == *highest {
            self.at([1, 2].map(|times| place + times * BEYOND))
        } else {
            self.at([place - 1, place + 1])
        }
    }

    /// Twice as many clients, or the most allowed.
    fn more_than(&self, full: u32) -> Option<u32> {
        Some(full.saturating_mul(2).min(self.most)).filter(|more| *more > full)
    }
}

/// The load at a step of the grid, rounded to two digits.
fn load(step: i32) -> u32 {
    let exact = GRID.0 * GRID.1.powi(step);
    let digit = 10.0_f64.powf(exact.log10().floor() - 1.0).max(1.0);
    ((exact / digit).round() * digit) as u32
}

fn step(clients: f64) -> i32 {
    (clients / GRID.0).log(GRID.1).round() as i32
}

/// The number of clients at the knee: those who keep the bottleneck busy if no request waits. `hosts` holds the CPU
/// seconds of an interaction and the number of cores of each host. None if nothing takes any CPU.
pub fn knee(hosts: &[(f64, f64)], think_s: f64) -> Option<f64> {
    let demand: f64 = hosts.iter().map(|(cpu_s, _)| cpu_s).sum();
    let bottleneck = hosts.iter().map(|(cpu_s, cores)| cpu_s / cores).fold(0.0, f64::max);
    (bottleneck > 0.0 && bottleneck.is_finite()).then(|| (demand + think_s) / bottleneck)
}

/// The lowest load whose throughput is within the indifference zone of the highest.
fn lowest_of_the_best(loads: impl Iterator<Item = (u32, f64)>) -> Option<u32> {
    let loads: Vec<(u32, f64)> = loads.collect();
    let highest = loads.iter().map(|(_, throughput)| *throughput).reduce(f64::max)?;
    loads
        .into_iter()
        .find(|(_, throughput)| throughput * (1.0 + INDIFFERENCE) >= highest)
        .map(|(load, _)| load)
}
