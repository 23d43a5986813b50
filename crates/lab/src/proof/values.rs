//! Values of factors that no proof has: a proof says nothing of a configuration with another value.

use super::ProofStore;
use crate::workspace::{Variant, Workspace, WorkspaceError, vary};
use results::FactorChoice;
use services::store::ENGINE;
use stack::DATABASE;
use std::collections::{BTreeMap, BTreeSet};

/// All values of the factors that decide whether writes are right: database, storage engine, and the services of tiers. Each
/// of their combinations has a proof of its own.
pub fn decisive(variants: &[Variant]) -> Vec<FactorChoice> {
    let on_tiers = variants.iter().flat_map(|one| one.configuration.choice_names());
    let names: BTreeSet<&str> = on_tiers.chain([DATABASE, ENGINE]).collect();
    names.into_iter().map(FactorChoice::every).collect()
}

/// The values of factors of a configuration that no proof has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unproven {
    /// True if any variant of it has a proof.
    pub has_proofs: bool,
    /// Of its factors with listed values, those values without a proof, each as `protocol=text`.
    pub values: Vec<String>,
}

impl Unproven {
    /// Of these values of factors, those without a proof. Before there is a proof of anything, all are alike.
    pub fn of<'a>(&self, chosen: impl IntoIterator<Item = &'a (String, String)>) -> Vec<String> {
        let names = chosen.into_iter().map(|(name, value)| format!("{name}={value}"));
        names.filter(|name| self.has_proofs && self.values.contains(name)).collect()
    }
}

/// The values without a proof of each configuration of a stack for an application, in the order of its manifest. What
/// `proofs/` says counts, whatever content it was for.
pub fn unproven(
    workspace: &Workspace,
    application: &str,
    stack: &str,
) -> Result<Vec<(String, Unproven)>, WorkspaceError> {
    let proofs = ProofStore::new(workspace.path().join("proofs")).read(application, stack)?;
    let chosen = workspace.choose(application, &[stack.to_owned()])?;
    let all = vary(&chosen, &decisive(&chosen))?;
    let mut found: BTreeMap<&str, Values> = BTreeMap::new();
    for variant in &all {
        let is_proven = proofs.contains_key(&variant.configuration.name);
        let values = found.entry(variant.configuration.plain_name()).or_default();
        values.has_proofs |= is_proven;
        for (name, listed, value) in variant.stack.listed_factors(&variant.configuration) {
            values.listed.extend(listed.iter().map(|value| format!("{name}={value}")));
            values.proven.extend(is_proven.then(|| format!("{name}={value}")));
        }
    }
    let of = |variant: &Variant| {
        let name = variant.configuration.plain_name();
        Some((name.to_owned(), found.get(name)?.unproven()))
    };
    Ok(chosen.iter().filter_map(of).collect())
}

#[derive(Default)]
struct Values {
    has_proofs: bool,
    listed: BTreeSet<String>,
    proven: BTreeSet<String>,
}

impl Values {
    fn unproven(&self) -> Unproven {
        let values = self.listed.difference(&self.proven).cloned().collect();
        Unproven { has_proofs: self.has_proofs, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_beside_those_of_a_proof_are_unproven() {
        let values = |has_proofs: bool| {
            let set = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
            Values {
                has_proofs,
                listed: set(&["engine=InnoDB", "engine=MyISAM", "protocol=prepared", "protocol=text"]),
                proven: set(&["engine=InnoDB", "engine=MyISAM", "protocol=prepared"]),
            }
            .unproven()
        };
        assert_eq!(values(true).values, ["protocol=text"]);
        let chosen = [("engine", "MyISAM"), ("protocol", "text"), ("pool", "7")];
        let chosen = chosen.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(values(true).of(&chosen), ["protocol=text"]);
        assert_eq!(values(false).of(&chosen), [""; 0]);
    }
}
