//! The worker's side.

use super::{Order, Report, WorkerTask};
use engine::{Directive, Outcome, Phase, Progress};
use std::{
    io::{self, BufRead as _, Write as _},
    process,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};
use testbed::monotonic;

/// Is a worker: reads its task from standard input, drives, and writes progress and outcome to standard output. Returns the
/// exit code.
pub fn work(drive: impl FnOnce(&WorkerTask, &mut Worker) -> Result<Outcome, String>) -> i32 {
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line).map_err(|fault| fault.to_string());
    let task = read.and_then(|_| serde_json::from_str(&line).map_err(|fault| fault.to_string()));
    let (sender, orders) = mpsc::channel();
    let followed = thread::Builder::new().spawn(move || follow(&sender));
    let followed = followed.map_err(|fault| format!("a worker's thread can't be started: {fault}"));
    let worker = Worker::new(orders, |report| {
        let mut output = io::stdout();
        // If the command has ended, nobody reads this.
        let _ = output.write_all(&super::line(&report)).and_then(|()| output.flush());
    });
    let has_outcome = worker.work(|worker| drive(&followed.and(task)?, worker));
    i32::from(!has_outcome)
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
    report: Box<dyn FnMut(Report) + Send>,
    /// The first progress, which is told when the load begins.
    first: Option<Progress>,
    has_begun: bool,
    /// The second at which the window, or its next stretch, begins, once it is known.
    window: Option<u64>,
    /// True if the clients are to stand still.
    pauses: bool,
    /// True if the stretch before a pause does not count.
    repeats: bool,
    /// The second at which the window ends early, if it does.
    end: Option<u64>,
}

impl Worker {
    pub(super) fn new(orders: Receiver<Order>, report: impl FnMut(Report) + Send + 'static) -> Self {
        Self {
            orders,
            report: Box::new(report),
            first: None,
            has_begun: false,
            window: None,
            pauses: false,
            repeats: false,
            end: None,
        }
    }

    /// Drives, and tells the outcome. Returns whether there is one.
    pub(super) fn work(mut self, drive: impl FnOnce(&mut Self) -> Result<Outcome, String>) -> bool {
        let outcome = drive(&mut self);
        let has_outcome = outcome.is_ok();
        (self.report)(match outcome {
            Ok(outcome) => Report::Ended(Box::new(outcome)),
            Err(fault) => Report::Failed(fault),
        });
        has_outcome
    }

    /// Tells the progress of the worker's part. Clients stand still until the load begins everywhere, and no window begins
    /// before it does everywhere.
    pub(crate) fn on_progress(&mut self, progress: Progress) -> Directive {
        let Progress { elapsed, phase, .. } = progress;
        if phase == Phase::Paused {
            (self.report)(Report::Progress(progress));
            self.await_begin(elapsed);
            return if std::mem::take(&mut self.repeats) { Directive::Repeat } else { Directive::NotYet };
        }
        if !self.has_begun {
            self.first = Some(progress);
            return Directive::Pause;
        }
        while let Ok(order) = self.orders.try_recv() {
            self.take(&order);
        }
        if phase == Phase::Measure {
            self.window = None;
        }
        (self.report)(Report::Progress(progress));
        self.directive(elapsed.as_secs())
    }

    fn take(&mut self, order: &Order) {
        match *order {
            Order::OpenWindow(second) => self.window = Some(second),
            Order::Pause => (self.pauses, self.window) = (true, None),
            Order::Repeat => self.repeats = true,
            Order::Enough(second) => self.end = Some(second),
            // It comes only while the clients stand still.
            Order::Begin(_) => {}
        }
    }

    fn directive(&mut self, second: u64) -> Directive {
        if std::mem::take(&mut self.pauses) {
            return Directive::Pause;
        }
        if let Some(end) = self.end.filter(|end| second >= *end) {
            return Directive::EnoughSince(Duration::from_secs(end));
        }
        // The directive holds for the next second.
        match self.window {
            Some(begin) if second + 1 >= begin => Directive::GoOn,
            _ => Directive::NotYet,
        }
    }

    /// The load's clock stands still at `at`, and goes on as if the load had begun at the instant that is ordered.
    fn await_begin(&mut self, at: Duration) {
        let begin = loop {
            match self.orders.recv() {
                Ok(Order::Begin(begin)) => break begin,
                Ok(order) => self.take(&order),
                // Nobody waits for the outcome.
                Err(_) => return,
            }
        };
        loop {
            let left = (begin + at).saturating_sub(monotonic());
            if left.is_zero() {
                break;
            }
            thread::sleep(left);
        }
        self.has_begun = true;
        if let Some(first) = self.first.take() {
            (self.report)(Report::Progress(first));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(second: u64, phase: Phase) -> Progress {
        Progress { elapsed: Duration::from_secs(second), phase, is_ready: true, ..Progress::default() }
    }

    #[test]
    fn a_worker_begins_at_the_ordered_instant_and_opens_its_window_at_the_ordered_second() {
        let (sender, orders) = mpsc::channel();
        let mut worker = Worker::new(orders, |_| ());
        assert_eq!(worker.on_progress(progress(0, Phase::Ramp)), Directive::Pause);
        let begin = monotonic() + Duration::from_millis(20);
        sender.send(Order::Begin(begin)).unwrap();
        worker.on_progress(progress(0, Phase::Paused));
        assert!(monotonic() >= begin);
        assert_eq!(worker.on_progress(progress(1, Phase::Ramp)), Directive::NotYet);
        sender.send(Order::OpenWindow(4)).unwrap();
        let directives = [2, 3, 4].map(|second| worker.on_progress(progress(second, Phase::Ramp)));
        assert_eq!(directives, [Directive::NotYet, Directive::GoOn, Directive::GoOn]);
        // The next stretch waits for another order.
        let in_window =
            [progress(4, Phase::Measure), progress(7, Phase::Ramp)].map(|at| worker.on_progress(at));
        assert_eq!(in_window, [Directive::NotYet; 2]);
        sender.send(Order::Pause).unwrap();
        assert_eq!(worker.on_progress(progress(8, Phase::Ramp)), Directive::Pause);
        sender.send(Order::Begin(monotonic().saturating_sub(Duration::from_secs(8)))).unwrap();
        worker.on_progress(progress(8, Phase::Paused));
        sender.send(Order::Enough(10)).unwrap();
        let end = [9, 11].map(|second| worker.on_progress(progress(second, Phase::Ramp)));
        assert_eq!(end, [Directive::NotYet, Directive::EnoughSince(Duration::from_secs(10))]);
    }
}
