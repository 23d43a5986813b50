//! Hosts leave nothing behind, however they end.

use super::{KEEP, bed, burner, executable, until};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    collections::BTreeSet,
    fs, io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use testbed::{Hosts, TestbedError, TestbedRecord};

pub struct Left {
    groups: Vec<PathBuf>,
    record: PathBuf,
    /// The processes on a host, and the one whose open files are the network.
    processes: BTreeSet<u32>,
}

impl Left {
    pub fn of(hosts: &Hosts) -> Self {
        let record = TestbedRecord::find(hosts.testbed()).unwrap();
        assert_eq!(record.hosts, hosts.up());
        Self::of_holder(record.namespace_keeper)
    }

    fn of_holder(namespace_keeper: u32) -> Self {
        let name = format!("tierbench-hosts-{namespace_keeper}");
        let mounts = fs::read_dir("/sys/fs/cgroup").unwrap().flatten().map(|entry| entry.path());
        let groups: Vec<PathBuf> = mounts
            .chain([PathBuf::from("/sys/fs/cgroup")])
            .map(|mount| mount.join(&name))
            .filter(|group| group.exists())
            .collect();
        assert!(!groups.is_empty());
        let processes = groups.iter().flat_map(|group| {
            let text = fs::read_to_string(group.join("web/cgroup.procs")).unwrap();
            text.lines().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()
        });
        Self {
            processes: processes.chain([namespace_keeper]).collect(),
            record: PathBuf::from(format!("/run/{name}.json")),
            groups,
        }
    }

    pub fn expect_nothing(&self, after: &str) {
        assert!(until(|| self.found().is_empty()), "after {after} there still is {:?}", self.found());
    }

    fn found(&self) -> Vec<PathBuf> {
        let processes = self.processes.iter().map(|id| PathBuf::from(format!("/proc/{id}/exe")));
        // Its parent may not have waited for an ended process yet.
        let processes = processes.filter(|exe| fs::read_link(exe).is_ok());
        let files = self.groups.iter().chain([&self.record]).filter(|path| path.exists());
        files.cloned().chain(processes).collect()
    }
}

pub fn a_detached_testbed_is_found_and_taken_down(file: &Path) {
    assert!(matches!(TestbedRecord::find(&bed(file)), Err(TestbedError::NotUp(_))));
    let record = Hosts::leave_up(&bed(file), &executable(), "test").unwrap();
    assert_eq!(TestbedRecord::find(&bed(file)).unwrap(), record);
    let fault = record.host("wep").unwrap_err();
    assert!(fault.to_string().ends_with("has no host `wep`"), "{fault}");
    let mut runs = burner(&record.host("web").unwrap().handle);
    let left = with_burner(record.namespace_keeper);
    record.take_down().unwrap();
    assert!(left.found().is_empty(), "{:?}", left.found());
    assert_eq!(runs.wait().unwrap().signal(), Some(9));
}

/// The remains of a testbed with a burner on it: a parent, and its child in another session.
fn with_burner(namespace_keeper: u32) -> Left {
    assert!(until(|| Left::of_holder(namespace_keeper).processes.len() == 3));
    Left::of_holder(namespace_keeper)
}

/// A testbed that another process keeps up, with a process on it.
fn kept(file: &Path) -> (Child, Left, u32) {
    let mut keeper = Command::new(executable()).arg(KEEP).arg(file).stdout(Stdio::piped()).spawn().unwrap();
    let mut namespace_keeper = String::new();
    io::BufRead::read_line(&mut io::BufReader::new(keeper.stdout.take().unwrap()), &mut namespace_keeper)
        .unwrap();
    let namespace_keeper: u32 = namespace_keeper.trim().parse().unwrap();
    let left = with_burner(namespace_keeper);
    (keeper, left, namespace_keeper)
}

fn kill(process: u32) {
    kill_process(Pid::from_raw(process as i32).unwrap(), Signal::KILL).unwrap();
}

pub fn nothing_survives_a_kill_of_the_command(file: &Path) {
    let (mut keeper, left, _) = kept(file);
    kill(keeper.id());
    left.expect_nothing("a kill of the command");
    keeper.wait().unwrap();
}

pub fn nothing_survives_a_kill_of_the_namespace_keeper(file: &Path) {
    let (mut keeper, left, namespace_keeper) = kept(file);
    kill(namespace_keeper);
    left.expect_nothing("a kill of the namespace keeper");
    kill(keeper.id());
    keeper.wait().unwrap();
}

pub fn remains_are_removed_by_the_next_command(file: &Path) {
    let (mut keeper, left, namespace_keeper) = kept(file);
    let children =
        fs::read_to_string(format!("/proc/{namespace_keeper}/task/{namespace_keeper}/children")).unwrap();
    let cleaner: u32 = children.split_whitespace().next().unwrap().parse().unwrap();
    for process in [cleaner, keeper.id(), namespace_keeper] {
        // It may have detected the end of the other.
        let _ = kill_process(Pid::from_raw(process as i32).unwrap(), Signal::KILL);
    }
    keeper.wait().unwrap();
    assert!(until(|| matches!(TestbedRecord::find(&bed(file)), Err(TestbedError::NotUp(_)))));
    left.expect_nothing("the next listing of testbeds");
}
