//! Calls of a site's operations by a program.

use crate::{Header, Interaction, Request};
use rand::Rng;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// The content type and others of the protocol.
    pub headers: Vec<Header>,
    /// May be empty.
    pub body: String,
}

pub trait Calls: Sync {
    fn call(&self, interaction: &Interaction, random: &mut dyn Rng) -> Call;

    /// True if the check needs the body of an answer. If not, no body is kept.
    fn reads(&self) -> bool {
        true
    }

    /// True if an answer with this status is correct.
    fn is_right(&self, request: &Request, status: u16, body: &[u8]) -> bool;
}
