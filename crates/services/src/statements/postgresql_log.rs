//! Entries of the stack's user in PostgreSQL's log of all statements.
//!
//! An entry is a line, `2026-11-22 14:03:01.123 UTC [417] bench LOG:  statement: SELECT 1`; its further lines begin
//! with a tab. A statement is logged before it is executed, so failing ones are included; a parse is logged
//! afterwards.
//!
//! Round trips are not visible, since clients may pipeline messages. libpq waits for the answer to a named
//! preparation, so that is counted.

use super::{Sent, Trace};
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

/// Adds the stack's commands in whole log lines, and returns its statements.
pub(super) fn add(trace: &mut Trace, lines: &str) -> Vec<Sent> {
    let (mut sent, mut rest) = (Vec::new(), lines);
    while !rest.is_empty() {
        let end = end_of_entry(rest);
        let (entry, others) = rest.split_at(end);
        sent.extend(message_of_stack(entry).and_then(|(connection, message)| {
            let statement = note(trace, message)?;
            Some(Sent { connection, statement })
        }));
        rest = others;
    }
    sent
}

/// Start of the first line that doesn't belong to the first entry.
fn end_of_entry(text: &str) -> usize {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    ends.into_iter().find(|end| !text[*end..].starts_with('\t')).unwrap_or(text.len())
}

/// The process that serves the stack, and what it says.
fn message_of_stack(entry: &str) -> Option<(u64, &str)> {
    let (head, rest) = entry.split_once("] ")?;
    let process = head.rsplit_once('[')?.1.parse().ok()?;
    let message = rest.strip_prefix(STACK_USER)?.strip_prefix(" LOG:  ")?;
    Some((process, message.trim_end_matches('\n')))
}

/// A statement, if it is one; else it is counted, if it is a command.
fn note(trace: &mut Trace, message: &str) -> Option<String> {
    if let Some(statement) = message.strip_prefix("statement: ").or_else(|| executed(message)) {
        trace.round_trips += 1;
        return Some(statement.replace("\n\t", "\n"));
    }
    if message.starts_with("connection authenticated: ") {
        // The server asks for the password, and SCRAM proves it in two steps.
        trace.round_trips += if message.contains("method=scram-sha-256") { 3 } else { 2 };
        trace.note("connect");
    } else if is_preparation(message) {
        trace.round_trips += 1;
        trace.note("prepare");
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::{Transactions, sql::Dialect};

    fn trace(lines: &str) -> Trace {
        let mut trace = Trace::default();
        let sent = add(&mut trace, lines);
        Transactions::default().add(&mut trace, sent, Dialect::Postgresql);
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
        assert_eq!(trace.statements, ["SELECT ?, b FROM t", "INSERT INTO t VALUES (?)"]);
        let housekeeping = [("close", 1), ("connect", 1), ("ping", 2), ("prepare", 1)];
        assert_eq!(trace.housekeeping, housekeeping.map(|(name, count)| (name.to_owned(), count)).into());
        assert_eq!(trace.round_trips, 3 + 3 + 3);
    }
}
