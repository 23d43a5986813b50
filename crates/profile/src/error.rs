use crate::NotAvailable;
use settings::Blame;
use std::{io, path::PathBuf};
use testbed::SupervisorError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ProfileError {
    /// `perf` is missing or not permitted.
    #[error(transparent)]
    NotAvailable(#[from] NotAvailable),
    /// `perf` could not be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
    #[error("perf has recorded no readable samples: {0}")]
    Perf(String),
    #[error("{service}: no process named `java` runs in it, so its `[profile]` must not name an `agent`")]
    NoJvm { service: String },
    #[error(
        "{service}: async-profiler is not at {path}, where the stack's build should have brought it; build the stack \
         anew with Maven Central in reach, let `agent` in the service's `[profile]` name its folder, or leave out \
         --profile"
    )]
    NoAgent { service: String, path: PathBuf },
    #[error("{service}: async-profiler could not {what} in the JVM: {output}")]
    Agent {
        service: String,
        /// `start` or `stop`.
        what: &'static str,
        /// Output of `jcmd`.
        output: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ProfileError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::NotAvailable(_) | Self::NoAgent { .. } => Blame::Missing,
            Self::Supervisor(_) | Self::Perf(_) | Self::NoJvm { .. } | Self::Agent { .. } | Self::Io(_) => {
                Blame::Service
            }
        }
    }
}
