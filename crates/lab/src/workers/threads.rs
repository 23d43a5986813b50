//! Threads of the laboratory.

use engine::EngineError;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a thread. A limit of processes is an error to report, and no reason to panic.
pub(crate) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, EngineError> {
    Builder::new().spawn_scoped(scope, work).map_err(|fault| EngineError::Worker {
        fault: format!("a thread can't be started: {fault}; end other processes, or raise ulimit -u"),
    })
}
