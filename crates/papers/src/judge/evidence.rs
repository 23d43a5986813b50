//! Evidence for a claim, and the verdict on each of its parts.

use crate::{Claim, Experiment, Load, Measured, Observations, Paper, Ratio, Region};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    NoLongerHolds,
    /// Neither.
    CannotBeTold,
}

impl Verdict {
    pub fn label(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::NoLongerHolds => "no longer holds",
            Self::CannotBeTold => "cannot be told",
        }
    }

    pub(super) fn of(decided: Option<bool>) -> Self {
        match decided {
            Some(true) => Self::Holds,
            Some(false) => Self::NoLongerHolds,
            None => Self::CannotBeTold,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub of: String,
    /// The configuration in the denominator.
    pub over: String,
    pub ratio: Ratio,
    pub printed: Option<f64>,
    pub region: Region,
    pub verdict: Verdict,
}

pub(super) struct Finding {
    pub(super) verdict: Verdict,
    /// Without the full stop.
    pub(super) reason: String,
    pub(super) comparison: Option<Comparison>,
    /// The probability of refuting it by chance; 0 for what doesn't rest on a ratio.
    pub(super) p: f64,
}

impl Finding {
    pub(super) fn untold(reason: impl Into<String>) -> Self {
        Self::plain(Verdict::CannotBeTold, reason)
    }

    pub(super) fn plain(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), comparison: None, p: 0.0 }
    }

    /// For a ratio with a claimed region; the reason depends on the verdict.
    pub(super) fn of_ratio(
        [of, over]: [String; 2],
        ratio: Ratio,
        region: Region,
        printed: Option<f64>,
        reason: impl FnOnce(Verdict) -> String,
    ) -> Self {
        let verdict = Verdict::of(region.holds(ratio));
        let comparison = Comparison { of, over, ratio, printed, region, verdict };
        let p = region.p_outside(ratio).unwrap_or(1.0);
        Self { verdict, reason: reason(verdict), comparison: Some(comparison), p }
    }
}

pub(super) struct Evidence<'a> {
    pub(super) paper: &'a Paper,
    pub(super) claim: &'a Claim,
    pub(super) seen: &'a Observations,
}

impl<'a> Evidence<'a> {
    /// The name of a paper's configuration in tierbench.
    pub(super) fn here(&self, name: &'a str) -> &'a str {
        self.paper.configuration(name).map_or(name, |configuration| &configuration.maps_to)
    }

    /// The measurement of a configuration in an experiment; or the missing part.
    pub(super) fn measured(&self, experiment: &str, name: &'a str) -> Result<&'a Measured, String> {
        let here = self.here(name);
        let workload = self.paper.experiment(experiment).map(Experiment::workload);
        let measured = workload.and_then(|workload| self.seen.get(&workload, here));
        measured.ok_or_else(|| format!("{here} was not measured"))
    }

    /// The load at its peak, or the reason why it has none.
    pub(super) fn peak(&self, experiment: &str, name: &'a str) -> Result<&'a Load, String> {
        self.of(experiment, name, Measured::peak)
    }

    /// A part of its measurement, or the reason why it is missing.
    pub(super) fn of<T>(
        &self,
        experiment: &str,
        name: &'a str,
        take: impl FnOnce(&'a Measured) -> Result<T, String>,
    ) -> Result<T, String> {
        take(self.measured(experiment, name)?).map_err(|reason| format!("{} {reason}", self.here(name)))
    }
}

/// `1.12 (1.08 to 1.16)`, `1.12 (at least 1.08)`
pub(crate) fn shown(ratio: Ratio) -> String {
    let Ratio { value, low, high, .. } = ratio;
    match (low > 0.0, high.is_finite()) {
        (true, true) => format!("{value:.2} ({low:.2} to {high:.2})"),
        (true, false) => format!("{value:.2} (at least {low:.2})"),
        (false, true) => format!("{value:.2} (at most {high:.2})"),
        (false, false) => format!("{value:.2} (open to both sides)"),
    }
}
