//! Audit of the data over the private socket, all at one instant.

use super::{Access, DbError, StoreAdmin, open};
use crate::{Audit, AuditRules, DataQuery, Holding, Instance, Loaded, ServiceError};
use application::{Application, Column, Table};
use results::Finding;
use std::{
    collections::BTreeMap,
    fmt, io,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

const EXAMPLES: usize = 3;

pub fn loaded(
    instance: &Instance,
    access: &Access,
    application: &dyn Application,
) -> Result<Vec<Loaded>, ServiceError> {
    let mut session = open(instance, Some(&access.database))?;
    let mut of = |table: &'static Table| {
        let query =
            format!("SELECT COUNT(*), COALESCE(MAX({}), 0) FROM {}", table.columns[0].name, table.name);
        let found = session.query(&query).map_err(|error| error.of(instance))?;
        let number = |column: usize| found.first()?.get(column)?.as_ref()?.parse().ok();
        let number = |column| number(column).unwrap_or_default();
        Ok(Loaded { table, rows: number(0), largest: number(1) })
    };
    application.tables().iter().map(&mut of).collect()
}

#[derive(Debug, Clone, Copy)]
pub struct AuditOrder<'a> {
    pub rules: &'a AuditRules,
    pub loaded: &'a [Loaded],
    /// True if all rows are examined; else only those newer than the loaded ones.
    pub full: bool,
    /// Cancels the audit, with an error.
    pub stop: &'a AtomicBool,
}

/// Audits the data. `step` gets each invariant's name before its check. The data stay frozen until the value that
/// comes with the audit is dropped.
pub fn audit<'a>(
    instance: &'a Instance,
    access: &Access,
    order: AuditOrder<'_>,
    step: &mut dyn FnMut(&str),
) -> Result<(Audit, Auditor<'a>), ServiceError> {
    let start = Instant::now();
    let tables: Vec<&str> = order.loaded.iter().map(|loaded| loaded.table.name).collect();
    let begun = Auditor::begin(instance, access, &tables, order.stop);
    check_stop(order.stop)?;
    let mut auditor = begun?;
    let largest = |loaded: &Loaded| (loaded.table.name.to_owned(), loaded.largest);
    let newer: BTreeMap<String, u64> = order.loaded.iter().map(largest).collect();
    let all = newer.keys().map(|table| (table.clone(), 0)).collect();
    let after = if order.full { &all } else { &newer };
    let mut findings = Vec::new();
    for invariant in &order.rules.invariants {
        check_stop(order.stop)?;
        step(&invariant.name);
        findings.push(auditor.finding(invariant, after)?);
    }
    let mut holdings = Vec::new();
    for loaded in order.loaded {
        let derived = order.rules.derived.iter().find(|query| query.name == loaded.table.name);
        holdings.push(auditor.holding(loaded, derived.map(|query| query.text(&newer)))?);
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok((Audit { findings, holdings, contents: Vec::new(), seconds }, auditor))
}

fn check_stop(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

pub fn delete_row(
    instance: &Instance,
    access: &Access,
    table: &Table,
    id: u64,
) -> Result<bool, ServiceError> {
    let statement = format!("DELETE FROM {} WHERE {} = {id}", table.name, table.columns[0].name);
    let deleted = open(instance, Some(&access.database))?.run(&statement);
    Ok(deleted.map_err(|error| error.of(instance))? > 0)
}

/// Adds 1 to a number of a row; returns whether it existed.
pub fn change_row(
    instance: &Instance,
    access: &Access,
    (table, column): (&Table, &Column),
    id: u64,
) -> Result<bool, ServiceError> {
    let (name, key) = (table.name, table.columns[0].name);
    let statement = format!("UPDATE {name} SET {0} = {0} + 1 WHERE {key} = {id}", column.name);
    let changed = open(instance, Some(&access.database))?.run(&statement);
    Ok(changed.map_err(|error| error.of(instance))? > 0)
}

/// A session that locks out writers for its life.
pub struct Auditor<'a> {
    instance: &'a Instance,
    session: Box<dyn StoreAdmin>,
}

impl fmt::Debug for Auditor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auditor").field("service", &self.instance.service().name).finish_non_exhaustive()
    }
}

impl<'a> Auditor<'a> {
    fn begin(
        instance: &'a Instance,
        access: &Access,
        tables: &[&str],
        stop: &AtomicBool,
    ) -> Result<Self, ServiceError> {
        let mut session = open(instance, Some(&access.database))?;
        let locked = session.freeze_writes(tables, stop);
        locked.map_err(|error| refused(instance, "lock its tables against writers", &error))?;
        Ok(Self { instance, session })
    }

    fn finding(
        &mut self,
        invariant: &DataQuery,
        after: &BTreeMap<String, u64>,
    ) -> Result<Finding, ServiceError> {
        let start = Instant::now();
        let counted = self.session.count(&invariant.text(after), EXAMPLES);
        let (violations, examples) = counted
            .map_err(|error| refused(self.instance, &format!("query `{}`", invariant.name), &error))?;
        Ok(Finding {
            invariant: invariant.name.clone(),
            sentence: invariant.sentence.clone(),
            violations,
            examples,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// `derived` is the query for the rows that the application made itself.
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

    fn numbers(&mut self, name: &str, query: &str) -> Result<Vec<u64>, ServiceError> {
        let rows = self
            .session
            .query(query)
            .map_err(|error| refused(self.instance, &format!("query of the ids of {name}"), &error))?;
        let number = |row: super::TextRow| row.into_iter().next()??.parse().ok();
        rows.into_iter().map(|row| number(row).ok_or_else(|| no_number(self.instance, name))).collect()
    }
}

fn refused(instance: &Instance, what: &str, error: &DbError) -> ServiceError {
    DbError(format!("the audit's {what}: {}", error.0)).of(instance)
}

fn no_number(instance: &Instance, name: &str) -> ServiceError {
    DbError(format!("the audit's query of the ids of {name} finds what is no id")).of(instance)
}
