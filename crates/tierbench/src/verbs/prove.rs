//! `prove`: keeps the lines in proofs/ true.
//!
//! A variant with a valid line isn't verified again. Variants without one are verified; if the laboratory has changed, the fewest
//! variants that cover the workspace are checked; with a budget, the oldest lines are verified again, so that a false one
//! does not last.

mod workers;

use crate::{
    arguments::{Places, ProveOptions, SEED, VERIFY_REQUESTS, VERIFY_STEPS},
    fault::{CommandError, Fault},
    interrupt,
    output::{note, print},
    registry,
};
use application::{Application, Dataset};
use cache::default_folder;
use lab::{
    LabError, RunContext, Variant, Workspace, WorkspaceError,
    proof::{
        Proof, ProofDepth, ProofStore, Provable, cover, decisive, depth_of, laboratory, oldest_first, today,
    },
    vary,
};
use results::EventKind;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::{Duration, Instant},
};
use verify::{Depth, Parts, Verified};
use workers::{Job, Outcome};

pub(crate) fn run(places: &Places, options: &ProveOptions) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let mut contexts = BTreeMap::new();
    let mut variants = Vec::new();
    for application in applications(&workspace, options)? {
        contexts.insert(application.name(), context(&workspace, application, places)?);
        variants.extend(provable(&workspace, application, &options.configurations)?);
    }
    let stores = ProofStores::of(&workspace, places, options.check)?;
    let lab = laboratory(&workspace)?;
    let mut proving =
        Proving { options, contexts, variants, stores, lab, proofs: Vec::new(), counts: Counts::default() };
    proving.read()?;
    proving.prove_all()?;
    proving.end()
}

/// The application that is named, or all of the workspace.
fn applications(
    workspace: &Workspace,
    options: &ProveOptions,
) -> Result<Vec<&'static dyn Application>, Fault> {
    if let Some(name) = &options.application {
        return Ok(vec![registry::find(name)?]);
    }
    let there = workspace.applications()?;
    Ok(registry::all().filter(|one| there.iter().any(|name| name == one.name())).collect())
}

fn context<'a>(
    workspace: &Workspace,
    application: &'a dyn Application,
    places: &Places,
) -> Result<RunContext<'a>, Fault> {
    let dataset = Dataset::new(SEED, lab::VERIFICATION_SCALE, lab::now());
    let mut context = RunContext::read(workspace, application, None, dataset, 1.0, interrupt::flag()?)?;
    context.cache = places.cache_of_data()?;
    Ok(context)
}

/// The variants that `verify` would verify; of all stacks if no configuration is named.
fn provable(
    workspace: &Workspace,
    application: &dyn Application,
    configurations: &[String],
) -> Result<Vec<Provable>, Fault> {
    let stacks = || workspace.stacks(application.name());
    let words = match configurations {
        [] => stacks()?.into_iter().map(|stack| stack.name).collect(),
        named => named.to_vec(),
    };
    let variants = workspace.choose(application.name(), &words)?;
    let all = vary(&variants, &decisive(&variants))?;
    let look = |variant: Variant| Ok(Provable::look(workspace, application.name(), variant)?);
    all.into_iter().map(look).collect()
}

struct ProofStores {
    /// `proofs/`, which is committed.
    workspace: ProofStore,
    cache: Option<ProofStore>,
    is_check: bool,
}

impl ProofStores {
    fn of(workspace: &Workspace, places: &Places, is_check: bool) -> Result<Self, Fault> {
        Ok(Self {
            workspace: ProofStore::new(workspace.path().join("proofs")),
            cache: cached(places)?.map(ProofStore::new),
            is_check,
        })
    }

    fn writable(&self) -> impl Iterator<Item = &ProofStore> {
        self.cache.iter().chain((!self.is_check).then_some(&self.workspace))
    }

    fn keep(&self, of: &Provable, proof: &Proof) -> Result<(), WorkspaceError> {
        self.writable().try_for_each(|store| {
            store.change(&of.application, of.stack(), |held| {
                held.insert(of.name().to_owned(), proof.clone());
            })
        })
    }

    /// Removes a false proof. Those of other contents stay, since a content may come back.
    fn drop(&self, of: &Provable) -> Result<(), WorkspaceError> {
        self.writable().try_for_each(|store| {
            store.change(&of.application, of.stack(), |held| {
                held.retain(|name, proof| name != of.name() || proof.key != of.key);
            })
        })
    }

    /// The best valid proof, whether it is committed, and the latest proof of any content.
    fn find(&self, of: &Provable, lab: &str) -> Result<Known, WorkspaceError> {
        let read = |store: &ProofStore| {
            Ok::<_, WorkspaceError>(store.read(&of.application, of.stack())?.remove(of.name()))
        };
        let committed = read(&self.workspace)?;
        let cached = self.cache.as_ref().map(read).transpose()?.flatten();
        let all = || committed.iter().chain(&cached);
        let holding = all().filter(|proof| proof.key == of.key);
        let holds = holding.max_by_key(|proof| (proof.depth, proof.lab == lab, proof.on)).cloned();
        let before = all().max_by_key(|proof| (proof.sql == of.sql, proof.on)).cloned();
        Ok(Known { is_committed: committed.is_some_and(|proof| proof.key == of.key), holds, before })
    }
}

/// The user's folder of proofs, beside that of loaded data.
fn cached(places: &Places) -> Result<Option<PathBuf>, Fault> {
    let Some(named) = places.cache.clone().or_else(default_folder) else { return Ok(None) };
    let mut name = named.file_name().unwrap_or_default().to_owned();
    name.push("-proofs");
    Ok(Some(std::path::absolute(named.with_file_name(name))?))
}

/// The proofs of a variant, as they were found.
struct Known {
    holds: Option<Proof>,
    is_committed: bool,
    before: Option<Proof>,
}

#[derive(Default)]
struct Counts {
    missing: usize,
    renewed: usize,
    failed: Vec<String>,
}

struct Proving<'a> {
    options: &'a ProveOptions,
    contexts: BTreeMap<&'static str, RunContext<'a>>,
    variants: Vec<Provable>,
    stores: ProofStores,
    lab: String,
    proofs: Vec<Known>,
    counts: Counts,
}

impl Proving<'_> {
    fn read(&mut self) -> Result<(), Fault> {
        let find = |variant: &Provable| self.stores.find(variant, &self.lab);
        self.proofs = self.variants.iter().map(find).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn prove_all(&mut self) -> Result<(), Fault> {
        let begun = Instant::now();
        if self.options.all {
            let part = self.options.part.unwrap_or_default();
            let jobs = (0..self.variants.len()).filter(|at| part.holds(*at));
            let jobs: Vec<Job> = jobs.map(|at| Job { at, depth: ProofDepth::Full }).collect();
            return self.do_all("all in full", jobs, None);
        }
        let missing: Vec<Job> = self.missing();
        self.counts.missing = missing.len();
        self.do_all("without a proof", missing, None)?;
        self.do_all("after a change of the laboratory", self.covering(), None)?;
        let end = begun + self.options.budget.map_or(Duration::ZERO, |budget| budget.0);
        self.do_all("oldest proofs again", self.renewable(), Some(end))
    }

    /// Variants without a valid proof.
    fn missing(&self) -> Vec<Job> {
        let known = || self.variants.iter().zip(&self.proofs);
        let code = |variant: &Provable| (variant.application.clone(), variant.stack().to_owned());
        // The `sql` of each stack that was verified in full, or will be.
        let mut seen: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        let is_full =
            |known: &Known| known.holds.as_ref().is_some_and(|proof| proof.depth == ProofDepth::Full);
        for (variant, _) in known().filter(|(_, known)| is_full(known)) {
            seen.entry(code(variant)).or_default().insert(variant.sql.clone());
        }
        let mut jobs = Vec::new();
        // From the end, since the first variants of stacks are the slowest: CGI takes ten minutes.
        let missing = known().enumerate().filter(|(_, (_, known))| known.holds.is_none());
        for (at, (variant, known)) in missing.collect::<Vec<_>>().into_iter().rev() {
            let seen = seen.entry(code(variant)).or_default();
            let depth = depth_of(variant.is_preferred, &variant.sql, known.before.as_ref(), seen);
            if depth == ProofDepth::Full {
                seen.insert(variant.sql.clone());
            }
            jobs.push(Job { at, depth });
        }
        jobs.reverse();
        jobs
    }

    /// The fewest variants that cover what this laboratory has not verified yet.
    fn covering(&self) -> Vec<Job> {
        let is_seen = |known: &Known| known.holds.as_ref().is_some_and(|proof| proof.lab == self.lab);
        let all = || self.variants.iter().zip(&self.proofs);
        let shown: BTreeSet<String> = all()
            .filter(|(_, known)| is_seen(known))
            .flat_map(|(variant, _)| variant.shows.clone())
            .collect();
        let sets: Vec<BTreeSet<String>> = all().map(|(variant, _)| variant.shows.clone()).collect();
        // Variants that have just failed are not verified again.
        let may = |at: &usize| self.proofs[*at].holds.is_some();
        let jobs = cover(&sets, &shown).into_iter().filter(may);
        jobs.map(|at| Job { at, depth: ProofDepth::Smoke }).collect()
    }

    /// Proofs from before today, the oldest first.
    fn renewable(&self) -> Vec<Job> {
        let today = today();
        let held =
            || self.proofs.iter().enumerate().filter_map(|(at, known)| Some((at, known.holds.as_ref()?)));
        let is_new =
            |proof: &Proof| proof.on == today && proof.lab == self.lab && proof.depth == ProofDepth::Full;
        let old: Vec<(usize, &Proof)> = held().filter(|(_, proof)| !is_new(proof)).collect();
        let order = oldest_first(old.iter().map(|(at, proof)| (self.variants[*at].name(), proof.on)), today);
        order.into_iter().map(|place| Job { at: old[place].0, depth: ProofDepth::Full }).collect()
    }

    /// Verifies variants, two at a time. None begins after `end`.
    fn do_all(&mut self, why: &str, jobs: Vec<Job>, end: Option<Instant>) -> Result<(), Fault> {
        if jobs.is_empty() || end.is_some_and(|end| end <= Instant::now()) {
            return Ok(());
        }
        match end {
            None => note(format_args!("proofs: {} to verify: {why}", jobs.len())),
            Some(_) => note(format_args!("proofs: {why}, as long as there is time")),
        }
        let scratch = self.scratch()?;
        let verify = |job: Job| self.verify(job, &scratch);
        let outcomes = workers::run(jobs, end, |job| self.variants[job.at].stack(), verify);
        let taken: Vec<Result<(), Fault>> = outcomes.into_iter().map(|outcome| self.take(outcome)).collect();
        taken.into_iter().collect()
    }

    /// Verifies a variant and stores its proof at once, because later ones may fail or be interrupted.
    fn verify(&self, job: Job, scratch: &testbed::Scratch) -> Result<(), Fault> {
        let variant = &self.variants[job.at];
        let (name, application, depth) = (variant.name(), &variant.application, job.depth.word());
        let begun = Instant::now();
        note(format_args!("{application}, {name}: begins ({depth})"));
        let context = &self.contexts[application.as_str()];
        let verified = verify_one(context, variant, job.depth, scratch);
        let came = match &verified {
            Ok(_) => "verified",
            Err(LabError::Interrupted) => "interrupted",
            Err(_) => "not verified",
        };
        note(format_args!("{application}, {name}: {came} ({depth}, {} s)", begun.elapsed().as_secs()));
        let seen = verified?.census_summary();
        match self.proof_of(job) {
            Some(proof) => {
                let seen = seen.or_else(|| proof.seen.clone());
                let proof = Proof { seen, ..proof };
                Ok(self.stores.keep(variant, &proof)?)
            }
            None => Ok(()),
        }
    }

    /// The proof that a job gives; none if the variant has a deeper one.
    fn proof_of(&self, job: Job) -> Option<Proof> {
        let (variant, known) = (&self.variants[job.at], &self.proofs[job.at]);
        let is_new = job.depth == ProofDepth::Full || known.holds.is_none();
        is_new.then(|| variant.proof(&self.lab, job.depth, known.before.as_ref()))
    }

    fn scratch(&self) -> Result<testbed::Scratch, Fault> {
        let first = self.contexts.values().next();
        let first = first.ok_or_else(|| CommandError::input("there is no application to prove"))?;
        Ok(first.scratch(workers::WORKERS)?)
    }

    fn take(&mut self, Outcome { job, result }: Outcome) -> Result<(), Fault> {
        let proof = self.proof_of(job);
        let (variant, known) = (&self.variants[job.at], &mut self.proofs[job.at]);
        match (result, proof) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(proof)) => {
                known.is_committed |= !self.options.check;
                self.counts.renewed += usize::from(known.holds.is_some());
                known.holds = Some(proof);
                Ok(())
            }
            (Err(fault), _) if workers::is_difference(&fault) => {
                let (name, application) = (variant.name(), &variant.application);
                print(format_args!("{application}: {fault}"))?;
                if let Some(proof) = known.holds.take() {
                    let outcome = match (known.is_committed, self.options.check) {
                        (true, true) => format!("`tierbench prove {application} {name} --all` removes it"),
                        _ => "it is removed".to_owned(),
                    };
                    print(format_args!(
                        "the proof of {name} for {application} from {} was false, or a change of the laboratory has made \
                         it so; {outcome}",
                        proof.on
                    ))?;
                }
                self.stores.drop(variant)?;
                self.counts.failed.push(format!("{name} ({application})"));
                Ok(())
            }
            (Err(fault), _) => Err(fault),
        }
    }

    /// Writes the proofs into the workspace, unless they are only checked, and prints a summary.
    fn end(self) -> Result<(), Fault> {
        if !self.options.check {
            self.commit()?;
        }
        let held = || self.proofs.iter().filter_map(|known| known.holds.as_ref());
        let oldest = held().map(|proof| proof.on).min();
        let oldest = oldest.map_or(String::new(), |oldest| format!(", oldest {oldest}"));
        let Counts { missing, renewed, failed } = &self.counts;
        print(format_args!(
            "proofs: {} hold, {missing} were missing, {renewed} renewed{oldest}",
            held().count()
        ))?;
        let open = self.proofs.iter().filter(|known| known.holds.is_some() && !known.is_committed).count();
        if open > 0 && self.options.check {
            print(format_args!("proofs: {open} not in proofs/ yet; `tierbench prove` writes them"))?;
        }
        if failed.is_empty() { Ok(()) } else { Err(Fault::NotVerified(failed.join(", "))) }
    }

    /// Writes the proofs that the workspace's files lack, and removes those of no variant, unless only some are named.
    fn commit(&self) -> Result<(), Fault> {
        let mut files: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        for (at, variant) in self.variants.iter().enumerate() {
            files.entry((&variant.application, variant.stack())).or_default().push(at);
        }
        for ((application, stack), all) in files {
            self.stores.workspace.change(application, stack, |held| {
                if self.options.configurations.is_empty() {
                    held.retain(|name, _| all.iter().any(|at| self.variants[*at].name() == name));
                }
                for at in all {
                    let (variant, known) = (&self.variants[at], &self.proofs[at]);
                    if let Some(proof) = known.holds.as_ref().filter(|_| !known.is_committed) {
                        held.insert(variant.name().to_owned(), proof.clone());
                    }
                }
            })?;
        }
        Ok(())
    }
}

/// Verifies a variant on a site of its own.
fn verify_one(
    context: &RunContext<'_>,
    variant: &Provable,
    depth: ProofDepth,
    scratch: &testbed::Scratch,
) -> Result<Verified, LabError> {
    let depth = match depth {
        ProofDepth::Smoke => Depth::Smoke,
        ProofDepth::Full => {
            Depth::Full { requests: VERIFY_REQUESTS, steps: VERIFY_STEPS, parts: Parts::of(&[]) }
        }
    };
    let variant = &variant.variant;
    // Two run at a time, so each prints only its beginning, its end and its remarks.
    let mut emit = |event: EventKind| {
        if let EventKind::Remark { configuration, text } = event {
            note(format_args!("{configuration}: {text}"));
        }
    };
    let mut site = context.site(variant, scratch, None, &mut emit)?;
    let record = context.records.record(variant, &context.catalogue);
    context.verify(variant, &mut site, depth, record.as_ref(), &mut emit)
}
