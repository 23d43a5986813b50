//! The search for the peak of one configuration: which loads its servers get on their next start.
//!
//! 1. On the first start come a few loads around the knee, where the bottleneck's asymptote meets that of few clients: N* =
//!    (D + Z) / max(D_k / q_k), with think time Z and the CPU demand D_k of an interaction on a host with q_k cores (Denning and Buzen,
//!    "The operational analysis of queueing network models", Computing Surveys 10, 1978). Demands are known from warming. If the
//!    best of these loads is the lowest or the highest, the next start goes on beyond it; and if the grid has loads beside the
//!    best that were not tried, the next start tries them.
//! 2. The lowest load that gives within 1 % of the most is the full load. What wins among many is too good by chance, so
//!    its figures come from further starts alone.
//! 3. On the first three of these, more clients follow the full load, twice as many. The peak is passed if they gain less than
//!    a tenth: the interval of the gains of single starts says so, in which everything cancels that both loads met alike.
//!
//! A search depends on nothing but what was recorded, so that one which was broken off goes on where it was once all
//! its points are recorded again.

use crate::{Interval, Looks, interval::mean};
use std::collections::BTreeMap;

/// Loads stand on a grid, from 100 clients in steps of the square root of two: 140, 200, 280, 400. So configurations whose knees are near each other share loads, which is what curves are compared by.
const GRID: (f64, f64) = (100.0, std::f64::consts::SQRT_2);

/// The loads of the first start, in steps of the grid from the knee: from a quarter of its clients to four times as many. A
/// collapse is sharp, so they are close where it may be.
const LADDER: [i32; 8] = [-4, -2, -1, 0, 1, 2, 3, 4];

/// Beyond an end of the ladder a start tries two loads more: each so many steps on.
const BEYOND: i32 = 2;

/// About so many points are beyond the ladder if demands say little of the knee.
const EXTENSIONS: u32 = 12;

/// Throughputs that differ by less are equally good, and the lowest load that has one is the best: its users wait least
/// (an indifference zone: Bechhofer, Annals of Mathematical Statistics 25, 1954).
const INDIFFERENCE: f64 = 0.01;

/// The peak is passed when doubling the clients gains less than this share.
const MARGIN: f64 = 0.1;

/// On so many starts it is looked whether more clients give more.
const STARTS_BEYOND: u32 = 3;

/// Why a load is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To find the full load.
    Search,
    /// To know its throughput, or whether more clients give more.
    Confirm,
}

/// Loads that follow one another on one start of the servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loads {
    /// Numbers of clients.
    pub clients: Vec<u32>,
    /// Why.
    pub purpose: Purpose,
}

/// The peak, from the runs that confirmed it and from no others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakEstimate {
    /// The full load.
    pub clients: u32,
    /// Mean throughput there, in interactions per second.
    pub throughput: f64,
    /// The same with its 95 % interval over the starts.
    pub interval: Option<Interval>,
    /// How many VALID runs.
    pub runs: usize,
}

/// A run at a load.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// With how many clients.
    pub clients: u32,
    /// Why it was made.
    pub purpose: Purpose,
    /// Interactions per second.
    pub throughput: f64,
    /// Whether it counts.
    pub valid: bool,
}

/// A search for the number of clients with the highest throughput.
#[derive(Debug, Clone)]
pub struct PeakSearch {
    most: u32,
    starts: u32,
    /// What the search gave at each load, and whether it was VALID.
    searched: BTreeMap<u32, (f64, bool)>,
    /// What each run gave that was to confirm; none where it was INVALID.
    confirmed: BTreeMap<u32, Vec<Option<f64>>>,
}

impl PeakSearch {
    /// A search that never goes beyond `most` clients (at least 1), and confirms on so many `starts` (at least 1).
    pub fn new(most: u32, starts: u32) -> Self {
        let (searched, confirmed) = (BTreeMap::new(), BTreeMap::new());
        Self { most: most.max(1), starts: starts.max(1), searched, confirmed }
    }

    /// The loads of the next start, from the lowest up; none when the search is done. The number of clients at the knee is
    /// asked for until the search has begun.
    pub fn next(&self, knee: f64) -> Option<Loads> {
        let search = if self.searched.is_empty() { self.ladder(knee) } else { self.beside_the_best() };
        if !search.is_empty() {
            return Some(Loads { clients: search, purpose: Purpose::Search });
        }
        let full = self.full_load()?;
        let done = self.confirmations();
        let more = self.more_than(full).filter(|_| done < STARTS_BEYOND);
        let clients = [full].into_iter().chain(more).collect();
        (done < self.starts).then_some(Loads { clients, purpose: Purpose::Confirm })
    }

    /// Makes no further starts once the full load is confirmed as it is now.
    pub fn stop(&mut self) {
        self.starts = self.confirmations();
    }

    /// On how many starts the full load was confirmed, VALID or not.
    pub fn confirmations(&self) -> u32 {
        self.full_load().and_then(|full| self.confirmed.get(&full)).map_or(0, |runs| runs.len() as u32)
    }

    /// Takes what one run gave.
    pub fn record(&mut self, run: Run) {
        let valid = run.valid && run.throughput.is_finite() && run.throughput > 0.0;
        match run.purpose {
            Purpose::Search => drop(self.searched.insert(run.clients, (run.throughput, valid))),
            Purpose::Confirm => {
                let runs = self.confirmed.entry(run.clients).or_default();
                runs.push(Some(run.throughput).filter(|_| valid));
            }
        }
    }

    /// The load whose throughput is to be known; none if nothing was searched. If no load was VALID, the others say where to
    /// measure: what counts is measured there again.
    pub fn full_load(&self) -> Option<u32> {
        let loads = |counts: fn(bool) -> bool| {
            let counting = self.searched.iter().filter(move |(_, (_, valid))| counts(*valid));
            counting.map(|(load, (throughput, _))| (*load, *throughput))
        };
        lowest_of_the_best(loads(|valid| valid)).or_else(|| lowest_of_the_best(loads(|_| true)))
    }

    /// The peak, once it is confirmed.
    pub fn peak(&self) -> Option<PeakEstimate> {
        let clients = self.full_load()?;
        let runs: Vec<f64> = self.confirmed.get(&clients)?.iter().flatten().copied().collect();
        let estimate = || PeakEstimate {
            clients,
            throughput: mean(&runs),
            interval: Interval::of_mean(&runs),
            runs: runs.len(),
        };
        (!runs.is_empty()).then(estimate)
    }

    /// By what factor doubling the clients of the full load multiplies its throughput, with its 95 % interval over starts; none if
    /// fewer than two starts had both loads.
    pub fn gain(&self) -> Option<Interval> {
        let full = self.full_load()?;
        let more = self.more_than(full)?;
        let doublings = (f64::from(more) / f64::from(full)).log2();
        let both = self.confirmed.get(&full)?.iter().zip(self.confirmed.get(&more)?);
        let gains: Vec<f64> =
            both.filter_map(|(full, more)| Some(((*more)? / (*full)?).ln() / doublings)).collect();
        let logarithm = Interval::of_mean(&gains)?;
        let mean = logarithm.mean.exp();
        Some(Interval { mean, half_width: logarithm.high().exp() - mean })
    }

    /// Whether the peak was passed: around it, doubling the clients gains less than a tenth.
    pub fn passed(&self) -> bool {
        self.gain().is_some_and(|gain| gain.high() < 1.0 + MARGIN)
    }

    /// How many points are left at least and at most, of which so many are `pending` to search on the present start, if all of them
    /// are VALID and it is looked so whether all is told.
    pub fn left(&self, looks: Looks, pending: u32) -> (u32, u32) {
        if self.next(1.0).is_none() {
            return (pending, pending);
        }
        let beside = self.beside_the_best().len() as u32;
        let (least, most) = match self.searched.is_empty() {
            _ if pending > 0 => (pending, pending + EXTENSIONS),
            true => (1, LADDER.len() as u32 + EXTENSIONS),
            false if beside > 0 => (beside, beside + EXTENSIONS),
            false if self.confirmed.is_empty() => (0, EXTENSIONS),
            false => (0, 0),
        };
        let done = self.confirmations();
        let has_more = self.full_load().is_none_or(|full| self.more_than(full).is_some());
        let more = if has_more { self.starts.min(STARTS_BEYOND).saturating_sub(done) } else { 0 };
        (least + looks.next(done).min(self.starts) - done, most + self.starts - done + more)
    }

    /// The loads around a knee.
    fn ladder(&self, knee: f64) -> Vec<u32> {
        let place = step(knee.max(1.0));
        self.at(LADDER.map(|steps| place + steps))
    }

    /// The loads at these steps of the grid that may be and were not tried.
    fn at(&self, steps: impl IntoIterator<Item = i32>) -> Vec<u32> {
        let mut loads: Vec<u32> = steps.into_iter().map(|step| load(step).clamp(1, self.most)).collect();
        loads.dedup();
        loads.retain(|load| !self.searched.contains_key(load));
        loads
    }

    /// Loads that may be better than the best: beyond it where it is at an end, or else beside it.
    fn beside_the_best(&self) -> Vec<u32> {
        let ends = self.searched.first_key_value().zip(self.searched.last_key_value());
        let (Some(best), Some(((lowest, _), (highest, _)))) = (self.full_load(), ends) else {
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

    /// Twice as many clients, or as many as there may be.
    fn more_than(&self, full: u32) -> Option<u32> {
        Some(full.saturating_mul(2).min(self.most)).filter(|more| *more > full)
    }
}

/// The load at a step of the grid, of two digits.
fn load(step: i32) -> u32 {
    let exact = GRID.0 * GRID.1.powi(step);
    let digit = 10.0_f64.powf(exact.log10().floor() - 1.0).max(1.0);
    ((exact / digit).round() * digit) as u32
}

/// The step of the grid that is nearest to so many clients.
fn step(clients: f64) -> i32 {
    (clients / GRID.0).log(GRID.1).round() as i32
}

/// How many clients the knee has: those who keep the bottleneck busy if nobody waits for anybody. Of each host an interaction
/// takes so many seconds of CPU, and the host has so many cores; clients think for so many seconds. None if nothing takes any CPU.
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
