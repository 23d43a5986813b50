//! Sampler for MariaDB, as root over the private socket: counters once a second, and states of the stack's
//! connections ten times a second. No counter includes those that still wait for a table lock.

use super::{Collect, Reading, rising::Rising};
use crate::store::{STACK_USER, connect_to_mariadb as connect_to, message_of_mariadb as message};
use mysql::{Conn, prelude::Queryable};
use results::GaugeRole;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

pub(super) struct Collector {
    folder: PathBuf,
    session: Option<Connection>,
}

struct Connection {
    connection: Conn,
    max_connections: Option<f64>,
    /// Statements that this session has sent.
    sent: f64,
    /// Samples of states until the next sample of counters.
    counters_due: u32,
    rising: [Rising; RATES.len()],
}

const PACE: Duration = Duration::from_millis(100);
/// Samples of states per sample of counters.
const STATES_PER_COUNTERS: u32 = 10;

/// States of a connection that waits for a table lock.
const TABLE_LOCK_WAITS: [&str; 3] =
    ["Waiting for table level lock", "Waiting for table metadata lock", "Locked"];
/// State of a connection that commits.
const COMMITS: &str = "Commit";

/// Gauges from the rates of counters, with the counters that each sums.
const RATES: [(&str, &[&str]); 9] = [
    (STATEMENTS_RATE, &STATEMENTS),
    (ROUND_TRIPS_RATE, &ROUND_TRIPS),
    ("table lock waits/s", &["Table_locks_waited"]),
    ("row lock waits/s", &["Innodb_row_lock_waits"]),
    ("row lock wait ms/s", &["Innodb_row_lock_time"]),
    ("buffer pool reads/s", &["Innodb_buffer_pool_read_requests"]),
    ("buffer pool misses/s", &["Innodb_buffer_pool_reads"]),
    ("key buffer reads/s", &["Key_read_requests"]),
    ("key buffer misses/s", &["Key_reads"]),
];

const STATEMENTS_RATE: &str = "statements/s";
const ROUND_TRIPS_RATE: &str = "round trips/s";

/// Statements by kind, the same whether sent as text or executed as prepared. `Questions` counts more: quitting,
/// changing the user and resetting a connection. The laboratory's own statements (SHOW) are left out.
const STATEMENTS: [&str; 20] = [
    "Com_begin",
    "Com_call_procedure",
    "Com_change_db",
    "Com_commit",
    "Com_delete",
    "Com_delete_multi",
    "Com_insert",
    "Com_insert_select",
    "Com_lock_tables",
    "Com_release_savepoint",
    "Com_replace",
    "Com_replace_select",
    "Com_rollback",
    "Com_rollback_to_savepoint",
    "Com_savepoint",
    "Com_select",
    "Com_set_option",
    "Com_unlock_tables",
    "Com_update",
    "Com_update_multi",
];
/// Round trips. `Questions` has statements, sent as text or executed as prepared, but no preparations and no pings
/// (`Com_admin_commands`). Changing the user takes two round trips and counts in both. A log-in takes two; the
/// counter of connections covers it, because quitting is a question without an answer. A reset of a connection counts
/// once too often.
const ROUND_TRIPS: [&str; 5] =
    [QUESTIONS, "Com_admin_commands", "Com_stmt_prepare", "Com_stmt_reset", "Connections"];

const QUESTIONS: &str = "Questions";
const CONNECTED: &str = "Threads_connected";
const RUNNING: &str = "Threads_running";
const ROW_LOCK_WAITS_NOW: &str = "Innodb_row_lock_current_waits";

/// The meaning of a rate.
fn role(rate: &str) -> GaugeRole {
    match rate {
        STATEMENTS_RATE => GaugeRole::Statements,
        ROUND_TRIPS_RATE => GaugeRole::RoundTrips,
        _ => GaugeRole::Information,
    }
}

impl Collector {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), session: None }
    }
}

impl Collect for Collector {
    fn pace(&self) -> Duration {
        PACE
    }

    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Connection::begin(&self.folder).map_err(|error| message(&error))?,
        };
        let readings = session.collect().map_err(|error| message(&error))?;
        self.session = Some(session);
        Ok(readings)
    }
}

impl Connection {
    fn begin(folder: &Path) -> mysql::Result<Self> {
        let mut connection = connect_to(folder, None)?;
        let max_connections = connection.query_first("SELECT @@max_connections")?;
        let rising = Default::default();
        Ok(Self { connection, max_connections, sent: 0.0, counters_due: 0, rising })
    }

    fn collect(&mut self) -> mysql::Result<Vec<Reading>> {
        let mut readings = self.states()?;
        if self.counters_due == 0 {
            readings.extend(self.counters()?);
            self.counters_due = STATES_PER_COUNTERS;
        }
        self.counters_due -= 1;
        Ok(readings)
    }

    fn states(&mut self) -> mysql::Result<Vec<Reading>> {
        self.sent += 1.0;
        let (mut waiting, mut committing) = (0.0, 0.0);
        // The equivalent table of the information schema costs the server ten times as much.
        for row in self.connection.query_iter("SHOW PROCESSLIST")? {
            let row = row?;
            let text = |column: &str| row.get_opt::<String, _>(column)?.ok();
            if text("User").is_some_and(|user| user == STACK_USER) {
                let state = text("State").unwrap_or_default();
                waiting += f64::from(TABLE_LOCK_WAITS.contains(&state.as_str()));
                committing += f64::from(state == COMMITS);
            }
        }
        let locks = GaugeRole::LockWait("table locks".to_owned());
        Ok(vec![
            Reading::new("waiting for table locks", locks, waiting),
            Reading::new("committing", GaugeRole::Information, committing),
        ])
    }

    fn counters(&mut self) -> mysql::Result<Vec<Reading>> {
        self.sent += 1.0;
        let levels = [CONNECTED, RUNNING, ROW_LOCK_WAITS_NOW];
        let names: Vec<&str> =
            RATES.iter().flat_map(|(_, counters)| *counters).copied().chain(levels).collect();
        let query = format!("SHOW GLOBAL STATUS WHERE Variable_name IN ('{}')", names.join("', '"));
        let values: Vec<(String, f64)> = self.connection.query(query)?;
        let (now, values) = (Instant::now(), values.into_iter().collect::<HashMap<_, _>>());
        let level = |name: &str, role: GaugeRole, counter: &str, own: f64| {
            Some(Reading::new(name, role, (values.get(counter)? - own).max(0.0)))
        };
        let locks = GaugeRole::LockWait("row locks".to_owned());
        // The sampler's connection is one, with one running statement.
        let levels = [
            level("connections", GaugeRole::Connections, CONNECTED, 1.0)
                .map(|reading| reading.within(self.max_connections)),
            level("running statements", GaugeRole::RunningStatements, RUNNING, 1.0),
            level("waiting for row locks", locks, ROW_LOCK_WAITS_NOW, 0.0),
        ];
        let count = |counter: &&str| {
            let own = if *counter == QUESTIONS { self.sent } else { 0.0 };
            Some(values.get(*counter)? - own)
        };
        let rate = |((name, counters), rising): (&(&str, &[&str]), &mut Rising)| {
            let all: f64 = counters.iter().map(count).sum::<Option<f64>>()?;
            Some(Reading::new(name, role(name), rising.a_second(now, all)?))
        };
        let rates = RATES.iter().zip(&mut self.rising).filter_map(rate);
        Ok(levels.into_iter().flatten().chain(rates).collect())
    }
}
