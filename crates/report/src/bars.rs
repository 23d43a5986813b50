//! Bars as inline SVG, for results at a single load.

use crate::{
    axis::{Axis, Tick},
    chart::{Frame, render},
    number,
    series::{Mark, Series, class},
};
use askama::Template;

const BAR: f64 = 14.0;
/// Distance between bars, each with its name above it.
const ROW: f64 = 44.0;
const TOP: f64 = 32.0;
/// Room at the right for the figure beside the longest bar.
const FIGURE: f64 = 110.0;
const AXIS: f64 = 46.0;

#[derive(Template)]
#[template(path = "bars.svg")]
struct Bars<'a> {
    frame: &'a Frame<'a>,
    height: f64,
    bottom: f64,
    ticks: Vec<Tick>,
    bars: Vec<Bar<'a>>,
}

struct Bar<'a> {
    class: String,
    valid: bool,
    name: &'a str,
    name_y: f64,
    y: f64,
    width: String,
    interval: String,
    figure: String,
    figure_x: String,
    text: &'a str,
}

/// Draws the marks one below the other, INVALID ones hollow. A chart's vertical axis is horizontal here.
pub(crate) fn bars(frame: &Frame<'_>, series: &[Series]) -> String {
    let marks: Vec<(&Series, &Mark)> =
        series.iter().flat_map(|one| one.marks.iter().map(move |mark| (one, mark))).collect();
    let ends = marks.iter().map(|(_, mark)| mark.interval.map_or(mark.y, |(_, high)| high));
    let right = frame.size.0 - FIGURE;
    let axis = Axis::linear(ends.fold(0.0, f64::max), (0.0, right), right / 90.0);
    let bottom = TOP + ROW * marks.len() as f64;
    let bars =
        marks.iter().zip(0..).map(|((one, mark), place)| bar(one, mark, f64::from(place), &axis)).collect();
    render(&Bars { frame, height: bottom + AXIS, bottom, ticks: axis.ticks(), bars })
}

fn bar<'a>(series: &'a Series, mark: &'a Mark, place: f64, axis: &Axis) -> Bar<'a> {
    let y = TOP + ROW * place + 12.0;
    let middle = y + BAR / 2.0;
    let end = axis.at(mark.y);
    let reach = mark.interval.map(|(low, high)| (axis.at(low), axis.at(high)));
    let interval = reach.map_or_else(String::new, |(low, high)| {
        let top = middle - 4.0;
        format!("M{low:.1} {middle:.1}H{high:.1}M{low:.1} {top:.1}v8M{high:.1} {top:.1}v8")
    });
    let invalid = if mark.valid { "" } else { ", INVALID" };
    Bar {
        class: class(series.index),
        valid: mark.valid,
        name: &series.name,
        name_y: y - 6.0,
        y,
        width: format!("{:.1}", end.max(1.0)),
        interval,
        figure: format!("{}{invalid}", number::figure(mark.y)),
        figure_x: format!("{:.1}", reach.map_or(end, |(_, high)| high).max(end) + 8.0),
        text: &mark.text,
    }
}
