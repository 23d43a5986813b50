//! Judgement of a paper's claims from observations.

mod bottleneck;
mod errors;
mod evidence;
mod pairs;
mod shape;

pub(crate) use evidence::shown;
pub use evidence::{Comparison, Verdict};

use crate::{Claim, Observations, Paper, Statement};
use evidence::{Evidence, Finding};

#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// A sentence or two.
    pub reason: String,
    /// The underlying ratios, in the claim's order.
    pub ratios: Vec<Comparison>,
}

impl Paper {
    /// Judges a claim from observations.
    ///
    /// A claim with several parts holds if all of them hold, and no longer holds as soon as one of them doesn't.
    /// (Each interval is a 95 % interval by itself: of many true parts some may be refuted by chance.) So a claim
    /// about configurations of which some are left out can be refuted by the others, and not confirmed.
    pub fn judge(&self, claim: &Claim, seen: &Observations) -> Judgement {
        let missing = self.missing_for(claim);
        let judgement = summed_up(self.findings(claim, seen));
        if missing.is_empty() || judgement.verdict == Verdict::NoLongerHolds {
            return judgement;
        }
        let reason = sentence(&missing.join("; "));
        Judgement { verdict: Verdict::CannotBeTold, reason, ratios: judgement.ratios }
    }

    fn findings(&self, claim: &Claim, seen: &Observations) -> Vec<Finding> {
        if self.is_out_of_reach(claim) {
            return Vec::new();
        }
        let evidence = Evidence { paper: self, claim, seen };
        match &claim.statement {
            Statement::Ratio(quotient) => vec![evidence.ratio(quotient)],
            Statement::Order(order) => evidence.order(order),
            Statement::NoDifference(same) => evidence.no_difference(same),
            Statement::NoErrors(none) => evidence.no_errors(none),
            Statement::Bottleneck(bottleneck) => evidence.bottleneck(bottleneck),
            Statement::Shape(shape) => evidence.shape(shape),
            // Data are missing.
            Statement::NotYet => Vec::new(),
        }
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

/// As a sentence: with a capital, unless it begins with a name, and a full stop.
fn sentence(clause: &str) -> String {
    let named = clause.split(' ').next().is_some_and(|word| word.chars().any(|letter| "-_".contains(letter)));
    let mut letters = clause.chars();
    match letters.next() {
        Some(first) if !named => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        _ => format!("{clause}."),
    }
}

#[cfg(test)]
mod tests;
