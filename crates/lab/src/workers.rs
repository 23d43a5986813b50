//! Workers, which divide a load among them and share nothing: each has its own clients, connections and thread.
//!
//! A worker is a thread, or the same executable under a hidden verb, here or on a host of the testbed. What a process is told
//! comes by its standard input: its task, and then orders, such as when the load begins. When the input closes, the worker
//! ends, so that none outlives the command, even after `kill -9`. By its standard output it reports its progress and its
//! outcome. Both carry one JSON document a line.

mod generators;
mod progress;
mod threads;
mod worker;

use engine::{Directive, EngineError, Load, Outcome, Phase, Progress, Shard};
use progress::AllProgress;
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};
use testbed::{Conversation, HostHandle, HostUp, Said, monotonic};

pub use generators::SiteLoad;
pub(crate) use generators::drive_on_hosts;
pub(crate) use threads::spawn;
pub use worker::{Worker, work};

/// The hidden verb under which the command's executable is a worker.
pub const WORK_VERB: &str = "drive-shard";

/// The interval at which the stop flag is read.
const LOOK: Duration = Duration::from_millis(50);
/// The time between the message to the workers and the begin of the load: longer than a message takes.
const LEAD: Duration = Duration::from_millis(100);
/// Whole seconds between the message and the begin of the window. A worker acts on a message at its next second, for the
/// second after it.
const WINDOW_LEAD_S: u64 = 2;

/// The workers that drive loads on an external site.
#[derive(Debug)]
pub struct Workers {
    /// Their number; a load with fewer clients uses one worker for each client.
    pub count: u32,
    /// Their machines, in whose order they are; none if all are on this one. Each machine has its own figures.
    pub hosts: Vec<HostUp>,
    /// The executable, which must understand [`WORK_VERB`] by calling [`work`].
    pub executable: PathBuf,
    /// The site, in the words of the command.
    pub site: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkerTask {
    pub what: WorkerLoad,
    /// The worker's part of the clients.
    pub shard: Shard,
}

/// The load of which a worker drives a part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum WorkerLoad {
    /// On an external site.
    External {
        /// [`Workers::site`].
        site: String,
        /// The number of the load, from 1.
        sequence: u32,
    },
    /// On a site of the laboratory.
    Site(Box<SiteLoad>),
}

/// A message to a worker, after its task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Order {
    /// The load goes on as if it had begun at this instant of the monotonic clock of the worker's machine.
    Begin(Duration),
    /// The window, or its next stretch, begins at this second of the load.
    OpenWindow(u64),
    /// The clients stand still until another [`Order::Begin`].
    Pause,
    /// While they stand still: the last stretch does not count.
    Repeat,
    /// The window ends at this second of the load.
    Enough(u64),
}

#[derive(Debug, Serialize, Deserialize)]
enum Report {
    /// Another second or phase has begun. [`Phase::Paused`]: the clients stand still, at first because the load has not begun.
    Progress(Progress),
    Ended(Box<Outcome>),
    /// There is no outcome, for this reason.
    Failed(String),
}

/// Receives the progress of all workers together, and returns how the load goes on.
type ProgressHandler<'a> = &'a mut dyn FnMut(Progress) -> Directive;

impl Workers {
    /// Divides one of the loads among workers, and adds up what they recorded. Setting `stop` ends them.
    pub(crate) fn drive_divided(
        &self,
        load: &Load,
        sequence: u32,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, EngineError> {
        let of = shards(load, self.count as usize);
        let (sender, reports) = mpsc::channel();
        let start = |index| {
            let what = WorkerLoad::External { site: self.site.clone(), sequence };
            let task = WorkerTask { what, shard: Shard { index, of } };
            let here = HostHandle::default();
            let host = self.hosts.get(index as usize);
            let place = host.map_or((&here, None), |host| (&host.handle, Some(host.name.as_str())));
            WorkerLink::start(place, &self.executable, &task, sender.clone())
        };
        let workers = (0..of).map(start).collect::<Result<Vec<_>, _>>()?;
        DividedLoad::new(workers, load).run(&reports, stop, &mut |progress| {
            tell(progress);
            Directive::GoOn
        })
    }
}

/// The number of shards for so many workers: each has a client at least.
fn shards(load: &Load, workers: usize) -> u32 {
    u32::try_from(workers).unwrap_or(u32::MAX).clamp(1, load.kind.clients().max(1))
}

fn failed(fault: String) -> EngineError {
    EngineError::Worker { fault }
}

/// A load that workers drive. Dropping it ends them.
struct DividedLoad {
    workers: Vec<WorkerLink>,
    progress: AllProgress,
    /// The progress of those that stand still.
    still: Vec<Option<Progress>>,
    has_begun: bool,
    /// True if the window, or its next stretch, may begin as soon as it can everywhere.
    may_open: bool,
    /// The orders that were given and have not shown yet.
    is_window_set: bool,
    is_pausing: bool,
    is_ending: bool,
    /// True if all end with the first that does: the first request without an answer ends the load.
    ends_with_first: bool,
    /// The outcomes of those that are over.
    outcomes: Vec<Option<Outcome>>,
}

impl DividedLoad {
    fn new(workers: Vec<WorkerLink>, load: &Load) -> Self {
        Self {
            ends_with_first: load.kind.arrivals().is_some_and(|arrivals| arrivals.ends_unanswered),
            progress: AllProgress::new(workers.len()),
            still: vec![None; workers.len()],
            outcomes: workers.iter().map(|_| None).collect(),
            workers,
            has_begun: false,
            may_open: false,
            is_window_set: false,
            is_pausing: false,
            is_ending: false,
        }
    }

    fn run(
        mut self,
        reports: &Receiver<(usize, Report)>,
        stop: &AtomicBool,
        tell: ProgressHandler<'_>,
    ) -> Result<Outcome, EngineError> {
        while self.outcomes.iter().any(Option::is_none) {
            match reports.recv_timeout(LOOK) {
                Ok((worker, report)) => self.take(worker, report, tell)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) {
                return Err(failed("interrupted".to_owned()));
            }
        }
        let mut outcomes = self.outcomes.drain(..).flatten();
        let first = outcomes.next().ok_or_else(|| failed("no worker has an outcome".to_owned()))?;
        let mut sum = outcomes.try_fold(first, |mut sum, outcome| {
            sum.add_shard(outcome)?;
            Ok::<_, EngineError>(sum)
        })?;
        if self.ends_with_first {
            sum.end_arrivals_unanswered();
        }
        Ok(sum)
    }

    fn take(&mut self, worker: usize, report: Report, tell: ProgressHandler<'_>) -> Result<(), EngineError> {
        match report {
            Report::Progress(progress) if progress.phase == Phase::Paused => {
                self.stand_still(worker, progress, tell)
            }
            Report::Progress(progress) => self.go_on(worker, progress, tell),
            Report::Ended(mut outcome) => {
                self.progress.end(worker);
                if let Some(host) = &self.workers[worker].host_name {
                    outcome.driven_by(host);
                }
                self.outcomes[worker] = Some(*outcome);
                if self.ends_with_first && !self.is_ending {
                    self.end_window();
                }
                Ok(())
            }
            Report::Failed(fault) => {
                let host = self.workers[worker].host_name.as_ref();
                Err(failed(host.map_or(fault.clone(), |host| format!("on the host `{host}`: {fault}"))))
            }
        }
    }

    /// Takes in another second or phase of a worker.
    fn go_on(
        &mut self,
        worker: usize,
        progress: Progress,
        tell: ProgressHandler<'_>,
    ) -> Result<(), EngineError> {
        // As with one generator, nothing is reported between a pause's order and its begin.
        if let Some(all) = self.progress.update(worker, progress).filter(|_| !self.is_pausing) {
            let phase = all.phase;
            let directive = tell(all);
            self.direct(phase, directive);
        }
        if self.progress.have_windows_apart() {
            return Err(EngineError::UnequalWindows);
        }
        if let Some(latest) = self.progress.ready_since().filter(|_| self.may_open && !self.is_window_set) {
            self.is_window_set = true;
            self.order(&Order::OpenWindow(latest.as_secs() + WINDOW_LEAD_S));
        }
        Ok(())
    }

    /// Passes on how the load goes on.
    fn direct(&mut self, phase: Phase, directive: Directive) {
        self.is_window_set &= phase == Phase::Ramp;
        self.may_open = phase == Phase::Ramp && directive == Directive::GoOn;
        match directive {
            Directive::Pause => {
                (self.is_pausing, self.is_window_set) = (true, false);
                self.order(&Order::Pause);
            }
            Directive::Enough | Directive::EnoughSince(_) if !self.is_ending => self.end_window(),
            _ => {}
        }
    }

    /// Ends the window everywhere at the next second.
    fn end_window(&mut self) {
        self.is_ending = true;
        self.order(&Order::Enough(self.progress.latest().as_secs() + 1));
    }

    /// Takes in that the clients of a worker stand still. Once all do, the load begins, or the pause is reported, and then
    /// all go on at once.
    fn stand_still(
        &mut self,
        worker: usize,
        progress: Progress,
        tell: ProgressHandler<'_>,
    ) -> Result<(), EngineError> {
        self.still[worker] = Some(progress);
        let Some(all) = self.still.iter().cloned().collect::<Option<Vec<Progress>>>() else { return Ok(()) };
        self.still.fill(None);
        let at = all.iter().map(|progress| progress.elapsed).max().unwrap_or_default();
        let directive = if self.has_begun { tell(AllProgress::sum(&all)) } else { Directive::GoOn };
        (self.has_begun, self.is_pausing, self.may_open) = (true, false, false);
        if directive == Directive::Repeat {
            self.order(&Order::Repeat);
        }
        self.begin(at)?;
        if directive == Directive::Enough {
            self.direct(Phase::Ramp, directive);
        }
        Ok(())
    }

    /// Lets the clients of all workers go on, at this time of the load.
    fn begin(&mut self, at: Duration) -> Result<(), EngineError> {
        let asked = Instant::now();
        let ahead_s = self.workers.iter().map(|worker| worker.host.monotonic_ahead_s());
        let ahead_s = ahead_s.collect::<io::Result<Vec<f64>>>().map_err(|fault| failed(fault.to_string()))?;
        // The questions took longer than a message to each will take.
        let begin = (monotonic() + LEAD + asked.elapsed()).saturating_sub(at);
        let orders = ahead_s.into_iter().map(|ahead_s| Order::Begin(shifted(begin, ahead_s)));
        self.workers.iter_mut().zip(orders).for_each(|(worker, order)| worker.order(&order));
        Ok(())
    }

    /// Tells all workers the same.
    fn order(&mut self, order: &Order) {
        self.workers.iter_mut().for_each(|worker| worker.order(order));
    }
}

fn shifted(instant: Duration, by_s: f64) -> Duration {
    let by = Duration::from_secs_f64(by_s.abs());
    if by_s < 0.0 { instant.saturating_sub(by) } else { instant + by }
}

/// A worker, as the command sees it. Dropping it ends the worker.
struct WorkerLink {
    /// The machine whose clock it reads.
    host: HostHandle,
    /// The name of its host, where each host has its own figures.
    host_name: Option<String>,
    side: WorkerSide,
}

enum WorkerSide {
    Process(Conversation),
    Thread { orders: Sender<Order>, halt: Arc<AtomicBool> },
}

impl WorkerLink {
    /// Starts a process on a host, which is named where each host has its own figures.
    fn start(
        (host, host_name): (&HostHandle, Option<&str>),
        executable: &Path,
        task: &WorkerTask,
        sender: Sender<(usize, Report)>,
    ) -> Result<Self, EngineError> {
        let unstarted = |fault| failed(format!("a worker can't be started: {fault}"));
        let (mut process, said) = host.converse(executable, &[WORK_VERB]).map_err(unstarted)?;
        let index = task.shard.index as usize;
        // A limit of processes is an error to report, and no reason to panic.
        thread::Builder::new().spawn(move || listen(said, index, &sender)).map_err(unstarted)?;
        process.tell(&line(task)).map_err(unstarted)?;
        let host_name = host_name.map(str::to_owned);
        Ok(Self { host: host.clone(), host_name, side: WorkerSide::Process(process) })
    }

    /// Gives an order. A worker that takes none has ended, and its last report says how, or why.
    fn order(&mut self, order: &Order) {
        let _taken = match &mut self.side {
            WorkerSide::Process(process) => process.tell(&line(order)).is_ok(),
            WorkerSide::Thread { orders, .. } => orders.send(order.clone()).is_ok(),
        };
    }
}

impl Drop for WorkerLink {
    fn drop(&mut self) {
        if let WorkerSide::Thread { halt, .. } = &self.side {
            halt.store(true, Ordering::Relaxed);
        }
    }
}

/// Passes on all reports of a worker. The last one is its outcome, or why there is none.
fn listen(said: Said, worker: usize, sender: &Sender<(usize, Report)>) {
    for line in BufReader::new(said).lines() {
        let report = match line {
            Ok(line) => serde_json::from_str(&line)
                .unwrap_or_else(|fault| Report::Failed(format!("a worker's report is damaged: {fault}"))),
            // A lost host, which is named.
            Err(fault) => Report::Failed(fault.to_string()),
        };
        let is_last = matches!(report, Report::Ended(_) | Report::Failed(_));
        if sender.send((worker, report)).is_err() || is_last {
            return;
        }
    }
    let fault = "a worker ended without an outcome; look whether somebody, or the kernel for want of memory, has killed it";
    let _ = sender.send((worker, Report::Failed(fault.to_owned())));
}

fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("a message is text, numbers and lists");
    line.push(b'\n');
    line
}
