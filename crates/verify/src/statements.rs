//! The statements that interactions send to the store: their number, and whether they match those recorded beside the
//! application.

use crate::difference::cut;
use application::Step;
use results::StoreCost;
use serde::Deserialize;
use services::statements::{Trace, reads_only};
use settings::{Document, SettingsError};
use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices, get_diff_ratio};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
};

/// The distinct sequences of statements of each interaction, one for each path through it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Sequences(BTreeMap<String, BTreeSet<Vec<String>>>);

/// The recorded statements for a configuration.
#[derive(Debug, Clone)]
pub struct StatementRecord {
    /// True if it must send them: `statements = "exact"`.
    pub is_binding: bool,
    /// Tables whose rows it keeps, so that their reads may be missing.
    pub cached: BTreeSet<String>,
    /// Its file.
    pub place: PathBuf,
    /// Its content; none if the file doesn't exist yet.
    pub sequences: Option<Sequences>,
}

const ABOUT: &str = "\
# The statements that each interaction sends to the store, one sequence for each way it can go, as the store saw them:
# literals are question marks, and what is repeated at once, as for each line of a cart, stands once. Recorded by
# `tierbench verify … --accept`; a change is reviewed as a diff of this file.
";

impl Sequences {
    /// Reads a record.
    pub fn parse(document: &Document) -> Result<Self, Box<SettingsError>> {
        document.parse()
    }

    pub fn interactions(&self) -> usize {
        self.0.len()
    }

    /// All of them, by interaction.
    pub fn by_interaction(&self) -> BTreeMap<String, Vec<Vec<String>>> {
        self.0.iter().map(|(name, all)| (name.clone(), all.iter().cloned().collect())).collect()
    }

    fn of(&self, interaction: &str) -> impl Iterator<Item = &Vec<String>> {
        self.0.get(interaction).into_iter().flatten()
    }

    /// The names of interactions with sequences that the other lacks, not counting reads of cached tables.
    fn beyond<'a>(&'a self, other: &'a Self, cached: &'a BTreeSet<String>) -> impl Iterator<Item = &'a str> {
        let known = |name: &str, sequence: &[String]| {
            let one = compared(sequence, cached);
            other.of(name).any(|known| compared(known, cached) == one)
        };
        self.0
            .iter()
            .filter(move |(name, sequences)| !sequences.iter().all(|sequence| known(name, sequence)))
            .map(|(name, _)| name.as_str())
    }
}

/// Text of the TOML file.
impl fmt::Display for Sequences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ABOUT)?;
        for (interaction, sequences) in &self.0 {
            writeln!(f, "\n{interaction} = [")?;
            for sequence in sequences {
                if sequence.is_empty() {
                    f.write_str("    [],\n")?;
                    continue;
                }
                f.write_str("    [\n")?;
                for statement in sequence {
                    writeln!(f, "        {},", toml::Value::from(statement.as_str()))?;
                }
                f.write_str("    ],\n")?;
            }
            f.write_str("]\n")?;
        }
        Ok(())
    }
}

/// The statements sent to the store.
#[derive(Debug, Clone, Default)]
pub struct Traffic {
    /// For each interaction that answered with its page.
    pub figures: BTreeMap<String, StoreCost>,
    /// The sequences of pages and refusals.
    pub sequences: Sequences,
    /// The first request for each interaction and sequence, and how many there were.
    first: BTreeMap<(String, Vec<String>), (Step, usize)>,
}

impl Traffic {
    /// Adds the statements of one request.
    pub(crate) fn add(&mut self, interaction: &str, step: &Step, status: u16, trace: Trace) {
        let sent = trace.sent() as u64;
        let Trace { statements, tables, housekeeping, round_trips } = trace;
        let statements = folded(&statements);
        if status == 200 {
            let figures = self.figures.entry(interaction.to_owned()).or_default();
            let housekeeping = housekeeping.into_iter().map(|(what, count)| (what, count.into())).collect();
            let (count, round_trips) = (sent, round_trips.into());
            *figures = std::mem::take(figures).plus(&StoreCost {
                pages: 1,
                statements: count,
                tables: tables.len() as u64,
                round_trips,
                housekeeping,
            });
        }
        self.sequences.0.entry(interaction.to_owned()).or_default().insert(statements.clone());
        let (_, times) =
            self.first.entry((interaction.to_owned(), statements)).or_insert_with(|| (step.clone(), 0));
        *times += 1;
    }

    /// The sequences that were sent and are not recorded, not counting reads of cached tables.
    pub(crate) fn unexpected(&self, recorded: &Sequences, cached: &BTreeSet<String>) -> Vec<Unexpected> {
        let unknown = self.first.iter().filter(|((interaction, sequence), _)| {
            let sequence = compared(sequence, cached);
            !recorded.of(interaction).any(|known| compared(known, cached) == sequence)
        });
        let explain =
            |((interaction, sequence), (step, times)): (&(String, Vec<String>), &(Step, usize))| Unexpected {
                interaction: interaction.clone(),
                step: step.clone(),
                times: *times,
                nearest: nearest(sequence, recorded.of(interaction)),
                sequence: sequence.clone(),
            };
        unknown.map(explain).collect()
    }

    /// Interactions with recorded sequences that were not sent.
    pub(crate) fn never_sent(&self, recorded: &Sequences, cached: &BTreeSet<String>) -> Vec<String> {
        recorded.beyond(&self.sequences, cached).map(ToOwned::to_owned).collect()
    }
}

/// The longest repeated block of statements: a row is read and then written.
const LONGEST_BLOCK: usize = 2;

/// Comparable part of a sequence: repeats stand once, and reads of cached tables are left out.
fn compared(sequence: &[String], cached: &BTreeSet<String>) -> Vec<String> {
    if cached.is_empty() {
        return folded(sequence);
    }
    let sent = sequence.iter().filter(|statement| !reads_only(statement, cached));
    folded(&sent.cloned().collect::<Vec<_>>())
}

/// The sequence with repeated blocks folded into one. The number of repetitions depends on the rows, which are compared
/// in the end.
fn folded(sequence: &[String]) -> Vec<String> {
    let fold = |sequence: Vec<String>, length: usize| {
        let mut folded: Vec<String> = Vec::with_capacity(sequence.len());
        let mut rest = sequence.as_slice();
        while let Some((first, others)) = rest.split_first() {
            let last = folded.len().checked_sub(length).map(|begin| &folded[begin..]);
            match last.and_then(|block| rest.strip_prefix(block)) {
                Some(after) => rest = after,
                None => {
                    folded.push(first.clone());
                    rest = others;
                }
            }
        }
        folded
    };
    (1..=LONGEST_BLOCK).fold(sequence.to_vec(), fold)
}

/// A sequence of statements that is not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexpected {
    interaction: String,
    /// The first request that sent it, and how many did.
    step: Step,
    times: usize,
    sequence: Vec<String>,
    /// The most similar recorded sequence, if any.
    nearest: Option<Vec<String>>,
}

impl Unexpected {
    pub fn interaction(&self) -> &str {
        &self.interaction
    }

    /// Number of requests that sent it.
    pub fn times(&self) -> usize {
        self.times
    }
}

fn nearest<'a>(sequence: &[String], known: impl Iterator<Item = &'a Vec<String>>) -> Option<Vec<String>> {
    let likeness =
        |known: &Vec<String>| get_diff_ratio(&differences(known, sequence), known.len(), sequence.len());
    known.max_by(|one, other| likeness(one).total_cmp(&likeness(other))).cloned()
}

fn differences(old: &[String], new: &[String]) -> Vec<DiffOp> {
    capture_diff_slices(Algorithm::Myers, old, new)
}

/// The statements as a diff: what is recorded (-) against what was sent (+).
impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { interaction, step, times, sequence, nearest } = self;
        write!(f, "{interaction} sends other statements than are recorded, for {}", cut(step))?;
        if *times > 1 {
            write!(f, " and {} more", times - 1)?;
        }
        let known = nearest.as_deref().unwrap_or_default();
        for change in differences(known, sequence).iter().flat_map(|part| part.iter_changes(known, sequence))
        {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            write!(f, "\n  {sign} {}", change.value())?;
        }
        match (nearest, sequence.is_empty()) {
            (Some(_), _) => Ok(()),
            (None, true) => f.write_str("\n  (none is sent, and nothing is recorded)"),
            (None, false) => f.write_str("\n  (nothing is recorded)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trace(statements: &[&str]) -> Trace {
        Trace {
            statements: statements.iter().map(|text| (*text).to_owned()).collect(),
            tables: ["items", "users"].map(ToOwned::to_owned).into(),
            housekeeping: [("prepare".to_owned(), 2)].into(),
            round_trips: 5,
        }
    }

    fn total(traffic: &Traffic) -> StoreCost {
        traffic.figures.values().fold(StoreCost::default(), StoreCost::plus)
    }

    fn traffic(sent: &[(&str, &[&str])]) -> Traffic {
        let mut traffic = Traffic::default();
        for (number, (interaction, statements)) in sent.iter().enumerate() {
            let step = Step::get("/shop/x", &[("number", &number.to_string())]);
            traffic.add(interaction, &step, 200, trace(statements));
        }
        traffic
    }

    #[test]
    fn unexpected_statements_are_shown_with_their_request() {
        let recorded =
            traffic(&[("Buy", &["BEGIN", "UPDATE", "COMMIT"]), ("Buy", &[]), ("Look", &["SELECT"])]);
        assert!(recorded.unexpected(&recorded.sequences, &BTreeSet::new()).is_empty());
        assert!(recorded.never_sent(&recorded.sequences, &BTreeSet::new()).is_empty());
        let other = traffic(&[("Look", &["SELECT"]), ("Buy", &["BEGIN", "SELECT", "UPDATE", "COMMIT"])]);
        let shown: Vec<_> =
            other.unexpected(&recorded.sequences, &BTreeSet::new()).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "Buy sends other statements than are recorded, for GET /shop/x number=1\n    BEGIN\n  + SELECT\n    UPDATE\n    COMMIT"
            ]
        );
        assert_eq!(other.never_sent(&recorded.sequences, &BTreeSet::new()), ["Buy"]);
        let new = traffic(&[("Sell", &["INSERT"])]).unexpected(&recorded.sequences, &BTreeSet::new())[0]
            .to_string();
        assert!(new.ends_with("\n  + INSERT\n  (nothing is recorded)"), "{new}");
    }

    #[test]
    fn repeated_blocks_are_folded() {
        let lines = |count: usize| {
            let lines =
                ["SELECT"].into_iter().chain(["INSERT"].repeat(count)).chain(["READ", "WRITE"].repeat(count));
            lines.collect::<Vec<_>>()
        };
        let recorded = traffic(&[("Buy", &lines(3))]);
        assert_eq!(recorded.sequences.of("Buy").next().unwrap(), &["SELECT", "INSERT", "READ", "WRITE"]);
        for count in [1, 2, 7] {
            assert!(
                traffic(&[("Buy", &lines(count))])
                    .unexpected(&recorded.sequences, &BTreeSet::new())
                    .is_empty()
            );
        }
        let long = Sequences(
            [("Buy".to_owned(), [lines(2).iter().map(ToString::to_string).collect()].into())].into(),
        );
        assert!(
            recorded.unexpected(&long, &BTreeSet::new()).is_empty()
                && recorded.never_sent(&long, &BTreeSet::new()).is_empty()
        );
        for other in [vec!["SELECT", "INSERT"], vec!["SELECT", "INSERT", "READ", "WRITE", "INSERT"]] {
            assert_eq!(
                traffic(&[("Buy", &other)]).unexpected(&recorded.sequences, &BTreeSet::new()).len(),
                1,
                "{other:?}"
            );
        }
        assert_eq!(total(&traffic(&[("Buy", &lines(3))])).statements, 10);
    }

    #[test]
    fn reads_of_cached_tables_may_be_missing() {
        let [categories, item] = ["SELECT name FROM categories", "SELECT name FROM items"];
        let recorded = traffic(&[("Look", &[categories, item])]).sequences;
        let cached = ["categories".to_owned()].into();
        for sent in [&[item][..], &[categories, item]] {
            assert!(traffic(&[("Look", sent)]).unexpected(&recorded, &cached).is_empty());
        }
        let sent = traffic(&[("Look", &[item]), ("Look", &[item])]);
        let shown = sent.unexpected(&recorded, &BTreeSet::new())[0].to_string();
        assert!(
            shown.starts_with(
                "Look sends other statements than are recorded, for GET /shop/x number=0 and 1 more"
            ),
            "{shown}"
        );
        assert_eq!(traffic(&[("Look", &[categories])]).unexpected(&recorded, &cached).len(), 1);
    }

    #[test]
    fn figures_exclude_refusals() {
        let mut traffic = traffic(&[("Buy", &["BEGIN", "COMMIT"]), ("Look", &["SELECT"])]);
        traffic.add("Buy", &Step::get("/shop/x", &[]), 409, trace(&["BEGIN", "ROLLBACK"]));
        let total = total(&traffic);
        assert_eq!((total.pages, total.statements, total.tables, total.round_trips), (2, 1, 4, 10));
        assert_eq!(total.housekeeping, BTreeMap::from([("prepare".to_owned(), 4)]));
        assert_eq!(traffic.sequences.of("Buy").count(), 2);
    }

    #[test]
    fn an_invalid_record_is_refused() {
        for wrong in ["Buy = 1", "Buy = ['SELECT']", "[Buy]\nx = 1"] {
            assert!(Sequences::parse(&Document::new("innodb.toml", wrong)).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn records_round_trip(
            sequences in prop::collection::btree_map(
                "[A-Z][a-z]{1,8}",
                prop::collection::btree_set(prop::collection::vec(any::<String>(), 0..4), 1..4),
                0..4,
            ),
        ) {
            let sequences = Sequences(sequences);
            let read = Sequences::parse(&Document::new("innodb.toml", sequences.to_string()));
            prop_assert_eq!(read.unwrap(), sequences);
        }
    }
}
