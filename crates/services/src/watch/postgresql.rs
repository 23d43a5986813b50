//! Asks PostgreSQL over the private socket: once a second for its counters, and ten times a second for what the stack's
//! connections wait for.

use super::{Ask, Reading};
use crate::store::{Door, Session, TextRow};
use std::time::{Duration, Instant};

pub(super) struct Asker {
    door: Door,
    session: Option<Asking>,
}

struct Asking {
    session: Box<dyn Session>,
    max_connections: f64,
    /// How often it is still asked for states before it is asked for counters.
    counters_due: u32,
    last: Option<(Instant, Vec<f64>)>,
}

const PACE: Duration = Duration::from_millis(100);
/// For so many questions for states there is one for counters.
const STATES_PER_COUNTERS: u32 = 10;

/// What is said of the stack's connections.
const LEVELS: [&str; 5] =
    ["connections", "running statements", "waiting for table locks", "waiting for row locks", "committing"];
/// A transaction that waits for a row waits for the one that has changed it.
const STATES: &str = "SELECT COUNT(*), COUNT(*) FILTER (WHERE state = 'active'), \
    COUNT(*) FILTER (WHERE wait_event_type = 'Lock' AND wait_event = 'relation'), \
    COUNT(*) FILTER (WHERE wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')), \
    COUNT(*) FILTER (WHERE wait_event IN ('WALSync', 'WALWrite') OR state = 'active' AND query ILIKE 'commit%') \
    FROM pg_stat_activity WHERE usename = 'bench'";

/// What is said of counters that rise, by the second.
const RATES: [&str; 4] =
    ["transactions/s", "shared buffers reads/s", "shared buffers misses/s", "deadlocks/s"];
/// The laboratory's own questions go to another database.
const COUNTERS: &str = "SELECT SUM(xact_commit + xact_rollback), SUM(blks_hit + blks_read), SUM(blks_read), SUM(deadlocks) \
    FROM pg_stat_database WHERE datname NOT IN ('postgres', 'template0', 'template1')";

impl Asker {
    pub(super) fn new(door: Door) -> Self {
        Self { door, session: None }
    }

    fn begin(&self) -> Result<Asking, String> {
        let mut session = self.door.open(None).map_err(|refusal| refusal.0)?;
        let limit = numbers(session.query("SHOW max_connections").map_err(|refusal| refusal.0)?);
        let max_connections = limit.first().copied().unwrap_or_default();
        Ok(Asking { session, max_connections, counters_due: 0, last: None })
    }
}

impl Ask for Asker {
    fn pace(&self) -> Duration {
        PACE
    }

    fn ask(&mut self) -> Result<Vec<Reading>, String> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.begin()?,
        };
        let readings = session.ask()?;
        self.session = Some(session);
        Ok(readings)
    }
}

impl Asking {
    fn ask(&mut self) -> Result<Vec<Reading>, String> {
        let states = numbers(self.session.query(STATES).map_err(|refusal| refusal.0)?);
        let limit = |name: &str| (name == LEVELS[0]).then_some(self.max_connections);
        let levels = LEVELS.iter().zip(states);
        let mut readings: Vec<Reading> =
            levels.map(|(name, value)| Reading { name: (*name).into(), value, limit: limit(name) }).collect();
        if self.counters_due == 0 {
            readings.extend(self.rates()?);
            self.counters_due = STATES_PER_COUNTERS;
        }
        self.counters_due -= 1;
        Ok(readings)
    }

    fn rates(&mut self) -> Result<Vec<Reading>, String> {
        let now = (Instant::now(), numbers(self.session.query(COUNTERS).map_err(|refusal| refusal.0)?));
        let Some((at, before)) = self.last.replace(now.clone()) else { return Ok(Vec::new()) };
        let length_s = now.0.saturating_duration_since(at).as_secs_f64();
        let rises = RATES.iter().zip(now.1.iter().zip(before)).filter(|_| length_s > 0.0);
        let rate = |(name, (now, before)): (&&str, (&f64, f64))| Reading {
            name: (*name).into(),
            value: (now - before).max(0.0) / length_s,
            limit: None,
        };
        Ok(rises.map(rate).collect())
    }
}

/// The numbers of the only row; 0 where there is nothing to count.
fn numbers(rows: Vec<TextRow>) -> Vec<f64> {
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or_default();
    rows.into_iter().next().unwrap_or_default().into_iter().map(number).collect()
}
