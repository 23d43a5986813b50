//! What a strategy asks a schedule for.

use results::Purpose;

/// A load that is wanted of a configuration, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoadRequest {
    pub clients: u32,
    pub purpose: Purpose,
}
