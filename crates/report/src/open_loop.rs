//! Loads of arriving clients: arrivals, service, inequality among clients, and saturated resources.
//!
//! They have no steady state, hence no curve and no peak. Usage is reported for a configuration's largest VALID load.

use crate::{
    bottleneck::Bottleneck,
    grid::{Column, Grid},
    measured::{names, points_of},
    number,
    runs::known,
    usage::{Usage, bottleneck_over, usage},
    words::{agreeing, enumerate, several, several_of},
};
use results::{ArrivalFigures, ArrivalsEnd, ConcurrencyFigures, Point, ResultReader, Sample};

#[derive(Debug, Clone)]
pub struct Arrived {
    /// The load model with its explanation.
    pub title: String,
    /// A sentence or two per configuration.
    pub sentences: Vec<String>,
    /// A row per load; where clients stay, response times by concurrency too.
    pub tables: Vec<Grid>,
    pub largest: Vec<Largest>,
}

#[derive(Debug, Clone)]
pub struct Largest {
    pub configuration: String,
    pub clients: u32,
    /// Usage of its VALID runs, over their whole length.
    pub usage: Usage,
    /// Limiting resource; where clients stay, that at the end, when concurrency is highest.
    pub bottleneck: Bottleneck,
    /// True if the bottleneck is about the end alone.
    pub is_at_the_end: bool,
}

impl Arrived {
    pub(crate) fn limits(&self) -> Vec<(&str, &Bottleneck)> {
        self.largest.iter().map(|one| (one.configuration.as_str(), &one.bottleneck)).collect()
    }

    /// Bottlenecks with their evidence; empty where the summary's reason has all of it.
    pub fn limits_in_full(&self) -> Vec<String> {
        match self.largest.as_slice() {
            [one] if !one.is_at_the_end => Vec::new(),
            several => several.iter().map(Largest::sentence).collect(),
        }
    }
}

impl Largest {
    pub fn sentence(&self) -> String {
        let end = if self.is_at_the_end { ", in its last tenth" } else { "" };
        let clients = number::count(self.clients.into());
        format!("{}, load of {clients}{end}: {}.", self.configuration, self.bottleneck.sentence())
    }
}

const LOADS: [Column; 13] = [
    Column::text("configuration"),
    Column::figure("load"),
    Column::figure("run"),
    Column::figure("came"),
    Column::figure("took s"),
    Column::text("ended"),
    Column::figure("per s"),
    Column::figure("kB/s"),
    Column::figure("p50 ms"),
    Column::figure("p99 ms"),
    Column::figure("errors"),
    Column::figure("p90/p10"),
    Column::text("verdict"),
];

const CONCURRENCIES: [Column; 6] = [
    Column::text("configuration"),
    Column::text("load, run"),
    Column::figure("at once"),
    Column::figure("requests"),
    Column::figure("mean ms"),
    Column::figure("deviation ms"),
];

pub(crate) const MEANING: &str = "Came: all clients that arrived. Ended: all gone, once every client had come and gone; \
                                  timeout, when a request first timed out; time up, at the time limit. p90/p10: mean waiting \
                                  of the slowest tenth of clients over that of the fastest tenth, in the later half of the load.";

const MOST_CONCURRENCIES: usize = 21;
/// Fewer requests give no mean at a concurrency.
const FEW_REQUESTS: u64 = 10;
/// The end of a load: this share of it …
const END: f64 = 0.1;
/// … and at least this many seconds.
const SHORTEST_END_S: f64 = 3.0;

pub(crate) fn arrived(result: &ResultReader) -> Option<Arrived> {
    let model = &result.manifest.spec.loads.arrivals()?.model;
    let points = &result.arrivals;
    if points.is_empty() {
        return None;
    }
    let names = names(result);
    let ordered: Vec<&Point> = names.iter().flat_map(|name| points_of(points, name)).collect();
    let groups = groups(&ordered);
    let of = |name: &str| groups.iter().filter(|group| group.configuration == name).collect::<Vec<_>>();
    Some(Arrived {
        title: result
            .manifest
            .load_model
            .as_ref()
            .map_or_else(|| model.clone(), |title| format!("{model}: {title}")),
        sentences: names.iter().flat_map(|name| sentences(name, &of(name))).collect(),
        tables: tables(&ordered),
        largest: names.iter().filter_map(|name| largest(result, &of(name))).collect(),
    })
}

struct Group<'a> {
    configuration: &'a str,
    clients: u32,
    runs: Vec<&'a Point>,
}

impl<'a> Group<'a> {
    fn valid(&self) -> Vec<&'a Point> {
        self.runs.iter().filter(|run| run.verdict.valid).copied().collect()
    }
}

fn groups<'a>(runs: &[&'a Point]) -> Vec<Group<'a>> {
    let same = |one: &&Point, other: &&Point| {
        one.configuration == other.configuration && one.clients == other.clients
    };
    let group = |runs: &[&'a Point]| Group {
        configuration: &runs[0].configuration,
        clients: runs[0].clients,
        runs: runs.to_vec(),
    };
    runs.chunk_by(same).map(group).collect()
}

fn sentences(name: &str, groups: &[&Group<'_>]) -> Vec<String> {
    let (mut gone, mut sentences, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups {
        let valid = group.valid();
        match ended(&valid) {
            Some(ArrivalsEnd::AllGone) => gone.push((group.clients, valid)),
            Some(_) => sentences.push(stayed(name, &valid)),
            None => without.push(number::count(group.clients.into())),
        }
    }
    if !gone.is_empty() {
        sentences.push(went(name, &gone));
    }
    if !without.is_empty() {
        let loads = agreeing(without.len(), "load", "loads");
        sentences.push(format!(
            "{name} has no VALID run of the {loads} of {}.",
            several_of(&enumerate(&without), "client")
        ));
    }
    sentences
}

fn ended(runs: &[&Point]) -> Option<ArrivalsEnd> {
    runs.iter().find_map(|run| Some(run.arrivals.as_ref()?.ended))
}

fn stayed(name: &str, runs: &[&Point]) -> String {
    let over = |figure: fn(&Point, &ArrivalFigures) -> Option<f64>| range(runs, figure);
    let traffic = over(|run, _| Some(traffic(run)));
    let took = over(|run, _| Some(run.window_s));
    if ended(runs) == Some(ArrivalsEnd::Unanswered) {
        let users = several_of(&counts(runs, |_, figures| Some(figures.users.into())), "client");
        let timeout =
            runs[0].timeout_s.map_or_else(String::new, |s| format!(" (timeout {} s)", number::setting(s)));
        return format!(
            "{name}: the first request timed out after {took} s{timeout}, when {users} had come. Until then it sent \
             {traffic} kB/s."
        );
    }
    let first = over(|_, figures| Some(figures.by_concurrency.first()?.mean_ms));
    let last = over(|_, figures| Some(highest_concurrency(figures)?.mean_ms));
    let most = counts(runs, |_, figures| Some(highest_concurrency(figures)?.there.into()));
    format!(
        "{name}: the mean response time was {first} ms for the first client and {last} ms with {most} at once. It sent \
         {traffic} kB/s until the time limit of {took} s."
    )
}

/// The highest concurrency with more than a few requests, else the highest.
fn highest_concurrency(figures: &ArrivalFigures) -> Option<&ConcurrencyFigures> {
    let by_concurrency = &figures.by_concurrency;
    by_concurrency.iter().rfind(|one| one.completed >= FEW_REQUESTS).or(by_concurrency.last())
}

/// Results for clients who make few requests and leave, over all loads with their runs.
fn went(name: &str, loads: &[(u32, Vec<&Point>)]) -> String {
    let runs: Vec<&Point> = loads.iter().flat_map(|(_, runs)| runs).copied().collect();
    let failed: u64 = runs.iter().map(|run| run.failed()).sum();
    let all = failed + runs.iter().map(|run| run.completed + run.refused).sum::<u64>();
    let took = range(&runs, |run, _| Some(run.window_s));
    let clients =
        |load: Option<&(u32, Vec<&Point>)>| number::count(load.map_or(0, |(clients, _)| *clients).into());
    let largest = loads.iter().max_by_key(|(clients, _)| *clients);
    let most = clients(largest);
    let (asked, there) = match loads {
        [_] => (format!("load of {most}"), String::new()),
        _ => {
            let least = clients(loads.iter().min_by_key(|(clients, _)| *clients));
            (format!("loads of {least} to {most}"), format!(" of the load of {most}"))
        }
    };
    let unfairness = largest.map_or_else(String::new, |(_, runs)| {
        range(runs, |_, figures| Some(figures.unfairness?.p90_over_p10()))
    });
    let unfairness = match unfairness.as_str() {
        "" => "Too few clients were answered to compare the slowest tenth with the fastest.".to_owned(),
        times => {
            format!("The slowest tenth of clients{there} waited {times} times as long as the fastest tenth.")
        }
    };
    format!(
        "{name}, {asked}: {} of {} failed. {unfairness} All clients were gone after {took} s.",
        number::count(failed),
        several(all, "request")
    )
}

fn range(runs: &[&Point], figure: fn(&Point, &ArrivalFigures) -> Option<f64>) -> String {
    number::span(&of_runs(runs, figure), number::figure)
}

fn counts(runs: &[&Point], count: fn(&Point, &ArrivalFigures) -> Option<f64>) -> String {
    number::span(&of_runs(runs, count), |count| number::count(count as u64))
}

fn of_runs(runs: &[&Point], figure: fn(&Point, &ArrivalFigures) -> Option<f64>) -> Vec<f64> {
    runs.iter().filter_map(|run| figure(run, run.arrivals.as_ref()?)).collect()
}

fn traffic(point: &Point) -> f64 {
    if point.window_s > 0.0 { point.bytes_received as f64 / 1e3 / point.window_s } else { 0.0 }
}

fn tables(points: &[&Point]) -> Vec<Grid> {
    let by_concurrency: Vec<Vec<String>> = points.iter().flat_map(|point| by_concurrency(point)).collect();
    let loads = Grid {
        title: "Loads",
        caption: "Each load.",
        columns: &LOADS,
        rows: points.iter().map(|point| row(point)).collect(),
    };
    let by_concurrency = (!by_concurrency.is_empty()).then_some(Grid {
        title: "Response times by concurrency",
        caption: "Clients that were there at once, the one that asked included. Mean and standard deviation of its response time.",
        columns: &CONCURRENCIES,
        rows: by_concurrency,
    });
    [loads].into_iter().chain(by_concurrency).collect()
}

fn row(point: &Point) -> Vec<String> {
    let figures = point.arrivals.as_ref();
    let ended = figures.map_or("", |figures| match figures.ended {
        ArrivalsEnd::Unanswered => "timeout",
        ArrivalsEnd::AllGone => "all gone",
        ArrivalsEnd::Over => "time up",
    });
    let unfairness = figures.and_then(|figures| figures.unfairness);
    vec![
        point.configuration.clone(),
        number::count(point.clients.into()),
        point.repetition.to_string(),
        figures.map_or_else(String::new, |figures| number::count(figures.users.into())),
        number::figure(point.window_s),
        ended.to_owned(),
        number::figure(point.throughput),
        number::figure(traffic(point)),
        number::figure(known(point.response.p50_ms)),
        number::figure(known(point.response.p99_ms)),
        number::count(point.failed()),
        unfairness.map_or_else(String::new, |unfairness| number::figure(unfairness.p90_over_p10())),
        // The verdicts list the failed checks.
        if point.verdict.valid { "VALID" } else { "INVALID" }.to_owned(),
    ]
}

/// Evenly spaced concurrencies, including first and last.
fn by_concurrency(point: &Point) -> Vec<Vec<String>> {
    let Some(figures) = point.arrivals.as_ref().filter(|figures| figures.ended != ArrivalsEnd::AllGone)
    else {
        return Vec::new();
    };
    let by_concurrency = &figures.by_concurrency;
    let shown = by_concurrency.len().min(MOST_CONCURRENCIES);
    let row = |index: usize| {
        let one = &by_concurrency[index * (by_concurrency.len() - 1) / (shown - 1).max(1)];
        vec![
            point.configuration.clone(),
            format!("{}, {}", number::count(point.clients.into()), point.repetition),
            number::count(one.there.into()),
            number::count(one.completed + one.failed),
            number::figure(one.mean_ms),
            one.deviation_ms.map_or_else(String::new, number::figure),
        ]
    };
    (0..shown).map(row).collect()
}

fn largest(result: &ResultReader, groups: &[&Group<'_>]) -> Option<Largest> {
    let valid = groups.iter().filter(|group| !group.valid().is_empty());
    let group = valid.max_by_key(|group| group.clients)?;
    let runs = group.valid();
    let usage = usage(&runs);
    let stay = ended(&runs) != Some(ArrivalsEnd::AllGone);
    let at_the_end = runs.last().filter(|_| stay).and_then(|run| limit_at_the_end(result, run));
    Some(Largest {
        configuration: group.configuration.to_owned(),
        clients: group.clients,
        is_at_the_end: at_the_end.is_some(),
        bottleneck: at_the_end.unwrap_or_else(|| usage.bottleneck(None)),
        usage,
    })
}

/// The bottleneck at the end of a run, at its highest concurrency; none without samples.
fn limit_at_the_end(result: &ResultReader, run: &Point) -> Option<Bottleneck> {
    let end_s = run.warm_s + run.window_s;
    let from_s = end_s - (END * run.window_s).max(SHORTEST_END_S);
    // The timeline names samples that can't be read.
    let samples = result.samples(run.sequence).unwrap_or_default();
    let within =
        |sample: &&Sample| sample.at_s - sample.length_s / 2.0 >= from_s && sample.at_s <= end_s + 0.5;
    let last: Vec<&Sample> = samples.iter().filter(within).collect();
    bottleneck_over(run, &last)
}
