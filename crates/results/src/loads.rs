//! Loads of a run, and the plan by which they are measured.

use crate::Objective;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::StoppingRule;
use std::time::Duration;
use workload::{ArrivalLoad, LoadKind, Series};

/// Loads at which each configuration is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loads {
    /// Loads that are listed, in their order. Of a search one: the largest load that it may try.
    pub kinds: Vec<LoadKind>,
    /// Choice and order of the loads.
    pub plan: Plan,
}

/// Choice and order of the loads that are measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Plan {
    /// Each listed load, in this order.
    Listed,
    /// Loads around the knee until the best one is known, and then that one.
    Peak {
        /// Times at which configurations are compared, so that no further starts are made once all pairs are decided.
        stopping: StoppingRule,
    },
    /// Loads around the capacity, until the most clients are known with which an objective is met.
    Capacity {
        /// The objective: `p90 <= 1s, errors <= 0.1%`.
        objective: Objective,
    },
}

impl Loads {
    /// Loads that are listed.
    pub fn listed(kinds: Vec<LoadKind>) -> Self {
        Self { kinds, plan: Plan::Listed }
    }

    /// Loads of these numbers of clients, one after the other.
    pub fn closed(clients: &[u32], think_time: Duration) -> Self {
        Self::listed(clients.iter().map(|clients| LoadKind::closed(*clients, think_time)).collect())
    }

    /// An overload cycle through these numbers of clients.
    pub fn overload_cycle(steps: &[u32], think_time: Duration) -> Self {
        let think_time_s = think_time.as_secs_f64();
        let step = |clients: &u32| LoadKind::OverloadStep { clients: *clients, think_time_s };
        Self::listed(steps.iter().map(step).collect())
    }

    /// A search for the peak.
    pub fn peak(max_clients: u32, think_time: Duration, stopping: StoppingRule) -> Self {
        Self { kinds: vec![LoadKind::closed(max_clients, think_time)], plan: Plan::Peak { stopping } }
    }

    /// A search for the capacity under an objective.
    pub fn capacity(max_clients: u32, think_time: Duration, objective: Objective) -> Self {
        Self { kinds: vec![LoadKind::closed(max_clients, think_time)], plan: Plan::Capacity { objective } }
    }

    /// Clients of the highest load that may be measured.
    pub fn max_clients(&self) -> u32 {
        self.clients().into_iter().max().unwrap_or_default()
    }

    /// Number of clients of each load.
    pub fn clients(&self) -> Vec<u32> {
        self.kinds.iter().map(LoadKind::clients).collect()
    }

    /// Mean think time in seconds; of arrivals the longest, and 0 if nobody thinks.
    pub fn think_time_s(&self) -> f64 {
        self.kinds.iter().map(LoadKind::think_time_s).fold(0.0, f64::max)
    }

    /// Series of a result in which all points stand.
    pub fn series(&self) -> Series {
        self.kinds.first().map_or(Series::Curve, LoadKind::series)
    }

    /// The first load whose users arrive, which names their model; none if they do not arrive.
    pub fn arrivals(&self) -> Option<&ArrivalLoad> {
        self.kinds.first()?.arrivals()
    }

    /// Times at which configurations are compared.
    pub fn stopping_rule(&self) -> StoppingRule {
        match self.plan {
            Plan::Peak { stopping } => stopping,
            Plan::Listed | Plan::Capacity { .. } => StoppingRule::Fixed,
        }
    }
}
