//! The cost of a sample, counted in reads of files: constant with a control group, and otherwise a few for each
//! process.

use crate::perl;
use std::fs;
use testbed::SystemMeter;

/// Children that wait until their parent's pipe closes.
const PARENT: &str = "pipe(my $end, my $held);
    for (1 .. shift) { if (!fork) { close $held; readline $end; exit } }
    print STDERR 'done'; sleep 600";

/// The most reads of a sample, however many processes there are: the machine's counters, those of a group, and the
/// memory of two hundred processes.
const READS: u64 = 250;
/// The additional reads for each process without a group.
const READS_EACH: u64 = 2;
/// The number of samples, because cheap and expensive ones alternate.
const SAMPLES: u64 = 60;

/// With forty and with six hundred processes.
pub fn of_a_sample_are_bounded() {
    if reads().is_none() {
        println!("skipped: the kernel doesn't count the reads of threads");
        return;
    }
    for processes in [40, 600] {
        let (count, has_group) = reads_of_a_sample(processes);
        println!("a sample of {processes} processes reads {count} times");
        let more = if has_group { 0 } else { READS_EACH * u64::from(processes) };
        assert!(count <= READS + more, "{count} for {processes}");
    }
}

/// Mean number of reads in a sample of this many processes, and whether a group counts them.
fn reads_of_a_sample(processes: u32) -> (u64, bool) {
    let folder = tempfile::tempdir().unwrap();
    // The supervisor doesn't count, but the parent does.
    let (supervisor, _) = perl::run(PARENT, &[(processes - 1).to_string()], folder.path(), None);
    let mut meter = SystemMeter::of([supervisor.id()]);
    // The first sample finds them.
    assert_eq!(meter.sample().tiers[0].processes, processes);
    let before = reads().unwrap();
    (0..SAMPLES).for_each(|_| drop(meter.sample()));
    ((reads().unwrap() - before) / SAMPLES, meter.each()[0].has_group())
}

/// Reads of this thread so far.
fn reads() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("syscr: "))?.parse().ok()
}
