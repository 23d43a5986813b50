//! Checks of the machine: steal, other processes, and the CPU that each host of a testbed got of its quota.

use super::{Check, CheckId, percent};

/// The machine's use over the window.
#[derive(Debug, Clone, PartialEq)]
pub struct HostUse {
    /// Processors that tiers and laboratory may use; 0 if not observed.
    pub cores: u32,
    /// Processors that the hypervisor withheld.
    pub steal_cores: f64,
    /// True if the window was part of a round: compared windows then met the same machine.
    pub in_rounds: bool,
    /// Processors used neither by the tiers nor by the laboratory.
    pub other_processes_cores: f64,
    /// Hosts of a testbed with a CPU quota.
    pub quotas: Vec<QuotaUse>,
    /// Hosts of a testbed that are machines of their own.
    pub machines: Vec<MachineUse>,
    /// Hosts of a testbed that are machines of their own, also those that share this one's processors.
    pub states: Vec<MachineState>,
}

/// A machine, compared with what it was when it was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineState {
    pub host: String,
    /// `4 cores, which were 8`.
    pub change: Option<String>,
}

/// Processors that another machine lost.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineUse {
    pub host: String,
    pub cores: f64,
    pub steal_cores: f64,
    pub other_processes_cores: f64,
}

impl HostUse {
    /// True if steal and other processes stayed below their limits.
    pub fn is_undisturbed(&self) -> bool {
        [steal(self), other_processes(self)].iter().all(|check| check.passed)
    }
}

/// A host's CPU quota and what it got of it.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotaUse {
    pub host: String,
    /// The quota, in cores.
    pub cores: f64,
    /// Seconds of the window in which it always had work; none if unknown.
    pub runnable_s: Option<f64>,
    /// CPU time in seconds that it got in `runnable_s`.
    pub granted_s: f64,
}

/// Upper limits of the shares of the processors that are lost.
struct Losses {
    steal: f64,
    other_processes: f64,
}

/// A machine is never quite idle: its kernel and its services take a little.
const ALONE: Losses = Losses { steal: 0.01, other_processes: 0.05 };
/// Neighbours in rounds lose alike, so that their ratio is unaffected; the figures themselves may be too low by as much. A
/// busy machine can still compare.
const IN_ROUNDS: Losses = Losses { steal: 0.05, other_processes: 0.10 };
/// A host whose quota is enforced gets it within a few thousandths.
const KEPT_SHARE: f64 = 0.99;
/// The quota of a period may be used before the observed time, or be left over after it.
const PERIOD_S: f64 = 0.01;

pub(super) fn steal(host: &HostUse) -> Check {
    share_of_machine(CheckId::Steal, host, host.steal_cores, |machine| machine.steal_cores, most(host).steal)
}

pub(super) fn other_processes(host: &HostUse) -> Check {
    let (own, limit) = (host.other_processes_cores, most(host).other_processes);
    share_of_machine(CheckId::OtherProcesses, host, own, |machine| machine.other_processes_cores, limit)
}

fn most(host: &HostUse) -> Losses {
    if host.in_rounds { IN_ROUNDS } else { ALONE }
}

pub(super) fn quotas(quotas: &[QuotaUse]) -> Check {
    let id = CheckId::HostsGotCpu;
    let kept = percent(KEPT_SHARE, 0);
    let threshold = format!("at least {kept} of its quota while a host has work all the time");
    if quotas.iter().any(|quota| quota.runnable_s.is_none()) {
        let why = "the kernel does not tell how long a host's work waits (pressure stall information is off)";
        return Check::not_judged(id, why.into(), threshold);
    }
    let wanting = quotas.iter().filter(|quota| quota.due_s() > 0.0);
    let worst = wanting.min_by(|one, other| one.kept().total_cmp(&other.kept()));
    let Some(worst) = worst else {
        return Check::new(id, true, "no host had work all the time".into(), threshold);
    };
    let QuotaUse { host, cores, runnable_s, .. } = worst;
    let figure = format!(
        "{host} got {} of {} of a core while it had work all the time ({:.0} s)",
        percent(worst.kept(), 1),
        percent(*cores, 0),
        runnable_s.unwrap_or_default()
    );
    Check::new(id, quotas.iter().all(QuotaUse::is_kept), figure, threshold)
}

pub(super) fn unchanged(states: &[MachineState]) -> Check {
    let changes =
        states.iter().filter_map(|state| Some(format!("{}: {}", state.host, state.change.as_ref()?)));
    let changes: Vec<String> = changes.collect();
    let figure = if changes.is_empty() { "none has changed".to_owned() } else { changes.join("; ") };
    let threshold = "system, kernel, processors and memory as when it was reached".to_owned();
    Check::new(CheckId::HostsUnchanged, changes.is_empty(), figure, threshold)
}

impl QuotaUse {
    /// CPU time in seconds that was due in `runnable_s`.
    fn due_s(&self) -> f64 {
        self.cores * self.runnable_s.unwrap_or_default()
    }

    /// The share of it that was granted.
    fn kept(&self) -> f64 {
        self.granted_s / self.due_s()
    }

    fn is_kept(&self) -> bool {
        self.granted_s >= KEPT_SHARE * self.due_s() - PERIOD_S
    }
}

/// Judges what this machine lost, and each other one. Shows those that lost too much, or else the one that lost most.
fn share_of_machine(id: CheckId, host: &HostUse, own: f64, of: fn(&MachineUse) -> f64, most: f64) -> Check {
    let threshold = format!("at most {} of the CPU that tiers and laboratory may use", percent(most, 0));
    if host.cores == 0 {
        return Check::not_judged(id, "the machine was not looked at".into(), threshold);
    }
    let here = ("", own, f64::from(host.cores));
    let others = host.machines.iter().map(|machine| (machine.host.as_str(), of(machine), machine.cores));
    let share = |(_, lost, cores): &(&str, f64, f64)| lost / cores;
    let mut all: Vec<_> = others.chain([here]).collect();
    all.sort_by(|one, other| share(other).total_cmp(&share(one)));
    let is_within = |machine: &(&str, f64, f64)| share(machine) <= most;
    // A share that is no number is beyond it.
    let beyond = all.iter().filter(|machine| !is_within(machine)).count();
    let shown = all.iter().take(beyond.max(1)).map(|machine| {
        let (name, lost, cores) = machine;
        let place = if name.is_empty() { String::new() } else { format!(" on {name}") };
        format!("{} ({lost:.2} of {cores} cores{place})", percent(share(machine), 1))
    });
    Check::new(id, beyond == 0, shown.collect::<Vec<_>>().join("; "), threshold)
}
