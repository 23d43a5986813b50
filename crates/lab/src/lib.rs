//! The experiment: verifies configurations, drives them at rising load, judges each point, and writes it down.
//!
//! `docs/architecture.md`, "From a command to a report", lists its steps. The loop knows neither terminal nor report: it emits [`Event`]s and appends to the result folder.

mod drive;
mod error;
mod events;
mod plan;
mod point;
pub mod proof;
#[cfg(test)]
mod simulated;
mod start;
mod workspace;

pub use drive::{Drive, DriveStep, NO_STACK, WORK_VERB, Worker, WorkerTask, Workers, work};
pub use error::LabError;
pub use events::{Event, Step, StepKind, now, rfc3339};
pub use plan::{Forecast, Left, LoadModel, Loads, Plan, Timing, compares_in_rounds, units};
pub use start::{Experiment, RunContext, SHRINK_TIME, SiteHosts, VERIFICATION_SCALE, run};
pub use stats::{Capacity, CapacitySearch, StoppingRule};
pub use workspace::{
    Patience, Records, Variant, Workspace, WorkspaceError, describe, vary, vary_one, vary_timeout,
};
