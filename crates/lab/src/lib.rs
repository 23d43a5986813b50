//! The experiment: verifies configurations, drives them at rising load, judges each point, and writes it down.
//!
//! The loop knows neither terminal nor report: it emits [`Event`]s and appends to the result folder.

mod account;
mod agenda;
mod audit;
mod bench;
mod clock;
mod describe;
mod drive;
mod error;
mod event;
mod experiment;
mod forecast;
mod gate;
mod hosts;
mod house;
mod journal;
mod latency;
mod load_model;
mod measure;
mod patience;
mod plan;
mod point;
mod profile;
pub mod proof;
mod records;
mod rounds;
mod schedule;
#[cfg(test)]
mod simulated;
mod variants;
mod warm;
mod watch;

pub use bench::{Bench, PATIENCE, VERIFICATION_SCALE};
pub use clock::{now, rfc3339};
pub use describe::describe;
pub use drive::{Drive, DriveStep, NO_STACK};
pub use error::LabError;
pub use event::Event;
pub use experiment::{Experiment, Loads, Timing, compares_in_rounds, run};
pub use forecast::{forecast, units};
pub use hosts::SiteHosts;
pub use house::{Chosen, House, HouseError};
pub use load_model::LoadModel;
pub use patience::{Patience, vary_patience};
pub use plan::{Left, Plan};
pub use records::Records;
pub use stats::Looks;
pub use variants::{FactorChoice, Values, vary, vary_one};
