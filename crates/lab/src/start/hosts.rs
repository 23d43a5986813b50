//! The hosts of a testbed, for all sites of a command: once for one site after the other, or once for each, where all are up
//! at the same time.

use crate::error::LabError;
use std::collections::BTreeMap;
use testbed::{CLIENT, Hosts, LiftedLimits, TestbedError};

/// The hosts that tiers run on, by their roles; none if all run on this machine as it is.
#[derive(Debug, Default)]
pub struct SiteHosts {
    sets: Vec<Hosts>,
    /// The index of the configuration's own set; all others have the first.
    own: BTreeMap<String, usize>,
}

impl SiteHosts {
    /// Hosts for all sites, one after the other.
    pub fn shared(hosts: Hosts) -> Self {
        Self { sets: vec![hosts], own: BTreeMap::new() }
    }

    /// Hosts of its own for each of these configurations.
    pub fn one_each(sets: impl IntoIterator<Item = (String, Hosts)>) -> Self {
        let (names, sets): (Vec<String>, Vec<Hosts>) = sets.into_iter().unzip();
        Self { sets, own: names.into_iter().zip(0..).collect() }
    }

    pub fn of(&self, configuration: &str) -> Option<&Hosts> {
        self.sets.get(self.own.get(configuration).copied().unwrap_or(0))
    }

    /// The hosts of any site: all are alike.
    pub fn any(&self) -> Option<&Hosts> {
        self.sets.first()
    }

    /// An error that names the host if one was lost.
    pub fn expect_there(&self) -> Result<(), TestbedError> {
        Ok(self.sets.iter().try_for_each(Hosts::expect_there)?)
    }

    /// True if sites of several configurations can be up at the same time.
    pub fn hold_several(&self) -> bool {
        self.sets.is_empty() || self.own.len() > 1
    }

    /// Brings this thread, and those that it starts from now on, to where the clients of a configuration are.
    pub fn enter_namespace(&self, configuration: &str) -> Result<(), LabError> {
        let Some(hosts) = self.of(configuration) else { return Ok(()) };
        Ok(hosts.of_role(CLIENT).handle.enter_namespace().map_err(TestbedError::from)?)
    }

    /// Does work that is not measured, while the hosts of a configuration may use all the CPU time of their cores.
    pub fn unthrottled<T>(
        &self,
        configuration: &str,
        work: impl FnOnce() -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        self.lifting(self.of(configuration).into_iter(), work)
    }

    /// Does work that is not measured, while all hosts may use all the CPU time of their cores.
    pub fn all_unthrottled<T>(&self, work: impl FnOnce() -> Result<T, LabError>) -> Result<T, LabError> {
        self.lifting(self.sets.iter(), work)
    }

    fn lifting<'h, T>(
        &'h self,
        hosts: impl Iterator<Item = &'h Hosts>,
        work: impl FnOnce() -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        let lifted = hosts.map(Hosts::lift_quotas).collect::<Result<Vec<_>, _>>()?;
        let done = work();
        lifted.into_iter().try_for_each(LiftedLimits::restore)?;
        done
    }

    /// Lets the tiers of a configuration use all the CPU time of all cores of a testbed until this is dropped; none without
    /// one.
    pub fn lift_all(&self, configuration: &str) -> Result<Option<LiftedLimits<'_>>, LabError> {
        Ok(self.of(configuration).map(Hosts::lift_all).transpose()?)
    }
}
