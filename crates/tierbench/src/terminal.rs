//! What is shown while people wait: a table that grows and a live line on a terminal, plain lines in a pipe.
//! All of it goes to standard error; standard output is for what the command was asked for.

use crate::output::remark;
use engine::{Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use lab::{Event, Left};
use results::Point;
use std::{
    cell::{Cell, RefCell},
    time::{Duration, Instant},
};

/// Shows events.
pub(crate) struct Terminal {
    /// The live line, on a terminal.
    live: Option<ProgressBar>,
    /// Whether the table's head has been shown.
    headed: Cell<bool>,
    /// What a pipe was told last.
    told: RefCell<Told>,
}

impl Terminal {
    /// For the terminal or pipe that standard error is.
    pub(crate) fn new() -> Self {
        let is_terminal = rustix::termios::isatty(std::io::stderr());
        let live = is_terminal.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("the template is right");
            let bar = ProgressBar::new_spinner().with_style(style);
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Self { live, headed: Cell::new(false), told: RefCell::default() }
    }

    /// Takes the live line away.
    pub(crate) fn quiet(&self) {
        if let Some(bar) = &self.live {
            bar.finish_and_clear();
        }
    }

    /// Shows what happens.
    pub(crate) fn show(&self, event: &Event<'_>) {
        match event {
            Event::Plan(plan) => self.lasting(&expectation(&plan.left)),
            Event::Left(left) => self.passing(&expectation(left)),
            Event::Step { configuration, step } => self.passing(&format!("{configuration}: {step}")),
            Event::Remark { configuration, text } => self.lasting(&format!("{configuration}: {text}")),
            Event::Driving { configuration, clients, length_s, progress } => {
                if let Some(bar) = &self.live {
                    bar.set_message(driving(configuration, *clients, *length_s, progress));
                }
            }
            Event::Verified { configuration, proof } => self.lasting(&format!(
                "{configuration}: verified ({} interactions, {} documents equal)",
                proof.interactions, proof.documents
            )),
            Event::Measured(point) => {
                if !self.headed.replace(true) {
                    self.lasting(HEAD);
                }
                self.lasting(&row(point));
            }
            Event::Passed { configuration, peak, passed } => {
                let half_width = peak.and_then(|peak| peak.interval).map(|interval| interval.half_width);
                let within = half_width.map_or(String::new(), |half_width| format!(" ± {half_width:.0}"));
                let known = if *passed { "the peak is passed" } else { "the peak may lie higher" };
                self.lasting(&match peak {
                    Some(peak) => format!(
                        "{configuration}: {:.0}{within} interactions/s with {} clients; {known}",
                        peak.throughput, peak.clients
                    ),
                    None => format!("{configuration}: no peak: too few of its points are VALID"),
                });
            }
        }
    }

    /// A line that the next one may replace; in a pipe, lines stay.
    fn passing(&self, line: &str) {
        match &self.live {
            Some(bar) => bar.set_message(line.to_owned()),
            None if self.told.borrow_mut().takes(line, Instant::now()) => remark(line),
            None => {}
        }
    }

    fn lasting(&self, line: &str) {
        match &self.live {
            Some(bar) => bar.suspend(|| remark(line)),
            None => remark(line),
        }
    }
}

/// How often a pipe is told how a step goes.
const PIPE_NEWS: Duration = Duration::from_secs(10);

/// The step that a pipe was told last, and when.
#[derive(Default)]
struct Told(Option<(String, Instant)>);

impl Told {
    /// Whether a pipe is told this line: each step, but only now and then how it goes (`loading: 5 s left` after
    /// `loading`).
    fn takes(&mut self, line: &str, now: Instant) -> bool {
        if let Some((step, told)) = &mut self.0
            && line.strip_prefix(step.as_str()).is_some_and(|rest| rest.starts_with(": "))
        {
            let is_time = now >= *told + PIPE_NEWS;
            if is_time {
                *told = now;
            }
            return is_time;
        }
        self.0 = Some((line.to_owned(), now));
        true
    }
}

fn expectation(left: &Left) -> String {
    let ((least, most), (shortest, longest)) = (left.points, left.time);
    format!("{least} to {most} points to measure, in {} to {} s", shortest.as_secs(), longest.as_secs())
}

const HEAD: &str =
    "configuration     clients  run  interactions/s    p50 ms    p90 ms    p99 ms  refused  failed  verdict";

fn row(point: &Point) -> String {
    let failed_checks =
        point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str());
    let verdict = match point.verdict.valid {
        true => "VALID".to_owned(),
        false => format!("INVALID: {}", failed_checks.collect::<Vec<_>>().join(", ")),
    };
    format!(
        "{:<16} {:>8} {:>4} {:>15.1} {:>9.2} {:>9.2} {:>9.2} {:>8} {:>7}  {verdict}",
        point.configuration,
        point.clients,
        point.repetition,
        point.throughput,
        point.response.p50_ms,
        point.response.p90_ms,
        point.response.p99_ms,
        point.refused,
        point.failed(),
    )
}

fn driving(configuration: &str, clients: u32, length_s: f64, progress: &Progress) -> String {
    let phase = match progress.phase {
        Phase::Ramp => "warming",
        Phase::Measure => "measuring",
        Phase::Drain => "ending",
    };
    let response =
        progress.mean_response.map_or(String::new(), |mean| format!(", {:.1} ms", mean.as_secs_f64() * 1e3));
    format!(
        "{configuration}, {clients} clients: {phase} {:.0} of {length_s:.0} s, {:.0} interactions/s{response}, {} errors",
        progress.elapsed.as_secs_f64(),
        progress.throughput,
        progress.errors
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_told_each_step_and_now_and_then_how_it_goes() {
        let start = Instant::now();
        let mut told = Told::default();
        let mut takes = |second, line| told.takes(line, start + Duration::from_secs(second));
        assert!(takes(0, "php: loading"));
        assert!(!takes(1, "php: loading: 30 s left"));
        assert!(takes(10, "php: loading: 20 s left"));
        assert!(!takes(19, "php: loading: 11 s left"));
        assert!(takes(20, "php: loading: 10 s left"));
        assert!(takes(21, "php: auditing"));
        assert!(takes(21, "php: auditing again"));
    }
}
