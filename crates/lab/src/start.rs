//! The experiment loop: starts of the servers, which are warmed, driven in windows, watched and audited.

mod audit;
mod cold_site;
mod experiment;
mod experiment_set;
mod hosts;
mod load_run;
mod page_sample;
mod point_run;
mod profile;
mod rounds;
mod run_context;
mod server_faults;
mod shared_start;
mod site_monitor;
mod start_up;
mod started_site;
mod system;
mod warm;
mod warm_state;
mod window_control;
mod write_reconciliation;
mod written_contents;

pub use experiment::Experiment;
pub use experiment_set::run;
pub use hosts::SiteHosts;
pub use run_context::{RunContext, SHRINK_TIME, VERIFICATION_SCALE};

/// The parts of the loop that tests replace or observe.
#[cfg(test)]
pub(crate) mod seams {
    pub(crate) use super::{
        experiment_set::run_on,
        profile::Profiling,
        shared_start::RESTORING,
        site_monitor::News,
        system::{CpuMeter, Sampler, SystemUnderTest, WatchedLoad, Watchers},
    };
}
