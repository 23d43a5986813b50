//! What is shown while people wait: a table that grows and a live line on a terminal, plain lines in a pipe.
//! All of it goes to standard error; standard output is for what the command was asked for.

use crate::output::remark;
use engine::{Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use lab::{Event, Left, Loads, Plan, Step, StepKind};
use results::{Point, Purpose};
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
    /// How wide the table's first column is.
    width: Cell<usize>,
    /// What a pipe was told last.
    told: RefCell<LastStep>,
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
        Self { live, headed: Cell::new(false), width: Cell::new(LEAST_WIDTH), told: RefCell::default() }
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
            Event::Plan(plan) => {
                let names = plan.configurations.iter().map(|name| name.chars().count());
                self.width.set(names.max().unwrap_or(0).max(LEAST_WIDTH));
                self.lasting(&planned(plan));
            }
            Event::Left(left) if left.points.1 > 0 => self.passing(&format!("left: {}", expectation(left))),
            Event::Left(_) => {}
            Event::Step { configuration, step } => self.step(configuration, step),
            Event::Remark { configuration, text } => self.lasting(&format!("{configuration}: {text}")),
            // The point's verdict says it.
            Event::WarmedUp { .. } => {}
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
                    self.lasting(&head(self.width.get()));
                }
                self.lasting(&row(point, self.width.get()));
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

    /// A step begins, or how far it is: the latter is told a pipe only now and then.
    fn step(&self, configuration: &str, step: &Step) {
        if self.live.is_some() || self.told.borrow_mut().takes(configuration, step, Instant::now()) {
            self.passing(&format!("{configuration}: {step}"));
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

/// How often a pipe is told how a step goes.
const PIPE_NEWS: Duration = Duration::from_secs(10);

/// The step that a pipe was told last, and when.
#[derive(Default)]
struct LastStep(Option<(String, StepKind, Instant)>);

impl LastStep {
    /// Whether a pipe is told this: each step, but only now and then how far it is.
    fn takes(&mut self, configuration: &str, step: &Step, now: Instant) -> bool {
        if let Some((of, kind, told)) = &mut self.0
            && of == configuration
            && step.continues(kind)
        {
            let is_time = now >= *told + PIPE_NEWS;
            if is_time {
                *told = now;
            }
            return is_time;
        }
        self.0 = Some((configuration.to_owned(), step.kind.clone(), now));
        true
    }
}

/// What will be measured, in a sentence or two.
fn planned(plan: &Plan) -> String {
    let configurations = match plan.configurations.as_slice() {
        [one] => one.clone(),
        several => format!("{} configurations in turns", several.len()),
    };
    let times = match plan.repetitions {
        1 => "once".to_owned(),
        several => format!("{several} times"),
    };
    let loads = match &plan.loads {
        Loads::List(loads) => {
            let loads: Vec<String> = loads.iter().map(u32::to_string).collect();
            format!("at {} clients, each load {times}", loads.join(", "))
        }
        Loads::OverloadCycle(steps) => {
            let steps: Vec<String> = steps.iter().map(u32::to_string).collect();
            format!(
                "swept {times} through {} clients without a restart; one that is interrupted begins again",
                steps.join(", ")
            )
        }
        Loads::Arrivals(model) => {
            let loads: Vec<String> = model.clients.iter().map(u32::to_string).collect();
            format!("{} ({}) with {} clients, each load {times}", model.name, model.title, loads.join(", "))
        }
        Loads::PeakSearch { most, .. } => {
            format!("loads around the knee, at most {most} clients, on one start; then the best load {times}")
        }
    };
    let done = match plan.done {
        0 => String::new(),
        done => format!("; {} there already", points(done)),
    };
    let (left, point, seed) = (expectation(&plan.left), length(plan.point), plan.seed);
    format!(
        "plan: {configurations}, {loads}; spec and users by seed {seed}{done}\nplan: {left}, about {point} each"
    )
}

/// How much is left and how long it takes.
pub(crate) fn expectation(left: &Left) -> String {
    let range = |least: String, most: String| if least == most { most } else { format!("{least} to {most}") };
    let (least, most) = left.points;
    let (shortest, longest) = left.time;
    let counts = range(least.to_string(), points(most));
    format!(
        "{} in {}",
        if least == most { points(most) } else { counts },
        range(length(shortest), length(longest))
    )
}

fn points(count: u32) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

/// As exact as an expectation can be.
pub(crate) fn length(length: Duration) -> String {
    let seconds = length.as_secs_f64().round() as u64;
    let minutes = (seconds + 30) / 60;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// The table's first column holds at least its own head.
const LEAST_WIDTH: usize = "configuration".len();

fn head(width: usize) -> String {
    format!(
        "{:<width$}  clients       run  interactions/s    p50 ms    p90 ms    p99 ms  refused  failed  verdict",
        "configuration"
    )
}

fn row(point: &Point, width: usize) -> String {
    let failed_checks =
        point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.id.name());
    let verdict = match point.verdict.valid {
        true => "VALID".to_owned(),
        false => format!("INVALID: {}", failed_checks.collect::<Vec<_>>().join(", ")),
    };
    let run = match point.purpose {
        Purpose::Search => format!("search {}", point.repetition),
        Purpose::Confirm => format!("peak {}", point.repetition),
        Purpose::Listed | Purpose::Arrivals => point.repetition.to_string(),
        Purpose::OverloadCycle => format!("overload cycle {}", point.repetition),
        Purpose::Profile => "profile".to_owned(),
    };
    format!(
        "{:<width$} {:>8} {run:>9} {:>15.1} {:>9.2} {:>9.2} {:>9.2} {:>8} {:>7}  {verdict}",
        point.configuration,
        point.clients,
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
        Phase::Ramp => "ramp,",
        Phase::Measure => "measuring",
        Phase::Drain => "ending",
        Phase::Paused => "paused",
    };
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let response = progress
        .quantiles
        .map_or(String::new(), |(median, p99)| format!(", p50 {}, p99 {}", ms(median), ms(p99)));
    format!(
        "{configuration}, {clients} clients: {phase} {:.0} of {length_s:.0} s, {:.0} interactions/s{response}, {} errors, \
         {} late, {:.2} core",
        progress.elapsed.as_secs_f64(),
        progress.throughput,
        progress.errors,
        ms(progress.lateness),
        progress.cpu
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(configurations: &[&str], loads: Loads, repetitions: u32) -> Plan {
        Plan {
            configurations: configurations.iter().map(|name| (*name).to_owned()).collect(),
            loads,
            repetitions,
            seed: 7,
            done: 0,
            point: Duration::from_secs(21),
            left: Left { points: (14, 36), time: (Duration::from_secs(294), Duration::from_secs(7200)) },
        }
    }

    #[test]
    fn a_plan_says_what_is_measured_how_often_and_how_long_that_takes() {
        assert_eq!(
            planned(&plan(&["A", "B"], Loads::PeakSearch { most: 3200, looks: lab::StoppingRule::Fixed }, 5)),
            "plan: 2 configurations in turns, loads around the knee, at most 3200 clients, on one start; then the best load \
             5 times; spec and users by seed 7\nplan: 14 to 36 points in 5 min to 2 h 0 min, about 21 s each"
        );
        let mut resumed = plan(&["WsPhp-DB"], Loads::List(vec![50, 100]), 1);
        resumed.done = 1;
        resumed.left = Left { points: (1, 1), time: (Duration::from_secs(21), Duration::from_secs(21)) };
        assert_eq!(
            planned(&resumed),
            "plan: WsPhp-DB, at 50, 100 clients, each load once; spec and users by seed 7; 1 point there already\n\
             plan: 1 point in 21 s, about 21 s each"
        );
    }

    #[test]
    fn lengths_are_as_exact_as_expectations_are() {
        for (seconds, text) in
            [(0, "0 s"), (99, "99 s"), (100, "2 min"), (5999, "100 min"), (6000, "1 h 40 min")]
        {
            assert_eq!(length(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn rows_stand_below_their_heads_however_long_names_are() {
        let point: Point = serde_json::from_str(include_str!("../tests/point.json")).unwrap();
        for configuration in ["A", "WsPhpFpm-DB,engine=MyISAM,protocol=text"] {
            let width = configuration.len().max(LEAST_WIDTH);
            let (head, row) =
                (head(width), row(&Point { configuration: configuration.into(), ..point.clone() }, width));
            for (name, value) in
                [("clients", "400"), ("run", "peak 2"), ("interactions/s", "1134.3"), ("failed", "3")]
            {
                let end = head.find(name).unwrap() + name.len();
                assert!(row[..end].ends_with(value) && row[end..].starts_with(' '), "{name}\n{head}\n{row}");
            }
            let start = row.find("INVALID: lateness, errors").unwrap();
            assert_eq!(head.find("verdict"), Some(start), "{head}\n{row}");
        }
    }

    #[test]
    fn a_pipe_is_told_each_step_and_now_and_then_how_it_goes() {
        let start = Instant::now();
        let mut told = LastStep::default();
        let mut takes = |second, kind: &StepKind, detail: Option<&str>| {
            let step = Step { kind: kind.clone(), detail: detail.map(ToOwned::to_owned) };
            told.takes("php", &step, start + Duration::from_secs(second))
        };
        assert!(takes(0, &StepKind::WarmingUp, None));
        assert!(!takes(1, &StepKind::WarmingUp, Some("1 s")));
        assert!(takes(10, &StepKind::WarmingUp, Some("10 s")));
        assert!(!takes(19, &StepKind::WarmingUp, Some("19 s")));
        assert!(takes(20, &StepKind::WarmingUp, Some("20 s")));
        assert!(takes(21, &StepKind::Auditing, None));
        assert!(takes(21, &StepKind::Auditing, None));
    }
}
