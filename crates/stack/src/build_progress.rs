//! Progress of building a site.

use crate::BuildStep;

/// Progress for users who wait for a site.
#[derive(Debug, Clone, Copy)]
pub enum BuildProgress<'a> {
    /// A step begins, or its progress.
    Step(&'a BuildStep, Option<&'a str>),
    /// A remark that is also recorded.
    Remark(&'a str),
}
