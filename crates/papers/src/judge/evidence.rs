//! What a claim is judged by, and what each part of it comes to.

use crate::{Claim, Experiment, Measured, Observations, Paper, Peak, Ratio, Region};

/// What becomes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// What was seen confirms it.
    Holds,
    /// What was seen refutes it.
    NoLongerHolds,
    /// What was seen does neither.
    CannotBeTold,
}

impl Verdict {
    /// In a few words.
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

/// Two figures, compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Whose figure is divided.
    pub of: String,
    /// By whose.
    pub over: String,
    /// The ratio.
    pub ratio: Ratio,
    /// The printed ratio, if one is printed.
    pub printed: Option<f64>,
    /// What the claim leaves the ratio.
    pub region: Region,
    /// Whether it is there.
    pub verdict: Verdict,
}

/// What a part of a claim comes to.
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    /// Without the full stop.
    pub(super) reason: String,
    pub(super) comparison: Option<Comparison>,
}

impl Finding {
    pub(super) fn untold(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::CannotBeTold, reason: reason.into(), comparison: None }
    }

    pub(super) fn plain(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), comparison: None }
    }

    /// Of a ratio that a claim leaves this region, with a reason that depends on what becomes of it.
    pub(super) fn of_ratio(
        [of, over]: [String; 2],
        ratio: Ratio,
        region: Region,
        printed: Option<f64>,
        reason: impl FnOnce(Verdict) -> String,
    ) -> Self {
        let verdict = Verdict::of(region.holds(ratio));
        let comparison = Comparison { of, over, ratio, printed, region, verdict };
        Self { verdict, reason: reason(verdict), comparison: Some(comparison) }
    }
}

/// A claim with all that it is judged by.
pub(super) struct Evidence<'a> {
    pub(super) paper: &'a Paper,
    pub(super) claim: &'a Claim,
    pub(super) seen: &'a Observations,
}

impl<'a> Evidence<'a> {
    /// The name here of a configuration of the paper.
    pub(super) fn here(&self, name: &'a str) -> &'a str {
        self.paper.configuration(name).map_or(name, |configuration| &configuration.here)
    }

    /// What was measured of a configuration in an experiment; or what is missing.
    pub(super) fn measured(&self, experiment: &str, name: &'a str) -> Result<&'a Measured, String> {
        let here = self.here(name);
        let workload = self.paper.experiment(experiment).map(Experiment::workload);
        let measured = workload.and_then(|workload| self.seen.get(&workload, here));
        measured.ok_or_else(|| format!("{here} was not measured"))
    }

    /// Its peak; or why it has none.
    pub(super) fn peak(&self, experiment: &str, name: &'a str) -> Result<&'a Peak, String> {
        self.of(experiment, name, Measured::peak)
    }

    /// What is to be taken of what was measured of it; or why it isn't there.
    pub(super) fn of<T>(
        &self,
        experiment: &str,
        name: &'a str,
        take: impl FnOnce(&'a Measured) -> Result<T, String>,
    ) -> Result<T, String> {
        take(self.measured(experiment, name)?).map_err(|reason| format!("{} {reason}", self.here(name)))
    }
}

/// `1.12 (1.08 to 1.16)`
pub(crate) fn shown(ratio: Ratio) -> String {
    format!("{:.2} ({:.2} to {:.2})", ratio.value, ratio.low, ratio.high)
}
