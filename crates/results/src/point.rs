//! Figures of a point. Times are in milliseconds, instants in UTC (RFC 3339), rates per second, unless a field's name
//! says otherwise.

use crate::{ArrivalFigures, Audit, Gauge, HostSample, HostUsageFigures, StartUp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Check, CheckId, PeakSearch, SearchPhase, SearchRun, of_rounds};
use std::collections::BTreeMap;
use workload::{LoadKind, Series};

/// One measured run at one load.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The configuration's name.
    pub configuration: String,
    /// The configuration's stack.
    pub stack: String,
    /// The load with its figures.
    pub kind: LoadKind,
    /// Number of clients by which the load is known: of arrivals the model's, at a rate the most requests or users at once.
    pub clients: u32,
    /// Repetition of this load, from 1.
    pub repetition: u32,
    /// Of a point that was measured in rounds, the start of all servers that it shares with others of the same number; what is
    /// compared are points of one start. None where the servers of this configuration were alone.
    pub start: Option<u32>,
    /// Its place in the order of all points of the result, from 1: `samples/0007.jsonl` and `latency/0007.hlog` are
    /// those of the seventh.
    pub sequence: u32,
    /// Purpose of the measurement.
    pub purpose: Purpose,
    /// Seed of its clients.
    pub seed: u64,
    /// Seconds after which its clients gave up a request; none where they never did.
    pub timeout_s: Option<f64>,
    /// Instant at which its driving started.
    pub started: String,
    /// Warm-up of its servers before the load; none of an external site.
    pub warm_up: Option<WarmUp>,
    /// Start-up of its servers, with its costs; none of an external site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_up: Option<StartUp>,
    /// Seconds for which the load ran before the window.
    pub warm_s: f64,
    /// Length of the measured window, in seconds.
    pub window_s: f64,
    /// Interactions completed per second of the window; refused and failed ones are not among them.
    pub throughput: f64,
    /// Half-width of the 95 % interval of the throughput, where the window allows one.
    pub throughput_half_width: Option<f64>,
    /// Response times from the intended instant to the last byte.
    pub response: Times,
    /// Quantiles of these with their intervals: 0.5, 0.9 and 0.99. None of them if nothing completed.
    pub quantiles: Vec<Quantile>,
    /// Response times from the first byte sent to the last byte received.
    pub service: Times,
    /// Mean time in milliseconds that a session waits for answers: from one visit of the application's first page to the next. By
    /// the renewal-reward theorem that is the response times of all requests over the visits of that page. None if nobody visited
    /// it, and if programs call operations.
    pub session_mean_ms: Option<f64>,
    /// Sessions that began per second: visits of the first page. None likewise, and of other sites.
    pub sessions_per_s: Option<f64>,
    /// Interactions that completed.
    pub completed: u64,
    /// Interactions that the site refused by a rule of its business (a bid too low).
    pub refused: u64,
    /// Failed interactions by kind.
    pub errors: BTreeMap<String, u64>,
    /// The first cause of each kind of errors since the load began: `certificate expired`, `404 for /a`.
    #[serde(default)]
    pub causes: BTreeMap<String, String>,
    /// References of pages that lead to other sites, which are not requested: by scheme, host and port.
    #[serde(default)]
    pub left_out: BTreeMap<String, u64>,
    /// Pages asked for again by the back button.
    pub backs: u64,
    /// Times a client went back because no link led to where it wanted.
    pub fallbacks: u64,
    /// Connections opened again because the server had closed an idle one.
    pub reconnects: u64,
    /// Bytes received in bodies and headers.
    pub bytes_received: u64,
    /// Figures per interaction.
    pub interactions: Vec<InteractionFigures>,
    /// Figures per tier.
    pub tiers: Vec<TierFigures>,
    /// Figures of the machine that the tiers ran on.
    pub host: HostFigures,
    /// Figures of each host of the testbed, where it has namespaces.
    pub hosts: Vec<HostUsageFigures>,
    /// CPU that sampling of tiers and services took in the window, as a share of one core.
    pub sampler_cpu: f64,
    /// The generator's CPU in the window, as a share of one core (0 to 1).
    pub generator_cpu: f64,
    /// 99th percentile of how late requests were sent.
    pub lateness_p99_ms: f64,
    /// Figures of each generator, where several hosts of the testbed divided the clients: then `generator_cpu` is that of the
    /// busiest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generators: Vec<GeneratorFigures>,
    /// One entry a second, from the start of the ramp.
    pub timeline: Vec<Second>,
    /// Of a point that was measured in rounds, what each brought, in order: the window is all of them together. The same
    /// place in two points of one start is the same round. Empty where the window was one stretch of time.
    pub rounds: Vec<Round>,
    /// Figures of a load whose users arrived; none where they are there all the time.
    pub arrivals: Option<ArrivalFigures>,
    /// State of the data afterwards; none where no store can be audited.
    pub audit: Option<Audit>,
    /// SHA-256 of the run specification by which it was measured, without the conditions. Older results have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<String>,
    /// Credibility of the figures, with the reasons.
    pub verdict: Verdict,
}

/// A generator that drove a part of the clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GeneratorFigures {
    /// Its host.
    pub host: String,
    /// Clients that it drove.
    pub clients: u32,
    /// Its CPU in the window, as a share of one core.
    pub cpu: f64,
    /// 99th percentile of how late its requests were sent.
    pub lateness_p99_ms: f64,
    /// Requests due in the window.
    pub intended: u64,
    /// Requests sent, or begun to connect for, of these.
    pub sent: u64,
}

impl Point {
    /// Failed interactions of all kinds.
    pub fn failed(&self) -> u64 {
        self.errors.values().sum()
    }

    /// Figure of this point on the start that it shares with others: the start, and the figure over its rounds.
    pub fn on_its_start(&self, figure: impl Fn(&Round) -> f64) -> Option<(u32, f64)> {
        let rounds: Vec<f64> = self.rounds.iter().map(figure).collect();
        Some((self.start?, of_rounds(&rounds)?))
    }

    /// Tells a search what this point gave, unless profilers or the steps of an overload cycle before it had slowed it. Told all
    /// points of a configuration, it knows the peak that they confirm.
    pub fn tell(&self, search: &mut PeakSearch) {
        let Some(purpose) = self.search_phase() else { return };
        search.record(SearchRun {
            clients: self.clients,
            purpose,
            throughput: self.throughput,
            valid: self.verdict.valid,
        });
    }

    /// Phase of the search that asked for it; none if it tells a search nothing.
    pub(crate) fn search_phase(&self) -> Option<SearchPhase> {
        match self.purpose {
            _ if self.kind.series() != Series::Curve => None,
            Purpose::Confirm => Some(SearchPhase::Confirm),
            // A search asks for nothing that is listed, so that such a point would be one of its own.
            Purpose::Search | Purpose::Listed => Some(SearchPhase::Search),
            Purpose::Profile => None,
        }
    }
}

/// Figures of a configuration in one round, while all others stood still.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Round {
    /// Length of the round in seconds.
    pub length_s: f64,
    /// Interactions completed per second.
    pub throughput: f64,
    /// CPU time of each tier in seconds, in the order of [`Point::tiers`].
    pub cpu_s: Vec<f64>,
    /// Processors that the machine wanted and its own host gave to others.
    pub steal_cores: f64,
    /// Processors in use by others than tiers and laboratory.
    pub other_processes_cores: f64,
}

impl Round {
    /// CPU time of all tiers per interaction, in milliseconds; not finite if none completed.
    pub fn cpu_ms(&self) -> f64 {
        self.cpu_ms_of(|_| true)
    }

    /// The same of some tiers, by their places in [`Point::tiers`].
    pub fn cpu_ms_of(&self, counts: impl Fn(usize) -> bool) -> f64 {
        let counting = self.cpu_s.iter().enumerate().filter(|(tier, _)| counts(*tier));
        counting.map(|(_, cpu_s)| cpu_s).sum::<f64>() * 1e3 / (self.throughput * self.length_s)
    }
}

/// Warm-up of a point's servers: by clients without think times, whose figures count for nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// Its duration in seconds.
    pub seconds: f64,
    /// Interactions that completed meanwhile.
    pub interactions: u64,
    /// CPU time of all tiers per completed interaction in the first second.
    pub cpu_ms_first: Option<f64>,
    /// The same in the end: the median of the last seconds.
    pub cpu_ms_last: Option<f64>,
    /// Reason for its end.
    pub ended: WarmUpEnd,
    /// Its time limit in seconds; none in results of before it could be set.
    #[serde(default)]
    pub at_most_s: Option<f64>,
    /// True if a compiler worked inside the servers, so that starts differ more than where programs are compiled before.
    pub has_compilers: bool,
    /// Writes that these clients sent.
    pub writes: u64,
    /// The restore of the data then. None if what these clients wrote is still there, and if they wrote nothing.
    pub restore: Option<Restore>,
    /// Clients at the knee, by the CPU that interactions took of each host in the end: enough to keep the bottleneck busy if
    /// nobody waits. None if nothing took any CPU.
    pub knee_clients: Option<f64>,
}

/// Data that were restored to their first state below servers that had been warmed, so that what was written meanwhile
/// makes no difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Restore {
    /// Its duration in seconds, with one reading of all rows and indexes.
    pub seconds: f64,
    /// Rows of all tables together then: as many as were loaded.
    pub rows: u64,
}

/// Reason for the end of a warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WarmUpEnd {
    /// They were warm: what an interaction costs had stopped falling.
    Evidence,
    /// It took too long.
    AtMost,
    /// It was only tried whether everything runs.
    Smoke,
}

/// Purpose of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Its load was asked for.
    Listed,
    /// To find where the peak is, or the capacity. What wins among many is too good by chance, so it counts for no peak.
    Search,
    /// To measure again what the search has found: these are the peak. A capacity is confirmed at the loads on either side.
    Confirm,
    /// To see where the CPU goes, while profilers slow everything down: it counts for nothing else.
    Profile,
}

/// A quantile of the response times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quantile {
    /// Which: 0.99 for the 99th percentile.
    pub quantile: f64,
    /// Response time at the quantile.
    pub ms: f64,
    /// The 95 % interval's ends; none where the window is too short for one.
    pub interval_ms: Option<(f64, f64)>,
}

/// Response times in milliseconds; null if nothing completed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Times {
    /// Arithmetic mean.
    pub mean_ms: Option<f64>,
    /// Median.
    pub p50_ms: Option<f64>,
    /// 90th percentile.
    pub p90_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// The longest.
    pub max_ms: Option<f64>,
}

/// Figures of one interaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionFigures {
    /// Its name.
    pub name: String,
    /// `static`, `read` or `write`.
    pub effect: String,
    /// Interactions that completed.
    pub completed: u64,
    /// Interactions that the site refused.
    pub refused: u64,
    /// Interactions that failed.
    pub failed: u64,
    /// Its share of all requests that the mix comes to, for clients who wait this long for their pages.
    pub expected_share: f64,
    /// Response times from the intended instant.
    pub response: Times,
    /// Nine of ten pages are to come within this, in ms, if the application's specification says so.
    pub response_limit_ms: Option<f64>,
}

/// Figures of one tier.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct TierFigures {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name.
    pub service: String,
    /// User time of all its processes in the window, in seconds.
    pub cpu_user_s: f64,
    /// System time of all its processes in the window, in seconds.
    pub cpu_system_s: f64,
    /// CPU milliseconds per completed interaction.
    pub cpu_ms_per_interaction: f64,
    /// CPU as a share of one core (2.0 is two cores).
    pub cores: f64,
    /// Resident memory of all its processes at the window's end, in bytes; shared pages count once a process.
    pub resident_bytes: u64,
    /// Resident memory in which a page that several processes share counts once, at the window's end; none where the
    /// system doesn't tell.
    pub proportional_bytes: Option<u64>,
    /// Processes at the window's end.
    pub processes: u32,
    /// Threads at the window's end.
    pub threads: u32,
    /// Page faults a second that needed no disk.
    pub minor_faults_per_s: f64,
    /// Page faults a second that needed one.
    pub major_faults_per_s: f64,
    /// Context switches a second, voluntary and not.
    pub switches_per_s: f64,
    /// Bytes a second that its processes read from disks.
    pub disk_read_bytes_per_s: f64,
    /// Bytes a second that its processes wrote to disks.
    pub disk_written_bytes_per_s: f64,
    /// Gaps of this account, each in a sentence: children that ended unseen where there is no control group.
    pub blind: Vec<String>,
    /// Figures of the service about itself, over the window.
    pub gauges: Vec<Gauge>,
}

/// The machine that the tiers ran on, over the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostFigures {
    /// Processors of the host; with a testbed, those that hosts may use.
    pub cores: u32,
    /// Means over the window.
    pub mean: HostSample,
}

/// One second of a point.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Second {
    /// Second since the start of the ramp.
    pub second: u32,
    /// Interactions completed in it.
    pub completed: u64,
    /// Interactions that the site refused in it.
    pub refused: u64,
    /// Interactions that failed in it.
    pub failed: u64,
    /// Mean response time of the completed ones; none without any.
    pub mean_ms: Option<f64>,
    /// The time within which 95 % of them came.
    pub p95_ms: Option<f64>,
}

/// Credibility of a point, with the reasons.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// All checks passed.
    pub valid: bool,
    /// Each check.
    pub checks: Vec<Check>,
}

impl Verdict {
    /// The verdict of these checks: VALID if all passed, and none without any.
    pub fn of(checks: Vec<Check>) -> Self {
        Self { valid: !checks.is_empty() && checks.iter().all(|check| check.passed), checks }
    }

    /// True if checks failed, and only those of how much others used of the machine. What the tiers themselves used is known then.
    pub fn is_only_disturbed(&self) -> bool {
        let mut failed = self.checks.iter().filter(|check| !check.passed).peekable();
        failed.peek().is_some()
            && failed.all(|check| matches!(check.id, CheckId::Steal | CheckId::OtherProcesses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_without_checks_is_not_valid() {
        let check = |passed| Check::new(CheckId::Errors, passed, String::new(), String::new());
        assert!(!Verdict::of(Vec::new()).valid);
        assert!(Verdict::of(vec![check(true), check(true)]).valid);
        assert!(!Verdict::of(vec![check(true), check(false)]).valid);
    }

    #[test]
    fn a_point_is_only_disturbed_if_it_failed_nothing_else() {
        let failed = |ids: &[CheckId]| {
            let all = [CheckId::Errors, CheckId::Steal, CheckId::OtherProcesses].iter();
            let check = |id: &CheckId| Check::new(*id, !ids.contains(id), String::new(), String::new());
            Verdict::of(all.map(check).collect()).is_only_disturbed()
        };
        assert!(failed(&[CheckId::OtherProcesses]) && failed(&[CheckId::Steal, CheckId::OtherProcesses]));
        assert!(!failed(&[]) && !failed(&[CheckId::Errors]) && !failed(&[CheckId::Errors, CheckId::Steal]));
    }
}
