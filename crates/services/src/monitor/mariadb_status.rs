//! Sampler for MariaDB, as root over the private socket: counters once a second, and states of the stack's
//! connections ten times a second. No counter includes those that still wait for a table lock.

use super::{Collect, Reading, rising::Rising};
use crate::store::{
    AdminEndpoint, STACK_USER, connect_to_mariadb as connect_to, message_of_mariadb as message,
};
use mysql::{Conn, prelude::Queryable};
use results::GaugeRole;
use serde::Deserialize;
use std::{
    collections::HashMap,
    sync::LazyLock,
    time::{Duration, Instant},
};

pub(super) struct Collector {
    endpoint: AdminEndpoint,
    session: Option<Connection>,
}

struct Connection {
    connection: Conn,
    max_connections: Option<f64>,
    /// Statements that this session has sent.
    sent: f64,
    /// Samples of states until the next sample of counters.
    counters_due: u32,
    rising: Vec<Rising>,
}

const PACE: Duration = Duration::from_millis(100);
/// Samples of states per sample of counters.
const STATES_PER_COUNTERS: u32 = 10;

const TABLE_LOCK_WAITS: [&str; 3] =
    ["Waiting for table level lock", "Waiting for table metadata lock", "Locked"];
const COMMITS: &str = "Commit";

/// A gauge from the rate of counters, in `mariadb_gauges.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RateGauge {
    name: String,
    role: GaugeRole,
    counters: Vec<String>,
}

#[derive(Deserialize)]
struct RateGauges {
    gauge: Vec<RateGauge>,
}

static RATES: LazyLock<Vec<RateGauge>> = LazyLock::new(|| {
    let file: RateGauges = toml::from_str(include_str!("mariadb_gauges.toml")).expect("a file of this crate");
    file.gauge
});

const QUESTIONS: &str = "Questions";
const CONNECTED: &str = "Threads_connected";
const RUNNING: &str = "Threads_running";
const ROW_LOCK_WAITS_NOW: &str = "Innodb_row_lock_current_waits";

impl Collector {
    pub(super) fn new(endpoint: AdminEndpoint) -> Self {
        Self { endpoint, session: None }
    }
}

impl Collect for Collector {
    fn pace(&self) -> Duration {
        PACE
    }

    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Connection::begin(&self.endpoint).map_err(|error| message(&error))?,
        };
        let readings = session.collect().map_err(|error| message(&error))?;
        self.session = Some(session);
        Ok(readings)
    }
}

impl Connection {
    fn begin(endpoint: &AdminEndpoint) -> mysql::Result<Self> {
        let mut connection = connect_to(endpoint, None)?;
        let max_connections = connection.query_first("SELECT @@max_connections")?;
        let rising = vec![Rising::default(); RATES.len()];
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
        let counters = RATES.iter().flat_map(|gauge| gauge.counters.iter().map(String::as_str));
        let names: Vec<&str> = counters.chain(levels).collect();
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
        let count = |counter: &String| {
            let own = if counter == QUESTIONS { self.sent } else { 0.0 };
            Some(values.get(counter)? - own)
        };
        let rate = |(gauge, rising): (&RateGauge, &mut Rising)| {
            let all: f64 = gauge.counters.iter().map(count).sum::<Option<f64>>()?;
            Some(Reading::new(&gauge.name, gauge.role.clone(), rising.a_second(now, all)?))
        };
        let rates = RATES.iter().zip(&mut self.rising).filter_map(rate);
        Ok(levels.into_iter().flatten().chain(rates).collect())
    }
}
