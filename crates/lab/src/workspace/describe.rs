//! The record of a configuration in a result.

use crate::workspace::{Variant, Workspace};
use results::{ConfigurationRecord, Verification};
use std::io;
use testbed::Hosts;
use workload::Catalogue;

/// The record of a configuration of an application before it is verified. Its stack must have been built: it may
/// bring servers of its own.
pub fn describe(
    variant: &Variant,
    workspace: &Workspace,
    catalogue: &Catalogue,
    hosts: Option<&Hosts>,
) -> io::Result<ConfigurationRecord> {
    let application = &catalogue.name;
    let home = workspace.path().join("apps").join(application);
    let tiers = &variant.configuration.tiers;
    let own = (variant.stack.name.as_str(), &variant.configuration.factors);
    let all = std::iter::once(own).chain(tiers.iter().map(|tier| (tier.name(), &tier.factors)));
    let factors = all.flat_map(|(of, factors)| {
        factors.iter().map(move |(factor, value)| (format!("{of}.{factor}"), value.clone()))
    });
    let services = tiers.iter().enumerate().map(|(index, tier)| results::ServiceRecord {
        role: tier.role.clone(),
        service: tier.service.name.clone(),
        version: tier
            .service
            .version_on(&stack::place_of(&tiers[index..], hosts), &tier.factors, Some(&variant.stack.place))
            .unwrap_or_else(|_| "unknown".to_owned()),
    });
    Ok(ConfigurationRecord {
        name: variant.configuration.name.clone(),
        stack: variant.stack.name.clone(),
        partial: variant.partial(catalogue),
        summary: variant.configuration.summary.clone(),
        content: variant.stack.fingerprint(&variant.configuration, application, &home)?,
        code: variant.stack.code_size(application)?,
        statements: variant.configuration.statements,
        verified: Verification::Pending,
        unproven: Vec::new(),
        traffic: None,
        factors: factors.chain(variant.client_factors()).collect(),
        services: services.collect(),
    })
}
