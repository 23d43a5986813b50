//! The place where a program starts: this machine, or one of its hosts.

use super::network;
use crate::remote::Remote;
use rustix::{
    process::Pid,
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    net::Ipv4Addr,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// The hidden verb under which the laboratory's executable enters a host and executes another program.
pub const ENTER_VERB: &str = "enter-host";

/// A handle to start programs on a host, or on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostHandle {
    pub address: Ipv4Addr,
    /// The cores of its programs; empty if they may use all.
    pub cores: Vec<u32>,
    pub(super) groups: Vec<PathBuf>,
    /// Its network namespace, unless it is this machine's.
    pub(super) network: Option<PathBuf>,
    /// The connection to a machine of its own.
    #[serde(skip)]
    pub(super) remote: Option<Connection>,
}

/// A connection to another machine, which equals only itself.
#[derive(Debug, Clone)]
pub(super) struct Connection(pub Arc<Remote>);

impl PartialEq for Connection {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Connection {}

impl Default for HostHandle {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST,
            cores: Vec::new(),
            groups: Vec::new(),
            network: None,
            remote: None,
        }
    }
}

impl HostHandle {
    pub fn of_cores(cores: Vec<u32>) -> Self {
        Self { cores, ..Self::default() }
    }

    /// A machine of its own, or this one by an address that the others know.
    pub(super) fn of_machine(address: Ipv4Addr, remote: Option<Arc<Remote>>) -> Self {
        let cores = remote.as_ref().map(|remote| remote.greeting().cores.clone()).unwrap_or_default();
        Self { address, cores, remote: remote.map(Connection), ..Self::default() }
    }

    /// A command that starts a program on this host. It enters the host before it executes the program, so that nothing
    /// runs outside. The executable must understand [`ENTER_VERB`].
    pub fn command(&self, executable: &Path, program: &Path) -> Command {
        if *self == Self::default() {
            return Command::new(program);
        }
        let mut command = Command::new(executable);
        command.arg(ENTER_VERB).arg(self.word()).arg(program);
        command
    }

    /// Executes a program on this host in place of this process. Returns only on failure.
    pub fn exec(&self, program: &OsString, arguments: &[OsString]) -> io::Error {
        match self.enter() {
            Ok(()) => Command::new(program).args(arguments).exec(),
            Err(fault) => fault,
        }
    }

    /// Moves the calling thread, and all threads and processes that it starts from now on, to the host's network and
    /// cores. Other limits of the host don't apply to them, so that a monitor takes nothing from the host.
    pub fn enter_namespace(&self) -> io::Result<()> {
        if self.remote.is_some() {
            return Ok(());
        }
        self.enter_network()?;
        keep_to(&self.cores)
    }

    /// Moves the whole process to the host, with all its limits. Its cores are limited by control groups, which can be
    /// lifted for a while.
    fn enter(&self) -> io::Result<()> {
        for group in &self.groups {
            // 0 means this process.
            fs::write(group.join("cgroup.procs"), "0").map_err(|fault| {
                io::Error::new(fault.kind(), format!("can't join {}: {fault}", group.display()))
            })?;
        }
        match self.groups.as_slice() {
            [] => self.enter_namespace(),
            _ => {
                self.enter_network()?;
                // A restricted CPU affinity would be inherited from the parent.
                keep_to(&(0..CpuSet::MAX_CPU as u32).collect::<Vec<u32>>())
            }
        }
    }

    fn enter_network(&self) -> io::Result<()> {
        match &self.network {
            Some(path) => network::enter(&File::open(path)?),
            None => Ok(()),
        }
    }

    fn word(&self) -> String {
        serde_json::to_string(self).expect("a handle can be serialised")
    }
}

/// Executes [`ENTER_VERB`]: returns an exit code only if the program can't be started.
pub fn enter(arguments: &[OsString]) -> i32 {
    let host = arguments.first().and_then(|word| serde_json::from_str::<HostHandle>(word.to_str()?).ok());
    let (Some(host), Some(program)) = (host, arguments.get(1)) else { return 2 };
    let fault = host.exec(program, &arguments[2..]);
    // The laboratory reads a supervisor's first line from standard output.
    println!("can't be started on its host: {fault}");
    126
}

pub(crate) fn available_cores() -> io::Result<Vec<u32>> {
    let set = sched_getaffinity(None::<Pid>)?;
    Ok((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).map(|core| core as u32).collect())
}

fn keep_to(cores: &[u32]) -> io::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cores.iter().for_each(|core| set.set(*core as usize));
    Ok(sched_setaffinity(None::<Pid>, &set)?)
}
