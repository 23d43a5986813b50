//! Remains of processes are removed with their supervisor: System V shared memory, and the control group of a memory
//! limit.

use crate::perl;
use rustix::process::{Pid, Signal, kill_process};
use std::{collections::BTreeSet, fs, path::PathBuf};
use testbed::{Supervisor, store_user};

/// Makes a segment, and so does a child in another session; neither removes it.
const FORGETFUL: &str = "use POSIX 'setsid';
    sub make { print STDERR shmget(0, 56, 01600) // die($!), ' ' }
    $| = 1;
    pipe(my $end, my $held);
    if (!fork) { setsid(); make(); close $held; sleep 60 }
    close $held; readline $end; make(); print STDERR 'done'; sleep 60";

/// It is removed, whether the supervisor ends by itself or is killed.
pub fn are_removed() {
    let others = make_own();
    for is_killed in [false, true] {
        shared_memory(is_killed, &others);
    }
}

/// A segment of another process that has ended, too; dropping it removes it.
fn make_own() -> Own {
    let made = std::process::Command::new("ipcmk").args(["-M", "56"]).output().unwrap();
    let output = String::from_utf8(made.stdout).unwrap();
    Own(output.trim().rsplit(' ').next().unwrap().to_owned())
}

struct Own(String);

impl Drop for Own {
    fn drop(&mut self) {
        let _ = std::process::Command::new("ipcrm").args(["-m", &self.0]).status();
    }
}

/// A program owns its folder, and may put a link in the place of its log before it is started again.
pub fn no_link_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let spec = perl::spec(None, FORGETFUL, &[], folder.path(), store_user());
    let other = folder.path().join("other");
    fs::write(&other, "as it was").unwrap();
    std::os::unix::fs::symlink(&other, &spec.log).unwrap();
    let started = Supervisor::start(&std::env::current_exe().unwrap(), &spec);
    assert!(started.is_err_and(|fault| fault.to_string().contains("log")), "it names the file");
    assert_eq!(fs::read_to_string(other).unwrap(), "as it was");
}

fn shared_memory(is_killed: bool, others: &Own) {
    let folder = tempfile::tempdir().unwrap();
    let (supervisor, output) = perl::run(FORGETFUL, &[], folder.path(), store_user());
    let made: BTreeSet<&str> = output.split_whitespace().collect();
    assert_eq!(made.len(), 2, "{output}");
    assert!(made.is_subset(&segments().iter().map(String::as_str).collect()), "{made:?} should be there");
    if is_killed {
        supervisor.kill();
    } else {
        drop(supervisor);
    }
    let left = segments();
    assert!(!made.iter().any(|id| left.contains(*id)), "left behind of {made:?}: {left:?}");
    assert!(left.contains(&others.0), "the segment of another process was removed");
}

fn segments() -> BTreeSet<String> {
    let text = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).map(ToOwned::to_owned).collect()
}

const WAITING: &str = "print STDERR 'done'; sleep 60";

/// A program and its group don't outlive their supervisor, even where that was killed.
pub fn memory_groups_are_removed() {
    for is_killed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().display().to_string();
        let arguments = std::slice::from_ref(&mark);
        let (supervisor, _) =
            perl::run_within(Some(256 << 20), WAITING, arguments, folder.path(), store_user());
        let id = supervisor.id();
        assert_eq!(memory_groups(id).len(), 1, "a limited program has a group");
        if is_killed {
            kill_process(Pid::from_raw(id as i32).unwrap(), Signal::KILL).unwrap();
        }
        drop(supervisor);
        assert_eq!(memory_groups(id), Vec::<PathBuf>::new(), "killed: {is_killed}");
        assert_eq!(processes_with(&mark), Vec::<PathBuf>::new(), "killed: {is_killed}");
    }
}

/// The groups below all mounts that are named after a supervisor.
fn memory_groups(supervisor: u32) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_name() == *format!("tierbench-{supervisor}-memory") {
                found.push(entry.path());
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
    found
}

/// The folders in /proc of processes with this argument.
fn processes_with(argument: &str) -> Vec<PathBuf> {
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    all.filter(|process| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|one| one == argument.as_bytes())
    })
    .collect()
}
