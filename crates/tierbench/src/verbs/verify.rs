//! `verify`: is each configuration the application?

use crate::{arguments::VerifyOptions, fault::Fault, interrupt, registry, terminal::Terminal};
use application::TokenKey;
use lab::{Bench, Chosen, Event, House, LabError};
use std::path::Path;

pub(crate) fn run(home: Option<&Path>, options: &VerifyOptions) -> Result<(), Fault> {
    let house = House::find(home)?;
    let application = registry::find(&options.application)?;
    let catalogue = house.catalogue(application.name())?;
    let mix = house.mix(&catalogue, &options.mix)?;
    let chosen = house.choose(application.name(), &options.configurations)?;
    chosen.iter().try_for_each(Chosen::expect_fit)?;
    let bench = Bench {
        application,
        catalogue: &catalogue,
        mix: &mix,
        schema: house.schema(application.name())?,
        scenario: options.data.scenario(),
        key: TokenKey::random()?,
        time_scale: 1.0,
        executable: std::env::current_exe()?,
        stop: interrupt::flag()?,
    };
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
                println!(
                    "{name}: verified ({} interactions, {} documents equal, {rows})",
                    proof.interactions, proof.documents
                );
            }
            Err(error @ LabError::Unverified { .. }) => {
                println!("{error}");
                failed.push(name.clone());
            }
            Err(error) => return Err(error.into()),
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Fault::NotVerified(failed.join(", "))) }
}
