//! Hosts and their programs: supervisors that leave no process behind, free ports, and sampling of processes.
//!
//! A host is this machine, or a share of it in a testbed's file. A command prefix starts a supervisor on a host.

mod cgroup;
mod compilers;
mod counters;
mod cpu_time;
mod helper_process;
mod host;
mod hosts;
pub mod idle_spinner;
mod listener;
mod ports;
mod priority;
mod processes;
mod remote;
mod sample;
mod scratch;
mod shared_memory;
pub mod supervisor;
mod tree;
mod users;

pub use compilers::Compilers;
pub use counters::{HostCounters, HostRates};
pub use cpu_time::CpuTime;
pub(crate) use host::find_program_in;
pub use host::{HostFacts, find_program};
pub use hosts::{
    CLIENT, Conversation, Cores, HostHandle, HostMeter, HostPlan, HostUp, HostUsage, Hosts, LiftedLimits,
    LinkCounters, LostCpu, Printed, Said, Separation, Testbed, TestbedError, TestbedRecord, Way, host_handle,
    namespace_keeper, relay,
};
pub use idle_spinner::IdleSpinner;
pub use listener::{Listener, listener, stranger};
pub use ports::{PortTaken, ReservedPort, claim_port, free_ports};
pub use priority::Preferred;
pub use processes::{BusyProcess, CpuCount};
pub use remote::{
    ANSWER_VERB, PipeEnd, RemoteProgram, SERVE_VERB, SocketRelay, Unreachable, answer, monotonic, serve,
};
pub use sample::{
    DetailedCounters, SystemCounters, SystemMeter, TierCounters, TierMeter, TierUsage, thread_cpu_s,
};
pub use scratch::{Scratch, free_bytes, left_behind};
pub use supervisor::{LocalSupervisor, Stop, Supervisor, SupervisorError, SupervisorSpec};
pub use tree::{copy_tree, give_tree, share_tree, sync_tree};
pub use users::{TIER_IDS, TierUser, User, store_user, tier_group};
