//! PostgreSQL, as its superuser over the private socket, with a password.

use super::{
    AdminEndpoint, DbError, STACK_USER, Sink, StoreAdmin, TableLoad, TextRow, Unfilled, WAIT_FOR_WRITERS_S,
    text::columns,
};
use application::{Column, Kind, Table, Timestamp};
use postgres::{Client, Config, Error, NoTls, SimpleQueryMessage, SimpleQueryRow, error::SqlState};
use std::{
    io::{self, Write as _},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The superuser made by initdb.
pub(super) const ADMINISTRATOR: &str = "postgres";
/// The database that exists before the application's.
const NO_DATABASE: &str = "postgres";

/// The socket accepts connections before the server can answer, so its first answers may be that it is starting.
const START: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(5);

/// The time in which transactions under way end.
const WRITERS_END: Duration = Duration::from_secs(WAIT_FOR_WRITERS_S as u64);

/// The indexes of a table that no constraint needs, with the statements that make them.
const INDEXES: &str = "SELECT i.indexrelid::regclass, pg_get_indexdef(i.indexrelid) FROM pg_index i \
    WHERE i.indrelid = '{table}'::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid) \
    ORDER BY 1";

/// All tables and indexes of the application, in a fixed order, read into the server's own cache.
const READ_ALL: &str = "SELECT pg_prewarm(c.oid::regclass) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'i') ORDER BY c.relname";

/// All settings, those that a role or a database has of its own, and how tables and indexes are kept.
const SETTINGS: &str = "SELECT name, setting FROM pg_settings UNION ALL \
    SELECT concat('role ', coalesce(r.rolname, 'all'), ' in ', coalesce(d.datname, 'all'), ': ', split_part(one, '=', 1)), \
        substr(one, strpos(one, '=') + 1) \
    FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase, \
        unnest(s.setconfig) AS one \
    UNION ALL SELECT concat('table ', c.relname), concat_ws(' ', c.relpersistence, array_to_string(c.reloptions, ' ')) \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'i')";

pub(crate) fn connect(to: &AdminEndpoint, database: Option<&str>) -> Result<Client, Error> {
    let mut config = Config::new();
    config.host_path(&to.folder).port(to.port).user(ADMINISTRATOR).password(&to.password);
    config.dbname(database.unwrap_or(NO_DATABASE));
    config.options(&format!("-c lock_timeout={WAIT_FOR_WRITERS_S}s -c cursor_tuple_fraction=1"));
    let deadline = Instant::now() + START;
    loop {
        match config.connect(NoTls) {
            Err(fault)
                if fault.code() == Some(&SqlState::CANNOT_CONNECT_NOW) && Instant::now() < deadline =>
            {
                thread::sleep(LOOK);
            }
            connected => return connected,
        }
    }
}

impl From<Error> for DbError {
    fn from(error: Error) -> Self {
        Self(message(&error))
    }
}

fn message(error: &Error) -> String {
    match error.as_db_error() {
        Some(said) => {
            let detail = said.detail().map(|detail| format!(" ({detail})")).unwrap_or_default();
            format!("error {}: {}{detail}", said.code().code(), said.message())
        }
        None => error.to_string(),
    }
}

impl StoreAdmin for Client {
    fn run(&mut self, statement: &str) -> Result<u64, DbError> {
        let answers = self.simple_query(statement).map_err(DbError::from)?;
        let changed = answers.iter().rev().find_map(|answer| match answer {
            SimpleQueryMessage::CommandComplete(rows) => Some(*rows),
            _ => None,
        });
        Ok(changed.unwrap_or_default())
    }

    fn query(&mut self, query: &str) -> Result<Vec<TextRow>, DbError> {
        let answers = self.simple_query(query).map_err(DbError::from)?;
        let row = |answer| match answer {
            SimpleQueryMessage::Row(row) => Some(text(&row)),
            _ => None,
        };
        Ok(answers.into_iter().filter_map(row).collect())
    }

    /// Within the transaction that locks out writers, so that rows to count stay in the server.
    fn count(&mut self, query: &str, examples: usize) -> Result<(u64, Vec<String>), DbError> {
        self.run(&format!("DECLARE found NO SCROLL CURSOR FOR {query}"))?;
        let answers = self.simple_query(&format!("FETCH {examples} FROM found")).map_err(DbError::from)?;
        let shown = answers.iter().filter_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => Some(show(row)),
            _ => None,
        });
        let shown: Vec<String> = shown.collect();
        let others = self.run("MOVE FORWARD ALL IN found")?;
        self.run("CLOSE found")?;
        Ok((shown.len() as u64 + others, shown))
    }

    /// The tables are locked before the first read, so the snapshot is of an instant without writers. While a transaction
    /// is under way, no table is held in waiting for another: that could be a deadlock, of which one would die.
    fn freeze_writes(&mut self, tables: &[&str], stop: &AtomicBool) -> Result<(), DbError> {
        let lock = format!("LOCK TABLE {} IN SHARE MODE NOWAIT", tables.join(", "));
        let started = Instant::now();
        loop {
            self.run("BEGIN ISOLATION LEVEL REPEATABLE READ")?;
            match self.simple_query(&lock) {
                Err(error)
                    if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
                        && started.elapsed() < WRITERS_END
                        && !stop.load(Ordering::Relaxed) =>
                {
                    self.run("ROLLBACK")?;
                    thread::sleep(LOOK);
                }
                locked => return locked.map(drop).map_err(DbError::from),
            }
        }
    }

    fn create_database(&mut self, database: &str) -> Result<(), DbError> {
        self.run(&format!("CREATE DATABASE {database} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"))
            .map(drop)
    }

    fn postpone_indexes(&mut self, table: &str) -> Result<Vec<String>, DbError> {
        let indexes = StoreAdmin::query(self, &INDEXES.replace("{table}", table))?;
        let mut later = Vec::new();
        for index in indexes {
            if let [Some(name), Some(definition)] = index.as_slice() {
                self.run(&format!("DROP INDEX {name}"))?;
                later.push(definition.clone());
            }
        }
        Ok(later)
    }

    /// Rows are frozen and left out of the log, as the server does for a table emptied in the same transaction.
    fn fill(&mut self, filling: &TableLoad<'_>) -> Result<u64, Unfilled> {
        let refused = |error: Error| Unfilled::Refused(error.into());
        let table = filling.table;
        let mut transaction = self.transaction().map_err(refused)?;
        transaction.batch_execute(&format!("TRUNCATE {}", table.name)).map_err(refused)?;
        let copy = format!("COPY {} ({}) FROM STDIN (FREEZE)", table.name, columns(table));
        let mut writer = transaction.copy_in(&copy).map_err(refused)?;
        let sink: &mut Sink<'_> = &mut |bytes| match (filling.is_over)() {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => writer.write_all(bytes),
        };
        let sent = (filling.send)(sink);
        let stored = match sent {
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => return Err(Unfilled::Io(fault)),
            // The server's message explains why it accepts no more.
            Err(fault) => return Err(writer.finish().err().map_or(Unfilled::Io(fault), refused)),
            Ok(()) => writer.finish().map_err(refused)?,
        };
        transaction.commit().map_err(refused)?;
        Ok(stored)
    }

    /// New rows get ids above the loaded ones, and autovacuum's work is done before any measurement.
    fn settle(&mut self, table: &Table) -> Result<(), DbError> {
        let (name, id) = (table.name, table.columns[0].name);
        self.run(&format!(
            "SELECT setval(pg_get_serial_sequence('{name}', '{id}'), COALESCE(MAX({id}), 0) + 1, false) FROM {name} \
             HAVING pg_get_serial_sequence('{name}', '{id}') IS NOT NULL"
        ))?;
        self.run(&format!("VACUUM (ANALYZE) {name}")).map(drop)
    }

    fn letting_in(&self, _database: &str, password: &str, _is_local: bool) -> Vec<String> {
        // pg_hba.conf restricts the address.
        vec![
            format!(
                "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{STACK_USER}') \
                 THEN CREATE ROLE {STACK_USER} LOGIN; END IF; END $$"
            ),
            format!("ALTER ROLE {STACK_USER} PASSWORD '{password}'"),
            format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {STACK_USER}"),
            format!("GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {STACK_USER}"),
        ]
    }

    fn row_hash(&self, columns: &[&Column], origin: Timestamp) -> String {
        let text = |column: &&Column| match column.kind {
            Kind::Time => format!("EXTRACT(EPOCH FROM {} - TIMESTAMP '{origin}')::bigint", column.name),
            _ => column.name.to_owned(),
        };
        let texts: Vec<String> =
            columns.iter().map(|one| format!("COALESCE(({})::text, '\\N')", text(one))).collect();
        format!("hashtextextended(CONCAT_WS(CHR(31), {}), 0)", texts.join(", "))
    }

    fn read_all(&mut self) -> Result<(), DbError> {
        self.run("CREATE EXTENSION IF NOT EXISTS pg_prewarm SCHEMA pg_catalog")?;
        self.run(READ_ALL).map(drop)
    }

    fn settings_query(&self) -> &'static str {
        SETTINGS
    }
}

fn text(row: &SimpleQueryRow) -> TextRow {
    (0..row.len()).map(|column| row.get(column).map(ToOwned::to_owned)).collect()
}

fn show(row: &SimpleQueryRow) -> String {
    let fields = row.columns().iter().enumerate();
    let fields = fields.map(|(at, column)| format!("{} = {}", column.name(), row.get(at).unwrap_or("NULL")));
    fields.collect::<Vec<_>>().join(", ")
}
