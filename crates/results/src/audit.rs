//! State of the data after a load: invariants, the account of writes, and the loss that was planted to test both.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// State of the data after a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Audit {
    /// Its duration in seconds.
    pub seconds: f64,
    /// Each invariant of the application.
    pub findings: Vec<Finding>,
    /// Each table, with the writes that clients sent.
    pub accounts: Vec<Account>,
    /// Pages that were compared with the model's at the end of the start; none where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageSample>,
}

/// A sample of the pages of a measured site, after all loads of a start, against the model's. The data were restored before.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageSample {
    /// Pages that were compared, and were the model's.
    pub compared: u64,
    /// Seconds that it took, with restoring the data.
    pub seconds: f64,
    /// The first page that is not the model's, and how it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Reason why nothing was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

impl PageSample {
    /// Fault of the pages, in a sentence.
    fn fault(&self) -> Option<String> {
        let words = self.difference.as_ref()?.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(format!("after the loads, a page is not the model's: {words}"))
    }
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
        let accounts = self.accounts.iter().flat_map(Account::faults);
        violated.chain(accounts).chain(self.pages.as_ref().and_then(PageSample::fault)).collect()
    }

    /// Both together, where the data were restored in between. A write that was in doubt then may have been made since,
    /// so it must be among those in doubt now.
    pub fn with_earlier(mut self, earlier: Self) -> Self {
        self.seconds += earlier.seconds;
        self.findings.iter_mut().zip(earlier.findings).for_each(|(now, then)| now.add_earlier(then));
        self.accounts.iter_mut().zip(earlier.accounts).for_each(|(now, then)| now.add_earlier(then));
        self.pages = self.pages.or(earlier.pages);
        self
    }
}

/// Outcome of the query for one invariant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The invariant's name.
    pub invariant: String,
    /// Rule that must hold.
    pub sentence: String,
    /// Violations of the rule.
    pub violations: u64,
    /// The first violations, each as `column = value, …`.
    pub examples: Vec<String>,
    /// Duration of the query in seconds.
    pub seconds: f64,
}

impl Finding {
    fn add_earlier(&mut self, mut earlier: Self) {
        self.violations += earlier.violations;
        self.seconds += earlier.seconds;
        earlier.examples.append(&mut self.examples);
        self.examples = earlier.examples;
    }
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
    /// Acknowledged rows that were compared with what clients had sent. Older results have none.
    #[serde(default)]
    pub compared: u64,
    /// Rows that hold something else.
    #[serde(default)]
    pub altered: u64,
    /// The first of them, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub altered_examples: Vec<String>,
    /// Loaded rows that were compared, by checksums, in the columns that no interaction changes. Older results have none.
    #[serde(default)]
    pub checked: u64,
    /// Rows that hold something else; at least so many.
    #[serde(default)]
    pub changed: u64,
    /// The first of them, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_examples: Vec<String>,
}

/// A column of a row that holds another value than it should, in words.
pub fn altered_value(row: u64, column: &str, held: &dyn fmt::Display, right: &dyn fmt::Display) -> String {
    let texts = [held.to_string(), right.to_string()];
    let [held, right] = &texts;
    let same = held.chars().zip(right.chars()).take_while(|(held, right)| held == right).count();
    let is_long = texts.iter().any(|text| text.chars().count() > SHOWN_LETTERS);
    let from = if is_long { same.saturating_sub(SHOWN_LETTERS / 2) } else { 0 };
    format!("`{column}` of row {row} is `{}` instead of `{}`", excerpt(held, from), excerpt(right, from))
}

/// The most letters of a value that are shown.
const SHOWN_LETTERS: usize = 60;

/// A part of a text, in one line.
fn excerpt(text: &str, from: usize) -> String {
    let part: String = text.chars().skip(from).take(SHOWN_LETTERS).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if text.chars().count() > from + SHOWN_LETTERS { "…" } else { "" };
    format!("{before}{}{after}", part.replace(char::is_control, " "))
}

impl Account {
    fn add_earlier(&mut self, mut earlier: Self) {
        self.acknowledged += earlier.acknowledged;
        self.refused += earlier.refused;
        self.new += earlier.new;
        self.derived += earlier.derived;
        self.unclaimed += earlier.unclaimed;
        self.missing += earlier.missing;
        self.repeated += earlier.repeated;
        self.gone += earlier.gone;
        earlier.missing_ids.append(&mut self.missing_ids);
        self.missing_ids = earlier.missing_ids;
        self.compared += earlier.compared;
        self.altered += earlier.altered;
        earlier.altered_examples.append(&mut self.altered_examples);
        self.altered_examples = earlier.altered_examples;
        self.checked = self.checked.max(earlier.checked);
        self.changed += earlier.changed;
        earlier.changed_examples.append(&mut self.changed_examples);
        self.changed_examples = earlier.changed_examples;
    }

    /// Faults of the table, each in a sentence.
    pub fn faults(&self) -> Vec<String> {
        let Self { table, acknowledged, in_doubt, unclaimed, missing, repeated, gone, .. } = self;
        let Self { compared, altered, changed, .. } = self;
        let as_in =
            |examples: &[String]| examples.first().map_or(String::new(), |first| format!(" ({first})"));
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
            (*altered > 0).then(|| {
                let example = as_in(&self.altered_examples);
                format!("{altered} of {compared} acknowledged rows of {table} hold other values than clients sent{example}")
            }),
            (*changed > 0).then(|| {
                let example = as_in(&self.changed_examples);
                format!("{changed} loaded rows of {table} were changed, which no interaction may{example}")
            }),
        ];
        sentences.into_iter().flatten().collect()
    }
}

/// A row that was deleted on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlantedLoss {
    /// Configuration on which it was planted.
    pub configuration: String,
    /// The row's table.
    pub table: String,
    /// The row's id.
    pub id: u64,
    /// True if a client had written it in the point before; if not, it was loaded.
    pub written: bool,
    /// Detectors that saw it: invariants by name, and the account of writes.
    pub seen_by: Vec<String>,
    /// The loaded row that was changed beside it, which its checksum has shown; none where there is no SQL, and of older results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<ChangedRow>,
}

/// A loaded row that was changed on purpose, in a column that no interaction changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedRow {
    /// The row's table.
    pub table: String,
    /// The row's id.
    pub id: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audit(account: Account, violations: u64) -> Audit {
        let finding = Finding {
            invariant: "bid_order".to_owned(),
            sentence: "Bids rise.".to_owned(),
            violations,
            examples: (0..violations).map(|id| format!("id = {id}")).collect(),
            seconds: 0.5,
        };
        Audit { seconds: 1.0, findings: vec![finding], accounts: vec![account], pages: None }
    }

    fn bids(acknowledged: u64, new: u64, in_doubt: u64, missing: &[u64]) -> Account {
        Account {
            table: "bids".to_owned(),
            acknowledged,
            new,
            in_doubt,
            unclaimed: new.saturating_sub(acknowledged - missing.len() as u64),
            missing: missing.len() as u64,
            missing_ids: missing.into(),
            ..Account::default()
        }
    }

    #[test]
    fn what_was_lost_before_the_data_were_restored_stays_lost() {
        let sound = || audit(bids(3, 3, 0, &[]), 0);
        let both = sound().with_earlier(audit(bids(5, 4, 0, &[7]), 2));
        let said = both.faults().join("; ");
        assert!(said.contains("“Bids rise” is not so 2 times, as in id = 0"), "{said}");
        assert!(said.contains("1 of 8 acknowledged rows of bids are not there (the first: 7)"), "{said}");
        assert_eq!((both.accounts[0].new, both.seconds, both.findings[0].seconds), (7, 2.0, 1.0));
        assert_eq!(sound().with_earlier(sound()).faults(), [""; 0]);
    }

    #[test]
    fn a_write_in_doubt_makes_room_for_one_row_before_the_data_were_restored_or_after() {
        let with_rows = |earlier: u64, later: u64| {
            audit(bids(3, 3 + later, 1, &[]), 0).with_earlier(audit(bids(3, 3 + earlier, 1, &[]), 0)).faults()
        };
        assert_eq!(with_rows(1, 0), [""; 0]);
        assert_eq!(with_rows(0, 1), [""; 0]);
        assert_eq!(with_rows(1, 1).len(), 1);
    }
}
