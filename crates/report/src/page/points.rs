//! Figures of each point: a row, its timeline, and its interactions at peaks.

use crate::{
    finding::{Finding, Kind},
    measured::{measured, points_of},
    number,
    peak::Peak,
    runs::known,
    summary::Summary,
    timeline::{Tops, timeline},
    usage::cpu_ms,
    words::{checks, is_open, several},
};
use results::{Check, Extent, Point, Purpose, ResultReader, Series};
use stats::Interval;
use std::collections::BTreeMap;

/// A point in the table of all points and among the verdicts.
pub(super) struct PointRow<'a> {
    pub(super) point: &'a Point,
    pub(super) purpose: &'static str,
    /// Clients and purpose: `100 clients, peak`.
    pub(super) load: String,
    pub(super) begun: String,
    pub(super) clients: String,
    pub(super) throughput: String,
    pub(super) half_width: String,
    pub(super) times: [String; 4],
    pub(super) cpu_ms: String,
    pub(super) generator: String,
    pub(super) lateness: String,
    pub(super) errors: String,
    pub(super) error_kinds: String,
    pub(super) failing: String,
    pub(super) open: String,
    pub(super) checks: Vec<CheckRow<'a>>,
}

pub(super) struct CheckRow<'a> {
    pub(super) check: &'a Check,
    /// The verdict, in a word or two.
    pub(super) outcome: &'static str,
}

pub(super) struct InteractionTable<'a> {
    pub(super) name: &'a str,
    pub(super) clients: String,
    /// True if the specification limits response times.
    pub(super) has_limits: bool,
    pub(super) rows: Vec<InteractionRow>,
}

pub(super) struct InteractionRow {
    pub(super) name: String,
    pub(super) effect: String,
    /// Requests, their share, the expected share, refused, failed, mean, p50, p90, p99.
    pub(super) cells: [String; 9],
    /// The limit of the 90th percentile, and whether it is met.
    pub(super) limit: String,
}

pub(super) struct Timelines<'a> {
    pub(super) name: &'a str,
    /// Title and picture of each point.
    pub(super) charts: Vec<(String, String)>,
    pub(super) fault: Option<Finding>,
}

pub(super) fn row(point: &Point) -> PointRow<'_> {
    let times = &point.response;
    let kinds = point.errors.iter().filter(|(_, count)| **count > 0);
    PointRow {
        point,
        purpose: purpose(point.purpose),
        load: load_and_purpose(point),
        begun: number::instant(&point.started),
        clients: number::count(point.clients.into()),
        throughput: number::figure(point.throughput),
        half_width: point.throughput_half_width.map_or_else(String::new, |half_width| {
            number::half_width(Interval { mean: point.throughput, half_width })
        }),
        times: [times.mean_ms, times.p50_ms, times.p90_ms, times.p99_ms].map(known).map(number::figure),
        cpu_ms: number::figure(cpu_ms(point)),
        generator: number::figure(point.generator_cpu),
        lateness: number::figure(point.lateness_p99_ms),
        errors: number::percent(point.failed(), point.completed + point.refused + point.failed()),
        error_kinds: kinds
            .map(|(kind, count)| {
                let first = point.causes.get(kind).map(|cause| format!(" (first: {cause})"));
                let words = [explained(kind), first.as_deref().unwrap_or_default()].concat();
                format!("{kind} {}{words}", number::count(*count))
            })
            .collect::<Vec<_>>()
            .join(", "),
        failing: checks(point, |check| !check.passed).join(", "),
        open: checks(point, is_open).join(", "),
        checks: point
            .verdict
            .checks
            .iter()
            .map(|check| CheckRow { check, outcome: outcome(check) })
            .collect(),
    }
}

fn outcome(check: &Check) -> &'static str {
    match (check.passed, check.judged) {
        (false, _) => "no",
        (true, Extent::Whole) => "yes",
        (true, Extent::Part) => "yes, as far as judged",
        (true, Extent::Nothing) => "not judged",
    }
}

/// `100 clients`; of arrivals, `load of 100`; at a rate, the rate.
pub(super) fn load_of(point: &Point) -> String {
    match point.kind.series() {
        Series::Arrivals => format!("load of {}", number::count(point.clients.into())),
        _ if point.kind.label().is_some() => point.kind.to_string(),
        _ => several(point.clients, "client"),
    }
}

fn load_and_purpose(point: &Point) -> String {
    match point.kind.series() {
        // That says it all.
        Series::Arrivals => load_of(point),
        Series::OverloadCycle => format!("{}, overload cycle", load_of(point)),
        Series::Curve => format!("{}, {}", load_of(point), purpose(point.purpose)),
    }
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Listed => "listed",
        Purpose::Search => "search",
        Purpose::Confirm => "peak",
        Purpose::Profile => "profile",
    }
}

fn explained(kind: &str) -> &'static str {
    match kind {
        "keep-alive-race" => {
            " (sent while the server closed the idle connection; not repeated, because the server may have heeded it)"
        }
        _ => "",
    }
}

pub(super) fn interactions(summary: &Summary) -> Vec<InteractionTable<'_>> {
    let peaks =
        summary.configurations.iter().filter_map(|entry| Some((entry.name.as_str(), entry.peak.as_ref()?)));
    peaks.map(|(name, peak)| interaction_table(name, peak)).collect()
}

fn interaction_table<'a>(name: &'a str, peak: &Peak) -> InteractionTable<'a> {
    let requests = |interaction: &results::InteractionFigures| {
        interaction.completed + interaction.refused + interaction.failed
    };
    let all: u64 = peak.interactions.iter().map(requests).sum();
    let rows = peak.interactions.iter().map(|interaction| {
        let times = &interaction.response;
        let [mean, p50, p90, p99] =
            [times.mean_ms, times.p50_ms, times.p90_ms, times.p99_ms].map(known).map(number::figure);
        let visited = number::share(requests(interaction) as f64 / all.max(1) as f64);
        let expected = number::share(interaction.expected_share);
        let [sent, refused, failed] =
            [requests(interaction), interaction.refused, interaction.failed].map(number::count);
        InteractionRow {
            name: interaction.name.clone(),
            effect: interaction.effect.clone(),
            cells: [sent, visited, expected, refused, failed, mean, p50, p90, p99],
            limit: interaction.response_limit_ms.map_or_else(String::new, |limit| {
                let met = if known(times.p90_ms) <= limit { "met" } else { "not met" };
                format!("{} {met}", number::figure(limit))
            }),
        }
    });
    let has_limits = peak.interactions.iter().any(|interaction| interaction.response_limit_ms.is_some());
    let clients = several(peak.clients, "client");
    InteractionTable { name, clients, has_limits, rows: rows.collect() }
}

pub(super) fn timelines<'a>(result: &ResultReader, names: &[&'a str], roles: &[&str]) -> Vec<Timelines<'a>> {
    let all = measured(result);
    let of_load = |clients| Tops::over(all.iter().filter(move |point| point.clients == clients));
    let tops: BTreeMap<u32, Tops> = all.iter().map(|point| (point.clients, of_load(point.clients))).collect();
    let one = |(index, name): (usize, &&'a str)| {
        let points = points_of(all, name).into_iter().filter(|point| !point.timeline.is_empty());
        let mut fault = None;
        let charts = points.map(|point| {
            let samples = result.samples(point.sequence).unwrap_or_else(|error| {
                fault = Some(Kind::UnreadableSamples(&error.to_string()).finding());
                Vec::new()
            });
            let invalid = if point.verdict.valid { "" } else { ", INVALID" };
            let title = format!("{}, run {}{invalid}", load_and_purpose(point), point.repetition);
            let tops = tops[&point.clients];
            let drawn = timeline(&format!("{name}, {title}"), index, (point, &samples), tops, roles);
            (title, drawn)
        });
        let charts = charts.collect();
        Timelines { name, charts, fault }
    };
    names.iter().enumerate().map(one).collect()
}
