//! What is shown while people wait: a table that grows and a live line on a terminal, plain lines in a pipe.
//! All of it goes to standard error; standard output is for what the command was asked for.

use crate::output::remark;
use engine::{Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use lab::Event;
use results::Point;
use std::{cell::Cell, time::Duration};

/// Shows events.
pub(crate) struct Terminal {
    /// The live line, on a terminal.
    live: Option<ProgressBar>,
    /// Whether the table's head has been shown.
    headed: Cell<bool>,
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
        Self { live, headed: Cell::new(false) }
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
            Event::Passed { configuration, peak, passed } => self.lasting(&match (peak, passed) {
                (Some((clients, throughput)), true) => {
                    format!("{configuration}: peak passed, {throughput:.0} interactions/s with {clients} clients")
                }
                (Some((clients, throughput)), false) => {
                    format!("{configuration}: {throughput:.0} interactions/s with {clients} clients; the peak may lie higher")
                }
                (None, _) => format!("{configuration}: no VALID point"),
            }),
        }
    }

    /// A line that the next one may replace; in a pipe, lines stay.
    fn passing(&self, line: &str) {
        match &self.live {
            Some(bar) => bar.set_message(line.to_owned()),
            None => remark(line),
        }
    }

    fn lasting(&self, line: &str) {
        match &self.live {
            Some(bar) => bar.suspend(|| remark(line)),
            None => remark(line),
        }
    }
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
