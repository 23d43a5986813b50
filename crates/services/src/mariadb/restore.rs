//! The first state of the data: how it is taken from a server, and how a server is put back to it.

use super::{Access, STACK_USER, connect, store_error};
use crate::{Instance, ServiceError};
use application::{Application, Kind, Table, Timestamp};
use fs_err as fs;
use mysql::prelude::Queryable;
use std::{
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// What a stack may do with the data.
const STACK_RIGHTS: &str = "SELECT, INSERT, UPDATE, DELETE, LOCK TABLES";
/// What the server says when all files are written and closed.
const LAST_WORDS: &[u8] = b"Shutdown complete";

/// Stops the instance and returns the folder with its data, which [`restore`] can put back. An error if the server was
/// killed before it had written everything, which MyISAM's tables don't survive.
pub fn shut_down(instance: &mut Instance) -> Result<PathBuf, ServiceError> {
    instance.stop();
    let log = fs::read(instance.folder().join("error.log"))?;
    match log.trim_ascii_end().ends_with(LAST_WORDS) {
        true => Ok(data(instance)),
        false => Err(ServiceError::Store {
            service: instance.service().name.clone(),
            fault: "it was killed while it shut down, because that took too long; give it more time: `stop` in its \
                    service.toml"
                .to_owned(),
        }),
    }
}

/// Data that were loaded earlier, maybe by another instance.
#[derive(Debug, Clone, Copy)]
pub struct FirstState<'a> {
    /// A server's data folder, as [`shut_down`] has left it.
    pub data: &'a Path,
    /// The epoch of the loaded scenario.
    pub epoch: Timestamp,
}

/// Puts data into their first state, starts the instance, lets the stack in, and moves the dates of the tables that
/// move with the epoch, so that they are as fresh as on their first day. Returns the epoch that holds from now on.
pub fn restore(
    instance: &mut Instance,
    access: &Access,
    application: &dyn Application,
    first: FirstState<'_>,
) -> Result<Timestamp, ServiceError> {
    instance.stop();
    let data = data(instance);
    if data.exists() {
        fs::remove_dir_all(&data)?;
    }
    testbed::copy_tree(first.data, &data)?;
    if let Some(user) = instance.user() {
        testbed::give_tree(&data, user)?;
    }
    instance.start()?;
    let_stack_in(instance, access)?;
    let mut connection = connect(instance, Some(&access.database))?;
    let now = now();
    let moved = application.tables().iter().filter(|table| table.moves_with_epoch);
    for statement in moved.filter_map(|table| shift(table, now - first.epoch)) {
        connection.query_drop(statement).map_err(|error| store_error(instance, &error))?;
    }
    Ok(now)
}

/// Makes the stack's user, with the password of this run.
pub fn let_stack_in(instance: &Instance, access: &Access) -> Result<(), ServiceError> {
    let mut connection = connect(instance, None)?;
    let Access { database, password, .. } = access;
    // Who is on the hosts' own network belongs to the site.
    let from = if instance.place().address.is_loopback() { "127.0.0.1" } else { "%" };
    let statements = [
        format!("CREATE OR REPLACE USER {STACK_USER}@'{from}' IDENTIFIED BY '{password}'"),
        format!("GRANT {STACK_RIGHTS} ON {database}.* TO {STACK_USER}@'{from}'"),
    ];
    let run = |statement| connection.query_drop(statement);
    statements.into_iter().try_for_each(run).map_err(|error| store_error(instance, &error))
}

/// The statement that moves all dates of a table; none if it has no dates.
fn shift(table: &Table, seconds: i64) -> Option<String> {
    let dates = table.columns.iter().filter(|column| column.kind == Kind::Time);
    let dates: Vec<String> =
        dates.map(|column| format!("{0} = {0} + INTERVAL {seconds} SECOND", column.name)).collect();
    (!dates.is_empty()).then(|| format!("UPDATE {} SET {}", table.name, dates.join(", ")))
}

/// This machine's time, which is the database's as long as both run on one machine.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(since.as_secs() as i64)
}

fn data(instance: &Instance) -> PathBuf {
    instance.folder().join("data")
}
