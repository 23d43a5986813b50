//! Figures of a service about itself while it runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a service says of itself, sampled over the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gauge {
    /// Its name and unit, for people: `busy workers`, `row lock waits/s`.
    pub name: String,
    /// Conclusions that it allows.
    pub role: GaugeRole,
    /// The mean of the samples.
    pub mean: f64,
    /// The highest sample.
    pub max: f64,
    /// Highest possible value: the number of workers.
    pub limit: Option<f64>,
}

/// Conclusions that a gauge allows. Its name is for people only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GaugeRole {
    /// Members of a pool in use, and what the pool holds: `workers`. With a limit, it may be used up.
    Pool(String),
    /// Requests that wait for a free member of a pool, and what that pool holds.
    Queue(String),
    /// Statements that wait for locks, and for which: `table locks`.
    LockWait(String),
    /// Statements under way, those that wait for locks among them.
    RunningStatements,
    /// Share of the time for which garbage collectors stop the service, in per cent.
    CollectorPause,
    /// Open connections.
    Connections,
    /// Statements per second, sent as text or executed as prepared.
    Statements,
    /// Waits per second for an answer: to a statement, to its preparation, while logging in.
    RoundTrips,
    /// Nothing: it is only shown.
    Information,
}
