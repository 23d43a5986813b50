//! Test support: server models in virtual time, and the exact results that queueing theory gives for them.
//!
//! Only tests depend on this crate, so that none of it is part of the command. [`simulate`] drives the clients of
//! [`engine`] against a [`VirtualServer`]; years of load pass in seconds. [`exact`] computes the expected results.

pub mod exact;
mod queue_server;
mod virtual_time;

pub use queue_server::QueueServer;
pub use virtual_time::{
    GeneratorFaults, Reply, VirtualServer, simulate, simulate_until, simulate_with_faults,
};
