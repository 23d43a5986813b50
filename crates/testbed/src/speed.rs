//! How fast processors are, told by a little work that is always the same.
//!
//! The same virtual processor isn't always as fast: neighbours on the real machine share its core, its caches and its
//! memory, and steal tells of none of it. Twelve runs of one site at one load, each on a start of its own, differed by 4.8 %
//! (standard deviation), and their throughputs at equal speed, told by sorting numbers, by 2.5 %. This work doesn't tell
//! all: of nine runs in an hour that was worse it was 7.8 and 5.7 %.

use crate::thread_cpu_s;
use std::{
    collections::BTreeMap,
    fs::File,
    hint::black_box,
    io,
    ops::{Add, Sub},
    os::unix::fs::FileExt,
    time::{Duration, Instant},
};

/// The same little work, done again and again.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// How often it was timed.
    pub times: u64,
    /// CPU time that it took in all, in nanoseconds.
    pub cpu_ns: u64,
}

impl Work {
    /// CPU time that it took once, in microseconds: the mean. None if it was never timed.
    pub fn us(self) -> Option<f64> {
        (self.times > 0).then(|| self.cpu_ns as f64 / self.times as f64 / 1e3)
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { times: self.times + other.times, cpu_ns: self.cpu_ns + other.cpu_ns }
    }
}

impl Sub for Work {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            times: self.times.saturating_sub(earlier.times),
            cpu_ns: self.cpu_ns.saturating_sub(earlier.cpu_ns),
        }
    }
}

/// Where the work of one process is written down for another, without either waiting.
#[derive(Debug)]
pub(crate) struct Ledger(File);

impl Ledger {
    /// Of this file, which may be in memory only.
    pub(crate) fn on(file: File) -> Self {
        Self(file)
    }

    /// Another one on the same file.
    pub(crate) fn again(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    fn write(&self, work: Work) -> io::Result<()> {
        let words = [work.times, work.cpu_ns].map(u64::to_ne_bytes);
        self.0.write_all_at(words.as_flattened(), 0)
    }

    /// What stands there; nothing before the first time.
    pub(crate) fn read(&self) -> Work {
        // Who reads while it is being written may see half of it, but hardly twice the same.
        let mut last = self.glance();
        loop {
            let now = self.glance();
            if now == last {
                return now.unwrap_or_default();
            }
            last = now;
        }
    }

    fn glance(&self) -> Option<Work> {
        let mut words = [[0; 8]; 2];
        self.0.read_exact_at(words.as_flattened_mut(), 0).ok()?;
        let [times, cpu_ns] = words.map(u64::from_ne_bytes);
        Some(Work { times, cpu_ns })
    }
}

/// How often the work is timed: so rarely that it takes nothing from those for whom the processor is kept awake.
const PAUSE: Duration = Duration::from_millis(20);

/// How many numbers are sorted: so few that all of it stays in a core's own caches. So what a site leaves there
/// should not change how long it takes.
const NUMBERS: u64 = 1000;

/// Whoever runs for longer than this beyond his CPU time was interrupted, and finds his caches changed.
const INTERRUPTED: Duration = Duration::from_micros(20);

/// Keeps this thread's processor busy for ever, and times the work meanwhile.
pub(crate) fn turn(ledger: &Ledger) -> ! {
    let mut done = Work::default();
    loop {
        // The first time fills the caches.
        once();
        let (begin, begin_s) = (Instant::now(), thread_cpu_s());
        once();
        let cpu = Duration::from_secs_f64((thread_cpu_s() - begin_s).max(0.0));
        if begin.elapsed() < cpu + INTERRUPTED {
            done = done + Work { times: 1, cpu_ns: cpu.as_nanos() as u64 };
            // It can only fail where memory has run out, of which others will tell.
            let _ = ledger.write(done);
        }
        while begin.elapsed() < PAUSE {
            std::hint::spin_loop();
        }
    }
}

/// The work: like a site's own, it compares, branches, allocates and goes through memory.
fn once() {
    let numbers = (1..=NUMBERS).map(|number| (scattered(number), number));
    let sorted: BTreeMap<u64, u64> = black_box(numbers.collect());
    let found = (1..=NUMBERS).filter(|number| sorted.get(&scattered(*number)) == Some(number));
    black_box(found.count());
}

/// A number that looks random (the finaliser of `SplitMix64`: Steele, Lea and Flood, OOPSLA 2014).
fn scattered(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_before() {
        let ledger = Ledger::on(tempfile::tempfile().unwrap());
        assert_eq!((ledger.read(), ledger.read().us()), (Work::default(), None));
        ledger.write(Work { times: 7, cpu_ns: 350_000 }).unwrap();
        let reader = Ledger::on(ledger.again().unwrap());
        assert_eq!((reader.read().times, reader.read().us()), (7, Some(50.0)));
        let since = Work { times: 9, cpu_ns: 470_000 } - reader.read();
        assert_eq!(since.us(), Some(60.0));
    }
}
