//! Keeps processors awake while something is measured.
//!
//! A virtual processor with nothing to do is put to sleep by the machine's own host, which gives its core to others and
//! takes its time to give it back. The kernel counts that time as steal, and a site feels it as a processor that is slow
//! at times. On a machine with neighbours whose processors were idle for two thirds of the time, 0.3 to 6.1 % of its time
//! was stolen; in the spells between, in which they were kept awake, 0.2 to 1.1 %. A real machine has no such host.

use crate::{
    cgroup::{Cgroup, Idle},
    helper_process,
    processes::Stat,
    supervisor::{hide_from_killall, say},
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

/// The hidden verb under which the laboratory's executable keeps one processor awake.
pub const AWAKE_VERB: &str = "awake";

/// While this lives, processors don't sleep: on each of them a process turns round and round that gives way to whatever
/// else wants to run. What it uses counts as idle time everywhere.
#[derive(Debug)]
pub struct IdleSpinner {
    keepers: Vec<Spinner>,
}

impl IdleSpinner {
    /// Keeps these processors awake, or all that this process may use. Does nothing on a real machine, which has no host
    /// that puts it to sleep, and where no process can be told to give way to all others. The executable must understand
    /// [`AWAKE_VERB`].
    pub fn keep(executable: &Path, cores: Option<BTreeSet<u32>>) -> Self {
        let cores =
            if is_virtual() == Some(true) { cores.unwrap_or_else(own_cores) } else { BTreeSet::new() };
        Self { keepers: cores.into_iter().map_while(|core| Spinner::start(executable, core)).collect() }
    }

    /// Whether it does anything.
    pub fn is_kept(&self) -> bool {
        !self.keepers.is_empty()
    }
}

/// The process that keeps one processor awake. Dropping it ends it.
#[derive(Debug)]
struct Spinner {
    core: u32,
    process: Child,
    group: Idle,
}

impl Spinner {
    fn start(executable: &Path, core: u32) -> Option<Self> {
        let mut keeper = Command::new(executable);
        keeper.args([AWAKE_VERB, &core.to_string()]).stderr(Stdio::null());
        // There is none where it can't give way, or can't have this processor.
        let mut process = helper_process::start_until_closed(&mut keeper).ok()?;
        let id = process.id();
        let Some(group) = Idle::of(id) else {
            drop(process.stdin.take());
            let _ = process.wait();
            return None;
        };
        ledger().living.insert(id, core);
        let keeper = Self { core, process, group };
        keeper.group.enter().ok()?;
        Some(keeper)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        let mut ledger = ledger();
        let id = self.process.id();
        if ledger.living.remove(&id).is_some() {
            *ledger.ended.entry(self.core).or_default() += living_s(id);
        }
        drop(ledger);
        // If it is still in, it ends later.
        let _ = self.group.leave();
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// What keepers of this process have used.
#[derive(Debug)]
struct Ledger {
    /// The processors of those that live, by their ids.
    living: BTreeMap<u32, u32>,
    /// CPU time in seconds that those have used that have ended, by processor.
    ended: BTreeMap<u32, f64>,
}

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger { living: BTreeMap::new(), ended: BTreeMap::new() });

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn living_s(keeper: u32) -> f64 {
    Stat::read(keeper).map_or(0.0, |stat| stat.own_s())
}

/// CPU time in seconds that keeping these processors awake has used since this process began; all of them, if none are
/// named.
pub(crate) fn used_s(cores: Option<&BTreeSet<u32>>) -> f64 {
    let ledger = ledger();
    let of = |core: &u32| cores.is_none_or(|cores| cores.contains(core));
    let living = ledger.living.iter().filter(|(_, core)| of(core)).map(|(id, _)| living_s(*id));
    let ended = ledger.ended.iter().filter(|(core, _)| of(core)).map(|(_, used_s)| *used_s);
    living.chain(ended).sum()
}

/// Acts on [`AWAKE_VERB`]: keeps the processor awake until standard input closes. Returns the process's exit code.
pub fn stay(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-awake");
    let core = arguments.first().and_then(|word| word.to_str()?.parse().ok());
    let Some(core) = core.filter(|core| *core < CpuSet::MAX_CPU) else { return 2 };
    // Whoever shares a group with others gives way to these only. So, no such group, no keeper.
    let Some(_group) = Cgroup::make_idle() else { return 1 };
    let mut only = CpuSet::new();
    only.set(core);
    // All threads begin where this one is.
    if sched_setaffinity(None::<Pid>, &only).is_err() {
        return 1;
    }
    let turn = move || {
        say(helper_process::STARTED);
        loop {
            std::hint::spin_loop();
        }
    };
    // It ends with the process.
    let turning = thread::spawn(turn);
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    i32::from(turning.is_finished())
}

fn own_cores() -> BTreeSet<u32> {
    let Ok(allowed) = sched_getaffinity(None::<Pid>) else { return BTreeSet::new() };
    (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).map(|core| core as u32).collect()
}

/// Whether this machine is a virtual one; nothing where its processors don't tell.
pub fn is_virtual() -> Option<bool> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags = text.lines().find(|line| line.starts_with("flags"))?;
    Some(flags.split_whitespace().any(|flag| flag == "hypervisor"))
}
