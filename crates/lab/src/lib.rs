//! The laboratory: verifies configurations, drives them at rising load, judges each point, and writes it down. Its steps are
//! listed in `docs/architecture.md`, *From a command to a report*.
//!
//! Its modules, lowest first; each imports only lower ones and `error`, whose [`LabError`] all may return:
//!
//! - `workspace`: applications, stacks, services, and the variants made of them
//! - `events`: the news of a run, for the terminal and for the result
//! - `plan`: which loads come next, and how long they take
//! - `point`: from the records of a load to a judged point
//! - `workers`: divides a load among processes and hosts
//! - `start`: the experiment loop; starts of servers, warmed, driven and audited
//! - `drive`: the engine alone, against an external site
//! - `proof`: which variant was verified with which content

mod drive;
mod error;
mod events;
mod plan;
mod point;
pub mod proof;
mod start;
#[cfg(test)]
mod tests;
mod workers;
mod workspace;

pub use drive::{Drive, DriveStep, NO_STACK};
pub use error::LabError;
pub use events::{Event, now, rfc3339};
pub use plan::{Forecast, LoadModel, Timing, compares_in_rounds, units};
pub use start::{Experiment, RunContext, SHRINK_TIME, SiteHosts, VERIFICATION_SCALE, run};
pub use stats::{Capacity, CapacitySearch, StoppingRule};
pub use workers::{SiteLoad, WORK_VERB, Worker, WorkerLoad, WorkerTask, Workers, work};
pub use workspace::{
    Records, Timeout, Variant, Workspace, WorkspaceError, describe, vary, vary_one, vary_timeout,
};
