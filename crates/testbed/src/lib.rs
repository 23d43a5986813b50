//! Hosts and what runs on them: supervisors that let nothing survive, free ports, and the sampling of processes.
//!
//! A host is this machine, or a share of it that a testbed's file describes. Hosts are reached by a command prefix in
//! front of a supervisor.

mod helper_process;
pub mod idle_spinner;
mod compilers;
mod counters;
mod cgroup;
mod host;
mod hosts;
pub mod supervisor;
mod ports;
mod priority;
mod processes;
mod sample;
mod scratch;
mod shared_memory;
mod tree;

pub use idle_spinner::IdleSpinner;
pub use compilers::Compilers;
pub use counters::{HostCounters, HostRates};
pub use host::{HostFacts, find_program, service_user};
pub use hosts::{
    CLIENT, Cores, HostMeter, HostPlan, HostUp, HostUsage, Hosts, LiftedLimits, HostHandle, Record, Separation, Testbed,
    TestbedError, namespace_keeper, host_handle, relay,
};
pub use supervisor::{Supervisor, SupervisorError, SupervisorOrder, Stop, User};
pub use ports::{PortTaken, claim_port, free_ports};
pub use priority::Preferred;
pub use sample::{Account, Accounts, CpuTime, Glance, Inventory, Look, Used, thread_cpu_s};
pub use scratch::{Scratch, free_bytes, left_behind};
pub use tree::{copy_tree, give_tree, sync_tree};
