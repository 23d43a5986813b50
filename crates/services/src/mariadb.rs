//! MariaDB as the store of an application's data: loading, the first state, reading.
//!
//! The laboratory is root over the private socket; the stack gets a user with a password of this run and with no more
//! rights than an application needs.

mod audit;
mod restore;

pub use audit::{AuditOrder, Auditor, audit, delete_row, loaded};
pub use restore::{FirstState, let_stack_in, now, restore, shut_down};

use crate::{Instance, ServiceError};
use application::{Application, Kind, Row, Scenario, Table, Timestamp, Value};
use fs_err as fs;
use mysql::{Conn, OptsBuilder, prelude::Queryable};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io,
    sync::atomic::{AtomicBool, Ordering},
};

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

/// Makes the schema and loads the generated rows. `schema` is the application's SQL.
/// Returns how many rows were loaded, or soon an error once `stop` is set.
pub fn load(
    instance: &Instance,
    access: &Access,
    application: &dyn Application,
    scenario: &Scenario,
    schema: &str,
    stop: &AtomicBool,
) -> Result<u64, ServiceError> {
    let mut connection = connect(instance, None)?;
    let run = |connection: &mut Conn, statement: &str| {
        connection.query_drop(statement).map_err(|error| store_error(instance, &error))
    };
    let Access { database, engine, .. } = access;
    run(&mut connection, &format!("CREATE DATABASE {database} COLLATE utf8mb4_nopad_bin"))?;
    run(&mut connection, &format!("USE {database}"))?;
    for statement in statements(&schema.replace("{{ engine }}", engine)) {
        run(&mut connection, &statement)?;
    }
    load_rows(instance, &mut connection, application, scenario, stop)
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
    let socket = instance.folder().join("sql.sock");
    let options = OptsBuilder::new()
        .socket(Some(socket.display().to_string()))
        .prefer_socket(true)
        .user(Some("root"))
        .db_name(database);
    Conn::new(options).map_err(|error| store_error(instance, &error))
}

pub(crate) fn store_error(instance: &Instance, error: &mysql::Error) -> ServiceError {
    let fault = match error {
        mysql::Error::MySqlError(error) => format!("error {}: {}", error.code, error.message),
        other => other.to_string(),
    };
    ServiceError::Store { service: instance.service().name.clone(), fault }
}

/// The rows of how many units are loaded by one statement: so few that none takes long, because it can't be stopped.
const PART_UNITS: usize = 20_000;

/// Rows of one table in the form that LOAD DATA reads.
struct Part {
    table: &'static Table,
    text: String,
    rows: u64,
}

/// Loads the generated rows, part by part.
fn load_rows(
    instance: &Instance,
    connection: &mut Conn,
    application: &dyn Application,
    scenario: &Scenario,
    stop: &AtomicBool,
) -> Result<u64, ServiceError> {
    let mut load = |part: Part| match stop.load(Ordering::Relaxed) {
        true => Err(io::Error::from(io::ErrorKind::Interrupted).into()),
        false => load_part(instance, connection, &part).map(|()| part.rows),
    };
    fs::create_dir_all(instance.folder().join("load"))?;
    let generator = application.generator(scenario);
    let mut loaded = 0;
    for table in application.tables() {
        let units = generator.units(table);
        for begin in (0..units).step_by(PART_UNITS) {
            let mut part = Part { table, text: String::new(), rows: 0 };
            let end = units.min(begin + PART_UNITS as u64);
            generator.rows(table, begin..end, &mut |row| part.push(row));
            loaded += load(part)?;
        }
    }
    Ok(loaded)
}

impl Part {
    fn push(&mut self, row: &[Value]) {
        for value in row {
            write_field(&mut self.text, value);
        }
        self.text.pop();
        self.text.push('\n');
        self.rows += 1;
    }
}

fn load_part(instance: &Instance, connection: &mut Conn, part: &Part) -> Result<(), ServiceError> {
    let file = instance.folder().join("load").join(format!("{}.tsv", part.table.name));
    fs::write(&file, &part.text)?;
    let columns: Vec<&str> = part.table.columns.iter().map(|column| column.name).collect();
    let statement = format!(
        "LOAD DATA INFILE '{}' INTO TABLE {} CHARACTER SET utf8mb4 ({})",
        file.display(),
        part.table.name,
        columns.join(", ")
    );
    connection.query_drop(statement).map_err(|error| store_error(instance, &error))?;
    Ok(fs::remove_file(file)?)
}

fn write_field(line: &mut String, value: &Value) {
    match value {
        Value::Null => line.push_str("\\N"),
        Value::Text(text) => {
            for character in text.chars() {
                match character {
                    '\t' => line.push_str("\\t"),
                    '\n' => line.push_str("\\n"),
                    '\\' => line.push_str("\\\\"),
                    other => line.push(other),
                }
            }
        }
        other => write!(line, "{other}").expect("writing to a string can't fail"),
    }
    line.push('\t');
}

fn read_value(value: &mysql::Value, kind: Kind) -> Option<Value> {
    let bytes = match value {
        mysql::Value::NULL => return Some(Value::Null),
        mysql::Value::Bytes(bytes) => bytes,
        _ => return None,
    };
    let text = std::str::from_utf8(bytes).ok()?;
    Some(match kind {
        Kind::Integer => Value::Integer(text.parse().ok()?),
        Kind::Money => match text.strip_prefix('-') {
            Some(amount) => Value::Money(application::Money(-amount.parse::<application::Money>().ok()?.0)),
            None => Value::Money(text.parse().ok()?),
        },
        Kind::Text => Value::Text(text.to_owned()),
        Kind::Time => Value::Time(Timestamp::parse(text)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::Money;

    #[test]
    fn fields_are_written_so_that_nothing_is_lost() {
        let mut line = String::new();
        for value in [
            Value::Null,
            Value::Text("a\tb\\N\n".into()),
            Value::Money(Money(1205)),
            Value::Time(Timestamp(0)),
        ] {
            write_field(&mut line, &value);
        }
        assert_eq!(line, "\\N\ta\\tb\\\\N\\n\t12.05\t1970-01-01 00:00:00\t");
    }

    #[test]
    fn a_semicolon_in_a_comment_ends_nothing() {
        let schema = "-- one; two\nCREATE TABLE a (\n  id INT\n);\n\nCREATE TABLE b (id INT);\n";
        assert_eq!(statements(schema), ["CREATE TABLE a (\n  id INT\n)", "CREATE TABLE b (id INT)"]);
    }

    #[test]
    fn what_the_server_prints_is_read_by_kind() {
        let read = |text: &str, kind| read_value(&mysql::Value::Bytes(text.into()), kind);
        assert_eq!(read("-12.05", Kind::Money), Some(Value::Money(Money(-1205))));
        assert_eq!(read("1970-01-01 00:00:00", Kind::Time), Some(Value::Time(Timestamp(0))));
        assert_eq!(read("x", Kind::Integer), None);
        assert_eq!(read_value(&mysql::Value::NULL, Kind::Text), Some(Value::Null));
    }
}
