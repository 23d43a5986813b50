//! All points of results in one table, a row per point: as CSV (RFC 4180) or as JSON.

use crate::{
    measured::all_points,
    runs::{QUANTILES, quantile},
    traffic::{TracedPage, of_all},
    usage::split,
    words::{checks, is_open},
};
use results::{ConfigurationRecord, GaugeRole, HostUsageFigures, Point, Purpose, ResultReader, TierFigures};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A point with what is recorded of it elsewhere.
struct Row<'a> {
    result: &'a ResultReader,
    record: Option<&'a ConfigurationRecord>,
    point: &'a Point,
}

/// A column by its name. Its function has one type of values, so that a text that looks like a number stays a text.
type Column = (&'static str, fn(&Row<'_>) -> Value);

/// Columns that tell the points of several results apart.
static IDENTITY: [Column; 11] = [
    ("result", |row| text(row.result.folder.display().to_string())),
    ("tierbench", |row| text(&row.result.manifest.tierbench)),
    ("application", |row| text(&row.result.manifest.spec.application)),
    ("mix", |row| text(&row.result.manifest.spec.mix)),
    ("scale", |row| row.result.manifest.spec.scale.into()),
    ("distribution", |row| text(&row.result.manifest.spec.distribution)),
    ("time_scale", |row| row.result.manifest.spec.time_scale.into()),
    ("factors", |row| text(row.factors())),
    ("testbed", |row| {
        row.result.manifest.testbed.as_ref().map_or(Value::Null, |testbed| text(&testbed.title))
    }),
    ("versions", |row| text(row.versions())),
    ("machine", |row| text(row.machine())),
];

static LOAD: [Column; 17] = [
    ("configuration", |row| text(&row.point.configuration)),
    ("stack", |row| text(&row.point.stack)),
    ("partial", |row| {
        row.record
            .and_then(|record| record.partial.as_ref())
            .map_or(Value::Null, |some| text(some.to_string()))
    }),
    ("kind", |row| text(row.point.kind.name())),
    ("clients", |row| row.point.clients.into()),
    ("rate_per_s", |row| row.point.kind.behaviour().pace.map(|pace| pace.per_s).into()),
    ("sequence", |row| row.point.sequence.into()),
    ("purpose", |row| text(purpose(row.point.purpose))),
    ("repetition", |row| row.point.repetition.into()),
    ("seed", |row| row.point.seed.into()),
    ("started", |row| text(&row.point.started)),
    ("warm_s", |row| row.point.warm_s.into()),
    ("window_s", |row| row.point.window_s.into()),
    ("valid", |row| row.point.verdict.valid.into()),
    ("failed_checks", |row| text(checks(row.point, |check| !check.passed).join("; "))),
    ("unjudged_checks", |row| text(checks(row.point, is_open).join("; "))),
    ("throughput_per_s", |row| row.point.throughput.into()),
];

static TIMES: [Column; 18] = [
    ("throughput_half_width_per_s", |row| row.point.throughput_half_width.into()),
    ("response_mean_ms", |row| row.point.response.mean_ms.into()),
    ("response_p50_ms", |row| row.quantile(0)),
    ("response_p50_low_ms", |row| row.quantile_end(0, |ends| ends.0)),
    ("response_p50_high_ms", |row| row.quantile_end(0, |ends| ends.1)),
    ("response_p90_ms", |row| row.quantile(1)),
    ("response_p90_low_ms", |row| row.quantile_end(1, |ends| ends.0)),
    ("response_p90_high_ms", |row| row.quantile_end(1, |ends| ends.1)),
    ("response_p99_ms", |row| row.quantile(2)),
    ("response_p99_low_ms", |row| row.quantile_end(2, |ends| ends.0)),
    ("response_p99_high_ms", |row| row.quantile_end(2, |ends| ends.1)),
    ("response_max_ms", |row| row.point.response.max_ms.into()),
    ("service_mean_ms", |row| row.point.service.mean_ms.into()),
    ("service_p50_ms", |row| row.point.service.p50_ms.into()),
    ("service_p90_ms", |row| row.point.service.p90_ms.into()),
    ("service_p99_ms", |row| row.point.service.p99_ms.into()),
    ("session_mean_ms", |row| row.point.session_mean_ms.into()),
    ("sessions_per_s", |row| row.point.sessions_per_s.into()),
];

static COUNTS: [Column; 10] = [
    ("completed", |row| row.point.completed.into()),
    ("refused", |row| row.point.refused.into()),
    ("failed", |row| row.point.failed().into()),
    ("errors", |row| text(counted(&row.point.errors))),
    ("first_causes", |row| text(row.first_causes())),
    ("left_out", |row| text(counted(&row.point.left_out))),
    ("backs", |row| row.point.backs.into()),
    ("fallbacks", |row| row.point.fallbacks.into()),
    ("reconnects", |row| row.point.reconnects.into()),
    ("bytes_received", |row| row.point.bytes_received.into()),
];

static RESOURCES: [Column; 19] = [
    ("generator_cpu_cores", |row| row.point.generator_cpu.into()),
    ("sampler_cpu_cores", |row| row.point.sampler_cpu.into()),
    ("lateness_p99_ms", |row| row.point.lateness_p99_ms.into()),
    ("host_cores", |row| row.point.host.cores.into()),
    ("host_busy_cores", |row| row.point.host.mean.busy_cores.into()),
    ("host_steal_cores", |row| row.point.host.mean.steal_cores.into()),
    ("host_awake_cores", |row| row.point.host.mean.awake_cores.into()),
    ("statements_per_interaction", |row| row.counted(&GaugeRole::Statements)),
    ("round_trips_per_interaction", |row| row.counted(&GaugeRole::RoundTrips)),
    ("traced_statements_per_page", |row| row.traced(|page| page.statements)),
    ("traced_round_trips_per_page", |row| row.traced(|page| page.round_trips)),
    ("traced_tables_per_page", |row| row.traced(|page| page.tables)),
    ("warm_up_s", |row| row.point.warm_up.map(|warm_up| warm_up.seconds).into()),
    ("ready_s", |row| row.point.start_up.as_ref().map(|start| start.ready_s).into()),
    ("first_page_s", |row| row.point.start_up.as_ref().and_then(|start| start.first_page_s).into()),
    ("cpu_until_warm_s", |row| row.point.start_up.as_ref().map(|start| start.cpu_s).into()),
    ("resident_idle_bytes", |row| row.memory_at_start(0)),
    ("resident_warm_bytes", |row| row.memory_at_start(1)),
    ("resident_highest_bytes", |row| row.memory_at_start(2)),
];

type OfTiers = fn(&[&TierFigures]) -> Value;
type OfHost = fn(&HostUsageFigures, f64) -> Value;

/// Columns of each role, summed over its tiers.
const OF_A_ROLE: [(&str, OfTiers); 5] = [
    ("cpu_cores", |tiers| sum(tiers, |tier| tier.cores)),
    ("cpu_ms_per_interaction", |tiers| sum(tiers, |tier| tier.cpu_ms_per_interaction)),
    ("cpu_user_ms_per_interaction", |tiers| sum(tiers, |tier| split(tier, tier.cpu_ms_per_interaction).0)),
    ("cpu_system_ms_per_interaction", |tiers| sum(tiers, |tier| split(tier, tier.cpu_ms_per_interaction).1)),
    ("resident_bytes", |tiers| tiers.iter().map(|tier| tier.resident_bytes).sum::<u64>().into()),
];

/// Columns of each host of a testbed, per interaction; its figure comes with the point's throughput.
const OF_A_HOST: [(&str, OfHost); 4] = [
    ("received_bytes_per_interaction", |host, throughput| {
        host.mean.per_interaction(throughput).received_bytes.into()
    }),
    ("received_packets_per_interaction", |host, throughput| {
        host.mean.per_interaction(throughput).received_packets.into()
    }),
    ("sent_bytes_per_interaction", |host, throughput| {
        host.mean.per_interaction(throughput).sent_bytes.into()
    }),
    ("sent_packets_per_interaction", |host, throughput| {
        host.mean.per_interaction(throughput).sent_packets.into()
    }),
];

/// The points as CSV with a header line. Numbers are in full, with a decimal point and no thousands separators;
/// unknown values are empty. Each role has columns `cpu_cores_…` and so on, summed over its services; each testbed
/// host `received_bytes_per_interaction_…` and so on. `traced_…` is the store's log during verification, averaged
/// over the mix.
pub fn csv(results: &[ResultReader]) -> String {
    let (header, rows) = table(results);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let fits = "each row has the header's fields";
    writer.write_record(header).expect(fits);
    for row in rows {
        writer.write_record(row.iter().map(in_csv)).expect(fits);
    }
    let bytes = writer.into_inner().expect("memory takes any record");
    String::from_utf8(bytes).expect("made of strings")
}

/// The same points as a JSON array of objects with the same names; unknown values are null.
pub fn json(results: &[ResultReader]) -> String {
    let (header, rows) = table(results);
    let object = |row: Vec<Value>| -> Map<String, Value> { header.iter().cloned().zip(row).collect() };
    let objects: Vec<String> = rows.into_iter().map(|row| Value::Object(object(row)).to_string()).collect();
    format!("[\n{}\n]\n", objects.join(",\n"))
}

fn in_csv(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // JSON has 5.0 where people write 5.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// A header, and a row for each point. Roles and hosts are those of all results.
fn table(results: &[ResultReader]) -> (Vec<String>, Vec<Vec<Value>>) {
    let points = || results.iter().flat_map(all_points);
    let roles = distinct(points().flat_map(|point| &point.tiers).map(|tier| &tier.role));
    let hosts = distinct(points().flat_map(|point| &point.hosts).map(|host| &host.mean.name));
    let fixed = columns().map(|(name, _)| (*name).to_owned());
    let tiers = roles.iter().flat_map(|role| OF_A_ROLE.map(|(figure, _)| format!("{figure}_{role}")));
    let links = hosts.iter().flat_map(|host| OF_A_HOST.map(|(figure, _)| format!("{figure}_{host}")));
    let header = fixed.chain(tiers).chain(links).collect();
    let mut rows = Vec::new();
    for result in results {
        let records = &result.manifest.configurations;
        for point in all_points(result) {
            let record = records.iter().find(|record| record.name == point.configuration);
            rows.push(Row { result, record, point }.values(&roles, &hosts));
        }
    }
    (header, rows)
}

fn columns() -> impl Iterator<Item = &'static Column> {
    IDENTITY.iter().chain(&LOAD).chain(&TIMES).chain(&COUNTS).chain(&RESOURCES)
}

impl Row<'_> {
    fn values(&self, roles: &[&str], hosts: &[&str]) -> Vec<Value> {
        let point = self.point;
        let of_role = |role: &&str| {
            let tiers: Vec<_> = point.tiers.iter().filter(|tier| tier.role == *role).collect();
            OF_A_ROLE.map(|(_, figure)| if tiers.is_empty() { Value::Null } else { figure(&tiers) })
        };
        let of_host = |name: &&str| {
            let host = point.hosts.iter().find(|host| host.mean.name == *name);
            OF_A_HOST.map(|(_, figure)| host.map_or(Value::Null, |host| figure(host, point.throughput)))
        };
        let fixed = columns().map(|(_, value)| value(self));
        fixed.chain(roles.iter().flat_map(of_role)).chain(hosts.iter().flat_map(of_host)).collect()
    }

    fn factors(&self) -> String {
        let factors = self.record.iter().flat_map(|record| &record.factors);
        factors.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn versions(&self) -> String {
        let services = self.record.iter().flat_map(|record| &record.services);
        services.map(|one| format!("{} {}", one.service, one.version)).collect::<Vec<_>>().join("; ")
    }

    fn machine(&self) -> String {
        let host = &self.result.manifest.host;
        format!(
            "{}; {} cores; {} bytes; {}; kernel {}",
            host.cpu, host.cores, host.memory_bytes, host.system, host.kernel
        )
    }

    fn first_causes(&self) -> String {
        let causes = self.point.causes.iter();
        causes.map(|(kind, cause)| format!("{kind}: {cause}")).collect::<Vec<_>>().join("; ")
    }

    /// A quantile by its place among [`QUANTILES`].
    fn quantile(&self, place: usize) -> Value {
        quantile(self.point, QUANTILES[place]).value.into()
    }

    fn quantile_end(&self, place: usize, end: fn((f64, f64)) -> f64) -> Value {
        quantile(self.point, QUANTILES[place]).interval.map(end).into()
    }

    /// Per interaction, as the stores counted in the window.
    fn counted(&self, role: &GaugeRole) -> Value {
        of_all(&self.point.tiers, role, self.point.throughput).into()
    }

    /// Per page, as traced during verification.
    fn traced(&self, figure: fn(TracedPage) -> f64) -> Value {
        let traffic = self.record.and_then(|record| record.traffic.as_ref());
        let page = traffic.and_then(|traffic| TracedPage::of_mix(traffic, &self.point.interactions));
        page.map(figure).into()
    }

    /// The memory of all tiers at their start: idle, warm and at its highest.
    fn memory_at_start(&self, which: usize) -> Value {
        self.point.start_up.as_ref().map(|start| start.memory()[which]).into()
    }
}

/// A text; without any, it is unknown.
fn text(text: impl Into<String>) -> Value {
    let text = text.into();
    if text.is_empty() { Value::Null } else { Value::String(text) }
}

fn sum(tiers: &[&TierFigures], figure: fn(&TierFigures) -> f64) -> Value {
    tiers.iter().map(|tier| figure(tier)).sum::<f64>().into()
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

/// `timeout 3; status-5xx 7`, without what never happened.
fn counted(counts: &BTreeMap<String, u64>) -> String {
    let counts = counts.iter().filter(|(_, count)| **count > 0);
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join("; ")
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Listed => "listed",
        Purpose::Search => "search",
        Purpose::Confirm => "confirm",
        Purpose::Profile => "profile",
    }
}
