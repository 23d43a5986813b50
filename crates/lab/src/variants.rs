//! Variants: configurations with other values of their factors than they are declared with.

use crate::{
    Chosen, HouseError,
    house::{unknown, wrong_factor},
};
use stack::DATABASE;
use std::{collections::BTreeSet, slice, str::FromStr};

/// A factor with the values that somebody wants to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorChoice {
    /// The factor's name.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// Values of a factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// These, in this order.
    These(Vec<String>),
    /// All that it can have, where they are listed.
    Every,
}

impl FactorChoice {
    /// All values of a factor, where there is one of this name.
    pub fn every(name: &str) -> Self {
        Self { name: name.to_owned(), values: Values::Every }
    }

    /// The values that a configuration gets; none if it has no such factor.
    fn values_for(&self, chosen: &Chosen) -> Vec<String> {
        let mut declared = chosen.stack.declared(&chosen.configuration);
        let Some(factors) = declared.find(|factors| factors.names().any(|name| name == self.name)) else {
            return Vec::new();
        };
        match &self.values {
            Values::These(values) => values.clone(),
            Values::Every => factors.values(&self.name).to_vec(),
        }
    }
}

/// `NAME=VALUE[,VALUE…]`
impl FromStr for FactorChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, values)) if !name.is_empty() && !values.is_empty() => Ok(Self {
                name: name.to_owned(),
                values: Values::These(values.split(',').map(ToOwned::to_owned).collect()),
            }),
            _ => Err("it must be like engine=MyISAM or engine=InnoDB,MyISAM".to_owned()),
        }
    }
}

/// Makes of each configuration a variant for each combination of values. One that differs from how it is declared
/// tells it in its name: `WsPhp-DB,engine=MyISAM`. One that doesn't have a factor stays as it is in that respect.
pub fn vary(chosen: &[Chosen], choices: &[FactorChoice]) -> Result<Vec<Chosen>, HouseError> {
    expect_once(choices)?;
    // Which database runs decides which factors a store has.
    let mut in_order: Vec<&FactorChoice> = choices.iter().collect();
    in_order.sort_by_key(|choice| choice.name != DATABASE);
    let mut all = Vec::new();
    for one in chosen {
        let mut variants = vec![one.clone()];
        for choice in &in_order {
            variants = multiply(&variants, choice)?;
        }
        all.extend(variants);
    }
    expect_known(&all, choices)?;
    Ok(all)
}

/// The only variant that the choices make of a configuration.
pub fn vary_one(chosen: &Chosen, choices: &[FactorChoice]) -> Result<Chosen, HouseError> {
    let mut variants = vary(slice::from_ref(chosen), choices)?;
    let last = variants.pop().filter(|_| variants.is_empty());
    last.ok_or_else(|| {
        let fault = format!("only one variant of {} can be taken here", chosen.configuration.name);
        wrong_factor(fault, "name one value of each factor; `compare` and `verify` take several".to_owned())
    })
}

fn multiply(variants: &[Chosen], choice: &FactorChoice) -> Result<Vec<Chosen>, HouseError> {
    let mut made: Vec<Chosen> = Vec::new();
    for chosen in variants {
        let values = choice.values_for(chosen);
        if values.is_empty() {
            made.push(chosen.clone());
        }
        for value in values {
            let varied = chosen.stack.vary(&chosen.configuration, &choice.name, &value);
            let configuration = varied.map_err(|wrong| wrong_factor(wrong.fault, wrong.remedy))?;
            if !made.iter().any(|known| known.configuration.name == configuration.name) {
                made.push(Chosen { configuration, ..chosen.clone() });
            }
        }
    }
    Ok(made)
}

/// Refuses factors that are named twice.
fn expect_once(choices: &[FactorChoice]) -> Result<(), HouseError> {
    for (index, choice) in choices.iter().enumerate() {
        if choices[..index].iter().any(|earlier| earlier.name == choice.name) {
            let fault = format!("the factor `{}` is named twice", choice.name);
            return Err(wrong_factor(
                fault,
                format!("list its values: --factor {}=VALUE,VALUE", choice.name),
            ));
        }
    }
    Ok(())
}

/// Refuses factors that none of the variants has.
fn expect_known(variants: &[Chosen], choices: &[FactorChoice]) -> Result<(), HouseError> {
    let factors = variants.iter().flat_map(|chosen| chosen.stack.declared(&chosen.configuration));
    let known: BTreeSet<&str> = factors.flat_map(services::Factors::names).collect();
    let mut chosen = choices.iter().filter(|choice| choice.values != Values::Every);
    let Some(FactorChoice { name, .. }) = chosen.find(|choice| !known.contains(choice.name.as_str())) else {
        return Ok(());
    };
    let elsewhere = variants.iter().flat_map(|chosen| chosen.configuration.databases_with(name)).next();
    Err(match elsewhere {
        Some(database) => wrong_factor(
            format!("the database that is meant here has no factor `{name}`, but `{database}` has"),
            format!("choose that one, too: --factor {DATABASE}={database}"),
        ),
        None => no_such_factor(name, &Vec::from_iter(known)),
    })
}

fn no_such_factor(name: &str, known: &[&str]) -> HouseError {
    match known {
        [] => wrong_factor(
            format!("there is no factor `{name}`"),
            "there are no factors here: leave it out".to_owned(),
        ),
        known => unknown("factor", name, known),
    }
}
