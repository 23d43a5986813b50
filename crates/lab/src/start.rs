//! Experiments: starts of the servers, which are warmed, driven in windows, watched and audited.

pub(crate) mod audit;
mod experiment;
pub(crate) mod experiment_set;
mod hosts;
pub(crate) mod measure;
mod point_run;
pub(crate) mod profile;
pub(crate) mod rounds;
mod run_context;
mod site_monitor;
pub(crate) mod system;
pub(crate) mod warm;
mod window_control;
mod write_reconciliation;

pub use experiment::Experiment;
pub use experiment_set::run;
pub use hosts::SiteHosts;
pub use run_context::{RunContext, SHRINK_TIME, VERIFICATION_SCALE};
