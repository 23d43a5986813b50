//! Testbeds: hosts, their limits and roles.
//!
//! A host is a share of this machine. Control groups limit its CPU, cores and memory; a network namespace on a
//! virtual switch limits its link. Without root, a host is only a set of cores. A host may also be a machine of its own.

mod control_groups;
mod conversation;
mod error;
mod file;
pub mod host_handle;
mod machines;
mod meter;
pub mod namespace_keeper;
mod network;
mod operations;
mod record;
mod relay;
mod slurm;

pub use control_groups::{HostUsage, LostCpu};
pub use conversation::{Conversation, Said};
pub use error::TestbedError;
pub use file::{CLIENT, Cores, HostPlan, Testbed};
pub use host_handle::HostHandle;
pub(crate) use machines::own_address;
pub use meter::{HostMeter, LinkCounters};
pub use operations::{Printed, Way};
pub use record::TestbedRecord;
pub use relay::relay;
pub use results::Separation;

use crate::helper_process;
use serde::{Deserialize, Serialize};
use settings::note;
use std::{
    collections::BTreeSet,
    io,
    path::Path,
    process::{Child, Command, Stdio},
};

/// The prefix of all groups' names; the namespace keeper's process id follows.
const RUN_PREFIX: &str = "tierbench-hosts-";

fn run_name(namespace_keeper: u32) -> String {
    format!("{RUN_PREFIX}{namespace_keeper}")
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostUp {
    pub name: String,
    pub handle: HostHandle,
}

impl HostUp {
    /// Usage since it was made; none for a host of cores alone.
    pub fn usage(&self) -> Option<HostUsage> {
        HostUsage::of_host(&self.handle)
    }
}

/// The hosts of a testbed. Dropping this kills all their processes and removes them.
#[derive(Debug)]
pub struct Hosts {
    testbed: Testbed,
    up: Vec<HostUp>,
    namespace_keeper: Option<Child>,
}

impl Hosts {
    /// Makes the hosts of a testbed for a verb; they live as long as this value. The executable must understand the
    /// hidden verbs.
    pub fn bring_up(testbed: Testbed, executable: &Path, by: &str) -> Result<Self, TestbedError> {
        let cores = testbed.expect_possible()?;
        if testbed.separation == Separation::Machines {
            let up = machines::reach(&testbed, executable)?;
            return Ok(Self { up, testbed, namespace_keeper: None });
        }
        if testbed.separation == Separation::Cores {
            let hosts = testbed.hosts.iter().zip(cores);
            let up = hosts
                .map(|(host, cores)| HostUp { name: host.name.clone(), handle: HostHandle::of_cores(cores) });
            return Ok(Self { up: up.collect(), testbed, namespace_keeper: None });
        }
        let (namespace_keeper, record) = start_keeper(&testbed, executable, by, namespace_keeper::ATTACHED)?;
        Ok(Self { up: record.hosts, testbed, namespace_keeper: Some(namespace_keeper) })
    }

    /// Makes the hosts of a testbed so that they outlive this process, until they are taken down.
    pub fn leave_up(testbed: &Testbed, executable: &Path, by: &str) -> Result<TestbedRecord, TestbedError> {
        Ok(start_keeper(testbed, executable, by, namespace_keeper::DETACHED)?.1)
    }

    pub fn testbed(&self) -> &Testbed {
        &self.testbed
    }

    pub fn up(&self) -> &[HostUp] {
        &self.up
    }

    pub fn of_role(&self, role: &str) -> &HostUp {
        let name = &self.testbed.host_of(role).name;
        self.up.iter().find(|host| host.name == *name).expect("all hosts of the file are up")
    }

    /// The hosts that divide the clients: this machine first.
    pub fn clients(&self) -> Vec<&HostUp> {
        let up = |plan: &HostPlan| self.up.iter().find(|host| host.name == plan.name);
        self.testbed.clients().filter_map(up).collect()
    }

    pub fn share_of(&self, role: &str) -> (&str, f64) {
        let plan = self.testbed.host_of(role);
        let cores = || self.of_role(role).handle.cores.len().max(1) as f64;
        (&plan.name, plan.cpu.unwrap_or_else(cores))
    }

    /// Lifts the CPU quotas of the hosts until the result is dropped: for phases that are not measured.
    pub fn lift_quotas(&self) -> Result<LiftedLimits<'_>, TestbedError> {
        LiftedLimits::lift(self, Lift::Quotas)
    }

    /// Lifts the CPU quotas and cores of the hosts until the result is dropped. A process that starts meanwhile sees
    /// more cores than its host has.
    pub fn lift_all(&self) -> Result<LiftedLimits<'_>, TestbedError> {
        LiftedLimits::lift(self, Lift::All)
    }

    fn set_quotas(&self, is_lifted: bool) -> Result<(), TestbedError> {
        let mut hosts = self.testbed.hosts.iter().zip(&self.up);
        hosts.try_for_each(|(host, up)| control_groups::set_quota(host, &up.handle.groups, is_lifted))
    }

    /// An error that names the host if one was lost.
    pub fn expect_there(&self) -> io::Result<()> {
        self.up.iter().try_for_each(|host| host.handle.expect_there())
    }

    fn set_cores(&self, is_lifted: bool) -> Result<(), TestbedError> {
        let all: BTreeSet<u32> = self.up.iter().flat_map(|host| host.handle.cores.iter().copied()).collect();
        let all: Vec<u32> = all.into_iter().collect();
        let of = |handle: &HostHandle| {
            control_groups::set_cores(&handle.groups, if is_lifted { &all } else { &handle.cores })
        };
        self.up.iter().try_for_each(|host| of(&host.handle))
    }

    /// True if the namespace keeper has ended, because the hosts were taken down or it was killed.
    pub fn are_gone(&mut self) -> bool {
        self.namespace_keeper
            .as_mut()
            .is_some_and(|namespace_keeper| !matches!(namespace_keeper.try_wait(), Ok(None)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lift {
    Quotas,
    All,
}

/// Limits that are lifted until this is dropped.
#[derive(Debug)]
pub struct LiftedLimits<'a> {
    hosts: &'a Hosts,
    lift: Lift,
}

impl<'a> LiftedLimits<'a> {
    fn lift(hosts: &'a Hosts, lift: Lift) -> Result<Self, TestbedError> {
        // If only some can be lifted, dropping this restores them.
        let lifted = Self { hosts, lift };
        lifted.set(true)?;
        Ok(lifted)
    }

    fn set(&self, is_lifted: bool) -> Result<(), TestbedError> {
        let cores = match self.lift {
            Lift::Quotas => Ok(()),
            Lift::All => self.hosts.set_cores(is_lifted),
        };
        self.hosts.set_quotas(is_lifted).and(cores)
    }

    pub fn restore(self) -> Result<(), TestbedError> {
        self.set(false)
    }
}

impl Drop for LiftedLimits<'_> {
    fn drop(&mut self) {
        // Restoring twice does no harm. A caller that handles a failure has called `restore`.
        let _ = self.set(false);
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        let Some(mut process) = self.namespace_keeper.take() else { return };
        drop(process.stdin.take());
        // A killed keeper has cleaned up nothing, and its cleaner may still be working.
        if !process.wait().is_ok_and(|status| status.success())
            && let Err(fault) = record::remove(&run_name(process.id()))
        {
            let file = self.testbed.file.display();
            note(format_args!("the testbed {file} leaves something behind: {fault}"));
        }
    }
}

fn start_keeper(
    testbed: &Testbed,
    executable: &Path,
    by: &str,
    until: &str,
) -> Result<(Child, TestbedRecord), TestbedError> {
    testbed.expect_possible()?;
    // Remains of dead testbeds must not be mistaken for this one.
    TestbedRecord::all()?;
    let is_detached = until == namespace_keeper::DETACHED;
    let mut namespace_keeper = Command::new(executable);
    namespace_keeper
        .arg(namespace_keeper::KEEP_VERB)
        .arg(&testbed.file)
        .args([by, until])
        .stdin(if is_detached { Stdio::null() } else { Stdio::piped() })
        // The process outlives its terminal.
        .stderr(if is_detached { Stdio::null() } else { Stdio::inherit() });
    let (mut process, line) = helper_process::start(&mut namespace_keeper)?;
    let record = line.strip_prefix(namespace_keeper::UP).and_then(|record| serde_json::from_str(record).ok());
    match record {
        Some(record) => Ok((process, record)),
        None => {
            let _ = process.wait();
            let message = line.trim();
            let fault =
                if message.is_empty() { "it ended without an error message" } else { message }.to_owned();
            Err(TestbedError::NotMade { file: testbed.file.clone(), fault })
        }
    }
}
