//! Where programs are started: this machine as it is, or one of its hosts.

use super::network;
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
};

/// The hidden verb under which the laboratory's executable goes to a host and becomes another program.
pub const ENTER_VERB: &str = "enter-host";

/// A host, or this machine as it is, as a place to start programs at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostHandle {
    /// Where its servers listen, and where others reach them.
    pub address: Ipv4Addr,
    /// The cores that programs may use; none if they may use all.
    pub cores: Vec<u32>,
    /// The control groups that limit its programs.
    pub(super) groups: Vec<PathBuf>,
    /// Its network, unless it is this machine's.
    pub(super) network: Option<PathBuf>,
}

impl Default for HostHandle {
    fn default() -> Self {
        Self { address: Ipv4Addr::LOCALHOST, cores: Vec::new(), groups: Vec::new(), network: None }
    }
}

impl HostHandle {
    /// This machine, but only some of its cores.
    pub fn of_cores(cores: Vec<u32>) -> Self {
        Self { cores, ..Self::default() }
    }

    /// A command that becomes a program at this place. It goes there first and starts after that, so that nothing of it
    /// ever runs outside. The executable must understand [`ENTER_VERB`].
    pub fn command(&self, executable: &Path, program: &Path) -> Command {
        if *self == Self::default() {
            return Command::new(program);
        }
        let mut command = Command::new(executable);
        command.arg(ENTER_VERB).arg(self.word()).arg(program);
        command
    }

    /// Becomes a program at this place. Returns only if that is not possible.
    pub fn exec(&self, program: &OsString, arguments: &[OsString]) -> io::Error {
        match self.enter() {
            Ok(()) => Command::new(program).args(arguments).exec(),
            Err(fault) => fault,
        }
    }

    /// Brings the calling thread, and all threads and processes that it starts from now on, to the host's network and
    /// cores. What the host limits besides doesn't hold for them, so whoever watches a host is no burden on it.
    pub fn enter_namespace(&self) -> io::Result<()> {
        self.visit_network()?;
        keep_to(&self.cores)
    }

    /// Brings the whole process to the host, with all its limits. Its groups keep it to the host's cores, and so can let it go
    /// to others for a while.
    fn enter(&self) -> io::Result<()> {
        for group in &self.groups {
            // 0 is the process that writes.
            fs::write(group.join("cgroup.procs"), "0").map_err(|fault| {
                io::Error::new(fault.kind(), format!("can't join {}: {fault}", group.display()))
            })?;
        }
        match self.groups.as_slice() {
            [] => self.enter_namespace(),
            _ => {
                self.visit_network()?;
                // Who started it may be kept to a core, and would hand that down.
                keep_to(&(0..CpuSet::MAX_CPU as u32).collect::<Vec<u32>>())
            }
        }
    }

    fn visit_network(&self) -> io::Result<()> {
        match &self.network {
            Some(path) => network::enter(&File::open(path)?),
            None => Ok(()),
        }
    }

    fn word(&self) -> String {
        serde_json::to_string(self).expect("a place has nothing that JSON can't say")
    }
}

/// Acts on [`ENTER_VERB`]: returns an exit code only if the program can't be started.
pub fn enter(arguments: &[OsString]) -> i32 {
    let place = arguments.first().and_then(|word| serde_json::from_str::<HostHandle>(word.to_str()?).ok());
    let (Some(place), Some(program)) = (place, arguments.get(1)) else { return 2 };
    let fault = place.exec(program, &arguments[2..]);
    // A supervisor's reader takes its first word from standard output.
    println!("it can't be started on its host: {fault}");
    126
}

/// The cores that this process may use.
pub(super) fn available_cores() -> io::Result<Vec<u32>> {
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
