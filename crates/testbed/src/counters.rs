//! Counters of the whole machine.

use crate::idle_spinner;
use fs_err as fs;
use procfs::{CpuTime, Current, CurrentSI, DiskStat};
use std::{collections::BTreeSet, ops::Add, path::Path, sync::OnceLock, time::Instant};

#[derive(Debug, Clone, Copy)]
pub struct HostCounters {
    pub at: Instant,
    pub cores: u32,
    pub available_bytes: u64,
    busy_s: f64,
    interrupts_s: f64,
    awake_s: f64,
    steal_s: f64,
    network_bytes: u64,
    disk_bytes: Option<(u64, u64)>,
}

/// Activity of the machine between two readings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostRates {
    pub length_s: f64,
    /// CPU time of all processes except idle spinners, in seconds.
    pub busy_s: f64,
    /// The part of it in interrupts, if the kernel counts them separately from the interrupted processes.
    pub interrupts_s: f64,
    /// Steal: CPU time that the hypervisor gave to other machines, in seconds. Steal from idle spinners doesn't
    /// count; the kernel doesn't attribute it, so it is deducted in proportion to their CPU time.
    pub steal_s: f64,
    /// CPU time of idle spinners, in seconds.
    pub awake_s: f64,
    /// Of all network devices, loopback included.
    pub network_bytes: u64,
    /// Bytes read from and written to disks; none if the kernel doesn't report them.
    pub disk_bytes: Option<(u64, u64)>,
}

impl Add for HostRates {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let disk = self.disk_bytes.zip(other.disk_bytes);
        Self {
            length_s: self.length_s + other.length_s,
            busy_s: self.busy_s + other.busy_s,
            interrupts_s: self.interrupts_s + other.interrupts_s,
            steal_s: self.steal_s + other.steal_s,
            awake_s: self.awake_s + other.awake_s,
            network_bytes: self.network_bytes + other.network_bytes,
            disk_bytes: disk.map(|(one, other)| (one.0 + other.0, one.1 + other.1)),
        }
    }
}

impl HostCounters {
    /// Reads all counters. Unreadable counters are 0, except for disks, which not every kernel or container reports.
    pub fn read() -> Self {
        Self::read_on(None)
    }

    /// The same for these cores only, if given.
    pub(crate) fn read_on(these: Option<&BTreeSet<u32>>) -> Self {
        let (at, awake_s) = (Instant::now(), idle_spinner::used_s(these));
        let kernel = procfs::KernelStats::current().ok();
        let ticks = procfs::ticks_per_second() as f64;
        let all = || kernel.iter().flat_map(|kernel| &kernel.cpu_time).zip(0..);
        let of = |core: &u32| these.is_none_or(|these| these.contains(core));
        let cores = || all().filter(|(_, core)| of(core)).map(|(cpu, _)| cpu);
        let interrupted = |cpu: &CpuTime| cpu.irq.unwrap_or(0) + cpu.softirq.unwrap_or(0);
        let interrupts: u64 = cores().map(interrupted).sum();
        let busy = cores().map(|cpu| cpu.user + cpu.nice + cpu.system).sum::<u64>() + interrupts;
        Self {
            at,
            cores: cores().count() as u32,
            available_bytes: procfs::Meminfo::current()
                .ok()
                .and_then(|memory| memory.mem_available)
                .unwrap_or(0),
            busy_s: busy as f64 / ticks - awake_s,
            awake_s,
            interrupts_s: if interrupts_are_apart() { interrupts as f64 / ticks } else { 0.0 },
            steal_s: cores().map(|cpu| cpu.steal.unwrap_or(0)).sum::<u64>() as f64 / ticks,
            network_bytes: network_bytes(),
            disk_bytes: disk_bytes(),
        }
    }

    /// CPU time of all processes since the machine started, in seconds.
    pub(crate) fn busy_s(&self) -> f64 {
        self.busy_s
    }

    /// CPU time that the hypervisor gave to other machines since this one started, in seconds.
    pub(crate) fn steal_s(&self) -> f64 {
        self.steal_s
    }

    /// CPU time of all processes, without interrupts where they are counted apart.
    pub(crate) fn processes_s(&self) -> f64 {
        self.busy_s - self.interrupts_s
    }

    pub fn since(&self, earlier: &Self) -> HostRates {
        let since = |now: f64, then: f64| (now - then).max(0.0);
        let busy_s = since(self.busy_s, earlier.busy_s);
        let awake_s = since(self.awake_s, earlier.awake_s);
        let share_of_steal = if awake_s > 0.0 { busy_s / (busy_s + awake_s) } else { 1.0 };
        HostRates {
            length_s: self.at.saturating_duration_since(earlier.at).as_secs_f64(),
            busy_s,
            interrupts_s: since(self.interrupts_s, earlier.interrupts_s),
            steal_s: share_of_steal * since(self.steal_s, earlier.steal_s),
            awake_s,
            network_bytes: self.network_bytes.saturating_sub(earlier.network_bytes),
            disk_bytes: self
                .disk_bytes
                .zip(earlier.disk_bytes)
                .map(|(now, then)| (now.0.saturating_sub(then.0), now.1.saturating_sub(then.1))),
        }
    }
}

fn network_bytes() -> u64 {
    procfs::net::dev_status().map_or(0, |devices| devices.values().map(|device| device.sent_bytes).sum())
}

/// The unit of the kernel's disk counters, whatever the disk's own sector size.
const SECTOR: u64 = 512;

/// Bytes read and written so far; none if the kernel doesn't report them.
fn disk_bytes() -> Option<(u64, u64)> {
    let disks = disks()?;
    Some(sum_of(disks, procfs::diskstats().ok()?))
}

fn sum_of(disks: &BTreeSet<String>, counted: Vec<DiskStat>) -> (u64, u64) {
    let counted = counted.into_iter().filter(|device| disks.contains(&device.name));
    counted.fold((0, 0), |(read, written), disk| {
        (read + disk.sectors_read * SECTOR, written + disk.sectors_written * SECTOR)
    })
}

/// The names of the physical disks: partitions, volumes and RAM disks would count the same bytes again.
fn disks() -> Option<&'static BTreeSet<String>> {
    static DISKS: OnceLock<Option<BTreeSet<String>>> = OnceLock::new();
    let find = || {
        let real =
            fs::read_dir("/sys/block").ok()?.flatten().filter(|entry| entry.path().join("device").exists());
        Some(real.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
    };
    DISKS.get_or_init(find).as_ref()
}

/// True if the kernel counts interrupts separately. If not, their time belongs to the interrupted processes, although
/// /proc/stat then shows a part of it twice.
fn interrupts_are_apart() -> bool {
    static APART: OnceLock<bool> = OnceLock::new();
    *APART.get_or_init(|| {
        // Such a kernel has this function. Its symbols are readable, its configuration often is not.
        let symbols = fs::read(Path::new("/proc/kallsyms")).unwrap_or_default();
        memchr::memmem::find(&symbols, b" irqtime_account_irq\n").is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        net::{TcpListener, TcpStream},
    };

    #[test]
    fn unknown_disk_activity_is_not_zero() {
        let now = HostCounters { disk_bytes: Some((5000, 700)), ..HostCounters::read() };
        let then = HostCounters { disk_bytes: Some((4000, 700)), ..now };
        let blind = HostCounters { disk_bytes: None, ..now };
        assert_eq!(now.since(&then).disk_bytes, Some((1000, 0)));
        assert_eq!((now.since(&blind).disk_bytes, blind.since(&then).disk_bytes), (None, None));
    }

    #[test]
    fn partitions_and_volumes_do_not_count_twice() {
        let line = |text| DiskStat::from_line(text).unwrap();
        let counted = vec![
            line("8 0 sda 9 0 100 0 9 0 20 0 0 0 0"),
            line("8 1 sda1 9 0 100 0 9 0 20 0 0 0 0"),
            line("252 0 dm-0 9 0 100 0 9 0 20 0 0 0 0"),
        ];
        assert_eq!(sum_of(&BTreeSet::from(["sda".to_owned()]), counted), (100 * 512, 20 * 512));
    }

    #[test]
    fn steal_from_idle_spinners_does_not_count() {
        let then = HostCounters::read();
        let later = |busy_s: f64, awake_s: f64| HostCounters {
            busy_s: then.busy_s + busy_s,
            awake_s: then.awake_s + awake_s,
            steal_s: then.steal_s + 0.8,
            ..then
        };
        let stolen = |busy_s, awake_s| later(busy_s, awake_s).since(&then).steal_s;
        assert!((stolen(1.0, 3.0) - 0.2).abs() < 1e-9);
        assert!((stolen(1.0, 0.0) - 0.8).abs() < 1e-9);
        assert!((stolen(0.0, 0.0) - 0.8).abs() < 1e-9, "all steal counts on a machine that never runs");
    }

    #[test]
    fn counters_of_some_cores_exclude_the_others() {
        let of = |cores: &[u32]| HostCounters::read_on(Some(&cores.iter().copied().collect()));
        let (one, none, all) = (of(&[0]), of(&[]), HostCounters::read());
        assert_eq!((one.cores, none.cores, none.busy_s), (1, 0, 0.0));
        assert!(
            one.busy_s > 0.0 && one.busy_s <= all.busy_s && one.steal_s <= all.steal_s,
            "{one:?} {all:?}"
        );
        let each = (0..all.cores).map(|core| of(&[core]).busy_s).sum::<f64>();
        assert!((each - all.busy_s).abs() < 0.05 * all.busy_s, "{each} {all:?}");
    }

    #[test]
    fn own_traffic_and_cpu_time_show_in_the_counters() {
        let begin = HostCounters::read();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut receiver, _) = listener.accept().unwrap();
        let sent = std::thread::spawn(move || sender.write_all(&vec![7; 3_000_000]).unwrap());
        receiver.read_exact(&mut vec![0; 3_000_000]).unwrap();
        sent.join().unwrap();
        let start = crate::thread_cpu_s();
        while crate::thread_cpu_s() < start + 0.3 {}
        let rates = HostCounters::read().since(&begin);
        assert!(rates.network_bytes >= 3_000_000, "{rates:?}");
        assert!(rates.busy_s > 0.2 && rates.interrupts_s <= rates.busy_s, "{rates:?}");
        assert!(
            rates.length_s >= 0.3 && rates.busy_s <= rates.length_s * f64::from(begin.cores) + 0.1,
            "{rates:?}"
        );
        assert!(begin.available_bytes > 1 << 20);
    }
}
