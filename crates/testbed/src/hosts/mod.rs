//! Testbeds: which hosts there are, what each may use, and which role runs where.
//!
//! A host is a share of this machine. It is made of control groups, which limit CPU, cores and memory, and of a network
//! namespace on a switch of its own, which limits the link; or only of cores, where nobody is root.

mod error;
mod file;
pub mod host_handle;
mod limits;
mod meter;
pub mod namespace_keeper;
mod network;
mod record;
mod relay;

pub use error::TestbedError;
pub use file::{CLIENT, Cores, HostPlan, Testbed};
pub use host_handle::HostHandle;
pub use limits::HostUsage;
pub use meter::HostMeter;
pub use record::Record;
pub use relay::relay;
pub use results::Separation;

use crate::helper_process;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    path::Path,
    process::{Child, Command, Stdio},
};

/// What the names of all groups begin with; the namespace keeper's process id follows.
const RUN_PREFIX: &str = "tierbench-hosts-";

fn run_name(namespace_keeper: u32) -> String {
    format!("{RUN_PREFIX}{namespace_keeper}")
}

/// A host that is up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostUp {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub place: HostHandle,
}

impl HostUp {
    /// What it has used since it was made, counted from outside; nothing of a host that only cores make.
    pub fn usage(&self) -> Option<HostUsage> {
        HostUsage::of_place(&self.place)
    }
}

/// The hosts of a testbed. Dropping this ends all that runs on them, and leaves nothing of them.
#[derive(Debug)]
pub struct Hosts {
    testbed: Testbed,
    up: Vec<HostUp>,
    namespace_keeper: Option<Child>,
}

impl Hosts {
    /// Makes the hosts of a testbed for a verb: they live as long as this. The executable must understand the hidden
    /// verbs.
    pub fn bring_up(testbed: Testbed, executable: &Path, by: &str) -> Result<Self, TestbedError> {
        let cores = testbed.expect_possible()?;
        if testbed.separation == Separation::Cores {
            let hosts = testbed.hosts.iter().zip(cores);
            let up = hosts
                .map(|(host, cores)| HostUp { name: host.name.clone(), place: HostHandle::of_cores(cores) });
            return Ok(Self { up: up.collect(), testbed, namespace_keeper: None });
        }
        let (namespace_keeper, record) = start_holder(&testbed, executable, by, namespace_keeper::ATTACHED)?;
        Ok(Self { up: record.hosts, testbed, namespace_keeper: Some(namespace_keeper) })
    }

    /// Makes the hosts of a testbed so that they outlive this process, until somebody takes them down.
    pub fn leave_up(testbed: &Testbed, executable: &Path, by: &str) -> Result<Record, TestbedError> {
        Ok(start_holder(testbed, executable, by, namespace_keeper::DETACHED)?.1)
    }

    /// The testbed.
    pub fn testbed(&self) -> &Testbed {
        &self.testbed
    }

    /// All hosts.
    pub fn up(&self) -> &[HostUp] {
        &self.up
    }

    /// The host that plays a role.
    pub fn of_role(&self, role: &str) -> &HostUp {
        let name = &self.testbed.host_of(role).name;
        self.up.iter().find(|host| host.name == *name).expect("all hosts of the file are up")
    }

    /// The name of the host that plays a role, and how many cores it may use up.
    pub fn share_of(&self, role: &str) -> (&str, f64) {
        let plan = self.testbed.host_of(role);
        let cores = || self.of_role(role).place.cores.len().max(1) as f64;
        (&plan.name, plan.cpu.unwrap_or_else(cores))
    }

    /// Lets what runs on the hosts use all the CPU time of their own cores, until this is dropped: for what nobody measures.
    pub fn lift_quotas(&self) -> Result<LiftedLimits<'_>, TestbedError> {
        LiftedLimits::lift(self, Lift::Quotas)
    }

    /// Lets what runs on the hosts use all the CPU time of all their cores, until this is dropped. Whatever starts meanwhile
    /// finds more cores than its host has.
    pub fn lift_all(&self) -> Result<LiftedLimits<'_>, TestbedError> {
        LiftedLimits::lift(self, Lift::All)
    }

    fn set_quotas(&self, is_lifted: bool) -> Result<(), TestbedError> {
        let mut hosts = self.testbed.hosts.iter().zip(&self.up);
        hosts.try_for_each(|(host, up)| limits::set_quota(host, &up.place.groups, is_lifted))
    }

    fn set_cores(&self, is_lifted: bool) -> Result<(), TestbedError> {
        let all: BTreeSet<u32> = self.up.iter().flat_map(|host| host.place.cores.iter().copied()).collect();
        let all: Vec<u32> = all.into_iter().collect();
        let of = |place: &HostHandle| {
            limits::set_cores(&place.groups, if is_lifted { &all } else { &place.cores })
        };
        self.up.iter().try_for_each(|host| of(&host.place))
    }

    /// Whether the process that holds the hosts is gone, because somebody has taken them down or killed it.
    pub fn are_gone(&mut self) -> bool {
        self.namespace_keeper
            .as_mut()
            .is_some_and(|namespace_keeper| !matches!(namespace_keeper.try_wait(), Ok(None)))
    }
}

/// What of the limits of hosts is lifted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lift {
    Quotas,
    All,
}

/// Limits that hold for nobody until this is dropped, on whatever way that comes.
#[derive(Debug)]
pub struct LiftedLimits<'a> {
    hosts: &'a Hosts,
    lift: Lift,
}

impl<'a> LiftedLimits<'a> {
    fn lift(hosts: &'a Hosts, lift: Lift) -> Result<Self, TestbedError> {
        // Where only some can be lifted, the drop puts these back.
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

    /// Puts them back, and tells if that fails.
    pub fn put_back(self) -> Result<(), TestbedError> {
        self.set(false)
    }
}

impl Drop for LiftedLimits<'_> {
    fn drop(&mut self) {
        // Twice is as good as once; who could be told of a failure has asked already, or is about to fail itself.
        let _ = self.set(false);
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        let Some(mut process) = self.namespace_keeper.take() else { return };
        drop(process.stdin.take());
        // Who was killed has cleaned up nothing, and its cleaner may still be at it.
        if !process.wait().is_ok_and(|status| status.success())
            && let Err(fault) = namespace_keeper::remove(&run_name(process.id()))
        {
            eprintln!("the testbed {} leaves something behind: {fault}", self.testbed.file.display());
        }
    }
}

fn start_holder(
    testbed: &Testbed,
    executable: &Path,
    by: &str,
    until: &str,
) -> Result<(Child, Record), TestbedError> {
    testbed.expect_possible()?;
    // What dead ones have left must not be taken for ours.
    Record::all()?;
    let is_detached = until == namespace_keeper::DETACHED;
    let mut namespace_keeper = Command::new(executable);
    namespace_keeper
        .arg(namespace_keeper::KEEP_VERB)
        .arg(&testbed.file)
        .args([by, until])
        .stdin(if is_detached { Stdio::null() } else { Stdio::piped() })
        // Nobody waits for the last word of a process that outlives its terminal.
        .stderr(if is_detached { Stdio::null() } else { Stdio::inherit() });
    let (mut process, line) = helper_process::start(&mut namespace_keeper)?;
    let record = line.strip_prefix(namespace_keeper::UP).and_then(|record| serde_json::from_str(record).ok());
    match record {
        Some(record) => Ok((process, record)),
        None => {
            let _ = process.wait();
            let said = line.trim();
            let fault = if said.is_empty() { "it ended without a word" } else { said }.to_owned();
            Err(TestbedError::NotMade { file: testbed.file.clone(), fault })
        }
    }
}
