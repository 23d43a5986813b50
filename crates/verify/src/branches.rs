//! Covers every branch of the rules by the application's script.

use crate::{Halt, VerifyError, lockstep::Lockstep, progress::ProgressReporter};
use application::Branch;

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
        let pages = lockstep.send(step)?;
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
