//! Stores of an application's data: loading, restoring, reading.
//!
//! The laboratory has all rights over the private socket, by a password that it alone knows; the stack's user has a password
//! of this run and only the rights that an application needs. This module has what is common to all kinds of stores; each implements
//! [`StoreAdmin`].

mod administrator;
mod audit;
mod contents;
mod load;
mod mariadb;
mod postgresql;
mod restore;
mod settings;
mod text;

pub use audit::{AuditOrder, Auditor, audit, change_row, delete_row, loaded};
pub use contents::{BLOCK, BlockSum, FixedColumns, block_sums, rows_by_id, rows_of_block};
pub use load::{LoadOrder, Loading, load};
pub use restore::{FirstState, create_app_user, kill_store, now, restore, shut_down};
pub use settings::StoreSettings;
pub use text::write_row;

pub(crate) use administrator::{guard, let_in};
pub(crate) use mariadb::{connect as connect_to_mariadb, message as message_of_mariadb};
#[cfg(feature = "fixture")]
pub(crate) use postgresql::connect as connect_to_postgresql;

use crate::{Instance, ServiceError, StoreKind};
use application::{Column, Row, Table, Timestamp};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};
use testbed::HostHandle;
use text::read_value;

pub(crate) const STACK_USER: &str = "bench";
/// The named port in `service.toml`.
const PORT: &str = "sql";
/// The factor for the storage engine of all tables, where a store has several.
pub const ENGINE: &str = "engine";
/// Timeout for writers' locks, in seconds: longer than any page takes.
const WAIT_FOR_WRITERS_S: u32 = 30;

#[derive(Debug, Clone)]
pub struct Access {
    kind: StoreKind,
    database: String,
    engine: Option<String>,
    password: String,
    address: std::net::SocketAddr,
}

impl Access {
    /// Access to `database` on an instance, with a new password.
    pub fn new(instance: &Instance, database: &str) -> Result<Self, ServiceError> {
        let kind = instance.service().store().ok_or_else(|| lacks(instance, "`store`"))?;
        let engine = instance.factor(ENGINE).map(ToOwned::to_owned);
        if kind == StoreKind::Mariadb && engine.is_none() {
            return Err(lacks(instance, &format!("factor `{ENGINE}`")));
        }
        let port = kind.keeper().map_or_else(|| instance.address(PORT), |_| instance.entry());
        let address = port.ok_or_else(|| lacks(instance, &format!("port `{PORT}`")))?;
        Ok(Self {
            kind,
            database: database.to_owned(),
            engine,
            password: format!("{:032x}", rand::random::<u128>()),
            address,
        })
    }

    /// Variables for the stack's services. Stores of records define theirs in `service.toml` (`offers`).
    pub fn environment(&self) -> BTreeMap<String, String> {
        if self.kind.keeper().is_some() {
            return BTreeMap::new();
        }
        let variables = [
            ("TIERBENCH_DB_SERVICE", Some(self.kind.name().to_owned())),
            ("TIERBENCH_DB_HOST", Some(self.address.ip().to_string())),
            ("TIERBENCH_DB_PORT", Some(self.address.port().to_string())),
            ("TIERBENCH_DB_NAME", Some(self.database.clone())),
            ("TIERBENCH_DB_ENGINE", self.engine.clone()),
            ("TIERBENCH_DB_USER", Some(STACK_USER.to_owned())),
            ("TIERBENCH_DB_PASSWORD", Some(self.password.clone())),
        ];
        variables.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

/// The laboratory's own access to a store.
#[derive(Debug, Clone)]
pub(crate) struct AdminEndpoint {
    kind: StoreKind,
    /// The instance's folder here, with the socket.
    folder: PathBuf,
    port: u16,
    password: String,
}

impl AdminEndpoint {
    pub(crate) fn of(instance: &Instance) -> Result<Self, ServiceError> {
        let kind = instance.service().store().ok_or_else(|| lacks(instance, "`store`"))?;
        let address = instance.address(PORT).ok_or_else(|| lacks(instance, &format!("port `{PORT}`")))?;
        let (folder, password) = (instance.own_folder().to_owned(), instance.administrator().to_owned());
        Ok(Self { kind, folder, port: address.port(), password })
    }

    /// A connection with all rights, to one of its databases or to the default one.
    pub(crate) fn open(&self, database: Option<&str>) -> Result<Box<dyn StoreAdmin>, DbError> {
        Ok(match self.kind {
            StoreKind::Mariadb => Box::new(mariadb::connect(self, database).map_err(DbError::from)?),
            StoreKind::Postgresql => Box::new(postgresql::connect(self, database).map_err(DbError::from)?),
            StoreKind::Dovecot | StoreKind::Openldap => return Err(DbError("it speaks no SQL".to_owned())),
        })
    }

    /// The same with another password.
    #[cfg(feature = "fixture")]
    pub(crate) fn guessing(&self, password: &str) -> Self {
        Self { password: password.to_owned(), ..self.clone() }
    }

    pub(crate) fn kind(&self) -> StoreKind {
        self.kind
    }
}

#[derive(Debug)]
pub(crate) struct DbError(pub String);

impl DbError {
    pub(crate) fn of(self, instance: &Instance) -> ServiceError {
        ServiceError::Store { service: instance.service().name.clone(), fault: self.0 }
    }
}

/// A row as a store prints it; none for NULL.
pub(crate) type TextRow = Vec<Option<String>>;

pub(crate) type Sink<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

pub(crate) struct TableLoad<'a> {
    table: &'static Table,
    /// The folder for pipes on the server's host.
    folder: &'a Path,
    place: &'a HostHandle,
    send: &'a (dyn Fn(&mut Sink<'_>) -> io::Result<()> + Sync),
    /// True once loading was cancelled.
    is_over: &'a (dyn Fn() -> bool + Sync),
}

pub(crate) enum Unfilled {
    Refused(DbError),
    Io(io::Error),
}

/// A connection of the laboratory with all rights: the operations that differ between stores.
pub(crate) trait StoreAdmin: Send {
    fn run(&mut self, statement: &str) -> Result<u64, DbError>;

    fn query(&mut self, query: &str) -> Result<Vec<TextRow>, DbError>;

    /// The number of rows, with some as examples: `id = 12, quantity = -1`.
    fn count(&mut self, query: &str, examples: usize) -> Result<(u64, Vec<String>), DbError>;

    /// Waits until these tables have no writer, and locks them for writers for the session's life. From then on it
    /// sees the data of that instant. Setting `stop` ends a long wait with an error.
    fn freeze_writes(&mut self, tables: &[&str], stop: &AtomicBool) -> Result<(), DbError>;

    /// Makes the database, without tables.
    fn create_database(&mut self, database: &str) -> Result<(), DbError>;

    /// Drops those indexes of an empty table that are built faster after loading; returns the statements that restore
    /// them.
    fn postpone_indexes(&mut self, table: &str) -> Result<Vec<String>, DbError>;

    /// Loads an empty table; returns the number of rows that the server stored.
    fn fill(&mut self, filling: &TableLoad<'_>) -> Result<u64, Unfilled>;

    /// Completes work that a store would otherwise do some time after loading.
    fn settle(&mut self, table: &Table) -> Result<(), DbError>;

    /// The statements that create the stack's user with this password, and its rights on this database from this
    /// address; the session is one to that database.
    fn letting_in(&self, database: &str, password: &str, is_local: bool) -> Vec<String>;

    /// An expression for a number that depends on all of these columns of a row; instants count from `origin`.
    fn row_hash(&self, columns: &[&Column], origin: Timestamp) -> String;

    /// Reads all data once, in a fixed order, into the server's own cache.
    fn read_all(&mut self) -> Result<(), DbError>;

    /// The query of all settings, of the server and of the database's tables: name and value.
    fn settings_query(&self) -> &'static str;
}

/// Fills the server's caches from its files alone, so that they don't depend on earlier work.
pub fn read_all(instance: &Instance, access: &Access) -> Result<(), ServiceError> {
    open(instance, Some(&access.database))?.read_all().map_err(|error| error.of(instance))
}

/// The statements of a schema file: comments have lines of their own, and each statement ends with a semicolon.
fn statements(schema: &str) -> Vec<String> {
    let code: Vec<&str> = schema.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let statements = code.join("\n");
    let statements = statements.split(';').map(str::trim).filter(|statement| !statement.is_empty());
    statements.map(ToOwned::to_owned).collect()
}

/// All rows of a table, by primary key.
pub fn rows(instance: &Instance, access: &Access, table: &Table) -> Result<Vec<Row>, ServiceError> {
    read_rows(instance, access, table, "")
}

/// The rows of a table that a condition selects, by primary key.
fn read_rows(
    instance: &Instance,
    access: &Access,
    table: &Table,
    condition: &str,
) -> Result<Vec<Row>, ServiceError> {
    let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let query =
        format!("SELECT {} FROM {} {condition} ORDER BY {}", columns.join(", "), table.name, columns[0]);
    let rows = open(instance, Some(&access.database))?.query(&query).map_err(|error| error.of(instance))?;
    let read = |row: TextRow| {
        let values = row.into_iter().zip(table.columns);
        values
            .map(|(value, column)| read_value(value, column.kind).ok_or(column.name))
            .collect::<Result<Row, _>>()
    };
    rows.into_iter().map(read).collect::<Result<_, _>>().map_err(|column| ServiceError::Store {
        service: instance.service().name.clone(),
        fault: format!("{}.{column} holds a value that its kind does not allow", table.name),
    })
}

pub(crate) fn open(instance: &Instance, database: Option<&str>) -> Result<Box<dyn StoreAdmin>, ServiceError> {
    AdminEndpoint::of(instance)?.open(database).map_err(|error| error.of(instance))
}

fn lacks(instance: &Instance, what: &str) -> ServiceError {
    ServiceError::Store {
        service: instance.service().name.clone(),
        fault: format!("its service.toml has no {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_semicolon_in_a_comment_ends_nothing() {
        let schema = "-- one; two\nCREATE TABLE a (\n  id INT\n);\n\nCREATE TABLE b (id INT);\n";
        assert_eq!(statements(schema), ["CREATE TABLE a (\n  id INT\n)", "CREATE TABLE b (id INT)"]);
    }
}
