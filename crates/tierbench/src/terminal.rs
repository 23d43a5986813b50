//! Progress on standard error. On a terminal a live line shows the present step, and each finished step, point and remark leaves a
//! line; in a pipe each step leaves a line when it begins. Standard output is for the result of the command.

use crate::output::{harmless, note};
use engine::{Phase, Progress};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use lab::{Event, StoppingRule};
use results::{EventKind, LeftRecord, Loads, Names, Plan, Point, Purpose, Series};
use std::{
    cell::{Cell, RefCell},
    fmt::{Display, Write},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

pub(crate) struct Terminal {
    is_terminal: bool,
    names: Names,
    /// The live line, while there is one.
    live: RefCell<Option<ProgressBar>>,
    clock: Clock,
    /// True once the table's head was printed.
    headed: Cell<bool>,
    /// The width of the table's first column.
    width: Cell<usize>,
    step: RefCell<Option<RunningStep>>,
}

struct RunningStep {
    configuration: String,
    step: String,
    began: Instant,
}

/// Shorter steps leave no line on a terminal.
const SHORTEST_STEP: Duration = Duration::from_secs(1);

impl RunningStep {
    fn begin(configuration: &str, step: &str) -> Self {
        Self { configuration: configuration.to_owned(), step: step.to_owned(), began: Instant::now() }
    }

    /// True if an event is the progress of this step: `loading: 5 s left` after `loading`.
    fn continues_as(&self, configuration: &str, step: &str, detail: Option<&str>) -> bool {
        self.configuration == configuration && self.step == step && detail.is_some()
    }

    /// The line that it leaves on a terminal after this time.
    fn line(&self, taken: Duration) -> Option<String> {
        (taken >= SHORTEST_STEP).then(|| format!("{}: {} ({})", self.configuration, self.step, length(taken)))
    }
}

impl Terminal {
    /// Prints to standard error, which is a terminal or a pipe.
    pub(crate) fn new(names: Names) -> Self {
        Self {
            is_terminal: rustix::termios::isatty(std::io::stderr()),
            names,
            live: RefCell::default(),
            clock: Clock { began: Instant::now(), left: Arc::default() },
            headed: Cell::new(false),
            width: Cell::new(MIN_WIDTH),
            step: RefCell::default(),
        }
    }

    /// Removes the live line.
    pub(crate) fn clear(&self) {
        self.end_step();
        if let Some(live) = self.live.take() {
            live.finish_and_clear();
        }
    }

    pub(crate) fn expect(&self, left: LeftRecord) {
        self.clock.set(left);
    }

    pub(crate) fn show_live(&self, event: &Event<'_>) {
        match event {
            Event::Kind(event) => self.show(event),
            Event::Mix(mix) => {
                self.end_step();
                self.print(&format!("{mix} mix:"));
            }
            Event::Measured(point) => {
                if !self.headed.replace(true) {
                    self.print(&head(self.width.get()));
                }
                self.print(&row(&self.names.short(&point.configuration), point, self.width.get()));
            }
            Event::Driving { configuration, clients, length_s, progress } if self.is_terminal => {
                // The step before it has announced this load, and its point will have a line.
                self.step.take();
                self.redraw(&driving(&self.names.short(configuration), *clients, *length_s, progress));
            }
            Event::Driving { .. } => {}
        }
    }

    /// Shows an event that a result may keep.
    pub(crate) fn show(&self, event: &EventKind) {
        match event {
            EventKind::Plan { configurations, loads, repetitions, seed, done, left } => {
                let names: Vec<String> = configurations.iter().map(|name| self.names.short(name)).collect();
                let longest = names.iter().map(|name| name.chars().count()).max();
                self.width.set(longest.unwrap_or(0).max(MIN_WIDTH));
                self.expect(*left);
                self.print(&planned(&names, loads, (*repetitions, *seed), *done, left));
            }
            EventKind::Left(left) => {
                self.expect(*left);
                if !self.is_terminal && left.points > 0 {
                    note(format_args!("left: {}", expectation(left)));
                }
            }
            EventKind::Step { configuration, step, detail } => {
                self.show_step(configuration, step, detail.as_deref());
            }
            EventKind::Remark { configuration, text } => self.print_of(configuration, text),
            // The point's verdict shows the warm-up, and its line the point; the live line shows the phase.
            EventKind::WarmedUp { .. } | EventKind::Measured { .. } | EventKind::Phase { .. } => {}
            EventKind::Verified { configuration, interactions, documents } => {
                self.end_step();
                let verified = format!("verified ({interactions} interactions, {documents} documents equal)");
                self.print_of(configuration, verified);
            }
            EventKind::Passed { configuration, clients, throughput, half_width, passed } => {
                let within = half_width.map_or(String::new(), |half_width| format!(" ± {half_width:.0}"));
                let known = if *passed { "the peak is passed" } else { "the peak may lie higher" };
                let reached = match clients.zip(*throughput) {
                    Some((clients, throughput)) => format!(
                        "{throughput:.0}{within} interactions/s with {}; {known}",
                        count(clients, "client")
                    ),
                    None => "no peak: too few of its points are VALID".to_owned(),
                };
                self.print_of(configuration, reached);
            }
            EventKind::Capacity { configuration, answer, .. } => self.print_of(configuration, answer),
        }
    }

    /// Shows the beginning of a step, or its progress.
    fn show_step(&self, configuration: &str, step: &str, detail: Option<&str>) {
        let configuration = &self.names.short(configuration);
        let is_same = |running: &RunningStep| running.continues_as(configuration, step, detail);
        let is_progress = self.step.borrow().as_ref().is_some_and(is_same);
        if !is_progress {
            self.end_step();
            self.step.replace(Some(RunningStep::begin(configuration, step)));
        }
        let detail = detail.map_or(String::new(), |detail| format!(": {detail}"));
        let line = format!("{configuration}: {step}{detail}");
        match self.is_terminal {
            true => self.redraw(&line),
            false if !is_progress => note(line),
            false => {}
        }
    }

    /// On a terminal, prints the line of the finished step.
    fn end_step(&self) {
        let step = self.step.take().filter(|_| self.is_terminal);
        step.and_then(|step| step.line(step.began.elapsed())).into_iter().for_each(|line| self.print(&line));
    }

    fn redraw(&self, line: &str) {
        self.live
            .borrow_mut()
            .get_or_insert_with(|| self.clock.live_line())
            .set_message(harmless(line).into_owned());
    }

    fn print_of(&self, configuration: &str, text: impl Display) {
        self.print(&format!("{}: {text}", self.names.short(configuration)));
    }

    /// Prints a line above the live one.
    fn print(&self, line: &str) {
        match &*self.live.borrow() {
            Some(live) => live.suspend(|| note(line)),
            None => note(line),
        }
    }
}

/// Elapsed and remaining time.
#[derive(Clone)]
struct Clock {
    began: Instant,
    /// The remaining work and the instant of that estimate.
    left: Arc<Mutex<Option<(LeftRecord, Instant)>>>,
}

impl Clock {
    fn set(&self, left: LeftRecord) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some((left, Instant::now()));
    }

    /// A live line with the time at its end, drawn ten times a second.
    fn live_line(&self) -> ProgressBar {
        let clock = self.clone();
        let time = move |_: &ProgressState, text: &mut dyn Write| {
            let _ = text.write_str(&clock.text());
        };
        let style = ProgressStyle::with_template("{spinner} {wide_msg}  {time}");
        let style = style.expect("the template is right").with_key("time", time);
        let line = ProgressBar::new_spinner().with_style(style);
        line.enable_steady_tick(Duration::from_millis(100));
        line
    }

    fn text(&self) -> String {
        let left = *self.left.lock().unwrap_or_else(PoisonError::into_inner);
        elapsed(self.began.elapsed(), left.map(|(left, since)| (left, since.elapsed())))
    }
}

/// `4:12, about 41 min left`. The estimate of the remaining time is as old as its second value.
fn elapsed(passed: Duration, left: Option<(LeftRecord, Duration)>) -> String {
    let seconds = passed.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let passed = match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    };
    let Some((left, ago)) = left else { return passed };
    match left.time().checked_sub(ago) {
        Some(left) if !left.is_zero() => format!("{passed}, about {} left", length(left)),
        _ => passed,
    }
}

/// A plan in a sentence or two.
fn planned(
    configurations: &[String],
    loads: &Loads,
    (repetitions, seed): (u32, u64),
    done: u32,
    left: &LeftRecord,
) -> String {
    let configurations = match configurations {
        [one] => one.clone(),
        several => format!("{} configurations in turns", several.len()),
    };
    let starts = count(repetitions, "start");
    let most = loads.max_clients();
    let listed = clients(&loads.clients());
    let (loads, depends) = match (&loads.plan, loads.arrivals()) {
        (Plan::Listed, Some(load)) => (format!("{} with {listed}, each load on {starts}", load.model), ""),
        (Plan::Listed, None) if loads.series() == Series::OverloadCycle => {
            let cycles = count(repetitions, "overload cycle");
            (format!("{cycles} through {listed} without a restart (an interrupted cycle begins again)"), "")
        }
        (Plan::Listed, None) => (format!("at {listed}, each load on {starts}"), ""),
        (Plan::Peak { stopping }, _) => {
            let (up_to, depends) = match stopping {
                StoppingRule::Sequential => (
                    "up to ",
                    "; it depends on how many loads a search tries, and how many starts tell the peaks apart",
                ),
                StoppingRule::Fixed => ("", "; it depends on how many loads a search tries"),
            };
            let loads = format!(
                "loads around the knee, at most {most} clients, on 1 start; then the best load on {up_to}{starts}"
            );
            (loads, depends)
        }
        (Plan::Capacity { objective }, _) => (
            format!(
                "loads around the capacity under {objective}, at most {most} clients; then the loads on either side of it \
                 on up to {starts}"
            ),
            "; it depends on how many starts tell the capacity",
        ),
    };
    let done = match done {
        0 => String::new(),
        done => format!("; {} there already", count(done, "point")),
    };
    let left = expectation(left);
    format!("plan: {configurations}, {loads}; order and users by seed {seed}{done}\nplan: {left}{depends}")
}

/// `25 points in about 62 min`
pub(crate) fn expectation(left: &LeftRecord) -> String {
    format!("{} in about {}", count(left.points, "point"), length(left.time()))
}

/// `1 start`, `2 starts`.
pub(crate) fn count(number: u32, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// `50, 100 clients`.
fn clients(loads: &[u32]) -> String {
    let listed: Vec<String> = loads.iter().map(u32::to_string).collect();
    let plural = if loads == [1] { "" } else { "s" };
    format!("{} client{plural}", listed.join(", "))
}

/// A duration, rounded for an estimate.
pub(crate) fn length(length: Duration) -> String {
    let seconds = length.as_secs_f64().round() as u64;
    let minutes = (seconds + 30) / 60;
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

const MIN_WIDTH: usize = "configuration".len();

fn head(width: usize) -> String {
    format!(
        "{:<width$}  clients       run  interactions/s    p50 ms    p90 ms    p99 ms  refused  failed  verdict",
        "configuration"
    )
}

fn row(configuration: &str, point: &Point, width: usize) -> String {
    let failed_checks =
        point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.id.name());
    let verdict = match point.verdict.valid {
        true => "VALID".to_owned(),
        false => format!("INVALID: {}", failed_checks.collect::<Vec<_>>().join(", ")),
    };
    let run = match point.purpose {
        Purpose::Search => format!("search {}", point.repetition),
        Purpose::Confirm => format!("peak {}", point.repetition),
        Purpose::Listed if point.kind.series() == Series::OverloadCycle => {
            format!("overload cycle {}", point.repetition)
        }
        Purpose::Listed => point.repetition.to_string(),
        Purpose::Profile => "profile".to_owned(),
    };
    // A dash where nothing was measured.
    let [p50, p90, p99] = [point.response.p50_ms, point.response.p90_ms, point.response.p99_ms]
        .map(|time| time.map_or_else(|| "–".to_owned(), |time| format!("{time:.2}")));
    format!(
        "{configuration:<width$} {:>8} {run:>9} {:>15.1} {p50:>9} {p90:>9} {p99:>9} {:>8} {:>7}  {verdict}",
        point.clients,
        point.throughput,
        point.refused,
        point.failed(),
    )
}

/// A generator that sends later than this gives figures that may not count, which is shown at once.
const LATE: Duration = Duration::from_millis(10);

/// The progress of a load. What matters most comes first, for a narrow terminal shows no more.
fn driving(configuration: &str, clients: u32, length_s: f64, progress: &Progress) -> String {
    let phase = match progress.phase {
        Phase::Ramp => "ramp",
        Phase::Measure => "measuring",
        Phase::Drain => "ending",
        Phase::Paused => "paused",
    };
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let quantiles = progress.quantiles;
    let response =
        quantiles.map_or(String::new(), |(median, p99)| format!(", p50 {}, p99 {}", ms(median), ms(p99)));
    let late = match progress.lateness {
        late if late > LATE => format!(", sent {} late", ms(late)),
        _ => String::new(),
    };
    let errors = match progress.errors {
        1 => "1 error".to_owned(),
        errors => format!("{errors} errors"),
    };
    format!(
        "{configuration}, {}: {phase} {:.0}/{length_s:.0} s, {:.0} interactions/s, {errors}{response}{late}",
        count(clients, "client"),
        progress.elapsed.as_secs_f64(),
        progress.throughput,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const THINK_TIME: Duration = Duration::from_secs(7);

    fn plan(configurations: &[&str], loads: &Loads, repetitions: u32) -> String {
        let names: Vec<String> = configurations.iter().map(|name| (*name).to_owned()).collect();
        planned(&names, loads, (repetitions, 7), 0, &LeftRecord::new(25, Duration::from_secs(3720)))
    }

    #[test]
    fn a_plan_names_loads_and_starts_and_expects_a_time() {
        let search = |stopping, starts| plan(&["A", "B"], &Loads::peak(3200, THINK_TIME, stopping), starts);
        assert_eq!(
            search(StoppingRule::Fixed, 5),
            "plan: 2 configurations in turns, loads around the knee, at most 3200 clients, on 1 start; then the best load on \
             5 starts; order and users by seed 7\nplan: 25 points in about 62 min; it depends on how many loads a search \
             tries"
        );
        let text = search(StoppingRule::Sequential, 9);
        assert!(text.contains("on up to 9 starts;") && text.ends_with("tell the peaks apart"), "{text}");
        let left = LeftRecord::new(1, Duration::from_secs(21));
        assert_eq!(
            planned(&["WsPhp-DB".to_owned()], &Loads::closed(&[50, 100], THINK_TIME), (1, 7), 1, &left),
            "plan: WsPhp-DB, at 50, 100 clients, each load on 1 start; order and users by seed 7; 1 point there already\n\
             plan: 1 point in about 21 s"
        );
        let cycle = plan(&["WsPhp-DB"], &Loads::overload_cycle(&[10, 60, 10], THINK_TIME), 2);
        assert!(cycle.contains("2 overload cycles through 10, 60, 10 clients without a restart"), "{cycle}");
    }

    #[test]
    fn one_is_singular_and_all_else_plural() {
        assert_eq!([0, 1, 2].map(|number| count(number, "start")), ["0 starts", "1 start", "2 starts"]);
        assert_eq!(
            [clients(&[1]), clients(&[2]), clients(&[1, 2])],
            ["1 client", "2 clients", "1, 2 clients"]
        );
    }

    #[test]
    fn the_live_line_shows_the_load_first_and_then_how_it_goes() {
        let mut progress = Progress {
            elapsed: Duration::from_secs(12),
            phase: Phase::Measure,
            window_start: None,
            is_ready: false,
            completed: 3700,
            errors: 1,
            throughput: 312.4,
            mean_response: None,
            quantiles: Some((Duration::from_micros(12_100), Duration::from_millis(80))),
            lateness: Duration::from_micros(300),
            cpu: 0.25,
        };
        assert_eq!(
            driving("WsPhp-DB", 400, 27.0, &progress),
            "WsPhp-DB, 400 clients: measuring 12/27 s, 312 interactions/s, 1 error, p50 12.1 ms, p99 80.0 ms"
        );
        progress = Progress {
            phase: Phase::Ramp,
            quantiles: None,
            errors: 0,
            lateness: Duration::from_millis(25),
            ..progress
        };
        assert_eq!(
            driving("WsPhp-DB", 1, 27.0, &progress),
            "WsPhp-DB, 1 client: ramp 12/27 s, 312 interactions/s, 0 errors, sent 25.0 ms late"
        );
    }

    #[test]
    fn the_live_line_ends_with_what_has_passed_and_what_is_left() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let left = LeftRecord::new(4, minutes(40));
        let text = |passed, ago| elapsed(passed, Some((left, ago)));
        assert_eq!(text(Duration::from_secs(252), minutes(0)), "4:12, about 40 min left");
        assert_eq!(text(minutes(61), minutes(30)), "1:01:00, about 10 min left");
        assert_eq!(text(minutes(70), minutes(65)), "1:10:00");
        assert_eq!(elapsed(minutes(2), None), "2:00");
    }

    #[test]
    fn lengths_have_the_precision_of_an_estimate() {
        for (seconds, text) in
            [(0, "0 s"), (99, "99 s"), (100, "2 min"), (5999, "100 min"), (6000, "1 h 40 min")]
        {
            assert_eq!(length(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn columns_stay_aligned_with_long_names() {
        let point: Point = serde_json::from_str(include_str!("../tests/point.json")).unwrap();
        for configuration in ["A", "WsPhpFpm-DB,engine=MyISAM,protocol=text"] {
            let width = configuration.len().max(MIN_WIDTH);
            let (head, row) = (head(width), row(configuration, &point, width));
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
    fn a_step_leaves_one_line_however_often_it_is_reported() {
        let running = RunningStep::begin("php", "warming up");
        assert!(running.continues_as("php", "warming up", Some("30 s")));
        assert!(!running.continues_as("perl", "warming up", Some("30 s")));
        assert!(!running.continues_as("php", "auditing", Some("30 s")));
        assert!(!running.continues_as("php", "warming up", None), "a step without a detail begins");
        assert_eq!(running.line(Duration::from_millis(999)), None);
        assert_eq!(running.line(Duration::from_secs(9)).unwrap(), "php: warming up (9 s)");
    }
}
