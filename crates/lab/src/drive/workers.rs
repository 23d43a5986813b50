//! Worker processes, which divide a load among them and share nothing: each has its own clients, connections and thread.
//!
//! A worker is the same executable under a hidden verb. Its standard input brings its task, the instant at which the load
//! begins, and the second at which the window begins. When the input closes, the worker ends, so that none outlives the
//! command, even after `kill -9`. Its standard output brings its progress and its outcome. Both carry one JSON document a
//! line.

mod progress;
mod worker;

use engine::{EngineError, Load, Outcome, Progress, Shard};
use progress::AllProgress;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

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

/// The workers that drive loads.
#[derive(Debug)]
pub struct Workers {
    /// Their number; a load with fewer clients uses one worker for each client.
    pub count: u32,
    /// The executable, which must understand [`WORK_VERB`] by calling [`work`].
    pub executable: PathBuf,
    /// The site, in the words of the command.
    pub site: String,
}

/// The task of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerTask {
    /// [`Workers::site`].
    pub site: String,
    /// The number of the load, from 1.
    pub sequence: u32,
    /// The worker's part of the clients.
    pub shard: Shard,
}

/// A message to a worker, after its task.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Order {
    /// The load begins at this instant of the machine's monotonic clock.
    Begin(Duration),
    /// The window begins at this second of the load.
    OpenWindow(u64),
}

/// A message from a worker.
#[derive(Debug, Serialize, Deserialize)]
enum Report {
    /// The worker is ready for the load.
    Ready,
    /// Another second or phase has begun.
    Progress(Progress),
    /// The load is over.
    Ended(Box<Outcome>),
    /// There is no outcome, for this reason.
    Failed(String),
}

impl Workers {
    /// Divides one of the loads among workers, and adds up what they recorded. Setting `stop` ends them.
    pub(crate) fn drive_divided(
        &self,
        load: &Load,
        sequence: u32,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, EngineError> {
        let of = self.count.clamp(1, load.kind.clients().max(1));
        let (sender, reports) = mpsc::channel();
        let start = |index| {
            let task = WorkerTask { site: self.site.clone(), sequence, shard: Shard { index, of } };
            WorkerProcess::start(self, &task, sender.clone())
        };
        let started: io::Result<Vec<_>> = (0..of).map(start).collect();
        let workers = started.map_err(|fault| failed(format!("a worker can't be started: {fault}")))?;
        DividedLoad {
            workers,
            ready: 0,
            progress: AllProgress::new(of),
            is_window_set: false,
            outcome: None,
            ended: 0,
        }
        .run(&reports, stop, tell)
    }
}

fn failed(fault: String) -> EngineError {
    EngineError::Worker { fault }
}

/// A load that workers drive. Dropping it ends them.
struct DividedLoad {
    workers: Vec<WorkerProcess>,
    ready: usize,
    progress: AllProgress,
    is_window_set: bool,
    /// The sum of those that are over, and how many are.
    outcome: Option<Outcome>,
    ended: usize,
}

impl DividedLoad {
    fn run(
        mut self,
        reports: &Receiver<(usize, Report)>,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, EngineError> {
        while self.ended < self.workers.len() {
            match reports.recv_timeout(LOOK) {
                Ok((worker, report)) => self.take(worker, report, tell)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) {
                return Err(failed("interrupted".to_owned()));
            }
        }
        self.outcome.take().ok_or_else(|| failed("no worker has an outcome".to_owned()))
    }

    fn take(
        &mut self,
        worker: usize,
        report: Report,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<(), EngineError> {
        match report {
            Report::Ready => {
                self.ready += 1;
                if self.ready == self.workers.len() {
                    self.order(&Order::Begin(monotonic() + LEAD))?;
                }
            }
            Report::Progress(progress) => {
                if let Some(all) = self.progress.update(worker, progress) {
                    tell(all);
                }
                if self.progress.have_windows_apart() {
                    return Err(EngineError::UnequalWindows);
                }
                if let Some(latest) = self.progress.ready_since().filter(|_| !self.is_window_set) {
                    self.is_window_set = true;
                    self.order(&Order::OpenWindow(latest.as_secs() + WINDOW_LEAD_S))?;
                }
            }
            Report::Ended(outcome) => {
                self.ended += 1;
                self.progress.end(worker);
                match &mut self.outcome {
                    Some(sum) => sum.add_shard(*outcome)?,
                    none => *none = Some(*outcome),
                }
            }
            Report::Failed(fault) => return Err(failed(fault)),
        }
        Ok(())
    }

    /// Tells all workers the same.
    fn order(&mut self, order: &Order) -> Result<(), EngineError> {
        let told = self.workers.iter_mut().try_for_each(|worker| write_line(&mut worker.orders, order));
        told.map_err(|fault| failed(format!("a worker takes no orders: {fault}")))
    }
}

/// A worker, as the command sees it. Dropping it ends the process.
struct WorkerProcess {
    process: Child,
    /// Closing this ends it.
    orders: Option<ChildStdin>,
}

impl WorkerProcess {
    fn start(workers: &Workers, task: &WorkerTask, sender: Sender<(usize, Report)>) -> io::Result<Self> {
        // Ctrl-C reaches the command alone, which then ends its workers.
        let mut process = Command::new(&workers.executable)
            .arg(WORK_VERB)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (output, index) = (process.stdout.take(), task.shard.index as usize);
        let mut worker = Self { orders: process.stdin.take(), process };
        // A limit of processes is an error to report, and no reason to panic.
        thread::Builder::new().spawn(move || output.map(|output| listen(output, index, &sender)))?;
        write_line(&mut worker.orders, task)?;
        Ok(worker)
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}

/// Passes on all reports of a worker. The last one is its outcome, or why there is none.
fn listen(output: ChildStdout, worker: usize, sender: &Sender<(usize, Report)>) {
    for line in BufReader::new(output).lines() {
        let report = line.and_then(|line| Ok(serde_json::from_str(&line)?));
        let report =
            report.unwrap_or_else(|fault| Report::Failed(format!("a worker's report is damaged: {fault}")));
        let is_last = matches!(report, Report::Ended(_) | Report::Failed(_));
        if sender.send((worker, report)).is_err() || is_last {
            return;
        }
    }
    let fault = "a worker ended without an outcome; look whether somebody, or the kernel for want of memory, has killed it";
    let _ = sender.send((worker, Report::Failed(fault.to_owned())));
}

fn write_line(orders: &mut Option<ChildStdin>, message: &impl Serialize) -> io::Result<()> {
    let orders = orders.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    orders.write_all(&line)
}

/// The time of a clock that all processes of this machine share and nobody sets.
fn monotonic() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
