//! Sampling of what the tiers of a site and their machine use.
//!
//! CPU time comes from each supervisor's control group, if there is one. A group also counts children that ended
//! without being waited for (mod_cgid has such children; a process tree showed 0.10 s of the 1.57 s that they used).
//! Otherwise CPU time is summed over the process tree below the supervisor, which misses such children.

use crate::{
    CpuTime, HostCounters, HostHandle,
    cgroup::CgroupStats,
    idle_spinner,
    processes::{self, ProcessTable, Stat, ThreadRuns},
    remote::{Remote, Request},
};
use rustix::time::{ClockId, Timespec, clock_gettime};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::{BTreeSet, HashMap},
    ops::Add,
    sync::Arc,
};

/// Counters of a tier at one instant, cheap enough for each second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TierCounters {
    pub cpu: CpuTime,
    /// In bytes; shared pages count once per process.
    pub resident_bytes: u64,
    pub processes: u32,
    /// True if it runs on another machine, whose CPU time it uses.
    #[serde(default)]
    pub is_elsewhere: bool,
}

/// Detailed counters of a tier at one instant, which cost a few microseconds per thread.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct DetailedCounters {
    /// CPU time since it started; without a control group it is more exact than that of a [`TierCounters`].
    pub cpu: CpuTime,
    pub threads: u32,
    minor_faults: u64,
    major_faults: u64,
    disk_bytes: Option<(u64, u64)>,
    switches: HashMap<u32, u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TierUsage {
    /// User and system time, in seconds.
    pub cpu_s: (f64, f64),
    pub minor_faults: u64,
    pub major_faults: u64,
    pub switches: u64,
    /// Bytes read from and written to disks; none without permission.
    pub disk_bytes: Option<(u64, u64)>,
    /// Threads that ended meanwhile, whose switches are missing above.
    pub ended_threads: u32,
}

impl Add for TierUsage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let disk = self.disk_bytes.zip(other.disk_bytes);
        Self {
            cpu_s: (self.cpu_s.0 + other.cpu_s.0, self.cpu_s.1 + other.cpu_s.1),
            minor_faults: self.minor_faults + other.minor_faults,
            major_faults: self.major_faults + other.major_faults,
            switches: self.switches + other.switches,
            disk_bytes: disk.map(|(one, other)| (one.0 + other.0, one.1 + other.1)),
            ended_threads: self.ended_threads + other.ended_threads,
        }
    }
}

impl DetailedCounters {
    pub fn since(&self, earlier: &Self) -> TierUsage {
        let before = |thread: &u32| earlier.switches.get(thread).copied().unwrap_or(0);
        let switches = self.switches.iter().map(|(thread, count)| count.saturating_sub(before(thread)));
        let disk = self.disk_bytes.zip(earlier.disk_bytes);
        TierUsage {
            cpu_s: self.cpu.since(earlier.cpu),
            minor_faults: self.minor_faults.saturating_sub(earlier.minor_faults),
            major_faults: self.major_faults.saturating_sub(earlier.major_faults),
            switches: switches.sum(),
            disk_bytes: disk.map(|(now, then)| (now.0.saturating_sub(then.0), now.1.saturating_sub(then.1))),
            ended_threads: earlier.switches.keys().filter(|id| !self.switches.contains_key(id)).count()
                as u32,
        }
    }
}

/// Meters the processes below one supervisor.
#[derive(Debug)]
pub struct TierMeter {
    supervisor: u32,
    /// The connection to its host, if that is a machine of its own.
    remote: Option<Arc<Remote>>,
    has_group: bool,
    group: Option<CgroupStats>,
    /// CPU time of the process tree. It never decreases, even if a process is missing from one sample.
    cpu: CpuTime,
    resident_bytes: u64,
    /// Samples until memory is read again.
    memory_due: usize,
}

/// The most processes whose memory is read each second; with more, it is read less often.
const MEMORY_READS: usize = 200;

impl TierMeter {
    pub fn of(supervisor: u32) -> Self {
        let group = CgroupStats::of(supervisor);
        Self {
            supervisor,
            remote: None,
            has_group: group.is_some(),
            group,
            cpu: CpuTime::default(),
            resident_bytes: 0,
            memory_due: 0,
        }
    }

    /// Meters the processes below a supervisor on this host.
    pub fn of_host(host: &HostHandle, supervisor: u32) -> Self {
        let Some(remote) = host.connection() else { return Self::of(supervisor) };
        // The figures of a lost host are never used.
        let has_group = remote.ask(Request::HasGroup(supervisor)).unwrap_or_default();
        Self {
            supervisor,
            remote: Some(Arc::clone(remote)),
            has_group,
            group: None,
            cpu: CpuTime::default(),
            resident_bytes: 0,
            memory_due: 0,
        }
    }

    /// Samples the tier cheaply. If there are many processes, some readings are a few samples old.
    fn sample(&mut self, table: &ProcessTable) -> TierCounters {
        match &self.group {
            Some(group) => {
                let (cpu, processes) = (group.cpu().unwrap_or_default(), self.members(group));
                if self.memory_due == 0 {
                    let each = processes.iter().filter_map(|id| processes::resident_bytes(*id));
                    self.resident_bytes = each.sum();
                    self.memory_due = processes.len().div_ceil(MEMORY_READS);
                }
                self.memory_due = self.memory_due.saturating_sub(1);
                TierCounters {
                    cpu,
                    resident_bytes: self.resident_bytes,
                    processes: processes.len() as u32,
                    is_elsewhere: false,
                }
            }
            None => {
                let processes = table.below(self.supervisor);
                self.cpu =
                    self.tree_cpu(processes.iter().map(|stat| (*stat, stat.own_s()))).or_more(self.cpu);
                TierCounters {
                    cpu: self.cpu,
                    resident_bytes: processes.iter().map(|stat| stat.resident_bytes).sum(),
                    processes: processes.len() as u32,
                    is_elsewhere: false,
                }
            }
        }
    }

    /// A sample of another machine. Its CPU time never decreases.
    fn sampled_there(&mut self, there: TierCounters) -> TierCounters {
        self.cpu = there.cpu.or_more(self.cpu);
        let is_elsewhere = self.remote.as_ref().is_some_and(|remote| !remote.is_this_machine());
        TierCounters { cpu: self.cpu, is_elsewhere, ..there }
    }

    pub fn sample_in_detail(&self) -> DetailedCounters {
        self.sample_in_detail_of(&self.processes())
    }

    fn sample_in_detail_of(&self, ids: &[u32]) -> DetailedCounters {
        let read = |id: &u32| Some((Stat::read(*id)?, processes::threads(*id)));
        let observed: Vec<(Stat, Vec<ThreadRuns>)> = ids.iter().filter_map(read).collect();
        // The supervisor waits for orphans, so that their usage counts as the supervisor's.
        let supervisor = Stat::read(self.supervisor);
        let stats = || observed.iter().map(|(stat, _)| stat).chain(&supervisor);
        // The usage of a process that has ended counts as that of the process which waited for it.
        let has_ended = |id: u32| Stat::read(id).is_none();
        let disk = |id: &u32| processes::disk_bytes(*id).or_else(|| has_ended(*id).then_some((0, 0)));
        let mut disks = ids.iter().chain([&self.supervisor]).map(disk);
        // Ended threads are only in the former, fractions of a clock tick only in the latter.
        let own_s = |stat: &Stat, threads: &[ThreadRuns]| {
            stat.own_s().max(threads.iter().map(|thread| thread.seconds).sum())
        };
        let in_tree = || self.tree_cpu(observed.iter().map(|(stat, threads)| (stat, own_s(stat, threads))));
        DetailedCounters {
            cpu: self.group.as_ref().and_then(CgroupStats::cpu).unwrap_or_else(in_tree),
            threads: observed.iter().map(|(_, threads)| threads.len() as u32).sum(),
            minor_faults: stats().map(|stat| stat.minor_faults).sum(),
            major_faults: stats().map(|stat| stat.major_faults).sum(),
            disk_bytes: disks.try_fold((0, 0), |sum, disk| disk.map(|of| (sum.0 + of.0, sum.1 + of.1))),
            switches: observed
                .iter()
                .flat_map(|(_, threads)| threads)
                .map(|of| (of.thread, of.switches))
                .collect(),
        }
    }

    /// Resident memory in bytes, with shared pages counted once (PSS); none without permission. Expensive: the kernel
    /// visits every page.
    pub fn proportional_bytes(&self) -> Option<u64> {
        if let Some(remote) = &self.remote {
            return remote.ask(Request::ProportionalBytes(self.supervisor)).ok().flatten();
        }
        let processes = self.processes();
        // A process that has ended meanwhile has no memory.
        let alive =
            processes.iter().filter(|id| processes::resident_bytes(**id).is_some_and(|bytes| bytes > 0));
        let sum: Option<u64> = alive.map(|id| processes::proportional_bytes(*id)).sum();
        sum.filter(|bytes| *bytes > 0)
    }

    /// True if CPU time comes from a control group. If not, children that ended without being waited for are missing.
    pub fn has_group(&self) -> bool {
        self.has_group
    }

    /// Its processes; none of another machine.
    pub fn processes(&self) -> Vec<u32> {
        if self.remote.is_some() {
            return Vec::new();
        }
        let table = if self.has_group() { ProcessTable::default() } else { ProcessTable::read() };
        self.processes_in(&table)
    }

    fn processes_in(&self, table: &ProcessTable) -> Vec<u32> {
        match &self.group {
            Some(group) => self.members(group),
            None => table.below(self.supervisor).iter().map(|stat| stat.pid).collect(),
        }
    }

    /// The processes in its group, the supervisor itself excluded.
    fn members(&self, group: &CgroupStats) -> Vec<u32> {
        let mut processes = group.processes();
        processes.retain(|id| *id != self.supervisor);
        processes
    }

    /// CPU time of the processes below the supervisor, each without its children.
    fn tree_cpu<'a>(&self, processes: impl Iterator<Item = (&'a Stat, f64)>) -> CpuTime {
        let mut cpu = CpuTime::default();
        let mut add = |user: f64, system: f64, total: f64| {
            cpu.user_s += user;
            cpu.system_s += system;
            cpu.total_s += total;
        };
        let waited = |stat: &Stat| (stat.waited_user_s, stat.waited_system_s);
        for (stat, own_s) in processes {
            let (user, system) = waited(stat);
            add(stat.user_s + user, stat.system_s + system, own_s + user + system);
        }
        // Orphans become children of the supervisor, which waits for them.
        let (user, system) = Stat::read(self.supervisor).as_ref().map_or((0.0, 0.0), waited);
        add(user, system, user + system);
        cpu
    }
}

/// The counters of a site's tiers and their machine at one instant.
#[derive(Debug, Clone)]
pub struct SystemCounters {
    pub host: HostCounters,
    /// CPU time of the laboratory in seconds: this process and its children, without the tiers and the idle spinners.
    pub laboratory_s: f64,
    /// The tiers, in the order of their supervisors.
    pub tiers: Vec<TierCounters>,
}

#[derive(Debug)]
pub struct SystemMeter {
    each: Vec<TierMeter>,
    table: ProcessTable,
    /// The cores of the tiers, unless they may use all.
    cores: Option<BTreeSet<u32>>,
}

impl SystemMeter {
    pub fn of(supervisors: impl IntoIterator<Item = u32>) -> Self {
        Self::of_tiers(supervisors.into_iter().map(TierMeter::of))
    }

    pub fn of_tiers(each: impl IntoIterator<Item = TierMeter>) -> Self {
        Self { each: each.into_iter().collect(), table: ProcessTable::default(), cores: None }
    }

    /// Restricts the machine's counters to these cores: others take nothing from the tiers.
    #[must_use]
    pub fn on_cores(self, cores: Option<BTreeSet<u32>>) -> Self {
        Self { cores, ..self }
    }

    /// The meters of the tiers, in the order of their supervisors.
    pub fn each(&self) -> &[TierMeter] {
        &self.each
    }

    /// Samples the tiers in detail, with the processes of the last sample.
    pub fn sample_in_detail(&self) -> Vec<DetailedCounters> {
        let there = self.ask_hosts(Request::SampleInDetail);
        let each = self.each.iter().zip(there);
        each.map(|(meter, there)| match there {
            Some(there) => there,
            None => meter.sample_in_detail_of(&meter.processes_in(&self.table)),
        })
        .collect()
    }

    /// Asks each machine of its own for all of its tiers at once. None for a tier of this machine; of a lost host, nothing is
    /// known and nothing is used.
    fn ask_hosts<T: Default + Clone + DeserializeOwned>(
        &self,
        request: fn(Vec<u32>) -> Request,
    ) -> Vec<Option<T>> {
        let mut answers: Vec<Option<T>> = vec![None; self.each.len()];
        for (index, meter) in self.each.iter().enumerate() {
            let Some(host) = meter.remote.as_ref().filter(|_| answers[index].is_none()) else { continue };
            let is_there = |(_, other): &(usize, &TierMeter)| {
                other.remote.as_ref().is_some_and(|other| Arc::ptr_eq(other, host))
            };
            let (all, supervisors): (Vec<usize>, Vec<u32>) = self
                .each
                .iter()
                .enumerate()
                .filter(is_there)
                .map(|(index, meter)| (index, meter.supervisor))
                .unzip();
            let told: Vec<T> = host.ask(request(supervisors)).unwrap_or_default();
            for (at, index) in all.into_iter().enumerate() {
                answers[index] = Some(told.get(at).cloned().unwrap_or_default());
            }
        }
        answers
    }

    pub fn sample(&mut self) -> SystemCounters {
        if self.each.iter().any(|meter| meter.remote.is_none() && meter.group.is_none()) {
            self.table.refresh();
        }
        let there = self.ask_hosts(Request::Sample);
        let each = self.each.iter_mut().zip(there);
        let tiers = each.map(|(meter, there)| match there {
            Some(there) => meter.sampled_there(there),
            None => meter.sample(&self.table),
        });
        let tiers = tiers.collect();
        SystemCounters {
            host: HostCounters::read_on(self.cores.as_ref()),
            laboratory_s: laboratory_s(&self.each),
            tiers,
        }
    }
}

fn laboratory_s(meters: &[TierMeter]) -> f64 {
    let of_child = |id: u32| {
        let stat = Stat::read(id)?;
        let mut here = meters.iter().filter(|meter| meter.remote.is_none());
        match here.find(|meter| meter.supervisor == id) {
            // It is a member of its group, and its awaited children belong to its tier.
            Some(meter) if meter.has_group() => None,
            Some(_) => Some(stat.own_s()),
            None => Some(stat.own_s() + stat.waited_user_s + stat.waited_system_s),
        }
    };
    let own = std::process::id();
    let waited = Stat::read(own).map_or(0.0, |stat| stat.waited_user_s + stat.waited_system_s);
    let children: f64 = processes::children(own).into_iter().filter_map(of_child).sum();
    clock_s(ClockId::ProcessCPUTime) - idle_spinner::used_s(None) + waited + children
}

pub fn thread_cpu_s() -> f64 {
    clock_s(ClockId::ThreadCPUTime)
}

fn clock_s(clock: ClockId) -> f64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(clock);
    tv_sec as f64 + tv_nsec as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::Read,
        process::{Child, Command, Stdio},
    };

    /// Starts a Perl program and returns once it has printed `done`; it keeps running.
    fn run_until_done(program: &str) -> Child {
        let mut child = Command::new("perl").args(["-e", program]).stderr(Stdio::piped()).spawn().unwrap();
        child.stderr.as_mut().unwrap().read_exact(&mut [0; 4]).unwrap();
        child
    }

    #[test]
    fn the_laboratory_includes_its_children() {
        let before = SystemMeter::of([]).sample();
        let mut child = run_until_done("1 while (times)[0] < 0.3; print STDERR 'done'; sleep 60");
        let start = thread_cpu_s();
        while thread_cpu_s() < start + 0.3 {}
        let living = SystemMeter::of([]).sample().laboratory_s - before.laboratory_s;
        child.kill().unwrap();
        child.wait().unwrap();
        let ended = SystemMeter::of([]).sample().laboratory_s - before.laboratory_s;
        assert!(living > 0.58, "{living}");
        assert!(ended > living - 0.03, "{living} {ended}");
    }

    #[test]
    fn ended_threads_are_counted_as_missing() {
        let counters = |switches: &[(u32, u64)]| DetailedCounters {
            switches: switches.iter().copied().collect(),
            disk_bytes: Some((10, 20)),
            ..DetailedCounters::default()
        };
        let (then, now) = (counters(&[(1, 10), (2, 5)]), counters(&[(1, 17), (3, 4)]));
        let used = now.since(&then);
        assert_eq!((used.switches, used.ended_threads, used.disk_bytes), (7 + 4, 1, Some((0, 0))));
        assert_eq!(DetailedCounters { disk_bytes: None, ..now }.since(&then).disk_bytes, None);
    }
}
