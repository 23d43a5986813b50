//! What is told while a site is made.

use crate::BuildStep;

/// What people want to know who wait for a site.
#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// A step begins, or how far it is.
    Step(&'a BuildStep, Option<&'a str>),
    /// Something that they should also know later.
    Remark(&'a str),
}
