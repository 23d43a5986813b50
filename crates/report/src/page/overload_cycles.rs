//! Overload cycles: charts in the order of time, and steps as a table.

use crate::{
    chart::{self, Frame},
    number,
    overload_cycle::{CycleStep, OverloadCycle},
    series::{Mark, Series},
    words::several,
};
use stats::{Interval, Recovery, RecoveryStatus};
use std::{cmp::Ordering, ops::Range};

pub(super) struct CycleView {
    pub(super) id: String,
    pub(super) title: String,
    /// Title and chart, drawn twice, for wide and for narrow windows.
    pub(super) charts: Vec<(&'static str, String)>,
    pub(super) rows: Vec<StepRow>,
}

pub(super) struct StepRow {
    pub(super) clients: String,
    /// `up`, `top` or `down`.
    pub(super) way: &'static str,
    pub(super) collapsed: bool,
    /// Throughput, half-width, p50, p99, errors, timeouts, times the way up.
    pub(super) cells: [String; 7],
    pub(super) finding: &'static str,
    pub(super) failing: String,
}

pub(super) fn views(cycles: &[OverloadCycle]) -> Vec<CycleView> {
    cycles.iter().zip(1..).map(|(cycle, number)| view(number, cycle)).collect()
}

fn view(number: usize, cycle: &OverloadCycle) -> CycleView {
    let id = format!("overload_cycle-{number}");
    let title = match cycle.number {
        (_, 1) => cycle.configuration.clone(),
        (number, all) => format!("{}, overload cycle {number} of {all}", cycle.configuration),
    };
    let charts = [("wide", (960.0, 340.0)), ("narrow", (340.0, 280.0))];
    let charts = charts.into_iter().flat_map(|(width, size)| {
        let id = format!("{id}-{width}");
        [
            (width, throughput(cycle, &format!("{id}-throughput"), size)),
            (width, response(cycle, &format!("{id}-response"), size)),
        ]
    });
    let rows = (0..cycle.steps.len()).map(|place| row(cycle, place));
    CycleView { title, charts: charts.collect(), rows: rows.collect(), id }
}

fn throughput(cycle: &OverloadCycle, id: &str, size: (f64, f64)) -> String {
    let place = |step: &CycleStep| {
        let interval = step.half_width.map(|half| (step.throughput - half, step.throughput + half));
        (step.throughput, interval)
    };
    let frame = Frame {
        id,
        title: "Interactions per second, step by step",
        description: &cycle.sentences.join(" "),
        upwards: "interactions per second",
        across: "clients, in the order of time",
        size,
        logarithmic: false,
        named: size.0 > 500.0,
    };
    draw(cycle, &frame, &place)
}

fn response(cycle: &OverloadCycle, id: &str, size: (f64, f64)) -> String {
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
    draw(cycle, &frame, &|step| (step.times[0], None))
}

type Coordinates = (f64, Option<(f64, f64)>);

/// Both ways in the order of time; the way down begins where the way up ends.
fn draw(cycle: &OverloadCycle, frame: &Frame<'_>, place: &dyn Fn(&CycleStep) -> Coordinates) -> String {
    let way = |index: usize, name: &str, line: Range<usize>, marked: Range<usize>| {
        let at = |step: usize| ((step + 1) as f64, place(&cycle.steps[step]));
        let mark = |step: usize| {
            let (x, (y, interval)) = at(step);
            let CycleStep { clients, failing, .. } = &cycle.steps[step];
            let text = format!("step {}, {}: {}", step + 1, several(*clients, "client"), number::figure(y));
            Mark { x, y, interval, valid: failing.is_empty(), text }
        };
        let line = line.map(|step| (at(step).0, at(step).1.0)).collect();
        Series { name: name.to_owned(), index, line, marks: marked.map(mark).collect(), runs: Vec::new() }
    };
    let (top, end) = (cycle.top, cycle.steps.len());
    let mut ways = vec![way(0, "up", 0..top + 1, 0..top + 1)];
    if top + 1 < end {
        ways.push(way(1, "down", top..end, top + 1..end));
    }
    let labels: Vec<String> = cycle.steps.iter().map(|step| number::count(step.clients.into())).collect();
    chart::plot_steps(frame, &ways, &labels)
}

fn row(cycle: &OverloadCycle, place: usize) -> StepRow {
    let step = &cycle.steps[place];
    let half_width = step.half_width.map(|half_width| Interval { mean: step.throughput, half_width });
    let ratio = step.recovery.map(|(_, Recovery { ratio, .. })| number::interval(ratio.mean, Some(ratio)));
    StepRow {
        clients: number::count(step.clients.into()),
        way: match place.cmp(&cycle.top) {
            Ordering::Less => "up",
            Ordering::Equal => "top",
            Ordering::Greater => "down",
        },
        collapsed: step.collapsed,
        cells: [
            number::figure(step.throughput),
            half_width.map_or_else(String::new, number::half_width),
            number::figure(step.times[0]),
            number::figure(step.times[1]),
            number::percent(step.requests.failed, step.requests.all),
            number::percent(step.requests.timed_out, step.requests.all),
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
