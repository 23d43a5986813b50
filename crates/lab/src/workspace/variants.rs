//! Variants: configurations with other values of their factors than they are declared with.

use crate::workspace::{
    Timeout, Variant, WorkspaceError, timeouts,
    workspace_error::{unknown, wrong_factor},
};
use results::FactorChoice;
use services::WrongValue;
use std::{collections::BTreeSet, slice};

/// The values of a factor that a configuration gets; none if it has no such factor, or if its value was chosen already.
fn values_for(choice: &FactorChoice, variant: &Variant) -> Result<Vec<String>, WrongValue> {
    let is_chosen = variant.chosen.iter().any(|known| mean_the_same(known, &choice.name));
    Ok(match variant.stack.factor(&variant.configuration, &choice.name)? {
        Some(factor) if choice.is_every() && !is_chosen => factor.values().to_vec(),
        Some(_) if !is_chosen => choice.values.clone(),
        _ => Vec::new(),
    })
}

/// Makes of each configuration a variant for each combination of values. One that differs from how it is declared
/// tells it in its name: `WsPhp-DB,engine=MyISAM`. One that doesn't have a factor, or was named with a value of it, stays as
/// it is in that respect.
pub fn vary(configurations: &[Variant], choices: &[FactorChoice]) -> Result<Vec<Variant>, WorkspaceError> {
    expect_once(choices)?;
    // The service of a tier decides which factors it has.
    let is_choice = |choice: &&FactorChoice| {
        let mut names = configurations.iter().flat_map(|one| one.configuration.choice_names());
        names.any(|name| name == choice.name)
    };
    let mut in_order: Vec<&FactorChoice> = choices.iter().collect();
    in_order.sort_by_key(|choice| !is_choice(choice));
    let mut all = Vec::new();
    for one in configurations {
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
pub fn vary_one(variant: &Variant, choices: &[FactorChoice]) -> Result<Variant, WorkspaceError> {
    let mut variants = vary(slice::from_ref(variant), choices)?;
    let last = variants.pop().filter(|_| variants.is_empty());
    last.ok_or_else(|| {
        let fault = format!("only one variant of {} can be taken here", variant.configuration.name);
        wrong_factor(fault, "name one value of each factor; `compare` and `verify` take several".to_owned())
    })
}

/// Makes of each configuration a variant for each timeout, each once. One that is not the usual timeout stands in the
/// variant's name: `WsPhp-DB,timeout=30s`.
pub fn vary_timeout(configurations: &[Variant], values: &[Timeout]) -> Vec<Variant> {
    let different =
        |(index, timeout): (usize, &Timeout)| (!values[..index].contains(timeout)).then_some(*timeout);
    let values: Vec<Timeout> = values.iter().enumerate().filter_map(different).collect();
    configurations.iter().flat_map(|one| values.iter().map(|timeout| one.waiting(*timeout))).collect()
}

impl Variant {
    /// The variant with another timeout of its clients.
    fn waiting(&self, timeout: Timeout) -> Self {
        let mut varied = Self { timeout, ..self.clone() };
        if timeout != Timeout::default() {
            let id = varied.configuration.id().with(timeouts::FACTOR, timeout.to_string());
            varied.configuration.name = id.to_string();
        }
        varied
    }

    /// The clients' own factors, by the names that results know them by.
    pub(crate) fn client_factors(&self) -> [(String, String); 1] {
        [(format!("clients.{}", timeouts::FACTOR), self.timeout.to_string())]
    }
}

fn multiply(variants: &[Variant], choice: &FactorChoice) -> Result<Vec<Variant>, WorkspaceError> {
    let mut made: Vec<Variant> = Vec::new();
    for variant in variants {
        let values = values_for(choice, variant).map_err(wrong)?;
        if values.is_empty() {
            made.push(variant.clone());
        }
        for value in values {
            let varied = variant.stack.vary(&variant.configuration, &choice.name, &value);
            let configuration = varied.map_err(wrong)?;
            if !made.iter().any(|known| known.configuration.name == configuration.name) {
                let chosen = variant.chosen.iter().chain([&choice.name]).cloned().collect();
                made.push(Variant { configuration, chosen, ..variant.clone() });
            }
        }
    }
    Ok(made)
}

/// True if two words mean the same factor of a configuration, where each means one: a tier's name may stand before it.
fn mean_the_same(one: &str, other: &str) -> bool {
    let is_short_for =
        |short: &str, long: &str| long.strip_suffix(short).is_some_and(|tier| tier.ends_with('.'));
    one == other || is_short_for(one, other) || is_short_for(other, one)
}

fn wrong(WrongValue { fault, remedy }: WrongValue) -> WorkspaceError {
    wrong_factor(fault, remedy)
}

/// Refuses factors that are named twice.
fn expect_once(choices: &[FactorChoice]) -> Result<(), WorkspaceError> {
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
fn expect_known(variants: &[Variant], choices: &[FactorChoice]) -> Result<(), WorkspaceError> {
    let is_unknown = |choice: &&FactorChoice| {
        let is_known =
            |one: &Variant| !matches!(one.stack.factor(&one.configuration, &choice.name), Ok(None));
        !choice.is_every() && !variants.iter().any(is_known)
    };
    let Some(FactorChoice { name, .. }) = choices.iter().find(is_unknown) else { return Ok(()) };
    if let Some(fixing) = variants.iter().find(|variant| variant.configuration.fixes(name)) {
        return Err(wrong_factor(
            format!("`{name}` is fixed in {}", fixing.configuration.plain_name()),
            "leave it out: with any other value, the configuration would not be right".to_owned(),
        ));
    }
    let elsewhere = variants.iter().flat_map(|variant| variant.configuration.choices_with(name)).next();
    let known = variants.iter().flat_map(|variant| variant.stack.factor_names(&variant.configuration));
    Err(match elsewhere {
        Some(choice) => wrong_factor(
            format!("what is meant here has no factor `{name}`, but `{choice}` has"),
            format!("choose that, too: --factor {choice}"),
        ),
        None => no_such_factor(name, &Vec::from_iter(known.collect::<BTreeSet<_>>())),
    })
}

fn no_such_factor(name: &str, known: &[String]) -> WorkspaceError {
    match known {
        [] => wrong_factor(
            format!("there is no factor `{name}`"),
            "there are no factors here: leave it out".to_owned(),
        ),
        known => unknown("factor", name, known),
    }
}
