//! Figures second by second. `samples/0007.jsonl` holds one [`Sample`] a line for the seventh point; rates and
//! times are those since the sample before.

use crate::HostUsageSample;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All tiers and their host at one instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// Seconds since the load began.
    pub at_s: f64,
    /// Seconds since the sample before.
    pub length_s: f64,
    /// The machine on which the tiers ran.
    pub host: HostSample,
    /// Each host of the testbed, where it has namespaces.
    pub hosts: Vec<HostUsageSample>,
    /// Each tier, in the order in which they start.
    pub tiers: Vec<TierSample>,
}

/// Figures of a machine; with a testbed, only of those of its cores that hosts may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostSample {
    /// Processors in use, by whomever: 1.5 of 2.
    pub busy_cores: f64,
    /// Of those in use, the part that none of the tiers and not the laboratory used.
    pub other_processes_cores: f64,
    /// Processors that the machine wanted and its own host gave to others.
    pub steal_cores: f64,
    /// Processors that did nothing but stay awake; not in use. None where they may sleep.
    pub awake_cores: f64,
    /// Bytes a second that were sent over the network, loopback included.
    pub network_bytes_per_s: f64,
    /// Bytes a second read from disks; none where the machine doesn't tell.
    pub disk_read_bytes_per_s: Option<f64>,
    /// Bytes a second written to disks; none where the machine doesn't tell.
    pub disk_written_bytes_per_s: Option<f64>,
    /// Memory that could still be given to programs, in bytes.
    pub available_bytes: u64,
}

/// Figures of a tier.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierSample {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name.
    pub service: String,
    /// User time as a share of one core.
    pub user_cores: f64,
    /// System time as a share of one core.
    pub system_cores: f64,
    /// Resident memory, in bytes; shared pages count once a process.
    pub resident_bytes: u64,
    /// Processes.
    pub processes: u32,
    /// Figures of the service about itself, by name: `busy workers`, `waiting for table locks`; the mean where it was asked more
    /// than once in the second.
    pub gauges: BTreeMap<String, f64>,
}
