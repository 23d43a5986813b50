//! `check`: reads every file of an application and its stacks, so that their errors show before anything runs.

use crate::{arguments::CheckOptions, fault::Fault, registry};
use lab::House;
use std::path::Path;

pub(crate) fn run(home: Option<&Path>, options: &CheckOptions) -> Result<(), Fault> {
    let house = House::find(home)?;
    let application = registry::find(&options.application)?;
    let catalogue = house.catalogue(application.name())?;
    println!("{}: {} interactions", catalogue.title, catalogue.interactions().len());
    for name in house.mixes(application.name())? {
        let mix = house.mix(&catalogue, &name)?;
        println!("mix {name}: {}", mix.title);
    }
    for service in house.services()? {
        println!("service {}: {}", service.name, service.title());
    }
    for stack in house.stacks(application.name())? {
        println!("stack {}: {} ({})", stack.name, stack.title, stack.language);
        for configuration in &stack.configurations {
            println!("  {}: {}", configuration.name, configuration.summary);
        }
    }
    Ok(())
}
