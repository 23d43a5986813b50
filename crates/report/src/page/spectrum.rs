//! The spectrum of response times: the time within which each share of the answers came, of all configurations at one load.

use crate::{
    chart::{self, Frame},
    measured::points_of,
    number,
    runs::valid_loads,
    series::{Mark, Series},
    words::several,
};
use results::{FolderError, Point, ResponseTimes, ResultReader};
use std::collections::BTreeMap;

/// Answers that must be slower than the last quantile shown: of fewer, it would be chance.
const BEYOND: f64 = 10.0;
/// Distance of the drawn quantiles, in decades of the share that is slower.
const STEP: f64 = 0.05;
const MARKED: [(&str, f64); 7] = [
    ("50 %", 0.5),
    ("90 %", 0.1),
    ("99 %", 0.01),
    ("99.9 %", 0.001),
    ("99.99 %", 1e-4),
    ("99.999 %", 1e-5),
    ("99.9999 %", 1e-6),
];

/// The spectrum at the load that most configurations have VALID points at, of these the highest.
pub(super) struct Spectrum {
    pub(super) load: String,
    /// Drawn twice, for wide and for narrow windows.
    pub(super) charts: [(&'static str, String); 2],
}

/// None where no response times were written down; an error where they cannot be read.
pub(super) fn spectrum(result: &ResultReader, names: &[&str]) -> Result<Option<Spectrum>, FolderError> {
    let mut loads: BTreeMap<u32, Vec<(usize, Vec<&Point>)>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        for (clients, runs) in valid_loads(&points_of(&result.points, name)) {
            loads.entry(clients).or_default().push((index, runs));
        }
    }
    let Some((clients, runs)) = loads.into_iter().max_by_key(|(clients, runs)| (runs.len(), *clients)) else {
        return Ok(None);
    };
    let mut series = Vec::new();
    for (index, runs) in runs {
        series.extend(line(names[index], index, &together(result, &runs)?));
    }
    let load = several(clients, "client");
    Ok((!series.is_empty()).then(|| Spectrum { charts: charts(&load, &series), load }))
}

/// The response times of all runs.
fn together(result: &ResultReader, runs: &[&Point]) -> Result<ResponseTimes, FolderError> {
    let mut all = ResponseTimes::default();
    for run in runs {
        if let Some(times) = result.response_times(run.sequence)? {
            all.add(&times);
        }
    }
    Ok(all)
}

fn charts(load: &str, series: &[Series]) -> [(&'static str, String); 2] {
    let most = series.iter().flat_map(|one| &one.marks).map(|mark| mark.x).fold(0.0, f64::max);
    let labels: Vec<String> = (MARKED[1..].iter().zip(1..))
        .take_while(|(_, place)| f64::from(*place) <= most + 0.5)
        .map(|((label, _), _)| (*label).to_owned())
        .collect();
    let draw = |id, size, named| {
        let frame = Frame {
            id,
            title: &format!("Response times by share of the answers, at {load}"),
            description: "The shares 50 %, 90 %, 99 % and so on have marks with their figures.",
            upwards: "response time, ms",
            across: "share of the answers that came within this time",
            size,
            logarithmic: true,
            named,
        };
        chart::plot_steps(&frame, series, &labels)
    };
    [
        ("wide", draw("spectrum", (960.0, 360.0), true)),
        ("narrow", draw("spectrum-narrow", (340.0, 300.0), false)),
    ]
}

/// A configuration's line; none of too few answers. The place of a quantile is how many decades of answers are slower: 1 for
/// 90 %, 2 for 99 %.
fn line(name: &str, index: usize, times: &ResponseTimes) -> Option<Series> {
    let end = (times.count() as f64 / BEYOND).log10();
    let at = |place: f64| (place, times.quantile_ms(1.0 - 10_f64.powf(-place)));
    let line: Vec<(f64, f64)> =
        (1..).map(|step| f64::from(step) * STEP).take_while(|place| *place <= end).map(at).collect();
    let marked = MARKED.iter().map(|(label, slower)| (*label, -slower.log10()));
    let marks = marked.filter(|(_, place)| *place <= end).map(|(label, place)| {
        let (x, y) = at(place);
        let text = format!("{name}: {label} within {} ms", number::figure(y));
        Mark { x, y, interval: None, valid: true, text }
    });
    let marks: Vec<Mark> = marks.collect();
    (!marks.is_empty()).then(|| Series { name: name.to_owned(), index, line, marks, runs: Vec::new() })
}
