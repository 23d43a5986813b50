//! Sampler for PostgreSQL over the private socket: counters once a second, and states of the stack's connections ten
//! times a second.

use super::{Collect, Reading, rising::Rising};
use crate::store::{AdminEndpoint, STACK_USER, StoreAdmin, TextRow};
use results::GaugeRole;
use std::time::{Duration, Instant};

pub(super) struct Collector {
    endpoint: AdminEndpoint,
    session: Option<Asking>,
}

struct Asking {
    session: Box<dyn StoreAdmin>,
    max_connections: f64,
    /// Samples of states until the next sample of counters.
    counters_due: u32,
    rising: [Rising; RATES.len()],
}

const PACE: Duration = Duration::from_millis(100);
/// Samples of states per sample of counters.
const STATES_PER_COUNTERS: u32 = 10;

const LEVELS: [&str; 5] =
    ["connections", "running statements", "waiting for table locks", "waiting for row locks", "committing"];

fn roles() -> [GaugeRole; 5] {
    [
        GaugeRole::Connections,
        GaugeRole::RunningStatements,
        GaugeRole::LockWait("table locks".to_owned()),
        GaugeRole::LockWait("row locks".to_owned()),
        GaugeRole::Information,
    ]
}

/// A transaction that waits for a row waits for the one that changed it.
const STATES: &str = "SELECT COUNT(*), COUNT(*) FILTER (WHERE state = 'active'), \
    COUNT(*) FILTER (WHERE wait_event_type = 'Lock' AND wait_event = 'relation'), \
    COUNT(*) FILTER (WHERE wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')), \
    COUNT(*) FILTER (WHERE wait_event IN ('WALSync', 'WALWrite') OR state = 'active' AND query ILIKE 'commit%') \
    FROM pg_stat_activity WHERE usename = ";

const RATES: [&str; 4] =
    ["transactions/s", "shared buffers reads/s", "shared buffers misses/s", "deadlocks/s"];
/// The laboratory's own queries go to another database.
const COUNTERS: &str = "SELECT COALESCE(SUM(xact_commit + xact_rollback), 0), \
    COALESCE(SUM(blks_hit + blks_read), 0), COALESCE(SUM(blks_read), 0), COALESCE(SUM(deadlocks), 0) \
    FROM pg_stat_database WHERE datname NOT IN ('postgres', 'template0', 'template1')";

impl Collector {
    pub(super) fn new(endpoint: AdminEndpoint) -> Self {
        Self { endpoint, session: None }
    }

    fn begin(&self) -> Result<Asking, String> {
        let mut session = self.endpoint.open(None).map_err(|error| error.0)?;
        let [max_connections] = query_row(session.as_mut(), "SHOW max_connections", ["max_connections"])?;
        Ok(Asking { session, max_connections, counters_due: 0, rising: Default::default() })
    }
}

impl Collect for Collector {
    fn pace(&self) -> Duration {
        PACE
    }

    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.begin()?,
        };
        let readings = session.collect()?;
        self.session = Some(session);
        Ok(readings)
    }
}

impl Asking {
    fn collect(&mut self) -> Result<Vec<Reading>, String> {
        let states = query_row(self.session.as_mut(), &format!("{STATES}'{STACK_USER}'"), LEVELS)?;
        let levels = LEVELS.into_iter().zip(roles()).zip(states);
        let mut readings: Vec<Reading> =
            levels.map(|((name, role), value)| Reading::new(name, role, value)).collect();
        readings[0].limit = Some(self.max_connections);
        if self.counters_due == 0 {
            readings.extend(self.rates()?);
            self.counters_due = STATES_PER_COUNTERS;
        }
        self.counters_due -= 1;
        Ok(readings)
    }

    fn rates(&mut self) -> Result<Vec<Reading>, String> {
        let counters = query_row(self.session.as_mut(), COUNTERS, RATES)?;
        let now = Instant::now();
        let rising = RATES.into_iter().zip(counters).zip(&mut self.rising);
        let rate = |((name, value), rising): ((&str, f64), &mut Rising)| {
            Some(Reading::new(name, GaugeRole::Information, rising.a_second(now, value)?))
        };
        Ok(rising.filter_map(rate).collect())
    }
}

fn query_row<const N: usize>(
    session: &mut dyn StoreAdmin,
    question: &str,
    names: [&str; N],
) -> Result<[f64; N], String> {
    numbers(&session.query(question).map_err(|error| error.0)?, names)
}

fn numbers<const N: usize>(rows: &[TextRow], names: [&str; N]) -> Result<[f64; N], String> {
    let [row] = rows else { return Err(format!("it answers with {} rows instead of one", rows.len())) };
    let number = |(value, name): (&Option<String>, &str)| {
        let text = value.as_deref().unwrap_or("NULL");
        text.parse().map_err(|_| format!("it says `{text}` where a number should be: {name}"))
    };
    let found = row.iter().zip(names).map(number).collect::<Result<Vec<f64>, _>>()?;
    let count = found.len();
    found.try_into().map_err(|_| format!("it answers with {count} columns instead of {N}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_that_is_no_number_is_an_error() {
        let row = |values: &[Option<&str>]| values.iter().map(|value| value.map(ToOwned::to_owned)).collect();
        let names = ["connections", "deadlocks/s"];
        assert_eq!(numbers(&[row(&[Some("3"), Some("12.5")])], names), Ok([3.0, 12.5]));
        for (rows, fault) in [
            (vec![], "it answers with 0 rows instead of one"),
            (vec![row(&[Some("3")])], "it answers with 1 columns instead of 2"),
            (vec![row(&[Some("3"), None])], "it says `NULL` where a number should be: deadlocks/s"),
            (vec![row(&[Some("many"), Some("1")])], "it says `many` where a number should be: connections"),
        ] {
            assert_eq!(numbers(&rows, names), Err(fault.to_owned()));
        }
    }
}
