//! What became of the data: invariants, the account of writes, and the loss that was planted to test both.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What was found of the data after a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// How long it took.
    pub seconds: f64,
    /// Each invariant of the application.
    pub findings: Vec<Finding>,
    /// Each table, with the writes that clients sent.
    pub accounts: Vec<Account>,
}

impl Audit {
    /// All that is wrong with the data, each in a sentence.
    pub fn faults(&self) -> Vec<String> {
        let violated = self.findings.iter().filter(|finding| finding.violations > 0);
        let violated = violated.map(|finding| {
            let times = if finding.violations == 1 { "once" } else { "times" };
            let count =
                if finding.violations == 1 { String::new() } else { format!("{} ", finding.violations) };
            let example = finding.examples.first().map_or(String::new(), |first| format!(", as in {first}"));
            format!("“{}” is not so {count}{times}{example}", finding.sentence.trim_end_matches('.'))
        });
        violated.chain(self.accounts.iter().flat_map(Account::faults)).collect()
    }
}

/// What was found of one invariant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The invariant's name.
    pub invariant: String,
    /// What must hold.
    pub sentence: String,
    /// How often it does not.
    pub violations: u64,
    /// The first violations, each as `column = value, …`.
    pub examples: Vec<String>,
    /// How long looking took.
    pub seconds: f64,
}

/// In lines: the name and the sentence, how often it doesn't hold, and the first violations.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.violations == 1 { "violation" } else { "violations" };
        write!(f, "`{}`: {}\n  {} {times}, the first:", self.invariant, self.sentence, self.violations)?;
        self.examples.iter().try_for_each(|example| write!(f, "\n  {example}"))
    }
}

/// The rows of a table against the writes that clients sent. Rows that the application makes by itself apart, each new
/// one must be an acknowledged write or one in doubt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    /// The table.
    pub table: String,
    /// Writes that a page has confirmed.
    pub acknowledged: u64,
    /// Writes that a rule has refused.
    pub refused: u64,
    /// Writes that were sent and never properly answered.
    pub in_doubt: u64,
    /// Rows that are newer than the loaded ones.
    pub new: u64,
    /// New rows that the application has made by itself.
    pub derived: u64,
    /// New rows that are neither derived nor acknowledged: at most as many as writes in doubt.
    pub unclaimed: u64,
    /// Acknowledged writes whose rows are not there.
    pub missing: u64,
    /// The first of them, by id.
    pub missing_ids: Vec<u64>,
    /// Writes that were acknowledged with the same row as another.
    pub repeated: u64,
    /// Loaded rows that are gone.
    pub gone: u64,
}

impl Account {
    /// What is wrong with the table, each in a sentence.
    pub fn faults(&self) -> Vec<String> {
        let Self { table, acknowledged, in_doubt, unclaimed, missing, repeated, gone, .. } = self;
        let first: Vec<String> = self.missing_ids.iter().map(ToString::to_string).collect();
        let sentences = [
            (*missing > 0).then(|| {
                let ids = first.join(", ");
                format!("{missing} of {acknowledged} acknowledged rows of {table} are not there (the first: {ids})")
            }),
            (*repeated > 0).then(|| format!("{repeated} rows of {table} were acknowledged more than once")),
            (unclaimed > in_doubt).then(|| {
                format!(
                    "{unclaimed} new rows of {table} were never acknowledged, but only {in_doubt} writes were in doubt"
                )
            }),
            (*gone > 0).then(|| format!("{gone} loaded rows of {table} are gone")),
        ];
        sentences.into_iter().flatten().collect()
    }
}

/// A row that was deleted on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlantedLoss {
    /// On which configuration.
    pub configuration: String,
    /// The row's table.
    pub table: String,
    /// The row's id.
    pub id: u64,
    /// Whether a client had written it in the point before; if not, it was loaded.
    pub written: bool,
    /// What saw it: invariants by name, and the account of writes.
    pub seen_by: Vec<String>,
}
