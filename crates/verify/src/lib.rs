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
mod difference;
mod document;
mod error;
mod failure;
mod lockstep;
mod malicious_inputs;
mod numbering;
mod progress;
mod saved_sequence;
mod sequence;
mod shortest;
mod shrink;
mod statements;
mod subject;
mod tables;
mod verified;
mod walk;
mod xml;

pub use concurrency::Contention;
pub use difference::{Difference, TOLERANCE};
pub use error::VerifyError;
pub use failure::Failure;
pub use progress::Phase;
pub use saved_sequence::SavedSequence;
pub use statements::{Sequences, StatementRecord, Traffic, Unexpected};
pub use subject::Subject;
pub use verified::{Counted, Verified};

use application::Step;
use error::Halt;
use lockstep::Lockstep;
use progress::ProgressReporter;
use stack::Site;
use std::{collections::BTreeMap, time::Duration};

/// Timeout for an answer. Users give up sooner, but a slow design is correct nevertheless: one page may take
/// thousands of remote calls.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

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
        /// Least number of the users' requests; they go on until they have seen every interaction of the mix.
        requests: usize,
        /// The length of the random sequence.
        steps: usize,
    },
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
            let failure = shortest::failure(subject, site, sent, difference, &mut progress)?;
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
    match send_all(&mut lockstep, steps) {
        Ok(rows) => Ok(lockstep.proof(0, rows)),
        Err(Halt::Fault(fault)) => Err(fault),
        Err(Halt::Difference(difference)) => {
            let sent = lockstep.into_sent().steps.len();
            Err(VerifyError::Replayed { sent, steps: steps.len(), difference })
        }
    }
}

/// Sends steps and compares all rows in the end.
fn send_all(lockstep: &mut Lockstep<'_>, steps: &[Step]) -> Result<Option<usize>, Halt> {
    for step in steps {
        lockstep.send(step)?;
    }
    tables::expect_equal(lockstep)
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
