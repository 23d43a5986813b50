//! Control groups that limit a host to a share of this machine: version 1, version 2, or both side by side.
//!
//! A quota is only an upper limit. Two conditions guarantee it: the quotas of all hosts add up to less than their cores
//! (checked in the testbed's file), and the group around them has a higher weight than all other processes.

use super::{Cores, HostHandle, HostPlan, TestbedError};
use crate::cgroup::CgroupStats;
use fs_err as fs;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The period of a host's quota: a hundredth of a second. With the kernel's default of a tenth, a slow machine would
/// freeze for long spells: 1 KiB took 228 ms at p99. The kernel can't enforce periods shorter than two clock ticks.
const PERIOD_US: u64 = 10_000;
/// Periods for which a host may save unused quota (burst). The kernel preempts tasks at clock ticks (4 ms), so busy
/// hosts on one core overrun each other's periods; without a burst, the late one loses the rest of its quota. Three
/// busy hosts with 30 % each, beside two busy neighbours, got 0.96, 0.93 and 0.79 of their quota without it, and 1.00
/// each with it (a period twice as long would also do, but freeze a host twice as long). Over any longer time, a host
/// gets no more than its quota.
const BURST_PERIODS: u64 = 1;
/// The highest weight that each version allows: against hundreds of other processes, and against a hundred.
const SHARES: &str = "262144";
const WEIGHT: &str = "10000";

/// The files with a quota (version 1, 2).
const QUOTA_1: &str = "cpu.cfs_quota_us";
const QUOTA_2: &str = "cpu.max";
/// The files with the burst of a quota. Kernels before 5.14 have none.
const BURST_1: &str = "cpu.cfs_burst_us";
const BURST_2: &str = "cpu.max.burst";

/// The file with the allowed cores.
const CORES: &str = "cpuset.cpus";

fn listed(cores: &[u32]) -> String {
    let cores: Vec<String> = cores.iter().map(u32::to_string).collect();
    cores.join(",")
}

/// The CPU time of a host in a period, in microseconds; none if it isn't limited.
fn quota_us(host: &HostPlan) -> Option<u64> {
    host.cpu.map(|cpu| (cpu * PERIOD_US as f64).round() as u64)
}

pub(super) fn set_cores(groups: &[PathBuf], cores: &[u32]) -> Result<(), TestbedError> {
    let mut files = groups.iter().map(|group| group.join(CORES)).filter(|file| file.exists());
    files.try_for_each(|file| write_to(&file, &listed(cores)))
}

/// Lifts the quota of a host with these groups, or restores it.
pub(super) fn set_quota(host: &HostPlan, groups: &[PathBuf], is_lifted: bool) -> Result<(), TestbedError> {
    let Some(quota) = quota_us(host) else { return Ok(()) };
    for group in groups {
        let (version_1, version_2) = (group.join(QUOTA_1), group.join(QUOTA_2));
        if version_1.exists() {
            write_to(&version_1, &if is_lifted { "-1".to_owned() } else { quota.to_string() })?;
        } else if version_2.exists() {
            let quota = if is_lifted { "max".to_owned() } else { quota.to_string() };
            write_to(&version_2, &format!("{quota} {PERIOD_US}"))?;
        }
    }
    Ok(())
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hierarchy {
    root: PathBuf,
    version: CgroupVersion,
    controllers: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CgroupVersion {
    One,
    Two,
}

/// The required controllers and their resources.
const NEEDED: [(&str, &str); 3] = [("cpu", "CPU time"), ("cpuset", "the use of cores"), ("memory", "memory")];

/// The controllers that hosts use; the last only counts.
const CONTROLLERS: [&str; 4] = ["cpu", "cpuset", "memory", "cpuacct"];

impl Hierarchy {
    fn all() -> io::Result<Vec<Self>> {
        let mounts = fs::read_to_string("/proc/self/mounts")?;
        let mut all = Self::in_mounts(&mounts);
        for hierarchy in all.iter_mut().filter(|hierarchy| hierarchy.version == CgroupVersion::Two) {
            let offered = fs::read_to_string(hierarchy.root.join("cgroup.controllers")).unwrap_or_default();
            let used = CONTROLLERS.map(ToOwned::to_owned);
            hierarchy.controllers = offered
                .split_ascii_whitespace()
                .map(ToOwned::to_owned)
                .filter(|one| used.contains(one))
                .collect();
        }
        Ok(all)
    }

    /// The mounts with controllers of hosts. The controllers of version 2 are not listed there.
    fn in_mounts(mounts: &str) -> Vec<Self> {
        let read = |line: &str| {
            let fields: Vec<&str> = line.split(' ').collect();
            let (root, kind, options) = (fields.get(1)?, fields.get(2)?, fields.get(3)?);
            let named: BTreeSet<String> =
                options.split(',').filter(|one| CONTROLLERS.contains(one)).map(ToOwned::to_owned).collect();
            let of = |version, controllers| Self { root: root.into(), version, controllers };
            match *kind {
                "cgroup2" => Some(of(CgroupVersion::Two, BTreeSet::new())),
                "cgroup" if !named.is_empty() => Some(of(CgroupVersion::One, named)),
                _ => None,
            }
        };
        let mut all: Vec<Self> = Vec::new();
        for hierarchy in mounts.lines().filter_map(read) {
            // A hierarchy may be mounted twice.
            if !all
                .iter()
                .any(|known| known.version == hierarchy.version && known.controllers == hierarchy.controllers)
            {
                all.push(hierarchy);
            }
        }
        all
    }

    /// The limits of a host's group in this hierarchy: files and their values, in this order.
    fn limits(&self, host: &HostPlan, cores: &[u32]) -> Vec<(&'static str, String)> {
        let has = |controller: &str| self.controllers.contains(controller);
        let mut limits = Vec::new();
        if has("cpuset") {
            limits.push((CORES, listed(cores)));
        }
        if let Some(quota) = quota_us(host).filter(|_| has("cpu")) {
            let burst = (quota * BURST_PERIODS).to_string();
            match self.version {
                CgroupVersion::One => limits.extend([
                    ("cpu.cfs_period_us", PERIOD_US.to_string()),
                    (QUOTA_1, quota.to_string()),
                    (BURST_1, burst),
                ]),
                CgroupVersion::Two => {
                    limits.extend([(QUOTA_2, format!("{quota} {PERIOD_US}")), (BURST_2, burst)]);
                }
            }
        }
        if let Some(bytes) = host.memory_bytes.filter(|_| has("memory")) {
            let file =
                if self.version == CgroupVersion::One { "memory.limit_in_bytes" } else { "memory.max" };
            limits.push((file, bytes.to_string()));
        }
        limits
    }

    fn make_run(&self, run: &Path) -> Result<(), TestbedError> {
        make(run)?;
        match self.version {
            CgroupVersion::One => {
                if self.controllers.contains("cpuset") {
                    self.inherit_cores(&self.root, run, &[CORES, "cpuset.mems"])?;
                }
                if self.controllers.contains("cpu") {
                    write_to(&run.join("cpu.shares"), SHARES)?;
                }
            }
            CgroupVersion::Two if !self.controllers.is_empty() => {
                let wanted: Vec<String> = self.controllers.iter().map(|one| format!("+{one}")).collect();
                for group in [&self.root, run] {
                    write_to(&group.join("cgroup.subtree_control"), &wanted.join(" "))?;
                }
                if self.controllers.contains("cpu") {
                    write_to(&run.join("cpu.weight"), WEIGHT)?;
                }
            }
            CgroupVersion::Two => {}
        }
        Ok(())
    }

    fn make_host(&self, run: &Path, host: &HostPlan, cores: &[u32]) -> Result<PathBuf, TestbedError> {
        let group = run.join(&host.name);
        make(&group)?;
        if self.version == CgroupVersion::One && self.controllers.contains("cpuset") {
            self.inherit_cores(run, &group, &["cpuset.mems"])?;
        }
        for (file, value) in self.limits(host, cores) {
            let is_optional = [BURST_1, BURST_2].contains(&file);
            if !is_optional || group.join(file).exists() {
                write_to(&group.join(file), &value)?;
            }
        }
        Ok(group)
    }

    /// In version 1, a new group has no core and no memory until they are set.
    fn inherit_cores(&self, from: &Path, to: &Path, files: &[&str]) -> Result<(), TestbedError> {
        files.iter().try_for_each(|file| {
            let value = fs::read_to_string(from.join(file))?;
            write_to(&to.join(file), value.trim())
        })
    }
}

/// Makes the groups of all hosts of a run. Returns those of each host, in the order of the hosts.
pub(super) fn make_groups(
    run: &str,
    hosts: &[(HostPlan, Vec<u32>)],
) -> Result<Vec<Vec<PathBuf>>, TestbedError> {
    let all = Hierarchy::all()?;
    for (controller, what) in NEEDED {
        if !all.iter().any(|hierarchy| hierarchy.controllers.contains(controller)) {
            return Err(TestbedError::NoController(what));
        }
    }
    let mut groups = vec![Vec::new(); hosts.len()];
    for hierarchy in &all {
        let within = hierarchy.root.join(run);
        hierarchy.make_run(&within)?;
        for ((host, cores), groups) in hosts.iter().zip(&mut groups) {
            groups.push(hierarchy.make_host(&within, host, cores)?);
        }
    }
    Ok(groups)
}

/// The names of runs that have groups and this prefix.
pub(super) fn runs_named(prefix: &str) -> BTreeSet<String> {
    let folders = Hierarchy::all().unwrap_or_default();
    let entries = folders.iter().filter_map(|hierarchy| fs::read_dir(&hierarchy.root).ok()).flatten();
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(prefix)).collect()
}

const GONE_WITHIN: Duration = Duration::from_secs(20);
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Kills all processes in the groups of a run, and removes the groups.
pub(super) fn remove_groups(run: &str) -> io::Result<()> {
    let all: Vec<PathBuf> = Hierarchy::all()?.iter().map(|hierarchy| hierarchy.root.join(run)).collect();
    let deadline = Instant::now() + GONE_WITHIN;
    loop {
        all.iter().for_each(|group| kill_all(group));
        // A process may be in only some of the groups, and a dying one keeps its group busy for a moment.
        let left: Vec<io::Error> = all.iter().filter_map(|group| remove_tree(group).err()).collect();
        let Some(fault) = left.into_iter().next() else { return Ok(()) };
        if Instant::now() > deadline {
            return Err(fault);
        }
        thread::sleep(LOOK_AGAIN);
    }
}

fn kill_all(group: &Path) {
    // With this file, no process can escape by forking.
    let _ = fs::write(group.join("cgroup.kill"), "1");
    for pid in processes_below(group).into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn processes_below(group: &Path) -> Vec<i32> {
    let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    let mut processes: Vec<i32> = text.lines().filter_map(|line| line.parse().ok()).collect();
    processes.extend(groups_in(group).iter().flat_map(|below| processes_below(below)));
    processes
}

/// Removes a group and those below it, which must be empty. A missing one is no error.
fn remove_tree(group: &Path) -> io::Result<()> {
    groups_in(group).iter().try_for_each(|below| remove_tree(below))?;
    match fs::remove_dir(group) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
        _ => Ok(()),
    }
}

fn groups_in(group: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(group).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|e| e.path()).collect()
}

fn make(group: &Path) -> Result<(), TestbedError> {
    fs::create_dir(group).map_err(|fault| TestbedError::Refused {
        what: format!("making the control group {}", group.display()),
        fault: fault.to_string(),
    })
}

fn write_to(file: &Path, value: &str) -> Result<(), TestbedError> {
    std::fs::write(file, value).map_err(|fault| TestbedError::Refused {
        what: format!("writing {value} to {}", file.display()),
        fault: fault.to_string(),
    })
}

/// Usage of a host since it was made, as counted by its groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct HostUsage {
    pub cpu_s: f64,
    /// Periods of 10 ms in which it wanted CPU time.
    pub periods: u64,
    /// Periods in which it used up its quota and was throttled.
    pub throttled: u64,
    /// Seconds with runnable tasks but none running, because it was throttled or others had its cores; the mean over
    /// its cores. Added to the CPU time, this is its demand. None if the kernel doesn't report it.
    pub waited_s: Option<f64>,
    /// Page faults of all its processes, also of those that began and ended between two samples. None if no group counts
    /// them.
    pub page_faults: Option<u64>,
    /// Of a machine of its own, the CPU time that was lost to others.
    pub lost: Option<LostCpu>,
}

/// CPU time in seconds that a machine lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LostCpu {
    /// To other machines of its hypervisor.
    pub steal_s: f64,
    /// To processes other than tiers and laboratory, interrupts apart.
    pub other_processes_s: f64,
}

impl HostUsage {
    /// Reads the usage of a host; unreadable counters are 0. None if the host has no groups.
    pub(super) fn of_host(handle: &HostHandle) -> Option<Self> {
        (!handle.groups.is_empty()).then(|| Self::of(&handle.groups))
    }

    fn of(groups: &[PathBuf]) -> Self {
        let cpu = groups.iter().find_map(|group| CgroupStats::at(group.clone()).cpu());
        let counted = groups.iter().find_map(|group| {
            let text = fs::read_to_string(group.join("cpu.stat")).ok()?;
            Some((field(&text, "nr_periods ")?, field(&text, "nr_throttled ")?))
        });
        let memory = groups.iter().filter_map(|group| fs::read_to_string(group.join("memory.stat")).ok());
        let (periods, throttled) = counted.unwrap_or_default();
        let pressures = groups.iter().filter_map(|group| fs::read_to_string(group.join("cpu.pressure")).ok());
        let waited_s = pressures.filter_map(|pressure| waited_s(&pressure)).next();
        let page_faults = memory.filter_map(|counters| page_faults(&counters)).next();
        Self {
            cpu_s: cpu.map_or(0.0, |cpu| cpu.total_s),
            periods,
            throttled,
            waited_s,
            page_faults,
            lost: None,
        }
    }
}

/// A counter in a file of a group with one on each line.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}

/// The page faults of a group and of those below it. Version 1 counts its own processes apart.
fn page_faults(memory: &str) -> Option<u64> {
    field(memory, "total_pgfault ").or_else(|| field(memory, "pgfault "))
}

/// The time in seconds during which all runnable tasks of a group waited, by the kernel's pressure stall information.
fn waited_s(pressure: &str) -> Option<f64> {
    let line = pressure.lines().find_map(|line| line.strip_prefix("full "))?;
    let (_, total_us) = line.rsplit_once("total=")?;
    Some(total_us.trim().parse::<u64>().ok()? as f64 / 1e6)
}

/// The cores of each host; an error if this machine lacks them.
pub(super) fn cores_of(hosts: &[HostPlan], available: &[u32]) -> Result<Vec<Vec<u32>>, TestbedError> {
    let list = |cores: &[u32]| cores.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let missing = |host: &HostPlan, core: String| TestbedError::NoCore {
        host: host.name.clone(),
        core,
        available: format!("cores {}", list(available)),
    };
    let named: BTreeSet<u32> = hosts
        .iter()
        .flat_map(|host| if let Cores::List(cores) = &host.cores { cores.clone() } else { Vec::new() })
        .collect();
    let of = |host: &HostPlan| match &host.cores {
        Cores::List(cores) => match cores.iter().find(|core| !available.contains(core)) {
            Some(core) => Err(missing(host, core.to_string())),
            None => Ok(cores.clone()),
        },
        Cores::Rest => {
            let rest: Vec<u32> = available.iter().filter(|core| !named.contains(core)).copied().collect();
            if rest.is_empty() { Err(missing(host, "of its own".to_owned())) } else { Ok(rest) }
        }
    };
    hosts.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: &str = "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0
cgroup /sys/fs/cgroup/devices cgroup rw,relatime,devices 0 0
cgroup /sys/fs/cgroup/systemd cgroup rw,relatime,name=systemd 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0
cgroup /mnt/again cgroup rw,relatime,memory 0 0
tmpfs /run tmpfs rw 0 0
";

    fn host(cores: Cores) -> HostPlan {
        HostPlan {
            name: "web".to_owned(),
            roles: vec!["web".to_owned()],
            cores,
            cpu: Some(0.22),
            memory_bytes: Some(1 << 30),
            link_bits: None,
            reach: Vec::new(),
            address: None,
        }
    }

    fn hierarchy(version: CgroupVersion, controllers: &[&str]) -> Hierarchy {
        let controllers = controllers.iter().map(|one| (*one).to_owned()).collect();
        Hierarchy { root: PathBuf::from("/sys/fs/cgroup"), version, controllers }
    }

    #[test]
    fn hierarchies_with_controllers_of_hosts_are_found_once() {
        let found = Hierarchy::in_mounts(HYBRID);
        let of = |root: &str, controllers: &[&str]| Hierarchy {
            root: root.into(),
            ..hierarchy(CgroupVersion::One, controllers)
        };
        assert_eq!(
            found,
            [
                of("/sys/fs/cgroup/cpu,cpuacct", &["cpu", "cpuacct"]),
                of("/sys/fs/cgroup/memory", &["memory"]),
                Hierarchy { root: "/sys/fs/cgroup/unified".into(), ..hierarchy(CgroupVersion::Two, &[]) },
            ]
        );
    }

    #[test]
    fn limits_are_written_in_the_format_of_each_version() {
        let host = host(Cores::List(vec![1, 3]));
        let limits_of = |version, controllers: &[&str]| {
            let limits = hierarchy(version, controllers).limits(&host, &[1, 3]);
            limits.into_iter().map(|(file, value)| format!("{file}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            limits_of(CgroupVersion::One, &["cpu"]),
            ["cpu.cfs_period_us=10000", "cpu.cfs_quota_us=2200", "cpu.cfs_burst_us=2200"]
        );
        assert_eq!(limits_of(CgroupVersion::One, &["cpuset"]), ["cpuset.cpus=1,3"]);
        assert_eq!(limits_of(CgroupVersion::One, &["memory"]), ["memory.limit_in_bytes=1073741824"]);
        assert_eq!(
            limits_of(CgroupVersion::Two, &["cpu", "cpuset", "memory"]),
            ["cpuset.cpus=1,3", "cpu.max=2200 10000", "cpu.max.burst=2200", "memory.max=1073741824"]
        );
        assert!(limits_of(CgroupVersion::Two, &[]).is_empty());
    }

    #[test]
    fn only_full_pressure_counts_as_waiting() {
        let pressure = "some avg10=9.81 avg60=5.05 avg300=2.56 total=21400000\n\
                        full avg10=0.81 avg60=0.05 avg300=0.00 total=1250000\n";
        assert_eq!(waited_s(pressure), Some(1.25));
        // Older kernels report only the former.
        assert_eq!(waited_s("some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"), None);
    }

    #[test]
    fn page_faults_are_those_of_all_groups_below() {
        assert_eq!(page_faults("cache 4096\npgfault 7\npgmajfault 1\ntotal_pgfault 912\n"), Some(912));
        assert_eq!(page_faults("anon 4096\npgfault 912\npgmajfault 1\n"), Some(912));
        // A group of another controller.
        assert_eq!(page_faults(""), None);
    }

    #[test]
    fn the_rest_is_all_cores_that_no_host_names() {
        let hosts = [host(Cores::List(vec![0])), host(Cores::Rest)];
        assert_eq!(cores_of(&hosts, &[0, 1, 2]).unwrap(), [vec![0], vec![1, 2]]);
        let limits_of = |hosts: &[HostPlan], cores: &[u32]| cores_of(hosts, cores).unwrap_err().to_string();
        assert_eq!(
            limits_of(&hosts, &[0]),
            "the host `web` wants core of its own, but this machine has cores 0"
        );
        assert!(limits_of(&hosts, &[1, 2]).contains("wants core 0, but this machine has cores 1, 2"));
    }
}
