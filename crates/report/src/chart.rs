use crate::{
    axis::{Axis, Tick},
    chart_labels::{self, Area, Name},
    series::{Mark, Series, class, cross, shape, small_shape},
};
use askama::Template;
use std::fmt::Write;

#[derive(Debug)]
pub(crate) struct Frame<'a> {
    /// Unique in the page; the ids of title and description derive from it.
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    /// A sentence or two, for screen readers.
    pub(crate) description: &'a str,
    pub(crate) upwards: &'a str,
    pub(crate) across: &'a str,
    /// Width and height in user units.
    pub(crate) size: (f64, f64),
    pub(crate) logarithmic: bool,
    pub(crate) named: bool,
}

#[derive(Template)]
#[template(path = "plot.svg")]
struct Plot<'a> {
    frame: &'a Frame<'a>,
    area: Area,
    columns: Vec<Tick>,
    rows: Vec<Tick>,
    curves: Vec<Curve>,
    names: Vec<Name<'a>>,
}

struct Curve {
    class: String,
    name: String,
    line: String,
    bars: String,
    runs: String,
    marks: Vec<Shape>,
    invalid: Vec<Shape>,
}

struct Shape {
    path: String,
    cross: String,
    text: String,
}

pub(crate) fn plot(frame: &Frame<'_>, series: &[Series]) -> String {
    plot_steps(frame, series, &[])
}

/// Draws series at the places 1, 2, and so on, with these labels below them, or else with numbers.
pub(crate) fn plot_steps(frame: &Frame<'_>, series: &[Series], labels: &[String]) -> String {
    let marks = || series.iter().flat_map(|series| &series.marks);
    let tops = marks().map(|mark| mark.interval.map_or(mark.y, |(_, high)| high));
    // A line may have no marks between its ends.
    let points = || series.iter().flat_map(|series| &series.line);
    let lines = || points().map(|(_, y)| *y);
    let runs = series.iter().flat_map(|series| series.runs.iter().map(|run| run.1));
    let top = highest(tops.chain(runs).chain(lines()));
    let lowest = marks().map(|mark| mark.y).chain(lines()).filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min);
    let across = highest(marks().map(|mark| mark.x).chain(points().map(|(x, _)| *x)));
    let steps = frame.size.0 / 90.0;
    let left = 58.0;
    let margin =
        if frame.named { chart_labels::margin(series, across, frame.size.0 - left, steps) } else { None };
    let named = margin.is_some();
    let right = frame.size.0 - margin.unwrap_or(chart_labels::MARGIN);
    let area = Area { left, right, top: 26.0, bottom: frame.size.1 - 44.0 };
    let x = Axis::linear(across, (left, right), steps);
    let upwards = (area.bottom, area.top);
    let y = if frame.logarithmic && lowest.is_finite() {
        Axis::logarithmic((lowest, top), upwards)
    } else {
        Axis::linear(top, upwards, 5.0)
    };
    let curves = series.iter().map(|series| curve(series, &x, &y)).collect();
    let within = Area { left, right: frame.size.0, top: area.top - 10.0, bottom: area.bottom + 8.0 };
    let names = if named { chart_labels::names(series, &x, &y, within) } else { Vec::new() };
    let below = labels.iter().zip(1..);
    let below =
        below.map(|(label, step)| Tick { at: format!("{:.1}", x.at(f64::from(step))), label: label.clone() });
    let columns = if labels.is_empty() { x.ticks() } else { below.collect() };
    render(&Plot { frame, area, columns, rows: y.ticks(), curves, names })
}

fn highest(values: impl Iterator<Item = f64>) -> f64 {
    values.filter(|value| value.is_finite()).fold(0.0, f64::max)
}

fn curve(series: &Series, x: &Axis, y: &Axis) -> Curve {
    let mut line = String::new();
    for (index, (across, value)) in series.line.iter().enumerate() {
        let command = if index == 0 { "M" } else { "L" };
        let _ = write!(line, "{command}{:.1} {:.1}", x.at(*across), y.at(*value));
    }
    let mut bars = String::new();
    for mark in series.marks.iter().filter(|mark| mark.valid) {
        if let Some((low, high)) = mark.interval {
            let (at, low, high) = (x.at(mark.x), y.at(low), y.at(high));
            let left = at - 4.0;
            let _ = write!(bars, "M{at:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h8M{left:.1} {high:.1}h8");
        }
    }
    let mut runs = String::new();
    for (across, value) in &series.runs {
        // A line without a length, with round caps, is a dot.
        let _ = write!(runs, "M{:.1} {:.1}h0", x.at(*across), y.at(*value));
    }
    let shapes = |valid: bool| -> Vec<Shape> {
        let marks = series.marks.iter().filter(|mark| mark.valid == valid);
        marks.map(|mark| drawn(series.index, mark, x.at(mark.x), y.at(mark.y))).collect()
    };
    let (class, name) = (class(series.index), series.name.clone());
    Curve { class, name, line, bars, runs, marks: shapes(true), invalid: shapes(false) }
}

fn drawn(index: usize, mark: &Mark, x: f64, y: f64) -> Shape {
    let path = if mark.valid { shape(index, x, y) } else { small_shape(index, x, y) };
    Shape { path, cross: cross(x, y), text: mark.text.clone() }
}

pub(crate) fn render(template: &impl Template) -> String {
    template.render().expect("a template over strings renders")
}
