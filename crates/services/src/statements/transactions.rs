//! Transactions, however a driver begins and ends them.
//!
//! `START TRANSACTION`, `BEGIN` and `SET autocommit=0` mean the same. What counts is which statements take effect
//! together: a transaction of reads, or of one statement, takes the same effect without its boundaries.

use super::{
    Sent, Trace,
    session::housekeeping,
    sql::{self, Dialect, Piece, tokens},
    tables::tables,
};
use std::{collections::BTreeMap, mem};

/// The begin of a transaction in a trace.
pub const BEGIN: &str = "BEGIN";
pub const COMMIT: &str = "COMMIT";
pub const ROLLBACK: &str = "ROLLBACK";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    Begin,
    Commit,
    Rollback,
    Autocommit(bool),
}

/// The connections' transactions, from one trace to the next.
#[derive(Debug, Default)]
pub(super) struct Transactions {
    connections: BTreeMap<u64, Connection>,
}

#[derive(Debug, Default)]
struct Connection {
    /// True if each statement is a transaction. Unknown of connections that were there before the trace.
    autocommit: Option<bool>,
    is_open: bool,
    /// Places of its statements in the trace that a boundary may still join.
    since: Vec<usize>,
}

/// A statement of the trace, and the boundaries that stand beside it.
#[derive(Debug, Default)]
struct Placed {
    statement: String,
    begins: bool,
    ends: Option<&'static str>,
}

impl Transactions {
    /// Adds statements to a trace, with the boundaries that matter. A transaction that is still open has no end.
    pub(super) fn add(&mut self, trace: &mut Trace, sent: Vec<Sent>, dialect: Dialect) {
        let mut placed: Vec<Placed> = Vec::new();
        for Sent { connection, statement } in sent {
            let connection = self.connections.entry(connection).or_default();
            if let Some(boundary) = boundary(&statement, dialect) {
                trace.note(boundary.name());
                connection.meet(boundary, &mut placed);
                continue;
            }
            if let Some(what) = housekeeping(&statement, dialect) {
                trace.note(what);
                continue;
            }
            let statement = sql::normalise(&statement, dialect).trim_end_matches([';', ' ']).to_owned();
            trace.tables.extend(tables(&statement, dialect));
            connection.since.push(placed.len());
            placed.push(Placed { statement, ..Placed::default() });
        }
        for connection in self.connections.values_mut() {
            let since = mem::take(&mut connection.since);
            if connection.is_within() == Some(true) && matters(&since, &placed, COMMIT) {
                placed[since[0]].begins = true;
            }
        }
        for Placed { statement, begins, ends } in placed {
            trace.statements.extend(begins.then(|| BEGIN.to_owned()));
            trace.statements.push(statement);
            trace.statements.extend(ends.map(ToOwned::to_owned));
        }
    }
}

impl Connection {
    /// True if its next statement is part of a transaction; None if that is unknown.
    fn is_within(&self) -> Option<bool> {
        if self.is_open { Some(true) } else { self.autocommit.map(|on| !on) }
    }

    fn meet(&mut self, boundary: Boundary, placed: &mut [Placed]) {
        match boundary {
            // A begin and a switch also commit what was open.
            Boundary::Begin | Boundary::Autocommit(false) if self.is_within() != Some(true) => {
                self.since.clear();
            }
            Boundary::Rollback => self.end(ROLLBACK, placed),
            _ => self.end(COMMIT, placed),
        }
        self.is_open = boundary == Boundary::Begin;
        if let Boundary::Autocommit(on) = boundary {
            self.autocommit = Some(on);
        }
    }

    /// Ends the transaction, if there is one: who commits what nobody began has switched autocommit off before.
    fn end(&mut self, end: &'static str, placed: &mut [Placed]) {
        let since = mem::take(&mut self.since);
        if self.is_within() != Some(false)
            && matters(&since, placed, end)
            && let (Some(first), Some(last)) = (since.first(), since.last())
        {
            placed[*first].begins = true;
            placed[*last].ends = Some(if writes(&since, placed) { end } else { COMMIT });
        }
    }
}

impl Boundary {
    /// Name among counts of housekeeping.
    fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Commit => "commit",
            Self::Rollback => "rollback",
            Self::Autocommit(_) => "autocommit",
        }
    }
}

/// True if the boundaries around these statements change their effect: several of which one writes or locks, or a
/// write that is taken back.
fn matters(statements: &[usize], placed: &[Placed], end: &str) -> bool {
    let locks = statements.iter().any(|at| !is_plain_read(&placed[*at].statement));
    statements.len() > 1 && locks || end == ROLLBACK && writes(statements, placed)
}

fn writes(statements: &[usize], placed: &[Placed]) -> bool {
    statements.iter().any(|at| !begins_with(&placed[*at].statement, "SELECT"))
}

fn begins_with(statement: &str, word: &str) -> bool {
    statement.split([' ', '(']).next().is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// A read that takes no locks.
pub(super) fn is_plain_read(statement: &str) -> bool {
    const LOCKING: [&str; 5] =
        [" FOR UPDATE", " FOR SHARE", " FOR NO KEY UPDATE", " FOR KEY SHARE", " LOCK IN SHARE MODE"];
    let upper = statement.to_ascii_uppercase();
    begins_with(statement, "SELECT") && !LOCKING.iter().any(|locking| upper.contains(locking))
}

/// The boundary that a statement is, if it is one.
fn boundary(statement: &str, dialect: Dialect) -> Option<Boundary> {
    let words: Vec<String> = tokens(statement, dialect)
        .filter(|token| !matches!(token.piece, Piece::Space | Piece::Comment | Piece::Mark(';')))
        .map(|token| token.text.to_ascii_uppercase())
        .collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    match (word(0), word(1)) {
        ("BEGIN", _) | ("START", "TRANSACTION") => Some(Boundary::Begin),
        ("COMMIT", second) if second != "PREPARED" => Some(Boundary::Commit),
        ("END", "" | "WORK" | "TRANSACTION") => Some(Boundary::Commit),
        ("ROLLBACK" | "ABORT", "" | "WORK" | "TRANSACTION") => Some(Boundary::Rollback),
        ("SET", _) => autocommit(&words).map(Boundary::Autocommit),
        _ => None,
    }
}

/// The value of `SET autocommit=0`, `SET @@session.autocommit = OFF`, `SET names utf8mb4, autocommit=1`.
fn autocommit(words: &[String]) -> Option<bool> {
    let at = words.iter().position(|word| word.trim_start_matches('@') == "AUTOCOMMIT")?;
    let value = words[at + 1..].iter().find(|word| !matches!(word.as_str(), "=" | ":"))?;
    match value.trim_matches('\'') {
        "0" | "OFF" | "FALSE" => Some(false),
        "1" | "ON" | "TRUE" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traced(transactions: &mut Transactions, sent: &[(u64, &str)]) -> Trace {
        let sent = sent.iter().map(|(connection, statement)| Sent {
            connection: *connection,
            statement: (*statement).to_owned(),
        });
        let mut trace = Trace::default();
        transactions.add(&mut trace, sent.collect(), Dialect::Mariadb);
        trace
    }

    fn statements(sent: &[&str]) -> Vec<String> {
        let sent: Vec<(u64, &str)> = sent.iter().map(|statement| (7, *statement)).collect();
        traced(&mut Transactions::default(), &sent).statements
    }

    #[test]
    fn drivers_begin_and_end_a_transaction_in_their_own_words() {
        let expected = ["BEGIN", "SELECT id FROM a FOR UPDATE", "UPDATE a SET x = ?", "COMMIT"];
        for (begin, end) in [
            ("START TRANSACTION", "COMMIT"),
            ("begin", "commit;"),
            ("BEGIN ISOLATION LEVEL SERIALIZABLE", "END"),
            ("set autocommit=0", "COMMIT"),
            ("SET @@session.autocommit = OFF", "set autocommit=1"),
            ("SET NAMES utf8mb4", "COMMIT"),
        ] {
            let sent = [begin, "SELECT id FROM a FOR UPDATE", "UPDATE a SET x = 5", end];
            assert_eq!(statements(&sent), expected, "{begin} … {end}");
        }
    }

    #[test]
    fn boundaries_without_effect_are_housekeeping() {
        for sent in [
            &["BEGIN", "SELECT id FROM a", "SELECT id FROM b", "COMMIT"][..],
            &["BEGIN", "UPDATE a SET x = 5", "COMMIT"],
            &["BEGIN", "SELECT id FROM a FOR UPDATE", "ROLLBACK"],
            &["BEGIN", "COMMIT"],
        ] {
            let left: Vec<String> =
                sent[1..sent.len() - 1].iter().map(|text| text.replace('5', "?")).collect();
            assert_eq!(statements(sent), left);
        }
        let trace =
            traced(&mut Transactions::default(), &[(1, "BEGIN"), (1, "SELECT id FROM a"), (1, "COMMIT")]);
        assert_eq!(trace.housekeeping, ["begin", "commit"].map(|name| (name.to_owned(), 1)).into());
        assert_eq!(trace.sent(), 1);
    }

    #[test]
    fn a_write_that_is_taken_back_is_told_from_one_that_stays() {
        assert_eq!(
            statements(&["BEGIN", "DELETE FROM a", "ROLLBACK"]),
            ["BEGIN", "DELETE FROM a", "ROLLBACK"]
        );
        let locks = ["BEGIN", "SELECT id FROM a FOR UPDATE", "SELECT id FROM b", "ROLLBACK"];
        assert_eq!(statements(&locks)[3], "COMMIT", "nothing was written");
    }

    #[test]
    fn writes_without_a_transaction_are_told_from_those_with_one() {
        let alone = ["SET autocommit=1", "UPDATE a SET x = 5", "UPDATE b SET x = 5", "COMMIT"];
        assert_eq!(statements(&alone), ["UPDATE a SET x = ?", "UPDATE b SET x = ?"]);
        let halves = ["UPDATE a SET x = 5", "BEGIN", "UPDATE b SET x = 5", "DELETE FROM b", "COMMIT"];
        assert_eq!(statements(&halves)[..2], ["UPDATE a SET x = ?", "BEGIN"]);
    }

    #[test]
    fn connections_have_transactions_of_their_own_from_one_trace_to_the_next() {
        let mut transactions = Transactions::default();
        traced(&mut transactions, &[(1, "SET autocommit=0"), (2, "SET autocommit=1")]);
        let sent = [
            (1, "UPDATE a SET x = 5"),
            (2, "UPDATE c SET x = 5"),
            (1, "UPDATE b SET x = 5"),
            (2, "COMMIT"),
            (1, "COMMIT"),
        ];
        let trace = traced(&mut transactions, &sent);
        assert_eq!(
            trace.statements,
            ["BEGIN", "UPDATE a SET x = ?", "UPDATE c SET x = ?", "UPDATE b SET x = ?", "COMMIT"]
        );
        let open = traced(&mut transactions, &[(2, "BEGIN"), (2, "DELETE FROM a"), (2, "DELETE FROM b")]);
        assert_eq!(open.statements, ["BEGIN", "DELETE FROM a", "DELETE FROM b"]);
    }
}
