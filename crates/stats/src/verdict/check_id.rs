//! Identifiers of a verdict's checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A check of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckId {
    /// The generator had CPU time left.
    GeneratorCpu,
    /// Requests were sent when they were due.
    Lateness,
    /// Requests that were due were sent.
    DroppedSends,
    /// Some interactions completed.
    Completed,
    /// Few interactions failed.
    Errors,
    /// Few requests met a connection that the server was closing.
    KeepAliveRaces,
    /// All clients were present all the time.
    ClientTime,
    /// Clients = throughput × (response + think time): the interactive response time law, `N = X·(R+Z)`.
    ResponseTimeLaw,
    /// The mean of the think times.
    ThinkTimesMean,
    /// The distribution of the think times.
    ThinkTimesLaw,
    /// Each client had made enough requests before the window.
    WarmUp,
    /// The share of each interaction.
    VisitedMix,
    /// The share of each transition.
    Transitions,
    /// The number of times that clients found no link to their next interaction.
    Fallbacks,
    /// Nothing would have to be cut off at the window's beginning.
    #[serde(rename = "steady-state-mser-5")]
    SteadyStateMser5,
    /// Nothing changed within the window.
    SteadyStateChange,
    /// The hypervisor left the processors to this machine.
    Steal,
    /// Other processes left the processors to the tiers and the laboratory.
    OtherProcesses,
    /// The hosts of a testbed got the CPU time of their quotas.
    HostsGotCpu,
    /// The hosts of a testbed that are machines of their own are what they were when they were reached.
    HostsUnchanged,
    /// The site answered as often as it was asked, where requests don't wait for answers.
    KeptUp,
    /// The servers were warm.
    WarmServers,
    /// The data satisfy the invariants.
    Audit,
}

impl CheckId {
    /// All checks, in the order of a verdict.
    pub const ALL: [Self; 23] = [
        Self::GeneratorCpu,
        Self::Lateness,
        Self::DroppedSends,
        Self::Completed,
        Self::Errors,
        Self::KeepAliveRaces,
        Self::ClientTime,
        Self::ResponseTimeLaw,
        Self::ThinkTimesMean,
        Self::ThinkTimesLaw,
        Self::WarmUp,
        Self::VisitedMix,
        Self::Transitions,
        Self::Fallbacks,
        Self::SteadyStateMser5,
        Self::SteadyStateChange,
        Self::Steal,
        Self::OtherProcesses,
        Self::HostsGotCpu,
        Self::HostsUnchanged,
        Self::KeptUp,
        Self::WarmServers,
        Self::Audit,
    ];

    /// The check's name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::GeneratorCpu => "generator CPU",
            Self::Lateness => "lateness",
            Self::DroppedSends => "dropped sends",
            Self::Completed => "completed",
            Self::Errors => "errors",
            Self::KeepAliveRaces => "keep-alive races",
            Self::ClientTime => "client time",
            Self::ResponseTimeLaw => "interactive response time law",
            Self::ThinkTimesMean => "think times: mean",
            Self::ThinkTimesLaw => "think times: law",
            Self::WarmUp => "warm-up",
            Self::VisitedMix => "visited mix",
            Self::Transitions => "transitions",
            Self::Fallbacks => "fallbacks",
            Self::SteadyStateMser5 => "steady state: MSER-5",
            Self::SteadyStateChange => "steady state: change",
            Self::Steal => "steal",
            Self::OtherProcesses => "other processes",
            Self::HostsGotCpu => "hosts got their CPU",
            Self::HostsUnchanged => "hosts unchanged",
            Self::KeptUp => "kept up",
            Self::WarmServers => "warm servers",
            Self::Audit => "audit",
        }
    }
}

impl fmt::Display for CheckId {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.pad(self.name())
    }
}
