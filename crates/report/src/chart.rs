//! Charts as inline SVG, drawn here so that a report needs no script and no network.
//!
//! Colours come from the page's style sheet, so that a chart follows the reader's light or dark scheme; shapes tell
//! configurations apart where colours don't.

use crate::number;
use askama::Template;
use results::Second;
use std::fmt::Write;

/// A value per number of clients, for one configuration.
#[derive(Debug)]
pub struct Series {
    /// The configuration's name.
    pub name: String,
    /// Its place in the palette.
    pub index: usize,
    /// The line: clients and value of each VALID load, from the lowest load up.
    pub line: Vec<(f64, f64)>,
    /// Each measured point.
    pub marks: Vec<Mark>,
}

/// A measured point.
#[derive(Debug)]
pub struct Mark {
    /// Clients.
    pub x: f64,
    /// Value.
    pub y: f64,
    /// Half-width of the value's interval.
    pub half_width: Option<f64>,
    /// Drawn filled if so, hollow and crossed if not.
    pub valid: bool,
    /// What a pointer over it shows.
    pub text: String,
}

/// What is drawn around the series.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Unique in the page; ids of title and description are made of it.
    pub id: &'a str,
    /// The chart's title.
    pub title: &'a str,
    /// What it shows, in a sentence or two, for those who don't see it.
    pub description: &'a str,
    /// The unit of the values.
    pub unit: &'a str,
    /// Width and height in user units.
    pub size: (f64, f64),
    /// Whether the values stand on a logarithmic axis.
    pub logarithmic: bool,
}

#[derive(Template)]
#[template(path = "plot.svg")]
struct Plot<'a> {
    frame: &'a Frame<'a>,
    area: Area,
    columns: Vec<Tick>,
    rows: Vec<Tick>,
    curves: Vec<Curve>,
}

struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn middle(&self) -> f64 {
        self.left.midpoint(self.right)
    }
}

struct Tick {
    at: String,
    label: String,
}

struct Curve {
    class: String,
    name: String,
    line: String,
    bars: String,
    marks: Vec<Shape>,
}

struct Shape {
    path: String,
    cross: String,
    valid: bool,
    text: String,
}

/// Maps values to the page.
struct Axis {
    values: (f64, f64),
    place: (f64, f64),
    logarithmic: bool,
    ticks: Vec<f64>,
}

impl Axis {
    fn linear(highest: f64, place: (f64, f64), count: f64) -> Self {
        let highest = if highest > 0.0 { highest } else { 1.0 };
        let rough = highest / count;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough).unwrap_or(10.0) * power;
        let steps = (highest / step).ceil();
        let ticks = (0..=steps as u32).map(|index| f64::from(index) * step).collect();
        Self { values: (0.0, steps * step), place, logarithmic: false, ticks }
    }

    fn logarithmic((lowest, highest): (f64, f64), place: (f64, f64)) -> Self {
        let (first, last) = (lowest.log10().floor() as i32, highest.log10().ceil() as i32);
        let last = last.max(first + 1);
        let ticks = (first..=last).map(|power| 10_f64.powi(power)).collect();
        Self { values: (10_f64.powi(first), 10_f64.powi(last)), place, logarithmic: true, ticks }
    }

    fn at(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.log10() } else { value };
        let (low, high) = self.values;
        let share = (scale(value.clamp(low, high)) - scale(low)) / (scale(high) - scale(low));
        self.place.0 + share * (self.place.1 - self.place.0)
    }

    fn ticks(&self) -> Vec<Tick> {
        self.ticks
            .iter()
            .map(|tick| Tick { at: format!("{:.1}", self.at(*tick)), label: label(*tick) })
            .collect()
    }
}

/// A tick's value without needless decimals, nor the traces of binary fractions (3 × 0.1).
fn label(value: f64) -> String {
    if value >= 1.0 && value.fract() == 0.0 {
        number::count(value as u64)
    } else {
        ((value * 1e6).round() / 1e6).to_string()
    }
}

/// Draws values over numbers of clients.
pub fn plot(frame: &Frame<'_>, series: &[Series]) -> String {
    let marks = || series.iter().flat_map(|series| &series.marks);
    let highest =
        |values: &mut dyn Iterator<Item = f64>| values.filter(|value| value.is_finite()).fold(0.0, f64::max);
    let top = highest(&mut marks().map(|mark| mark.y + mark.half_width.unwrap_or(0.0)));
    let lowest = marks().map(|mark| mark.y).filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min);
    let area = Area { left: 58.0, right: frame.size.0 - 22.0, top: 26.0, bottom: frame.size.1 - 44.0 };
    let x =
        Axis::linear(highest(&mut marks().map(|mark| mark.x)), (area.left, area.right), frame.size.0 / 90.0);
    let upwards = (area.bottom, area.top);
    let y = if frame.logarithmic && lowest.is_finite() {
        Axis::logarithmic((lowest, top), upwards)
    } else {
        Axis::linear(top, upwards, 5.0)
    };
    let curves = series.iter().map(|series| curve(series, &x, &y)).collect();
    render(&Plot { frame, area, columns: x.ticks(), rows: y.ticks(), curves })
}

fn curve(series: &Series, x: &Axis, y: &Axis) -> Curve {
    let mut line = String::new();
    for (index, (clients, value)) in series.line.iter().enumerate() {
        let _ =
            write!(line, "{}{:.1} {:.1}", if index == 0 { "M" } else { "L" }, x.at(*clients), y.at(*value));
    }
    let mut bars = String::new();
    for mark in series.marks.iter().filter(|mark| mark.valid) {
        let Some(half_width) = mark.half_width else {
            continue;
        };
        let (low, high) = (y.at(mark.y - half_width), y.at(mark.y + half_width));
        let at = x.at(mark.x);
        let _ = write!(
            bars,
            "M{at:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h8M{:.1} {high:.1}h8",
            at - 4.0,
            at - 4.0
        );
    }
    let marks = series.marks.iter().map(|mark| {
        let (x, y) = (x.at(mark.x), y.at(mark.y));
        let cross = format!("M{:.1} {:.1}l10 10m0 -10l-10 10", x - 5.0, y - 5.0);
        Shape { path: shape(series.index, x, y), cross, valid: mark.valid, text: mark.text.clone() }
    });
    Curve { class: class(series.index), name: series.name.clone(), line, bars, marks: marks.collect() }
}

/// How many colours, and shapes, there are.
const PALETTE: usize = 6;

/// The style class of a configuration.
pub fn class(index: usize) -> String {
    format!("s{}", index % PALETTE)
}

/// A configuration's shape around a place: circle, square, diamond, triangle up, triangle down, hexagon.
pub fn shape(index: usize, x: f64, y: f64) -> String {
    match index % PALETTE {
        0 => format!("M{:.1} {y:.1}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", x - 4.5),
        1 => format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
        2 => format!("M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5),
        3 => format!("M{x:.1} {:.1}l5.2 9h-10.4z", y - 5.6),
        4 => format!("M{x:.1} {:.1}l5.2 -9h-10.4z", y + 5.6),
        _ => format!("M{:.1} {:.1}h5l2.5 4.3l-2.5 4.3h-5l-2.5 -4.3z", x - 2.5, y - 4.3),
    }
}

#[derive(Template)]
#[template(path = "timeline.svg")]
struct Timeline {
    title: String,
    description: String,
    class: String,
    ramp: String,
    throughput: Band,
    response: Band,
    failures: Vec<String>,
    seconds: String,
}

/// One measure of a timeline.
struct Band {
    line: String,
    highest: String,
}

const TIMELINE_WIDTH: f64 = 280.0;

/// At most this many columns: a longer point is drawn by means of several seconds.
const TIMELINE_COLUMNS: usize = 280;

/// Draws a point from the start of its ramp: throughput above, mean response time below, failures as ticks.
pub fn timeline(title: &str, index: usize, seconds: &[Second], window_s: f64) -> String {
    let length = seconds.len() as f64;
    let ramp_s = (length - window_s).max(0.0);
    let columns: Vec<&[Second]> = seconds.chunks(seconds.len().div_ceil(TIMELINE_COLUMNS).max(1)).collect();
    let per_second = |column: &[Second]| {
        column.iter().map(|second| second.completed as f64).sum::<f64>() / column.len() as f64
    };
    let mean_ms =
        |column: &[Second]| column.iter().map(|second| second.mean_ms).sum::<f64>() / column.len() as f64;
    let throughput = band(columns.iter().map(|column| per_second(column)).collect(), (12.0, 62.0));
    let response = band(columns.iter().map(|column| mean_ms(column)).collect(), (78.0, 112.0));
    let place = |second: f64| TIMELINE_WIDTH * second / length.max(1.0);
    let failures = seconds.iter().filter(|second| second.failed > 0);
    let failed: u64 = seconds.iter().map(|second| second.failed).sum();
    let description = format!(
        "{:.0} seconds, of which the first {ramp_s:.0} are the ramp. At most {} interactions per second; mean response \
         time at most {} ms; {} failed.",
        length,
        throughput.highest,
        response.highest,
        number::count(failed)
    );
    render(&Timeline {
        title: title.to_owned(),
        description,
        class: class(index),
        ramp: format!("{:.1}", place(ramp_s)),
        throughput,
        response,
        failures: failures.map(|second| format!("{:.1}", place(f64::from(second.second) + 0.5))).collect(),
        seconds: number::setting(length),
    })
}

fn band(values: Vec<f64>, (top, bottom): (f64, f64)) -> Band {
    let highest = values.iter().copied().fold(0.0, f64::max);
    let width = TIMELINE_WIDTH / values.len().max(1) as f64;
    let mut line = String::new();
    for (index, value) in values.into_iter().enumerate() {
        let height = if highest > 0.0 { value / highest * (bottom - top) } else { 0.0 };
        let command = if index == 0 { "M" } else { "L" };
        let _ = write!(line, "{command}{:.1} {:.1}", (index as f64 + 0.5) * width, bottom - height);
    }
    Band { line, highest: number::figure(highest) }
}

fn render(template: &impl Template) -> String {
    template.render().expect("a template over strings renders")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_begins_at_zero_and_ends_at_a_round_number_above_all_values() {
        for (highest, last, steps) in [(935.0, 1000.0, 5), (1.0, 1.0, 5), (4200.0, 5000.0, 5), (0.0, 1.0, 5)]
        {
            let axis = Axis::linear(highest, (100.0, 0.0), 5.0);
            assert_eq!((axis.values, axis.ticks.len()), ((0.0, last), steps + 1), "{highest}");
            assert_eq!((axis.at(0.0), axis.at(last)), (100.0, 0.0));
        }
    }

    #[test]
    fn ticks_are_labelled_as_people_write_them() {
        let labels: Vec<String> =
            Axis::linear(0.5, (0.0, 1.0), 5.0).ticks().into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!([label(20_000.0), label(2.5), label(0.001)], ["20,000", "2.5", "0.001"]);
    }

    #[test]
    fn a_logarithmic_axis_spans_whole_decades() {
        let axis = Axis::logarithmic((3.0, 450.0), (0.0, 30.0));
        assert_eq!(axis.ticks, [1.0, 10.0, 100.0, 1000.0]);
        assert!((axis.at(10.0) - 10.0).abs() < 1e-9);
        assert_eq!(Axis::logarithmic((1.0, 1.0), (0.0, 1.0)).ticks, [1.0, 10.0]);
    }

    #[test]
    fn a_long_timeline_is_drawn_by_means() {
        let seconds: Vec<Second> =
            (0..2400).map(|second| Second { second, completed: 5, failed: 0, mean_ms: 3.0 }).collect();
        let svg = timeline("t", 0, &seconds, 2000.0);
        assert!(svg.matches('L').count() < 2 * TIMELINE_COLUMNS, "{}", svg.len());
        assert!(svg.contains("the first 400 are the ramp"));
    }
}
