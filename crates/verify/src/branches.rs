//! Covers every branch of the rules by the application's script.

use crate::{Halt, Subject, VerifyError, lockstep::Lockstep, progress::ProgressReporter};
use application::{Branch, Dataset, Step};
use std::collections::{BTreeMap, BTreeSet};
use workload::{Effect, Interaction, InteractionId};

/// Takes every branch. Returns their number.
pub(crate) fn take(lockstep: &mut Lockstep<'_>, progress: &mut ProgressReporter<'_>) -> Result<usize, Halt> {
    let subject = lockstep.subject;
    let branches = subject.application.branches(&lockstep.dataset(), &subject.key);
    let is_whole = lockstep.scope().len() == subject.catalogue.interactions().len();
    for (number, Branch { name, step, status }) in branches.iter().enumerate() {
        progress.within(|| format!("{number} of {}", branches.len()));
        if !lockstep.has(step) {
            continue;
        }
        let pages = lockstep.send_varied(step, *status == 200)?;
        // Without what others would have written, a step may take another branch.
        if pages.status != *status && is_whole {
            return Err(VerifyError::Branch {
                name: name.clone(),
                step: step.to_string(),
                expected: *status,
                got: pages.status,
            }
            .into());
        }
    }
    Ok(branches.len())
}

/// The script's first request to each of these interactions that is not refused.
pub(crate) fn first_of_each(
    subject: &Subject<'_>,
    dataset: &Dataset,
    scope: &BTreeSet<InteractionId>,
    is_wanted: fn(&Interaction) -> bool,
) -> BTreeMap<InteractionId, Step> {
    let mut first = BTreeMap::new();
    for Branch { step, status, .. } in subject.application.branches(dataset, &subject.key) {
        let id = subject.catalogue.by_path(&step.path).filter(|id| scope.contains(id) && status == 200);
        if let Some(id) = id.filter(|id| is_wanted(subject.catalogue.get(*id))) {
            first.entry(id).or_insert(step);
        }
    }
    first
}

/// Asks for a page of each interaction that changes nothing in the manners in which script and walk did not ask for it.
pub(crate) fn ask_in_other_manners(
    lockstep: &mut Lockstep<'_>,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    let reads = |interaction: &Interaction| interaction.effect != Effect::Write;
    let pages = first_of_each(lockstep.subject, &lockstep.dataset(), lockstep.scope(), reads);
    for (number, step) in pages.values().enumerate() {
        progress.within(|| format!("{number} of {} pages", pages.len()));
        if lockstep.is_plain(step) && lockstep.would_take(step) {
            lockstep.ask_in_other_manners(step)?;
        }
    }
    Ok(())
}
