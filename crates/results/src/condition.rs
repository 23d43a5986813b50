//! Conditions on which a command fails: `p99 > 500ms`. They are read from what people type, and held against the
//! points that decide: of a search those that confirm its peak, else all that were asked for.

use crate::{Point, Purpose, TierFigures};
use settings::did_you_mean;
use std::{collections::BTreeMap, fmt, ops::Range, str::FromStr};
use thiserror::Error;

/// A limit for a figure; passing it is a failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    text: String,
    figure: Figure,
    comparison: Comparison,
    /// In the unit in which results hold the figure.
    limit: f64,
}

/// A word that is no condition, with the place of the fault.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{fault}\n    {text}\n    {}{} {remedy}", " ".repeat(place.start), "^".repeat(place.len().max(1)))]
pub struct ConditionError {
    text: String,
    /// Which characters are wrong; none stands for what is missing there.
    place: Range<usize>,
    fault: String,
    remedy: String,
}

/// Where a condition has come true.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    /// The configuration.
    pub configuration: String,
    /// The load.
    pub clients: u32,
    /// How many VALID points the figure is the mean of.
    pub runs: usize,
    /// The figure with its name and unit: `p99 is 612.30 ms`.
    pub figure: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { configuration, clients, runs, figure } = self;
        write!(f, "{configuration} with {clients} clients: {figure}")?;
        if *runs > 1 { write!(f, " (mean of {runs} runs)") } else { Ok(()) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Figure {
    Median,
    P90,
    P99,
    Mean,
    Throughput,
    Errors,
    CpuMs,
}

/// How figures are called, and in which units their limits are written. The first unit is the one that results hold;
/// the number is how many of these it is.
const FIGURES: [(&str, Figure, &[(&str, f64)]); 7] = [
    ("p50", Figure::Median, &TIMES),
    ("p90", Figure::P90, &TIMES),
    ("p99", Figure::P99, &TIMES),
    ("mean", Figure::Mean, &TIMES),
    ("throughput", Figure::Throughput, &[("/s", 1.0), ("/min", 1.0 / 60.0)]),
    ("errors", Figure::Errors, &[("%", 1.0)]),
    ("cpu_ms", Figure::CpuMs, &[("ms", 1.0)]),
];

const TIMES: [(&str, f64); 3] = [("ms", 1.0), ("s", 1e3), ("us", 1e-3)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
}

const COMPARISONS: [(&str, Comparison); 4] = [
    (">", Comparison::Above),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Below),
    ("<=", Comparison::AtMost),
];

impl Comparison {
    fn holds(self, figure: f64, limit: f64) -> bool {
        match self {
            Self::Above => figure > limit,
            Self::AtLeast => figure >= limit,
            Self::Below => figure < limit,
            Self::AtMost => figure <= limit,
        }
    }
}

impl Condition {
    /// Where it is true among the points that decide, in their order.
    pub fn breaches(&self, points: &[Point]) -> Vec<Breach> {
        decisive(points).into_iter().filter_map(|runs| self.breach(&runs)).collect()
    }

    fn breach(&self, runs: &[&Point]) -> Option<Breach> {
        let value = self.figure.of(runs);
        let first = runs.first().filter(|_| self.comparison.holds(value, self.limit))?;
        let (name, _, units) = self.figure.entry();
        Some(Breach {
            configuration: first.configuration.clone(),
            clients: first.clients,
            runs: runs.len(),
            figure: format!("{name} is {value:.2} {}", units[0].0),
        })
    }
}

impl Figure {
    fn entry(self) -> &'static (&'static str, Self, &'static [(&'static str, f64)]) {
        FIGURES.iter().find(|(_, figure, _)| *figure == self).expect("each figure has a name")
    }

    /// The mean of it over points at one load.
    fn of(self, runs: &[&Point]) -> f64 {
        runs.iter().map(|point| self.of_one(point)).sum::<f64>() / runs.len().max(1) as f64
    }

    fn of_one(self, point: &Point) -> f64 {
        match self {
            Self::Median => point.response.p50_ms,
            Self::P90 => point.response.p90_ms,
            Self::P99 => point.response.p99_ms,
            Self::Mean => point.response.mean_ms,
            Self::Throughput => point.throughput,
            Self::Errors => {
                let failed = point.failed();
                100.0 * failed as f64 / (point.completed + point.refused + failed).max(1) as f64
            }
            Self::CpuMs => point.tiers.iter().map(|tier: &TierFigures| tier.cpu_ms_per_interaction).sum(),
        }
    }
}

/// The VALID points that decide, by configuration and load: all that were asked for, and those that confirm the load
/// with the highest mean throughput. Points that only searched for the peak decide nothing.
pub fn decisive(points: &[Point]) -> Vec<Vec<&Point>> {
    let mut loads: Vec<Vec<&Point>> = Vec::new();
    for point in points.iter().filter(|point| point.verdict.valid && point.purpose != Purpose::Search) {
        let is_same = |load: &&mut Vec<&Point>| {
            let key = |point: &Point| (point.configuration.clone(), point.clients, point.purpose == Purpose::Confirm);
            key(load[0]) == key(point)
        };
        match loads.iter_mut().find(is_same) {
            Some(load) => load.push(point),
            None => loads.push(vec![point]),
        }
    }
    let mut best: BTreeMap<String, f64> = BTreeMap::new();
    for load in loads.iter().filter(|load| load[0].purpose == Purpose::Confirm) {
        let most = best.entry(load[0].configuration.clone()).or_insert(f64::NEG_INFINITY);
        *most = most.max(Figure::Throughput.of(load));
    }
    let is_decisive = |load: &Vec<&Point>| {
        load[0].purpose != Purpose::Confirm
            || best.get(&load[0].configuration).is_some_and(|most| Figure::Throughput.of(load) >= *most)
    };
    loads.retain(is_decisive);
    loads
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `FIGURE COMPARISON NUMBER UNIT`, with blanks wherever one likes.
impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut rest = Rest { text: text.chars().collect(), at: 0 };
        let names: Vec<&str> = FIGURES.iter().map(|(name, ..)| *name).collect();
        let (name, place) = rest.take(|c| c.is_alphanumeric() || c == '_');
        let known = FIGURES.iter().find(|(known, ..)| *known == name);
        let (_, figure, units) = known.ok_or_else(|| match name.as_str() {
            "" => rest.error(place, "a figure is missing", &format!("write one of {}", names.join(", "))),
            _ => rest.error(place, &format!("there is no figure `{name}`"), &did_you_mean(&name, names.clone())),
        })?;
        let comparison = rest.comparison()?;
        let number = rest.number()?;
        let limit = number * rest.unit(units, number)?;
        let (more, place) = rest.take(|_| true);
        if !more.is_empty() {
            return Err(rest.error(place, "there is more than one condition", "name each with a --fail-if of its own"));
        }
        Ok(Self { text: text.trim().to_owned(), figure: *figure, comparison, limit })
    }
}

/// What is still to be read.
struct Rest {
    text: Vec<char>,
    at: usize,
}

impl Rest {
    /// Passes blanks, and takes the characters after them that belong together.
    fn take(&mut self, belongs: impl Fn(char) -> bool) -> (String, Range<usize>) {
        let count = |from: usize, belongs: &dyn Fn(char) -> bool| {
            self.text[from..].iter().take_while(|c| belongs(**c)).count()
        };
        let start = self.at + count(self.at, &char::is_whitespace);
        let end = start + count(start, &belongs);
        self.at = end;
        (self.text[start..end].iter().collect(), start..end)
    }

    fn comparison(&mut self) -> Result<Comparison, ConditionError> {
        let (word, place) = self.take(|c| "<>=!".contains(c));
        let known = COMPARISONS.iter().find(|(known, _)| *known == word);
        let fault = if word.is_empty() { "a comparison is missing".to_owned() } else { format!("`{word}` is no comparison") };
        known.map(|(_, comparison)| *comparison).ok_or_else(|| self.error(place, &fault, "write one of > >= < <="))
    }

    fn number(&mut self) -> Result<f64, ConditionError> {
        let (digits, place) = self.take(|c| c.is_ascii_digit() || ".,-+".contains(c));
        let number = digits.parse::<f64>().ok().filter(|number| *number >= 0.0 && !digits.starts_with('+'));
        let fault = if digits.is_empty() { "a number is missing".to_owned() } else { format!("`{digits}` is no number from 0 upwards") };
        number.ok_or_else(|| self.error(place, &fault, "write it as 500 or 0.5"))
    }

    /// How many of the figure's own unit the written one is. Nothing is nothing in each of them.
    fn unit(&mut self, units: &[(&str, f64)], number: f64) -> Result<f64, ConditionError> {
        let (word, place) = self.take(|c| !c.is_whitespace());
        let word = word.replace('µ', "u");
        let listed = units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        match units.iter().find(|(name, _)| *name == word) {
            Some((_, size)) => Ok(*size),
            None if word.is_empty() && number == 0.0 => Ok(1.0),
            None if word.is_empty() => Err(self.error(place, "the unit is missing", &format!("write one of {listed}"))),
            None => Err(self.error(place, &format!("`{word}` is no unit of this figure"), &format!("write one of {listed}"))),
        }
    }

    fn error(&self, place: Range<usize>, fault: &str, remedy: &str) -> ConditionError {
        let text = self.text.iter().collect();
        ConditionError { text, place, fault: fault.to_owned(), remedy: remedy.to_owned() }
    }
}
