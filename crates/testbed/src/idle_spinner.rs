//! Keeps idle virtual CPUs scheduled while something is measured.
//!
//! A hypervisor deschedules an idle virtual CPU, gives its core to others, and returns it late. The kernel counts the
//! delay as steal, and a site experiences it as a CPU that is slow at times. On a machine with neighbours whose CPUs
//! were idle for two thirds of the time, steal was 0.3 to 6.1 %; with idle spinners in alternation, 0.2 to 1.1 %. A
//! physical machine has no hypervisor.

use crate::{
    cgroup::{Cgroup, Idle},
    helper_process,
    processes::Stat,
    supervisor::{hide_from_killall, write_line},
};
use fs_err as fs;
use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    io,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

/// The hidden verb under which the laboratory's executable spins on one CPU.
pub const SPIN_VERB: &str = "spin-idle";

/// A process on each CPU that spins and yields to every other process. Its CPU time counts as idle time everywhere.
#[derive(Debug)]
pub struct IdleSpinner {
    spinners: Vec<Spinner>,
}

impl IdleSpinner {
    /// Spins on these CPUs, or on all that this process may use. Does nothing on a physical machine, or where the
    /// kernel lacks idle control groups. The executable must understand [`SPIN_VERB`].
    pub fn keep(executable: &Path, cores: Option<BTreeSet<u32>>) -> Self {
        let cores =
            if is_virtual() == Some(true) { cores.unwrap_or_else(own_cores) } else { BTreeSet::new() };
        Self { spinners: cores.into_iter().map_while(|core| Spinner::start(executable, core)).collect() }
    }

    pub fn is_active(&self) -> bool {
        !self.spinners.is_empty()
    }
}

/// The process that spins on one CPU. Dropping it ends the process.
#[derive(Debug)]
struct Spinner {
    core: u32,
    process: Child,
    group: Idle,
}

impl Spinner {
    fn start(executable: &Path, core: u32) -> Option<Self> {
        let mut spinner = Command::new(executable);
        spinner.args([SPIN_VERB, &core.to_string()]).stderr(Stdio::null());
        // It fails if it can't yield to others, or can't use this CPU.
        let mut process = helper_process::start_until_closed(&mut spinner).ok()?;
        let id = process.id();
        let Some(group) = Idle::of(id) else {
            drop(process.stdin.take());
            let _ = process.wait();
            return None;
        };
        usage().living.insert(id, core);
        let spinner = Self { core, process, group };
        spinner.group.enter().ok()?;
        Some(spinner)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        let mut usage = usage();
        let id = self.process.id();
        if usage.living.remove(&id).is_some() {
            *usage.ended.entry(self.core).or_default() += living_s(id);
        }
        drop(usage);
        // If this fails, it ends later.
        let _ = self.group.leave();
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[derive(Debug)]
struct SpinnerUsage {
    /// The CPUs of running spinners, by process id.
    living: BTreeMap<u32, u32>,
    /// CPU time in seconds of ended spinners, by CPU.
    ended: BTreeMap<u32, f64>,
}

static SPINNER_USAGE: Mutex<SpinnerUsage> =
    Mutex::new(SpinnerUsage { living: BTreeMap::new(), ended: BTreeMap::new() });

fn usage() -> MutexGuard<'static, SpinnerUsage> {
    SPINNER_USAGE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn living_s(spinner: u32) -> f64 {
    Stat::read(spinner).map_or(0.0, |stat| stat.own_s())
}

/// CPU seconds of spinners on these CPUs, or on all, since this process began.
pub(crate) fn used_s(cores: Option<&BTreeSet<u32>>) -> f64 {
    let usage = usage();
    let of = |core: &u32| cores.is_none_or(|cores| cores.contains(core));
    let living = usage.living.iter().filter(|(_, core)| of(core)).map(|(id, _)| living_s(*id));
    let ended = usage.ended.iter().filter(|(core, _)| of(core)).map(|(_, used_s)| *used_s);
    living.chain(ended).sum()
}

/// Executes [`SPIN_VERB`]: spins until standard input closes. Returns the process's exit code.
pub fn spin(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-spinner");
    let core = arguments.first().and_then(|word| word.to_str()?.parse().ok());
    let Some(core) = core.filter(|core| *core < CpuSet::MAX_CPU) else { return 2 };
    // Without its own idle group, a process yields only to those of its group: then there is no spinner.
    let Some(_group) = Cgroup::make_idle() else { return 1 };
    let mut only = CpuSet::new();
    only.set(core);
    // New threads inherit the affinity of this one.
    if sched_setaffinity(None::<Pid>, &only).is_err() {
        return 1;
    }
    let turn = move || {
        write_line(helper_process::STARTED);
        loop {
            std::hint::spin_loop();
        }
    };
    // The thread ends with the process.
    let turning = thread::spawn(turn);
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    i32::from(turning.is_finished())
}

fn own_cores() -> BTreeSet<u32> {
    let Ok(allowed) = sched_getaffinity(None::<Pid>) else { return BTreeSet::new() };
    (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).map(|core| core as u32).collect()
}

/// True if this machine is virtual; none if its CPUs don't report it.
pub fn is_virtual() -> Option<bool> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags = text.lines().find(|line| line.starts_with("flags"))?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}
