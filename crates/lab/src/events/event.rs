//! What an experiment tells while it runs.

use crate::{
    events::{Step, StepKind},
    plan::{Left, Plan},
};
use engine::Progress;
use results::{Point, WarmUp};
use stats::{Capacity, PeakEstimate};
use verify::Verified;

/// Something that people who wait want to know.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// What follows is about this mix; told where experiments share what is done.
    Mix(&'a str),
    /// What will be measured; told before anything is done.
    Plan(&'a Plan),
    /// A step that takes a moment begins, or how far it is.
    Step {
        /// The configuration it is about.
        configuration: &'a str,
        /// What is done.
        step: Step,
    },
    /// Something that people should also know later: the loaded data can't be kept.
    Remark {
        /// The configuration it is about.
        configuration: &'a str,
        /// What to know.
        text: &'a str,
    },
    /// A configuration does what the model does.
    Verified {
        /// The configuration.
        configuration: &'a str,
        /// What was proven.
        proof: &'a Verified,
    },
    /// Servers were warmed.
    WarmedUp {
        /// The configuration.
        configuration: &'a str,
        /// How.
        warm_up: &'a WarmUp,
    },
    /// Clients are at work; comes about once a second.
    Driving {
        /// The configuration.
        configuration: &'a str,
        /// How many clients.
        clients: u32,
        /// How long the point takes in all, in seconds.
        length_s: f64,
        /// How it goes.
        progress: &'a Progress,
    },
    /// A point is measured, judged and written down.
    Measured(&'a Point),
    /// How much is still to be measured; told after each point.
    Left(Left),
    /// A configuration needs no more points.
    Passed {
        /// The configuration.
        configuration: &'a str,
        /// Its peak, if it could be confirmed.
        peak: Option<PeakEstimate>,
        /// Whether it was passed with certainty: if not, the true peak may lie higher.
        passed: bool,
    },
    /// The search for a configuration's capacity has ended.
    Capacity {
        /// The configuration.
        configuration: &'a str,
        /// The answer.
        capacity: Capacity,
    },
}

impl<'a> Event<'a> {
    /// A step begins.
    pub fn step(configuration: &'a str, kind: StepKind) -> Self {
        Self::step_at(configuration, kind, None)
    }

    /// A step begins, or is so far.
    pub(crate) fn step_at(configuration: &'a str, kind: StepKind, detail: Option<&str>) -> Self {
        Self::Step { configuration, step: Step { kind, detail: detail.map(ToOwned::to_owned) } }
    }
}
