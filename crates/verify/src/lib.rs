//! Proof that a stack is the application: the same requests go to the stack and to the model, and both must answer
//! with the same documents and end with the same rows.
//!
//! Five kinds of requests are sent: hostile ones that no user would send; a script that takes every branch of the
//! rules; the walk of one seeded user after another by a mix; a seeded random sequence of what the model suggests; and a
//! census, which sees every row that has a page and every page that links lead to.
//! What the stack sends to its store must be what is recorded beside the application. Times may differ by [`TOLERANCE`]
//! seconds, because the stack's time is its database's.
//!
//! A difference is tracked down to a short sequence of requests that shows it on a fresh site, which is saved.

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
mod recording;
mod sequence;
mod shrink;
mod statements;
mod tables;
mod walk;
mod xml;

pub use census::Counted;
pub use concurrency::Contention;
pub use failure::Failure;
pub use recording::Recording;
pub use statements::{Figures, Record, Sequences, Traffic, Unexpected};

use application::{Application, Step, TokenKey};
use engine::EngineError;
use lockstep::Lockstep;
pub use progress::Phase;
use progress::Progress;
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

/// What is verified.
pub struct Subject<'a> {
    /// The application, whose model is right by definition.
    pub application: &'a dyn Application,
    /// Its interactions.
    pub catalogue: &'a Catalogue,
    /// The mix that the users walk by.
    pub mix: &'a Mix,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Seed of the walk and of the random sequence.
    pub seed: u64,
    /// The configuration's name.
    pub configuration: &'a str,
    /// The statements that it must send; none if it needn't send the same ones as others.
    pub record: Option<&'a Record>,
    /// Where a failing sequence is saved.
    pub failure: &'a Path,
    /// How long a shorter sequence is looked for. Each trial needs a fresh start.
    pub timeout: Duration,
    /// The words that verify this configuration: `tierbench verify auction WsPhp-DB`.
    pub command: &'a str,
    /// Told to stop from outside.
    pub stop: &'a AtomicBool,
}

/// How thoroughly it is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// What takes only seconds: few hostile requests, all branches.
    Smoke,
    /// The same, and a walk by the mix.
    Walk {
        /// How many requests the users make at least; they go on until they have seen every interaction of the mix.
        requests: usize,
    },
    /// Everything.
    Full {
        /// How many requests the users make at least; they go on until they have seen every interaction of the mix.
        requests: usize,
        /// How many requests the random sequence has.
        steps: usize,
    },
}

/// What was proven.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Documents that were equal.
    pub documents: usize,
    /// Interactions that answered with their page.
    pub interactions: usize,
    /// What the census has seen; nothing where none was taken.
    pub census: Vec<Counted>,
    /// Branches that were taken.
    pub branches: usize,
    /// Rows that were equal; none where the stack has no store to read.
    pub rows: Option<usize>,
    /// Invariants that hold; none where the stack has no store to read.
    pub invariants: Option<usize>,
    /// What became of writes that many clients sent at once, where that was tried and the stack has a store to read.
    pub contention: Option<Contention>,
    /// What was sent to the store, where that can be traced.
    pub traffic: Option<Traffic>,
    /// Interactions of which more ways are recorded than were seen. Only everything together sees all of them.
    pub stale: Vec<String>,
}

impl Verified {
    /// How much the census has seen: `items 330 of 330, pages of lists 1,240 of 1,240`; none where none was taken.
    pub fn seen(&self) -> Option<String> {
        let counts: Vec<String> = self.census.iter().map(ToString::to_string).collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

/// How a stack differs from the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The request whose answer differs; none if it is the rows in the end.
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
    /// It differs in an answer to something that can't be written down as a step.
    #[error("{0}\nsuch a request can't be saved; verify again to see it again")]
    Odd(Difference),
    /// The same sequence of requests differs from the model as it did before.
    #[error("after {sent} of {steps} requests:\n{difference}")]
    Replayed {
        /// How many requests were sent.
        sent: usize,
        /// How many there are.
        steps: usize,
        /// What differs.
        difference: Difference,
    },
    /// The application's script doesn't do what it says.
    #[error(
        "{step}\nshould take the branch `{name}` with status {expected}, but the model, too, answers {got}; mend the application's script"
    )]
    Branch {
        /// What the branch is about.
        name: String,
        /// The request.
        step: String,
        /// The status that proves that the branch is taken.
        expected: u16,
        /// The model's status.
        got: u16,
    },
    /// The walk never came to an interaction.
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
    /// It loses, doubles or invents writes when many clients write at once.
    #[error("after {writes} writes by {clients} clients at once:\n{}", .faults.join("\n"))]
    Contention {
        /// How many clients wrote.
        clients: usize,
        /// How many writes they sent.
        writes: usize,
        /// Everything that is wrong with the rows, and with what must always be true.
        faults: Vec<String>,
    },
    /// It sends other statements than are recorded.
    #[error("{}\nif these changes are meant, {command} --accept records them in {}", shown(.unexpected), .place.display())]
    Statements {
        /// What was sent instead.
        unexpected: Vec<Unexpected>,
        /// The file of the record.
        place: PathBuf,
        /// The words that verify this configuration.
        command: String,
    },
    /// There is nothing to compare its statements with.
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

/// What ends the questions before all are answered.
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

/// Verifies a site that has just been started fresh. `tell` hears what is done.
pub fn verify(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    depth: Depth,
    tell: &mut dyn FnMut(Phase<'_>),
) -> Result<Verified, VerifyError> {
    let mut progress = Progress::new(tell);
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

/// Sends a sequence to a site that has just been started fresh, and compares all rows in the end.
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

/// Asks both lockstep everything that one fresh start is enough for.
fn compare(lockstep: &mut Lockstep<'_>, depth: Depth, progress: &mut Progress<'_>) -> Result<Verified, Halt> {
    // First of all, because the script names rows that it adds by the ids that they get on a fresh site.
    progress.begin("branches of the rules");
    let branches = branches::take(lockstep, progress)?;
    let account = lockstep.subject.application.account(1);
    let samples = damage::samples(lockstep.subject.application, &lockstep.scenario());
    let mut hostile = malicious_inputs::requests(lockstep.subject.catalogue, &account);
    hostile.extend(samples.iter().flat_map(damage::Sample::damaged));
    let few = few_of_each(&hostile);
    progress.begin("hostile requests");
    let hostile = if matches!(depth, Depth::Full { .. }) { &hostile } else { &few };
    hostile.iter().try_for_each(|step| lockstep.send(step).map(drop))?;
    if matches!(depth, Depth::Full { .. }) {
        progress.begin("what no browser can send");
        malicious_inputs::raw_requests(lockstep.subject.catalogue, &account)
            .try_for_each(|raw_request| lockstep.send_oddity(&raw_request))?;
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
        progress.begin("hostile requests once more");
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

/// How many hostile requests of each interaction are sent where there is little time.
const FEW: usize = 8;

/// Some requests to each path and by each method, evenly spread over all of them.
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

/// Holds what was sent to the store against the record, once all documents and rows are known to be equal.
fn expect_recorded(subject: &Subject<'_>, verified: Verified, depth: Depth) -> Result<Verified, VerifyError> {
    let (Some(record), Some(traffic)) = (subject.record, &verified.traffic) else { return Ok(verified) };
    let (place, command) = (record.place.clone(), subject.command.to_owned());
    let Some(recorded) = &record.sequences else { return Err(VerifyError::Unrecorded { place, command }) };
    let unexpected = traffic.unexpected(recorded);
    if !unexpected.is_empty() {
        return Err(VerifyError::Statements { unexpected, place, command });
    }
    let sees_all = matches!(depth, Depth::Full { .. });
    let stale = if sees_all { traffic.never_sent(recorded) } else { Vec::new() };
    Ok(Verified { stale, ..verified })
}
