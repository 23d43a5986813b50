//! Hosts and what runs on them: leases that let nothing survive, free ports, and the sampling of processes.
//!
//! A host is this machine, or a share of it that a testbed's file describes. Hosts are reached by a command prefix in
//! front of a lease.

mod attendant;
pub mod awake;
mod compilers;
mod counters;
mod group;
mod host;
mod hosts;
pub mod lease;
mod ports;
mod priority;
mod processes;
mod sample;
mod scratch;
mod shared_memory;
mod tree;

pub use awake::Awake;
pub use compilers::Compilers;
pub use counters::{HostCounters, HostRates};
pub use host::{HostFacts, find_program, service_user};
pub use hosts::{
    CLIENT, Cores, HostMeter, HostPlan, HostUp, HostUsage, Hosts, Lifted, Place, Record, Separation, Testbed,
    TestbedError, holder, place, relay,
};
pub use lease::{Lease, LeaseError, LeaseOrder, Stop, User};
pub use ports::{PortTaken, claim_port, free_ports};
pub use priority::Preferred;
pub use sample::{Account, Accounts, CpuTime, Glance, Inventory, Look, Used, thread_cpu_s};
pub use scratch::{Scratch, free_bytes, left_behind};
pub use tree::{copy_tree, give_tree, sync_tree};
