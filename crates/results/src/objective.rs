//! Objectives under which a capacity is searched: `p90 <= 1s, errors <= 0.1%`. Their terms are written like the conditions of
//! `--fail-if`, and all of them must hold.

use crate::{
    CheckId, ConditionError, Point,
    condition::{Comparand, Comparison, Figure, Rest},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{CapacityRun, CapacitySearch};
use std::{fmt, str::FromStr};

/// Limits that figures must keep to. Results hold them as their text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Objective {
    text: String,
    terms: Vec<Term>,
}

/// A figure and its limit, in the unit in which results hold it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Term {
    figure: Figure,
    limit: f64,
}

/// The share of errors, in %, that an objective allows which names none: as much as a verdict does.
const ERRORS: Term = Term { figure: Figure::Errors, limit: 0.1 };

/// Checks that fail where a site has more clients than it can serve. They are no reason not to count a run that misses the
/// objective, while others say that somebody else was slow.
const OVERLOAD: [CheckId; 7] = [
    CheckId::Errors,
    CheckId::KeepAliveRaces,
    CheckId::Completed,
    CheckId::ResponseTimeLaw,
    CheckId::Fallbacks,
    CheckId::SteadyStateMser5,
    CheckId::SteadyStateChange,
];

impl Objective {
    /// Distance of a point from the objective: the logarithm of figure over limit, of the term where it is largest. Above 0 the
    /// point misses it. None if the point does not count: it is INVALID for a reason that more clients do not explain, or a
    /// figure of it is not known.
    pub fn excess(&self, point: &Point) -> Option<f64> {
        let excess = if point.completed == 0 { f64::INFINITY } else { self.tightest(point).1 };
        let explained = |id: CheckId| match id {
            CheckId::Errors => true,
            other => excess > 0.0 && OVERLOAD.contains(&other),
        };
        let failed = || point.verdict.checks.iter().filter(|check| !check.passed);
        let counts =
            point.verdict.valid || failed().next().is_some() && failed().all(|check| explained(check.id));
        Some(excess).filter(|excess| counts && !excess.is_nan())
    }

    /// The figure of a point that is nearest to its limit, or farthest beyond it: `p90 is 1034.20 ms`.
    pub fn tightest_figure(&self, point: &Point) -> String {
        let figure = self.tightest(point).0;
        figure.is(figure.of_one(point))
    }

    fn tightest(&self, point: &Point) -> (Figure, f64) {
        let excess = |term: &Term| (term.figure, (term.figure.of_one(point) / term.limit).ln());
        let each = self.terms.iter().map(excess);
        each.max_by(|one, other| one.1.total_cmp(&other.1)).expect("an objective has a term")
    }
}

impl Point {
    /// Tells a search for the capacity under an objective what this point gave.
    pub fn tell_capacity(&self, search: &mut CapacitySearch, objective: &Objective) {
        let Some(purpose) = self.search_phase() else { return };
        search.record(CapacityRun { clients: self.clients, purpose, excess: objective.excess(self) });
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `TERM, TERM, …`: a term is `FIGURE <= NUMBER UNIT`.
impl FromStr for Objective {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut rest = Rest::new(text);
        let mut terms = Vec::new();
        loop {
            let comparand = rest.comparand()?;
            terms.push(term(&rest, &comparand)?);
            let (separator, place) = rest.take(|c| !c.is_alphanumeric());
            match separator.trim_end() {
                "," => {}
                "" if place.is_empty() && rest.is_over() => break,
                _ => return Err(rest.error(place, "a comma is missing", "write p90 <= 1s, errors <= 0.1%")),
            }
        }
        if terms.iter().all(|term| term.figure != Figure::Errors) {
            terms.push(ERRORS);
        }
        Ok(Self { text: text.trim().to_owned(), terms })
    }
}

impl TryFrom<String> for Objective {
    type Error = ConditionError;

    fn try_from(text: String) -> Result<Self, ConditionError> {
        text.parse()
    }
}

impl From<Objective> for String {
    fn from(objective: Objective) -> Self {
        objective.text
    }
}

/// More clients make a site slower, so only what must stay low has a highest number of clients.
fn term(rest: &Rest, comparand: &Comparand) -> Result<Term, ConditionError> {
    let Comparand { figure, comparison, limit, place } = comparand;
    let error = |fault: &str, remedy: &str| Err(rest.error(place.clone(), fault, remedy));
    match comparison {
        _ if *figure == Figure::Throughput => error(
            "a throughput has no highest number of clients",
            "limit p50, p90, p99, mean, max, session mean, errors or cpu_ms",
        ),
        Comparison::Above | Comparison::AtLeast => {
            error("an objective limits what rises with the clients", "write it with <=")
        }
        _ if *limit <= 0.0 => error("a figure has no ratio to a limit of 0", "write errors <= 0.1%"),
        Comparison::Below | Comparison::AtMost => Ok(Term { figure: *figure, limit: *limit }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Check, Verdict, fixture};

    fn objective(text: &str) -> Objective {
        text.parse().unwrap()
    }

    /// A point with this p90, so many completed interactions of a thousand, and these failed checks.
    fn point(p90_ms: f64, completed: u64, failed: &[CheckId]) -> Point {
        let mut point = fixture::point(10);
        point.response.p90_ms = Some(p90_ms);
        (point.completed, point.refused) = (completed, 0);
        point.errors = [("timeout".to_owned(), 1000 - completed)].into();
        let check = |id: &CheckId| Check::new(*id, false, String::new(), String::new());
        point.verdict = Verdict { valid: failed.is_empty(), checks: failed.iter().map(check).collect() };
        point
    }

    #[test]
    fn the_excess_is_that_of_the_tightest_term() {
        let both = objective("p90 <= 1s, errors <= 1 %");
        for (p90_ms, completed, excess, figure) in [
            (500.0, 1000, 0.5_f64, "p90 is 500.00 ms"),
            (2000.0, 1000, 2.0, "p90 is 2000.00 ms"),
            (500.0, 980, 2.0, "errors is 2.00 %"),
        ] {
            let point = point(p90_ms, completed, &[]);
            assert!((both.excess(&point).unwrap() - excess.ln()).abs() < 1e-9, "{figure}");
            assert_eq!(both.tightest_figure(&point), figure);
        }
    }

    #[test]
    fn an_objective_without_errors_allows_as_many_as_a_verdict() {
        let times = objective("p90<=1000ms");
        assert!(times.excess(&point(10.0, 998, &[CheckId::Errors])).unwrap() > 0.0);
        assert!(times.excess(&point(10.0, 1000, &[])).unwrap() < 0.0);
        assert_eq!(times.excess(&point(10.0, 0, &[CheckId::Completed])), Some(f64::INFINITY));
    }

    #[test]
    fn a_session_counts_if_its_mean_is_known() {
        let session = objective("session mean <= 10s");
        let mut point = point(10.0, 1000, &[]);
        point.session_mean_ms = Some(20_000.0);
        assert!((session.excess(&point).unwrap() - 2.0_f64.ln()).abs() < 1e-9);
        assert_eq!(session.tightest_figure(&point), "session mean is 20000.00 ms");
        point.session_mean_ms = None;
        assert_eq!(session.excess(&point), None);
    }

    #[test]
    fn an_invalid_point_counts_only_if_more_clients_explain_it() {
        let objective = objective("p90 <= 1s, errors <= 5 %");
        for (p90_ms, failed, counts) in [
            (2000.0, CheckId::SteadyStateMser5, true),
            (500.0, CheckId::SteadyStateMser5, false),
            (500.0, CheckId::Errors, true),
            (2000.0, CheckId::GeneratorCpu, false),
            (2000.0, CheckId::Steal, false),
        ] {
            assert_eq!(
                objective.excess(&point(p90_ms, 990, &[failed])).is_some(),
                counts,
                "{failed} {p90_ms}"
            );
        }
    }

    #[test]
    fn a_fault_names_its_place_and_the_remedy() {
        for (text, texts) in [
            ("p90 >= 1s", ["    ^^^^^^^^^ write it with <=", "an objective limits"]),
            ("p90 <= 1s; errors <= 1%", ["`s;` is no unit", "write one of ms"]),
            ("p90 <= 1s errors <= 1%", ["a comma is missing", "write p90"]),
            ("p90 <= 1s,", ["a figure is missing", "p50"]),
            ("throughput <= 5/s", ["a throughput has no highest", "limit p50"]),
            ("errors <= 0", ["a limit of 0", "^ write errors <= 0.1%"]),
            ("session <= 1s", ["there is no figure `session `", "^"]),
            ("p95 <= 1s", ["there is no figure `p95`", "p90"]),
        ] {
            let fault = text.parse::<Objective>().unwrap_err().to_string();
            assert!(texts.iter().all(|part| fault.contains(part)), "{text}: {fault}");
        }
        assert_eq!(objective(" p90 < 1s,errors<=0.1% ").to_string(), "p90 < 1s,errors<=0.1%");
    }
}
