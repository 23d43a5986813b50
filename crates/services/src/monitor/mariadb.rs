//! Asks MariaDB, as root over the private socket: once a second for its counters, and ten times a second for what the
//! stack's connections wait for. Whoever waits for a table lock is counted nowhere while he waits.

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
    /// How often it is still asked for states before it is asked for counters.
    counters_due: u32,
    rising: [Rising; RATES.len()],
}

const PACE: Duration = Duration::from_millis(100);
/// For so many questions for states there is one for counters.
const STATES_PER_COUNTERS: u32 = 10;

/// The states of a connection that waits for a lock of a table.
const TABLE_LOCK_WAITS: [&str; 3] =
    ["Waiting for table level lock", "Waiting for table metadata lock", "Locked"];
/// The state of one that commits.
const COMMITS: &str = "Commit";

/// What is said of counters that rise, by the second, and which counters that are.
const RATES: [(&str, &str); 8] = [
    ("statements/s", QUESTIONS),
    ("table lock waits/s", "Table_locks_waited"),
    ("row lock waits/s", "Innodb_row_lock_waits"),
    ("row lock wait ms/s", "Innodb_row_lock_time"),
    ("buffer pool reads/s", "Innodb_buffer_pool_read_requests"),
    ("buffer pool misses/s", "Innodb_buffer_pool_reads"),
    ("key buffer reads/s", "Key_read_requests"),
    ("key buffer misses/s", "Key_reads"),
];

const QUESTIONS: &str = "Questions";
const CONNECTED: &str = "Threads_connected";
const RUNNING: &str = "Threads_running";
const ROW_LOCK_WAITS_NOW: &str = "Innodb_row_lock_current_waits";

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
        // The same as a table of the information schema takes the server ten times as long.
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
        let names: Vec<&str> = RATES.iter().map(|(_, counter)| *counter).chain(levels).collect();
        let query = format!("SHOW GLOBAL STATUS WHERE Variable_name IN ('{}')", names.join("', '"));
        let values: Vec<(String, f64)> = self.connection.query(query)?;
        let (now, values) = (Instant::now(), values.into_iter().collect::<HashMap<_, _>>());
        let level = |name: &str, role: GaugeRole, counter: &str, own: f64| {
            Some(Reading::new(name, role, (values.get(counter)? - own).max(0.0)))
        };
        let locks = GaugeRole::LockWait("row locks".to_owned());
        // One connection is this one, and it runs one statement: the question.
        let levels = [
            level("connections", GaugeRole::Connections, CONNECTED, 1.0)
                .map(|reading| reading.within(self.max_connections)),
            level("running statements", GaugeRole::RunningStatements, RUNNING, 1.0),
            level("waiting for row locks", locks, ROW_LOCK_WAITS_NOW, 0.0),
        ];
        let rate = |((name, counter), rising): (&(&str, &str), &mut Rising)| {
            let own = if *counter == QUESTIONS { self.sent } else { 0.0 };
            let value = rising.a_second(now, values.get(*counter)? - own)?;
            Some(Reading::new(name, GaugeRole::Information, value))
        };
        let rates = RATES.iter().zip(&mut self.rising).filter_map(rate);
        Ok(levels.into_iter().flatten().chain(rates).collect())
    }
}
