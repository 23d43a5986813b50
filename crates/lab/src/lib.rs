//! The experiment: verifies configurations, drives them at rising load, judges each point, and writes it down.
//!
//! The loop knows neither terminal nor report: it emits [`Event`]s and appends to the result folder.

mod audit;
mod clock;
mod describe;
mod drive;
mod error;
mod event;
mod event_log;
mod experiment;
mod experiment_set;
mod forecast;
mod hosts;
mod latency;
mod load_model;
mod load_request;
mod load_strategy;
mod loads;
mod measure;
mod plan;
mod point;
mod point_run;
mod profile;
pub mod proof;
mod records;
mod rounds;
mod run_context;
mod schedule;
#[cfg(test)]
mod simulated;
mod site_monitor;
mod step;
mod system;
mod timeouts;
mod timing;
mod variant;
mod variants;
mod warm;
mod window_control;
mod workers;
mod workspace;
mod workspace_error;
mod write_reconciliation;

pub use clock::{now, rfc3339};
pub use describe::describe;
pub use drive::{Drive, DriveStep, NO_STACK};
pub use error::LabError;
pub use event::Event;
pub use experiment::Experiment;
pub use experiment_set::run;
pub use forecast::{Forecast, units};
pub use hosts::SiteHosts;
pub use load_model::LoadModel;
pub use loads::{Loads, compares_in_rounds};
pub use plan::{Left, Plan};
pub use records::Records;
pub use run_context::{RunContext, SHRINK_TIME, VERIFICATION_SCALE};
pub use stats::{Capacity, CapacitySearch, StoppingRule};
pub use step::{Step, StepKind};
pub use timeouts::Patience;
pub use timing::Timing;
pub use variant::Variant;
pub use variants::{vary, vary_one, vary_timeout};
pub use workers::{WORK_VERB, Worker, WorkerTask, Workers, work};
pub use workspace::Workspace;
pub use workspace_error::WorkspaceError;
