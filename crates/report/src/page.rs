//! The report as one self-contained HTML file: no script, no other file, no address of another site.
//!
//! It begins with the answer and goes on from what most people want to know to what few do.

mod charts;
mod hosts;
mod overload_cycles;
mod peaks;
mod points;
mod profiles;
mod record;
mod same_load;
pub(crate) mod study;
mod tiers;

use crate::{
    Summary, chart,
    data_integrity::{self, DataRow},
    limitations::limits,
    number, open_loop, overload_cycle,
    summary::{self, points_of, summary},
};
use askama::Template;
use charts::Legend;
use hosts::HostRow;
use overload_cycles::SweepView;
use peaks::{ContestRow, PeakRow};
use points::{InteractionTable, PointRow, Timelines};
use profiles::Profiled;
use record::{CodeRow, Fact};
use results::{Manifest, Point, ResultReader};
use same_load::EqualLoad;
use tiers::{Machine, Occasion, TierRow};

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    manifest: &'a Manifest,
    summary: &'a Summary,
    answer: String,
    reason: String,
    lede: String,
    peaks: Vec<PeakRow<'a>>,
    /// Whether letters tell which peaks cannot be told apart.
    lettered: bool,
    contests: Vec<ContestRow<'a>>,
    overload_cycles: Vec<SweepView>,
    sweep_words: String,
    arrived_words: &'static str,
    legend: Vec<Legend<'a>>,
    throughput_charts: [(&'static str, String); 2],
    /// The mark of an INVALID point, for the legend.
    crossed_out: (String, String),
    response_charts: Vec<String>,
    equal_loads: Vec<EqualLoad<'a>>,
    points: Vec<PointRow<'a>>,
    /// Whether points belong to curves, which have peaks.
    has_curves: bool,
    valid_points: usize,
    roles: Vec<&'a str>,
    occasion: Occasion,
    machines: Vec<Machine<'a>>,
    tiers: Vec<TierRow<'a>>,
    hosts: Vec<HostRow<'a>>,
    blind: Vec<&'a str>,
    profiles: Vec<Profiled<'a>>,
    interactions: Vec<InteractionTable<'a>>,
    timelines: Vec<Timelines<'a>>,
    data: Vec<DataRow<'a>>,
    /// Whether an audit has found something wrong.
    unsound: bool,
    code: Vec<CodeRow<'a>>,
    facts: Vec<Fact>,
    settings: Vec<(&'a str, &'a str)>,
    command: String,
    rerun: String,
    limits: Vec<String>,
}

/// The report of a result: a complete HTML document that works offline, on paper, in the dark, on a phone, by keyboard
/// and read aloud.
pub fn html(result: &ResultReader) -> String {
    let summary = summary(result);
    let manifest = &result.manifest;
    let names: Vec<&str> = summary.summaries.iter().map(|row| row.name.as_str()).collect();
    let measured = summary::measured(result);
    let roles = roles(measured);
    let used = tiers::used(&summary);
    let page = Page {
        manifest,
        answer: unbroken(&summary.answer),
        reason: unbroken(&summary.reason),
        lede: lede(result),
        peaks: peaks::rows(&summary),
        lettered: summary.summaries.iter().any(|row| !row.letters.is_empty()),
        contests: peaks::contests(&summary),
        overload_cycles: overload_cycles::overload_cycles(&summary.overload_cycles),
        sweep_words: overload_cycle::meaning(),
        arrived_words: open_loop::MEANING,
        legend: charts::legend(&names),
        throughput_charts: charts::throughput(result, &names),
        crossed_out: (chart::small_shape(0, 8.0, 8.0), chart::cross(8.0, 8.0)),
        response_charts: charts::response(result, &names),
        equal_loads: same_load::loads(result, &names),
        points: names.iter().flat_map(|name| points_of(measured, name)).map(points::row).collect(),
        has_curves: summary.overload_cycles.is_empty() && summary.arrived.is_none(),
        valid_points: measured.iter().filter(|point| point.verdict.valid).count(),
        occasion: tiers::occasion(&summary),
        machines: tiers::machines(&used, &roles),
        tiers: tiers::rows(&used, &roles),
        hosts: hosts::rows(result, &names, &used),
        blind: tiers::blind(&used),
        profiles: profiles::profiles(result, &names),
        interactions: points::interactions(&summary),
        timelines: points::timelines(result, &names, &roles),
        data: data_integrity::rows(result),
        unsound: summary.summaries.iter().any(|row| !row.sound),
        code: record::code(manifest),
        facts: record::facts(manifest),
        settings: manifest
            .host
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        command: manifest.command.join(" "),
        rerun: manifest.rerun.join(" "),
        limits: limits(result),
        roles,
        summary: &summary,
    };
    chart::render(&page)
}

/// A sentence in which no line breaks before or after a ±.
fn unbroken(sentence: &str) -> String {
    sentence.replace(" ± ", "\u{a0}±\u{a0}")
}

/// All roles, in the order in which their tiers start: from the data up.
fn roles(points: &[Point]) -> Vec<&str> {
    let mut roles: Vec<&str> = Vec::new();
    for point in points {
        for tier in &point.tiers {
            if !roles.contains(&tier.role.as_str()) {
                roles.push(&tier.role);
            }
        }
    }
    roles
}

fn lede(result: &ResultReader) -> String {
    let manifest = &result.manifest;
    let several = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    // Loads whose users arrive last as long as they must.
    let took: Vec<f64> = result.arrived.iter().map(|load| load.window_s).collect();
    let points = match took.len() {
        0 => {
            let points = several(result.points.len() + result.swept.len(), "point");
            format!("{points} of {} s each", number::setting(manifest.window_s))
        }
        count => format!("{}, over after {} s", several(count, "load"), number::span(&took, number::figure)),
    };
    format!(
        "{points}, measured on {} ({} cores) from {}.",
        manifest.host.cpu,
        manifest.host.cores,
        number::instant(&manifest.started),
    )
}
