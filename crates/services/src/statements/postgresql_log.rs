//! Entries of the stack's user in PostgreSQL's log of all statements.
//!
//! An entry is a line, `2026-11-22 14:03:01.123 UTC [417] bench LOG:  statement: SELECT 1`; its further lines begin
//! with a tab. A statement is logged before it is executed, so failing ones are included; a parse is logged
//! afterwards.
//!
//! Round trips are not visible, since clients may pipeline messages. libpq waits for the answer to a named
//! preparation, so that is counted.

use super::{Trace, sql};
use crate::{
    Instance, ServiceError,
    store::{DbError, STACK_USER, open},
};
use std::{
    thread,
    time::{Duration, Instant},
};

const SETTINGS: [(&str, &str); 3] =
    [("log_statement", "'all'"), ("log_min_duration_statement", "0"), ("log_connections", "on")];

/// A setting without effect, which shows that the server has reloaded its settings.
const ROUND: &str = "tierbench.round";
const RELOAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Drivers' statements about their session.
const OF_SESSION: [(&str, &str); 5] =
    [("DEALLOCATE", "close"), ("DISCARD", "reset"), ("RESET", "reset"), ("SET", "set"), ("SHOW", "set")];

/// Switches the statement log. On return, every process of the server has the new settings.
pub(super) fn switch(instance: &Instance, on: bool) -> Result<(), ServiceError> {
    let mut session = open(instance, None)?;
    let mut run = |statement: &str| session.query(statement).map_err(|error| error.of(instance));
    for (name, value) in SETTINGS {
        run(&match on {
            true => format!("ALTER SYSTEM SET {name} = {value}"),
            false => format!("ALTER SYSTEM RESET {name}"),
        })?;
    }
    // The server signals its processes one after the other. When the first one has the second round's setting, all
    // have the first one's.
    for _ in 0..2 {
        let round = format!("{:x}", rand::random::<u64>());
        run(&format!("ALTER SYSTEM SET {ROUND} = '{round}'"))?;
        run("SELECT pg_reload_conf()")?;
        let deadline = Instant::now() + RELOAD_TIMEOUT;
        while run(&format!("SHOW {ROUND}"))?.first().and_then(|row| row.first()?.clone()).as_ref()
            != Some(&round)
        {
            if Instant::now() > deadline {
                return Err(DbError("it does not read its settings again".to_owned()).of(instance));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
    Ok(())
}

pub(super) fn add(trace: &mut Trace, lines: &str) {
    let mut rest = lines;
    while !rest.is_empty() {
        let end = end_of_entry(rest);
        let (entry, others) = rest.split_at(end);
        if let Some(message) = message_of_stack(entry) {
            note(trace, message);
        }
        rest = others;
    }
}

/// Start of the first line that doesn't belong to the first entry.
fn end_of_entry(text: &str) -> usize {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    ends.into_iter().find(|end| !text[*end..].starts_with('\t')).unwrap_or(text.len())
}

fn message_of_stack(entry: &str) -> Option<&str> {
    let (_, rest) = entry.split_once("] ")?;
    let message = rest.strip_prefix(STACK_USER)?.strip_prefix(" LOG:  ")?;
    Some(message.trim_end_matches('\n'))
}

fn note(trace: &mut Trace, message: &str) {
    let mut housekeeping = |what: &str, round_trips| {
        *trace.housekeeping.entry(what.to_owned()).or_default() += 1;
        trace.round_trips += round_trips;
    };
    if let Some(statement) = message.strip_prefix("statement: ").or_else(|| executed(message)) {
        let statement = sql::normalise(&statement.replace("\n\t", "\n"), sql::Dialect::Postgresql);
        let statement = statement.trim_end_matches([';', ' ']);
        match of_session(statement) {
            Some(what) => housekeeping(what, 1),
            None => {
                trace.add(statement.to_owned(), sql::Dialect::Postgresql);
                trace.round_trips += 1;
            }
        }
    } else if message.starts_with("connection authenticated: ") {
        // The server asks for the password, and SCRAM proves it in two steps.
        let proof = if message.contains("method=scram-sha-256") { 3 } else { 2 };
        housekeeping("connect", proof);
    } else if is_preparation(message) {
        housekeeping("prepare", 1);
    }
}

/// The statement in `execute NAME: STATEMENT` and `execute fetch from NAME: STATEMENT`.
fn executed(message: &str) -> Option<&str> {
    Some(message.strip_prefix("execute ")?.split_once(": ")?.1)
}

/// `duration: 0.123 ms  parse NAME: STATEMENT`; unnamed statements go with their execution.
fn is_preparation(message: &str) -> bool {
    let parsed = message.strip_prefix("duration: ").and_then(|rest| rest.split_once(" ms  parse "));
    parsed.is_some_and(|(_, named)| !named.starts_with("<unnamed>: "))
}

/// A driver's housekeeping command, if it is one; an empty statement is a ping.
fn of_session(statement: &str) -> Option<&'static str> {
    let mut words = statement.split(' ').map(str::to_ascii_uppercase);
    let first = words.next().unwrap_or_default();
    match words.next().as_deref() {
        _ if first.is_empty() => Some("ping"),
        Some("TRANSACTION" | "LOCAL" | "CONSTRAINTS") => None,
        _ => OF_SESSION.iter().find(|(word, _)| *word == first).map(|(_, what)| *what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(lines: &str) -> Trace {
        let mut trace = Trace::default();
        add(&mut trace, lines);
        trace
    }

    #[test]
    fn statements_and_housekeeping_of_the_stack_are_distinguished() {
        let trace = trace(concat!(
            "2026-11-22 14:03:01.123 UTC [7] [unknown] LOG:  connection received: host=127.0.0.1 port=4\n",
            "2026-11-22 14:03:01.124 UTC [7] bench LOG:  connection authenticated: identity=\"bench\" ",
            "method=scram-sha-256 (/x/pg_hba.conf:4)\n",
            "2026-11-22 14:03:01.125 UTC [7] bench LOG:  connection authorized: user=bench database=comments\n",
            "2026-11-22 14:03:01.125 UTC [8] postgres LOG:  statement: SELECT 'of the laboratory'\n",
            "2026-11-22 14:03:01.126 UTC [7] bench LOG:  statement: SELECT 'a\n",
            "\t2026-11-22 14:03:01.126 UTC [7] bench LOG:  statement: DELETE', \"b\" FROM t\n",
            "2026-11-22 14:03:01.127 UTC [7] bench LOG:  duration: 0.1 ms\n",
            "2026-11-22 14:03:01.127 UTC [7] bench LOG:  duration: 0.1 ms  parse pdo_1: INSERT INTO t VALUES ($1)\n",
            "2026-11-22 14:03:01.127 UTC [7] bench LOG:  duration: 0.1 ms  bind pdo_1: INSERT INTO t VALUES ($1)\n",
            "2026-11-22 14:03:01.127 UTC [7] bench DETAIL:  parameters: $1 = 'x\n\ty'\n",
            "2026-11-22 14:03:01.128 UTC [7] bench LOG:  execute pdo_1: INSERT INTO t VALUES ($1)\n",
            "2026-11-22 14:03:01.128 UTC [7] bench DETAIL:  parameters: $1 = 'x'\n",
            "2026-11-22 14:03:01.128 UTC [7] bench ERROR:  duplicate key value\n",
            "2026-11-22 14:03:01.128 UTC [7] bench STATEMENT:  INSERT INTO t VALUES ($1)\n",
            "2026-11-22 14:03:01.129 UTC [7] bench LOG:  statement: DEALLOCATE pdo_1\n",
            "2026-11-22 14:03:01.129 UTC [7] bench LOG:  duration: 0.1 ms  parse <unnamed>: SELECT $1\n",
            "2026-11-22 14:03:01.129 UTC [7] bench LOG:  execute <unnamed>: SELECT $1\n",
            "2026-11-22 14:03:01.129 UTC [7] bench LOG:  statement: /* ping */\n",
        ));
        assert_eq!(trace.statements, ["SELECT ?, \"b\" FROM t", "INSERT INTO t VALUES (?)", "SELECT ?"]);
        let housekeeping = [("close", 1), ("connect", 1), ("ping", 1), ("prepare", 1)];
        assert_eq!(trace.housekeeping, housekeeping.map(|(name, count)| (name.to_owned(), count)).into());
        assert_eq!(trace.round_trips, 3 + 3 + 3);
    }

    #[test]
    fn statements_about_the_session_are_not_counted() {
        for (statement, what) in [
            ("SET extra_float_digits = ?", Some("set")),
            ("RESET ALL", Some("reset")),
            ("SET TRANSACTION READ ONLY", None),
            ("SELECT ?", None),
        ] {
            assert_eq!(of_session(statement), what, "{statement}");
        }
    }
}
