//! What looking at processes takes, counted in reads of files: nothing more for more processes where a group counts them, and
//! otherwise a few for each.

use crate::perl;
use std::fs;
use testbed::Accounts;

/// As many children as are said, who wait until their parent's pipe closes.
const PARENT: &str = "pipe(my $end, my $held);
    for (1 .. shift) { if (!fork) { close $held; readline $end; exit } }
    print STDERR 'done'; sleep 600";

/// So often a look may read something, however many processes there are: the machine's counters, those of a group, and the
/// memory of two hundred of its processes.
const READS: u64 = 250;
/// And so often more for each process where no group counts them.
const READS_EACH: u64 = 2;
/// Over so many looks, because those that are cheap and those that are not take turns.
const LOOKS: u64 = 60;

/// Of forty processes and of six hundred.
pub fn are_counted() {
    if reads().is_none() {
        println!("left out: the kernel doesn't tell what threads read");
        return;
    }
    for processes in [40, 600] {
        let (seen, has_group) = reads_of_a_look(processes);
        println!("a look at {processes} processes reads {seen} times");
        let more = if has_group { 0 } else { READS_EACH * u64::from(processes) };
        assert!(seen <= READS + more, "{seen} for {processes}");
    }
}

/// How often something is read in a look at so many processes in the mean, and whether a group counts them.
fn reads_of_a_look(processes: u32) -> (u64, bool) {
    let folder = tempfile::tempdir().unwrap();
    // The supervisor doesn't count, but the parent does.
    let (supervisor, _) = perl::run(PARENT, &[(processes - 1).to_string()], folder.path(), None);
    let mut accounts = Accounts::of([supervisor.id()]);
    // The first look finds them.
    assert_eq!(accounts.look().tiers[0].processes, processes);
    let before = reads().unwrap();
    (0..LOOKS).for_each(|_| drop(accounts.look()));
    ((reads().unwrap() - before) / LOOKS, accounts.each()[0].has_group())
}

/// How often this thread has read something so far.
fn reads() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("syscr: "))?.parse().ok()
}
