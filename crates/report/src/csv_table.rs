//! All points of results in one table, a row per point: as CSV (RFC 4180) or as JSON.

use crate::{
    measured::all_points,
    runs::{QUANTILES, quantile},
    traffic::{TracedPage, of_all},
    usage::split,
    words::{checks, is_open},
};
use results::{GaugeRole, Manifest, Point, Purpose, ResultReader, TierFigures};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Columns that tell the points of several results apart.
const IDENTITY: [&str; 11] = [
    "result",
    "tierbench",
    "application",
    "mix",
    "scale",
    "distribution",
    "time_scale",
    "factors",
    "testbed",
    "versions",
    "machine",
];

/// Columns that hold texts, also where a text looks like a number.
const TEXTS: [&str; 20] = [
    "result",
    "tierbench",
    "application",
    "mix",
    "distribution",
    "factors",
    "testbed",
    "versions",
    "machine",
    "configuration",
    "stack",
    "partial",
    "kind",
    "purpose",
    "started",
    "failed_checks",
    "unjudged_checks",
    "errors",
    "first_causes",
    "left_out",
];

const FIXED: [&str; 64] = [
    "configuration",
    "stack",
    "partial",
    "kind",
    "clients",
    "rate_per_s",
    "sequence",
    "purpose",
    "repetition",
    "seed",
    "started",
    "warm_s",
    "window_s",
    "valid",
    "failed_checks",
    "unjudged_checks",
    "throughput_per_s",
    "throughput_half_width_per_s",
    "response_mean_ms",
    "response_p50_ms",
    "response_p50_low_ms",
    "response_p50_high_ms",
    "response_p90_ms",
    "response_p90_low_ms",
    "response_p90_high_ms",
    "response_p99_ms",
    "response_p99_low_ms",
    "response_p99_high_ms",
    "response_max_ms",
    "service_mean_ms",
    "service_p50_ms",
    "service_p90_ms",
    "service_p99_ms",
    "session_mean_ms",
    "sessions_per_s",
    "completed",
    "refused",
    "failed",
    "errors",
    "first_causes",
    "left_out",
    "backs",
    "fallbacks",
    "reconnects",
    "bytes_received",
    "generator_cpu_cores",
    "sampler_cpu_cores",
    "lateness_p99_ms",
    "host_cores",
    "host_busy_cores",
    "host_steal_cores",
    "host_awake_cores",
    "statements_per_interaction",
    "round_trips_per_interaction",
    "traced_statements_per_page",
    "traced_round_trips_per_page",
    "traced_tables_per_page",
    "warm_up_s",
    "ready_s",
    "first_page_s",
    "cpu_until_warm_s",
    "resident_idle_bytes",
    "resident_warm_bytes",
    "resident_highest_bytes",
];

const OF_A_ROLE: [&str; 5] = [
    "cpu_cores",
    "cpu_ms_per_interaction",
    "cpu_user_ms_per_interaction",
    "cpu_system_ms_per_interaction",
    "resident_bytes",
];

const OF_A_HOST: [&str; 4] = [
    "received_bytes_per_interaction",
    "received_packets_per_interaction",
    "sent_bytes_per_interaction",
    "sent_packets_per_interaction",
];

/// The points as CSV with a header line. Numbers are in full, with a decimal point and no thousands separators;
/// unknown values are empty. Each role has columns `cpu_cores_…` and so on, summed over its services; each testbed
/// host `received_bytes_per_interaction_…` and so on. `traced_…` is the store's log during verification, averaged
/// over the mix.
pub fn csv(results: &[ResultReader]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in table(results) {
        writer.write_record(record).expect("each row has the header's fields");
    }
    let bytes = writer.into_inner().expect("memory takes any record");
    String::from_utf8(bytes).expect("made of strings")
}

/// The same points as a JSON array of objects with the same names; unknown values are null.
pub fn json(results: &[ResultReader]) -> String {
    let mut rows = table(results).into_iter();
    let header = rows.next().unwrap_or_default();
    let object = |row: Vec<String>| -> Map<String, Value> {
        header.iter().zip(row).map(|(name, text)| (name.clone(), value(name, text))).collect()
    };
    let objects: Vec<String> = rows.map(|row| Value::Object(object(row)).to_string()).collect();
    format!("[\n{}\n]\n", objects.join(",\n"))
}

fn value(name: &str, text: String) -> Value {
    if text.is_empty() {
        return Value::Null;
    }
    match serde_json::from_str(&text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) if !TEXTS.contains(&name) => value,
        _ => Value::String(text),
    }
}

/// A header, and a row for each point. Roles and hosts are those of all results.
fn table(results: &[ResultReader]) -> Vec<Vec<String>> {
    let points = || results.iter().flat_map(all_points);
    let roles = distinct(points().flat_map(|point| &point.tiers).map(|tier| &tier.role));
    let hosts = distinct(points().flat_map(|point| &point.hosts).map(|host| &host.mean.name));
    let fixed = IDENTITY.iter().chain(&FIXED).map(|name| (*name).to_owned());
    let tiers = roles.iter().flat_map(|role| OF_A_ROLE.map(|figure| format!("{figure}_{role}")));
    let links = hosts.iter().flat_map(|host| OF_A_HOST.map(|figure| format!("{figure}_{host}")));
    let header: Vec<String> = fixed.chain(tiers).chain(links).collect();
    let rows = results.iter().flat_map(|result| {
        let of_point = |point| {
            let figures = row(result, point, &roles).into_iter().chain(links_of(point, &hosts));
            identity(result, point).into_iter().chain(figures).collect::<Vec<String>>()
        };
        all_points(result).map(of_point).collect::<Vec<_>>()
    });
    std::iter::once(header).chain(rows).collect()
}

fn identity(result: &ResultReader, point: &Point) -> [String; 11] {
    let Manifest { spec, host, configurations, tierbench, testbed, .. } = &result.manifest;
    let record = configurations.iter().find(|record| record.name == point.configuration);
    let factors = record.iter().flat_map(|record| &record.factors);
    let factors = factors.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    let services = record.iter().flat_map(|record| &record.services);
    let versions = services.map(|one| format!("{} {}", one.service, one.version)).collect::<Vec<_>>();
    [
        result.folder.display().to_string(),
        tierbench.clone(),
        spec.application.clone(),
        spec.mix.clone(),
        spec.scale.to_string(),
        spec.distribution.clone(),
        spec.time_scale.to_string(),
        factors.join("; "),
        testbed.as_ref().map_or_else(String::new, |testbed| testbed.title.clone()),
        versions.join("; "),
        format!(
            "{}; {} cores; {} bytes; {}; kernel {}",
            host.cpu, host.cores, host.memory_bytes, host.system, host.kernel
        ),
    ]
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name.as_str()) {
            distinct.push(name);
        }
    }
    distinct
}

fn links_of(point: &Point, hosts: &[&str]) -> Vec<String> {
    let link = |name: &&str| {
        let host = point.hosts.iter().find(|host| host.mean.name == *name);
        let link = host.map(|host| host.mean.per_interaction(point.throughput)).unwrap_or_default();
        [link.received_bytes, link.received_packets, link.sent_bytes, link.sent_packets].map(known)
    };
    hosts.iter().flat_map(link).collect()
}

fn known(figure: Option<f64>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}

/// Store statements per interaction: as counted in the window, and as traced before.
fn asked(result: &ResultReader, point: &Point) -> [String; 5] {
    let counted = |role| of_all(&point.tiers, &role, point.throughput);
    let record = result.manifest.configurations.iter().find(|record| record.name == point.configuration);
    let traced = record
        .and_then(|record| record.traffic.as_ref())
        .and_then(|traffic| TracedPage::of_mix(traffic, &point.interactions));
    [
        counted(GaugeRole::Statements),
        counted(GaugeRole::RoundTrips),
        traced.map(|page| page.statements),
        traced.map(|page| page.round_trips),
        traced.map(|page| page.tables),
    ]
    .map(known)
}

fn row(result: &ResultReader, point: &Point, roles: &[&str]) -> Vec<String> {
    let mut row = vec![
        point.configuration.clone(),
        point.stack.clone(),
        partial(result, point),
        point.kind.name().to_owned(),
        point.clients.to_string(),
        known(point.kind.behaviour().pace.map(|pace| pace.per_s)),
        point.sequence.to_string(),
        purpose(point.purpose).to_owned(),
        point.repetition.to_string(),
        point.seed.to_string(),
        point.started.clone(),
        point.warm_s.to_string(),
        point.window_s.to_string(),
        point.verdict.valid.to_string(),
        checks(point, |check| !check.passed).join("; "),
        checks(point, is_open).join("; "),
        point.throughput.to_string(),
        known(point.throughput_half_width),
    ];
    let (response, service) = (&point.response, &point.service);
    row.push(known(response.mean_ms));
    for quantile in QUANTILES.map(|of| quantile(point, of)) {
        let end = |end: fn((f64, f64)) -> f64| {
            quantile.interval.map_or_else(String::new, |interval| end(interval).to_string())
        };
        let value = Some(quantile.value).filter(|value| !value.is_nan());
        row.extend([known(value), end(|interval| interval.0), end(|interval| interval.1)]);
    }
    let times = [response.max_ms, service.mean_ms, service.p50_ms, service.p90_ms, service.p99_ms];
    row.extend(times.map(known));
    let sessions = [point.session_mean_ms, point.sessions_per_s];
    row.extend(sessions.map(known));
    row.extend([point.completed, point.refused, point.failed()].iter().map(u64::to_string));
    let causes = point.causes.iter().map(|(kind, cause)| format!("{kind}: {cause}")).collect::<Vec<_>>();
    row.extend([counted(&point.errors), causes.join("; "), counted(&point.left_out)]);
    let counts = [point.backs, point.fallbacks, point.reconnects, point.bytes_received];
    row.extend(counts.iter().map(u64::to_string));
    let host = &point.host;
    let shares = [
        point.generator_cpu,
        point.sampler_cpu,
        point.lateness_p99_ms,
        host.cores.into(),
        host.mean.busy_cores,
        host.mean.steal_cores,
        host.mean.awake_cores,
    ];
    row.extend(shares.iter().map(f64::to_string));
    row.extend(asked(result, point));
    row.extend(start_up(point));
    for role in roles {
        let tiers: Vec<_> = point.tiers.iter().filter(|tier| tier.role == *role).collect();
        let sum = |figure: fn(&TierFigures) -> f64| match tiers.as_slice() {
            [] => String::new(),
            tiers => tiers.iter().map(|tier| figure(tier)).sum::<f64>().to_string(),
        };
        row.extend([
            sum(|tier| tier.cores),
            sum(|tier| tier.cpu_ms_per_interaction),
            sum(|tier| split(tier, tier.cpu_ms_per_interaction).0),
            sum(|tier| split(tier, tier.cpu_ms_per_interaction).1),
            sum(|tier| tier.resident_bytes as f64),
        ]);
    }
    row
}

/// The start of the servers: times, CPU, and memory of all tiers.
fn start_up(point: &Point) -> [String; 7] {
    let start = point.start_up.as_ref();
    let [idle, warm, highest] = [0, 1, 2].map(|which| start.map(|start| start.memory()[which] as f64));
    [
        point.warm_up.map(|warm_up| warm_up.seconds),
        start.map(|start| start.ready_s),
        start.and_then(|start| start.first_page_s),
        start.map(|start| start.cpu_s),
        idle,
        warm,
        highest,
    ]
    .map(known)
}

/// `timeout 3; status-5xx 7`, without what never happened.
fn counted(counts: &BTreeMap<String, u64>) -> String {
    let counts = counts.iter().filter(|(_, count)| **count > 0);
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join("; ")
}

/// `10 of 27 interactions` of a partial stack; nothing of a whole one.
fn partial(result: &ResultReader, point: &Point) -> String {
    let found = result.partial().find(|(name, _)| *name == point.configuration);
    found.map_or_else(String::new, |(_, partial)| partial.to_string())
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Listed => "listed",
        Purpose::Search => "search",
        Purpose::Confirm => "confirm",
        Purpose::Profile => "profile",
    }
}
