//! The search for the peak: which number of clients to measure next, and why.
//!
//! 1. The rise doubles the clients until that brings no more, which is measured twice before it is believed.
//! 2. The loads beside the best are tried as long as more may hide between them: the line through two loads below and
//!    the one through two loads above meet where the peak is at most (the asymptotes of operational analysis: Denning
//!    and Buzen, Computing Surveys 10, 1978; both axes logarithmic, so that a collapse is no steeper than it looks).
//! 3. What wins among many loads is too good by chance. So the winner is measured again, and only these runs tell its
//!    throughput; another load that looks better than they do is measured again as well.
//! 4. It is shown at 99 % that the peak is passed. Where that is not clear yet, the load above is measured as often.
//!
//! Of simulated servers whose runs scatter by 1 to 2 %, the estimate was within 5 % of the highest throughput in at least
//! 96 % of searches, whether it stays beyond the knee, falls or collapses, and the peak was said to be passed wrongly in
//! at most 0.6 %; that took 12 to 23 points on average. Runs that scatter by 3 % are too much for a sharp peak: 91 %.

use crate::{Interval, interval::mean};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::collections::BTreeMap;

/// Throughputs that differ by less are equally good, and the lowest load that has one is the best: its users wait least
/// (an indifference zone: Bechhofer, Annals of Mathematical Statistics 25, 1954).
const INDIFFERENCE: f64 = 0.02;

/// The peak is passed when clients that are more by [`NOTABLY`] don't give so much more.
const MARGIN: f64 = 0.05;

/// A third more clients would give a third more, if anything but themselves held them back.
const NOTABLY: f64 = 4.0 / 3.0;

/// How sure that must be.
const CERTAINTY: f64 = 0.99;

/// No peak is believed before it was measured again so often.
const LEAST_CONFIRMATIONS: usize = 3;

/// How many loads are measured again at most.
const CONFIRMED_LOADS: usize = 3;

/// How many loads are tried at most beside those of the rise.
const REFINEMENTS: usize = 6;

/// Loads between others are tried where so much more throughput may hide, ...
const HIDDEN: f64 = 0.03;

/// ... and the others are no nearer to one another than by this factor.
const FINEST: f64 = 1.08;

/// How often a load that brings nothing VALID is tried, and how often one that brings no more than the best.
const TRIES: usize = 2;

/// Why the rise ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A load gave no more than the best below it.
    Flattened,
    /// The greatest load was measured.
    Limit,
    /// Two loads in a row were INVALID.
    Invalid,
}

/// Why a load is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To find where the peak is.
    Search,
    /// To measure again what was found.
    Confirm,
}

/// What to measure next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// With how many clients.
    pub clients: u32,
    /// Why.
    pub purpose: Purpose,
}

/// The peak, from the runs that confirmed it and from no others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakEstimate {
    /// Where it is: the lowest of the confirmed loads that gives within 2 % of the most.
    pub clients: u32,
    /// Mean throughput there, in interactions per second.
    pub throughput: f64,
    /// The same with its 95 % interval over the runs.
    pub interval: Option<Interval>,
    /// How many VALID runs.
    pub runs: usize,
}

/// A search for the number of clients with the highest throughput. It is a value: it asks for loads and is told what
/// they gave; who measures, and in which order among configurations, is not its matter. It depends on nothing but what
/// was recorded, so that a search which was broken off goes on where it was once all its points are recorded again.
#[derive(Debug, Clone)]
pub struct PeakSearch {
    first: u32,
    most: u32,
    confirmations: usize,
    loads: BTreeMap<u32, Load>,
}

impl PeakSearch {
    /// A search that begins with `first` clients (at least 1), never goes beyond `most` (at least `first`), and
    /// measures what it has found `confirmations` times again (at least 3 times).
    pub fn new(first: u32, most: u32, confirmations: u32) -> Self {
        let first = first.max(1);
        let confirmations = (confirmations as usize).max(LEAST_CONFIRMATIONS);
        Self { first, most: most.max(first), confirmations, loads: BTreeMap::new() }
    }

    /// How many points such a search needs at least and at most, unless points are INVALID: each of these is measured
    /// once more.
    pub fn expected_points(first: u32, most: u32, confirmations: u32) -> (u32, u32) {
        let search = Self::new(first, most, confirmations);
        let rungs = search.ladder().count();
        let halvings = search.first.ilog2() as usize;
        let least = if rungs == 1 { 1 + halvings.min(1) } else { 2 };
        let risen = (rungs + TRIES).max(2 + TRIES + halvings);
        let most = risen + REFINEMENTS + CONFIRMED_LOADS * search.confirmations;
        ((least + search.confirmations) as u32, most as u32)
    }

    /// What to measure next; none when the search is done.
    pub fn next(&self) -> Option<Next> {
        let next = |purpose| move |clients| Next { clients, purpose };
        let search = match self.rise() {
            Rise::Needs(load) => Some(load),
            Rise::Ended(_) => self.untold().or_else(|| self.below_all()).or_else(|| self.between()),
        };
        search.map(next(Purpose::Search)).or_else(|| self.unconfirmed().map(next(Purpose::Confirm)))
    }

    /// Takes what one run at a load gave, in interactions per second, with the half-width of its interval where it has
    /// one.
    pub fn record(
        &mut self,
        clients: u32,
        purpose: Purpose,
        throughput: f64,
        half_width: Option<f64>,
        valid: bool,
    ) {
        let load = self.loads.entry(clients).or_default();
        let runs = match purpose {
            Purpose::Search => &mut load.search,
            Purpose::Confirm => &mut load.confirm,
        };
        if valid && throughput.is_finite() {
            runs.add(throughput, half_width);
        } else {
            runs.invalid += 1;
        }
    }

    /// The peak, once a load is confirmed: at least three of the runs that were to confirm it were VALID.
    pub fn peak(&self) -> Option<PeakEstimate> {
        let confirmed = self.loads.iter().filter_map(|(clients, load)| {
            let Confirmation::Done(throughput) = self.confirmation(load) else { return None };
            Some((*clients, throughput))
        });
        let (clients, throughput) = lowest_of_the_best(confirmed)?;
        let runs = &self.loads[&clients].confirm.throughputs;
        Some(PeakEstimate { clients, throughput, interval: Interval::of_mean(runs), runs: runs.len() })
    }

    /// Whether the peak was passed with certainty: a third more clients, or even more than that, give less than 5 % more,
    /// at 99 % (a test of non-inferiority by Student's t, of at least two runs there against those that confirmed the
    /// peak; loads nearer to the peak must give less more in proportion). What this says of loads that were not
    /// measured holds as far as throughput doesn't rise again once it has stopped.
    pub fn passed(&self) -> bool {
        self.peak().is_some_and(|peak| self.is_passed(&peak))
    }

    /// Why the rise ended; none while it goes on.
    pub fn end(&self) -> Option<End> {
        match self.rise() {
            Rise::Needs(_) => None,
            Rise::Ended(end) => Some(end),
        }
    }

    /// The loads of the rise: `first`, doubled until `most`.
    fn ladder(&self) -> impl Iterator<Item = u32> {
        let most = self.most;
        std::iter::successors(Some(self.first), move |load| {
            (*load < most).then(|| load.saturating_mul(2).min(most))
        })
    }

    /// Walks up what was found.
    fn rise(&self) -> Rise {
        self.climb().map_or_else(|stop| stop, Rise::Ended)
    }

    fn climb(&self) -> Result<End, Rise> {
        let mut climb = Climb { search: self, best: None, highest_valid: None };
        let mut trouble = false;
        for load in self.ladder() {
            if climb.step(load)? {
                trouble = false;
                continue;
            }
            if trouble {
                return Ok(End::Invalid);
            }
            // One INVALID load may be an accident. A load in the middle tells whether throughput still rises.
            let middle = climb.highest_valid.map(|valid| between(valid, load));
            let middle = middle.filter(|middle| Some(*middle) != climb.highest_valid);
            if let Some(middle) = middle
                && !climb.step(middle)?
            {
                return Ok(End::Invalid);
            }
            trouble = true;
        }
        Ok(if trouble { End::Invalid } else { End::Limit })
    }

    /// A load that has not brought a VALID point yet, and may.
    fn untold(&self) -> Option<u32> {
        self.loads.keys().copied().find(|load| matches!(self.found(*load), Found::Open))
    }

    /// Half of the lowest load, if none gives notably more: there is nothing below it that could show a rise.
    fn below_all(&self) -> Option<u32> {
        let (best, _) = lowest_of_the_best(self.valid_loads())?;
        let half = best / 2;
        let is_lowest = self.loads.range(..best).next().is_none();
        (is_lowest && half > 0).then_some(half)
    }

    /// A load beside the best, if more may hide there.
    fn between(&self) -> Option<u32> {
        let beside_the_rise =
            self.loads.keys().filter(|load| **load > self.first && !self.ladder().any(|rung| rung == **load));
        if beside_the_rise.count() >= REFINEMENTS {
            return None;
        }
        let curve = Curve::of(self.valid_loads());
        let best = curve.highest()?;
        let gaps = [best.checked_sub(1), Some(best)].into_iter().flatten();
        let mut hidden: Vec<(f64, u32)> = gaps.filter_map(|gap| curve.hidden(gap)).collect();
        hidden.sort_by(|one, other| other.0.total_cmp(&one.0));
        let promising = hidden.into_iter().find(|(gain, load)| *gain > HIDDEN && self.is_new(*load));
        promising.map(|(_, load)| load).or_else(|| self.below_trouble(curve.loads[best]))
    }

    /// A load in the middle between the best and an INVALID one: nothing VALID above would leave the peak unproven.
    fn below_trouble(&self, best: u32) -> Option<u32> {
        let (above, _) = self.loads.range(best + 1..).next()?;
        let invalid = matches!(self.found(*above), Found::Invalid);
        let apart = f64::from(*above) > f64::from(best) * FINEST;
        let middle = between(best, *above);
        (invalid && apart && self.is_new(middle)).then_some(middle)
    }

    fn is_new(&self, load: u32) -> bool {
        !self.loads.contains_key(&load)
    }

    /// The load that must be measured again.
    fn unconfirmed(&self) -> Option<u32> {
        let finished =
            self.loads.values().filter(|load| !matches!(self.confirmation(load), Confirmation::Open));
        if finished.count() >= CONFIRMED_LOADS {
            return None;
        }
        let Some(peak) = self.peak() else {
            return lowest_of_the_best(self.valid_loads()).map(|(load, _)| load);
        };
        let open = |load: &u32| matches!(self.confirmation(&self.loads[load]), Confirmation::Open);
        let better = self
            .valid_loads()
            .filter(|(load, throughput)| open(load) && *throughput > peak.throughput * (1.0 + INDIFFERENCE));
        let challenger = better.reduce(|best, load| if load.1 > best.1 { load } else { best });
        challenger.map(|(load, _)| load).or_else(|| {
            let notably_above = f64::from(peak.clients) * NOTABLY;
            let mut above =
                self.valid_loads().map(|(load, _)| load).filter(|load| f64::from(*load) >= notably_above);
            if self.is_passed(&peak) { None } else { above.find(open) }
        })
    }

    /// The loads above the peak that were measured at least twice, with these runs.
    fn witnesses(&self, peak: &PeakEstimate) -> impl Iterator<Item = (u32, Vec<f64>)> {
        let above = self.loads.range(peak.clients + 1..);
        let runs = above.map(|(clients, load)| {
            let confirmed = matches!(self.confirmation(load), Confirmation::Done(_));
            let confirm = load.confirm.throughputs.iter().filter(move |_| confirmed);
            (*clients, load.search.throughputs.iter().chain(confirm).copied().collect::<Vec<f64>>())
        });
        runs.filter(|(_, runs)| runs.len() >= TRIES)
    }

    fn is_passed(&self, peak: &PeakEstimate) -> bool {
        let at_peak = &self.loads[&peak.clients].confirm;
        self.witnesses(peak).any(|(clients, above)| {
            let allowed = allowed(peak.clients, clients);
            let degrees = (at_peak.throughputs.len() + above.len() - 2) as f64;
            let squares = squares(&at_peak.throughputs) + squares(&above);
            let variance = (squares / degrees).max(at_peak.variance_within());
            let shares = allowed.powi(2) / at_peak.throughputs.len() as f64 + 1.0 / above.len() as f64;
            let law = StudentsT::new(0.0, 1.0, degrees).expect("five runs or more leave degrees of freedom");
            let reach = law.inverse_cdf(CERTAINTY) * (variance * shares).sqrt();
            mean(&above) + reach < peak.throughput * allowed
        })
    }

    /// The VALID loads in ascending order, with their throughput as it is known best.
    fn valid_loads(&self) -> impl Iterator<Item = (u32, f64)> {
        self.loads.keys().filter_map(|load| match self.found(*load) {
            Found::Valid(throughput) => Some((*load, throughput)),
            Found::Open | Found::Invalid => None,
        })
    }

    fn found(&self, clients: u32) -> Found {
        let Some(load) = self.loads.get(&clients) else { return Found::Open };
        match self.confirmation(load) {
            Confirmation::Done(throughput) => Found::Valid(throughput),
            Confirmation::Failed => Found::Invalid,
            Confirmation::Open => match load.search.throughputs.as_slice() {
                [] if load.search.invalid >= TRIES => Found::Invalid,
                [] => Found::Open,
                runs => Found::Valid(mean(runs)),
            },
        }
    }

    /// Whether it may be believed that a load gives no more than the best.
    fn is_settled(&self, clients: u32) -> bool {
        self.loads.get(&clients).is_some_and(|load| {
            load.search.throughputs.len().max(load.search.invalid) >= TRIES
                || !matches!(self.confirmation(load), Confirmation::Open)
        })
    }

    fn confirmation(&self, load: &Load) -> Confirmation {
        let runs = &load.confirm.throughputs;
        let tried = runs.len() + load.confirm.invalid;
        if runs.len() < self.confirmations && tried < 2 * self.confirmations {
            Confirmation::Open
        } else if runs.len() < LEAST_CONFIRMATIONS {
            Confirmation::Failed
        } else {
            Confirmation::Done(mean(runs))
        }
    }
}

/// What was measured at a load.
#[derive(Debug, Clone, Default)]
struct Load {
    search: Runs,
    confirm: Runs,
}

/// The runs at a load, in no order that depends on when they were made.
#[derive(Debug, Clone, Default)]
struct Runs {
    /// Of the VALID ones, ascending.
    throughputs: Vec<f64>,
    /// Of those that have one, ascending.
    half_widths: Vec<f64>,
    invalid: usize,
}

impl Runs {
    fn add(&mut self, throughput: f64, half_width: Option<f64>) {
        insert(&mut self.throughputs, throughput);
        if let Some(half_width) = half_width.filter(|half_width| half_width.is_finite()) {
            insert(&mut self.half_widths, half_width);
        }
    }

    /// The variance that the runs' own intervals promise; runs that happen to lie nearer together don't lie so near.
    fn variance_within(&self) -> f64 {
        let variances: Vec<f64> = self.half_widths.iter().map(|width| (width / 2.0).powi(2)).collect();
        if variances.is_empty() { 0.0 } else { mean(&variances) }
    }
}

/// What is known of a load.
enum Found {
    /// It must be measured (again).
    Open,
    /// Whatever was tried was INVALID.
    Invalid,
    /// Its throughput.
    Valid(f64),
}

/// What became of measuring a load again.
enum Confirmation {
    /// It was not begun, or more runs are needed.
    Open,
    /// Too few runs were VALID.
    Failed,
    /// The mean throughput.
    Done(f64),
}

/// Where the rise is.
enum Rise {
    /// It needs this load (again).
    Needs(u32),
    Ended(End),
}

/// On the way up the ladder.
struct Climb<'a> {
    search: &'a PeakSearch,
    best: Option<f64>,
    highest_valid: Option<u32>,
}

impl Climb<'_> {
    /// Takes in a load: whether it was VALID, unless the rise stops here.
    fn step(&mut self, load: u32) -> Result<bool, Rise> {
        let throughput = match self.search.found(load) {
            Found::Open => return Err(Rise::Needs(load)),
            Found::Invalid => return Ok(false),
            Found::Valid(throughput) => throughput,
        };
        if self.best.is_some_and(|best| throughput <= best * (1.0 + INDIFFERENCE)) {
            let settled = self.search.is_settled(load);
            return Err(if settled { Rise::Ended(End::Flattened) } else { Rise::Needs(load) });
        }
        self.best = Some(throughput);
        self.highest_valid = Some(load);
        Ok(true)
    }
}

/// Throughput over clients, both as logarithms, at the VALID loads.
struct Curve {
    loads: Vec<u32>,
    points: Vec<(f64, f64)>,
}

impl Curve {
    fn of(valid: impl Iterator<Item = (u32, f64)>) -> Self {
        let positive = valid.filter(|(_, throughput)| *throughput > 0.0);
        let (loads, points) =
            positive.map(|(load, throughput)| (load, (f64::from(load).ln(), throughput.ln()))).unzip();
        Self { loads, points }
    }

    /// The place of the highest point; of equal ones the first.
    fn highest(&self) -> Option<usize> {
        (0..self.points.len()).reduce(
            |best, place| {
                if self.points[place].1 > self.points[best].1 { place } else { best }
            },
        )
    }

    /// How much more than the highest point may hide between a point and the next one, as a share, and where to look
    /// for it. None where there is no next point, or the two are too near.
    fn hidden(&self, place: usize) -> Option<(f64, u32)> {
        let [left, right] = *self.points.get(place..place + 2)? else { return None };
        let width = right.0 - left.0;
        if width <= FINEST.ln() {
            return None;
        }
        let slope = |from: (f64, f64), to: (f64, f64)| (to.1 - from.1) / (to.0 - from.0);
        // Twice as many clients never do more than twice as much.
        let rise = place.checked_sub(1).map_or(1.0, |before| slope(self.points[before], left).min(1.0));
        let fall = self.points.get(place + 2).map(|after| slope(right, *after));
        let top = self.points[self.highest()?].1;
        let (meeting, height) = match fall {
            None => (width / 2.0, left.1 + rise * width),
            Some(fall) if fall < rise => {
                let meeting = ((right.1 - left.1 - fall * width) / (rise - fall)).clamp(0.0, width);
                (meeting, (left.1 + rise * meeting).min(right.1 - fall * (width - meeting)))
            }
            Some(_) => return None,
        };
        let load = (left.0 + meeting.clamp(width / 4.0, width * 3.0 / 4.0)).exp().round() as u32;
        Some(((height - top).exp() - 1.0, load))
    }
}

/// The lowest load whose throughput is within the indifference zone of the highest.
fn lowest_of_the_best(loads: impl Iterator<Item = (u32, f64)>) -> Option<(u32, f64)> {
    let loads: Vec<(u32, f64)> = loads.collect();
    let highest = loads.iter().map(|(_, throughput)| *throughput).reduce(f64::max)?;
    loads.into_iter().find(|(_, throughput)| throughput * (1.0 + INDIFFERENCE) >= highest)
}

fn insert(ascending: &mut Vec<f64>, value: f64) {
    let place = ascending.partition_point(|other| *other < value);
    ascending.insert(place, value);
}

fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// How many times the peak's throughput a higher load may give at most if the peak is passed.
fn allowed(peak: u32, clients: u32) -> f64 {
    let more = (f64::from(clients) / f64::from(peak)).ln() / NOTABLY.ln();
    (1.0 + MARGIN).powf(more.min(1.0))
}

/// The geometric middle, rounded.
fn between(low: u32, high: u32) -> u32 {
    (f64::from(low) * f64::from(high)).sqrt().round() as u32
}

#[cfg(test)]
mod tests;
