//! Stores without SQL: people in a directory, messages in mailboxes.
//!
//! They are loaded before their server starts, by writing its files or with its own tool, and read with its own tool
//! while it runs. The application maps records to rows.

mod directory;
mod mailboxes;

use crate::{Holding, Instance, Loaded, ServiceError};
use application::{Application, Dataset, Keeper, Message, Records, Row, Table, Value};
use results::Finding;
use std::time::Instant;

/// Loads a dataset into an empty store and starts it, with every mailbox opened once.
pub fn load(
    instance: &mut Instance,
    application: &dyn Application,
    dataset: &Dataset,
) -> Result<(), ServiceError> {
    let (keeper, records) = parts(instance, application)?;
    if let Some(host) = instance.place().elsewhere() {
        let fault = format!(
            "its records can't be loaded on the host `{host}`; give its role to a host without `reach`"
        );
        return Err(refused(instance, fault));
    }
    instance.stop();
    match keeper {
        Keeper::Directory => directory::load(instance, application.name(), records, dataset)?,
        Keeper::Mailboxes => mailboxes::load(instance, records, dataset)?,
    }
    instance.start()
}

pub fn rows(
    instance: &Instance,
    application: &dyn Application,
    table: &Table,
) -> Result<Vec<Row>, ServiceError> {
    let (keeper, records) = parts(instance, application)?;
    if records.keeper(table) != keeper {
        return Ok(Vec::new());
    }
    let mut rows: Vec<Row> = match keeper {
        Keeper::Directory => {
            directory::dump(instance)?.iter().filter_map(|entry| records.row_of_entry(entry)).collect()
        }
        Keeper::Mailboxes => {
            mailboxes::dump(instance)?.iter().map(|message| records.row_of_message(message)).collect()
        }
    };
    rows.sort_by_key(id);
    Ok(rows)
}

/// All messages of a store; none where it keeps no mailboxes.
pub fn messages(instance: &Instance) -> Option<Result<Vec<Message>, ServiceError>> {
    let keeper = instance.service().store().and_then(crate::StoreKind::keeper);
    (keeper == Some(Keeper::Mailboxes)).then(|| mailboxes::dump(instance))
}

/// Deletes a row directly in the store; returns whether it existed.
pub fn delete_row(
    instance: &Instance,
    application: &dyn Application,
    table: &Table,
    id: u64,
) -> Result<bool, ServiceError> {
    let (keeper, records) = parts(instance, application)?;
    let was_there = rows(instance, application, table)?.iter().any(|row| self::id(row) == id);
    match keeper {
        Keeper::Mailboxes if was_there => mailboxes::delete(instance, &records.place_of_message(id))?,
        Keeper::Directory if was_there => {
            return Err(refused(instance, "nobody may delete entries of the directory".to_owned()));
        }
        _ => {}
    }
    Ok(was_there)
}

/// Waits until no session is open, so that all begun work is done.
pub fn wait_until_quiet(instance: &Instance) -> Result<(), ServiceError> {
    match instance.service().store().and_then(crate::StoreKind::keeper) {
        Some(Keeper::Mailboxes) => mailboxes::wait_until_quiet(instance),
        _ => Ok(()),
    }
}

pub fn loaded(table: &'static Table, rows: &[Row]) -> Loaded {
    Loaded { table, rows: rows.len() as u64, largest: rows.iter().map(id).max().unwrap_or_default() }
}

pub fn holding(loaded: &Loaded, rows: &[Row], records: &dyn Records) -> Holding {
    let new: Vec<&Row> = rows.iter().filter(|row| id(row) > loaded.largest).collect();
    let derived = new.iter().filter(|row| records.is_derived(loaded.table, row));
    Holding {
        table: loaded.table.name,
        loaded: loaded.rows,
        largest: loaded.largest,
        kept: (rows.len() - new.len()) as u64,
        derived: derived.map(|row| id(row)).collect(),
        new: new.iter().map(|row| id(row)).collect(),
    }
}

const EXAMPLES: usize = 3;

pub fn findings(records: &dyn Records, tables: &[Vec<Row>]) -> Vec<Finding> {
    let found = records.rules().into_iter().map(|rule| {
        let start = Instant::now();
        let mut examples = (rule.breaches)(tables);
        let violations = examples.len() as u64;
        examples.truncate(EXAMPLES);
        Finding {
            invariant: rule.name.to_owned(),
            sentence: rule.sentence.to_owned(),
            violations,
            examples,
            seconds: start.elapsed().as_secs_f64(),
        }
    });
    found.collect()
}

fn parts<'a>(
    instance: &Instance,
    application: &'a dyn Application,
) -> Result<(Keeper, &'a dyn Records), ServiceError> {
    let keeper = instance.service().store().and_then(crate::StoreKind::keeper);
    let parts = keeper.zip(application.records());
    let fault = || format!("the application {} keeps no records in it", application.name());
    parts.ok_or_else(|| refused(instance, fault()))
}

/// The first column of each table is its primary key.
fn id(row: &Row) -> u64 {
    match row.first() {
        Some(Value::Integer(id)) => id.unsigned_abs(),
        _ => 0,
    }
}

fn refused(instance: &Instance, fault: String) -> ServiceError {
    ServiceError::Store { service: instance.service().name.clone(), fault }
}
