//! Variants: the configurations that an experiment compares, each with its factors.

use crate::{error::LabError, workspace::Timeout};
use results::{Partial, StoreTraffic};
use stack::{Configuration, Stack, Tier};
use std::time::Duration;
use testbed::Hosts;
use verify::Traffic;
use workload::Catalogue;

/// The least time limit of a warm-up. On a slow machine, a JVM was seen not to be warm after 90 s.
pub(crate) const LEAST_WARM_UP_LIMIT: Duration = Duration::from_secs(240);
/// The time limit of a warm-up in multiples of the expected time.
const WARM_UP_LIMIT: u32 = 4;

/// A stack and one of its configurations.
#[derive(Debug, Clone)]
pub struct Variant {
    pub stack: Stack,
    pub configuration: Configuration,
    pub timeout: Timeout,
    /// The factors whose values were chosen for it, as they were named.
    pub chosen: Vec<String>,
}

impl Variant {
    /// An error if a program that one of the tiers runs is missing on its host, or too old.
    pub fn expect_fit(&self, hosts: Option<&Hosts>) -> Result<(), LabError> {
        self.expect_tiers_fit(hosts, |_| true)
    }

    /// The same of the tiers for which `is_asked` is true.
    pub(crate) fn expect_tiers_fit(
        &self,
        hosts: Option<&Hosts>,
        mut is_asked: impl FnMut(&Tier) -> bool,
    ) -> Result<(), LabError> {
        let tiers = &self.configuration.tiers;
        let fit = |index: usize| {
            if !is_asked(&tiers[index]) {
                return Ok(());
            }
            let place = stack::place_of(&tiers[index..], hosts);
            tiers[index].service.availability_on(&place, &tiers[index].factors).map(drop)
        };
        let checked = (0..tiers.len()).try_for_each(fit);
        checked
            .map_err(|fault| LabError::NotAvailable { configuration: self.configuration.name.clone(), fault })
    }

    /// True if it has an interaction of the application; a partial stack has some.
    pub fn has(&self, interaction: &str) -> bool {
        self.stack.interactions().is_none_or(|mut names| names.any(|name| name == interaction))
    }

    /// The interactions of a partial stack; none if it has all of the application's.
    pub fn partial(&self, catalogue: &Catalogue) -> Option<Partial> {
        let interactions: Vec<String> = self.stack.interactions()?.map(str::to_owned).collect();
        let of = catalogue.interactions().len() as u32;
        Some(Partial { interactions, of }).filter(|partial| (partial.interactions.len() as u32) < of)
    }

    /// True if the log of its store shows round trips only roughly.
    pub fn estimates_round_trips(&self) -> bool {
        let mut stores = self.configuration.tiers.iter().filter_map(|tier| tier.service.store());
        stores.any(|store| !store.tells_round_trips())
    }

    /// The requests of its pages to the store, as a verification has traced them.
    pub fn traffic(&self, traffic: &Traffic) -> StoreTraffic {
        StoreTraffic {
            interactions: traffic.figures.clone(),
            estimates_round_trips: self.estimates_round_trips(),
        }
    }

    /// The expected time to warm its servers: that of the slowest tier.
    pub fn warm_up(&self) -> Duration {
        let each = self.configuration.tiers.iter().map(|tier| tier.service.warm_up());
        each.max().unwrap_or_default()
    }

    /// The time limit of its warm-up: the one that was asked for, or else by the expected time.
    pub fn longest_warm_up(&self, asked: Option<Duration>) -> Duration {
        asked.unwrap_or_else(|| LEAST_WARM_UP_LIMIT.max(self.warm_up() * WARM_UP_LIMIT))
    }
}
