//! Response times by concurrency, for loads whose clients arrive and stay.

use crate::{
    chart::{self, Frame},
    number,
    series::{Mark, Series},
};
use results::{ArrivalsEnd, ConcurrencyFigures, Point, ResultReader};
use stats::Interval;

/// Maximum of marks per line; concurrencies between them are merged.
const MOST_MARKS: u32 = 24;

/// True if a VALID load has clients who stay.
pub(super) fn are_there(result: &ResultReader) -> bool {
    result.manifest.configurations.iter().any(|one| runs_of(result, &one.name).next().is_some())
}

/// Mean response times by concurrency, drawn twice, for wide and for narrow windows. The id must be unique in its
/// page.
pub(super) fn charts(result: &ResultReader, names: &[&str], id: &str) -> [(&'static str, String); 2] {
    let all = names.iter().flat_map(|name| runs_of(result, name)).flatten();
    let width = all.map(|one| one.there).max().unwrap_or(1).div_ceil(MOST_MARKS);
    let series: Vec<Series> =
        names.iter().enumerate().map(|(index, name)| series(result, (index, name), width)).collect();
    let ends = series.iter().filter_map(|series| {
        let (clients, ms) = series.line.last()?;
        Some(format!(
            "{}: {} ms with {} clients at once.",
            series.name,
            number::figure(*ms),
            number::figure(*clients)
        ))
    });
    let description = ends.collect::<Vec<_>>().join(" ");
    let draw = |id: &str, size, named| {
        let frame = Frame {
            id,
            title: "Mean response time by concurrency",
            description: &description,
            upwards: "mean response time, ms",
            across: "clients at once",
            size,
            logarithmic: false,
            named,
        };
        chart::plot(&frame, &series)
    };
    [
        ("wide", draw(id, (960.0, 400.0), true)),
        ("narrow", draw(&format!("{id}-narrow"), (340.0, 300.0), false)),
    ]
}

/// Concurrencies of each VALID run whose clients stay.
fn runs_of<'a>(result: &'a ResultReader, name: &str) -> impl Iterator<Item = &'a [ConcurrencyFigures]> {
    let counts = move |point: &&Point| point.configuration == *name && point.verdict.valid;
    let figures = result.arrivals.iter().filter(counts).filter_map(|point| point.arrivals.as_ref());
    figures
        .filter(|figures| figures.ended != ArrivalsEnd::AllGone)
        .map(|figures| figures.by_concurrency.as_slice())
}

fn series(result: &ResultReader, (index, name): (usize, &str), width: u32) -> Series {
    let runs: Vec<&[ConcurrencyFigures]> = runs_of(result, name).collect();
    let mut series =
        Series { name: name.to_owned(), index, line: Vec::new(), marks: Vec::new(), runs: Vec::new() };
    for mark in 0..MOST_MARKS {
        let from = mark * width + 1;
        let within = |one: &&ConcurrencyFigures| (from..from + width).contains(&one.there);
        let means: Vec<f64> = runs.iter().filter_map(|run| mean(run.iter().filter(within))).collect();
        if means.is_empty() {
            continue;
        }
        let ms = means.iter().sum::<f64>() / means.len() as f64;
        let interval =
            Some(&means).filter(|means| means.len() > 2).and_then(|means| Interval::of_mean(means));
        let middle = f64::from(from) + f64::from(width - 1) / 2.0;
        let there = if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) };
        series.line.push((middle, ms));
        series.marks.push(Mark {
            x: middle,
            y: ms,
            interval: interval.map(|interval| (interval.low().max(0.0), interval.high())),
            valid: true,
            text: format!("{}, {there} clients: {} ms", series.name, number::figure(ms)),
        });
    }
    series
}

/// Mean response time of the requests at one of these concurrencies.
fn mean<'a>(by_concurrency: impl Iterator<Item = &'a ConcurrencyFigures>) -> Option<f64> {
    let (sum, count) = by_concurrency.fold((0.0, 0), |(sum, count), one| {
        (sum + one.mean_ms * one.completed as f64, count + one.completed)
    });
    (count > 0).then(|| sum / count as f64)
}
