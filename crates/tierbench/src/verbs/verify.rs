//! `verify`: compares configurations with the application's model.

use crate::{
    arguments::{Places, VerifyOptions},
    fault::{CommandError, Fault},
    interrupt,
    output::print,
    registry,
    terminal::{Terminal, count},
    traffic,
    verbs::measure,
};
use application::Dataset;
use lab::{LabError, RunContext, Variant, WorkspaceError, proof::decisive};
use results::{EventKind, FactorChoice};
use services::ServiceError;
use settings::did_you_mean;
use stack::{SiteError, Statements};
use std::{collections::BTreeSet, path::Path};
use testbed::Scratch;
use verify::{Contention, Depth, Part, Parts, SavedSequence, Unexpected, Verified};
use workload::{Catalogue, InteractionId};

pub(crate) fn run(places: &Places, options: &VerifyOptions) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let application = registry::find(&options.application)?;
    let recording = options.replay.as_deref().map(read).transpose()?;
    let variants = workspace.choose(application.name(), &options.configurations)?;
    let choices = &options.factors.choices;
    let variants = match recording {
        // A sequence failed on one store.
        Some(_) => lab::vary(&variants, choices)?,
        None => lab::vary(&variants, &with_all_open(&variants, choices))?,
    };
    measure::expect_fit(options.hosts.testbed.as_deref(), &variants)?;
    let (seed, scale) = match &recording {
        Some(recording) if recording.application != application.name() => {
            let of = &recording.application;
            let fault = format!("these requests are for the application `{of}`");
            return Err(CommandError::input(fault).with_help("name that one").into());
        }
        Some(recording) => (recording.seed, recording.scale),
        None => (options.seed, options.scale),
    };
    let dataset = Dataset::new(seed, scale, lab::now());
    let mut context = RunContext::read(&workspace, application, None, dataset, 1.0, interrupt::flag()?)?;
    if let Some(name) = &options.mix {
        context.mix = workspace.mix_for(&context.catalogue, name, &variants)?;
    }
    context.cache = places.cache_of_data()?;
    context.shrink_time = options.shrink_time.0;
    context.surveys = true;
    let parts;
    (parts, context.only) = chosen(&options.only, &context.catalogue)?;
    measure::go_to(options.hosts.testbed.as_deref(), "verify", &mut context, &variants)?;
    let scratch = context.scratch(variants.len())?;
    let terminal = Terminal::new(results::Names::default());
    Verification { options, parts, recording, context, scratch, terminal, accepted: Vec::new() }
        .verify_all(&variants)
}

fn read(file: &Path) -> Result<SavedSequence, WorkspaceError> {
    let text = settings::read_text(file)?;
    Ok(SavedSequence::parse(&file.display().to_string(), &text)?)
}

/// The chosen values, and all values of the decisive factors that are not chosen.
fn with_all_open(variants: &[Variant], choices: &[FactorChoice]) -> Vec<FactorChoice> {
    let is_open = |every: &FactorChoice| !choices.iter().any(|choice| choice.name == every.name);
    choices.iter().cloned().chain(decisive(variants).into_iter().filter(is_open)).collect()
}

/// The parts and the interactions that `--only` names. No part is called as an interaction is.
fn chosen(only: &[String], catalogue: &Catalogue) -> Result<(Parts, BTreeSet<InteractionId>), Fault> {
    let (mut parts, mut interactions) = (Vec::new(), BTreeSet::new());
    for name in only {
        match (name.parse::<Part>(), catalogue.by_name(name)) {
            (Ok(part), _) => parts.push(part),
            (_, Some(id)) => drop(interactions.insert(id)),
            _ => {
                let known = Part::ALL.iter().map(|(_, name)| *name);
                let known = known.chain(catalogue.interactions().iter().map(|one| one.name.as_str()));
                let fault = format!("there is no part or interaction `{name}`");
                return Err(CommandError::input(fault).with_help(did_you_mean(name, known)).into());
            }
        }
    }
    Ok((Parts::of(&parts), interactions))
}

struct Verification<'a> {
    options: &'a VerifyOptions,
    parts: Parts,
    recording: Option<SavedSequence>,
    context: RunContext<'a>,
    scratch: Scratch,
    terminal: Terminal,
    /// Files of statements that this command has written.
    accepted: Vec<std::path::PathBuf>,
}

/// True if a server failed, so that other configurations can still be verified.
fn is_of_its_servers(error: &LabError) -> bool {
    let LabError::Site { fault: SiteError::Service(fault), .. } = error else { return false };
    matches!(fault, ServiceError::Down { .. } | ServiceError::Store { .. })
}

impl Verification<'_> {
    fn verify_all(mut self, variants: &[Variant]) -> Result<(), Fault> {
        let mut failed = Vec::new();
        for variant in variants {
            let name = &variant.configuration.name;
            let outcome = self.verify(variant);
            self.terminal.clear();
            match outcome {
                Ok(proof) => self.print(variant, &proof)?,
                Err(error @ LabError::Unverified { .. }) => {
                    print(&error)?;
                    failed.push(name.clone());
                }
                Err(error) if self.options.keep_going && is_of_its_servers(&error) => {
                    print(format_args!("{error}"))?;
                    failed.push(name.clone());
                }
                Err(error) => return Err(error.into()),
            }
        }
        if failed.is_empty() { Ok(()) } else { Err(Fault::NotVerified(failed.join(", "))) }
    }

    /// On hosts without their quotas, because nothing is measured.
    fn verify(&self, variant: &Variant) -> Result<Verified, LabError> {
        self.context.hosts.all_unthrottled(|| self.verify_site(variant))
    }

    fn verify_site(&self, variant: &Variant) -> Result<Verified, LabError> {
        let mut emit = |event: EventKind| self.terminal.show(&event);
        let mut site = self.context.site(variant, &self.scratch, None, &mut emit)?;
        if let Some(recording) = &self.recording {
            return self.context.replay(variant, &mut site, &recording.steps, &mut emit);
        }
        let VerifyOptions { smoke, requests, steps, .. } = *self.options;
        let depth = if smoke { Depth::Smoke } else { Depth::Full { requests, steps, parts: self.parts } };
        let record = self
            .context
            .records
            .record(variant, &self.context.catalogue)
            .filter(|_| !self.is_to_be_accepted(variant));
        self.context.verify(variant, &mut site, depth, record.as_ref(), &mut emit)
    }

    /// True if the statements of this configuration become the record: those of the first one of each storage engine do.
    fn is_to_be_accepted(&self, variant: &Variant) -> bool {
        let record = self.context.records.record(variant, &self.context.catalogue);
        self.options.accept
            && record.is_some_and(|record| record.is_binding && !self.accepted.contains(&record.place))
    }

    /// The statements of a configuration that may send its own, beside the recorded ones.
    fn print_others(&self, variant: &Variant, proof: &Verified) -> Result<(), Fault> {
        let word = variant.configuration.statements;
        let others = &proof.others;
        let interactions: BTreeSet<&str> = others.iter().map(Unexpected::interaction).collect();
        let hint =
            if others.is_empty() || self.options.statements { "" } else { "; --statements shows them" };
        print(format_args!(
            "  its statements may differ from the recorded ones (`statements = \"{word}\"`): {} of {} interactions send others{hint}",
            interactions.len(),
            proof.interactions
        ))?;
        if !self.options.statements {
            return Ok(());
        }
        for interaction in interactions {
            let of_it: Vec<&Unexpected> =
                others.iter().filter(|other| other.interaction() == interaction).collect();
            let usual = of_it.iter().max_by_key(|other| other.times());
            usual.map_or(Ok(()), |usual| print(format_args!("  {usual}")))?;
            if of_it.len() > 1 {
                let more = count(of_it.len() as u32 - 1, "more sequence");
                print(format_args!("  {interaction} sends {more} that the record lacks"))?;
            }
        }
        Ok(())
    }

    fn print(&mut self, variant: &Variant, proof: &Verified) -> Result<(), Fault> {
        let name = &variant.configuration.name;
        let Verified { documents, interactions, branches, .. } = proof;
        let rows = match proof.rows {
            Some(rows) => format!("{rows} rows equal"),
            None => "rows not compared: it has no store".to_owned(),
        };
        match &self.recording {
            Some(recording) => print(format_args!(
                "{name}: no difference in {} ({rows})",
                count(recording.steps.len() as u32, "request")
            ))?,
            None if !self.options.only.is_empty() => {
                print(format_args!("{name}: no difference in these parts ({documents} answers, {rows})"))?;
            }
            None => print(format_args!(
                "{name}: verified ({interactions} interactions, {branches} branches, {documents} documents equal, {rows})"
            ))?,
        }
        if let Some(survey) = proof.survey.as_ref().filter(|_| variant.stack.interactions().is_some()) {
            print(format_args!("  {survey}"))?;
        }
        if let Some(seen) = proof.census_summary() {
            print(format_args!("  all seen once: {seen}"))?;
        }
        if let Some(invariants) = proof.invariants {
            print(format_args!("  {invariants} invariants hold"))?;
        }
        if let Some(Contention { clients, acknowledged, refused, in_doubt, .. }) = &proof.contention {
            print(format_args!(
                "  every write of {clients} clients at once is accounted for: {acknowledged} acknowledged, {refused} \
                 refused, {in_doubt} in doubt"
            ))?;
        }
        let Some(traffic) = &proof.traffic else { return Ok(()) };
        let of_pages = variant.traffic(traffic);
        print(traffic::line(&of_pages))?;
        if self.options.statements {
            traffic::table(&of_pages).into_iter().try_for_each(print)?;
        }
        if variant.configuration.statements != Statements::Exact {
            self.print_others(variant, proof)?;
        }
        for interaction in &proof.stale {
            print(format_args!(
                "  {interaction} did not send all recorded statements; the record may be older than the rules"
            ))?;
        }
        if self.is_to_be_accepted(variant) {
            let place = self.context.records.accept(variant, &traffic.sequences)?;
            if let Some(place) = place {
                let interactions = traffic.sequences.interactions();
                print(format_args!(
                    "  statements of {interactions} interactions recorded in {}",
                    place.display()
                ))?;
                self.accepted.push(place);
            }
        }
        Ok(())
    }
}
