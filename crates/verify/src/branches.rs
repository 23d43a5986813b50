//! Covers every branch of the rules by the application's script.

use crate::{Halt, VerifyError, lockstep::Lockstep, progress::ProgressReporter};
use application::Branch;

/// Takes every branch. Returns their number.
pub(crate) fn take(lockstep: &mut Lockstep<'_>, progress: &mut ProgressReporter<'_>) -> Result<usize, Halt> {
    let subject = lockstep.subject;
    let branches = subject.application.branches(&lockstep.dataset(), &subject.key);
    for (number, Branch { name, step, status }) in branches.iter().enumerate() {
        progress.within(|| format!("{number} of {}", branches.len()));
        let pages = lockstep.send(step)?;
        if pages.status != *status {
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
