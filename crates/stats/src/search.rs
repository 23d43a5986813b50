//! The search for the peak: which number of clients to measure next, and why.
//!
//! 1. The rise doubles the clients until that brings no more, which is measured twice before it is believed. It goes on
//!    beyond a load that is INVALID, but not beyond two.
//! 2. The loads beside the best are tried as long as more may hide between them: the line through two loads below and
//!    the one through two loads above meet where the peak is at most (the asymptotes of operational analysis: Denning
//!    and Buzen, Computing Surveys 10, 1978; both axes logarithmic, so that a collapse is no steeper than it looks).
//! 3. What wins among many loads is too good by chance. So the winner is measured again, and only these runs tell its
//!    throughput; another load that looks better than they do is measured again as well.
//! 4. It is shown that the peak is passed. Where that is not clear yet, the load that can tell is measured again, run by
//!    run.
//!
//! Passed means that clients have stopped to matter: around the peak, doubling them gains less than a tenth. (No measurement
//! can show that more clients give nothing at all more.) That is told by the line through all runs from half the peak's
//! clients upwards, both axes logarithmic. It bends downwards: the throughput of closed queues is concave in their clients
//! (Dowdy, Eager, Gordon and Saxton, "Throughput concavity and response time convexity", Information Processing Letters 19,
//! 1984), so that what doubling gains up to the greatest load, it gains all the less beyond.
//!
//! Of simulated servers whose runs scatter by 1 to 2 %, the estimate was within 5 % of the highest throughput in at least
//! 94.5 % of searches, whether it stays beyond the knee, falls, collapses, or is INVALID around the knee or beyond it, and the
//! peak was said to be passed wrongly in at most 1 %, even where doubling gains just over a tenth; that took 12 to 24
//! points on average from a first load far below the knee, and 9 to 14 where three or four doublings lead to the greatest
//! load, well beyond the knee. Runs that scatter by 3 % are too much for a sharp peak: 91 %. The more they scatter, the more
//! seldom a peak is said to be passed, plain as it may look.
//!
//! A coarse search measures the doubled loads alone, all of them, and the best of them again. What is between them it
//! doesn't see, so that of a peak which is narrower than its steps it finds less than there is. Its loads are a list, and of
//! a list the peak is passed where a higher load gave no more.

mod gain;
mod left;

use crate::{Interval, interval::mean};
use gain::gain_at_most;
use std::collections::BTreeMap;

/// Throughputs that differ by less are equally good, and the lowest load that has one is the best: its users wait least
/// (an indifference zone: Bechhofer, Annals of Mathematical Statistics 25, 1954).
const INDIFFERENCE: f64 = 0.02;

/// The peak is passed when doubling the clients gains less than this share.
const MARGIN: f64 = 0.1;

/// No peak is believed before it was measured again so often.
const LEAST_CONFIRMATIONS: usize = 3;

/// How many loads are measured again at most, and how many in vain.
const CONFIRMED_LOADS: usize = 2;

/// How many loads are tried at most beside those of the rise.
const REFINEMENTS: usize = 4;

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
    /// A load and the double of it were INVALID.
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
    is_coarse: bool,
    loads: BTreeMap<u32, Load>,
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
    /// The half-width of its interval, where it has one.
    pub half_width: Option<f64>,
    /// Whether it counts.
    pub valid: bool,
}

impl PeakSearch {
    /// A search that begins with `first` clients (at least 1), never goes beyond `most` (at least `first`), and
    /// measures what it has found `confirmations` times again (at least 3 times).
    pub fn new(first: u32, most: u32, confirmations: u32) -> Self {
        let first = first.max(1);
        let confirmations = (confirmations as usize).max(LEAST_CONFIRMATIONS);
        Self { first, most: most.max(first), confirmations, is_coarse: false, loads: BTreeMap::new() }
    }

    /// The same search, but for the doubled loads alone if it `is_coarse`: all of them, up to the greatest.
    pub fn coarse(self, is_coarse: bool) -> Self {
        Self { is_coarse, ..self }
    }

    /// What to measure next; none when the search is done.
    pub fn next(&self) -> Option<Next> {
        let search = match self.rise() {
            _ if self.is_coarse => self.untried().first().copied().or_else(|| self.untold()),
            Rise::Needs(load) => Some(load),
            Rise::Ended(_) => self.untold().or_else(|| self.below_all()).or_else(|| self.between()),
        };
        search.map(|clients| Next { clients, purpose: Purpose::Search }).or_else(|| self.unconfirmed())
    }

    /// Of a coarse search, the loads that were not measured yet, in their order; of another one, none.
    pub fn untried(&self) -> Vec<u32> {
        self.ladder().filter(|load| self.is_coarse && self.is_new(*load)).collect()
    }

    /// Takes what one run gave.
    pub fn record(&mut self, run: Run) {
        let load = self.loads.entry(run.clients).or_default();
        let runs = match run.purpose {
            Purpose::Search => &mut load.search,
            Purpose::Confirm => &mut load.confirm,
        };
        if run.valid && run.throughput.is_finite() {
            runs.add(run.throughput, run.half_width);
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

    /// Whether the peak was passed with certainty: around it, from half its clients to the greatest load that was VALID,
    /// doubling the clients gains less than 10 %. Each look at it is sure at 99.75 %, so that the few looks
    /// together are sure at 99 %. Of loads that were not measured it holds as far as throughput doesn't rise faster again.
    /// Of a coarse search: whether a higher load was VALID, and none gave notably more.
    pub fn passed(&self) -> bool {
        let is_passed = if self.is_coarse { Self::gives_no_more_above } else { Self::is_passed };
        self.peak().is_some_and(|peak| is_passed(self, &peak))
    }

    fn gives_no_more_above(&self, peak: &PeakEstimate) -> bool {
        let mut above = self.valid_loads().filter(|(load, _)| *load > peak.clients).peekable();
        let most = peak.throughput * (1.0 + INDIFFERENCE);
        above.peek().is_some() && above.all(|(_, throughput)| throughput <= most)
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
        let mut climb = Climb { search: self, best: None };
        let mut trouble = false;
        for load in self.ladder() {
            // One INVALID load may be an accident. Or it is in the one range where the machine is busy and users wait
            // little, so that what disturbs weighs most.
            let invalid = !climb.step(load)?;
            if invalid && trouble {
                return Ok(End::Invalid);
            }
            trouble = invalid;
        }
        Ok(if trouble { End::Invalid } else { End::Limit })
    }

    /// A load that has not brought a VALID point yet, and may.
    fn untold(&self) -> Option<u32> {
        self.loads.keys().copied().find(|load| matches!(self.found(*load), Found::Open))
    }

    /// Half of the lowest load, as long as none gives notably more: there is nothing below it that could show a rise.
    fn below_all(&self) -> Option<u32> {
        let (best, _) = lowest_of_the_best(self.valid_loads()).filter(|_| self.peak().is_none())?;
        let half = best / 2;
        let is_lowest = self.loads.range(..best).next().is_none();
        (is_lowest && half > 0).then_some(half)
    }

    /// A load beside the best, if more may hide there.
    fn between(&self) -> Option<u32> {
        if self.refinements() >= REFINEMENTS {
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

    /// How many loads were measured beside those of the rise.
    fn refinements(&self) -> usize {
        self.loads
            .keys()
            .filter(|load| **load > self.first && !self.ladder().any(|rung| rung == **load))
            .count()
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
    fn unconfirmed(&self) -> Option<Next> {
        let confirm = |clients| Next { clients, purpose: Purpose::Confirm };
        if !self.may_confirm() {
            return None;
        }
        let Some(peak) = self.peak() else {
            return lowest_of_the_best(self.valid_loads()).map(|(load, _)| confirm(load));
        };
        let is_open = || !self.is_coarse && !self.is_passed(&peak);
        let witness = || self.witness(&peak).filter(|_| is_open()).map(confirm);
        self.challenger(&peak).or_else(witness)
    }

    fn may_confirm(&self) -> bool {
        let count = |wanted: fn(&Confirmation) -> bool| {
            self.loads.values().filter(|load| wanted(&self.confirmation(load))).count()
        };
        let done = count(|confirmation| matches!(confirmation, Confirmation::Done(_)));
        let failed = count(|confirmation| matches!(confirmation, Confirmation::Failed));
        done.max(failed) < CONFIRMED_LOADS
    }

    /// Another load that looks better than the peak. What looks so once may be luck, and is looked at once more.
    fn challenger(&self, peak: &PeakEstimate) -> Option<Next> {
        let is_better = |(load, throughput): &(u32, f64)| {
            self.is_open(*load) && *throughput > peak.throughput * (1.0 + INDIFFERENCE)
        };
        let better = self.valid_loads().filter(is_better);
        let (clients, _) = better.reduce(|best, load| if load.1 > best.1 { load } else { best })?;
        let purpose = if self.is_settled(clients) { Purpose::Confirm } else { Purpose::Search };
        Some(Next { clients, purpose })
    }

    /// The load that tells best whether the peak is passed: the nearest with twice its clients, or else the highest above
    /// it, or else, if nothing is above, the lowest with half to two thirds of its clients. None if it has told all that it can, or if
    /// doubling gains too much already by what is known.
    fn witness(&self, peak: &PeakEstimate) -> Option<u32> {
        let above = self.valid_loads().filter(|(load, _)| *load > peak.clients);
        let twice = above.clone().find(|(load, _)| *load >= peak.clients.saturating_mul(2));
        let mut half =
            self.valid_loads().filter(|(load, _)| (peak.clients / 2..=peak.clients / 3 * 2).contains(load));
        let (load, throughput) = twice.or(above.last()).or(half.next())?;
        let ratio = |of: f64, to: f64| (of / to).ln();
        let gain = ratio(throughput, peak.throughput) / ratio(f64::from(load), f64::from(peak.clients));
        (gain < MARGIN.ln_1p() / 2.0_f64.ln() && self.is_open(load)).then_some(load)
    }

    fn is_open(&self, load: u32) -> bool {
        self.loads.get(&load).is_none_or(|load| matches!(self.confirmation(load), Confirmation::Open))
    }

    fn is_passed(&self, peak: &PeakEstimate) -> bool {
        let least_variance = self.loads[&peak.clients].confirm.variance_within() / peak.throughput.powi(2);
        let bases = self.loads.range(peak.clients / 2..=peak.clients);
        bases.map(|(base, _)| self.runs_from(*base, peak)).any(|runs| {
            // A single run beside the peak may be an accident.
            let beside = runs.iter().filter(|(clients, _)| *clients != f64::from(peak.clients));
            let gain = gain_at_most(&runs, least_variance).filter(|_| beside.count() >= TRIES);
            gain.is_some_and(|gain| gain < MARGIN)
        })
    }

    /// The runs from a load upwards, as clients and throughput; of the peak only those that confirmed it.
    fn runs_from(&self, base: u32, peak: &PeakEstimate) -> Vec<(f64, f64)> {
        let runs = self.loads.range(base..).flat_map(|(clients, load)| {
            let search = load.search.throughputs.iter().filter(|_| *clients != peak.clients);
            let throughputs = search.chain(&load.confirm.throughputs).filter(|throughput| **throughput > 0.0);
            throughputs.map(|throughput| (f64::from(*clients), *throughput))
        });
        runs.collect()
    }

    /// The VALID loads in ascending order, with their throughput as it is known best.
    fn valid_loads(&self) -> impl Iterator<Item = (u32, f64)> + Clone {
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
            load.search.throughputs.len().max(load.search.invalid) >= TRIES || !self.is_open(clients)
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
            // The rise ends at the greatest load, whatever that gives.
            let ends = load == self.search.most || self.search.is_settled(load);
            return Err(if ends { Rise::Ended(End::Flattened) } else { Rise::Needs(load) });
        }
        self.best = Some(throughput);
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

/// The geometric middle, rounded.
fn between(low: u32, high: u32) -> u32 {
    (f64::from(low) * f64::from(high)).sqrt().round() as u32
}

#[cfg(test)]
mod tests;
