//! The factors of a configuration: the stack's own and those of its tiers, prefixed with the tier's name where
//! several have the same.

use crate::{Configuration, Stack, Tier};
use results::VariantId;
use services::{Factors, WrongValue};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

/// Prefix of the stack's factors in its processes' environment.
const VARIABLE: &str = "TIERBENCH_FACTOR_";

#[derive(Debug, Clone, Copy)]
pub struct Factor<'a> {
    declared: &'a Factors,
    name: &'a str,
    owner: Owner<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner<'a> {
    Configuration,
    /// The tier at this index, with this name.
    Tier(usize, &'a str),
}

impl Factor<'_> {
    pub fn values(&self) -> &[String] {
        self.declared.values(self.name)
    }

    /// Its name with its tier's: `ejb.heap`.
    fn full_name(&self) -> String {
        match self.owner {
            Owner::Configuration => self.name.to_owned(),
            Owner::Tier(_, tier) => format!("{tier}.{}", self.name),
        }
    }

    /// True if a word is its name, with or without its tier's.
    fn is_meant_by(&self, word: &str) -> bool {
        word == self.name || word == self.full_name()
    }
}

impl Stack {
    fn factors<'a>(&'a self, configuration: &'a Configuration) -> impl Iterator<Item = Factor<'a>> {
        let own = [&configuration.declared, &configuration.choices];
        let own = own.map(|declared| (declared, Owner::Configuration));
        let own = own
            .into_iter()
            .flat_map(|(declared, owner)| declared.names().map(move |name| Factor { declared, name, owner }));
        own.chain(configuration.tiers.iter().enumerate().flat_map(|(at, tier)| {
            let open = tier.service.factors.names().filter(|name| !configuration.holds(tier, name));
            let (declared, owner) = (&tier.service.factors, Owner::Tier(at, tier.name()));
            open.map(move |name| Factor { declared, name, owner })
        }))
    }

    /// Factor names of a configuration, prefixed with the tier's where several have the same.
    pub fn factor_names(&self, configuration: &Configuration) -> Vec<String> {
        let all: Vec<Factor<'_>> = self.factors(configuration).collect();
        all.iter().map(|factor| short_name(factor, &all)).collect()
    }

    /// The factors of a configuration whose values are listed: name, values, and the value in force.
    pub fn listed_factors<'a>(
        &'a self,
        configuration: &'a Configuration,
    ) -> Vec<(String, &'a [String], &'a str)> {
        let all: Vec<Factor<'a>> = self.factors(configuration).collect();
        let of = |factor: &Factor<'a>| {
            let values = match factor.owner {
                Owner::Configuration => &configuration.factors,
                Owner::Tier(at, _) => &configuration.tiers[at].factors,
            };
            let value = values.get(factor.name)?;
            Some((short_name(factor, &all), factor.declared.values(factor.name), value.as_str()))
        };
        all.iter().filter_map(of).filter(|(_, values, _)| !values.is_empty()).collect()
    }

    /// The factor of a configuration with this name: `heap`, or `ejb.heap` where several tiers have a factor `heap`.
    pub fn factor<'a>(
        &'a self,
        configuration: &'a Configuration,
        word: &str,
    ) -> Result<Option<Factor<'a>>, WrongValue> {
        let meant: Vec<Factor<'a>> =
            self.factors(configuration).filter(|factor| factor.is_meant_by(word)).collect();
        match meant.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => {
                let names: Vec<String> = several.iter().map(Factor::full_name).collect();
                Err(WrongValue {
                    fault: format!("in `{}`, several tiers have a factor `{word}`", configuration.name),
                    remedy: format!("say which is meant: {}", names.join(" or ")),
                })
            }
        }
    }

    /// The configuration with another value of a factor, and with both in its name. Unchanged if it has that value
    /// already, or no such factor.
    pub fn vary(
        &self,
        configuration: &Configuration,
        word: &str,
        value: &str,
    ) -> Result<Configuration, WrongValue> {
        let mut varied = configuration.clone();
        let Some(factor) = self.factor(configuration, word)? else { return Ok(varied) };
        factor.declared.check(factor.name, value)?;
        expect_nameable(factor.name, value)?;
        varied.withdraw_settings();
        let values = match factor.owner {
            Owner::Configuration => &mut varied.factors,
            Owner::Tier(at, _) => &mut varied.tiers[at].factors,
        };
        if values.insert(factor.name.to_owned(), value.to_owned()).as_deref() == Some(value) {
            return Ok(configuration.clone());
        }
        let chosen = varied.tiers.iter_mut().filter(|tier| tier.choice() == Some(factor.name));
        if factor.owner == Owner::Configuration {
            chosen.for_each(|tier| tier.run(value));
        }
        varied.enforce_settings();
        let all: Vec<Factor<'_>> = self.factors(configuration).collect();
        varied.name = configuration.id().with(short_name(&factor, &all), value).to_string();
        Ok(varied)
    }

    /// The variables that give the stack's processes its factors.
    pub(crate) fn factors_in_environment(
        &self,
        configuration: &Configuration,
        time_scale: f64,
    ) -> BTreeMap<String, String> {
        let values = configuration.declared.rendered(&configuration.factors, time_scale).into_iter();
        // The store's own variables give its kind.
        let values = values.filter(|(name, _)| !configuration.choices.has(name));
        values
            .map(|(name, value)| (format!("{VARIABLE}{}", name.to_uppercase()), value.to_string()))
            .collect()
    }
}

/// The factor for a pool's size: such sizes are factors, never hidden in a stack.
const POOL: &str = "pool";

impl Configuration {
    pub(crate) fn has_pool(&self) -> bool {
        let mut all = iter::once(&self.factors).chain(self.tiers.iter().map(|tier| &tier.factors));
        all.any(|factors| factors.contains_key(POOL))
    }

    /// Factors that choose the services of tiers or set their factors, and thereby which factors are open.
    pub fn choice_names(&self) -> impl Iterator<Item = &str> {
        let setting = self.declared.setting_values().map(|(name, ..)| name);
        self.choices.names().chain(setting.collect::<BTreeSet<_>>())
    }

    /// True if a factor of a tier is fixed at the only correct value.
    fn holds(&self, tier: &Tier, factor: &str) -> bool {
        tier.fixed.iter().any(|name| name == factor) || self.set_value(tier, factor).is_some()
    }

    /// The choices of services that would bring a factor of this name, each as `database=mariadb`.
    pub fn choices_with(&self, factor: &str) -> Vec<String> {
        let open = self.tiers.iter().filter_map(|tier| Some((tier.choice()?, &tier.choices)));
        let all = open.flat_map(|(choice, services)| services.iter().map(move |one| (choice, &one.service)));
        let known = all.filter(|(_, service)| service.factors.has(factor));
        known.map(|(choice, service)| format!("{choice}={}", service.name)).collect()
    }

    /// True if a word is a factor that this configuration fixes at the only correct value.
    pub fn fixes(&self, word: &str) -> bool {
        self.tiers.iter().any(|tier| {
            let is_meant = |name: &&str| word == *name || word == format!("{}.{name}", tier.name());
            tier.service.factors.names().filter(is_meant).any(|name| self.holds(tier, name))
        })
    }

    pub fn id(&self) -> VariantId {
        self.name.parse().expect("a configuration is refused whose name is none, and factors have values")
    }

    /// Its name without the factors that differ from its declaration.
    pub fn plain_name(&self) -> &str {
        results::plain_name(&self.name)
    }
}

/// Refuses values that can't be part of a variant's name.
fn expect_nameable(factor: &str, value: &str) -> Result<(), WrongValue> {
    if !value.is_empty() && !value.contains(',') {
        return Ok(());
    }
    let fault =
        format!("`{value}` can't be told in the name of a variant, where `{factor}` stands with its value");
    Err(WrongValue { fault, remedy: "choose a value with at least one letter and no comma".to_owned() })
}

fn short_name(factor: &Factor<'_>, all: &[Factor<'_>]) -> String {
    let same = all.iter().filter(|other| other.name == factor.name).count();
    if same > 1 { factor.full_name() } else { factor.name.to_owned() }
}
