//! What a run told while it went on. `events.jsonl` holds one [`EventRecord`] a line.

use crate::WarmUp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that was told, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// The instant, to the millisecond.
    pub at: String,
    /// What was told.
    #[serde(flatten)]
    pub event: EventKind,
}

/// What was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum EventKind {
    /// What will be measured.
    Plan {
        /// The configurations.
        configurations: Vec<String>,
        /// How many points an interrupted run had measured before.
        done: u32,
        /// What is still to be measured.
        #[serde(flatten)]
        left: LeftRecord,
    },
    /// A step that takes a moment began.
    Step {
        /// The configuration it is about.
        configuration: String,
        /// What was done.
        step: String,
    },
    /// Something worth knowing later.
    Remark {
        /// The configuration it is about.
        configuration: String,
        /// What to know.
        text: String,
    },
    /// A configuration did what the model does.
    Verified {
        /// The configuration.
        configuration: String,
        /// Interactions that were held against the model.
        interactions: u64,
        /// Documents that were equal.
        documents: u64,
    },
    /// Servers were warmed.
    WarmedUp {
        /// The configuration.
        configuration: String,
        /// How.
        #[serde(flatten)]
        warm_up: WarmUp,
    },
    /// A load came into another phase.
    Phase {
        /// The configuration.
        configuration: String,
        /// Emulated clients.
        clients: u32,
        /// `ramp`, `window` or `drain`.
        phase: String,
        /// Seconds since the load began.
        at_s: f64,
    },
    /// A point was measured and judged.
    Measured {
        /// Its place in the order of all points.
        sequence: u32,
        /// The configuration.
        configuration: String,
        /// Emulated clients.
        clients: u32,
        /// Interactions per second.
        throughput: f64,
        /// Whether it is VALID.
        valid: bool,
    },
    /// How much is still to be measured.
    Left(LeftRecord),
    /// A configuration needs no more points.
    Passed {
        /// The configuration.
        configuration: String,
        /// Clients at its peak, if there is one.
        clients: Option<u32>,
        /// Interactions per second there.
        throughput: Option<f64>,
        /// Whether the peak was passed.
        passed: bool,
    },
    /// The search for a configuration's capacity has ended.
    Capacity {
        /// The configuration.
        configuration: String,
        /// The answer in words.
        answer: String,
        /// The capacity in clients, if it is known.
        clients: Option<u32>,
    },
}

/// How much is expected to be left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftRecord {
    /// Points.
    pub points: u32,
    /// Seconds that they take, with all that comes between.
    pub seconds: f64,
}
