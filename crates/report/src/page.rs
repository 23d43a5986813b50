//! The report as one self-contained HTML file: no script, no other file, no external address.
//!
//! It begins with the answer and ends with what the fewest readers need.

mod anchors;
mod charts;
mod choices;
mod hosts;
mod loads;
mod overload_cycles;
mod peaks;
mod points;
mod profiles;
mod record;
pub(crate) mod several;
mod spectrum;
mod start_up;
pub(crate) mod study;
mod tiers;

use crate::{
    audits::{self, DataRow},
    capacity::Capacities,
    chart,
    filter::Filter,
    finding::{Banner, Finding, Kind, Severity},
    grid::Grid,
    measured::{measured, points_of},
    number, open_loop, overload_cycle,
    series::{self, own_class},
    summary::{Summary, summed_up},
    words::{several, unbroken},
};
use askama::Template;
use charts::Legend;
use choices::Choices;
use hosts::HostRow;
pub(crate) use hosts::link;
use loads::LoadRows;
use overload_cycles::CycleView;
use peaks::{ComparisonRow, PeakRow};
use points::{InteractionTable, PointRow, Timelines};
use profiles::Profiled;
use record::{CodeRow, Fact, Recorded};
use results::{Manifest, Point, ResultReader};
use spectrum::Spectrum;
use start_up::StartRow;
use tiers::{Machine, Occasion, TierRow};

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    manifest: &'a Manifest,
    summary: &'a Summary,
    answer: String,
    reason: String,
    lede: String,
    banners: Vec<Banner>,
    /// Findings that belong to the answer: shown below it, and folded.
    caveats: (Vec<&'a Finding>, Vec<&'a Finding>),
    folded_title: String,
    notes: Vec<&'a Finding>,
    rejected: Vec<&'a Finding>,
    limitations: Vec<&'a Finding>,
    peaks: Vec<PeakRow<'a>>,
    /// True if statements per interaction are known for a peak.
    has_statements: bool,
    columns: usize,
    capacities: Option<Grid>,
    /// True if letters mark peaks that cannot be told apart.
    lettered: bool,
    comparisons: Vec<ComparisonRow<'a>>,
    overload_cycles: Vec<CycleView>,
    cycle_words: String,
    arrived_words: &'static str,
    legend: Vec<Legend<'a>>,
    /// The only load, if all was measured at one: `100 clients`.
    only_load: Option<String>,
    throughput_charts: [(&'static str, String); 2],
    /// The mark of an INVALID point, for the legend.
    crossed_out: (String, String),
    response_charts: Vec<String>,
    loads: Vec<LoadRows<'a>>,
    spectrum: Option<Spectrum>,
    /// The reason why response times are missing.
    spectrum_fault: Option<Finding>,
    filters: Vec<Filter>,
    /// Configurations that others may be held against, by their places.
    baselines: Vec<(usize, &'a str)>,
    /// The rules behind these choices.
    choices_css: String,
    names: Vec<&'a str>,
    anchors: Vec<String>,
    points: Vec<PointRow<'a>>,
    has_curves: bool,
    has_peaks: bool,
    /// True if tiers are known; those of an external site are not.
    has_tiers: bool,
    valid_title: String,
    invalid_title: String,
    roles: Vec<&'a str>,
    occasion: Occasion,
    machines: Vec<Machine<'a>>,
    tiers: Vec<TierRow<'a>>,
    counts_statements: bool,
    hosts: Vec<HostRow<'a>>,
    has_links: bool,
    blind: Vec<&'a str>,
    starts: Vec<StartRow<'a>>,
    /// The pages that were asked for first.
    first_pages: String,
    warm_up_cost: Option<String>,
    profiles: Vec<Profiled<'a>>,
    interactions: Vec<InteractionTable<'a>>,
    timelines: Vec<Timelines<'a>>,
    data: Vec<DataRow<'a>>,
    unsound: bool,
    code: Vec<CodeRow<'a>>,
    configurations: Vec<Recorded<'a>>,
    facts: Vec<Fact>,
    settings: Vec<(&'a str, &'a str)>,
    command: String,
    verb: String,
    folder: String,
    /// The measurement, for who cites the result.
    cited: String,
    /// The sum by which the result is known, shortened and whole; none without its list of sums.
    digest: Option<(String, String)>,
}

/// Findings shown below the answer; the others are folded, to keep the first table in view.
const MOST_CAVEATS: usize = 2;

/// The report as a complete HTML document, for use offline, on paper, in the dark, on a phone, by keyboard and by
/// screen reader.
pub fn html(result: &ResultReader) -> String {
    let (result, names) = &result.with_short_names();
    let summary = summed_up(result, names);
    let manifest = &result.manifest;
    let names: Vec<&str> = summary.configurations.iter().map(|row| row.name.as_str()).collect();
    let measured = measured(result);
    let roles = roles(measured);
    let used = tiers::used(&summary);
    let found = |severity| summary.findings_of(severity).collect::<Vec<&Finding>>();
    let mut caveats = found(Severity::Caveat);
    let folded = caveats.split_off(caveats.len().min(MOST_CAVEATS));
    let valid = measured.iter().filter(|point| point.verdict.valid).count();
    let has_curves = summary.overload_cycles.is_empty() && summary.arrived.is_none();
    let peaks = peaks::rows(&summary);
    let has_statements = peaks.iter().filter_map(|row| row.figures.as_ref()).any(|peak| peak.asked.is_some());
    let has_tiers = !roles.is_empty();
    let hosts = hosts::rows(result, &names, &used);
    let Choices { filters, baselines, css } = choices::choices(manifest, &summary);
    let (spectrum, spectrum_fault) = match spectrum::spectrum(result, &names) {
        Ok(spectrum) => (spectrum, None),
        Err(error) => (None, Some(Kind::UnreadableTimes(&error.to_string()).finding())),
    };
    let page = Page {
        manifest,
        answer: unbroken(&summary.answer),
        reason: unbroken(&summary.reason),
        lede: lede(result, summary.common.as_deref()),
        banners: summary.banners(),
        folded_title: format!("{} more", folded.len()),
        caveats: (caveats, folded),
        notes: found(Severity::Note),
        rejected: found(Severity::Rejected),
        limitations: found(Severity::Limitation),
        has_statements,
        columns: 9 + 2 * usize::from(has_tiers) + usize::from(has_statements),
        peaks,
        capacities: summary.capacities.as_ref().map(Capacities::grid),
        lettered: summary.configurations.iter().any(|row| !row.letters.is_empty()),
        comparisons: peaks::comparisons(&summary),
        overload_cycles: overload_cycles::views(&summary.overload_cycles),
        cycle_words: overload_cycle::meaning(),
        arrived_words: open_loop::MEANING,
        legend: charts::legend(&names),
        only_load: charts::only_load(result, &names).map(|clients| several(clients, "client")),
        throughput_charts: charts::throughput(result, &names),
        crossed_out: (series::small_shape(0, 8.0, 8.0), series::cross(8.0, 8.0)),
        response_charts: charts::response(result, &names),
        loads: loads::loads(result, &names),
        spectrum,
        spectrum_fault,
        filters,
        baselines,
        choices_css: css,
        anchors: anchors::anchors(&names),
        points: names.iter().flat_map(|name| points_of(measured, name)).map(points::row).collect(),
        has_curves,
        has_peaks: has_curves && summary.capacities.is_none(),
        has_tiers,
        valid_title: several(valid, "VALID point"),
        invalid_title: several(measured.len() - valid, "INVALID point"),
        occasion: tiers::occasion(&summary, &roles),
        machines: tiers::machines(&used, &roles),
        tiers: tiers::rows(&used, &roles),
        counts_statements: tiers::count_statements(&used),
        has_links: hosts.iter().any(|row| row.link.is_some()),
        hosts,
        blind: tiers::blind(&used),
        starts: start_up::rows(measured, &names),
        first_pages: start_up::first_pages(measured),
        warm_up_cost: start_up::curve(measured, &names),
        profiles: profiles::profiles(result, &names),
        interactions: points::interactions(&summary),
        timelines: points::timelines(result, &names, &roles),
        data: audits::rows(result),
        unsound: summary.configurations.iter().any(|row| !row.sound),
        code: record::code(manifest),
        configurations: record::configurations(manifest, &summary.configurations),
        facts: record::facts(manifest),
        settings: manifest
            .host
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        command: manifest.command.join(" "),
        verb: manifest.spec.verb.to_string(),
        folder: result.folder.display().to_string(),
        cited: format!("{}: {}", summary.title, names.join(", ")),
        digest: result.digest().map(|whole| (whole[..16].to_owned(), whole)),
        roles,
        names,
        summary: &summary,
    };
    chart::render(&page)
}

impl Page<'_> {
    /// The class by which all of a configuration can be hidden.
    fn own(&self, name: &str) -> String {
        self.place(name).map_or_else(String::new, own_class)
    }

    fn anchor(&self, name: &str) -> &str {
        self.place(name).map_or("", |place| &self.anchors[place])
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }
}

/// The charts of a page that stand alone, by name.
pub(crate) fn charts_of(result: &ResultReader) -> Vec<(String, String)> {
    let (result, names) = &result.with_short_names();
    let summary = summed_up(result, names);
    let names: Vec<&str> = summary.configurations.iter().map(|row| row.name.as_str()).collect();
    let mut charts = Vec::new();
    if summary.overload_cycles.is_empty() && summary.arrived.is_none() {
        let [(_, wide), _] = charts::throughput(result, &names);
        charts.push(("throughput".to_owned(), wide));
        let titles = ["response-p50", "response-p90", "response-p99"].map(str::to_owned);
        charts.extend(titles.into_iter().zip(charts::response(result, &names)));
    }
    if let Ok(Some(spectrum)) = spectrum::spectrum(result, &names) {
        let [(_, wide), _] = spectrum.charts;
        charts.push(("spectrum".to_owned(), wide));
    }
    let warm_up = start_up::curve(measured(result), &names);
    charts.extend(warm_up.map(|chart| ("warm-up".to_owned(), chart)));
    charts
}

/// Roles in the order in which their tiers start: from the data up.
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

fn lede(result: &ResultReader, common: Option<&str>) -> String {
    let manifest = &result.manifest;
    let took: Vec<f64> = result.arrivals.iter().map(|load| load.window_s).collect();
    let points = match took.len() {
        0 => {
            let points = several(result.points.len() + result.overload_steps.len(), "point");
            format!("{points} of {} s each", number::setting(manifest.spec.window_s))
        }
        count => format!("{} of {} s", several(count, "load"), number::span(&took, number::figure)),
    };
    format!(
        "{points}, measured on {} ({}) from {}.{}",
        manifest.host.cpu,
        several(manifest.host.cores, "core"),
        number::instant(&manifest.started),
        common.map_or_else(String::new, |common| format!(" {common}."))
    )
}
