//! At which loads to measure, and whether configurations are compared in rounds at them.

use crate::{
    plan::LoadModel,
    workspace::{Workspace, WorkspaceError, length},
};
use results::{LoadPlan, Objective, Point, RunSpec};
use stats::StoppingRule;
use testbed::HostCounters;
use workload::Catalogue;

/// What a site needs of memory, about.
const BYTES_PER_SITE: u64 = 1 << 30;

/// At which loads to measure.
#[derive(Debug, Clone)]
pub enum Loads {
    /// At these, in this order.
    List(Vec<u32>),
    /// Around the knee until the best load is known, and then at that.
    PeakSearch {
        /// The number of clients that is never exceeded.
        most: u32,
        /// When it is looked whether all is told, so that no further starts are made.
        looks: StoppingRule,
    },
    /// Around the capacity under an objective, until it is known or stays inconclusive.
    Capacity {
        /// The objective.
        objective: Objective,
        /// The number of clients that is never exceeded.
        most: u32,
    },
    /// At these, one after the other on the same running servers: past the peak, and back down.
    OverloadCycle(Vec<u32>),
    /// Those of a model by which users arrive.
    Arrivals(LoadModel),
}

impl Loads {
    /// What is asked for, with the application's load model if that names one.
    pub fn of(spec: &RunSpec, workspace: &Workspace, catalogue: &Catalogue) -> Result<Self, WorkspaceError> {
        Ok(match &spec.loads {
            LoadPlan::Listed(clients) => Self::List(clients.clone()),
            LoadPlan::Search { most, looks } => {
                let looks = if *looks { StoppingRule::Sequential } else { StoppingRule::Fixed };
                Self::PeakSearch { most: *most, looks }
            }
            LoadPlan::Capacity { objective, most } => {
                Self::Capacity { objective: objective.clone(), most: *most }
            }
            LoadPlan::OverloadCycle(steps) => Self::OverloadCycle(steps.clone()),
            LoadPlan::Arrivals { model, clients, .. } => {
                let longest = length(spec.think_time_s / spec.time_scale);
                let mut model = workspace.load_model(catalogue, model)?.thinking_up_to(longest);
                model.clients.clone_from(clients);
                Self::Arrivals(model)
            }
        })
    }

    /// When it is looked at how configurations compare.
    pub(crate) fn looks(&self) -> StoppingRule {
        match self {
            Self::PeakSearch { looks, .. } => *looks,
            Self::List(_) | Self::Capacity { .. } | Self::OverloadCycle(_) | Self::Arrivals(_) => {
                StoppingRule::Fixed
            }
        }
    }
}

/// Whether so many configurations are compared in rounds: at listed loads, at their peaks and capacities, where all sites fit
/// into memory at once. Who goes on with a run does as it had begun.
pub fn compares_in_rounds(loads: &Loads, configurations: usize, points: &[Point]) -> bool {
    let repeats = matches!(loads, Loads::List(_) | Loads::PeakSearch { .. } | Loads::Capacity { .. });
    let fits = || match points {
        [] => fit(configurations),
        points => points.iter().any(|point| point.start.is_some()),
    };
    repeats && configurations > 1 && fits()
}

/// Whether this machine has the memory for so many sites at once.
fn fit(sites: usize) -> bool {
    HostCounters::read().available_bytes >= BYTES_PER_SITE * sites as u64
}
