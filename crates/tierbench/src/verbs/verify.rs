//! `verify`: is each configuration the application?

use crate::{
    arguments::{Places, VerifyOptions},
    fault::Fault,
    interrupt,
    output::say,
    registry,
    terminal::Terminal,
    traffic,
    verbs::{
        measure,
        proofs::{self, Shelves},
    },
};
use application::Scenario;
use lab::{
    Event, FactorChoice, LabError, RunContext, Variant, Workspace, WorkspaceError,
    proof::{Proof, ProofDepth, Provable, laboratory},
};
use services::store::ENGINE;
use stack::{DATABASE, Work};
use std::{collections::BTreeSet, path::Path};
use testbed::Scratch;
use verify::{Contention, Depth, Recording, Verified};

pub(crate) fn run(places: &Places, options: &VerifyOptions) -> Result<(), Fault> {
    if options.proofs {
        return proofs::run(places, options);
    }
    let workspace = places.workspace()?;
    // Without its name the words are refused before.
    let application = registry::find(options.application.as_deref().unwrap_or_default())?;
    let recording = options.replay.as_deref().map(read).transpose()?;
    let variant = workspace.choose(application.name(), &options.configurations)?;
    let choices = &options.factors.choices;
    let variant = match recording {
        // A sequence failed on one store.
        Some(_) => lab::vary(&variant, choices)?,
        None => lab::vary(&variant, &with_all_open(&variant, choices))?,
    };
    variant.iter().try_for_each(Variant::expect_fit)?;
    let (seed, scale) = match &recording {
        Some(recording) if recording.application != application.name() => {
            let of = &recording.application;
            return Err(Fault::Usage(format!(
                "these requests are for the application `{of}`; name that one"
            )));
        }
        Some(recording) => (recording.seed, recording.scale),
        None => (options.seed, options.scale),
    };
    let scenario = Scenario::new(seed, scale, lab::now());
    let mut context =
        RunContext::read(&workspace, application, options.mix.as_deref(), scenario, 1.0, interrupt::flag()?)?;
    context.cache = places.cache()?;
    context.timeout = options.shrink_time.0;
    measure::go_to(options.testbed.as_deref(), "verify", &mut context, &variant)?;
    let scratch = context.scratch(variant.len())?;
    let terminal = Terminal::new();
    let proofs = if options.prove { Some(Prover::new(&workspace, places)?) } else { None };
    Verification { options, recording, context, scratch, terminal, accepted: Vec::new(), proofs }
        .verify_all(&variant)
}

/// Reads the file of a failing sequence.
fn read(file: &Path) -> Result<Recording, WorkspaceError> {
    let text = settings::read_text(file)?;
    Ok(Recording::parse(&file.display().to_string(), &text)?)
}

/// All values of the factors on which it depends whether a stack's writes are right: database, storage engine, and what else
/// may run on tiers.
pub(crate) fn decisive(variant: &[Variant]) -> Vec<FactorChoice> {
    let on_tiers = variant.iter().flat_map(|one| one.configuration.choice_names());
    let names: BTreeSet<&str> = on_tiers.chain([DATABASE, ENGINE]).collect();
    names.into_iter().map(FactorChoice::every).collect()
}

/// All of these values, unless some are chosen.
fn with_all_open(variant: &[Variant], choices: &[FactorChoice]) -> Vec<FactorChoice> {
    let is_open = |every: &FactorChoice| !choices.iter().any(|choice| choice.name == every.name);
    choices.iter().cloned().chain(decisive(variant).into_iter().filter(is_open)).collect()
}

/// Configuration after configuration.
struct Verification<'a> {
    options: &'a VerifyOptions,
    recording: Option<Recording>,
    context: RunContext<'a>,
    scratch: Scratch,
    terminal: Terminal,
    /// Files whose record is new.
    accepted: Vec<std::path::PathBuf>,
    /// Writes down what is proven, if it shall.
    proofs: Option<Prover<'a>>,
}

/// Writes down what is proven.
struct Prover<'a> {
    workspace: &'a Workspace,
    shelves: Shelves,
    lab: String,
}

impl<'a> Prover<'a> {
    fn new(workspace: &'a Workspace, places: &Places) -> Result<Self, Fault> {
        Ok(Self { workspace, shelves: Shelves::of(workspace, places)?, lab: laboratory(workspace)? })
    }

    fn keep(&self, application: &str, variant: &Variant, verified: &Verified) -> Result<(), Fault> {
        let variant = Provable::look(self.workspace, application, variant.clone())?;
        let proof = variant.proof(&self.lab, ProofDepth::Full, None);
        let proof = Proof { seen: verified.seen(), ..proof };
        Ok(self.shelves.keep(&variant, &proof, true)?)
    }
}

/// Everything, as thoroughly as the words ask for.
pub(crate) fn thorough(options: &VerifyOptions) -> Depth {
    Depth::Full { requests: options.requests, steps: options.steps }
}

impl Verification<'_> {
    fn verify_all(mut self, variant: &[Variant]) -> Result<(), Fault> {
        let mut failed = Vec::new();
        for variant in variant {
            let name = &variant.configuration.name;
            let outcome = self.verify(variant);
            self.terminal.quiet();
            match outcome {
                Ok(proof) => {
                    self.tell(variant, &proof)?;
                    let application = self.context.application.name();
                    self.proofs
                        .as_ref()
                        .map_or(Ok(()), |proofs| proofs.keep(application, variant, &proof))?;
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

    /// On hosts without their quotas, for nobody measures it.
    fn verify(&self, variant: &Variant) -> Result<Verified, LabError> {
        self.context.hosts.unthrottled(|| self.verify_site(variant))
    }

    fn verify_site(&self, variant: &Variant) -> Result<Verified, LabError> {
        let mut emit = |event: Event<'_>| self.terminal.show(&event);
        let mut site = self.context.site(variant, &self.scratch, None, &mut emit)?;
        if let Some(recording) = &self.recording {
            return self.context.replay(variant, &mut site, &recording.steps, &mut emit);
        }
        let depth = if self.options.smoke { Depth::Smoke } else { thorough(self.options) };
        let record = self.context.records.record(variant).filter(|_| !self.is_to_be_accepted(variant));
        self.context.verify(variant, &mut site, depth, record.as_ref(), &mut emit)
    }

    /// Whether what a configuration sends becomes the record: the first one's of each storage engine does.
    fn is_to_be_accepted(&self, variant: &Variant) -> bool {
        let record = self.context.records.record(variant);
        self.options.accept && record.is_some_and(|record| !self.accepted.contains(&record.place))
    }

    fn tell(&mut self, variant: &Variant, proof: &Verified) -> Result<(), Fault> {
        let name = &variant.configuration.name;
        let Verified { documents, interactions, branches, .. } = proof;
        let rows = match proof.rows {
            Some(rows) => format!("{rows} rows equal"),
            None => "rows not compared: it has no store".to_owned(),
        };
        match &self.recording {
            Some(recording) => say(format_args!(
                "{name}: the {} requests show no difference ({rows})",
                recording.steps.len()
            ))?,
            None => say(format_args!(
                "{name}: verified ({interactions} interactions, {branches} branches, {documents} documents equal, {rows})"
            ))?,
        }
        if let Some(seen) = proof.seen() {
            say(format_args!("  all seen once: {seen}"))?;
        }
        if let Some(invariants) = proof.invariants {
            say(format_args!("  {invariants} invariants hold"))?;
        }
        if let Some(Contention { clients, acknowledged, refused, in_doubt, .. }) = &proof.contention {
            say(format_args!(
                "  every write of {clients} clients at once is accounted for: {acknowledged} acknowledged, {refused} \
                 refused, {in_doubt} in doubt"
            ))?;
        }
        let Some(traffic) = &proof.traffic else { return Ok(()) };
        let mut stores = variant.configuration.tiers.iter().filter_map(|tier| tier.service.store());
        let is_estimate = stores.any(|store| !store.tells_round_trips());
        say(traffic::line(traffic, is_estimate))?;
        if self.options.statements {
            traffic::table(traffic, is_estimate).into_iter().try_for_each(say)?;
        }
        if variant.configuration.work != Work::Exact {
            say(format_args!("  its statements are its own business: {} work", variant.configuration.work))?;
        }
        for interaction in &proof.stale {
            say(format_args!("  {interaction} never sends all that is recorded; --accept records anew"))?;
        }
        if self.is_to_be_accepted(variant) {
            let place = self.context.records.accept(variant, &traffic.sequences)?;
            if let Some(place) = place {
                let interactions = traffic.sequences.interactions();
                say(format_args!(
                    "  statements of {interactions} interactions recorded in {}",
                    place.display()
                ))?;
                self.accepted.push(place);
            }
        }
        Ok(())
    }
}
