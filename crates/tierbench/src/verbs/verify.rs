//! `verify`: is each configuration the application?

use crate::{arguments::VerifyOptions, fault::Fault, interrupt, output::say, registry, terminal::Terminal};
use lab::{Bench, Chosen, Event, FactorChoice, House, LabError};
use std::path::Path;

pub(crate) fn run(home: Option<&Path>, options: &VerifyOptions) -> Result<(), Fault> {
    let house = House::find(home)?;
    let application = registry::find(&options.application)?;
    let chosen = house.choose(application.name(), &options.configurations)?;
    let chosen = lab::vary(&chosen, &with_every_engine(&options.factors.choices))?;
    chosen.iter().try_for_each(Chosen::expect_fit)?;
    let scenario = options.data.scenario();
    let bench = Bench::read(&house, application, &options.mix, scenario, 1.0, interrupt::flag()?)?;
    let terminal = Terminal::new();
    let scratch = bench.scratch(chosen.len())?;
    let mut failed = Vec::new();
    for chosen in &chosen {
        let name = &chosen.configuration.name;
        let mut emit = |event: Event<'_>| terminal.show(&event);
        let outcome = bench
            .site(chosen, &scratch, None, &mut emit)
            .and_then(|mut site| bench.verify(chosen, &mut site, options.requests, &mut emit));
        terminal.quiet();
        match outcome {
            Ok(proof) => {
                let rows = proof.rows.map_or("rows not compared: it has no store".to_owned(), |rows| {
                    format!("{rows} rows equal")
                });
                say(format_args!(
                    "{name}: verified ({} interactions, {} documents equal, {rows})",
                    proof.interactions, proof.documents
                ))?;
            }
            Err(error @ LabError::Unverified { .. }) => {
                say(&error)?;
                failed.push(name.clone());
            }
            Err(error) => return Err(error.into()),
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Fault::NotVerified(failed.join(", "))) }
}

/// The factor that chooses the storage engine, on which it depends whether a stack's writes are right.
const ENGINE: &str = "engine";

/// All storage engines, unless some are chosen.
fn with_every_engine(choices: &[FactorChoice]) -> Vec<FactorChoice> {
    let every = (!choices.iter().any(|choice| choice.name == ENGINE)).then(|| FactorChoice::every(ENGINE));
    choices.iter().cloned().chain(every).collect()
}
