//! What was measured here of a paper's experiments: all that its claims are judged from.

use crate::{Limit, Workload};
use report::Load;
use std::collections::BTreeMap;

/// What was measured, by workload.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    workloads: BTreeMap<Workload, BTreeMap<String, Measured>>,
}

/// What was measured of a configuration under a workload.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its peak; or why it has none that counts, in a clause that goes on after its name: `has no VALID point`.
    pub peak: Result<Peak, String>,
    /// Its VALID loads, from the lowest up.
    pub curve: Vec<Load>,
}

/// A peak that was confirmed and passed.
#[derive(Debug, Clone)]
pub struct Peak {
    /// Emulated clients.
    pub clients: u32,
    /// Interactions per second of each run.
    pub throughputs: Vec<f64>,
    /// CPU milliseconds of all tiers for an interaction, of each run.
    pub cpu_ms: Vec<f64>,
    /// How busy the CPU of each machine was, as a share of what it may use; without those of which that isn't known.
    pub machines: BTreeMap<String, f64>,
    /// What limits it, as far as that is known.
    pub limit: Option<Limit>,
    /// By which figures that is known, or why it isn't.
    pub evidence: String,
}

impl Seen {
    /// Adds what was measured of a configuration, by its name here.
    pub fn add(&mut self, workload: Workload, configuration: impl Into<String>, measured: Measured) {
        self.workloads.entry(workload).or_default().insert(configuration.into(), measured);
    }

    /// Adds all that was measured elsewhere.
    pub fn extend(&mut self, other: Self) {
        for (workload, configurations) in other.workloads {
            self.workloads.entry(workload).or_default().extend(configurations);
        }
    }

    /// What was measured of a configuration, by its name here.
    pub fn get(&self, workload: &Workload, configuration: &str) -> Option<&Measured> {
        self.workloads.get(workload)?.get(configuration)
    }
}
