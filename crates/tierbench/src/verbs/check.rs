//! `check`: reads every file of an application and its stacks, so that their errors show before anything runs.

use crate::{arguments::CheckOptions, fault::Fault, output::say, registry};
use lab::House;
use std::path::Path;

pub(crate) fn run(home: Option<&Path>, options: &CheckOptions) -> Result<(), Fault> {
    let house = House::find(home)?;
    let application = registry::find(&options.application)?;
    let catalogue = house.catalogue(application.name())?;
    say(format_args!("{}: {} interactions", catalogue.title, catalogue.interactions().len()))?;
    for name in house.mixes(application.name())? {
        let mix = house.mix(&catalogue, &name)?;
        say(format_args!("mix {name}: {}", mix.title))?;
    }
    for service in house.services()? {
        say(format_args!("service {}: {}", service.name, service.title()))?;
    }
    for stack in house.stacks(application.name())? {
        say(format_args!("stack {}: {} ({})", stack.name, stack.title, stack.language))?;
        for configuration in &stack.configurations {
            say(format_args!("  {}: {}", configuration.name, configuration.summary))?;
        }
    }
    Ok(())
}
