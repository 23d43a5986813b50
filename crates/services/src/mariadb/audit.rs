//! Audits the data over the private socket.
//!
//! All of an audit looks at one instant. MyISAM knows no snapshots, so the whole server is locked for writers: the lock
//! is granted when the last writer has unlocked its tables, and transactions that are still open stay invisible.

use super::{Access, connect, store_error};
use crate::{Audit, AuditRules, DataQuery, Holding, Instance, Loaded, ServiceError};
use application::{Application, Table};
use mysql::{Conn, Row, Value, prelude::Queryable};
use results::Finding;
use std::{
    collections::BTreeMap,
    io,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// How many violations of an invariant are shown.
const EXAMPLES: usize = 3;

/// Which rows the tables hold now.
pub fn loaded(
    instance: &Instance,
    access: &Access,
    application: &dyn Application,
) -> Result<Vec<Loaded>, ServiceError> {
    let mut connection = connect(instance, Some(&access.database))?;
    let mut of = |table: &'static Table| {
        let query =
            format!("SELECT COUNT(*), COALESCE(MAX({}), 0) FROM {}", table.columns[0].name, table.name);
        let found: Result<Option<(u64, u64)>, _> = connection.query_first(query);
        let (rows, largest) = found.map_err(|error| store_error(instance, &error))?.unwrap_or_default();
        Ok(Loaded { table, rows, largest })
    };
    application.tables().iter().map(&mut of).collect()
}

/// What an audit looks at.
#[derive(Debug, Clone, Copy)]
pub struct AuditOrder<'a> {
    /// By what the data are judged.
    pub rules: &'a AuditRules,
    /// What was loaded.
    pub loaded: &'a [Loaded],
    /// Whether everything is looked at, or only what is newer than the loaded rows.
    pub full: bool,
    /// Set from outside to end the audit soon, with an error.
    pub stop: &'a AtomicBool,
}

/// Audits the data. `step` is told each invariant's name before it is looked at. The data stay as they were found until
/// what comes with the audit is dropped.
pub fn audit<'a>(
    instance: &'a Instance,
    access: &Access,
    order: AuditOrder<'_>,
    step: &mut dyn FnMut(&str),
) -> Result<(Audit, Auditor<'a>), ServiceError> {
    let start = Instant::now();
    let mut auditor = Auditor::begin(instance, access)?;
    let largest = |loaded: &Loaded| (loaded.table.name.to_owned(), loaded.largest);
    let newer: BTreeMap<String, u64> = order.loaded.iter().map(largest).collect();
    let all = newer.keys().map(|table| (table.clone(), 0)).collect();
    let after = if order.full { &all } else { &newer };
    let mut findings = Vec::new();
    for invariant in &order.rules.invariants {
        if order.stop.load(Ordering::Relaxed) {
            return Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        step(&invariant.name);
        findings.push(auditor.finding(invariant, after)?);
    }
    let mut holdings = Vec::new();
    for loaded in order.loaded {
        let derived = order.rules.derived.iter().find(|query| query.name == loaded.table.name);
        holdings.push(auditor.holding(loaded, derived.map(|query| query.text(&newer)))?);
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok((Audit { findings, holdings, seconds }, auditor))
}

/// Deletes a row, and says whether it was there.
pub fn delete_row(
    instance: &Instance,
    access: &Access,
    table: &Table,
    id: u64,
) -> Result<bool, ServiceError> {
    let mut connection = connect(instance, Some(&access.database))?;
    let statement = format!("DELETE FROM {} WHERE {} = {id}", table.name, table.columns[0].name);
    connection.query_drop(statement).map_err(|error| store_error(instance, &error))?;
    Ok(connection.affected_rows() > 0)
}

/// A connection that keeps writers out as long as it lives.
#[derive(Debug)]
pub struct Auditor<'a> {
    instance: &'a Instance,
    connection: Conn,
}

impl<'a> Auditor<'a> {
    fn begin(instance: &'a Instance, access: &Access) -> Result<Self, ServiceError> {
        let mut auditor = Self { instance, connection: connect(instance, Some(&access.database))? };
        let locked = auditor.connection.query_drop("FLUSH TABLES WITH READ LOCK");
        locked.map_err(|error| refused(instance, "lock, for which it waits until nobody writes", &error))?;
        Ok(auditor)
    }

    fn finding(
        &mut self,
        invariant: &DataQuery,
        after: &BTreeMap<String, u64>,
    ) -> Result<Finding, ServiceError> {
        let start = Instant::now();
        let failed =
            |error: mysql::Error| refused(self.instance, &format!("query `{}`", invariant.name), &error);
        let mut violations = 0;
        let mut examples = Vec::new();
        for row in self.connection.query_iter(invariant.text(after)).map_err(failed)? {
            let row = row.map_err(failed)?;
            violations += 1;
            if examples.len() < EXAMPLES {
                examples.push(show(&row));
            }
        }
        Ok(Finding {
            invariant: invariant.name.clone(),
            sentence: invariant.sentence.clone(),
            violations,
            examples,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// `derived` is the query that gives the rows that the application has made by itself.
    fn holding(&mut self, loaded: &Loaded, derived: Option<String>) -> Result<Holding, ServiceError> {
        let Loaded { table, rows, largest } = loaded;
        let (name, id) = (table.name, table.columns[0].name);
        // Without a condition the server counts by its smallest index, which is much smaller than the rows.
        let all: u64 = self.numbers(name, &format!("SELECT COUNT(*) FROM {name}"))?.iter().sum();
        let new =
            self.numbers(name, &format!("SELECT {id} FROM {name} WHERE {id} > {largest} ORDER BY {id}"))?;
        let mut derived = derived.map_or(Ok(Vec::new()), |query| self.numbers(name, &query))?;
        derived.sort_unstable();
        let kept = all - new.len() as u64;
        Ok(Holding { table: name, loaded: *rows, largest: *largest, kept, new, derived })
    }

    /// The only column of what a query finds.
    fn numbers(&mut self, name: &str, query: &str) -> Result<Vec<u64>, ServiceError> {
        let numbers = self.connection.query(query);
        numbers.map_err(|error| refused(self.instance, &format!("query of the ids of {name}"), &error))
    }
}

/// The database refuses a query of the audit.
fn refused(instance: &Instance, what: &str, error: &mysql::Error) -> ServiceError {
    match store_error(instance, error) {
        ServiceError::Store { service, fault } => {
            ServiceError::Store { service, fault: format!("the audit's {what}: {fault}") }
        }
        other => other,
    }
}

/// A row as people read it: `id = 12, quantity = -1`.
fn show(row: &Row) -> String {
    let columns = row.columns();
    let fields = columns.iter().enumerate().map(|(index, column)| {
        let value = match row.as_ref(index) {
            Some(Value::Bytes(text)) => String::from_utf8_lossy(text).into_owned(),
            Some(Value::NULL) | None => "NULL".to_owned(),
            Some(other) => other.as_sql(true),
        };
        format!("{} = {value}", column.name_str())
    });
    fields.collect::<Vec<_>>().join(", ")
}
