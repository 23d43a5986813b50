//! Judgement of a paper's claims from observations.

mod bottleneck;
mod cpu;
mod errors;
mod evidence;
mod pairs;
mod shape;

pub(crate) use evidence::shown;
pub use evidence::{Comparison, Verdict};

use crate::{Claim, Observations, Paper, Statement};
use evidence::{Evidence, Finding};
use stats::holm;

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
    /// A claim with several parts holds if all of them hold, and no longer holds as soon as one of them doesn't. So a
    /// claim about configurations of which some are left out can be refuted by the others, and not confirmed.
    pub fn judge(&self, claim: &Claim, seen: &Observations) -> Judgement {
        let missing = self.missing_for(claim);
        let mut findings = self.findings(claim, seen);
        refute_together(&mut findings);
        let holding = holding(&findings);
        let judgement = summed_up(findings);
        if missing.is_empty() || judgement.verdict == Verdict::NoLongerHolds {
            return judgement;
        }
        let missing = sentence(&missing.join("; "));
        let reason = holding.map_or_else(|| missing.clone(), |holding| format!("{holding} {missing}"));
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
            Statement::SystemShare(share) => evidence.system_share(share),
            Statement::CpuOverLoads(cpu) => evidence.cpu_over_loads(cpu),
            // Data are missing.
            Statement::NotYet => Vec::new(),
        }
    }
}

/// The probability of refuting a part of a claim by chance, of all parts together: one side of a 95 % interval.
const REFUTED_BY_CHANCE: f64 = 0.025;

/// Leaves open the parts that would be refuted by their own interval, but not by Holm's step-down over all parts: of many
/// true parts, some intervals lie outside by chance.
fn refute_together(findings: &mut [Finding]) {
    let mut measured: Vec<&mut Finding> =
        findings.iter_mut().filter(|finding| finding.comparison.is_some()).collect();
    let count = measured.len();
    let adjusted = holm(&measured.iter().map(|finding| finding.p).collect::<Vec<_>>());
    for (finding, p) in measured.iter_mut().zip(adjusted) {
        if finding.verdict == Verdict::NoLongerHolds && p > REFUTED_BY_CHANCE {
            finding.verdict = Verdict::CannotBeTold;
            finding.reason =
                format!("{}; of {count} parts, one may lie this far outside by chance", finding.reason);
            finding.comparison.iter_mut().for_each(|comparison| comparison.verdict = finding.verdict);
        }
    }
}

/// The known parts of a claim of which others are open: `It holds for 4 of its 5 parts.`
fn holding(findings: &[Finding]) -> Option<String> {
    let holding = findings.iter().filter(|finding| finding.verdict == Verdict::Holds).count();
    let all = findings.len();
    match holding {
        0 => None,
        _ if holding == all => Some(match all {
            1 => "It holds as far as it is measured.".to_owned(),
            _ => format!("It holds for all {all} parts that are measured."),
        }),
        _ => Some(format!("It holds for {holding} of its {all} parts.")),
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
    let reason = match holding(&findings).filter(|_| verdict == Verdict::CannotBeTold) {
        Some(holding) => format!("{holding} {reason}"),
        None => reason,
    };
    Judgement {
        verdict,
        reason,
        ratios: findings.into_iter().filter_map(|finding| finding.comparison).collect(),
    }
}

/// Sentence of a clause: with a capital, unless it begins with a name, and a full stop.
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
