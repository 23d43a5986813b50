//! `check`: reads every file of an application and its stacks, so that their errors show before anything runs, and
//! computes what its mixes come to.

mod data;
mod links;

use crate::{
    arguments::CheckOptions,
    fault::{CommandError, Fault},
    interrupt,
    output::print,
    registry,
};
use application::{Application, Dataset};
use lab::{
    RunContext, VERIFICATION_SCALE, Workspace,
    proof::{Unproven, decisive, unproven},
};
use links::Links;
use services::Factors;
use std::{io, path::Path, time::Duration};
use workload::{Catalogue, Mix, Stationary};

pub(crate) fn run(home: Option<&Path>, options: &CheckOptions) -> Result<(), Fault> {
    let application = registry::find(&options.application)?;
    if let Some(distribution) = options.data {
        return data::run(application, distribution, options);
    }
    let workspace = Workspace::find(home)?;
    let catalogue = workspace.catalogue(application.name())?;
    print(format_args!("{}: {} interactions", catalogue.title, catalogue.interactions().len()))?;
    for service in workspace.services()? {
        print(format_args!("service {}: {}", service.name, service.title()))?;
        print_factors(&service.factors, |_| true)?;
    }
    for stack in workspace.stacks(application.name())? {
        print(format_args!("stack {}: {} ({})", stack.name, stack.title, stack.language))?;
        if let Some(interactions) = stack.interactions() {
            let (has, all) = (interactions.count(), catalogue.interactions().len());
            print(format_args!("  partial: {has} of {all} interactions"))?;
        }
        print_factors(&stack.factors, |_| true)?;
        let proofs = unproven(&workspace, application.name(), &stack.name)?;
        for configuration in &stack.configurations {
            print(format_args!("  {}: {}", configuration.name, configuration.summary))?;
            print_factors(&configuration.declared, |name| !stack.factors.has(name))?;
            let own = proofs.iter().find(|(name, _)| *name == configuration.name);
            own.map_or(Ok(()), |(_, unproven)| print_unproven(unproven))?;
        }
    }
    read_data_files(&workspace, application, &catalogue)?;
    let names = workspace.mixes(application.name())?;
    let mixes = names.iter().map(|name| workspace.mix(&catalogue, name)).collect::<Result<Vec<_>, _>>()?;
    let walked: Vec<_> = mixes.iter().map(|mix| Walked::new(application, &catalogue, mix)).collect();
    for mix in &mixes {
        print(format_args!("mix {}: {}", mix.name, mix.title))?;
    }
    for line in table(&catalogue, &walked) {
        print(line)?;
    }
    expect_links(&walked)?;
    expect_own_mixes(&workspace, application, &catalogue)?;
    expect_startable(&workspace, application)
}

/// Reads the mixes in the folders of stacks. None may visit what its stack lacks, or go where no page of the model leads.
fn expect_own_mixes(
    workspace: &Workspace,
    application: &dyn Application,
    catalogue: &Catalogue,
) -> Result<(), Fault> {
    for stack in workspace.stacks(application.name())? {
        let variants = workspace.choose(application.name(), std::slice::from_ref(&stack.name))?;
        let names = workspace.own_mixes(&stack, application.name())?;
        let mixes = names.iter().map(|name| workspace.mix_for(catalogue, name, &variants));
        let mixes = mixes.collect::<Result<Vec<Mix>, _>>()?;
        let walked: Vec<_> = mixes.iter().map(|mix| Walked::new(application, catalogue, mix)).collect();
        for mix in &mixes {
            print(format_args!("mix {} of {}: {}", mix.name, stack.name, mix.title))?;
        }
        expect_links(&walked)?;
    }
    Ok(())
}

/// Refuses whatever `run` would refuse before it starts a server, of each configuration with all that may run on its tiers.
fn expect_startable(workspace: &Workspace, application: &dyn Application) -> Result<(), Fault> {
    let words: Vec<String> =
        workspace.stacks(application.name())?.into_iter().map(|stack| stack.name).collect();
    let variants = workspace.choose(application.name(), &words)?;
    let all = lab::vary(&variants, &decisive(&variants))?;
    let dataset = Dataset::new(1, VERIFICATION_SCALE, lab::now());
    let context = RunContext::read(workspace, application, None, dataset, 1.0, interrupt::flag()?)?;
    Ok(context.rehearse(&all)?)
}

/// Reads what concerns the application's rows, statements and load models.
fn read_data_files(
    workspace: &Workspace,
    application: &dyn Application,
    catalogue: &Catalogue,
) -> Result<(), Fault> {
    workspace.schemas(catalogue)?;
    workspace.audit_rules(application)?;
    workspace.records(application.name())?;
    for name in workspace.load_models(application.name())? {
        let model = workspace.load_model(catalogue, &name)?;
        print(format_args!("load {}: {}", model.name, model.title))?;
    }
    Ok(())
}

/// The factors on a line, with their values where they are listed.
fn print_factors(factors: &Factors, is_shown: impl Fn(&str) -> bool) -> io::Result<()> {
    let shown = factors.names().filter(|name| is_shown(name)).map(|name| match factors.values(name) {
        [] => name.to_owned(),
        values => format!("{name} ({})", values.join(", ")),
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { Ok(()) } else { print(format_args!("  factors: {}", shown.join(", "))) }
}

/// The values of factors without a proof, on a line.
fn print_unproven(Unproven { has_proofs, values }: &Unproven) -> io::Result<()> {
    match (has_proofs, values.as_slice()) {
        (false, _) => print("  without a proof"),
        (true, []) => Ok(()),
        (true, values) => print(format_args!("  without a proof: {}", values.join(", "))),
    }
}

/// A mix and what it comes to.
struct Walked<'a> {
    mix: &'a Mix,
    stationary: Stationary,
    links: Links,
}

impl<'a> Walked<'a> {
    fn new(application: &dyn Application, catalogue: &Catalogue, mix: &'a Mix) -> Self {
        let stationary = Stationary::of(mix, catalogue);
        Self { mix, stationary, links: links::walk(application, catalogue, mix) }
    }
}

/// The stationary mixes, a column each: shares of all interactions sent, then what else is to be known.
fn table(catalogue: &Catalogue, walked: &[Walked<'_>]) -> Vec<String> {
    let row = |name: &str, value: &dyn Fn(&Walked<'_>) -> String| {
        let values = walked.iter().map(|walked| format!(" {:>14}", value(walked))).collect::<String>();
        format!("  {name:<26}{values}")
    };
    let head = row("share of all requests", &|walked| walked.mix.name.clone());
    let shares = catalogue.ids().map(|id| {
        row(&catalogue.get(id).name, &|walked| match walked.stationary.share(id) {
            0.0 => "-".to_owned(),
            share => percent(share),
        })
    });
    let rest = [
        row("all that change data", &|walked| percent(walked.stationary.read_write)),
        row("all by the back button", &|walked| percent(walked.stationary.back)),
        row("requests of a session", &|walked| format!("{:.1}", walked.stationary.requests)),
        row("length of a session", &|walked| minutes(walked.stationary.length)),
        row("transitions with a link", &|walked| {
            let Links { found, missing } = &walked.links;
            format!("{found} of {}", found + missing.len())
        }),
    ];
    [head].into_iter().chain(shares).chain(rest).collect()
}

fn percent(share: f64) -> String {
    // A sum of nothing is a negative zero.
    format!("{:.2} %", share * 100.0 + 0.0)
}

fn minutes(length: Duration) -> String {
    let seconds = length.as_secs_f64().round() as u64;
    format!("{} min {} s", seconds / 60, seconds % 60)
}

/// Refuses mixes with transitions that no page of the model offers.
fn expect_links(walked: &[Walked<'_>]) -> Result<(), Fault> {
    let missing = walked.iter().flat_map(|walked| {
        walked.links.missing.iter().map(|missing| format!("\n  mix {}, {missing}", walked.mix.name))
    });
    let missing: String = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(CommandError::input(format!("no page of the model offers these transitions:{missing}"))
        .with_help("add the link or form to the model's page, or remove the transition from the mix")
        .into())
}
