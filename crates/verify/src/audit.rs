//! The invariants hold for a stack's data in the end.

use crate::VerifyError;
use stack::Site;

/// Audits all rows. Returns the number of invariants that hold; none without a store.
pub(crate) fn expect_sound(site: &Site<'_>) -> Result<Option<usize>, VerifyError> {
    let Some(audit) = site.audit(true) else { return Ok(None) };
    let audit = audit?;
    let violated: Vec<String> = audit.violated().map(ToString::to_string).collect();
    if violated.is_empty() { Ok(Some(audit.findings.len())) } else { Err(VerifyError::Unsound(violated)) }
}
