//! Classes of errors.

use std::io;

/// The class of an error. Each error type classifies its own variants; the command has one exit code for each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blame {
    /// A fault that nobody foresaw.
    Unexpected,
    /// A wrong option, argument or file, or a stack that can't be built.
    Input,
    /// A stack that differs from the model.
    Unverified,
    /// A service or a host that did not start, or ended; a load or a profile that could not be taken.
    Service,
    /// A program that is not installed, or is too old.
    Missing,
    /// A result or temporary files that can't be written or read.
    Storage,
    /// Measurements without a VALID figure.
    Invalid,
    /// A figure for which a condition of `--fail-if` holds.
    Condition,
    /// A comparison that cannot tell whether a figure is worse than `--fail-if-worse` tolerates.
    Undecided,
    /// A result that was damaged, or changed after it was written.
    Damaged,
    /// Ctrl-C or a signal.
    Interrupted,
}

impl Blame {
    /// The class of a failed access to a file or the system.
    pub fn io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Storage,
            // The connection to a host.
            io::ErrorKind::ConnectionAborted => Self::Service,
            _ => Self::Unexpected,
        }
    }
}
