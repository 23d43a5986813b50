//! All points as CSV (RFC 4180), one row a point, for spreadsheets and notebooks.

use crate::{
    measured::all_points,
    runs::{QUANTILES, quantile},
    usage::split,
    words::{checks, is_open},
};
use results::{Point, Purpose, ResultReader, TierFigures};

const FIXED: [&str; 46] = [
    "configuration",
    "stack",
    "clients",
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
];

/// What there is of each role, its services together.
const OF_A_ROLE: [&str; 5] = [
    "cpu_cores",
    "cpu_ms_per_interaction",
    "cpu_user_ms_per_interaction",
    "cpu_system_ms_per_interaction",
    "resident_bytes",
];

/// The points as CSV with a header line. Numbers are written in full, with a point and no thousands separators; what
/// is unknown is empty. For each role that any configuration has there are its `cpu_cores_…` and so on, summed over its
/// services.
pub fn csv(result: &ResultReader) -> String {
    let roles = roles(result);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = FIXED.iter().map(|name| (*name).to_owned());
    let tiers = roles.iter().flat_map(|role| OF_A_ROLE.map(|figure| format!("{figure}_{role}")));
    writer.write_record(header.chain(tiers)).expect("memory takes any record");
    for point in all_points(result) {
        writer.write_record(row(point, &roles)).expect("each row has the header's fields");
    }
    let bytes = writer.into_inner().expect("memory takes any record");
    String::from_utf8(bytes).expect("made of strings")
}

fn roles(result: &ResultReader) -> Vec<&str> {
    let mut roles = Vec::new();
    for tier in all_points(result).flat_map(|point| &point.tiers) {
        if !roles.contains(&tier.role.as_str()) {
            roles.push(&tier.role);
        }
    }
    roles
}

fn row(point: &Point, roles: &[&str]) -> Vec<String> {
    let mut row = vec![
        point.configuration.clone(),
        point.stack.clone(),
        point.clients.to_string(),
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
        point.throughput_half_width.map_or_else(String::new, |half_width| half_width.to_string()),
    ];
    let (response, service) = (&point.response, &point.service);
    row.push(response.mean_ms.to_string());
    for quantile in QUANTILES.map(|of| quantile(point, of)) {
        let end = |end: fn((f64, f64)) -> f64| {
            quantile.interval.map_or_else(String::new, |interval| end(interval).to_string())
        };
        row.extend([quantile.value.to_string(), end(|interval| interval.0), end(|interval| interval.1)]);
    }
    let times = [response.max_ms, service.mean_ms, service.p50_ms, service.p90_ms, service.p99_ms];
    row.extend(times.iter().map(f64::to_string));
    let sessions = [point.session_mean_ms, point.sessions_per_s];
    row.extend(sessions.map(|figure| figure.map_or_else(String::new, |figure| figure.to_string())));
    let counts = [
        point.completed,
        point.refused,
        point.failed(),
        point.backs,
        point.fallbacks,
        point.reconnects,
        point.bytes_received,
    ];
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

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Listed => "listed",
        Purpose::Search => "search",
        Purpose::Confirm => "confirm",
        Purpose::OverloadCycle => "overload-cycle",
        Purpose::Arrivals => "arrivals",
        Purpose::Profile => "profile",
    }
}
