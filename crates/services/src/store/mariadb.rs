//! MariaDB, as root over the private socket, with a password.

mod indexes;
mod pipe;

use super::{
    AdminEndpoint, DbError, STACK_USER, Sink, StoreAdmin, TableLoad, TextRow, Unfilled, WAIT_FOR_WRITERS_S,
};
use application::{Column, Kind, Table, Timestamp};
use mysql::{Conn, OptsBuilder, Row, Value, prelude::Queryable};
use pipe::{Pipe, Writer};
use std::{
    io,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// The name of its socket in the instance's folder.
const SOCKET: &str = "sql.sock";
/// The user with all rights.
pub(super) const ADMINISTRATOR: &str = "root";

const STACK_RIGHTS: &str = "SELECT, INSERT, UPDATE, DELETE, LOCK TABLES";

/// All indexes of a database, including rows, in a fixed order, each with one of its columns.
const INDEXES: &str = "SELECT table_name, index_name, column_name FROM information_schema.statistics \
                       WHERE table_schema = DATABASE() AND seq_in_index = 1 ORDER BY 1, 2";

/// All global variables, and what the tables are kept in.
const SETTINGS: &str = "SELECT variable_name, variable_value FROM information_schema.global_variables UNION ALL \
    SELECT CONCAT('table ', table_name), CONCAT_WS(' ', engine, row_format, create_options) \
    FROM information_schema.tables WHERE table_schema = DATABASE()";

/// ER_LOCK_DEADLOCK.
const DEADLOCK: u16 = 1213;
/// Timeout for work left behind by dozens of clients who gave up. A long queue makes the server report deadlocks; a
/// lock that is never released gives another error.
const WORK_OFF: Duration = Duration::from_secs(300);
/// Pause between attempts, in which other sessions may proceed.
const LETS_OTHERS: Duration = Duration::from_millis(50);

pub(crate) fn connect(to: &AdminEndpoint, database: Option<&str>) -> Result<Conn, mysql::Error> {
    let socket = to.folder.join(SOCKET);
    let options = OptsBuilder::new()
        .socket(Some(socket.display().to_string()))
        .prefer_socket(true)
        .user(Some(ADMINISTRATOR))
        .pass(Some(&to.password))
        .db_name(database)
        .init(vec![format!("SET lock_wait_timeout = {WAIT_FOR_WRITERS_S}")]);
    Conn::new(options)
}

impl From<mysql::Error> for DbError {
    fn from(error: mysql::Error) -> Self {
        Self(message(&error))
    }
}

pub(crate) fn message(error: &mysql::Error) -> String {
    match error {
        mysql::Error::MySqlError(error) => format!("error {}: {}", error.code, error.message),
        other => other.to_string(),
    }
}

/// Locks the server for writers, and begins a transaction that holds these tables.
fn hold(connection: &mut Conn, tables: &[&str]) -> Result<(), mysql::Error> {
    connection.query_drop("FLUSH TABLES WITH READ LOCK")?;
    connection.query_drop("START TRANSACTION")?;
    tables.iter().try_for_each(|table| connection.query_drop(format!("SELECT 1 FROM {table} LIMIT 0")))
}

impl StoreAdmin for Conn {
    fn run(&mut self, statement: &str) -> Result<u64, DbError> {
        self.query_drop(statement).map_err(DbError::from)?;
        Ok(self.affected_rows())
    }

    fn query(&mut self, query: &str) -> Result<Vec<TextRow>, DbError> {
        let rows: Vec<Row> = Queryable::query(self, query).map_err(DbError::from)?;
        Ok(rows.into_iter().map(|row| row.unwrap().iter().map(text).collect()).collect())
    }

    fn count(&mut self, query: &str, examples: usize) -> Result<(u64, Vec<String>), DbError> {
        let (mut count, mut shown) = (0, Vec::new());
        for row in self.query_iter(query).map_err(DbError::from)? {
            let row = row.map_err(DbError::from)?;
            count += 1;
            if shown.len() < examples {
                shown.push(show(&row));
            }
        }
        Ok((count, shown))
    }

    /// MyISAM has no snapshots, so the whole server is locked for writers: the lock is granted when the last writer
    /// has unlocked its tables, and open transactions stay invisible. Then a transaction takes the tables for its
    /// life. A session that is locking several tables may hold some and wait for the server: a deadlock with a
    /// session that has the server and wants these. Then all is released and tried anew.
    fn freeze_writes(&mut self, tables: &[&str], stop: &AtomicBool) -> Result<(), DbError> {
        let start = Instant::now();
        loop {
            match hold(self, tables) {
                Err(mysql::Error::MySqlError(error))
                    if error.code == DEADLOCK && start.elapsed() < WORK_OFF && !stop.load(Relaxed) =>
                {
                    self.query_drop("ROLLBACK").map_err(DbError::from)?;
                    self.query_drop("UNLOCK TABLES").map_err(DbError::from)?;
                    thread::sleep(LETS_OTHERS);
                }
                held => return held.map_err(DbError::from),
            }
        }
    }

    fn create_database(&mut self, database: &str) -> Result<(), DbError> {
        self.run(&format!("CREATE DATABASE {database} COLLATE utf8mb4_nopad_bin")).map(drop)
    }

    fn postpone_indexes(&mut self, table: &str) -> Result<Vec<String>, DbError> {
        indexes::drop_all(self, table).map_err(DbError::from)
    }

    /// One LOAD DATA INFILE statement reads a named pipe that a thread writes. (LOAD DATA LOCAL would stream as well,
    /// but it turns wrong values into mere warnings, and a server that allows it allows it to everybody.)
    fn fill(&mut self, filling: &TableLoad<'_>) -> Result<u64, Unfilled> {
        let table = filling.table;
        let pipe = Pipe::create(filling.folder.join(table.name), filling.place).map_err(Unfilled::Io)?;
        let statement = format!(
            "LOAD DATA INFILE '{}' INTO TABLE {} CHARACTER SET utf8mb4 ({})",
            pipe.path().display(),
            table.name,
            super::text::columns(table)
        );
        let is_read = AtomicBool::new(true);
        let is_over = || !is_read.load(Relaxed) || (filling.is_over)();
        let (loaded, sent) = thread::scope(|scope| {
            let sender = scope.spawn(|| send(&pipe, filling, &is_over));
            let loaded = self.query_drop(statement);
            is_read.store(false, Relaxed);
            (loaded, sender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        loaded.map_err(|fault| Unfilled::Refused(fault.into()))?;
        sent.map_err(|unsent| Unfilled::Io(unsent.fault))?;
        Ok(self.affected_rows())
    }

    fn settle(&mut self, _table: &Table) -> Result<(), DbError> {
        Ok(())
    }

    fn letting_in(&self, database: &str, password: &str, is_local: bool) -> Vec<String> {
        // Everything on the hosts' own network belongs to the site.
        let from = if is_local { "127.0.0.1" } else { "%" };
        vec![
            format!("CREATE OR REPLACE USER {STACK_USER}@'{from}' IDENTIFIED BY '{password}'"),
            format!("GRANT {STACK_RIGHTS} ON {database}.* TO {STACK_USER}@'{from}'"),
        ]
    }

    /// Sums of checksums, unlike their XOR, differ when two rows change alike.
    fn row_hash(&self, columns: &[&Column], origin: Timestamp) -> String {
        let text = |column: &&Column| match column.kind {
            Kind::Time => format!("TIMESTAMPDIFF(SECOND, '{origin}', {})", column.name),
            _ => column.name.to_owned(),
        };
        let texts: Vec<String> =
            columns.iter().map(|one| format!("COALESCE({}, '\\\\N')", text(one))).collect();
        format!("CRC32(CONCAT_WS(CHAR(31), {}))", texts.join(", "))
    }

    /// Reads every index of every table completely. InnoDB keeps rows in an index; MyISAM's rows, which only the
    /// operating system caches, have just been written by the restore.
    fn read_all(&mut self) -> Result<(), DbError> {
        let indexes: Vec<(String, String, String)> =
            Queryable::query(self, INDEXES).map_err(DbError::from)?;
        for (table, index, column) in indexes {
            // MyISAM knows a mere count without reading.
            self.run(&format!("SELECT BIT_XOR(CRC32({column})) FROM {table} FORCE INDEX ({index})"))?;
        }
        Ok(())
    }

    fn settings_query(&self) -> &'static str {
        SETTINGS
    }
}

/// An abandoned transfer of a table's rows. While the pipe stays open, the server waits for more.
struct Unsent<'a> {
    _open: Option<Writer<'a>>,
    fault: io::Error,
}

/// Sends the rows of a table, and closes the pipe after the last one.
fn send<'p>(
    pipe: &Pipe<'_>,
    filling: &TableLoad<'_>,
    is_over: &'p (dyn Fn() -> bool + Sync),
) -> Result<(), Unsent<'p>> {
    let mut writer = match pipe.writer(is_over) {
        Ok(Some(writer)) => writer,
        Ok(None) => return Err(Unsent { _open: None, fault: io::ErrorKind::Interrupted.into() }),
        Err(fault) => return Err(Unsent { _open: None, fault }),
    };
    let sink: &mut Sink<'_> = &mut |bytes| writer.write(bytes);
    let sent = (filling.send)(sink);
    sent.map_err(|fault| Unsent { _open: Some(writer), fault })
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        other => Some(other.as_sql(true)),
    }
}

fn show(row: &Row) -> String {
    let columns = row.columns();
    let fields = columns.iter().enumerate().map(|(index, column)| {
        let value = row.as_ref(index).and_then(text).unwrap_or_else(|| "NULL".to_owned());
        format!("{} = {value}", column.name_str())
    });
    fields.collect::<Vec<_>>().join(", ")
}
