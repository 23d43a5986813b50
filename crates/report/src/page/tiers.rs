//! CPU and other resources of each tier and of the machine, at configurations' representative loads.

use crate::{
    configuration::with_peak,
    number,
    summary::Summary,
    traffic::per_interaction,
    usage::{Usage, split},
    words::{capitalised, several},
};
use results::{Gauge, GaugeRole, TierFigures};

/// A configuration's bar: CPU of the machine by tier.
pub(super) struct Machine<'a> {
    pub(super) name: &'a str,
    pub(super) description: String,
    pub(super) segments: Vec<Segment>,
    pub(super) scale: String,
}

pub(super) struct Segment {
    pub(super) class: String,
    pub(super) percent: String,
    pub(super) label: String,
}

pub(super) struct TierRow<'a> {
    pub(super) configuration: Option<(&'a str, usize)>,
    pub(super) role: &'a str,
    pub(super) service: &'a str,
    pub(super) color: Option<usize>,
    /// Cores: user, system, both; milliseconds per interaction: user, system, both.
    pub(super) cpu: [String; 6],
    /// Statements and round trips per interaction, of a tier that counts them.
    pub(super) asked: [String; 2],
    /// Proportional (PSS) and resident memory; processes, threads, switches, minor and major faults, bytes read from
    /// and written to disks.
    pub(super) resources: Option<[String; 9]>,
    pub(super) gauges: Vec<GaugeRow<'a>>,
}

pub(super) struct GaugeRow<'a> {
    pub(super) name: &'a str,
    pub(super) mean: String,
    pub(super) max: String,
    pub(super) limit: String,
}

/// A configuration at its representative load.
pub(super) struct Used<'a> {
    pub(super) name: &'a str,
    pub(super) load: String,
    pub(super) usage: &'a Usage,
}

/// The kind of representative load.
pub(super) struct Occasion {
    pub(super) heading: &'static str,
    /// The text where no configuration has such a load.
    pub(super) none: &'static str,
    pub(super) at: &'static str,
}

impl Occasion {
    pub(super) fn at_first(&self) -> String {
        capitalised(self.at)
    }
}

const AT_THE_PEAK: Occasion = Occasion {
    heading: "Tiers at the peak",
    none: "No configuration has a peak.",
    at: "at each configuration's peak",
};

const AT_THE_LARGEST: Occasion = Occasion {
    heading: "Tiers",
    none: "No load is VALID.",
    at: "over the whole of each configuration's largest VALID load",
};

const AT_THE_BEST_STEP: Occasion = Occasion {
    heading: "Tiers at the best step",
    none: "No step was measured.",
    at: "at the step with the highest throughput of each configuration's first overload cycle",
};

const AT_THE_CAPACITY: Occasion = Occasion {
    heading: "Tiers at the capacity",
    none: "No capacity was confirmed.",
    at: "at the load just below each configuration's capacity",
};

const ELSEWHERE: Occasion = Occasion { heading: "This machine", ..AT_THE_PEAK };

/// The representative loads. Without roles only this machine was sampled.
pub(super) fn occasion(summary: &Summary, roles: &[&str]) -> Occasion {
    match summary {
        _ if roles.is_empty() => ELSEWHERE,
        Summary { arrived: Some(_), .. } => AT_THE_LARGEST,
        Summary { capacities: Some(_), .. } => AT_THE_CAPACITY,
        Summary { overload_cycles, .. } if !overload_cycles.is_empty() => AT_THE_BEST_STEP,
        _ => AT_THE_PEAK,
    }
}

pub(super) fn used<'a>(summary: &'a Summary) -> Vec<Used<'a>> {
    if let Some(arrived) = &summary.arrived {
        let largest = arrived.largest.iter().map(|one| {
            let load = format!("load of {}", number::count(one.clients.into()));
            Used { name: &one.configuration, load, usage: &one.usage }
        });
        return largest.collect();
    }
    if !summary.overload_cycles.is_empty() {
        let first = summary.overload_cycles.iter().filter(|cycle| cycle.number.0 == 1).map(|cycle| {
            let clients = several(cycle.steps[cycle.best].clients, "client");
            let load = format!("at its best step, {clients}");
            Used { name: &cycle.configuration, load, usage: &cycle.usage }
        });
        return first.collect();
    }
    if let Some(capacities) = &summary.capacities {
        let below = capacities.rows.iter().filter_map(|row| {
            let (clients, usage) = row.below.as_ref()?;
            let load = format!("just below its capacity, {}", several(*clients, "client"));
            Some(Used { name: &row.name, load, usage })
        });
        return below.collect();
    }
    let at_peak = with_peak(&summary.configurations).map(|(name, peak)| {
        let load = format!("at its peak, {}", several(peak.clients, "client"));
        Used { name, load, usage: &peak.usage }
    });
    at_peak.collect()
}

pub(super) fn machines<'a>(used: &[Used<'a>], roles: &[&str]) -> Vec<Machine<'a>> {
    let most = used.iter().map(|one| one.usage.cores()).fold(f64::MIN_POSITIVE, f64::max);
    used.iter().map(|one| machine(one.name, one.usage, roles, most)).collect()
}

/// The bar's length is the number of processors or, where unknown, `most` cores.
fn machine<'a>(name: &'a str, usage: &Usage, roles: &[&str], most: f64) -> Machine<'a> {
    let known = usage.host.cores > 0;
    let full = if known { f64::from(usage.host.cores) } else { most };
    let tiers = usage
        .tiers
        .iter()
        .map(|tier| (format!("t{}", color(roles, &tier.role)), tier.role.as_str(), tier.cores));
    let laboratory = usage.generator_cpu + usage.sampler_cpu;
    let mut parts: Vec<(String, &str, f64)> = tiers.collect();
    if known {
        let others = (usage.host.mean.busy_cores - usage.cores() - laboratory).max(0.0);
        parts.push(("lab".to_owned(), "laboratory", laboratory));
        parts.push(("other".to_owned(), "other", others));
    }
    let described: Vec<String> =
        parts.iter().map(|(_, what, cores)| format!("{what} {} cores", number::figure(*cores))).collect();
    let idle = (full - parts.iter().map(|part| part.2).sum::<f64>()).max(0.0);
    let segment = |(class, what, cores): &(String, &str, f64)| {
        let percent = 100.0 * cores / full;
        let label = if percent > 8.0 { format!("{what} {}", number::figure(*cores)) } else { String::new() };
        Segment { class: class.clone(), percent: format!("{percent:.2}"), label }
    };
    Machine {
        name,
        description: format!("{}, idle {} cores", described.join(", "), number::figure(idle)),
        segments: parts.iter().filter(|part| part.2 > 0.0).map(segment).collect(),
        scale: match usage.host.cores {
            0 => String::new(),
            cores => {
                format!("{} of {} busy", number::figure(usage.host.mean.busy_cores), several(cores, "core"))
            }
        },
    }
}

fn color(roles: &[&str], role: &str) -> usize {
    roles.iter().position(|known| *known == role).unwrap_or(0) % 6
}

pub(super) fn rows<'a>(used: &[Used<'a>], roles: &[&str]) -> Vec<TierRow<'a>> {
    used.iter().flat_map(|one| configuration_rows(one.name, one.usage, roles)).collect()
}

fn configuration_rows<'a>(name: &'a str, usage: &'a Usage, roles: &[&str]) -> Vec<TierRow<'a>> {
    let mut rows: Vec<TierRow<'_>> =
        usage.tiers.iter().map(|tier| tier_row(tier, usage.throughput, color(roles, &tier.role))).collect();
    let sum = |part: fn(&TierFigures) -> f64| usage.tiers.iter().map(part).sum::<f64>();
    let all = [
        sum(|tier| split(tier, tier.cores).0),
        sum(|tier| split(tier, tier.cores).1),
        usage.cores(),
        sum(|tier| split(tier, tier.cpu_ms_per_interaction).0),
        sum(|tier| split(tier, tier.cpu_ms_per_interaction).1),
        usage.cpu_ms.value,
    ];
    rows.push(TierRow {
        configuration: None,
        role: "all tiers",
        service: "",
        color: None,
        cpu: all.map(number::figure),
        asked: [usage.statements(), usage.round_trips()].map(known),
        resources: None,
        gauges: Vec::new(),
    });
    let count = rows.len();
    rows[0].configuration = Some((name, count));
    rows
}

fn tier_row(tier: &TierFigures, throughput: f64, color: usize) -> TierRow<'_> {
    let (user, system) = split(tier, tier.cores);
    let (user_ms, system_ms) = split(tier, tier.cpu_ms_per_interaction);
    let bytes_per_s = |bytes: f64| format!("{}/s", number::bytes(bytes as u64));
    TierRow {
        configuration: None,
        role: &tier.role,
        service: &tier.service,
        color: Some(color),
        cpu: [user, system, tier.cores, user_ms, system_ms, tier.cpu_ms_per_interaction].map(number::figure),
        asked: [GaugeRole::Statements, GaugeRole::RoundTrips]
            .map(|role| known(per_interaction(tier, &role, throughput))),
        resources: Some([
            tier.proportional_bytes.map_or_else(|| "unknown".to_owned(), number::bytes),
            number::bytes(tier.resident_bytes),
            number::count(tier.processes.into()),
            number::count(tier.threads.into()),
            number::figure(tier.switches_per_s),
            number::figure(tier.minor_faults_per_s),
            number::figure(tier.major_faults_per_s),
            bytes_per_s(tier.disk_read_bytes_per_s),
            bytes_per_s(tier.disk_written_bytes_per_s),
        ]),
        gauges: tier.gauges.iter().map(gauge_row).collect(),
    }
}

fn known(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), number::figure)
}

pub(super) fn count_statements(used: &[Used<'_>]) -> bool {
    used.iter().any(|one| one.usage.statements().is_some())
}

fn gauge_row(gauge: &Gauge) -> GaugeRow<'_> {
    GaugeRow {
        name: &gauge.name,
        mean: number::figure(gauge.mean),
        max: number::figure(gauge.max),
        limit: gauge.limit.map_or_else(|| "–".to_owned(), number::setting),
    }
}

/// Limits of the tiers' accounting, each once.
pub(super) fn blind<'a>(used: &[Used<'a>]) -> Vec<&'a str> {
    let mut sentences: Vec<&str> = Vec::new();
    for sentence in used.iter().flat_map(|one| &one.usage.tiers).flat_map(|tier| &tier.blind) {
        if !sentences.contains(&sentence.as_str()) {
            sentences.push(sentence);
        }
    }
    sentences
}
