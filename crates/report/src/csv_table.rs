//! All points as CSV (RFC 4180), one row a point, for spreadsheets and notebooks.

use results::{Point, ResultReader};

const FIXED: [&str; 28] = [
    "configuration",
    "stack",
    "clients",
    "repetition",
    "started",
    "window_s",
    "valid",
    "failed_checks",
    "throughput_per_s",
    "throughput_half_width_per_s",
    "response_mean_ms",
    "response_p50_ms",
    "response_p90_ms",
    "response_p99_ms",
    "response_max_ms",
    "service_mean_ms",
    "service_p50_ms",
    "service_p90_ms",
    "service_p99_ms",
    "completed",
    "refused",
    "failed",
    "backs",
    "fallbacks",
    "reconnects",
    "bytes_received",
    "generator_cpu_cores",
    "lateness_p99_ms",
];

/// The points as CSV with a header line. Numbers are written in full, with a point and no thousands separators; what
/// is unknown is empty. For each role that any configuration has there are its `cpu_cores_…` and
/// `cpu_ms_per_interaction_…`, summed over its services.
pub fn csv(result: &ResultReader) -> String {
    let roles = roles(result);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = FIXED.iter().map(|name| (*name).to_owned());
    let tiers =
        roles.iter().flat_map(|role| [format!("cpu_cores_{role}"), format!("cpu_ms_per_interaction_{role}")]);
    writer.write_record(header.chain(tiers)).expect("memory takes any record");
    for point in &result.points {
        writer.write_record(row(point, &roles)).expect("each row has the header's fields");
    }
    let bytes = writer.into_inner().expect("memory takes any record");
    String::from_utf8(bytes).expect("made of strings")
}

fn roles(result: &ResultReader) -> Vec<&str> {
    let mut roles = Vec::new();
    for tier in result.points.iter().flat_map(|point| &point.tiers) {
        if !roles.contains(&tier.role.as_str()) {
            roles.push(&tier.role);
        }
    }
    roles
}

fn row(point: &Point, roles: &[&str]) -> Vec<String> {
    let failed_checks =
        point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str());
    let mut row = vec![
        point.configuration.clone(),
        point.stack.clone(),
        point.clients.to_string(),
        point.repetition.to_string(),
        point.started.clone(),
        point.window_s.to_string(),
        point.verdict.valid.to_string(),
        failed_checks.collect::<Vec<_>>().join("; "),
        point.throughput.to_string(),
        point.throughput_half_width.map_or_else(String::new, |half_width| half_width.to_string()),
    ];
    let (response, service) = (&point.response, &point.service);
    let times = [
        response.mean_ms,
        response.p50_ms,
        response.p90_ms,
        response.p99_ms,
        response.max_ms,
        service.mean_ms,
        service.p50_ms,
        service.p90_ms,
        service.p99_ms,
    ];
    row.extend(times.iter().map(f64::to_string));
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
    row.extend([point.generator_cpu.to_string(), point.lateness_p99_ms.to_string()]);
    for role in roles {
        let tiers: Vec<_> = point.tiers.iter().filter(|tier| tier.role == *role).collect();
        if tiers.is_empty() {
            row.extend([String::new(), String::new()]);
            continue;
        }
        row.push(tiers.iter().map(|tier| tier.cores).sum::<f64>().to_string());
        row.push(tiers.iter().map(|tier| tier.cpu_ms_per_interaction).sum::<f64>().to_string());
    }
    row
}
