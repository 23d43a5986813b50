//! Sweeps: each with what it shows in sentences, its charts in the order of time, and its steps as a table.

use crate::{
    OverloadCycle,
    chart::{self, Frame, Mark, Series},
    number,
    overload_cycle::Step,
};
use stats::{RecoveryStatus, Interval, Recovery};

/// An overload cycle as the page shows it.
pub(super) struct SweepView {
    /// Unique in the page.
    pub(super) id: String,
    pub(super) title: String,
    /// Each twice, for wide windows and for narrow ones.
    pub(super) charts: Vec<(&'static str, String)>,
    pub(super) rows: Vec<StepRow>,
}

/// A step as a row of the table.
pub(super) struct StepRow {
    pub(super) clients: String,
    /// `up`, `top` or `down`.
    pub(super) way: &'static str,
    pub(super) collapsed: bool,
    /// Throughput, half-width, p50, p99, errors, gave up, times the way up.
    pub(super) cells: [String; 7],
    pub(super) finding: &'static str,
    /// The checks that failed.
    pub(super) failing: String,
}

pub(super) fn overload_cycles(overload_cycles: &[OverloadCycle]) -> Vec<SweepView> {
    overload_cycles.iter().enumerate().map(|(index, overload_cycle)| view(index, overload_cycle)).collect()
}

fn view(index: usize, overload_cycle: &OverloadCycle) -> SweepView {
    let id = format!("overload_cycle-{}", index + 1);
    let title = match overload_cycle.number {
        (_, 1) => overload_cycle.configuration.clone(),
        (number, all) => format!("{}, overload cycle {number} of {all}", overload_cycle.configuration),
    };
    let charts = [("wide", (960.0, 340.0)), ("narrow", (340.0, 280.0))];
    let charts = charts.into_iter().flat_map(|(width, size)| {
        let id = format!("{id}-{width}");
        [
            (width, throughput(overload_cycle, &format!("{id}-throughput"), size)),
            (width, response(overload_cycle, &format!("{id}-response"), size)),
        ]
    });
    let rows = overload_cycle.steps.iter().enumerate().map(|(place, step)| row(overload_cycle, place, step));
    SweepView { title, charts: charts.collect(), rows: rows.collect(), id }
}

fn throughput(overload_cycle: &OverloadCycle, id: &str, size: (f64, f64)) -> String {
    let place = |step: &Step| {
        let interval = step.half_width.map(|half| (step.throughput - half, step.throughput + half));
        (step.throughput, interval)
    };
    let frame = Frame {
        id,
        title: "Interactions per second, step by step",
        description: &overload_cycle.sentences.join(" "),
        upwards: "interactions per second",
        across: "clients, in the order of time",
        size,
        logarithmic: false,
        named: size.0 > 500.0,
    };
    draw(overload_cycle, &frame, &place)
}

fn response(overload_cycle: &OverloadCycle, id: &str, size: (f64, f64)) -> String {
    let frame = Frame {
        id,
        title: "Median response time, step by step",
        description: "The figures are in the table of steps.",
        upwards: "median, ms",
        across: "clients, in the order of time",
        size,
        logarithmic: true,
        named: size.0 > 500.0,
    };
    draw(overload_cycle, &frame, &|step| (step.times[0], None))
}

/// Where a step stands in a chart: up, and the ends of the interval.
type Coordinates = (f64, Option<(f64, f64)>);

/// Both ways in the order of time; the way down begins where the way up ends.
fn draw(overload_cycle: &OverloadCycle, frame: &Frame<'_>, place: &dyn Fn(&Step) -> Coordinates) -> String {
    let way = |index: usize, name: &str, line: std::ops::Range<usize>, marked: std::ops::Range<usize>| {
        let at = |step: usize| ((step + 1) as f64, place(&overload_cycle.steps[step]));
        let mark = |step: usize| {
            let (x, (y, interval)) = at(step);
            let Step { clients, failing, .. } = &overload_cycle.steps[step];
            let text = format!(
                "step {}, {} clients: {}",
                step + 1,
                number::count((*clients).into()),
                number::figure(y)
            );
            Mark { x, y, interval, valid: failing.is_empty(), text }
        };
        let line = line.map(|step| (at(step).0, at(step).1.0)).collect();
        Series { name: name.to_owned(), index, line, marks: marked.map(mark).collect(), runs: Vec::new() }
    };
    let (top, end) = (overload_cycle.top, overload_cycle.steps.len());
    let mut ways = vec![way(0, "up", 0..top + 1, 0..top + 1)];
    if top + 1 < end {
        ways.push(way(1, "down", top..end, top + 1..end));
    }
    let labels: Vec<String> =
        overload_cycle.steps.iter().map(|step| number::count(step.clients.into())).collect();
    chart::plot_steps(frame, &ways, &labels)
}

fn row(overload_cycle: &OverloadCycle, place: usize, step: &Step) -> StepRow {
    let (failed, given_up, all) = step.failed;
    let half_width = step.half_width.map(|half_width| Interval { mean: step.throughput, half_width });
    let ratio = step.recovery.map(|(_, Recovery { ratio, .. })| number::interval(ratio.mean, Some(ratio)));
    StepRow {
        clients: number::count(step.clients.into()),
        way: match place.cmp(&overload_cycle.top) {
            std::cmp::Ordering::Less => "up",
            std::cmp::Ordering::Equal => "top",
            std::cmp::Ordering::Greater => "down",
        },
        collapsed: step.collapsed,
        cells: [
            number::figure(step.throughput),
            half_width.map_or_else(String::new, number::half_width),
            number::figure(step.times[0]),
            number::figure(step.times[1]),
            number::percent(failed, all),
            number::percent(given_up, all),
            ratio.unwrap_or_default(),
        ],
        finding: match step.recovery.map(|(_, recovery)| recovery.finding) {
            Some(RecoveryStatus::Recovered) => "recovered",
            Some(RecoveryStatus::NotRecovered) => "not recovered",
            Some(RecoveryStatus::Open) => "cannot be told",
            None => "",
        },
        failing: step.failing.join(", "),
    }
}
