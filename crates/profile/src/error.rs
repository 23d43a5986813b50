//! Why a profile can't be taken.

use crate::Unfit;
use std::{io, path::PathBuf};
use testbed::SupervisorError;
use thiserror::Error;

/// Why a profile can't be taken.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// `perf` is missing or not permitted.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// `perf` could not be started.
    #[error(transparent)]
    Supervisor(#[from] SupervisorError),
    /// `perf` has left no readable samples.
    #[error("perf has recorded no readable samples: {0}")]
    Perf(String),
    /// There is no JVM to profile.
    #[error("{service}: no process named `java` runs in it, so its `[profile]` must not name an `agent`")]
    NoJvm {
        /// The service.
        service: String,
    },
    /// The profiler's library is missing.
    #[error(
        "{service}: async-profiler is not at {path}, where the stack's build should have brought it; build the stack \
         anew with Maven Central in reach, let `agent` in the service's `[profile]` name its folder, or leave out \
         --profile"
    )]
    NoAgent {
        /// The service.
        service: String,
        /// The path where it was searched.
        path: PathBuf,
    },
    /// The profiler inside the JVM could not be reached, or refused.
    #[error("{service}: async-profiler could not {what} in the JVM: {output}")]
    Agent {
        /// The service.
        service: String,
        /// `start` or `stop`.
        what: &'static str,
        /// The output of `jcmd`.
        output: String,
    },
    /// Reading or writing a file failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
