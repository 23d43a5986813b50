//! What a service's processes have used.
//!
//! CPU time comes from the lease's control group where there is one. Elsewhere it is added up over the process tree
//! below the lease: a child that nobody waited for is lost to this method (mod_cgid has such children), and so are
//! threads that have ended.

use crate::group;
use procfs::process::{Process, Stat, all_processes};
use std::{collections::HashMap, ops::Sub};

/// What a tree of processes has used since its start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// User time, in seconds.
    pub user_s: f64,
    /// System time, in seconds.
    pub system_s: f64,
    /// Resident memory now, in bytes; shared pages count once a process.
    pub resident_bytes: u64,
    /// Processes now.
    pub processes: u32,
}

/// The times used since an earlier sample; memory and processes as they are now.
impl Sub for Usage {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self { user_s: self.user_s - earlier.user_s, system_s: self.system_s - earlier.system_s, ..self }
    }
}

/// What the processes below a lease have used, the lease itself excluded.
pub fn tree_usage(lease: u32) -> Usage {
    let processes = below(lease);
    let (user_s, system_s) = group::cpu_seconds(lease).unwrap_or_else(|| cpu_of(&processes));
    let resident: u64 = processes.iter().map(|stat| stat.rss * procfs::page_size()).sum();
    Usage { user_s, system_s, resident_bytes: resident, processes: processes.len() as u32 }
}

/// User and system time of processes, in seconds. Their sum is exact to the nanosecond where the kernel tells it: many
/// processes that each use a little all stay below one clock tick. How it divides is only known in ticks.
fn cpu_of(processes: &[Stat]) -> (f64, f64) {
    let ticks = procfs::ticks_per_second() as f64;
    let (mut user, mut system, mut all) = (0.0, 0.0, 0.0);
    for stat in processes {
        user += (stat.utime as f64 + stat.cutime as f64) / ticks;
        system += (stat.stime as f64 + stat.cstime as f64) / ticks;
        let waited_for = (stat.cutime as f64 + stat.cstime as f64) / ticks;
        all += waited_for + running_seconds(stat).unwrap_or((stat.utime as f64 + stat.stime as f64) / ticks);
    }
    let share_of_system = if user + system > 0.0 { system / (user + system) } else { 0.0 };
    (all * (1.0 - share_of_system), all * share_of_system)
}

/// How long a process's living threads have run.
fn running_seconds(stat: &Stat) -> Option<f64> {
    let tasks = Process::new(stat.pid).ok()?.tasks().ok()?;
    let nanoseconds =
        |task: procfs::ProcResult<procfs::process::Task>| Some(task.ok()?.schedstat().ok()?.sum_exec_runtime);
    let sum: u64 = tasks.filter_map(nanoseconds).sum();
    (sum > 0).then_some(sum as f64 / 1e9)
}

/// The ids of all processes below `root` that still run.
pub(crate) fn descendants(root: u32) -> Vec<u32> {
    below(root).iter().filter(|stat| stat.state != 'Z').map(|stat| stat.pid as u32).collect()
}

fn below(root: u32) -> Vec<Stat> {
    let Ok(processes) = all_processes() else { return Vec::new() };
    let mut children: HashMap<i32, Vec<Stat>> = HashMap::new();
    for stat in processes.flatten().filter_map(|process: Process| process.stat().ok()) {
        children.entry(stat.ppid).or_default().push(stat);
    }
    let mut found: Vec<Stat> = Vec::new();
    let mut open = vec![root as i32];
    while let Some(parent) = open.pop() {
        let own = children.remove(&parent).unwrap_or_default();
        open.extend(own.iter().map(|stat| stat.pid));
        found.extend(own);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_child_is_found_below_its_parent() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let found = descendants(std::process::id());
        let usage = tree_usage(std::process::id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.contains(&child.id()));
        assert!(usage.processes >= 1);
    }
}
