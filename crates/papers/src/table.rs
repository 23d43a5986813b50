//! Judged claims as plain text.

use crate::{Claim, Comparison, Judgement, Paper, Statement, Verdict, judge::shown};
use report::{paragraph, table};
use std::fmt::Write as _;

/// All judged claims as aligned plain text of at most 110 columns, with a final line break: the counts of verdicts,
/// and a row for each claim with the printed and the measured ratio, its text and the reason for the verdict.
pub fn claims_table(paper: &Paper, judged: &[(&Claim, Judgement)]) -> String {
    let header = ["", "section", "figure", "kind", "printed", "here", "verdict"];
    let rows = judged.iter().enumerate().map(|(index, (claim, judgement))| {
        vec![
            (index + 1).to_string(),
            claim.section.clone(),
            claim.experiment.to_string(),
            claim.statement.kind().to_owned(),
            printed(paper, claim).unwrap_or_else(|| "–".to_owned()),
            here(&judgement.ratios),
            judgement.verdict.label().to_owned(),
        ]
    });
    let mut text = String::new();
    paragraph(&mut text, "", &count(paper, judged));
    missing(paper, judged).iter().for_each(|missing| paragraph(&mut text, "", missing));
    let _ = writeln!(text, "\n{}\n", table(&header, rows, &[1, 2, 3, 6]));
    for (index, (claim, judgement)) in judged.iter().enumerate() {
        let Judgement { verdict, reason, .. } = judgement;
        let paper_reason =
            claim.reason.as_ref().map(|why| format!(" (The paper's reason, not judged: {why}.)"));
        let paper_reason = paper_reason.unwrap_or_default();
        let said = format!("{}. {} It {}. {reason}{paper_reason}", index + 1, claim.claim, verdict.label());
        paragraph(&mut text, "", &said);
    }
    text
}

pub(crate) fn printed(paper: &Paper, claim: &Claim) -> Option<String> {
    let ratio = match &claim.statement {
        Statement::Ratio(quotient) => paper.printed_ratio(quotient),
        _ => None,
    };
    ratio.map(|ratio| format!("{:.2}", ratio.value))
}

/// The measured ratio; of several, the number within the claimed region.
pub(crate) fn here(ratios: &[Comparison]) -> String {
    let fitting = ratios.iter().filter(|comparison| comparison.verdict == Verdict::Holds).count();
    match ratios {
        [] => "–".to_owned(),
        [one] => shown(one.ratio),
        _ => format!("{fitting} of {} ratios", ratios.len()),
    }
}

/// Counts of verdicts among the claims that can be judged.
pub(crate) fn count(paper: &Paper, judged: &[(&Claim, Judgement)]) -> String {
    let of = |verdict: Verdict| judged.iter().filter(|(_, judgement)| judgement.verdict == verdict).count();
    let (hold, gone) = (of(Verdict::Holds), of(Verdict::NoLongerHolds));
    let possible =
        judged.iter().filter(|(claim, judgement)| missing_for(paper, claim, judgement).is_empty()).count();
    format!(
        "{} of {possible} claims that can be judged here are decided: {hold} {}, {gone} no longer {}. {} cannot be told.",
        hold + gone,
        if hold == 1 { "holds" } else { "hold" },
        if gone == 1 { "holds" } else { "hold" },
        possible - hold - gone,
    )
}

/// The number of claims that can't be judged yet, with the reasons; none if all can.
pub(crate) fn missing(paper: &Paper, judged: &[(&Claim, Judgement)]) -> Option<String> {
    let all: Vec<Vec<&str>> =
        judged.iter().map(|(claim, judgement)| missing_for(paper, claim, judgement)).collect();
    let count = all.iter().filter(|missing| !missing.is_empty()).count();
    let mut reasons: Vec<&str> = Vec::new();
    all.into_iter().flatten().for_each(|reason| {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    });
    let claims = if count == 1 { "1 more claim" } else { &format!("{count} more claims") };
    (count > 0).then(|| format!("{claims} can't be judged here yet: {}.", reasons.join("; ")))
}

/// The reasons why a claim can't be judged; none if existing data refute it.
fn missing_for<'a>(paper: &'a Paper, claim: &'a Claim, judgement: &Judgement) -> Vec<&'a str> {
    if judgement.verdict == Verdict::NoLongerHolds { Vec::new() } else { paper.missing_for(claim) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Observations;
    use std::path::Path;

    #[test]
    fn all_claims_are_there_with_their_printed_ratio_and_their_reason() {
        let mut paper =
            Paper::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/middleware-2003")).unwrap();
        let beans = paper.configurations.last_mut().unwrap();
        (beans.not_yet, beans.not_yet_with) =
            (Some("no beans serve it yet".into()), vec!["bookstore".into()]);
        let seen = Observations::default();
        let judged: Vec<_> = paper.claims.iter().map(|claim| (claim, paper.judge(claim, &seen))).collect();
        let text = claims_table(&paper, &judged);
        assert!(text.starts_with("0 of 51 claims that can be judged here are decided: 0 hold"), "{text}");
        assert!(text.contains("8 more claims can't be judged here yet: "), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
        let of =
            |line: &&str| line.contains("fig11") && line.contains("1.41") && line.contains("cannot be told");
        assert!(text.lines().any(|line| of(&line)), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        let reason = "It cannot be told. No beans serve it yet.";
        assert!(words.join(" ").contains(reason), "{text}");
    }
}
