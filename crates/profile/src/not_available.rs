//! Requirements of profiles that a machine may lack.

use thiserror::Error;

/// The program, its Debian package, and the setting that permits profiling.
pub(crate) const PROGRAM: &str = "perf";
const PACKAGE: &str = "linux-perf";

/// The reason why this machine can't be profiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotAvailable {
    #[error("`{PROGRAM}` is not installed, which --profile needs; install the package {PACKAGE}")]
    Missing,
    #[error(
        "`{PROGRAM}` may not profile the whole machine, which --profile needs: {0}; run as root, or allow it with \
         `sysctl kernel.perf_event_paranoid=-1`"
    )]
    Refused(String),
}
