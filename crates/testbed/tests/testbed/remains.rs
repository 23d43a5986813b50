//! System V shared memory outlives the processes that made it, and is removed with their supervisor.

use crate::perl;
use std::{collections::BTreeSet, fs};
use testbed::service_user;

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

fn shared_memory(is_killed: bool, others: &Own) {
    let folder = tempfile::tempdir().unwrap();
    let (supervisor, output) = perl::run(FORGETFUL, &[], folder.path(), service_user());
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
