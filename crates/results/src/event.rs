//! Events of a run, as it emits them and as `events.jsonl` keeps them: one [`EventRecord`] a line.

use crate::{Loads, WarmUp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{iter::Sum, time::Duration};

/// An event and its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// The instant, to the millisecond.
    pub at: String,
    /// The event.
    #[serde(flatten)]
    pub event: EventKind,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum EventKind {
    /// The plan of the measurement.
    Plan {
        /// The configurations. Each round of points draws their order anew.
        configurations: Vec<String>,
        /// The loads.
        loads: Loads,
        /// Starts at each listed load or at each peak; at most so many where a capacity is confirmed.
        repetitions: u32,
        /// Seed of the order and of all clients.
        seed: u64,
        /// Points that were measured before an interruption.
        done: u32,
        /// Points and time left, preparations included.
        #[serde(flatten)]
        left: LeftRecord,
    },
    /// A step that takes a moment began, or made progress. The result keeps only its begin.
    Step {
        /// The configuration it is about.
        configuration: String,
        /// The step.
        step: String,
        /// Its progress; none at its begin.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// Something worth knowing later.
    Remark {
        /// The configuration it is about.
        configuration: String,
        /// Message for people.
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
        /// True if the point is VALID.
        valid: bool,
    },
    /// Points still to be measured.
    Left(LeftRecord),
    /// A configuration needs no more points.
    Passed {
        /// The configuration.
        configuration: String,
        /// Clients at its peak, if there is one.
        clients: Option<u32>,
        /// Interactions per second there.
        throughput: Option<f64>,
        /// Half the width of the 95 % interval of that.
        half_width: Option<f64>,
        /// True if the peak was passed.
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

impl EventKind {
    /// The begin of a step.
    pub fn step(configuration: &str, step: impl Into<String>) -> Self {
        Self::progress(configuration, step, None)
    }

    /// The begin of a step, or its progress if there is a detail.
    pub fn progress(configuration: &str, step: impl Into<String>, detail: Option<&str>) -> Self {
        Self::Step {
            configuration: configuration.to_owned(),
            step: step.into(),
            detail: detail.map(ToOwned::to_owned),
        }
    }
}

/// The expected rest of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftRecord {
    /// Points.
    pub points: u32,
    /// Seconds that they take, with all that comes between.
    pub seconds: f64,
}

impl LeftRecord {
    /// The rest of so many points in that time.
    pub fn new(points: u32, time: Duration) -> Self {
        Self { points, seconds: time.as_secs_f64() }
    }

    /// The time that they take.
    pub fn time(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds).unwrap_or_default()
    }
}

impl Sum for LeftRecord {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            points: sum.points + one.points,
            seconds: sum.seconds + one.seconds,
        })
    }
}
