//! Statements of a driver, a pool or a framework about its connection: they belong to no page.

use super::{
    sql::{Dialect, Piece, tokens},
    tables::tables,
};

/// Statements about the session, by their first word.
const OF_SESSION: [(&str, &str); 6] = [
    ("DEALLOCATE", "close"),
    ("DISCARD", "reset"),
    ("RESET", "reset"),
    ("SET", "set"),
    ("SHOW", "show"),
    ("USE", "set"),
];

/// SETs that do more than to describe the session.
const OTHER_SETS: [&str; 4] = ["CONSTRAINTS", "LOCAL", "PASSWORD", "STATEMENT"];

/// Functions by which drivers ask what they are connected to.
const OF_SERVER: [&str; 8] = [
    "CONNECTION_ID",
    "CONVERT_TZ",
    "CURRENT_DATABASE",
    "CURRENT_SCHEMA",
    "DATABASE",
    "PG_BACKEND_PID",
    "SET_CONFIG",
    "VERSION",
];

/// The kind of housekeeping that a statement is, if it is any. An empty one, or one that reads only a literal, is a ping.
pub(super) fn housekeeping(statement: &str, dialect: Dialect) -> Option<&'static str> {
    let pieces: Vec<Piece<'_>> = tokens(statement, dialect)
        .map(|token| token.piece)
        .filter(|piece| !matches!(piece, Piece::Space | Piece::Comment | Piece::Mark(';')))
        .collect();
    let word = |at: usize| match pieces.get(at) {
        Some(Piece::Word(word)) => word.to_ascii_uppercase(),
        _ => String::new(),
    };
    let (first, second) = (word(0), word(1));
    if pieces.is_empty() {
        return Some("ping");
    }
    if first == "SET" && (is_variable_of_user(&second) || OTHER_SETS.contains(&second.as_str())) {
        return None;
    }
    if first == "SELECT" {
        return selection(statement, &pieces[1..], dialect);
    }
    OF_SESSION.iter().find(|(word, _)| *word == first).map(|(_, what)| *what)
}

fn is_variable_of_user(word: &str) -> bool {
    word.starts_with('@') && !word.starts_with("@@")
}

fn selection(statement: &str, pieces: &[Piece<'_>], dialect: Dialect) -> Option<&'static str> {
    let tables = tables(statement, dialect);
    if dialect == Dialect::Postgresql
        && !tables.is_empty()
        && tables.iter().all(|name| name.starts_with("pg_"))
    {
        return Some("catalogue");
    }
    let is_of_server = |(at, piece): (usize, &Piece<'_>)| match piece {
        Piece::Word(word) => {
            let is_named = at.checked_sub(1).is_some_and(|before| is_word(&pieces[before], "AS"));
            let known = |all: &[&str]| all.iter().any(|known| known.eq_ignore_ascii_case(word));
            is_named
                || word.starts_with("@@")
                || known(&["AS", "IS", "NOT", "NULL", "PG_CATALOG"])
                || known(&OF_SERVER)
                || is_part(pieces, at)
        }
        Piece::Literal | Piece::Name(_) => true,
        Piece::Mark(mark) => "(),.".contains(*mark),
        Piece::Space | Piece::Comment => true,
    };
    if !pieces.iter().enumerate().all(is_of_server) {
        return None;
    }
    Some(if pieces.iter().all(|piece| *piece == Piece::Literal) { "ping" } else { "show" })
}

/// True if a word is the rest of a variable's name: `@@session.autocommit`.
fn is_part(pieces: &[Piece<'_>], at: usize) -> bool {
    at >= 2
        && pieces[at - 1] == Piece::Mark('.')
        && matches!(pieces[at - 2], Piece::Word(word) if word.starts_with("@@"))
}

fn is_word(piece: &Piece<'_>, expected: &str) -> bool {
    matches!(piece, Piece::Word(word) if word.eq_ignore_ascii_case(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drivers_say_of_their_session_is_told_from_the_stacks_statements() {
        use Dialect::{Mariadb, Postgresql};
        for (dialect, statement, what) in [
            (Postgresql, "SET extra_float_digits = 3", Some("set")),
            (Postgresql, "RESET ALL", Some("reset")),
            (Postgresql, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", Some("set")),
            (Postgresql, "SET LOCAL lock_timeout = 5", None),
            (Postgresql, "/* ping */", Some("ping")),
            (Postgresql, "select pg_catalog.version()", Some("show")),
            (
                Postgresql,
                "SELECT t.oid FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace",
                Some("catalogue"),
            ),
            (Postgresql, "SELECT t.oid FROM pg_type t, users", None),
            (Postgresql, "SELECT nextval('items_id_seq')", None),
            (Mariadb, "SELECT 1", Some("ping")),
            (Mariadb, "SELECT @@max_allowed_packet,@@session.sql_mode AS mode", Some("show")),
            (
                Mariadb,
                "SELECT VERSION(), @@sql_mode, CONVERT_TZ('2001-01-01', 'UTC', 'UTC') IS NOT NULL",
                Some("show"),
            ),
            (Mariadb, "set session transaction read only", Some("set")),
            (Mariadb, "SET NAMES utf8mb4", Some("set")),
            (Mariadb, "SET @sum = 5", None),
            (Mariadb, "SELECT LAST_INSERT_ID()", None),
            (Mariadb, "SELECT CURRENT_TIMESTAMP", None),
            (Mariadb, "SELECT CONVERT_TZ(end_date, 'UTC', 'CET') FROM items", None),
            (Mariadb, "SELECT id FROM users", None),
            (Mariadb, "UPDATE users SET rating = 1", None),
        ] {
            assert_eq!(housekeeping(statement, dialect), what, "{statement}");
        }
    }
}
