//! What outlives the processes that made it, and goes with their supervisor: shared memory of System V.

use crate::perl;
use std::{collections::BTreeSet, fs};
use testbed::service_user;

/// Makes some shared memory, and so does a child in a session of its own; nobody removes it.
const FORGETFUL: &str = "use POSIX 'setsid';
    sub make { print STDERR shmget(0, 56, 01600) // die($!), ' ' }
    $| = 1;
    pipe(my $end, my $held);
    if (!fork) { setsid(); make(); close $held; sleep 60 }
    close $held; readline $end; make(); print STDERR 'done'; sleep 60";

/// It goes, whether the supervisor ends by itself or is killed.
pub fn all_goes() {
    let others = make_own();
    for is_killed in [false, true] {
        shared_memory(is_killed, &others);
    }
}

/// A segment of somebody else's, whose process has ended, too; dropping it removes it.
fn make_own() -> Own {
    let made = std::process::Command::new("ipcmk").args(["-M", "56"]).output().unwrap();
    let said = String::from_utf8(made.stdout).unwrap();
    Own(said.trim().rsplit(' ').next().unwrap().to_owned())
}

struct Own(String);

impl Drop for Own {
    fn drop(&mut self) {
        let _ = std::process::Command::new("ipcrm").args(["-m", &self.0]).status();
    }
}

fn shared_memory(is_killed: bool, others: &Own) {
    let folder = tempfile::tempdir().unwrap();
    let (supervisor, said) = perl::run(FORGETFUL, &[], folder.path(), service_user());
    let made: BTreeSet<&str> = said.split_whitespace().collect();
    assert_eq!(made.len(), 2, "{said}");
    assert!(made.is_subset(&segments().iter().map(String::as_str).collect()), "{made:?} should be there");
    if is_killed {
        supervisor.kill();
    } else {
        drop(supervisor);
    }
    let left = segments();
    assert!(!made.iter().any(|id| left.contains(*id)), "left behind of {made:?}: {left:?}");
    assert!(left.contains(&others.0), "the segment of somebody else is gone");
}

/// The ids of all segments.
fn segments() -> BTreeSet<String> {
    let text = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).map(ToOwned::to_owned).collect()
}
