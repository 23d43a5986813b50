//! What the tiers of a site and their machine have used.
//!
//! CPU time comes from each supervisor's control group where there is one: it also counts children that have ended and that
//! nobody waited for (mod_cgid has such children; a process tree showed 0.10 s of the 1.57 s that they used). Elsewhere
//! it is added up over the process tree below the supervisor, where such children are lost.

use crate::{
    HostCounters,
    cgroup::Usage,
    idle_spinner,
    processes::{self, Stat, Table, ThreadRuns},
};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::{
    collections::{BTreeSet, HashMap},
    ops::Add,
};

/// CPU time used since some beginning, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CpuTime {
    /// All of it, as exactly as the kernel tells it.
    pub total_s: f64,
    /// The part in user mode, only as exact as clock ticks are.
    pub(crate) user_s: f64,
    /// The part in system mode, likewise.
    pub(crate) system_s: f64,
}

impl CpuTime {
    /// User and system time since an earlier reading, in seconds; their sum is as exact as the total.
    pub fn since(self, earlier: Self) -> (f64, f64) {
        let total = (self.total_s - earlier.total_s).max(0.0);
        let (user, system) = (self.user_s - earlier.user_s, self.system_s - earlier.system_s);
        // Where no tick has found it running, it is supposed to have been as always.
        let (user, system) = if user + system > 0.0 { (user, system) } else { (self.user_s, self.system_s) };
        let share = if user + system > 0.0 { (system / (user + system)).clamp(0.0, 1.0) } else { 0.0 };
        (total * (1.0 - share), total * share)
    }

    fn or_more(self, other: Self) -> Self {
        Self {
            total_s: self.total_s.max(other.total_s),
            user_s: self.user_s.max(other.user_s),
            system_s: self.system_s.max(other.system_s),
        }
    }
}

/// A tier at one instant: what can be asked for each second.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Glance {
    /// CPU time since it started.
    pub cpu: CpuTime,
    /// Resident memory, in bytes; shared pages count once a process.
    pub resident_bytes: u64,
    /// Processes.
    pub processes: u32,
}

/// A tier at one instant, with what is dear to ask for: a few microseconds for each thread.
#[derive(Debug, Clone, Default)]
pub struct Inventory {
    /// CPU time since it started: without a control group more exact than that of a [`Glance`].
    pub cpu: CpuTime,
    /// Threads.
    pub threads: u32,
    minor_faults: u64,
    major_faults: u64,
    disk_bytes: Option<(u64, u64)>,
    /// How often each living thread was given a processor.
    switches: HashMap<u32, u64>,
}

/// What a tier used between two inventories.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Used {
    /// User and system time, in seconds.
    pub cpu_s: (f64, f64),
    /// Page faults that needed no disk.
    pub minor_faults: u64,
    /// Page faults that needed one.
    pub major_faults: u64,
    /// How often a thread was given a processor.
    pub switches: u64,
    /// Bytes read from disks and written to them; nothing where this user may not know.
    pub disk_bytes: Option<(u64, u64)>,
    /// Threads that ended meanwhile. Their switches are not among those above.
    pub ended_threads: u32,
}

impl Add for Used {
    type Output = Self;

    /// What was used in two spans of time together.
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

impl Inventory {
    /// What was used since an earlier inventory.
    pub fn since(&self, earlier: &Self) -> Used {
        let before = |thread: &u32| earlier.switches.get(thread).copied().unwrap_or(0);
        let switches = self.switches.iter().map(|(thread, count)| count.saturating_sub(before(thread)));
        let disk = self.disk_bytes.zip(earlier.disk_bytes);
        Used {
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

/// What is used below one supervisor.
#[derive(Debug)]
pub struct Account {
    supervisor: u32,
    group: Option<Usage>,
    /// Of the tree: what has been seen of it does not get less, whatever is not to be found for a moment.
    cpu: CpuTime,
    resident_bytes: u64,
    /// After how many further glances memory is looked at again.
    memory_due: usize,
}

/// As many processes may have their memory looked at each second; where there are more, it is done less often.
const MEMORY_LOOKS: usize = 200;

impl Account {
    /// Opens the account of a supervisor.
    pub fn of(supervisor: u32) -> Self {
        Self {
            supervisor,
            group: Usage::of(supervisor),
            cpu: CpuTime::default(),
            resident_bytes: 0,
            memory_due: 0,
        }
    }

    /// Looks at the tier without much ado. Where processes are many, some of them are as they were a few glances ago.
    fn glance(&mut self, table: &Table) -> Glance {
        match &self.group {
            Some(group) => {
                let (cpu, processes) = (group.cpu().unwrap_or_default(), self.members(group));
                if self.memory_due == 0 {
                    let each = processes.iter().filter_map(|id| processes::resident_bytes(*id));
                    self.resident_bytes = each.sum();
                    self.memory_due = processes.len().div_ceil(MEMORY_LOOKS);
                }
                self.memory_due = self.memory_due.saturating_sub(1);
                Glance { cpu, resident_bytes: self.resident_bytes, processes: processes.len() as u32 }
            }
            None => {
                let processes = table.below(self.supervisor);
                self.cpu =
                    self.tree_cpu(processes.iter().map(|stat| (*stat, stat.own_s()))).or_more(self.cpu);
                Glance {
                    cpu: self.cpu,
                    resident_bytes: processes.iter().map(|stat| stat.resident_bytes).sum(),
                    processes: processes.len() as u32,
                }
            }
        }
    }

    /// Looks at the tier thoroughly.
    pub fn inventory(&self) -> Inventory {
        self.inventory_of(&self.processes())
    }

    fn inventory_of(&self, ids: &[u32]) -> Inventory {
        let look = |id: &u32| Some((Stat::read(*id)?, processes::threads(*id)));
        let seen: Vec<(Stat, Vec<ThreadRuns>)> = ids.iter().filter_map(look).collect();
        // What orphans used is told of the supervisor, which waits for them.
        let namespace_keeper = Stat::read(self.supervisor);
        let stats = || seen.iter().map(|(stat, _)| stat).chain(&namespace_keeper);
        // What one did that has ended meanwhile is told of whoever waited for it.
        let has_ended = |id: u32| Stat::read(id).is_none();
        let disk = |id: &u32| processes::disk_bytes(*id).or_else(|| has_ended(*id).then_some((0, 0)));
        let mut disks = ids.iter().chain([&self.supervisor]).map(disk);
        // Threads that have ended are only in the former, parts of a clock tick only in the latter.
        let own_s = |stat: &Stat, threads: &[ThreadRuns]| {
            stat.own_s().max(threads.iter().map(|thread| thread.seconds).sum())
        };
        let in_tree = || self.tree_cpu(seen.iter().map(|(stat, threads)| (stat, own_s(stat, threads))));
        Inventory {
            cpu: self.group.as_ref().and_then(Usage::cpu).unwrap_or_else(in_tree),
            threads: seen.iter().map(|(_, threads)| threads.len() as u32).sum(),
            minor_faults: stats().map(|stat| stat.minor_faults).sum(),
            major_faults: stats().map(|stat| stat.major_faults).sum(),
            disk_bytes: disks.try_fold((0, 0), |sum, disk| disk.map(|of| (sum.0 + of.0, sum.1 + of.1))),
            switches: seen
                .iter()
                .flat_map(|(_, threads)| threads)
                .map(|of| (of.thread, of.switches))
                .collect(),
        }
    }

    /// Resident memory in which a page that several processes share counts once, in bytes; nothing where this user may
    /// not know. Dear: the kernel looks at every page.
    pub fn proportional_bytes(&self) -> Option<u64> {
        let processes = self.processes();
        // One that has ended meanwhile holds no memory.
        let alive =
            processes.iter().filter(|id| processes::resident_bytes(**id).is_some_and(|bytes| bytes > 0));
        let sum: Option<u64> = alive.map(|id| processes::proportional_bytes(*id)).sum();
        sum.filter(|bytes| *bytes > 0)
    }

    /// Whether CPU time is that of a control group. If not, children that ended without being waited for are missing.
    pub fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// The ids of its processes, the supervisor's own excluded.
    pub fn processes(&self) -> Vec<u32> {
        let table = if self.has_group() { Table::default() } else { Table::read() };
        self.processes_in(&table)
    }

    fn processes_in(&self, table: &Table) -> Vec<u32> {
        match &self.group {
            Some(group) => self.members(group),
            None => table.below(self.supervisor).iter().map(|stat| stat.pid).collect(),
        }
    }

    /// The processes in its group, the supervisor itself excluded.
    fn members(&self, group: &Usage) -> Vec<u32> {
        let mut processes = group.processes();
        processes.retain(|id| *id != self.supervisor);
        processes
    }

    /// CPU time of the processes below the supervisor, each with what it used itself.
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

/// Some supervisors and their machine at one instant.
#[derive(Debug, Clone)]
pub struct Look {
    /// The machine.
    pub host: HostCounters,
    /// CPU time in seconds of the laboratory: this process and those that it has started, but for the tiers and for keeping
    /// processors awake.
    pub laboratory_s: f64,
    /// Each supervisor, in the order in which they were given.
    pub tiers: Vec<Glance>,
}

/// The accounts of some supervisors of this process, looked at together.
#[derive(Debug)]
pub struct Accounts {
    each: Vec<Account>,
    table: Table,
    /// Where they run, unless that is all of the machine.
    cores: Option<BTreeSet<u32>>,
}

impl Accounts {
    /// Opens the accounts of supervisors.
    pub fn of(supervisors: impl IntoIterator<Item = u32>) -> Self {
        let each = supervisors.into_iter().map(Account::of).collect();
        Self { each, table: Table::default(), cores: None }
    }

    /// Of the machine, looks at these cores only: what runs on others takes nothing from tiers that are kept to these.
    #[must_use]
    pub fn on_cores(self, cores: Option<BTreeSet<u32>>) -> Self {
        Self { cores, ..self }
    }

    /// Each account, in the order in which the supervisors were given.
    pub fn each(&self) -> &[Account] {
        &self.each
    }

    /// Looks thoroughly at what runs below the supervisors, as it was found at the last look.
    pub fn inventories(&self) -> Vec<Inventory> {
        let each = self.each.iter();
        each.map(|account| account.inventory_of(&account.processes_in(&self.table))).collect()
    }

    /// Looks at the machine and at what runs below the supervisors.
    pub fn look(&mut self) -> Look {
        if self.each.iter().any(|account| account.group.is_none()) {
            self.table.refresh();
        }
        let tiers = self.each.iter_mut().map(|account| account.glance(&self.table)).collect();
        Look {
            host: HostCounters::read_on(self.cores.as_ref()),
            laboratory_s: laboratory_s(&self.each),
            tiers,
        }
    }
}

fn laboratory_s(accounts: &[Account]) -> f64 {
    let of_child = |id: u32| {
        let stat = Stat::read(id)?;
        match accounts.iter().find(|account| account.supervisor == id) {
            // It is a member of its group, and what it has waited for belongs to its tier anyway.
            Some(account) if account.has_group() => None,
            Some(_) => Some(stat.own_s()),
            None => Some(stat.own_s() + stat.waited_user_s + stat.waited_system_s),
        }
    };
    let own = std::process::id();
    let waited = Stat::read(own).map_or(0.0, |stat| stat.waited_user_s + stat.waited_system_s);
    let children: f64 = processes::children(own).into_iter().filter_map(of_child).sum();
    clock_s(ClockId::ProcessCPUTime) - idle_spinner::used_s(None) + waited + children
}

/// CPU time of the calling thread, in seconds.
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

    /// Starts a program in Perl and returns once it has said `done`; it lives on.
    fn run_until_done(program: &str) -> Child {
        let mut child = Command::new("perl").args(["-e", program]).stderr(Stdio::piped()).spawn().unwrap();
        child.stderr.as_mut().unwrap().read_exact(&mut [0; 4]).unwrap();
        child
    }

    #[test]
    fn what_the_laboratory_and_its_children_use_is_its_own() {
        let before = Accounts::of([]).look();
        let mut child = run_until_done("1 while (times)[0] < 0.3; print STDERR 'done'; sleep 60");
        let start = thread_cpu_s();
        while thread_cpu_s() < start + 0.3 {}
        let living = Accounts::of([]).look().laboratory_s - before.laboratory_s;
        child.kill().unwrap();
        child.wait().unwrap();
        let ended = Accounts::of([]).look().laboratory_s - before.laboratory_s;
        assert!(living > 0.58, "{living}");
        assert!(ended > living - 0.03, "{living} {ended}");
    }

    #[test]
    fn time_is_divided_as_the_clock_ticks_were_and_sums_up_exactly() {
        let then = CpuTime { total_s: 1.0, user_s: 0.5, system_s: 0.5 };
        let now = CpuTime { total_s: 1.8, user_s: 0.8, system_s: 0.6 };
        let (user, system) = now.since(then);
        assert!((user - 0.6).abs() < 1e-9 && (system - 0.2).abs() < 1e-9, "{user} {system}");
        // No tick found it running: as always, half and half.
        let (user, system) = CpuTime { total_s: 1.004, ..then }.since(then);
        assert!((user - 0.002).abs() < 1e-9 && (system - 0.002).abs() < 1e-9, "{user} {system}");
        assert_eq!(then.since(then), (0.0, 0.0));
    }

    #[test]
    fn what_ended_threads_did_is_said_to_be_missing() {
        let inventory = |switches: &[(u32, u64)]| Inventory {
            switches: switches.iter().copied().collect(),
            disk_bytes: Some((10, 20)),
            ..Inventory::default()
        };
        let (then, now) = (inventory(&[(1, 10), (2, 5)]), inventory(&[(1, 17), (3, 4)]));
        let used = now.since(&then);
        assert_eq!((used.switches, used.ended_threads, used.disk_bytes), (7 + 4, 1, Some((0, 0))));
        assert_eq!(Inventory { disk_bytes: None, ..now }.since(&then).disk_bytes, None);
    }
}
