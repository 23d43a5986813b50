//! The first state of the data: taking it from a server, and restoring it.

use super::{Access, lacks, let_in, open};
use crate::{Instance, ServiceError, StoreKind};
use application::{Application, Kind, Table, Timestamp};
use std::{
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// A server's last message after all files are written and closed; empty where each file is closed once written.
fn last_words(kind: StoreKind) -> &'static [u8] {
    match kind {
        StoreKind::Dovecot => b"",
        StoreKind::Openldap => b"slapd stopped.",
        StoreKind::Mariadb => b"Shutdown complete",
        StoreKind::Postgresql => b"database system is shut down",
    }
}

/// Stops the instance and returns its data folder, which [`restore`] can use. An error if the server was killed
/// before it had written everything, which MyISAM's tables don't survive.
pub fn shut_down(instance: &mut Instance) -> Result<PathBuf, ServiceError> {
    let kind = instance.service().store().ok_or_else(|| lacks(instance, "`store`"))?;
    instance.stop();
    let log = instance.place().read(&instance.log_path())?;
    match log.trim_ascii_end().ends_with(last_words(kind)) {
        // The copy here is removed with the run's folder.
        true => Ok(instance.place().fetch(data(instance), instance.own_folder().join("data"))?),
        false => Err(ServiceError::Store {
            service: instance.service().name.clone(),
            fault: "it was killed while it shut down, because that took too long; give it more time: `stop` in its \
                    service.toml"
                .to_owned(),
        }),
    }
}

/// Ends an instance whose data are no longer needed.
pub fn kill_store(instance: &mut Instance) {
    match instance.service().store() {
        // A kill would leave a segment of shared memory behind, a limited resource of the kernel.
        Some(StoreKind::Postgresql) => instance.stop(),
        _ => instance.kill(),
    }
}

/// Data loaded earlier, maybe by another instance.
#[derive(Debug, Clone, Copy)]
pub struct FirstState<'a> {
    pub data: &'a Path,
    pub epoch: Timestamp,
}

/// Restores data to their first state, starts the instance, creates the stack's user, and shifts the dates of the
/// tables that move with the epoch, so that they are as fresh as on their first day. Returns the new epoch.
pub fn restore(
    instance: &mut Instance,
    access: &Access,
    application: &dyn Application,
    first: FirstState<'_>,
) -> Result<Timestamp, ServiceError> {
    kill_store(instance);
    instance.place().restore(first.data, &data(instance))?;
    if access.kind.keeper().is_some() {
        instance.start()?;
        return Ok(now());
    }
    let_in(instance)?;
    instance.start()?;
    create_app_user(instance, access)?;
    let mut session = open(instance, Some(&access.database))?;
    let now = now();
    let moved = application.tables().iter().filter(|table| table.moves_with_epoch);
    for statement in moved.filter_map(|table| shift(table, now - first.epoch)) {
        session.run(&statement).map_err(|error| error.of(instance))?;
    }
    Ok(now)
}

pub fn create_app_user(instance: &Instance, access: &Access) -> Result<(), ServiceError> {
    let mut session = open(instance, Some(&access.database))?;
    let is_local = instance.place().address.is_loopback();
    for statement in session.letting_in(&access.database, &access.password, is_local) {
        session.run(&statement).map_err(|error| error.of(instance))?;
    }
    Ok(())
}

/// The statement that shifts all dates of a table; none if it has no dates.
fn shift(table: &Table, seconds: i64) -> Option<String> {
    let dates = table.columns.iter().filter(|column| column.kind == Kind::Time);
    let dates: Vec<String> =
        dates.map(|column| format!("{0} = {0} + INTERVAL '{seconds}' SECOND", column.name)).collect();
    (!dates.is_empty()).then(|| format!("UPDATE {} SET {}", table.name, dates.join(", ")))
}

/// This machine's time, which is the database's if both run on one machine.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(since.as_secs() as i64)
}

fn data(instance: &Instance) -> PathBuf {
    instance.folder().join("data")
}
