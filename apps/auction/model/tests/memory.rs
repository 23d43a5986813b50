//! The generator's memory hardly grows with the number of rows. In a process of its own, whose peak is that of this test.

use application::{Application, Dataset, Timestamp};
use auction::AUCTION;
use std::{fs, thread};

/// Makes all rows on two threads.
fn make(scale: f64) {
    let generator = AUCTION.generator(&Dataset::new(1, scale, Timestamp(1_800_000_000)));
    for table in AUCTION.tables() {
        let units = generator.units(table);
        thread::scope(|scope| {
            for half in [0..units / 2, units / 2..units] {
                scope.spawn(|| generator.rows(table, half, &mut |_| ()));
            }
        });
    }
}

/// The peak memory of this process, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn memory_is_flat_but_for_eight_bytes_a_user() {
    make(0.01);
    let small = peak();
    make(0.21);
    let more_users = 200_000;
    let most = 8 * more_users + (2 << 20);
    assert!(peak() - small <= most, "{} bytes more; {most} are allowed", peak() - small);
}
