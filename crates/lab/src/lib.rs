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
mod load_strategy;
mod measure;
mod plan;
mod point;
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
mod variants;
mod warm;
mod window_control;
mod workspace;
mod write_reconciliation;

pub use clock::{now, rfc3339};
pub use describe::describe;
pub use drive::{Drive, DriveStep, NO_STACK};
pub use error::LabError;
pub use event::Event;
pub use experiment::{Experiment, Loads, Timing, compares_in_rounds};
pub use experiment_set::run;
pub use forecast::{Forecast, units};
pub use hosts::SiteHosts;
pub use load_model::LoadModel;
pub use plan::{Left, Plan};
pub use records::Records;
pub use run_context::{RunContext, SHRINK_TIME, VERIFICATION_SCALE};
pub use stats::{Capacity, CapacitySearch, StoppingRule};
pub use step::{Step, StepKind};
pub use timeouts::{Patience, vary_timeout};
pub use variants::{FactorChoice, Values, vary, vary_one};
pub use workspace::{Variant, Workspace, WorkspaceError};
