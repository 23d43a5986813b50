//! Early ends of a verification.

use crate::{Difference, Failure, Unexpected};
use engine::EngineError;
use services::ServiceError;
use settings::Blame;
use stack::SiteError;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error("{0}")]
    Failed(Box<Failure>),
    /// An answer differs, to a request that can't be written as a step.
    #[error("{0}\nsuch a request can't be saved; verify again to see it again")]
    Odd(Difference),
    /// A replayed sequence still differs from the model.
    #[error("after {sent} of {steps} requests:\n{difference}")]
    Replayed { sent: usize, steps: usize, difference: Difference },
    /// The application's script misses a branch.
    #[error(
        "{step}\nshould take the branch `{name}` with status {expected}, but the model, too, answers {got}; mend the application's script"
    )]
    Branch {
        name: String,
        step: String,
        /// The status that proves that the branch is taken.
        expected: u16,
        got: u16,
    },
    /// The walk never visited an interaction.
    #[error(
        "after {requests} requests the walk has still not seen {missing}: no page leads there, or the mix hardly ever goes there"
    )]
    Unseen { requests: usize, missing: String },
    /// Its data break invariants.
    #[error("the data break what must always be true:\n{}", .0.join("\n"))]
    Unsound(Vec<String>),
    /// It loses, doubles or invents writes under concurrency.
    #[error("after {writes} writes by {clients} clients at once:\n{}", .faults.join("\n"))]
    Contention { clients: usize, writes: usize, faults: Vec<String> },
    /// Its statements differ from the recorded ones.
    #[error(
        "{}\n{} lists what it must send; send exactly that, or write `statements = \"equivalent\"` in stack.toml if it cannot",
        shown(.unexpected), .place.display()
    )]
    Statements {
        /// The unexpected statements.
        unexpected: Vec<Unexpected>,
        place: PathBuf,
    },
    /// No statements are recorded for comparison.
    #[error("{} doesn't exist; {command} --accept records the statements in it, for review", .place.display())]
    Unrecorded {
        place: PathBuf,
        /// The arguments that verify this configuration.
        command: String,
    },
    #[error("{0}")]
    Closed(EngineError),
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The site could not be started again.
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("interrupted")]
    Interrupted,
}

impl VerifyError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::Failed(_)
            | Self::Odd(_)
            | Self::Replayed { .. }
            | Self::Branch { .. }
            | Self::Unseen { .. }
            | Self::Unsound(_)
            | Self::Contention { .. }
            | Self::Statements { .. }
            | Self::Unrecorded { .. }
            | Self::Closed(_) => Blame::Unverified,
            Self::Service(fault) => fault.blame(),
            Self::Site(fault) => fault.blame(),
            Self::Interrupted => Blame::Interrupted,
        }
    }
}

fn shown(unexpected: &[Unexpected]) -> String {
    unexpected.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

pub(crate) enum Halt {
    Difference(Difference),
    Fault(VerifyError),
}

impl From<Difference> for Halt {
    fn from(difference: Difference) -> Self {
        Self::Difference(difference)
    }
}

impl<E: Into<VerifyError>> From<E> for Halt {
    fn from(fault: E) -> Self {
        Self::Fault(fault.into())
    }
}
