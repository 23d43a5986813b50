//! The worker's side.

use super::{Order, Report, WorkerTask, monotonic};
use engine::{Directive, Outcome, Phase, Progress};
use std::{
    io::{self, BufRead as _},
    process,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};

/// Is a worker: reads its task from standard input, drives, and writes progress and outcome to standard output. Returns the
/// exit code.
pub fn work(drive: impl FnOnce(&WorkerTask, &mut Worker) -> Result<Outcome, String>) -> i32 {
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line).map_err(|fault| fault.to_string());
    let task = read.and_then(|_| serde_json::from_str(&line).map_err(|fault| fault.to_string()));
    let (sender, orders) = mpsc::channel();
    let followed = thread::Builder::new().spawn(move || follow(&sender));
    let followed = followed.map_err(|fault| format!("a worker's thread can't be started: {fault}"));
    let mut worker = Worker::new(orders, io::stdout());
    let outcome = followed.and(task).and_then(|task| drive(&task, &mut worker));
    let report = match outcome {
        Ok(outcome) => Report::Ended(Box::new(outcome)),
        Err(fault) => Report::Failed(fault),
    };
    worker.tell(&report);
    i32::from(matches!(report, Report::Failed(_)))
}

/// Passes on the orders, and ends the process with the command that gives them.
fn follow(sender: &Sender<Order>) {
    for line in io::stdin().lock().lines() {
        let Some(order) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else { break };
        if sender.send(order).is_err() {
            break;
        }
    }
    process::exit(1);
}

/// The state of a worker in its load.
pub struct Worker {
    orders: Receiver<Order>,
    /// Where reports go.
    output: Box<dyn io::Write>,
    /// The first progress, which is told when the load begins.
    first: Option<Progress>,
    has_begun: bool,
    /// The second at which the window begins, once it is known.
    window: Option<u64>,
}

impl Worker {
    fn new(orders: Receiver<Order>, output: impl io::Write + 'static) -> Self {
        Self { orders, output: Box::new(output), first: None, has_begun: false, window: None }
    }

    /// Tells the progress of the worker's part. Clients stand still until the load begins everywhere, and the window does
    /// not begin before it does everywhere.
    pub(crate) fn on_progress(&mut self, progress: Progress) -> Directive {
        if progress.phase == Phase::Paused {
            self.await_begin(progress.elapsed);
            return Directive::NotYet;
        }
        if !self.has_begun {
            self.first = Some(progress);
            return Directive::Pause;
        }
        if let Ok(Order::OpenWindow(second)) = self.orders.try_recv() {
            self.window = Some(second);
        }
        // The directive holds for the next second.
        let next = progress.elapsed.as_secs() + 1;
        self.tell(&Report::Progress(progress));
        match self.window {
            Some(second) if next >= second => Directive::GoOn,
            _ => Directive::NotYet,
        }
    }

    /// The load's clock stands still at `at`, and goes on as if it had begun at the instant that is ordered.
    fn await_begin(&mut self, at: Duration) {
        self.tell(&Report::Ready);
        let Ok(Order::Begin(begin)) = self.orders.recv() else { return };
        loop {
            let left = (begin + at).saturating_sub(monotonic());
            if left.is_zero() {
                break;
            }
            thread::sleep(left);
        }
        self.has_begun = true;
        if let Some(first) = self.first.take() {
            self.tell(&Report::Progress(first));
        }
    }

    fn tell(&mut self, report: &Report) {
        let mut line = serde_json::to_vec(report).expect("a report is text, numbers and lists");
        line.push(b'\n');
        // If the command has ended, nobody reads this.
        let _ = self.output.write_all(&line).and_then(|()| self.output.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(second: u64, phase: Phase) -> Progress {
        Progress {
            elapsed: Duration::from_secs(second),
            phase,
            window_start: None,
            is_ready: true,
            completed: 0,
            errors: 0,
            throughput: 0.0,
            mean_response: None,
            quantiles: None,
            lateness: Duration::ZERO,
            cpu: 0.0,
        }
    }

    #[test]
    fn a_worker_begins_at_the_ordered_instant_and_opens_its_window_at_the_ordered_second() {
        let (sender, orders) = mpsc::channel();
        let mut worker = Worker::new(orders, io::sink());
        assert_eq!(worker.on_progress(progress(0, Phase::Ramp)), Directive::Pause);
        let begin = monotonic() + Duration::from_millis(20);
        sender.send(Order::Begin(begin)).unwrap();
        worker.on_progress(progress(0, Phase::Paused));
        assert!(monotonic() >= begin);
        assert_eq!(worker.on_progress(progress(1, Phase::Ramp)), Directive::NotYet);
        sender.send(Order::OpenWindow(4)).unwrap();
        let directives = [2, 3, 4].map(|second| worker.on_progress(progress(second, Phase::Ramp)));
        assert_eq!(directives, [Directive::NotYet, Directive::GoOn, Directive::GoOn]);
    }
}
