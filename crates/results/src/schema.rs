//! What is written down. Times are in milliseconds, instants in UTC (RFC 3339), rates per second, unless a field's
//! name says otherwise.

use serde::{Deserialize, Serialize};
use stats::Check;
use std::collections::BTreeMap;

/// Version of this schema; it rises when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// What was run, on what, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema_version: u32,
    /// The laboratory's version, with the commit if it is known.
    pub tierbench: String,
    /// The command line, as typed.
    pub command: Vec<String>,
    /// The verb: `run` or `compare`.
    pub verb: String,
    /// The application's name.
    pub application: String,
    /// The application's title.
    pub application_title: String,
    /// The mix's name.
    pub mix: String,
    /// When it started.
    pub started: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Scale of the data, as a multiple of the papers'.
    pub scale: f64,
    /// Factor on think times, session lengths and keep-alive times; 1 is the real thing.
    pub time_scale: f64,
    /// Mean think time after scaling, in seconds.
    pub think_time_s: f64,
    /// Mean session length after scaling, in seconds.
    pub session_length_s: f64,
    /// Time during which clients are added and servers warm, in seconds.
    pub ramp_s: f64,
    /// Measured time of each point, in seconds.
    pub window_s: f64,
    /// How often each load is measured.
    pub repetitions: u32,
    /// Why the figures are only a demonstration, if they are: each reason in a sentence.
    pub demonstration: Vec<String>,
    /// The compared configurations, in the order in which they were named.
    pub configurations: Vec<ConfigurationRecord>,
    /// The machine.
    pub host: Host,
    /// The row that was deleted on purpose, to show that audits see; none where nothing was audited.
    #[serde(default)]
    pub planted_loss: Option<PlantedLoss>,
    /// How it ended; absent while it runs or if it was killed.
    pub ending: Option<Ending>,
}

/// How a stack was run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConfigurationRecord {
    /// As in the literature: `WsPhp-DB`.
    pub name: String,
    /// The stack's name.
    pub stack: String,
    /// A line for people.
    pub summary: String,
    /// `exact`, `equivalent` or `own`: whether it sends the recorded statements.
    pub work: String,
    /// How verification ended: `passed`, or why it was left out.
    pub verified: String,
    /// The factors in force: `keep_alive` → `1s`.
    pub factors: BTreeMap<String, String>,
    /// Its tiers, in the order in which they start.
    pub services: Vec<ServiceRecord>,
}

/// A tier's service.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ServiceRecord {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name: `apache`.
    pub service: String,
    /// What the program says of its version.
    pub version: String,
}

/// The machine on which it ran.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Host {
    /// Name and release of the operating system.
    pub system: String,
    /// The kernel's release.
    pub kernel: String,
    /// The processor's name.
    pub cpu: String,
    /// How many processors may be used.
    pub cores: u32,
    /// Memory in bytes.
    pub memory_bytes: u64,
}

/// How a command ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ending {
    /// When.
    pub at: String,
    /// Whether it ran to its end.
    pub complete: bool,
    /// Why not, in a sentence.
    pub reason: Option<String>,
}

/// One measured run at one load.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Point {
    /// The configuration's name.
    pub configuration: String,
    /// The configuration's stack.
    pub stack: String,
    /// Emulated clients.
    pub clients: u32,
    /// Which repetition of this load, from 1.
    pub repetition: u32,
    /// When its driving started.
    pub started: String,
    /// Length of the measured window, in seconds.
    pub window_s: f64,
    /// Interactions completed per second of the window; refused and failed ones are not among them.
    pub throughput: f64,
    /// Half-width of the 95 % interval of the throughput, where the window allows one.
    pub throughput_half_width: Option<f64>,
    /// Response times from the intended instant to the last byte.
    pub response: Times,
    /// Response times from the first byte sent to the last byte received.
    pub service: Times,
    /// Interactions that completed.
    pub completed: u64,
    /// Interactions that the site refused by a rule of its business (a bid too low).
    pub refused: u64,
    /// Failed interactions by kind.
    pub errors: BTreeMap<String, u64>,
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
    /// The generator's CPU in the window, as a share of one core (0 to 1).
    pub generator_cpu: f64,
    /// 99th percentile of how late requests were sent.
    pub lateness_p99_ms: f64,
    /// One entry a second, from the start of the ramp.
    pub timeline: Vec<Second>,
    /// What was found of the data afterwards; none where there is no store to look into.
    #[serde(default)]
    pub audit: Option<Audit>,
    /// Whether the figures may be believed.
    pub verdict: Verdict,
}

impl Point {
    /// Failed interactions of all kinds.
    pub fn failed(&self) -> u64 {
        self.errors.values().sum()
    }
}

/// What was found of the data after a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// How long it took.
    pub seconds: f64,
    /// Each invariant of the application.
    pub findings: Vec<Finding>,
    /// Each table, with the writes that clients sent.
    pub accounts: Vec<Account>,
}

impl Audit {
    /// All that is wrong with the data, each in a sentence.
    pub fn faults(&self) -> Vec<String> {
        let violated = self.findings.iter().filter(|finding| finding.violations > 0);
        let violated = violated.map(|finding| {
            let times = if finding.violations == 1 { "once" } else { "times" };
            let count =
                if finding.violations == 1 { String::new() } else { format!("{} ", finding.violations) };
            let example = finding.examples.first().map_or(String::new(), |first| format!(", as in {first}"));
            format!("“{}” is not so {count}{times}{example}", finding.sentence.trim_end_matches('.'))
        });
        violated.chain(self.accounts.iter().flat_map(Account::faults)).collect()
    }
}

/// What was found of one invariant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The invariant's name.
    pub invariant: String,
    /// What must hold.
    pub sentence: String,
    /// How often it does not.
    pub violations: u64,
    /// The first violations.
    pub examples: Vec<String>,
    /// How long looking took.
    pub seconds: f64,
}

/// The rows of a table against the writes that clients sent. Rows that the application makes by itself apart, each new
/// one must be an acknowledged write or one in doubt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The table.
    pub table: String,
    /// Writes that a page has confirmed.
    pub acknowledged: u64,
    /// Writes that a rule has refused.
    pub refused: u64,
    /// Writes that were sent and never properly answered.
    pub in_doubt: u64,
    /// Rows that are newer than the loaded ones.
    pub new: u64,
    /// New rows that the application has made by itself.
    pub derived: u64,
    /// New rows that are neither derived nor acknowledged: at most as many as writes in doubt.
    pub unclaimed: u64,
    /// Acknowledged writes whose rows are not there.
    pub missing: u64,
    /// The first of them, by id.
    pub missing_ids: Vec<u64>,
    /// Writes that were acknowledged with the same row as another.
    pub repeated: u64,
    /// Loaded rows that are gone.
    pub gone: u64,
}

impl Account {
    /// What is wrong with the table, each in a sentence.
    pub fn faults(&self) -> Vec<String> {
        let Self { table, acknowledged, in_doubt, unclaimed, missing, repeated, gone, .. } = self;
        let first: Vec<String> = self.missing_ids.iter().map(ToString::to_string).collect();
        let sentences = [
            (*missing > 0).then(|| {
                let ids = first.join(", ");
                format!("{missing} of {acknowledged} acknowledged rows of {table} are not there (the first: {ids})")
            }),
            (*repeated > 0).then(|| format!("{repeated} rows of {table} were acknowledged more than once")),
            (unclaimed > in_doubt).then(|| {
                format!(
                    "{unclaimed} new rows of {table} were never acknowledged, but only {in_doubt} writes were in doubt"
                )
            }),
            (*gone > 0).then(|| format!("{gone} loaded rows of {table} are gone")),
        ];
        sentences.into_iter().flatten().collect()
    }
}

/// A row that was deleted on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlantedLoss {
    /// On which configuration.
    pub configuration: String,
    /// The row's table.
    pub table: String,
    /// The row's id.
    pub id: u64,
    /// Whether a client had written it in the point before; if not, it was loaded.
    pub written: bool,
    /// What saw it: invariants by name, and the account of writes.
    pub seen_by: Vec<String>,
}

/// Response times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Arithmetic mean.
    pub mean_ms: f64,
    /// Median.
    pub p50_ms: f64,
    /// 90th percentile.
    pub p90_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

/// What was measured of one interaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InteractionFigures {
    /// Its name.
    pub name: String,
    /// `static`, `read` or `write`.
    pub effect: String,
    /// How many completed.
    pub completed: u64,
    /// How many were refused.
    pub refused: u64,
    /// How many failed.
    pub failed: u64,
    /// Response times from the intended instant.
    pub response: Times,
}

/// What was measured of one tier.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// Processes at the window's end.
    pub processes: u32,
}

/// One second of a point.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Second {
    /// Second since the start of the ramp.
    pub second: u32,
    /// Interactions completed in it.
    pub completed: u64,
    /// Interactions that failed in it.
    pub failed: u64,
    /// Mean response time of the completed ones.
    pub mean_ms: f64,
}

/// Whether a point may be believed, and why.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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
}
