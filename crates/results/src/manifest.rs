//! Record of a run: its subjects, its machines and its specification.

use crate::{Objective, Plan, PlantedLoss, Point, RunSpec, Statements, StoreTraffic, Verification};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{CapacitySearch, PeakSearch};
use std::{collections::BTreeMap, fmt};

/// Version of the result's files; it rises when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// Record of a run: its subjects, its machines and its specification.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema_version: u32,
    /// The laboratory's version, with the commit if it is known.
    pub tierbench: String,
    /// The command line, as typed.
    pub command: Vec<String>,
    /// The specification. Nothing else is read to resume the run, or to measure the same again.
    pub spec: RunSpec,
    /// The application's title.
    pub application_title: String,
    /// Instant at which it started.
    pub started: String,
    /// The load model in a line; null if users do not arrive.
    pub load_model: Option<String>,
    /// Seconds that everything was expected to take, before it started.
    pub expected_s: f64,
    /// Instants at which it was continued after an interruption.
    pub resumed: Vec<String>,
    /// Reasons why the figures are only a demonstration, each in a sentence; empty if they are not.
    pub demonstration: Vec<String>,
    /// The compared configurations, in the order in which they were named.
    pub configurations: Vec<ConfigurationRecord>,
    /// The machine.
    pub host: Host,
    /// The hosts on which its tiers ran; none where that was the machine as it is.
    pub testbed: Option<TestbedRecord>,
    /// The row that was deleted on purpose, to show that audits see; none where nothing was audited.
    pub planted_loss: Option<PlantedLoss>,
    /// Its end; absent while it runs or if it was killed.
    pub ending: Option<Ending>,
}

impl Manifest {
    /// The search that has led to these points, all of one configuration; none where loads were listed.
    pub fn search<'a>(&self, points: impl IntoIterator<Item = &'a Point>) -> Option<PeakSearch> {
        let Plan::Peak { .. } = self.spec.loads.plan else { return None };
        let mut search = PeakSearch::new(self.spec.loads.max_clients(), self.spec.repetitions);
        points.into_iter().for_each(|point| point.tell(&mut search));
        Some(search)
    }

    /// The objective under which capacities were searched, with the search that has led to these points, all of one
    /// configuration; none if no capacity was searched.
    pub fn capacity_search<'a>(
        &self,
        points: impl IntoIterator<Item = &'a Point>,
    ) -> Option<(&Objective, CapacitySearch)> {
        let Plan::Capacity { objective } = &self.spec.loads.plan else { return None };
        let mut search = CapacitySearch::new(self.spec.loads.max_clients(), self.spec.repetitions);
        points.into_iter().for_each(|point| point.tell_capacity(&mut search, objective));
        Some((objective, search))
    }
}

/// Stack in one configuration, as it was run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ConfigurationRecord {
    /// Name as in the literature: `WsPhp-DB`.
    pub name: String,
    /// The stack's name.
    pub stack: String,
    /// The interactions of a partial stack; none if it has all of the application's.
    #[serde(default)]
    pub partial: Option<Partial>,
    /// A line for people.
    pub summary: String,
    /// A hash of all that it is made of: code, templates, service files, factors.
    pub content: String,
    /// Size of the stack's code for this application, by language, the most first.
    pub code: Vec<CodeSize>,
    /// Agreement with the recorded statements.
    pub statements: Statements,
    /// Outcome of verification.
    pub verified: Verification,
    /// The values of its factors that no proof has, though other variants of it have one: `protocol=text`.
    #[serde(default)]
    pub unproven: Vec<String>,
    /// Statements of its pages then. None without a store that logs statements, and where verification was left out.
    pub traffic: Option<StoreTraffic>,
    /// The factors in force: `keep_alive` → `1s`.
    pub factors: BTreeMap<String, String>,
    /// Its tiers, in the order in which they start.
    pub services: Vec<ServiceRecord>,
}

/// Some of an application's interactions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Partial {
    /// Interactions that the stack has.
    pub interactions: Vec<String>,
    /// Number of interactions that the application has.
    pub of: u32,
}

/// Mark beside figures: `10 of 27 interactions`.
impl fmt::Display for Partial {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{} of {} interactions", self.interactions.len(), self.of)
    }
}

/// A tier's service.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ServiceRecord {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name: `apache`.
    pub service: String,
    /// Version as the program prints it.
    pub version: String,
}

/// The machine on which it ran.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// Name and release of the operating system.
    pub system: String,
    /// The kernel's release.
    pub kernel: String,
    /// The processor's name.
    pub cpu: String,
    /// Processors that may be used.
    pub cores: u32,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Settings of the kernel that change figures, by name: `cpu governor`, `net.core.somaxconn`.
    pub settings: BTreeMap<String, String>,
}

/// The hosts on which tiers ran.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TestbedRecord {
    /// A line for people.
    pub title: String,
    /// Means that kept them apart.
    pub separation: Separation,
    /// The hosts.
    pub hosts: Vec<HostRecord>,
}

/// Means that keep hosts apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Separation {
    /// By the cores that they use. Needs no rights.
    Cores,
    /// Each is a network namespace with control groups of its own. Needs root.
    Namespaces,
    /// Each is a machine of its own, reached by a command such as ssh.
    Machines,
}

/// A host: a share of the machine.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct HostRecord {
    /// Its name.
    pub name: String,
    /// The roles that it was named for.
    pub roles: Vec<String>,
    /// The machine's cores that it might use.
    pub cores: Vec<u32>,
    /// CPU time that it might use, in cores; none if all that its cores have.
    pub cpu: Option<f64>,
    /// Memory in bytes; none if it wasn't limited.
    pub memory_bytes: Option<u64>,
    /// The speed of its link in bits a second, each way; none if it wasn't limited.
    pub link_bits_per_s: Option<u64>,
    /// The machine, if it has one of its own. A run is continued only on machines of the same kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineRecord>,
}

/// A machine of a testbed, beside the laboratory's own.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct MachineRecord {
    /// Its name on its network.
    pub node_name: String,
    /// The operating system.
    pub system: String,
    /// The kernel's version.
    pub kernel: String,
    /// The processor's name.
    pub cpu: String,
    /// Its memory in bytes.
    pub memory_bytes: u64,
}

/// Lines of code in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeSize {
    /// The language.
    pub language: String,
    /// Files.
    pub files: u64,
    /// Lines with code.
    pub code: u64,
    /// Lines with nothing but comment.
    pub comments: u64,
}

/// End of a command.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
    /// Instant of the end.
    pub at: String,
    /// True if it ran to its end.
    pub complete: bool,
    /// Reason for an early end, in a sentence.
    pub reason: Option<String>,
}
