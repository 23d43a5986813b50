//! The start and the warm-up of each configuration: times, memory, CPU, and the cost of an interaction over the warm-up.

use crate::{
    chart::{self, Frame},
    measured::points_of,
    number,
    series::{Mark, Series},
    words::{enumerate, several},
};
use results::{Point, StartUp, TierStartUp};
use std::iter;

/// A configuration over its starts, or one of its tiers.
pub(super) struct StartRow<'a> {
    /// In a configuration's first row: its name, and the rows that it has.
    pub(super) configuration: Option<(&'a str, usize)>,
    /// All tiers, or one.
    pub(super) tier: String,
    /// Seconds until it was ready, to the first right page, of the warm-up, of CPU until it was warm; memory idle, warm and at
    /// its highest.
    pub(super) cells: [String; 7],
}

/// A start, and how many seconds its warm-up took.
type Start<'a> = (&'a StartUp, Option<f64>);

/// The starts of a configuration. Points of one start have the same record.
fn starts<'a>(points: &'a [Point], name: &str) -> Vec<Start<'a>> {
    let mut starts: Vec<Start<'a>> = Vec::new();
    for point in points_of(points, name) {
        let Some(start) = &point.start_up else { continue };
        if !starts.iter().any(|(known, _)| *known == start) {
            starts.push((start, point.warm_up.map(|warm_up| warm_up.seconds)));
        }
    }
    starts
}

/// The rows of all configurations: means over their starts.
pub(super) fn rows<'a>(points: &[Point], names: &[&'a str]) -> Vec<StartRow<'a>> {
    names.iter().flat_map(|name| rows_of(name, &starts(points, name))).collect()
}

fn rows_of<'a>(name: &'a str, recorded: &[Start<'_>]) -> Vec<StartRow<'a>> {
    let starts: Vec<&StartUp> = recorded.iter().map(|(start, _)| *start).collect();
    let Some(first) = starts.first() else { return Vec::new() };
    let memory = |which: usize| mean(starts.iter().map(|start| start.memory()[which] as f64));
    let all = StartRow {
        configuration: Some((name, first.tiers.len() + 1)),
        tier: several(starts.len(), "start"),
        cells: [
            number::figure(mean(starts.iter().map(|start| start.ready_s))),
            mean_of_known(starts.iter().map(|start| start.first_page_s)),
            mean_of_known(recorded.iter().map(|(_, warm_up_s)| *warm_up_s)),
            number::figure(mean(starts.iter().map(|start| start.cpu_s))),
            number::bytes(memory(0) as u64),
            number::bytes(memory(1) as u64),
            number::bytes(memory(2) as u64),
        ],
    };
    let tier = |index: usize| {
        let of = |figure: fn(&TierStartUp) -> f64| {
            mean(starts.iter().filter_map(|start| start.tiers.get(index)).map(figure))
        };
        StartRow {
            configuration: None,
            tier: first.tiers[index].service.clone(),
            cells: [
                number::figure(of(|tier| tier.ready_s)),
                String::new(),
                String::new(),
                number::figure(of(|tier| tier.cpu_s)),
                number::bytes(of(|tier| tier.idle_bytes as f64) as u64),
                number::bytes(of(|tier| tier.warm_bytes as f64) as u64),
                number::bytes(of(|tier| tier.highest_bytes as f64) as u64),
            ],
        }
    };
    iter::once(all).chain((0..first.tiers.len()).map(tier)).collect()
}

fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0.0), |(sum, count), figure| (sum + figure, count + 1.0));
    sum / count
}

/// Empty where none is known.
fn mean_of_known(figures: impl Iterator<Item = Option<f64>>) -> String {
    let known: Vec<f64> = figures.flatten().collect();
    if known.is_empty() { String::new() } else { number::figure(mean(known.into_iter())) }
}

/// The pages that were asked for first: `/auction/BrowseCategories`.
pub(super) fn first_pages(points: &[Point]) -> String {
    let mut pages: Vec<String> = Vec::new();
    for page in points.iter().filter_map(|point| point.start_up.as_ref()?.first_page.as_ref()) {
        if !pages.contains(page) {
            pages.push(page.clone());
        }
    }
    enumerate(&pages)
}

/// The cost of an interaction over the warm-up of each configuration's first start; none where no curve is known.
pub(super) fn curve(points: &[Point], names: &[&str]) -> Option<String> {
    let series = names.iter().enumerate().filter_map(|(index, name)| {
        let line: Vec<(f64, f64)> =
            starts(points, name).first()?.0.curve.iter().map(|cost| (cost.at_s, cost.cpu_ms)).collect();
        let (marks, runs) = (ends(name, &line), Vec::new());
        (!line.is_empty()).then(|| Series { name: (*name).to_owned(), index, line, marks, runs })
    });
    let series: Vec<Series> = series.collect();
    (!series.is_empty()).then(|| chart::plot(&frame(), &series))
}

fn frame() -> Frame<'static> {
    Frame {
        id: "warm-up-cost",
        title: "CPU per interaction over the warm-up of the first start",
        description: "The first and last costs are in the marks.",
        upwards: "CPU, ms per interaction",
        across: "seconds of warm-up",
        size: (960.0, 320.0),
        logarithmic: true,
        named: true,
    }
}

/// Marks at both ends of a curve.
fn ends(name: &str, line: &[(f64, f64)]) -> Vec<Mark> {
    let mark = |(x, y): &(f64, f64)| Mark {
        x: *x,
        y: *y,
        interval: None,
        valid: true,
        text: format!("{name}, after {} s: {} ms", number::figure(*x), number::figure(*y)),
    };
    line.first().into_iter().chain(line.last()).map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(ready_s: f64, idle_bytes: u64) -> StartUp {
        let tier = TierStartUp { service: "tomcat".into(), ready_s, idle_bytes, ..TierStartUp::default() };
        StartUp { ready_s, first_page_s: Some(ready_s + 1.0), tiers: vec![tier], ..StartUp::default() }
    }

    #[test]
    fn a_curve_lies_within_its_axes_between_its_marks() {
        let costs = [(2.0, 9.0), (4.0, 0.3), (6.0, 0.6)];
        let series = Series {
            name: "A".into(),
            index: 0,
            line: costs.to_vec(),
            marks: ends("A", &costs),
            runs: Vec::new(),
        };
        let drawn = chart::plot(&frame(), &[series]);
        assert!(drawn.contains(">0.2</text>"), "the axis ends below the cheapest: {drawn}");
    }

    #[test]
    fn a_configuration_shows_means_over_its_starts_and_each_tier() {
        let (one, other) = (start(2.0, 1 << 20), start(4.0, 3 << 20));
        let rows = rows_of("A", &[(&one, Some(8.0)), (&other, None)]);
        assert_eq!(rows[0].configuration, Some(("A", 2)));
        assert_eq!(rows[0].tier, "2 starts");
        assert_eq!(rows[0].cells[..3], ["3.00", "4.00", "8.00"]);
        assert_eq!((rows[1].tier.as_str(), rows[1].cells[4].as_str()), ("tomcat", "2.00 MiB"));
        assert!(rows_of("A", &[]).is_empty());
    }
}
