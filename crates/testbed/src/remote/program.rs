//! A program under a supervisor on another machine.

use super::{Remote, Request, client::lock};
use crate::{SupervisorError, SupervisorSpec};
use std::{
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

/// A program on another machine. Dropping it stops the program and waits until all its processes have ended.
#[derive(Debug)]
pub struct RemoteProgram {
    host: Arc<Remote>,
    number: u64,
    supervisor: u32,
    ended: OnceLock<String>,
    started: Instant,
    asked: Mutex<Instant>,
}

/// The time in which it is asked at each look, for looks while it starts must miss nothing.
const START: Duration = Duration::from_secs(10);
/// Interval between later questions.
const PACE: Duration = Duration::from_millis(500);
/// Longest wait of a call for a program's end.
const WAIT: Duration = Duration::from_secs(2);

impl RemoteProgram {
    pub(crate) fn start(host: &Arc<Remote>, spec: &SupervisorSpec) -> Result<Self, SupervisorError> {
        let started = host.ask(Request::Start(spec.clone()));
        let (number, supervisor) = started.map_err(|fault| SupervisorError::NotStarted {
            program: spec.program.clone(),
            fault: fault.to_string(),
        })?;
        let (started, asked) = (Instant::now(), Mutex::new(Instant::now()));
        Ok(Self { host: Arc::clone(host), number, supervisor, ended: OnceLock::new(), started, asked })
    }

    /// The process id of its supervisor there.
    pub fn supervisor(&self) -> u32 {
        self.supervisor
    }

    /// The program's end, if it ends within this time. A lost host has ended all its programs.
    pub fn ended_within(&self, time: Duration) -> Option<&str> {
        if self.ended.get().is_none() && (!time.is_zero() || self.is_due()) {
            let ended = self.host.ask(Request::Ended(self.number, time));
            if let Some(ended) = ended.unwrap_or_else(|fault| Some(fault.to_string())) {
                let _ = self.ended.set(ended);
            }
        }
        self.ended.get().map(String::as_str)
    }

    /// True if it is asked again for its end: at each look while it starts, and later a few times a second.
    fn is_due(&self) -> bool {
        let mut asked = lock(&self.asked);
        let is_due = self.started.elapsed() < START || asked.elapsed() > PACE;
        if is_due {
            *asked = Instant::now();
        }
        is_due
    }

    pub fn wait(&self) -> String {
        loop {
            if let Some(ended) = self.ended_within(WAIT) {
                return ended.to_owned();
            }
        }
    }

    pub fn kill(&self) {
        // A lost host has ended it.
        let _ = self.host.ask::<()>(Request::Kill(self.number));
    }
}

impl Drop for RemoteProgram {
    fn drop(&mut self) {
        // A program that was killed before is not there any more.
        let _ = self.host.ask::<()>(Request::Stop(self.number));
    }
}
