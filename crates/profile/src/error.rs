//! Why a profile can't be taken.

use crate::Unfit;
use std::{io, path::PathBuf};
use testbed::SupervisorError;
use thiserror::Error;

/// Why a profile can't be taken.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// `perf` is missing or may not look.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// `perf` could not be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
    /// `perf` has left nothing that can be read.
    #[error("perf has recorded nothing that can be read: {0}")]
    Perf(String),
    /// There is no JVM to look into.
    #[error("{service}: no process named `java` runs in it, so its `[profile]` must not name an `agent`")]
    NoJvm {
        /// The service.
        service: String,
    },
    /// The profiler's library is not where it should be.
    #[error(
        "{service}: async-profiler is not at {path}, where the stack's build should have brought it; build the stack \
         anew with Maven Central in reach, let `agent` in the service's `[profile]` name its folder, or leave out \
         --profile"
    )]
    NoAgent {
        /// The service.
        service: String,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The profiler could not be reached inside the JVM, or has refused.
    #[error("{service}: async-profiler could not {what} in the JVM: {said}")]
    Agent {
        /// The service.
        service: String,
        /// `start` or `stop`.
        what: &'static str,
        /// What `jcmd` said.
        said: String,
    },
    /// Something with files.
    #[error(transparent)]
    Io(#[from] io::Error),
}
