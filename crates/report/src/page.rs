//! The report as one self-contained HTML file: no script, no other file, no address of another site.

use crate::{
    Peak, Standing, Summary, chart,
    chart::{Frame, Mark, Series},
    data::{self, DataRow},
    limits::limits,
    number, summary,
    summary::{mean_throughput, valid_loads},
};
use askama::Template;
use results::{Manifest, Point, ResultReader};

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    manifest: &'a Manifest,
    summary: &'a Summary,
    answer: String,
    lede: String,
    peaks: Vec<PeakRow<'a>>,
    legend: Vec<Legend<'a>>,
    throughput_charts: [(&'static str, String); 2],
    response_charts: Vec<String>,
    points: Vec<PointRow<'a>>,
    cpu: CpuTable<'a>,
    interactions: Vec<InteractionTable<'a>>,
    timelines: Vec<Timelines<'a>>,
    data: Vec<DataRow<'a>>,
    facts: Vec<(&'static str, String)>,
    command: String,
    limits: Vec<String>,
}

struct PeakRow<'a> {
    standing: &'a Standing,
    class: String,
    figures: Option<PeakFigures>,
}

/// Texts of a peak.
struct PeakFigures {
    throughput: String,
    half_width: Option<String>,
    per_minute: String,
    clients: String,
    runs: usize,
    p50: String,
    p90: String,
    p99: String,
    cores: String,
    cores_by_tier: Vec<String>,
    cpu_ms: String,
    cpu_ms_by_tier: Vec<String>,
    errors: String,
    refused: String,
    passage: &'static str,
}

struct Legend<'a> {
    name: &'a str,
    class: String,
    shape: String,
}

/// A point in the table of all points and among the verdicts.
struct PointRow<'a> {
    point: &'a Point,
    begun: String,
    clients: String,
    throughput: String,
    half_width: String,
    times: [String; 4],
    lateness: String,
    errors: String,
    error_kinds: String,
    failing: String,
}

struct CpuTable<'a> {
    roles: Vec<&'a str>,
    rows: Vec<CpuRow<'a>>,
}

struct CpuRow<'a> {
    name: &'a str,
    cells: Vec<String>,
    cores: String,
    cpu_ms: String,
    description: String,
    segments: Vec<Segment>,
}

/// A tier's part of a bar.
struct Segment {
    tier: usize,
    percent: String,
    label: String,
}

struct InteractionTable<'a> {
    name: &'a str,
    clients: String,
    rows: Vec<InteractionRow>,
}

struct InteractionRow {
    name: String,
    effect: String,
    /// Completed, share of all, refused, failed, mean, p50, p90, p99.
    cells: [String; 8],
}

struct Timelines<'a> {
    name: &'a str,
    charts: Vec<(String, String)>,
}

/// The report of a result: a complete HTML document that works offline, on paper, in the dark, on a phone, by keyboard
/// and read aloud.
pub fn html(result: &ResultReader) -> String {
    let summary = summary(result);
    let manifest = &result.manifest;
    let names: Vec<&str> = summary.standings.iter().map(|standing| standing.name.as_str()).collect();
    let page = Page {
        manifest,
        answer: summary.answer.replace(" ± ", "\u{a0}±\u{a0}"),
        lede: lede(manifest, result.points.len()),
        peaks: summary
            .standings
            .iter()
            .enumerate()
            .map(|(index, standing)| peak_row(index, standing))
            .collect(),
        legend: names.iter().enumerate().map(|(index, name)| legend(index, name)).collect(),
        throughput_charts: throughput_charts(result, &names),
        response_charts: response_charts(result, &names),
        points: names.iter().flat_map(|name| points_of(result, name)).map(point_row).collect(),
        cpu: cpu_table(&summary),
        interactions: peaks(&summary)
            .map(|(standing, peak)| interaction_table(&standing.name, peak))
            .collect(),
        timelines: names.iter().enumerate().map(|(index, name)| timelines(result, index, name)).collect(),
        data: data::rows(names.iter().flat_map(|name| points_of(result, name))),
        facts: facts(manifest),
        command: manifest.command.join(" "),
        limits: limits(result),
        summary: &summary,
    };
    page.render().expect("a template over strings renders")
}

fn peaks(summary: &Summary) -> impl Iterator<Item = (&Standing, &Peak)> {
    summary.standings.iter().filter_map(|standing| Some((standing, standing.peak.as_ref()?)))
}

fn points_of<'a>(result: &'a ResultReader, name: &str) -> Vec<&'a Point> {
    let mut points: Vec<&Point> = result.points.iter().filter(|point| point.configuration == name).collect();
    points.sort_by_key(|point| (point.clients, point.repetition));
    points
}

fn lede(manifest: &Manifest, points: usize) -> String {
    let plural = if points == 1 { "point" } else { "points" };
    format!(
        "{points} {plural} of {} s each, measured on {} ({} cores) from {}.",
        number::setting(manifest.window_s),
        manifest.host.cpu,
        manifest.host.cores,
        number::instant(&manifest.started),
    )
}

fn peak_row(index: usize, standing: &Standing) -> PeakRow<'_> {
    let by_tier = |peak: &Peak, value: fn(&crate::TierShare) -> f64| {
        let tiers = peak.tiers.iter().map(|tier| format!("{} {}", tier.role, number::figure(value(tier))));
        tiers.collect::<Vec<_>>()
    };
    let figures = standing.peak.as_ref().map(|peak| PeakFigures {
        throughput: number::figure(peak.throughput),
        half_width: peak.interval.map(number::half_width),
        per_minute: number::figure(60.0 * peak.throughput),
        clients: number::count(peak.clients.into()),
        runs: peak.runs,
        p50: number::figure(peak.response.p50_ms),
        p90: number::figure(peak.response.p90_ms),
        p99: number::figure(peak.response.p99_ms),
        cores: number::figure(peak.cores()),
        cores_by_tier: by_tier(peak, |tier| tier.cores),
        cpu_ms: number::figure(peak.cpu_ms()),
        cpu_ms_by_tier: by_tier(peak, |tier| tier.cpu_ms),
        errors: number::percent(peak.failed, peak.attempted()),
        refused: number::percent(peak.refused, peak.attempted()),
        passage: peak.passage.label(),
    });
    PeakRow { standing, class: chart::class(index), figures }
}

/// A figure of a point that is drawn.
type Measure = fn(&Point) -> f64;

fn legend(index: usize, name: &str) -> Legend<'_> {
    Legend { name, class: chart::class(index), shape: chart::shape(index, 14.0, 8.0) }
}

fn series(result: &ResultReader, names: &[&str], value: Measure, interval: bool) -> Vec<Series> {
    let one = |(index, name): (usize, &&str)| {
        let points = points_of(result, name);
        let mean = |runs: &[&Point]| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64;
        let line =
            valid_loads(&points).iter().map(|(clients, runs)| (f64::from(*clients), mean(runs))).collect();
        let marks = points.iter().map(|point| Mark {
            x: point.clients.into(),
            y: value(point),
            half_width: point.throughput_half_width.filter(|_| interval),
            valid: point.verdict.valid,
            text: format!(
                "{name}, {} clients, run {}: {}{}",
                number::count(point.clients.into()),
                point.repetition,
                number::figure(value(point)),
                if point.verdict.valid { "" } else { " (INVALID)" },
            ),
        });
        Series { name: (*name).to_owned(), index, line, marks: marks.collect() }
    };
    names.iter().enumerate().map(one).collect()
}

/// The same twice, for wide windows and for narrow ones: text and marks of a chart that shrinks can't be read.
fn throughput_charts(result: &ResultReader, names: &[&str]) -> [(&'static str, String); 2] {
    let described = names.iter().filter_map(|name| {
        let points = points_of(result, name);
        let loads = valid_loads(&points);
        let steps = loads.iter().map(|(clients, runs)| {
            format!(
                "{} at {} clients",
                number::figure(mean_throughput(runs)),
                number::count((*clients).into())
            )
        });
        let steps: Vec<String> = steps.collect();
        (!steps.is_empty()).then(|| format!("{name}: {}.", steps.join(", ")))
    });
    let description = described.collect::<Vec<_>>().join(" ");
    let series = series(result, names, |point| point.throughput, true);
    let draw = |id, size| {
        let frame = Frame {
            id,
            title: "Interactions per second over clients",
            description: &description,
            unit: "interactions per second",
            size,
            logarithmic: false,
        };
        chart::plot(&frame, &series)
    };
    [("wide", draw("throughput", (840.0, 400.0))), ("narrow", draw("throughput-narrow", (340.0, 300.0)))]
}

fn response_charts(result: &ResultReader, names: &[&str]) -> Vec<String> {
    let draw = |id: &str, percentile: &str, unit: &str, value: Measure| {
        let frame = Frame {
            id,
            title: &format!("Response time over clients, {percentile}"),
            description: "The figures are in the table of all points.",
            unit,
            size: (320.0, 270.0),
            logarithmic: true,
        };
        chart::plot(&frame, &series(result, names, value, false))
    };
    vec![
        draw("median", "median", "p50, ms", |point| point.response.p50_ms),
        draw("percentile-90", "90th percentile", "p90, ms", |point| point.response.p90_ms),
        draw("percentile-99", "99th percentile", "p99, ms", |point| point.response.p99_ms),
    ]
}

fn point_row(point: &Point) -> PointRow<'_> {
    let times = &point.response;
    let kinds = point.errors.iter().filter(|(_, count)| **count > 0);
    let failing = point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str());
    PointRow {
        point,
        begun: number::instant(&point.started),
        clients: number::count(point.clients.into()),
        throughput: number::figure(point.throughput),
        half_width: point.throughput_half_width.map_or_else(String::new, |half_width| {
            number::half_width(stats::Interval { mean: point.throughput, half_width })
        }),
        times: [times.mean_ms, times.p50_ms, times.p90_ms, times.p99_ms].map(number::figure),
        lateness: number::figure(point.lateness_p99_ms),
        errors: number::percent(point.failed(), point.completed + point.refused + point.failed()),
        error_kinds: kinds
            .map(|(kind, count)| format!("{kind} {}{}", number::count(*count), explained(kind)))
            .collect::<Vec<_>>()
            .join(", "),
        failing: failing.collect::<Vec<_>>().join(", "),
    }
}

/// What the name of a kind of error doesn't say by itself.
fn explained(kind: &str) -> &'static str {
    match kind {
        "keep-alive-race" => {
            " (sent at the very moment when the server closed the idle connection; not sent again, because nobody \
             knows whether it was heeded)"
        }
        _ => "",
    }
}

fn cpu_table(summary: &Summary) -> CpuTable<'_> {
    let mut roles: Vec<&str> = Vec::new();
    for tier in peaks(summary).flat_map(|(_, peak)| &peak.tiers) {
        if !roles.contains(&tier.role.as_str()) {
            roles.push(&tier.role);
        }
    }
    let most = peaks(summary).map(|(_, peak)| peak.cores()).fold(f64::MIN_POSITIVE, f64::max);
    let rows = peaks(summary).map(|(standing, peak)| cpu_row(&standing.name, peak, &roles, most)).collect();
    CpuTable { roles, rows }
}

/// One configuration's bar; `most` cores fill it.
fn cpu_row<'a>(name: &'a str, peak: &Peak, roles: &[&str], most: f64) -> CpuRow<'a> {
    let cores =
        |role: &str| peak.tiers.iter().filter(|tier| tier.role == role).map(|tier| tier.cores).sum::<f64>();
    let shares: Vec<(usize, &str, f64)> =
        roles.iter().enumerate().map(|(tier, role)| (tier, *role, cores(role))).collect();
    let segment = |(tier, role, cores): &(usize, &str, f64)| {
        let percent = 100.0 * cores / most;
        Segment {
            tier: tier % 6,
            percent: format!("{percent:.2}"),
            label: if percent > 9.0 { (*role).to_owned() } else { String::new() },
        }
    };
    let described = shares.iter().map(|(_, role, cores)| format!("{role} {} cores", number::figure(*cores)));
    CpuRow {
        name,
        cells: shares.iter().map(|(_, _, cores)| number::figure(*cores)).collect(),
        cores: number::figure(peak.cores()),
        cpu_ms: number::figure(peak.cpu_ms()),
        description: described.collect::<Vec<_>>().join(", "),
        segments: shares.iter().filter(|(_, _, cores)| *cores > 0.0).map(segment).collect(),
    }
}

fn interaction_table<'a>(name: &'a str, peak: &Peak) -> InteractionTable<'a> {
    let all: u64 = peak.interactions.iter().map(|interaction| interaction.completed).sum();
    let rows = peak.interactions.iter().map(|interaction| {
        let times = &interaction.response;
        let [mean, p50, p90, p99] =
            [times.mean_ms, times.p50_ms, times.p90_ms, times.p99_ms].map(number::figure);
        let share = number::percent(interaction.completed, all);
        let [completed, refused, failed] =
            [interaction.completed, interaction.refused, interaction.failed].map(number::count);
        InteractionRow {
            name: interaction.name.clone(),
            effect: interaction.effect.clone(),
            cells: [completed, share, refused, failed, mean, p50, p90, p99],
        }
    });
    InteractionTable { name, clients: number::count(peak.clients.into()), rows: rows.collect() }
}

fn timelines<'a>(result: &ResultReader, index: usize, name: &'a str) -> Timelines<'a> {
    let charts =
        points_of(result, name).into_iter().filter(|point| !point.timeline.is_empty()).map(|point| {
            let invalid = if point.verdict.valid { "" } else { ", INVALID" };
            let clients = number::count(point.clients.into());
            let title = format!("{clients} clients, run {}{invalid}", point.repetition);
            let drawn = chart::timeline(&format!("{name}, {title}"), index, &point.timeline, point.window_s);
            (title, drawn)
        });
    Timelines { name, charts: charts.collect() }
}

fn facts(manifest: &Manifest) -> Vec<(&'static str, String)> {
    let seconds = |seconds: f64| format!("{} s", number::setting(seconds));
    let host = &manifest.host;
    let ended = match &manifest.ending {
        Some(ending) => number::instant(&ending.at),
        None => "not recorded".to_owned(),
    };
    vec![
        ("Laboratory", format!("tierbench {}", manifest.tierbench)),
        ("Started", number::instant(&manifest.started)),
        ("Ended", ended),
        ("Seed", manifest.seed.to_string()),
        ("Scale of the data", manifest.scale.to_string()),
        ("Time scale", manifest.time_scale.to_string()),
        ("Mean think time", seconds(manifest.think_time_s)),
        ("Mean session length", seconds(manifest.session_length_s)),
        ("Ramp", seconds(manifest.ramp_s)),
        ("Window", seconds(manifest.window_s)),
        ("Repetitions", manifest.repetitions.to_string()),
        ("System", format!("{}, kernel {}", host.system, host.kernel)),
        ("Processor", format!("{}, {} cores", host.cpu, host.cores)),
        ("Memory", number::bytes(host.memory_bytes)),
        ("Schema", manifest.schema_version.to_string()),
    ]
}
