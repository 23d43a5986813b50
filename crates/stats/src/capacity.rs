//! The search for the capacity of one configuration: the most clients with which it meets an objective, such as "90 % of
//! the responses come within a second".
//!
//! 1. *Bracket*: the first start measures a few loads around the knee. While all meet the objective, or all miss it, the
//!    next start goes on beyond them. The bracket is a load that meets it and a higher one that misses it. Runs may
//!    contradict one another; pooling neighbours that do (isotonic regression: Ayer, Brunk, Ewing, Reid and Silverman,
//!    "An empirical distribution function for sampling with incomplete information", Annals of Mathematical Statistics
//!    26, 1955) leaves one bracket.
//! 2. *Bisection*: the next starts divide the bracket until its ends are within 10 % of each other. A start measures up to
//!    three loads, because starting and warming servers takes as long as a run.
//! 3. *Confirmation from both sides*: both ends are measured on further starts. If their means change sides, the bracket
//!    follows them.
//!
//! Between the ends, the logarithm of figure over limit is taken as linear in the logarithm of the clients. Each
//! confirming start gives such a line, and the capacity is where the mean line is zero. Its 95 % interval is that of a
//! ratio of two means over starts (Fieller, "Some problems in interval estimation", Journal of the Royal Statistical
//! Society B 16, 1954). So it holds all that differs from start to start. The capacity is found when the interval is within
//! 5 %. After the last start, the answer is inconclusive: it names the loads between which runs disagree.
//!
//! A search depends on nothing but its recorded runs, like that for the peak.

use crate::{
    Remaining, SearchPhase, StartLoads,
    interval::{mean, student_quantile},
};
use std::{collections::BTreeMap, fmt};

/// The loads of the first start, as multiples of the knee.
const LADDER: [f64; 5] = [0.5, std::f64::consts::FRAC_1_SQRT_2, 1.0, std::f64::consts::SQRT_2, 2.0];

/// Factor between the loads of the next start while a side of the bracket is missing.
const BEYOND: f64 = 2.0;

/// Bisection ends when the ends of the bracket differ by at most this factor.
const RESOLUTION: f64 = 1.1;

/// The most parts into which a start divides the bracket.
const PARTS: f64 = 4.0;

/// The fewest starts that confirm the bracket. A single load at an end of the allowed range is measured as often.
const LEAST_STARTS: u32 = 3;

/// Half-width of an interval that is narrow enough, as a share of the capacity. A single client is always enough.
const PRECISION: f64 = 0.05;

/// Limit of the excess to either side: errors, for one, jump from none to many.
const LARGEST_EXCESS: f64 = std::f64::consts::LN_10;

/// Runs that do not count, after which the search gives up.
const MOST_INVALID: usize = 10;

/// Runs without a bracket that can be confirmed, after which the search gives up.
const MOST_SEARCHING: usize = 60;

/// Mean work between the ladder and the confirmation.
const FURTHER: Remaining = Remaining { starts: 2.0, search: 6.0, whole: 0.0 };

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapacityRun {
    pub clients: u32,
    pub purpose: SearchPhase,
    /// Logarithm of figure over limit, the largest of several objectives; above 0 the run misses one. None if the run does
    /// not count.
    pub excess: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Capacity {
    /// Known within 5 %.
    Found(CapacityEstimate),
    /// Runs disagree too much.
    Inconclusive {
        /// The highest load up to which all runs met the objective.
        met: Option<u32>,
        /// The lowest load from which on all runs missed it.
        missed: Option<u32>,
    },
    /// A single client misses the objective.
    Zero,
    /// The most clients allowed meet the objective.
    AtLeast(u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapacityEstimate {
    /// Whole clients are those below it.
    pub clients: f64,
    /// 95 % interval.
    pub low: f64,
    pub high: f64,
}

impl CapacityEstimate {
    fn is_precise(&self) -> bool {
        let allowed = (PRECISION * self.clients).max(1.0);
        self.clients - self.low <= allowed && self.high - self.clients <= allowed
    }
}

impl Capacity {
    /// The capacity in whole clients; none if it is not known, or lies beyond the most allowed.
    pub fn clients(&self) -> Option<u32> {
        match self {
            Self::Found(capacity) => Some(capacity.clients as u32),
            Self::Zero => Some(0),
            Self::Inconclusive { .. } | Self::AtLeast(_) => None,
        }
    }
}

/// `capacity 412 clients (95 % interval 398 to 425)`.
impl fmt::Display for Capacity {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found(CapacityEstimate { clients, low, high }) => write!(
                text,
                "capacity {} clients (95 % interval {} to {})",
                clients.floor(),
                low.floor(),
                high.floor()
            ),
            Self::Zero => text.write_str("capacity 0 clients: a single one misses it"),
            Self::AtLeast(most) => write!(text, "capacity of at least {most} clients, the most allowed"),
            Self::Inconclusive { met, missed } => {
                let at = |load: &Option<u32>| load.map_or("no load".to_owned(), |load| load.to_string());
                write!(text, "inconclusive: met at {}, missed at {}", at(met), at(missed))
            }
        }
    }
}

#[derive(Debug, Clone)]
pub struct CapacitySearch {
    most: u32,
    starts: u32,
    /// The excess of each run that counts, by load.
    runs: BTreeMap<u32, Vec<f64>>,
    /// Confirming runs, two for each start.
    confirming: Vec<(u32, Option<f64>)>,
    /// The number of runs that confirm nothing.
    searching: usize,
    /// The number of runs that do not count.
    invalid: usize,
}

/// The measured loads on either side of the capacity.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    met: Option<u32>,
    missed: Option<u32>,
}

/// Neighbouring loads whose runs are pooled.
#[derive(Debug)]
struct Block {
    lowest: u32,
    highest: u32,
    /// Sum of the excess of all runs.
    sum: f64,
    runs: usize,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.runs as f64
    }

    fn with(&self, above: &Self) -> Self {
        Self { highest: above.highest, sum: self.sum + above.sum, runs: self.runs + above.runs, ..*self }
    }
}

impl CapacitySearch {
    /// The default limit of confirming starts: in simulations 195 of 200 searches end before.
    pub const MOST_STARTS: u32 = 12;

    /// A search up to `most` clients (at least 1), with at most `starts` (at least 2) to confirm.
    pub fn new(most: u32, starts: u32) -> Self {
        let (runs, confirming) = (BTreeMap::new(), Vec::new());
        Self { most: most.max(1), starts: starts.max(2), runs, confirming, searching: 0, invalid: 0 }
    }

    /// The loads of the next start, in ascending order; none when the search is done. `knee` matters only until the
    /// search has begun.
    pub fn next(&self, knee: f64) -> Option<StartLoads> {
        if self.answer().is_some() {
            return None;
        }
        let search = match self.bracket() {
            Bracket { met: None, missed: None } => self.loads(LADDER.map(|times| times * knee)),
            Bracket { met: Some(met), missed: None } => {
                self.loads([1, 2].map(|times| f64::from(met) * BEYOND.powi(times)))
            }
            Bracket { met: None, missed: Some(missed) } => {
                self.loads([2, 1].map(|times| f64::from(missed) / BEYOND.powi(times)))
            }
            Bracket { met: Some(met), missed: Some(missed) } => {
                let between = between(met, missed);
                if between.is_empty() {
                    let clients = vec![met, missed];
                    return Some(StartLoads { clients, purpose: SearchPhase::Confirm });
                }
                between
            }
        };
        Some(StartLoads { clients: search, purpose: SearchPhase::Search })
    }

    pub fn record(&mut self, run: CapacityRun) {
        let excess = run.excess.filter(|excess| !excess.is_nan());
        let excess = excess.map(|excess| excess.clamp(-LARGEST_EXCESS, LARGEST_EXCESS));
        match excess {
            Some(excess) => self.runs.entry(run.clients).or_default().push(excess),
            None => self.invalid += 1,
        }
        match run.purpose {
            SearchPhase::Search => self.searching += 1,
            SearchPhase::Confirm => self.confirming.push((run.clients, excess)),
        }
    }

    /// The answer; none while the search goes on.
    pub fn answer(&self) -> Option<Capacity> {
        let often = |load| self.runs.get(&load).is_some_and(|runs| runs.len() >= LEAST_STARTS as usize);
        let found = match self.bracket() {
            Bracket { met: None, missed: Some(1) } if often(1) => Some(Capacity::Zero),
            Bracket { met: Some(met), missed: None } if met == self.most && often(met) => {
                Some(Capacity::AtLeast(met))
            }
            Bracket { met: Some(_), missed: Some(_) }
                if self.confirmations() >= LEAST_STARTS.min(self.starts) =>
            {
                self.estimate().filter(CapacityEstimate::is_precise).map(Capacity::Found)
            }
            _ => None,
        };
        let is_over = self.confirmations() >= self.starts
            || self.invalid >= MOST_INVALID
            || self.searching >= MOST_SEARCHING;
        found.or_else(|| is_over.then(|| self.disagreement()))
    }

    /// The number of starts that confirmed the bracket, whether or not the runs count.
    pub fn confirmations(&self) -> u32 {
        (self.confirming.len() / 2) as u32
    }

    /// Work after the present start, which goes on with phase `present`, if all runs count. Confirmation is expected to end
    /// halfway between the fewest starts and the most.
    pub fn remaining(&self, present: Option<SearchPhase>) -> Remaining {
        let Some(next) = self.next(1.0) else { return Remaining::default() };
        let is_first = present.is_none() && self.runs.is_empty();
        let Remaining { starts, search, .. } = match present.unwrap_or(next.purpose) {
            SearchPhase::Confirm => Remaining::default(),
            SearchPhase::Search if is_first => Remaining {
                starts: 1.0 + FURTHER.starts,
                search: LADDER.len() as f64 + FURTHER.search,
                ..FURTHER
            },
            SearchPhase::Search if present.is_some() => FURTHER,
            SearchPhase::Search => Remaining { starts: 1.0, search: next.clients.len() as f64, whole: 0.0 },
        };
        let done = self.confirming.len().div_ceil(2) as u32;
        let least = LEAST_STARTS.min(self.starts);
        let confirming =
            u32::midpoint(least, self.starts).max(done + 1).min(self.starts).saturating_sub(done);
        Remaining { starts: starts + f64::from(confirming), search, whole: f64::from(2 * confirming) }
    }

    /// The loads between which the objective changes from met to missed.
    fn bracket(&self) -> Bracket {
        let mut blocks: Vec<Block> = Vec::new();
        for (load, runs) in &self.runs {
            let mut block = Block { lowest: *load, highest: *load, sum: runs.iter().sum(), runs: runs.len() };
            while let Some(below) = blocks.pop_if(|below| below.mean() > block.mean()) {
                block = below.with(&block);
            }
            blocks.push(block);
        }
        let met = blocks.partition_point(|block| block.mean() <= 0.0);
        let highest_met = met.checked_sub(1).map(|last| blocks[last].highest);
        Bracket { met: highest_met, missed: blocks.get(met).map(|block| block.lowest) }
    }

    /// Allowed loads, rounded, without repetition.
    fn loads(&self, wanted: impl IntoIterator<Item = f64>) -> Vec<u32> {
        let mut loads: Vec<u32> =
            wanted.into_iter().map(|load| (load.round() as u32).clamp(1, self.most)).collect();
        loads.dedup();
        loads
    }

    /// The capacity by each confirming start, in their order: where its own level, with the slope of all, meets the limit.
    /// None of a start of which a run does not count; empty while the capacity is open.
    pub fn by_start(&self) -> Vec<Option<f64>> {
        let Some(CapacityEstimate { clients, .. }) = self.estimate() else { return Vec::new() };
        let starts: Vec<Option<[(f64, f64); 2]>> = self.starts().collect();
        let slope = mean(&starts.iter().flatten().map(slope).collect::<Vec<_>>());
        let at_capacity = |start: &[(f64, f64); 2]| level(start, slope, clients.ln());
        starts.iter().map(|start| Some(clients * (-at_capacity(start.as_ref()?) / slope).exp())).collect()
    }

    /// Logarithm of the clients, and excess, of both ends by confirming start; none of one of which a run does not count.
    fn starts(&self) -> impl Iterator<Item = Option<[(f64, f64); 2]>> {
        let end = |(clients, excess): (u32, Option<f64>)| Some((f64::from(clients).ln(), excess?));
        self.confirming.chunks_exact(2).map(move |start| Some([end(start[0])?, end(start[1])?]))
    }

    /// The capacity by the confirming starts; none if they are inconclusive or all lie on one side.
    fn estimate(&self) -> Option<CapacityEstimate> {
        let starts: Vec<[(f64, f64); 2]> = self.starts().flatten().collect();
        let middle = mean(&starts.iter().flatten().map(|(load, _)| *load).collect::<Vec<_>>());
        let slopes: Vec<f64> = starts.iter().map(slope).collect();
        let common = mean(&slopes);
        let levels: Vec<f64> = starts.iter().map(|start| level(start, common, middle)).collect();
        let [zero, low, high] = zero_of_lines(&levels, &slopes)?.map(|zero| middle + zero);
        let lies_within = starts.iter().any(|[below, _]| below.0 <= zero)
            && starts.iter().any(|[_, above]| zero <= above.0);
        let [clients, low, high] = [zero, low, high].map(f64::exp);
        lies_within.then_some(CapacityEstimate { clients, low, high })
    }

    fn disagreement(&self) -> Capacity {
        let met = |runs: &Vec<f64>| runs.iter().all(|excess| *excess <= 0.0);
        let missed = |runs: &Vec<f64>| runs.iter().all(|excess| *excess > 0.0);
        let met = self.runs.iter().take_while(|(_, runs)| met(runs)).last();
        let missed = self.runs.iter().rev().take_while(|(_, runs)| missed(runs)).last();
        let load = |(load, _): (&u32, &Vec<f64>)| *load;
        Capacity::Inconclusive { met: met.map(load), missed: missed.map(load) }
    }
}

/// The slope of the excess between the ends of a start.
fn slope([low, high]: &[(f64, f64); 2]) -> f64 {
    (high.1 - low.1) / (high.0 - low.0)
}

/// The excess of a start at a place, by the slope that all starts have together: its own would add its slope's noise.
fn level([low, high]: &[(f64, f64); 2], slope: f64, place: f64) -> f64 {
    f64::midpoint(low.1, high.1) + slope * (place - f64::midpoint(low.0, high.0))
}

/// The loads that divide a bracket, or none if its ends are within the resolution.
fn between(met: u32, missed: u32) -> Vec<u32> {
    let width = (f64::from(missed) / f64::from(met)).ln();
    let parts = (width / RESOLUTION.ln()).ceil().min(PARTS);
    let mut loads: Vec<u32> = (1..parts as u32)
        .map(|part| (f64::from(met) * (width * f64::from(part) / parts).exp()).round() as u32)
        .filter(|load| met < *load && *load < missed)
        .collect();
    loads.dedup();
    loads
}

/// Zero of the mean of some lines, with the ends of its 95 % interval, from their levels and slopes; none if the mean slope
/// is not significantly positive.
fn zero_of_lines(levels: &[f64], slopes: &[f64]) -> Option<[f64; 3]> {
    let count = levels.len() as f64;
    if count < 2.0 {
        return None;
    }
    let (level, slope) = (mean(levels), mean(slopes));
    let covariance = |ones: &[f64], others: &[f64]| {
        let (one_mean, other_mean) = (mean(ones), mean(others));
        let products = ones.iter().zip(others).map(|(one, other)| (one - one_mean) * (other - other_mean));
        products.sum::<f64>() / (count - 1.0) / count
    };
    // All zeros for which the mean of `level + slope * zero` differs from 0 only by chance: a quadratic inequality.
    let limit = student_quantile(count - 1.0).powi(2);
    let square = slope * slope - limit * covariance(slopes, slopes);
    let half = level * slope - limit * covariance(levels, slopes);
    let constant = level * level - limit * covariance(levels, levels);
    let root = (half * half - square * constant).max(0.0).sqrt();
    let is_sure = slope > 0.0 && square > 0.0;
    is_sure.then(|| [-level / slope, (-half - root) / square, (-half + root) / square])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_of_equal_lines_has_no_interval() {
        let [zero, low, high] = zero_of_lines(&[-1.0; 3], &[4.0; 3]).unwrap();
        assert!([zero, low, high].iter().all(|end| (end - 0.25).abs() < 1e-9), "{zero} {low} {high}");
    }

    /// With slopes that are known, the interval is that of the mean level by Student's t, divided by the slope.
    #[test]
    fn the_interval_of_known_slopes_is_that_of_the_levels() {
        let levels = [-0.3, 0.1, 0.2];
        let of_levels = crate::Interval::of_mean(&levels).unwrap();
        let [zero, low, high] = zero_of_lines(&levels, &[2.0; 3]).unwrap();
        assert!((zero + of_levels.mean / 2.0).abs() < 1e-9);
        assert!((high - low - of_levels.half_width).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn lines_that_may_fall_have_no_zero() {
        assert_eq!(zero_of_lines(&[0.0, 0.1, 0.2], &[1.0, -1.0, 2.0]), None);
        assert_eq!(zero_of_lines(&[0.1], &[1.0]), None);
    }

    #[test]
    fn a_bracket_is_divided_until_its_ends_are_within_a_tenth() {
        assert_eq!(between(100, 200), [119, 141, 168]);
        assert_eq!(between(100, 119), [109]);
        assert_eq!(between(100, 110), [0; 0]);
        assert_eq!(between(3, 4), [0; 0], "there is no client between them");
    }
}
