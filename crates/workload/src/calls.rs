//! How a program calls a site's operations.

use crate::{Header, Interaction, Request};
use rand::Rng;

/// One call of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// Its headers: the content type and others of the protocol.
    pub headers: Vec<Header>,
    /// The document to send; may be empty.
    pub body: String,
}

/// How an application's operations are called.
pub trait Calls: Sync {
    /// Draws a call of an operation.
    fn call(&self, interaction: &Interaction, random: &mut dyn Rng) -> Call;

    /// Whether the check needs the body of an answer. If not, no body is kept.
    fn reads(&self) -> bool {
        true
    }

    /// Whether an answer with this status is correct.
    fn is_right(&self, request: &Request, status: u16, body: &[u8]) -> bool;
}
