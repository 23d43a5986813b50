//! What a service's processes have used, by walking the process tree below its lease.
//!
//! The CPU of a child that nobody waited for is lost to this method; a lease is a subreaper, so this only concerns
//! programs that ignore SIGCHLD (mod_cgid does).

use procfs::process::{Process, Stat, all_processes};
use std::{
    collections::HashMap,
    ops::Sub,
};

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

/// What the processes below `root` have used, `root` itself excluded.
pub fn tree_usage(root: u32) -> Usage {
    let ticks = procfs::ticks_per_second() as f64;
    let page = procfs::page_size();
    below(root).iter().fold(Usage::default(), |sum, stat| Usage {
        user_s: sum.user_s + (stat.utime as f64 + stat.cutime as f64) / ticks,
        system_s: sum.system_s + (stat.stime as f64 + stat.cstime as f64) / ticks,
        resident_bytes: sum.resident_bytes + stat.rss * page,
        processes: sum.processes + 1,
    })
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
