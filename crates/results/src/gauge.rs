//! What a service says of itself while it runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a service says of itself, sampled over the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gauge {
    /// Its name and unit, for people: `busy workers`, `row lock waits/s`.
    pub name: String,
    /// What may be concluded from it.
    pub role: GaugeRole,
    /// The mean of the samples.
    pub mean: f64,
    /// The highest sample.
    pub max: f64,
    /// Above what it can't go: the number of workers.
    pub limit: Option<f64>,
}

/// What may be concluded from a gauge. Its name is for people only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GaugeRole {
    /// How much of a pool is in use, and what the pool holds: `workers`. With a limit, it may be used up.
    Pool(String),
    /// How many requests wait for a free one of a pool, and what that pool holds.
    Queue(String),
    /// How many statements wait for locks, and for which: `table locks`.
    LockWait(String),
    /// How many statements run, those that wait for locks among them.
    RunningStatements,
    /// For what share of the time garbage collectors stop the service, in per cent.
    CollectorPause,
    /// How many connections are open.
    Connections,
    /// How many statements come in a second, sent as text or executed as prepared.
    Statements,
    /// How often a second somebody waits for an answer: to a statement, to its preparation, while logging in.
    RoundTrips,
    /// Nothing: it is only shown.
    Information,
}
