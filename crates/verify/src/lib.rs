//! Verification of a stack against the model: both get the same requests, and must answer with the same documents and
//! end with the same rows.
//!
//! Five kinds of requests are sent: malicious inputs; a script that takes every branch of the rules; the walk of one
//! seeded user after another by a mix; a seeded random sequence that the model suggests; and a census of every row with
//! a page and every linked page. The statements that the stack sends to its store must match those recorded beside the
//! application. Times may differ by [`TOLERANCE`] seconds, because the stack uses its database's clock.
//!
//! A difference is reduced to a short sequence of requests that reproduces it on a fresh site, and that is saved.

mod audit;
mod branches;
mod census;
mod concurrency;
mod damage;
mod document;
mod failure;
mod lockstep;
mod malicious_inputs;
mod numbering;
mod progress;
mod saved_sequence;
mod sequence;
mod shrink;
mod statements;
mod tables;
mod walk;
mod xml;

pub use census::Counted;
pub use concurrency::Contention;
pub use failure::Failure;
pub use saved_sequence::SavedSequence;
pub use statements::{Sequences, StatementRecord, StoreCost, Traffic, Unexpected};

use application::{Application, Step, TokenKey};
use engine::EngineError;
use lockstep::Lockstep;
pub use progress::Phase;
use progress::ProgressReporter;
use services::ServiceError;
use stack::{Site, SiteError};
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};
use thiserror::Error;
use workload::{Catalogue, Mix};

/// By how many seconds times in pages and rows may differ.
pub const TOLERANCE: i64 = 2;

/// What is verified, and how.
pub struct Subject<'a> {
    /// The application with its model, which is correct by definition.
    pub application: &'a dyn Application,
    /// Its interactions.
    pub catalogue: &'a Catalogue,
    /// The mix of the walk.
    pub mix: &'a Mix,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Seed of the walk and of the random sequence.
    pub seed: u64,
    /// The configuration's name.
    pub configuration: &'a str,
    /// The recorded statements that it must send; none if its statements are its own.
    pub record: Option<&'a StatementRecord>,
    /// Where a failing sequence is saved.
    pub failure: &'a Path,
    /// The time limit of shrinking a failing sequence. Each trial needs a fresh start.
    pub timeout: Duration,
    /// The command that verifies this configuration: `tierbench verify auction WsPhp-DB`.
    pub command: &'a str,
    /// Set to interrupt the verification.
    pub stop: &'a AtomicBool,
}

/// How thoroughly it is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// A few seconds: some malicious inputs and all branches.
    Smoke,
    /// The same, and a walk by the mix.
    Walk {
        /// The least number of requests; the walk goes on until every interaction of the mix was visited.
        requests: usize,
    },
    /// Everything.
    Full {
        /// How many requests the users make at least; they go on until they have seen every interaction of the mix.
        requests: usize,
        /// The length of the random sequence.
        steps: usize,
    },
}

/// The result of a verification.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Documents that were equal.
    pub documents: usize,
    /// Interactions that have answered with their page.
    pub interactions: usize,
    /// The counts of the census; empty without one.
    pub census: Vec<Counted>,
    /// Branches that were taken.
    pub branches: usize,
    /// Rows that were equal; none if the stack has no store.
    pub rows: Option<usize>,
    /// Invariants that hold; none if the stack has no store.
    pub invariants: Option<usize>,
    /// The result of concurrent writes; none if they were not tried or the stack has no store.
    pub contention: Option<Contention>,
    /// The statements sent to the store, if it can be traced.
    pub traffic: Option<Traffic>,
    /// Interactions with recorded sequences that were not sent. Only a full verification sends all of them.
    pub stale: Vec<String>,
}

impl Verified {
    /// The counts of the census: `items 330 of 330, pages of lists 1,240 of 1,240`; none without one.
    pub fn census_summary(&self) -> Option<String> {
        let counts: Vec<String> = self.census.iter().map(ToString::to_string).collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

/// How a stack differs from the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The request whose answer differs; none if the rows differ in the end.
    pub step: Option<Step>,
    /// Where and how.
    pub text: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.step {
            Some(step) => write!(f, "{}\n{}", failure::cut(step), self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Why a stack is not verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// It differs from the model.
    #[error("{0}")]
    Failed(Box<Failure>),
    /// It differs in the answer to a request that can't be written as a step.
    #[error("{0}\nsuch a request can't be saved; verify again to see it again")]
    Odd(Difference),
    /// A replayed sequence still differs from the model.
    #[error("after {sent} of {steps} requests:\n{difference}")]
    Replayed {
        /// How many requests were sent.
        sent: usize,
        /// How many there are.
        steps: usize,
        /// What differs.
        difference: Difference,
    },
    /// The application's script misses a branch.
    #[error(
        "{step}\nshould take the branch `{name}` with status {expected}, but the model, too, answers {got}; mend the application's script"
    )]
    Branch {
        /// The name of the branch.
        name: String,
        /// The request.
        step: String,
        /// The status that proves that the branch is taken.
        expected: u16,
        /// The model's status.
        got: u16,
    },
    /// The walk never visited an interaction.
    #[error(
        "after {requests} requests the walk has still not seen {missing}: no page leads there, or the mix hardly ever goes there"
    )]
    Unseen {
        /// How many requests were made.
        requests: usize,
        /// Names of interactions.
        missing: String,
    },
    /// Its data break invariants.
    #[error("the data break what must always be true:\n{}", .0.join("\n"))]
    Unsound(Vec<String>),
    /// It loses, doubles or invents writes under concurrency.
    #[error("after {writes} writes by {clients} clients at once:\n{}", .faults.join("\n"))]
    Contention {
        /// How many clients wrote.
        clients: usize,
        /// How many writes they sent.
        writes: usize,
        /// The faults of rows and invariants.
        faults: Vec<String>,
    },
    /// Its statements differ from the recorded ones.
    #[error(
        "{}\n{} lists what it must send; send exactly that, or write `statements = \"equivalent\"` in stack.toml if it cannot",
        shown(.unexpected), .place.display()
    )]
    Statements {
        /// The unexpected statements.
        unexpected: Vec<Unexpected>,
        /// The file of the record.
        place: PathBuf,
    },
    /// No statements are recorded for comparison.
    #[error("{} doesn't exist; {command} --accept records the statements in it, for review", .place.display())]
    Unrecorded {
        /// The file of the record.
        place: PathBuf,
        /// The words that verify this configuration.
        command: String,
    },
    /// Nothing answers.
    #[error("{0}")]
    Closed(EngineError),
    /// A service failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The site could not be started again.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// Told to stop.
    #[error("interrupted")]
    Interrupted,
}

fn shown(unexpected: &[Unexpected]) -> String {
    unexpected.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What ends a verification early.
pub(crate) enum Halt {
    Difference(Difference),
    Fault(VerifyError),
}

impl From<Difference> for Halt {
    fn from(difference: Difference) -> Self {
        Self::Difference(difference)
    }
}

impl<E: Into<VerifyError>> From<E> for Halt {
    fn from(fault: E) -> Self {
        Self::Fault(fault.into())
    }
}

/// Verifies a freshly started site. `on_progress` gets a line for each phase.
pub fn verify(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    depth: Depth,
    on_progress: &mut dyn FnMut(Phase<'_>),
) -> Result<Verified, VerifyError> {
    let mut progress = ProgressReporter::new(on_progress);
    let mut lockstep = Lockstep::new(subject, site)?;
    lockstep.trace()?;
    let verified = match compare(&mut lockstep, depth, &mut progress) {
        Ok(verified) => verified,
        Err(Halt::Fault(fault)) => return Err(fault),
        Err(Halt::Difference(difference)) => {
            let sent = lockstep.into_sent();
            let failure = failure::failure(subject, site, sent, difference, &mut progress)?;
            return Err(VerifyError::Failed(Box::new(failure)));
        }
    };
    let verified = Verified { invariants: audit::expect_sound(site)?, ..verified };
    let verified = expect_recorded(subject, verified, depth)?;
    if !matches!(depth, Depth::Full { .. }) {
        return Ok(verified);
    }
    progress.begin("many clients at once");
    site.refresh()?;
    Ok(Verified { contention: concurrency::check_concurrency(subject, site)?, ..verified })
}

/// Replays a sequence on a freshly started site, and compares all rows in the end.
pub fn replay(subject: &Subject<'_>, site: &Site<'_>, steps: &[Step]) -> Result<Verified, VerifyError> {
    let mut lockstep = Lockstep::new(subject, site)?;
    lockstep.trace()?;
    match failure::send_all(&mut lockstep, steps) {
        Ok(rows) => Ok(lockstep.proof(0, rows)),
        Err(Halt::Fault(fault)) => Err(fault),
        Err(Halt::Difference(difference)) => {
            let sent = lockstep.into_sent().steps.len();
            Err(VerifyError::Replayed { sent, steps: steps.len(), difference })
        }
    }
}

/// Sends both sides everything that needs only one fresh start.
fn compare(
    lockstep: &mut Lockstep<'_>,
    depth: Depth,
    progress: &mut ProgressReporter<'_>,
) -> Result<Verified, Halt> {
    // First, because the script refers to its new rows by the ids that they get on a fresh site.
    progress.begin("branches of the rules");
    let branches = branches::take(lockstep, progress)?;
    let account = lockstep.subject.application.account(1);
    let samples = damage::samples(lockstep.subject.application, &lockstep.dataset());
    let mut malicious = malicious_inputs::requests(lockstep.subject.catalogue, &account);
    malicious.extend(samples.iter().flat_map(damage::SampleCall::damaged));
    let few = few_of_each(&malicious);
    progress.begin("malicious requests");
    let malicious = if matches!(depth, Depth::Full { .. }) { &malicious } else { &few };
    malicious.iter().try_for_each(|step| lockstep.send(step).map(drop))?;
    if matches!(depth, Depth::Full { .. }) {
        progress.begin("what no browser can send");
        malicious_inputs::raw_requests(lockstep.subject.catalogue, &account)
            .try_for_each(|raw_request| lockstep.send_raw(&raw_request))?;
        let malformed = malicious_inputs::malformed(lockstep.subject.catalogue, lockstep.host());
        malformed.iter().try_for_each(|(name, bytes)| lockstep.send_malformed(name, bytes))?;
        lockstep.expect_redirects()?;
        let host = lockstep.host().to_owned();
        let framed = samples.iter().flat_map(|sample| sample.framed(&host));
        framed.into_iter().try_for_each(|framed| lockstep.send_framed(&framed))?;
    }
    if let Depth::Walk { requests } | Depth::Full { requests, .. } = depth {
        progress.begin("walk by the mix");
        walk::walk(lockstep, requests, progress)?;
    }
    if let Depth::Full { steps, .. } = depth {
        progress.begin("random sequence");
        sequence::send(lockstep, steps, progress)?;
        progress.begin("damaged requests");
        sequence::send_spoilt(lockstep, steps, progress)?;
        progress.begin("malicious requests once more");
        few.iter().try_for_each(|step| lockstep.send(step).map(drop))?;
    }
    let census = match depth {
        Depth::Full { .. } => {
            progress.begin("census of all rows and pages");
            census::take(lockstep, progress)?
        }
        _ => Vec::new(),
    };
    progress.begin("comparing all rows");
    let rows = tables::expect_equal(lockstep)?;
    Ok(Verified { census, ..lockstep.proof(branches, rows) })
}

/// The number of malicious inputs for each interaction in a short verification.
const FEW: usize = 8;

/// Some requests for each path and method, evenly spread.
fn few_of_each(steps: &[Step]) -> Vec<Step> {
    let mut groups: BTreeMap<(&str, &str), Vec<&Step>> = BTreeMap::new();
    for step in steps {
        groups.entry((&step.path, &step.method)).or_default().push(step);
    }
    let spread = |group: Vec<&Step>| {
        let stride = group.len().div_ceil(FEW);
        group.into_iter().step_by(stride).cloned().collect::<Vec<_>>()
    };
    groups.into_values().flat_map(spread).collect()
}

/// Compares the statements with the record, after all documents and rows.
fn expect_recorded(subject: &Subject<'_>, verified: Verified, depth: Depth) -> Result<Verified, VerifyError> {
    let (Some(record), Some(traffic)) = (subject.record, &verified.traffic) else { return Ok(verified) };
    let place = record.place.clone();
    let Some(recorded) = &record.sequences else {
        return Err(VerifyError::Unrecorded { place, command: subject.command.to_owned() });
    };
    let unexpected = traffic.unexpected(recorded);
    if !unexpected.is_empty() {
        return Err(VerifyError::Statements { unexpected, place });
    }
    let sees_all = matches!(depth, Depth::Full { .. });
    let stale = if sees_all { traffic.never_sent(recorded) } else { Vec::new() };
    Ok(Verified { stale, ..verified })
}
