//! Whether a paper's claims still hold, judged from what was seen here.

mod bottleneck;
mod errors;
mod pairs;
mod shape;

use crate::{Claim, Observations, Paper, Ratio, Region, Statement};

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

    fn of(decided: Option<bool>) -> Self {
        match decided {
            Some(true) => Self::Holds,
            Some(false) => Self::NoLongerHolds,
            None => Self::CannotBeTold,
        }
    }
}

/// A claim, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What becomes of it.
    pub verdict: Verdict,
    /// Why, in a sentence or two.
    pub reason: String,
    /// The ratios on which that rests, in the claim's order.
    pub ratios: Vec<Comparison>,
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
struct Finding {
    verdict: Verdict,
    /// Without the full stop.
    reason: String,
    comparison: Option<Comparison>,
}

impl Finding {
    fn untold(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::CannotBeTold, reason: reason.into(), comparison: None }
    }

    fn plain(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), comparison: None }
    }

    /// Of a ratio that a claim leaves this region, with a reason that depends on what becomes of it.
    fn of_ratio(
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

impl Paper {
    /// Judges a claim from what was seen.
    ///
    /// A claim with several parts holds if all of them hold, and no longer holds as soon as one of them doesn't. (Each
    /// interval is one of 95 % by itself: of many true parts some may be refuted by chance.)
    pub fn judge(&self, claim: &Claim, seen: &Observations) -> Judgement {
        let missing = self.missing_for(claim);
        if !missing.is_empty() {
            let reason = sentence(&missing.join("; "));
            return Judgement { verdict: Verdict::CannotBeTold, reason, ratios: Vec::new() };
        }
        let evidence = Evidence { paper: self, claim, seen };
        summed_up(match &claim.statement {
            Statement::Ratio(quotient) => vec![evidence.ratio(quotient)],
            Statement::Order(order) => evidence.order(order),
            Statement::NoDifference(same) => evidence.no_difference(same),
            Statement::NoErrors(none) => evidence.no_errors(none),
            Statement::Bottleneck(bottleneck) => evidence.bottleneck(bottleneck),
            Statement::Shape(shape) => evidence.shape(shape),
            // Something is missing for it.
            Statement::Later => Vec::new(),
        })
    }
}

/// A claim with all that it is judged by.
struct Evidence<'a> {
    paper: &'a Paper,
    claim: &'a Claim,
    seen: &'a Observations,
}

impl<'a> Evidence<'a> {
    /// The name here of a configuration of the paper.
    fn here(&self, name: &'a str) -> &'a str {
        self.paper.configuration(name).map_or(name, |configuration| &configuration.here)
    }

    /// What was measured of a configuration in an experiment; or what is missing.
    fn measured(&self, experiment: &str, name: &'a str) -> Result<&'a crate::Measured, String> {
        let here = self.here(name);
        let workload = self.paper.experiment(experiment).map(crate::Experiment::workload);
        let measured = workload.and_then(|workload| self.seen.get(&workload, here));
        measured.ok_or_else(|| format!("{here} was not measured"))
    }

    /// Its peak; or why it has none.
    fn peak(&self, experiment: &str, name: &'a str) -> Result<&'a crate::Peak, String> {
        self.of(experiment, name, crate::Measured::peak)
    }

    /// What is to be taken of what was measured of it; or why it isn't there.
    fn of<T>(
        &self,
        experiment: &str,
        name: &'a str,
        take: impl FnOnce(&'a crate::Measured) -> Result<T, String>,
    ) -> Result<T, String> {
        take(self.measured(experiment, name)?).map_err(|reason| format!("{} {reason}", self.here(name)))
    }
}

fn summed_up(findings: Vec<Finding>) -> Judgement {
    let any = |verdict: Verdict| findings.iter().any(|finding| finding.verdict == verdict);
    let verdict = [Verdict::NoLongerHolds, Verdict::CannotBeTold].into_iter().find(|verdict| any(*verdict));
    let verdict = verdict.unwrap_or(if findings.is_empty() { Verdict::CannotBeTold } else { Verdict::Holds });
    let mut reasons: Vec<&str> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.verdict == verdict) {
        if !reasons.contains(&finding.reason.as_str()) {
            reasons.push(&finding.reason);
        }
    }
    let reason = match reasons.as_slice() {
        [] => "Nothing was compared.".to_owned(),
        [one] => sentence(one),
        [one, other] => format!("{} {}", sentence(one), sentence(other)),
        [one, others @ ..] => {
            format!("{} The same is true of {} more of the claim's parts.", sentence(one), others.len())
        }
    };
    Judgement {
        verdict,
        reason,
        ratios: findings.into_iter().filter_map(|finding| finding.comparison).collect(),
    }
}

/// With a capital at its beginning, where it begins with no name, and a full stop at its end.
fn sentence(clause: &str) -> String {
    let named = clause.split(' ').next().is_some_and(|word| word.chars().any(|letter| "-_".contains(letter)));
    let mut letters = clause.chars();
    match letters.next() {
        Some(first) if !named => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        _ => format!("{clause}."),
    }
}

/// `1.12 (1.08 to 1.16)`
pub(crate) fn shown(ratio: Ratio) -> String {
    format!("{:.2} ({:.2} to {:.2})", ratio.value, ratio.low, ratio.high)
}

#[cfg(test)]
mod tests;
