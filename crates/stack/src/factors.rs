//! The factors of a configuration: the stack's own and those of its services, which share one name space.

use crate::{Configuration, Stack, manifest::DATABASE};
use services::{Factors, WrongValue};
use std::{collections::BTreeMap, iter};

/// What the variables begin with in which a stack's processes find the stack's factors.
const VARIABLE: &str = "TIERBENCH_FACTOR_";

impl Stack {
    /// What declares the factors of one of its configurations.
    pub fn declared<'a>(&'a self, configuration: &'a Configuration) -> impl Iterator<Item = &'a Factors> {
        let own = [&self.factors, &configuration.own, &configuration.database];
        own.into_iter().chain(configuration.tiers.iter().map(|tier| &tier.service.factors))
    }

    /// The configuration with another value of a factor, and with both in its name. The same one if that is the value
    /// it has, or if it has no such factor.
    pub fn vary(
        &self,
        configuration: &Configuration,
        factor: &str,
        value: &str,
    ) -> Result<Configuration, WrongValue> {
        self.declared(configuration).try_for_each(|factors| factors.check(factor, value))?;
        let mut varied = configuration.clone();
        let tiers = varied.tiers.iter_mut().map(|tier| &mut tier.factors);
        let mut differs = false;
        for known in
            iter::once(&mut varied.factors).chain(tiers).filter_map(|factors| factors.get_mut(factor))
        {
            differs |= known != value;
            value.clone_into(known);
        }
        if factor == DATABASE && differs {
            varied.tiers.iter_mut().for_each(|tier| tier.run(value));
        }
        if differs {
            varied.name = format!("{},{factor}={value}", varied.name);
        }
        Ok(varied)
    }

    /// The variables that tell the stack's processes its factors.
    pub(crate) fn factors_in_environment(
        &self,
        configuration: &Configuration,
        time_scale: f64,
    ) -> BTreeMap<String, String> {
        let values = self.factors.rendered(&configuration.factors, time_scale).into_iter();
        // Which store it is, the store's own variables tell.
        let values = values.filter(|(name, _)| !configuration.database.names().any(|other| other == name));
        values
            .map(|(name, value)| (format!("{VARIABLE}{}", name.to_uppercase()), value.to_string()))
            .collect()
    }
}

/// The factor that sets a pool's size: sizes of pools are factors, never hidden in a stack.
const POOL: &str = "pool";

impl Configuration {
    /// Whether its processes may keep connections to the store in a pool.
    pub(crate) fn has_pool(&self) -> bool {
        let mut all = iter::once(&self.factors).chain(self.tiers.iter().map(|tier| &tier.factors));
        all.any(|factors| factors.contains_key(POOL))
    }

    /// Of the databases that it can run on, those that have a factor of this name.
    pub fn databases_with(&self, factor: &str) -> Vec<&str> {
        let choices = self.tiers.iter().flat_map(|tier| &tier.choices).map(|choice| &choice.service);
        let known = choices.filter(|service| service.factors.names().any(|name| name == factor));
        known.map(|service| service.name.as_str()).collect()
    }

    /// Its name without the factors by which it differs from how it is declared.
    pub fn plain_name(&self) -> &str {
        self.name.split(',').next().unwrap_or_default()
    }
}
