//! What services say of themselves while they run: busy workers, statements, lock waits.
//!
//! Each watched service has a thread that asks it, because an answer may take long when the service is busy, which is
//! when it matters most, and nobody else should wait for it meanwhile.

use crate::Instance;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// What a service said of one thing since somebody looked last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tally {
    /// How often it was asked.
    pub count: u32,
    /// The sum of what it said.
    pub sum: f64,
    /// The most that it said.
    pub max: f64,
    /// Above what it can't go.
    pub limit: Option<f64>,
}

impl Tally {
    /// The mean of what it said.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }

    /// Both together.
    pub fn and(self, later: Self) -> Self {
        Self {
            count: self.count + later.count,
            sum: self.sum + later.sum,
            max: self.max.max(later.max),
            limit: later.limit.or(self.limit),
        }
    }
}

/// One thing that a service said of itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub name: &'static str,
    pub value: f64,
    pub limit: Option<f64>,
}

/// How a service is asked.
pub(crate) trait Ask: Send {
    /// How long after one question the next one is due.
    fn pace(&self) -> Duration;

    /// Asks once. An error says in a sentence why there is no answer.
    fn ask(&mut self) -> Result<Vec<Reading>, String>;
}

/// A service that is being watched. Dropping it ends that.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    seen: Mutex<Seen>,
    is_over: Mutex<bool>,
    end: Condvar,
    cpu_ns: AtomicU64,
}

#[derive(Debug, Default)]
struct Seen {
    tallies: BTreeMap<&'static str, Tally>,
    fault: Option<String>,
}

impl Watch {
    pub(crate) fn begin(mut asker: Box<dyn Ask>) -> Self {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || of_thread.watch(asker.as_mut()));
        Self { shared, thread: Some(thread) }
    }

    /// What was said since the last call, by name.
    pub fn take(&self) -> BTreeMap<&'static str, Tally> {
        std::mem::take(&mut self.shared.seen().tallies)
    }

    /// Why the service did not answer when it was asked last, if it did not.
    pub fn fault(&self) -> Option<String> {
        self.shared.seen().fault.clone()
    }

    /// CPU time that asking has cost the laboratory, in seconds.
    pub fn cpu_s(&self) -> f64 {
        self.shared.cpu_ns.load(Ordering::Relaxed) as f64 / 1e9
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *lock(&self.shared.is_over) = true;
        self.shared.end.notify_all();
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell any more, also if it panicked.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn watch(&self, asker: &mut dyn Ask) {
        let mut due = Instant::now();
        loop {
            let answer = asker.ask();
            self.note(answer);
            self.cpu_ns.store((testbed::thread_cpu_s() * 1e9) as u64, Ordering::Relaxed);
            // What was missed while the service did not answer is not made up for.
            due = (due + asker.pace()).max(Instant::now());
            if self.is_over_before(due) {
                return;
            }
        }
    }

    fn note(&self, answer: Result<Vec<Reading>, String>) {
        let mut seen = self.seen();
        seen.fault = answer.as_ref().err().cloned();
        for Reading { name, value, limit } in answer.unwrap_or_default() {
            let tally = Tally { count: 1, sum: value, max: value, limit };
            let so_far = seen.tallies.get(name).copied();
            seen.tallies.insert(name, so_far.map_or(tally, |earlier| earlier.and(tally)));
        }
    }

    fn is_over_before(&self, instant: Instant) -> bool {
        let left = instant.saturating_duration_since(Instant::now());
        let waited = self.end.wait_timeout_while(lock(&self.is_over), left, |is_over| !*is_over);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        lock(&self.seen)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Instance {
    /// Begins to watch the service, if its `service.toml` says how it is asked. It must run.
    pub fn watch(&self) -> Option<Watch> {
        None
    }
}
