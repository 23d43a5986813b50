//! MariaDB's general log, switched on and off while the server runs.

mod entries;

use super::{Sent, Trace};
use crate::{
    Instance, ServiceError,
    store::{STACK_USER, open},
};
use entries::Entry;
use std::{collections::BTreeSet, path::PathBuf};

/// Begins a trace with an empty log; returns the threads that serve the stack.
pub(super) fn begin(instance: &Instance) -> Result<BTreeSet<u64>, ServiceError> {
    end(instance)?;
    let mut session = open(instance, None)?;
    session.run("SET GLOBAL general_log = ON").map_err(|error| error.of(instance))?;
    // Queried only now, so that a new connection is either here or in the log.
    let threads = format!("SELECT id FROM information_schema.processlist WHERE user = '{STACK_USER}'");
    let threads = session.query(&threads).map_err(|error| error.of(instance))?;
    Ok(threads.into_iter().flatten().flatten().filter_map(|id| id.parse().ok()).collect())
}

pub(super) fn end(instance: &Instance) -> Result<(), ServiceError> {
    let off = open(instance, None)?.run("SET GLOBAL general_log = OFF");
    off.map_err(|error| error.of(instance))?;
    Ok(instance.place().remove(&log_of(instance))?)
}

pub(super) fn log_of(instance: &Instance) -> PathBuf {
    instance.folder().join("general.log")
}

/// Adds the stack's commands in whole log lines, and returns its statements; these threads serve the stack.
pub(super) fn add(trace: &mut Trace, lines: &str, threads: &mut BTreeSet<u64>) -> Vec<Sent> {
    let entries = entries::entries(lines).into_iter();
    entries.filter(|entry| is_of_stack(entry, threads)).filter_map(|entry| note(trace, &entry)).collect()
}

/// True if the stack's user sent this; keeps the set of the user's threads.
fn is_of_stack(entry: &Entry<'_>, threads: &mut BTreeSet<u64>) -> bool {
    if matches!(entry.command, "Connect" | "Change user") {
        let user = entry.argument.split('@').next();
        match user == Some(STACK_USER) {
            true => threads.insert(entry.thread),
            false => threads.remove(&entry.thread),
        };
    }
    threads.contains(&entry.thread)
}

fn note(trace: &mut Trace, entry: &Entry<'_>) -> Option<Sent> {
    trace.round_trips += round_trips(entry.command);
    if matches!(entry.command, "Query" | "Execute") {
        return Some(Sent { connection: entry.thread, statement: entry.argument.to_owned() });
    }
    trace.note(&entry.command.trim_end_matches(" stmt").to_lowercase());
    None
}

fn round_trips(command: &str) -> u32 {
    match command {
        // The server speaks first and then answers; a change of the user is authenticated once more.
        "Connect" | "Change user" => 2,
        "Close stmt" | "Long Data" | "Quit" => 0,
        _ => 1,
    }
}
