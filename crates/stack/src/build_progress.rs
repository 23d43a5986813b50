//! Progress of building a site.

use crate::BuildStep;

#[derive(Debug, Clone, Copy)]
pub enum BuildProgress<'a> {
    Step(&'a BuildStep, Option<&'a str>),
    /// A remark that is also recorded.
    Remark(&'a str),
}
