//! Every branch of the rules, by the application's own script.

use crate::{Halt, VerifyError, progress::Progress, sides::Sides};
use application::Branch;

/// Takes every branch. Returns how many there are.
pub(crate) fn take(sides: &mut Sides<'_>, progress: &mut Progress<'_>) -> Result<usize, Halt> {
    let subject = sides.subject;
    let branches = subject.application.branches(&sides.scenario(), &subject.key);
    for (number, Branch { name, step, status }) in branches.iter().enumerate() {
        progress.within(|| format!("{number} of {}", branches.len()));
        let pages = sides.send(step)?;
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
