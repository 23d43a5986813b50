//! Conditions on which a command fails: `p99 > 500ms`. They are read from what people type, and held against the
//! points that decide: of a search those that confirm its peak, else all that were asked for.

use crate::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use settings::did_you_mean;
use std::{fmt, ops::Range, str::FromStr};
use thiserror::Error;

/// A limit for a figure; passing it is a failure. Results hold it as its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
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
    /// Wrong characters; an empty range where something is missing.
    place: Range<usize>,
    fault: String,
    remedy: String,
}

/// Load at which a condition has come true.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    /// The configuration.
    pub configuration: String,
    /// The load.
    pub clients: u32,
    /// VALID points of which the figure is the mean.
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
pub(crate) enum Figure {
    Median,
    P90,
    P99,
    Mean,
    Longest,
    SessionMean,
    Throughput,
    Errors,
    CpuMs,
}

/// Units by their names, with how many of the first each is. The first is the one that results hold.
type Units = &'static [(&'static str, f64)];

/// Names of figures, and the units of their limits.
const FIGURES: [(&str, Figure, Units); 9] = [
    ("p50", Figure::Median, &TIMES),
    ("p90", Figure::P90, &TIMES),
    ("p99", Figure::P99, &TIMES),
    ("mean", Figure::Mean, &TIMES),
    ("max", Figure::Longest, &TIMES),
    ("session mean", Figure::SessionMean, &TIMES),
    ("throughput", Figure::Throughput, &[("/s", 1.0), ("/min", 1.0 / 60.0)]),
    ("errors", Figure::Errors, &[("%", 1.0)]),
    ("cpu_ms", Figure::CpuMs, &[("ms", 1.0)]),
];

const TIMES: [(&str, f64); 3] = [("ms", 1.0), ("s", 1e3), ("us", 1e-3)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
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
    /// Loads at which it is true among the points that decide, as [`decisive`](crate::decisive()) gives them.
    pub fn breaches(&self, decisive: &[Vec<&Point>]) -> Vec<Breach> {
        decisive.iter().filter_map(|runs| self.breach(runs)).collect()
    }

    fn breach(&self, runs: &[&Point]) -> Option<Breach> {
        let value = self.figure.of(runs);
        let first = runs.first().filter(|_| self.comparison.holds(value, self.limit))?;
        Some(Breach {
            configuration: first.configuration.clone(),
            clients: first.clients,
            runs: runs.len(),
            figure: self.figure.is(value),
        })
    }
}

impl Figure {
    /// A value of it in words: `p99 is 612.30 ms`.
    pub(crate) fn is(self, value: f64) -> String {
        let (name, _, units) = self.entry();
        match value.is_nan() {
            true => format!("{name} is not known"),
            false => format!("{name} is {value:.2} {}", units[0].0),
        }
    }

    fn entry(self) -> &'static (&'static str, Self, Units) {
        FIGURES.iter().find(|(_, figure, _)| *figure == self).expect("each figure has a name")
    }

    /// The mean of it over points at one load.
    fn of(self, runs: &[&Point]) -> f64 {
        runs.iter().map(|point| self.of_one(point)).sum::<f64>() / runs.len().max(1) as f64
    }

    /// Figure of a point, in the unit in which results hold it.
    pub(crate) fn of_one(self, point: &Point) -> f64 {
        match self {
            Self::Median => known(point.response.p50_ms),
            Self::P90 => known(point.response.p90_ms),
            Self::P99 => known(point.response.p99_ms),
            Self::Mean => known(point.response.mean_ms),
            Self::Longest => known(point.response.max_ms),
            Self::SessionMean => known(point.session_mean_ms),
            Self::Throughput => point.throughput,
            Self::Errors => {
                let failed = point.failed();
                100.0 * failed as f64 / (point.completed + point.refused + failed).max(1) as f64
            }
            Self::CpuMs => point.tiers.iter().map(|tier| tier.cpu_ms_per_interaction).sum(),
        }
    }
}

/// No comparison holds for what nobody knows.
fn known(figure: Option<f64>) -> f64 {
    figure.unwrap_or(f64::NAN)
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
        let mut rest = Rest::new(text);
        let Comparand { figure, comparison, limit, .. } = rest.comparand()?;
        let (more, place) = rest.take(|_| true);
        if !more.is_empty() {
            return Err(rest.error(
                place,
                "there is more than one condition",
                "name each with a --fail-if of its own",
            ));
        }
        Ok(Self { text: text.trim().to_owned(), figure, comparison, limit })
    }
}

impl TryFrom<String> for Condition {
    type Error = ConditionError;

    fn try_from(text: String) -> Result<Self, ConditionError> {
        text.parse()
    }
}

impl From<Condition> for String {
    fn from(condition: Condition) -> Self {
        condition.text
    }
}

/// A figure, how it is compared, and with what.
pub(crate) struct Comparand {
    pub figure: Figure,
    pub comparison: Comparison,
    /// In the unit in which results hold the figure.
    pub limit: f64,
    /// Place in the text, by characters.
    pub place: Range<usize>,
}

/// Text that is still to be read.
pub(crate) struct Rest {
    text: Vec<char>,
    at: usize,
}

impl Rest {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.chars().collect(), at: 0 }
    }

    /// `FIGURE COMPARISON NUMBER UNIT`, with blanks wherever one likes.
    pub(crate) fn comparand(&mut self) -> Result<Comparand, ConditionError> {
        let names: Vec<&str> = FIGURES.iter().map(|(name, ..)| *name).collect();
        let (name, place) = self.name();
        let known = FIGURES.iter().find(|(known, ..)| *known == name);
        let (_, figure, units) = known.ok_or_else(|| match name.as_str() {
            "" => self.error(
                place.clone(),
                "a figure is missing",
                &format!("write one of {}", names.join(", ")),
            ),
            _ => self.error(
                place.clone(),
                &format!("there is no figure `{name}`"),
                &did_you_mean(&name, names.clone()),
            ),
        })?;
        let comparison = self.comparison()?;
        let number = self.number()?;
        let limit = number * self.unit(units, number)?;
        Ok(Comparand { figure: *figure, comparison, limit, place: place.start..self.at })
    }

    /// A word, or the two of `session mean`.
    fn name(&mut self) -> (String, Range<usize>) {
        let belongs = |c: char| c.is_alphanumeric() || c == '_';
        let (word, place) = self.take(belongs);
        if word != "session" {
            return (word, place);
        }
        let (of_it, end) = self.take(belongs);
        (format!("{word} {of_it}"), place.start..end.end)
    }

    /// Passes blanks, and takes the characters after them that belong together.
    pub(crate) fn take(&mut self, belongs: impl Fn(char) -> bool) -> (String, Range<usize>) {
        let count = |from: usize, belongs: &dyn Fn(char) -> bool| {
            self.text[from..].iter().take_while(|c| belongs(**c)).count()
        };
        let start = self.at + count(self.at, &char::is_whitespace);
        let end = start + count(start, &belongs);
        self.at = end;
        (self.text[start..end].iter().collect(), start..end)
    }

    /// True if only blanks follow.
    pub(crate) fn is_over(&self) -> bool {
        self.text[self.at..].iter().all(|c| c.is_whitespace())
    }

    fn comparison(&mut self) -> Result<Comparison, ConditionError> {
        let (word, place) = self.take(|c| "<>=!".contains(c));
        let known = COMPARISONS.iter().find(|(known, _)| *known == word);
        let fault = if word.is_empty() {
            "a comparison is missing".to_owned()
        } else {
            format!("`{word}` is no comparison")
        };
        known
            .map(|(_, comparison)| *comparison)
            .ok_or_else(|| self.error(place, &fault, "write one of > >= < <="))
    }

    fn number(&mut self) -> Result<f64, ConditionError> {
        let (digits, place) = self.take(|c| c.is_ascii_digit() || ".,-+".contains(c));
        let number = digits.parse::<f64>().ok().filter(|number| *number >= 0.0 && !digits.starts_with('+'));
        let fault = if digits.is_empty() {
            "a number is missing".to_owned()
        } else {
            format!("`{digits}` is no number from 0 upwards")
        };
        number.ok_or_else(|| self.error(place, &fault, "write it as 500 or 0.5"))
    }

    /// Factor from the written unit to the figure's own. Zero needs no unit.
    fn unit(&mut self, units: &[(&str, f64)], number: f64) -> Result<f64, ConditionError> {
        let (word, place) = self.take(|c| !c.is_whitespace() && c != ',');
        let word = word.replace('µ', "u");
        let listed = units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        match units.iter().find(|(name, _)| *name == word) {
            Some((_, size)) => Ok(*size),
            None if word.is_empty() && number == 0.0 => Ok(1.0),
            None if word.is_empty() => {
                Err(self.error(place, "the unit is missing", &format!("write one of {listed}")))
            }
            None => Err(self.error(
                place,
                &format!("`{word}` is no unit of this figure"),
                &format!("write one of {listed}"),
            )),
        }
    }

    pub(crate) fn error(&self, place: Range<usize>, fault: &str, remedy: &str) -> ConditionError {
        let text = self.text.iter().collect();
        ConditionError { text, place, fault: fault.to_owned(), remedy: remedy.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Loads, Manifest, Purpose, TierFigures, Verdict, decisive, fixture};
    use stats::StoppingRule;

    fn point(clients: u32, throughput: f64, purpose: Purpose) -> Point {
        Point {
            throughput,
            purpose,
            verdict: Verdict { valid: true, checks: Vec::new() },
            ..fixture::point(clients)
        }
    }

    fn breaches(condition: &str, points: &[Point]) -> Vec<String> {
        breaches_in(&fixture::manifest(), condition, points)
    }

    fn breaches_in(manifest: &Manifest, condition: &str, points: &[Point]) -> Vec<String> {
        let condition: Condition = condition.parse().unwrap();
        condition.breaches(&decisive(manifest, points)).iter().map(ToString::to_string).collect()
    }

    fn searching(most: u32) -> Manifest {
        fixture::manifest_with(Loads::peak(most, fixture::THINK_TIME, StoppingRule::Fixed))
    }

    #[test]
    fn each_figure_is_held_against_its_limit_in_each_unit() {
        let mut one = point(10, 120.0, Purpose::Listed);
        (one.response.p50_ms, one.response.p90_ms, one.response.p99_ms, one.response.mean_ms) =
            (Some(10.0), Some(90.0), Some(600.0), Some(20.0));
        (one.completed, one.refused, one.session_mean_ms) = (97, 1, Some(1500.0));
        one.tiers = ["db", "web"]
            .map(|role| TierFigures {
                role: role.into(),
                cpu_ms_per_interaction: 1.5,
                ..TierFigures::default()
            })
            .into();
        for (condition, is_met) in [
            ("p50 > 9.9ms", true),
            ("p50 > 10 ms", false),
            ("p50>=10ms", true),
            ("p90 < 0.1s", true),
            ("p90 < 89000us", false),
            ("p99 <= 0.6 s", true),
            ("mean > 20001µs", false),
            ("session mean > 1s", true),
            ("session  mean>2s", false),
            ("throughput < 121/s", true),
            ("throughput < 7200/min", false),
            ("throughput <= 7200/min", true),
            ("errors > 0", true),
            ("errors > 2%", false),
            ("errors >= 2 %", true),
            ("cpu_ms > 2.9ms", true),
            ("cpu_ms > 3ms", false),
        ] {
            assert_eq!(
                breaches(condition, std::slice::from_ref(&one)).len(),
                usize::from(is_met),
                "{condition}"
            );
        }
    }

    #[test]
    fn a_breach_names_configuration_load_figure_and_runs() {
        let mut points = [1.0, 3.0].map(|ms| point(10, ms, Purpose::Listed));
        (points[0].response.p99_ms, points[1].response.p99_ms) = (Some(400.0), Some(800.0));
        assert_eq!(
            breaches("p99 > 500ms", &points),
            ["WsPhp-DB with 10 clients: p99 is 600.00 ms (mean of 2 runs)"]
        );
        assert_eq!(breaches("p99 > 500ms", &points[1..]), ["WsPhp-DB with 10 clients: p99 is 800.00 ms"]);
        assert_eq!(breaches("p99 > 700ms", &points), [""; 0]);
    }

    #[test]
    fn every_listed_load_decides_but_of_a_search_only_the_confirmed_peak() {
        let listed = [10, 20, 30].map(|clients| point(clients, f64::from(clients), Purpose::Listed));
        assert_eq!(breaches("throughput < 25/s", &listed).len(), 2);
        let search = searching(40);
        let mut points: Vec<Point> = [(10, 50.0), (20, 101.0), (40, 99.0)]
            .map(|(clients, found)| point(clients, found, Purpose::Search))
            .into();
        assert_eq!(breaches_in(&search, "throughput < 1000/s", &points), [""; 0], "nothing is confirmed");
        let confirmed = [(20, 90.0), (20, 100.0), (20, 110.0), (40, 80.0), (40, 81.0), (40, 82.0)];
        points.extend(confirmed.map(|(clients, throughput)| point(clients, throughput, Purpose::Confirm)));
        assert_eq!(
            breaches_in(&search, "throughput < 1000/s", &points),
            ["WsPhp-DB with 20 clients: throughput is 100.00 /s (mean of 3 runs)"]
        );
        assert_eq!(breaches_in(&search, "throughput < 100/s", &points), [""; 0]);
        let slow =
            |throughput, purpose| Point { configuration: "Slow".into(), ..point(10, throughput, purpose) };
        points.push(slow(2.0, Purpose::Search));
        points.extend([1.0, 2.0, 3.0].map(|throughput| slow(throughput, Purpose::Confirm)));
        assert_eq!(
            breaches_in(&search, "throughput < 100/s", &points),
            ["Slow with 10 clients: throughput is 2.00 /s (mean of 3 runs)"]
        );
    }

    #[test]
    fn what_profilers_slowed_decides_nothing() {
        let slow = |clients| point(clients, 1.0, Purpose::Profile);
        assert_eq!(breaches("throughput < 25/s", &[slow(10)]), [""; 0]);
        let mut points: Vec<Point> = [(10, 50.0), (20, 101.0), (40, 99.0)]
            .map(|(clients, found)| point(clients, found, Purpose::Search))
            .into();
        points.extend([90.0, 100.0, 110.0].map(|throughput| point(20, throughput, Purpose::Confirm)));
        points.extend([80.0, 81.0, 82.0].map(|throughput| point(40, throughput, Purpose::Confirm)));
        let search = searching(40);
        let before = breaches_in(&search, "throughput < 1000/s", &points);
        assert_eq!(before.len(), 1);
        for clients in [10, 20, 40, 80] {
            points.insert(0, slow(clients));
            points.push(slow(clients));
        }
        assert_eq!(breaches_in(&search, "throughput < 1000/s", &points), before);
    }

    #[test]
    fn what_is_invalid_decides_nothing() {
        let mut invalid = point(10, 1.0, Purpose::Listed);
        invalid.verdict.valid = false;
        assert_eq!(breaches("throughput < 25/s", &[invalid]), [""; 0]);
    }

    #[test]
    fn errors_point_at_the_fault_and_say_what_to_write() {
        for (text, shown) in [
            (
                "",
                "a figure is missing\n    \n    ^ write one of p50, p90, p99, mean, max, session mean, \
                 throughput, errors, cpu_ms",
            ),
            ("p98 > 500ms", "there is no figure `p98`\n    p98 > 500ms\n    ^^^ did you mean `p"),
            ("p99", "a comparison is missing\n    p99\n       ^ write one of > >= < <="),
            ("p99 = 5ms", "`=` is no comparison\n    p99 = 5ms\n        ^ write one of > >= < <="),
            ("p99 >> 5ms", "`>>` is no comparison\n    p99 >> 5ms\n        ^^ write one of > >= < <="),
            ("p99 > ms", "a number is missing\n    p99 > ms\n          ^ write it as 500 or 0.5"),
            ("p99 > 1.2.3ms", "`1.2.3` is no number from 0 upwards\n    p99 > 1.2.3ms\n          ^^^^^ "),
            ("p99 > -1ms", "`-1` is no number from 0 upwards\n    p99 > -1ms\n          ^^ "),
            ("p99 > 500", "the unit is missing\n    p99 > 500\n             ^ write one of ms, s, us"),
            ("errors > 5", "the unit is missing\n    errors > 5\n              ^ write one of %"),
            (
                "p99 > 500m",
                "`m` is no unit of this figure\n    p99 > 500m\n             ^ write one of ms, s, us",
            ),
            (
                "p99 > 500 parsecs",
                "`parsecs` is no unit of this figure\n    p99 > 500 parsecs\n              ^^^^^^^ ",
            ),
            (
                "p99 > 5ms p50 > 1ms",
                "there is more than one condition\n    p99 > 5ms p50 > 1ms\n              ^^^^^^^^^ ",
            ),
        ] {
            let error = text.parse::<Condition>().unwrap_err().to_string();
            assert!(error.starts_with(shown), "{text}:\n{error}");
        }
    }

    #[test]
    fn a_condition_is_shown_as_it_was_written() {
        assert_eq!(" p99>500ms ".parse::<Condition>().unwrap().to_string(), "p99>500ms");
    }
}
