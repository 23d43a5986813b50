//! The record of a running testbed, by which other commands find its hosts.

use super::{HostHandle, HostUp, Testbed, TestbedError, control_groups};
use crate::processes::Stat;
use fs_err as fs;
use rustix::{
    event::{PollFd, PollFlags, poll},
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};
use serde::{Deserialize, Serialize};
use settings::did_you_mean;
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestbedRecord {
    pub namespace_keeper: u32,
    /// The verb that brought it up: `testbed up`, `run`, …
    pub by: String,
    pub file: PathBuf,
    pub hosts: Vec<HostUp>,
}

/// The folder of records: only root has hosts that other commands can find.
const FOLDER: &str = "/run";

/// The namespace keeper's process name, which distinguishes it from another process with the same id.
pub(super) const KEEPER_NAME: &std::ffi::CStr = c"tb-hosts";

pub(super) fn path(run: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{run}.json"))
}

impl TestbedRecord {
    /// All testbeds that are up. Remains of dead ones are removed.
    pub fn all() -> io::Result<Vec<Self>> {
        let mut runs = control_groups::runs_named(super::RUN_PREFIX);
        runs.extend(written()?);
        let (living, dead): (BTreeSet<String>, BTreeSet<String>) =
            runs.into_iter().partition(|run| lives(run));
        dead.iter().try_for_each(|run| remove(run))?;
        // A testbed that is coming up has no record yet.
        let read = |run: &String| serde_json::from_slice(&fs::read(path(run)).ok()?).ok();
        Ok(living.iter().filter_map(read).collect())
    }

    /// Hosts that are separated by cores: they are always up, without a namespace keeper.
    pub fn of_cores(testbed: &Testbed, cores: Vec<Vec<u32>>) -> Self {
        let hosts = testbed.hosts.iter().zip(cores);
        let up = hosts
            .map(|(host, cores)| HostUp { name: host.name.clone(), handle: HostHandle::of_cores(cores) });
        Self { namespace_keeper: 0, by: String::new(), file: testbed.file.clone(), hosts: up.collect() }
    }

    /// The record of a file's running testbed.
    pub fn find(testbed: &Testbed) -> Result<Self, TestbedError> {
        let mut of_file = Self::all()?.into_iter().filter(|record| record.file == testbed.file);
        of_file.next().ok_or_else(|| TestbedError::NotUp(testbed.file.clone()))
    }

    pub(super) fn write(&self) -> io::Result<()> {
        fs::write(path(&super::run_name(self.namespace_keeper)), serde_json::to_vec(self)?)
    }

    pub fn host(&self, name: &str) -> Result<&HostUp, TestbedError> {
        self.hosts.iter().find(|host| host.name == name).ok_or_else(|| TestbedError::NoHost {
            file: self.file.clone(),
            word: name.to_owned(),
            remedy: did_you_mean(name, self.hosts.iter().map(|host| host.name.as_str())),
        })
    }

    /// Takes it down, and waits until it is removed.
    pub fn take_down(&self) -> Result<(), TestbedError> {
        let process =
            Pid::from_raw(self.namespace_keeper as i32).map(|pid| pidfd_open(pid, PidfdFlags::empty()));
        if let Some(Ok(namespace_keeper)) = process {
            // It may have ended meanwhile.
            let _ = pidfd_send_signal(&namespace_keeper, Signal::TERM);
            poll(&mut [PollFd::new(&namespace_keeper, PollFlags::IN)], None).map_err(io::Error::from)?;
        }
        Ok(remove(&super::run_name(self.namespace_keeper))?)
    }
}

/// Kills all processes on a run's hosts, and removes the hosts.
pub(super) fn remove(run: &str) -> io::Result<()> {
    control_groups::remove_groups(run)?;
    match fs::remove_file(path(run)) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
        _ => Ok(()),
    }
}

fn written() -> io::Result<Vec<String>> {
    let names = fs::read_dir(FOLDER)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let run = |name: String| {
        let run = name.strip_suffix(".json")?;
        run.starts_with(super::RUN_PREFIX).then(|| run.to_owned())
    };
    Ok(names.filter_map(run).collect())
}

/// True if the namespace keeper of a run is alive. A dead one is listed as a zombie until its parent has waited for it.
fn lives(run: &str) -> bool {
    let number = run.trim_start_matches(super::RUN_PREFIX);
    let name = std::fs::read(format!("/proc/{number}/comm")).unwrap_or_default();
    let stat = number.parse().ok().and_then(Stat::read);
    name.trim_ascii_end() == KEEPER_NAME.to_bytes() && stat.is_some_and(|stat| stat.state != 'Z')
}
