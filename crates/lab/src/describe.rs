//! What a result records of a configuration.

use crate::Chosen;
use results::ConfigurationRecord;

/// What a result records of a configuration before anything is known of it. Its stack must have been built: it may bring
/// servers of its own.
pub fn describe(chosen: &Chosen) -> ConfigurationRecord {
    let tiers = &chosen.configuration.tiers;
    let own = (chosen.stack.name.as_str(), &chosen.configuration.factors);
    let all = std::iter::once(own).chain(tiers.iter().map(|tier| (tier.name(), &tier.factors)));
    let factors = all.flat_map(|(of, factors)| {
        factors.iter().map(move |(factor, value)| (format!("{of}.{factor}"), value.clone()))
    });
    let services = tiers.iter().map(|tier| results::ServiceRecord {
        role: tier.role.clone(),
        service: tier.service.name.clone(),
        version: tier
            .service
            .version(&tier.factors, Some(&chosen.stack.place))
            .unwrap_or_else(|_| "unknown".to_owned()),
    });
    ConfigurationRecord {
        name: chosen.configuration.name.clone(),
        stack: chosen.stack.name.clone(),
        summary: chosen.configuration.summary.clone(),
        content: String::new(),
        code: Vec::new(),
        work: chosen.configuration.work.to_string(),
        verified: "not yet".to_owned(),
        factors: factors.chain(chosen.client_factors()).collect(),
        services: services.collect(),
    }
}
