//! MariaDB as the store of an application's data: loading, the first state, reading.
//!
//! The laboratory is root over the private socket; the stack gets a user with a password of this run and with no more
//! rights than an application needs.

mod audit;
mod indexes;
mod load;
mod pipe;
mod reading;
mod restore;
mod text;

pub use audit::{AuditOrder, Auditor, audit, delete_row, loaded};
pub use load::{LoadOrder, Loading, load};
pub use reading::read_all;
pub use restore::{FirstState, let_stack_in, now, restore, shut_down};
pub use text::write_row;

use crate::{Instance, ServiceError};
use application::{Row, Table};
use mysql::{Conn, OptsBuilder, prelude::Queryable};
use std::{collections::BTreeMap, path::Path};
use text::read_value;

/// The stack's user.
pub(crate) const STACK_USER: &str = "bench";
/// The named port of `service.toml`.
const PORT: &str = "sql";
/// The factor of `service.toml` that chooses the storage engine of all tables.
const ENGINE: &str = "engine";

/// How the stack reaches its data: the variables of its environment.
#[derive(Debug, Clone)]
pub struct Access {
    database: String,
    engine: String,
    password: String,
    address: std::net::SocketAddr,
}

impl Access {
    /// Access to `database` on an instance, with a new password.
    pub fn new(instance: &Instance, database: &str) -> Result<Self, ServiceError> {
        let lacks = |what: &str| ServiceError::Store {
            service: instance.service().name.clone(),
            fault: format!("its service.toml has no {what}"),
        };
        let address = instance.address(PORT).ok_or_else(|| lacks(&format!("port `{PORT}`")))?;
        let engine = instance.factor(ENGINE).ok_or_else(|| lacks(&format!("factor `{ENGINE}`")))?;
        Ok(Self {
            database: database.to_owned(),
            engine: engine.to_owned(),
            password: format!("{:032x}", rand::random::<u128>()),
            address,
        })
    }

    /// The variables that the stack's services get.
    pub fn environment(&self) -> BTreeMap<String, String> {
        let variables = [
            ("TIERBENCH_DB_SERVICE", "mariadb".to_owned()),
            ("TIERBENCH_DB_HOST", self.address.ip().to_string()),
            ("TIERBENCH_DB_PORT", self.address.port().to_string()),
            ("TIERBENCH_DB_NAME", self.database.clone()),
            ("TIERBENCH_DB_ENGINE", self.engine.clone()),
            ("TIERBENCH_DB_USER", STACK_USER.to_owned()),
            ("TIERBENCH_DB_PASSWORD", self.password.clone()),
        ];
        variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The statements of a schema file: comments stand on lines of their own, and each statement ends with a semicolon.
fn statements(schema: &str) -> Vec<String> {
    let code: Vec<&str> = schema.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let statements = code.join("\n");
    let statements = statements.split(';').map(str::trim).filter(|statement| !statement.is_empty());
    statements.map(ToOwned::to_owned).collect()
}

/// All rows of a table, in the order of the primary key.
pub fn rows(instance: &Instance, access: &Access, table: &Table) -> Result<Vec<Row>, ServiceError> {
    let mut connection = connect(instance, Some(&access.database))?;
    let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let query = format!("SELECT {} FROM {} ORDER BY {}", columns.join(", "), table.name, columns[0]);
    let rows: Vec<mysql::Row> = connection.query(query).map_err(|error| store_error(instance, &error))?;
    let read = |row: mysql::Row| {
        let values = row.unwrap().into_iter().zip(table.columns);
        values
            .map(|(value, column)| read_value(&value, column.kind).ok_or(column.name))
            .collect::<Result<Row, _>>()
    };
    rows.into_iter().map(read).collect::<Result<_, _>>().map_err(|column| ServiceError::Store {
        service: instance.service().name.clone(),
        fault: format!("{}.{column} holds a value that its kind does not allow", table.name),
    })
}

pub(crate) fn connect(instance: &Instance, database: Option<&str>) -> Result<Conn, ServiceError> {
    connect_to(instance.folder(), database).map_err(|error| store_error(instance, &error))
}

/// For how many seconds the laboratory waits for writers. Longer than any page takes: who still holds a lock has left it.
const WAIT_FOR_WRITERS_S: u32 = 30;

/// Connects to the instance in this folder.
pub(crate) fn connect_to(folder: &Path, database: Option<&str>) -> Result<Conn, mysql::Error> {
    let socket = folder.join("sql.sock");
    let options = OptsBuilder::new()
        .socket(Some(socket.display().to_string()))
        .prefer_socket(true)
        .user(Some("root"))
        .db_name(database)
        .init(vec![format!("SET lock_wait_timeout = {WAIT_FOR_WRITERS_S}")]);
    Conn::new(options)
}

pub(crate) fn store_error(instance: &Instance, error: &mysql::Error) -> ServiceError {
    ServiceError::Store { service: instance.service().name.clone(), fault: said(error) }
}

/// What the database said, in short.
pub(crate) fn said(error: &mysql::Error) -> String {
    match error {
        mysql::Error::MySqlError(error) => format!("error {}: {}", error.code, error.message),
        other => other.to_string(),
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
