//! Explanations of faults that are not caught, or not by few requests: `explained.toml`.

use crate::injection::Injection;
use serde::Deserialize;

/// The explanations.
pub(crate) struct Explained {
    same: Vec<Explanation>,
    missed: Vec<Explanation>,
    long: Vec<Explanation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Changes that nobody could notice, and so no faults: they don't count.
    #[serde(default)]
    same: Vec<Explanation>,
    /// Faults that are not seen.
    #[serde(default)]
    missed: Vec<Explanation>,
    /// Faults that few requests need not show.
    #[serde(default)]
    long: Vec<Explanation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explanation {
    faults: Vec<String>,
    because: String,
}

/// Verdict that the file allows on a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expectation<'a> {
    /// Nothing, so that it must be caught.
    Nothing,
    /// It is no fault after all.
    Same(&'a str),
    /// It is not seen.
    Missed(&'a str),
    /// It must be caught, by however many requests.
    Long,
}

impl Explained {
    /// Reads the explanations; panics if one is about no fault.
    pub(crate) fn read(all: &[Injection]) -> Self {
        let File { same, missed, long } = toml::from_str(include_str!("explained.toml")).unwrap();
        for name in same.iter().chain(&missed).chain(&long).flat_map(|explanation| &explanation.faults) {
            assert!(all.iter().any(|fault| fault.name == *name), "explained.toml: there is no fault {name}");
        }
        Self { same, missed, long }
    }

    pub(crate) fn of(&self, fault: &Injection) -> Expectation<'_> {
        let because = |explanations: &'_ [Explanation]| {
            explanations.iter().position(|explanation| explanation.faults.contains(&fault.name))
        };
        match (because(&self.same), because(&self.missed)) {
            (Some(at), _) => Expectation::Same(&self.same[at].because),
            (None, Some(at)) => Expectation::Missed(&self.missed[at].because),
            (None, None) if because(&self.long).is_some() => Expectation::Long,
            (None, None) => Expectation::Nothing,
        }
    }
}
