//! The record of a load that is over.

use crate::{
    point::machines,
    start::{profile::Profiling, site_monitor::Watched},
};
use engine::Outcome;
use results::{Audit, HostFigures, HostUsageFigures, StartUp, WarmUp};
use stats::HostUse;
use std::time::SystemTime;

pub(crate) struct LoadRun {
    pub started: SystemTime,
    /// The same instant, as results record it.
    pub began: String,
    pub outcome: Outcome,
    pub watched: Watched,
    pub profiling: Option<Profiling>,
}

/// The use of the machine and of the hosts in windows that took turns with those of other sites.
pub(crate) fn use_in_rounds(host: &HostFigures, hosts: &[HostUsageFigures]) -> HostUse {
    let HostFigures { cores, mean } = host;
    HostUse {
        cores: *cores,
        steal_cores: mean.steal_cores,
        in_rounds: true,
        other_processes_cores: mean.other_processes_cores,
        quotas: Vec::new(),
        machines: machines(hosts),
        states: Vec::new(),
    }
}

pub(crate) struct EndedLoad {
    pub run: LoadRun,
    /// True if compilers inside the servers were still at work when its window began.
    pub is_settling: bool,
}

/// A load that is over, with the warm-up before it and the audit after it.
pub(crate) struct Driven {
    pub run: LoadRun,
    /// The sequence number of the start that it shares with other configurations; none without others.
    pub start: Option<u32>,
    pub warm_up: WarmUp,
    /// The record of the start of its servers.
    pub start_up: StartUp,
    /// The audit of all writes since the data were restored; none where there is no store.
    pub audit: Option<Audit>,
}
