//! What is compared.

use crate::{LabError, plan::timing::LONGEST_WARM_UP, workspace::Patience};
use results::StoreTraffic;
use stack::{Configuration, Stack};
use std::time::Duration;
use verify::Traffic;

/// A stack and one of its configurations.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The stack.
    pub stack: Stack,
    /// The configuration.
    pub configuration: Configuration,
    /// How long its clients wait for an answer.
    pub timeout: Patience,
    /// The factors whose values were chosen for it, as they were named.
    pub chosen: Vec<String>,
}

impl Variant {
    /// An error if a program that one of the tiers runs is missing or too old.
    pub fn expect_fit(&self) -> Result<(), LabError> {
        let fit = |tier: &stack::Tier| tier.service.availability(&tier.factors).map(drop);
        let checked = self.configuration.tiers.iter().try_for_each(fit);
        checked
            .map_err(|fault| LabError::NotAvailable { configuration: self.configuration.name.clone(), fault })
    }

    /// Whether what the store logs tells round trips only roughly.
    pub fn estimates_round_trips(&self) -> bool {
        let mut stores = self.configuration.tiers.iter().filter_map(|tier| tier.service.store());
        stores.any(|store| !store.tells_round_trips())
    }

    /// What its pages asked of the store, as a verification has traced it.
    pub fn traffic(&self, traffic: &Traffic) -> StoreTraffic {
        StoreTraffic {
            interactions: traffic.figures.clone(),
            estimates_round_trips: self.estimates_round_trips(),
        }
    }

    /// About how long warming its servers takes: as long as that of the slowest.
    pub fn warm_up(&self) -> Duration {
        let each = self.configuration.tiers.iter().map(|tier| tier.service.warm_up());
        each.max().unwrap_or_default().min(LONGEST_WARM_UP)
    }
}
