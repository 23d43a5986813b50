//! Throughput over clients, and response times over throughput; at a single load, both as bars.

use crate::{
    bars::bars,
    chart::{self, Frame},
    measured::points_of,
    number,
    runs::{QUANTILES, interval, mean_throughput, quantile_of, valid_loads},
    series::{self, Mark, Series},
    words::{capitalised, several},
};
use results::{Point, ResultReader};
use stats::Interval;

pub(super) struct Legend<'a> {
    pub(super) name: &'a str,
    pub(super) class: String,
    pub(super) shape: String,
}

pub(super) fn legend<'a>(names: &[&'a str]) -> Vec<Legend<'a>> {
    let entry = |(index, name): (usize, &&'a str)| Legend {
        name,
        class: series::class(index),
        shape: series::shape(index, 14.0, 8.0),
    };
    names.iter().enumerate().map(entry).collect()
}

/// The only load of these configurations; none if there are several, or none.
pub(super) fn only_load(result: &ResultReader, names: &[&str]) -> Option<u32> {
    let mut loads = names.iter().flat_map(|name| points_of(&result.points, name)).map(|point| point.clients);
    let first = loads.next()?;
    loads.all(|load| load == first).then_some(first)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    PerSecond,
    /// The unit of the historical studies.
    PerMinute,
}

impl Unit {
    fn per_second(self) -> f64 {
        match self {
            Self::PerSecond => 1.0,
            Self::PerMinute => 60.0,
        }
    }
}

/// Place of a load in a chart: x, y, and the vertical interval.
type Coordinates = (f64, f64, Option<(f64, f64)>);

/// A configuration's line through its VALID loads, with its runs and its INVALID points. `place` locates a run, or
/// the mean of several.
fn series(
    result: &ResultReader,
    index: usize,
    name: &str,
    place: &dyn Fn(&[&Point]) -> Coordinates,
) -> Series {
    let points = points_of(&result.points, name);
    let loads = valid_loads(&points);
    let mut series =
        Series { name: name.to_owned(), index, line: Vec::new(), marks: Vec::new(), runs: Vec::new() };
    for (clients, runs) in &loads {
        let (x, y, interval) = place(runs);
        series.line.push((x, y));
        let clients = several(*clients, "client");
        let runs_text =
            if runs.len() == 1 { String::new() } else { format!(", mean of {} runs", runs.len()) };
        let text = format!("{name}, {clients}{runs_text}: {}", number::figure(y));
        series.marks.push(Mark { x, y, interval, valid: true, text });
        if runs.len() > 1 {
            series.runs.extend(runs.iter().map(|run| place(&[run])).map(|(x, y, _)| (x, y)));
        }
    }
    for point in points.iter().filter(|point| !point.verdict.valid) {
        let (x, y, _) = place(&[point]);
        let clients = several(point.clients, "client");
        let text = format!("{name}, {clients}, run {}: {} (INVALID)", point.repetition, number::figure(y));
        series.marks.push(Mark { x, y, interval: None, valid: false, text });
    }
    series
}

fn throughput_place(runs: &[&Point], unit: Unit) -> Coordinates {
    let clients = f64::from(runs.first().map_or(0, |run| run.clients));
    let scaled = |per_second: f64| unit.per_second() * per_second;
    let interval = interval(runs).map(|interval: Interval| (scaled(interval.low()), scaled(interval.high())));
    (clients, scaled(mean_throughput(runs)), interval)
}

pub(super) fn throughput(result: &ResultReader, names: &[&str]) -> [(&'static str, String); 2] {
    curves(result, names, "throughput", Unit::PerSecond)
}

/// Throughput over clients, drawn twice, for wide and for narrow windows: a shrunk chart can't be read. The id must
/// be unique in its page.
pub(super) fn curves(
    result: &ResultReader,
    names: &[&str],
    id: &str,
    unit: Unit,
) -> [(&'static str, String); 2] {
    let described = names.iter().filter_map(|name| {
        let points = points_of(&result.points, name);
        let loads = valid_loads(&points);
        let steps = loads.iter().map(|(clients, runs)| {
            let throughput = number::figure(unit.per_second() * mean_throughput(runs));
            format!("{throughput} at {}", several(*clients, "client"))
        });
        let steps: Vec<String> = steps.collect();
        (!steps.is_empty()).then(|| format!("{name}: {}.", steps.join(", ")))
    });
    let description = described.collect::<Vec<_>>().join(" ");
    let series: Vec<Series> = names
        .iter()
        .enumerate()
        .map(|(index, name)| series(result, index, name, &|runs| throughput_place(runs, unit)))
        .collect();
    let upwards = match unit {
        Unit::PerSecond => "interactions per second",
        Unit::PerMinute => "interactions per minute",
    };
    let only_load = only_load(result, names).map(|clients| several(clients, "client"));
    let over = only_load.as_ref().map_or_else(|| "over clients".to_owned(), |load| format!("at {load}"));
    let draw = |id: &str, size, named| {
        let frame = Frame {
            id,
            title: &format!("{} {over}", capitalised(upwards)),
            description: &description,
            upwards,
            across: "clients",
            size,
            logarithmic: false,
            named,
        };
        if only_load.is_some() { bars(&frame, &series) } else { chart::plot(&frame, &series) }
    };
    [
        ("wide", draw(id, (960.0, 400.0), true)),
        ("narrow", draw(&format!("{id}-narrow"), (340.0, 300.0), false)),
    ]
}

/// A chart for each quantile. Lines go from load to load: under overload they turn back or rise steeply. At a single
/// load there are bars.
pub(super) fn response(result: &ResultReader, names: &[&str]) -> Vec<String> {
    let titles =
        [("median", "median"), ("percentile-90", "90th percentile"), ("percentile-99", "99th percentile")];
    let only_load = only_load(result, names).map(|clients| several(clients, "client"));
    let over = only_load.as_ref().map_or_else(|| "over throughput".to_owned(), |load| format!("at {load}"));
    let chart = |((id, title), of): ((&str, &str), f64)| {
        let place = |runs: &[&Point]| -> Coordinates {
            let time = quantile_of(runs, of);
            (mean_throughput(runs), time.value, time.interval)
        };
        let series: Vec<Series> =
            names.iter().enumerate().map(|(index, name)| series(result, index, name, &place)).collect();
        let frame = Frame {
            id,
            title: &format!("Response time {over}, {title}"),
            description: "The figures are in the table of all points.",
            upwards: &format!("{title}, ms"),
            across: "interactions per second",
            size: (340.0, 290.0),
            logarithmic: true,
            named: false,
        };
        if only_load.is_some() { bars(&frame, &series) } else { chart::plot(&frame, &series) }
    };
    titles.into_iter().zip(QUANTILES).map(chart).collect()
}
