//! A point second by second: throughput, response time, and CPU of each tier.

use crate::{axis::Axis, chart::render, number, series::class, words::several};
use askama::Template;
use results::{GaugeRole, Point, Sample, Second};
use std::fmt::Write;

const WIDTH: f64 = 320.0;
/// Maximum of columns; in a longer point each stands for several seconds.
const COLUMNS: usize = 160;

/// Top and bottom of the three bands.
const THROUGHPUT: (f64, f64) = (16.0, 62.0);
const RESPONSE: (f64, f64) = (84.0, 130.0);
const CPU: (f64, f64) = (152.0, 198.0);

#[derive(Template)]
#[template(path = "timeline.svg")]
struct Timeline {
    title: String,
    description: String,
    class: String,
    window: (String, String),
    warm_s: String,
    end_s: String,
    throughput: Line,
    response: Line,
    failures: Vec<String>,
    cpu: Option<Cpu>,
}

struct Line {
    path: String,
    top: String,
}

/// Tops of the bands of throughput and response time, shared by points to compare.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tops {
    throughput: f64,
    response_ms: f64,
}

impl Tops {
    /// Round numbers above all values of these points.
    pub(crate) fn over<'a>(points: impl Iterator<Item = &'a Point>) -> Self {
        let highest = points.fold((0.0_f64, 0.0_f64), |(throughput, response_ms), point| {
            let seconds = seconds(point);
            let columns = columns(&seconds);
            (
                columns.iter().map(|column| per_second(column)).fold(throughput, f64::max),
                columns.iter().map(|column| slowest(column)).fold(response_ms, f64::max),
            )
        });
        let round = |highest: f64| Axis::linear(highest, (0.0, 1.0), 5.0).top();
        Self { throughput: round(highest.0), response_ms: round(highest.1) }
    }
}

/// Seconds to show. The rest of a second after the window's end is dropped.
fn seconds(point: &Point) -> Vec<Second> {
    let end_s = (point.warm_s + point.window_s).ceil();
    point.timeline.iter().filter(|second| f64::from(second.second) + 1.0 <= end_s).copied().collect()
}

fn columns(seconds: &[Second]) -> Vec<&[Second]> {
    seconds.chunks(seconds.len().div_ceil(COLUMNS).max(1)).collect()
}

fn per_second(column: &[Second]) -> f64 {
    mean(column, |second| second.completed as f64)
}

fn slowest(column: &[Second]) -> f64 {
    column.iter().filter_map(|second| second.p95_ms).fold(0.0, f64::max)
}

/// Stacked areas of tiers, and the line of the whole machine.
struct Cpu {
    areas: Vec<(usize, String)>,
    busy: String,
    /// Share of the time in collector pauses, where some tier has any, on the scale of all processors.
    pauses: Option<String>,
    label: String,
}

struct Scale {
    end_s: f64,
}

impl Scale {
    fn at(&self, second: f64) -> f64 {
        WIDTH * second.clamp(0.0, self.end_s) / self.end_s
    }
}

/// Draws a point from the start of its ramp. `roles` gives each tier's role its colour.
pub(crate) fn timeline(
    title: &str,
    index: usize,
    (point, samples): (&Point, &[Sample]),
    tops: Tops,
    roles: &[&str],
) -> String {
    let window = (point.warm_s, point.warm_s + point.window_s);
    let scale = Scale { end_s: window.1.max(1.0) };
    let seconds = seconds(point);
    let columns = columns(&seconds);
    let throughput = line(&columns, &scale, (THROUGHPUT, tops.throughput), per_second);
    let response = line(&columns, &scale, (RESPONSE, tops.response_ms), slowest);
    let failures = point.timeline.iter().filter(|second| second.failed > 0);
    let failures =
        failures.map(|second| format!("{:.1}", scale.at(f64::from(second.second) + 0.5))).collect();
    let place = |second: f64| format!("{:.1}", scale.at(second));
    render(&Timeline {
        title: title.to_owned(),
        description: description(point, samples),
        class: class(index),
        window: (place(window.0), place(window.1)),
        warm_s: number::setting(window.0.round()),
        end_s: number::setting(window.1.round()),
        throughput,
        response,
        failures,
        cpu: cpu(point, samples, roles, &scale),
    })
}

fn mean<T>(values: &[T], figure: impl Fn(&T) -> f64) -> f64 {
    values.iter().map(figure).sum::<f64>() / values.len().max(1) as f64
}

fn description(point: &Point, samples: &[Sample]) -> String {
    let end_s = point.warm_s + point.window_s;
    let in_window: Vec<&Second> = point
        .timeline
        .iter()
        .filter(|second| (point.warm_s..end_s).contains(&f64::from(second.second)))
        .collect();
    let (slowest, most) = in_window.iter().fold((0.0_f64, 0), |(slowest, most), second| {
        (slowest.max(second.p95_ms.unwrap_or_default()), most.max(second.completed))
    });
    let failed: u64 = point.timeline.iter().map(|second| second.failed).sum();
    let mut text = format!(
        "{}: {} interactions per second on average and at most {}. In the slowest second 95 % took at most {} ms. {} failed.",
        match point.warm_s {
            0.0 => format!("All of {} s", number::figure(point.window_s)),
            warm_s => format!(
                "A ramp of {} s, then the window of {} s",
                number::setting(warm_s.round()),
                number::setting(point.window_s)
            ),
        },
        number::figure(point.throughput),
        number::count(most),
        number::figure(slowest),
        number::count(failed)
    );
    if !samples.is_empty() {
        let tiers = point.tiers.iter().map(|tier| format!("{} {}", tier.role, number::figure(tier.cores)));
        let _ = write!(text, " CPU cores in the window: {}.", tiers.collect::<Vec<_>>().join(", "));
    }
    text
}

/// A line through the middles of its columns, in a band.
fn line(
    columns: &[&[Second]],
    scale: &Scale,
    (band, top): ((f64, f64), f64),
    figure: impl Fn(&[Second]) -> f64,
) -> Line {
    let mut path = String::new();
    for column in columns {
        let middle = mean(column, |second| f64::from(second.second) + 0.5);
        let command = if path.is_empty() { "M" } else { "L" };
        let _ = write!(path, "{command}{:.1} {:.1}", scale.at(middle), height(figure(column), top, band));
    }
    Line { path, top: number::setting(top) }
}

fn height(value: f64, highest: f64, (top, bottom): (f64, f64)) -> f64 {
    let share = if highest > 0.0 { (value / highest).clamp(0.0, 1.0) } else { 0.0 };
    bottom - share * (bottom - top)
}

fn cpu(point: &Point, samples: &[Sample], roles: &[&str], scale: &Scale) -> Option<Cpu> {
    let columns: Vec<&[Sample]> = samples.chunks(samples.len().div_ceil(COLUMNS).max(1)).collect();
    let most = columns.iter().map(|column| mean(column, |sample| sample.host.busy_cores)).fold(0.0, f64::max);
    let cores = if point.host.cores > 0 { f64::from(point.host.cores) } else { most };
    if columns.is_empty() || cores <= 0.0 {
        return None;
    }
    let places: Vec<f64> = columns
        .iter()
        .map(|column| scale.at(mean(column, |sample| sample.at_s - sample.length_s / 2.0)))
        .collect();
    let mut below = vec![0.0; columns.len()];
    let mut areas = Vec::new();
    for (index, role) in roles.iter().enumerate() {
        let used = |sample: &Sample| -> f64 {
            let tiers = sample.tiers.iter().filter(|tier| tier.role == *role);
            tiers.map(|tier| tier.user_cores + tier.system_cores).sum()
        };
        let above: Vec<f64> =
            columns.iter().zip(&below).map(|(column, below)| below + mean(column, used)).collect();
        if above != below {
            areas.push((index, area(&places, &below, &above, cores)));
            below = above;
        }
    }
    let busy: Vec<f64> = columns.iter().map(|column| mean(column, |sample| sample.host.busy_cores)).collect();
    let mut label = match point.host.cores {
        0 => format!("CPU, up to {} cores", number::figure(most)),
        cores => format!("CPU of {}", several(cores, "core")),
    };
    let collectors = collectors(point);
    let pauses = |sample: &Sample| pauses(sample, &collectors);
    let pauses = samples.iter().any(|sample| pauses(sample).is_some()).then(|| {
        let shares: Vec<f64> =
            columns.iter().map(|column| mean(column, |sample| pauses(sample).unwrap_or(0.0))).collect();
        let longest = shares.iter().copied().fold(0.0, f64::max);
        let _ = write!(label, "; dashed: collector pauses, up to {} %", number::figure(longest));
        open(&places, &shares, 100.0)
    });
    Some(Cpu { areas, busy: open(&places, &busy, cores), pauses, label })
}

/// Names of the gauges of collector pauses.
fn collectors(point: &Point) -> Vec<&str> {
    let gauges = point.tiers.iter().flat_map(|tier| &tier.gauges);
    let told = gauges.filter(|gauge| gauge.role == GaugeRole::CollectorPause);
    told.map(|gauge| gauge.name.as_str()).collect()
}

/// Collector pauses in per cent of the time, of the tier that they stopped most.
fn pauses(sample: &Sample, collectors: &[&str]) -> Option<f64> {
    let gauges = sample.tiers.iter().flat_map(|tier| &tier.gauges);
    let told = gauges.filter(|(name, _)| collectors.contains(&name.as_str()));
    told.map(|(_, share)| *share).reduce(f64::max)
}

fn open(places: &[f64], values: &[f64], highest: f64) -> String {
    let mut path = String::new();
    for (x, value) in places.iter().zip(values) {
        let command = if path.is_empty() { "M" } else { "L" };
        let _ = write!(path, "{command}{x:.1} {:.1}", height(*value, highest, CPU));
    }
    path
}

fn area(places: &[f64], below: &[f64], above: &[f64], highest: f64) -> String {
    let mut path = open(places, above, highest);
    for (x, value) in places.iter().zip(below).rev() {
        let _ = write!(path, "L{x:.1} {:.1}", height(*value, highest, CPU));
    }
    path.push('z');
    path
}
