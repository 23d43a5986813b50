//! `spec`: prints an application's specification as one page.

use crate::{
    arguments::{Places, SpecOptions},
    fault::Fault,
    output::print,
    registry, specification,
    specification::{Rules, Sources},
};

pub(crate) fn run(places: &Places, options: &SpecOptions) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let application = registry::find(&options.application)?;
    let catalogue = workspace.catalogue_of(application)?;
    let statements = workspace.records(application.name())?;
    let sources = Sources {
        schemas: workspace.schemas(&catalogue)?,
        statements: statements
            .by_engine()
            .map(|(engine, all)| (engine.to_owned(), all.by_interaction()))
            .collect(),
        rules: Rules::read(&workspace.path().join("apps").join(application.name()))?,
    };
    print(specification::page(application, &sources).trim_end())?;
    Ok(())
}
