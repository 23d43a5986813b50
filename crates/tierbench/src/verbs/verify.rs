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
    Bench, Chosen, Event, FactorChoice, House, HouseError, LabError,
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
    let house = places.house()?;
    // Without its name the words are refused before.
    let application = registry::find(options.application.as_deref().unwrap_or_default())?;
    let recording = options.replay.as_deref().map(read).transpose()?;
    let chosen = house.choose(application.name(), &options.configurations)?;
    let choices = &options.factors.choices;
    let chosen = match recording {
        // A sequence failed on one store.
        Some(_) => lab::vary(&chosen, choices)?,
        None => lab::vary(&chosen, &with_all_open(&chosen, choices))?,
    };
    chosen.iter().try_for_each(Chosen::expect_fit)?;
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
    let mut bench =
        Bench::read(&house, application, options.mix.as_deref(), scenario, 1.0, interrupt::flag()?)?;
    bench.cache = places.cache()?;
    bench.patience = options.shorten.0;
    measure::go_to(options.testbed.as_deref(), "verify", &mut bench, &chosen)?;
    let scratch = bench.scratch(chosen.len())?;
    let terminal = Terminal::new();
    let proofs = if options.prove { Some(Prover::new(&house, places)?) } else { None };
    Verification { options, recording, bench, scratch, terminal, accepted: Vec::new(), proofs }
        .verify_all(&chosen)
}

/// Reads the file of a failing sequence.
fn read(file: &Path) -> Result<Recording, HouseError> {
    let text = settings::read_text(file)?;
    Ok(Recording::parse(&file.display().to_string(), &text)?)
}

/// All values of the factors on which it depends whether a stack's writes are right: database, storage engine, and what else
/// may run on tiers.
pub(crate) fn decisive(chosen: &[Chosen]) -> Vec<FactorChoice> {
    let on_tiers = chosen.iter().flat_map(|one| one.configuration.choice_names());
    let names: BTreeSet<&str> = on_tiers.chain([DATABASE, ENGINE]).collect();
    names.into_iter().map(FactorChoice::every).collect()
}

/// All of these values, unless some are chosen.
fn with_all_open(chosen: &[Chosen], choices: &[FactorChoice]) -> Vec<FactorChoice> {
    let is_open = |every: &FactorChoice| !choices.iter().any(|choice| choice.name == every.name);
    choices.iter().cloned().chain(decisive(chosen).into_iter().filter(is_open)).collect()
}

/// Configuration after configuration.
struct Verification<'a> {
    options: &'a VerifyOptions,
    recording: Option<Recording>,
    bench: Bench<'a>,
    scratch: Scratch,
    terminal: Terminal,
    /// Files whose record is new.
    accepted: Vec<std::path::PathBuf>,
    /// Writes down what is proven, if it shall.
    proofs: Option<Prover<'a>>,
}

/// Writes down what is proven.
struct Prover<'a> {
    house: &'a House,
    shelves: Shelves,
    lab: String,
}

impl<'a> Prover<'a> {
    fn new(house: &'a House, places: &Places) -> Result<Self, Fault> {
        Ok(Self { house, shelves: Shelves::of(house, places)?, lab: laboratory(house)? })
    }

    fn keep(&self, application: &str, chosen: &Chosen, verified: &Verified) -> Result<(), Fault> {
        let variant = Provable::look(self.house, application, chosen.clone())?;
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
    fn verify_all(mut self, chosen: &[Chosen]) -> Result<(), Fault> {
        let mut failed = Vec::new();
        for chosen in chosen {
            let name = &chosen.configuration.name;
            let outcome = self.verify(chosen);
            self.terminal.quiet();
            match outcome {
                Ok(proof) => {
                    self.tell(chosen, &proof)?;
                    let application = self.bench.application.name();
                    self.proofs.as_ref().map_or(Ok(()), |proofs| proofs.keep(application, chosen, &proof))?;
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
    fn verify(&self, chosen: &Chosen) -> Result<Verified, LabError> {
        self.bench.hosts.hurry(|| self.verify_site(chosen))
    }

    fn verify_site(&self, chosen: &Chosen) -> Result<Verified, LabError> {
        let mut emit = |event: Event<'_>| self.terminal.show(&event);
        let mut site = self.bench.site(chosen, &self.scratch, None, &mut emit)?;
        if let Some(recording) = &self.recording {
            return self.bench.replay(chosen, &mut site, &recording.steps, &mut emit);
        }
        let depth = if self.options.smoke { Depth::Smoke } else { thorough(self.options) };
        let record = self.bench.records.record(chosen).filter(|_| !self.is_to_be_accepted(chosen));
        self.bench.verify(chosen, &mut site, depth, record.as_ref(), &mut emit)
    }

    /// Whether what a configuration sends becomes the record: the first one's of each storage engine does.
    fn is_to_be_accepted(&self, chosen: &Chosen) -> bool {
        let record = self.bench.records.record(chosen);
        self.options.accept && record.is_some_and(|record| !self.accepted.contains(&record.place))
    }

    fn tell(&mut self, chosen: &Chosen, proof: &Verified) -> Result<(), Fault> {
        let name = &chosen.configuration.name;
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
        let mut stores = chosen.configuration.tiers.iter().filter_map(|tier| tier.service.store());
        let is_estimate = stores.any(|store| !store.tells_round_trips());
        say(traffic::line(traffic, is_estimate))?;
        if self.options.statements {
            traffic::table(traffic, is_estimate).into_iter().try_for_each(say)?;
        }
        if chosen.configuration.work != Work::Exact {
            say(format_args!("  its statements are its own business: {} work", chosen.configuration.work))?;
        }
        for interaction in &proof.stale {
            say(format_args!("  {interaction} never sends all that is recorded; --accept records anew"))?;
        }
        if self.is_to_be_accepted(chosen) {
            let place = self.bench.records.accept(chosen, &traffic.sequences)?;
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
