//! Verification of a stack against the model: both get the same requests, and must answer with the same documents and
//! end with the same rows.
//!
//! Requests of a browser's users come from a script that takes every branch of the rules; wrong values of every parameter;
//! the walk of one seeded user after another by a mix; a seeded random sequence that the model suggests, right and
//! damaged; and a census of every row with a page and every linked page. The statements that the stack sends to its
//! store must match those recorded beside the application. Times may differ by [`TOLERANCE`] seconds, because the stack
//! uses its database's clock. What only broken or hostile clients send is judged by safety instead, on a fresh site.
//!
//! A difference is reduced to a short sequence of requests that reproduces it on a fresh site, and that is saved.

mod alone;
mod audit;
mod branches;
mod census;
mod concurrency;
mod damage;
mod difference;
mod document;
mod error;
mod failure;
mod gateway;
mod headers;
mod judge;
mod letters;
mod lockstep;
mod malicious_inputs;
mod manner;
mod numbering;
mod outage;
mod part;
mod progress;
mod protocol;
mod safety;
mod saved_sequence;
mod secrets;
mod sequence;
mod shortest;
mod shrink;
mod spot_check;
mod statements;
mod subject;
mod survey;
mod tables;
mod together;
mod validators;
mod verified;
mod walk;
mod xml;

pub use concurrency::Contention;
pub use difference::{Difference, TOLERANCE, tells_server_fault};
pub use error::VerifyError;
pub use failure::Failure;
pub use part::{Part, Parts};
pub use progress::Phase;
pub use saved_sequence::SavedSequence;
pub use spot_check::{SpotCheck, spot_check};
pub use statements::{Sequences, StatementRecord, Traffic, Unexpected};
pub use subject::Subject;
pub use survey::{State, Survey};
pub use verified::{Counted, Verified};

use application::Step;
use error::Halt;
use lockstep::Lockstep;
use progress::ProgressReporter;
use stack::Site;
use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

/// Timeout for an answer. Users give up sooner, but a slow design is correct nevertheless: one page may take
/// thousands of remote calls.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// A few seconds: some wrong values and all branches.
    Smoke,
    /// The same, and a walk by the mix.
    Walk {
        /// The least number of requests; the walk goes on until every interaction of the mix was visited.
        requests: usize,
    },
    /// Everything, or some parts of it.
    Full {
        /// Least number of the users' requests; they go on until they have seen every interaction of the mix.
        requests: usize,
        /// The length of the random sequence.
        steps: usize,
        /// The parts.
        parts: Parts,
    },
}

impl Depth {
    fn has(self, part: Part) -> bool {
        match self {
            Self::Smoke => matches!(part, Part::Branches | Part::Values),
            Self::Walk { .. } => matches!(part, Part::Branches | Part::Values | Part::Walk),
            Self::Full { parts, .. } => parts.has(part),
        }
    }

    /// True if one client sends a sequence of plain requests.
    fn has_sequence(self) -> bool {
        let others = [Part::Clients, Part::Protocol, Part::Outage];
        Part::ALL.iter().any(|(part, _)| self.has(*part) && !others.contains(part))
    }

    fn is_whole(self) -> bool {
        Part::ALL.iter().all(|(part, _)| self.has(*part))
    }
}

/// Verifies a freshly started site. In the end, its stores may be gone. `on_progress` gets a line for each phase.
pub fn verify(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    depth: Depth,
    on_progress: &mut dyn FnMut(Phase<'_>),
) -> Result<Verified, VerifyError> {
    let mut progress = ProgressReporter::new(on_progress);
    let mut verified = Verified::default();
    if depth.has_sequence() {
        verified = in_lockstep(subject, site, &mut progress, |lockstep, progress| {
            lockstep.trace()?;
            compare(lockstep, depth, progress)
        })?;
        verified.invariants = audit::expect_sound(site)?;
        verified = expect_recorded(subject, verified, depth)?;
    }
    if depth.has(Part::Clients) {
        progress.begin("many clients at once");
        site.refresh()?;
        verified.contention = concurrency::check_concurrency(subject, site)?;
    }
    if let Depth::Full { steps, .. } = depth
        && depth.has(Part::Protocol)
    {
        progress.begin("protocol");
        site.refresh()?;
        let odd = in_lockstep(subject, site, &mut progress, |lockstep, progress| {
            let rows = protocol::check(lockstep, steps, progress)?;
            Ok(lockstep.proof(0, rows))
        })?;
        audit::expect_sound(site)?;
        verified.documents += odd.documents;
        verified.rows = verified.rows.or(odd.rows);
    }
    if depth.has(Part::Outage) {
        verified.documents += gateway::check_stranger(subject, site, &mut progress)?;
        verified.documents += outage::check(subject, site, &mut progress)?;
    }
    Ok(verified)
}

/// Does something with the model and the site. A difference is reduced to a short sequence.
fn in_lockstep(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    progress: &mut ProgressReporter<'_>,
    check: impl FnOnce(&mut Lockstep<'_>, &mut ProgressReporter<'_>) -> Result<Verified, Halt>,
) -> Result<Verified, VerifyError> {
    let mut lockstep = Lockstep::new(subject, site)?;
    match check(&mut lockstep, progress) {
        Ok(verified) => Ok(verified),
        Err(_) if subject.stop.load(Ordering::Relaxed) => Err(VerifyError::Interrupted),
        Err(Halt::Fault(fault)) => Err(fault),
        Err(Halt::Difference(difference)) => {
            let found = survey::found(&lockstep, &difference);
            let sent = lockstep.into_sent();
            let mut failure = shortest::failure(subject, site, sent, difference, progress)?;
            if let Some(first) = found.filter(|_| subject.surveys) {
                failure.survey = Some(survey::take(subject, site, [first].into(), progress)?);
            }
            Err(VerifyError::Failed(Box::new(failure)))
        }
    }
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

/// Sends both sides the plain requests, one after the other.
fn compare(
    lockstep: &mut Lockstep<'_>,
    depth: Depth,
    progress: &mut ProgressReporter<'_>,
) -> Result<Verified, Halt> {
    let mut branches = 0;
    if depth.has(Part::Branches) {
        // First, because the script refers to its new rows by the ids that they get on a fresh site.
        progress.begin("branches of the rules");
        branches = branches::take(lockstep, progress)?;
    }
    progress.begin("files");
    lockstep.fetch_files()?;
    let account = lockstep.subject.application.account(1);
    let samples = damage::samples(lockstep.subject.application, &lockstep.dataset());
    let mut wrong = malicious_inputs::requests(lockstep.subject.catalogue, &account);
    wrong.extend(samples.iter().flat_map(damage::SampleCall::damaged));
    wrong.retain(|step| lockstep.has(step) && lockstep.is_plain(step));
    let few = few_of_each(&wrong);
    if depth.has(Part::Values) {
        progress.begin("wrong values");
        let wrong = if matches!(depth, Depth::Full { .. }) { &wrong } else { &few };
        wrong.iter().try_for_each(|step| lockstep.send(step).map(drop))?;
    }
    if let Depth::Walk { requests } | Depth::Full { requests, .. } = depth
        && depth.has(Part::Walk)
    {
        progress.begin("walk by the mix");
        walk::walk(lockstep, requests, progress)?;
    }
    if let Depth::Full { steps, .. } = depth {
        if depth.has(Part::Branches) && depth.has(Part::Walk) {
            progress.begin("pages asked for in other manners");
            branches::ask_in_other_manners(lockstep, progress)?;
        }
        if depth.has(Part::Random) {
            progress.begin("random sequence");
            sequence::send(lockstep, steps, progress)?;
        }
        if depth.has(Part::Damaged) {
            progress.begin("damaged requests");
            sequence::send_spoilt(lockstep, steps, true, progress)?;
            progress.begin("wrong values once more");
            few.iter().try_for_each(|step| lockstep.send(step).map(drop))?;
        }
    }
    let mut census = Vec::new();
    if depth.has(Part::Census) {
        progress.begin("census of all rows and pages");
        census = census::take(lockstep, progress)?;
        progress.begin("many users at once");
        together::check(lockstep, progress)?;
    }
    progress.begin("comparing all rows");
    lockstep.expect_no_more_payments()?;
    let rows = tables::expect_equal(lockstep)?;
    Ok(Verified { census, ..lockstep.proof(branches, rows) })
}

/// The number of wrong values for each interaction in a short verification.
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
    let cached = &record.cached;
    let Some(recorded) = &record.sequences else {
        return match record.is_binding {
            true => Err(VerifyError::Unrecorded { place, command: subject.command.to_owned() }),
            false => Ok(verified),
        };
    };
    let unexpected = traffic.unexpected(recorded, cached);
    if !record.is_binding {
        return Ok(Verified { others: unexpected, ..verified });
    }
    if !unexpected.is_empty() {
        return Err(VerifyError::Statements { unexpected, place });
    }
    let mut stale = if depth.is_whole() { traffic.never_sent(recorded, cached) } else { Vec::new() };
    stale.retain(|name| subject.catalogue.by_name(name).is_some_and(|id| subject.scope.contains(&id)));
    Ok(Verified { stale, ..verified })
}
