//! Usage of each testbed host's quota.

use super::{points::load_of, tiers::Used};
use crate::{
    measured::{measured, points_of},
    number,
    usage::{Usage, split, usage},
    words::enumerate,
};
use results::{HostRecord, HostUsageFigures, LinkPerInteraction, ResultReader, Series, TierFigures};

pub(super) struct HostRow<'a> {
    /// Name and load, in a configuration's first row only.
    pub(super) configuration: Option<(&'a str, String)>,
    pub(super) host: String,
    pub(super) tiers: String,
    /// Cores of the quota and in use, used share, of it user and system; memory used and allowed; Mbit/s received and
    /// share of the link, sent and share.
    pub(super) cells: [String; 11],
    /// KiB and packets per interaction, received and sent; none where the link is unknown.
    pub(super) link: Option<[String; 4]>,
}

/// Hosts of each configuration at its representative load, else at its last one. None where tiers had no hosts of
/// their own.
pub(super) fn rows<'a>(result: &'a ResultReader, names: &[&'a str], used: &[Used<'a>]) -> Vec<HostRow<'a>> {
    let records = result.manifest.testbed.as_ref().map_or(&[][..], |testbed| &testbed.hosts);
    let of_configuration = |name: &&'a str| match used.iter().find(|one| one.name == *name) {
        Some(one) => of_load(records, name, &one.load, one.usage),
        None => points_of(measured(result), name).pop().map_or_else(Vec::new, |point| {
            let load = match point.kind.series() {
                Series::Arrivals => format!("INVALID, {}", load_of(point)),
                _ => format!("no peak; at {}", load_of(point)),
            };
            of_load(records, name, &load, &usage(&[point]))
        }),
    };
    names.iter().flat_map(of_configuration).collect()
}

fn of_load<'a>(records: &[HostRecord], name: &'a str, load: &str, usage: &Usage) -> Vec<HostRow<'a>> {
    let record = |host: &HostUsageFigures| records.iter().find(|record| record.name == host.mean.name);
    let mut rows: Vec<HostRow<'a>> =
        usage.hosts.iter().map(|host| host_row(host, record(host), usage)).collect();
    if let Some(first) = rows.first_mut() {
        first.configuration = Some((name, load.to_owned()));
    }
    rows
}

fn host_row<'a>(host: &HostUsageFigures, record: Option<&HostRecord>, usage: &Usage) -> HostRow<'a> {
    let tiers: Vec<&TierFigures> = usage.tiers_on(host).collect();
    let generates = record.is_some_and(|record| record.roles.iter().any(|role| role == "client"));
    let names = if generates { "the load generator".to_owned() } else { enumerate(&host.tiers) };
    // On a share of the machine, the laboratory joins the clients' network only, so its CPU is not part of the host's.
    let is_machine = host.steal_cores.is_some();
    let used = if generates && !is_machine { usage.generator_cpu } else { host.mean.cores };
    let of_quota = |cores: Option<f64>| match (cores, host.cpu.filter(|cpu| *cpu > 0.0)) {
        (Some(cores), Some(quota)) => percent(cores / quota),
        _ => "–".to_owned(),
    };
    let (user, system) = halves(&tiers, used).unzip();
    let memory: u64 = tiers.iter().map(|tier| tier.proportional_bytes.unwrap_or(tier.resident_bytes)).sum();
    let [received, sent] = [host.mean.received_bytes_per_s, host.mean.sent_bytes_per_s].map(|bytes| {
        let bits = bytes.map(|bytes| 8.0 * bytes);
        let link = host.link_bits_per_s.filter(|bits| *bits > 0);
        let share = bits.zip(link).map(|(bits, link)| bits / link as f64);
        [known(bits, |bits| number::figure(bits / 1e6)), known(share, percent)]
    });
    let [[received, of_received], [sent, of_sent]] = [received, sent];
    let cells = [
        known(host.cpu, number::figure),
        number::figure(used),
        of_quota(Some(used)),
        of_quota(user),
        of_quota(system),
        if tiers.is_empty() { "–".to_owned() } else { number::bytes(memory) },
        known(record.and_then(|record| record.memory_bytes), number::bytes),
        received,
        of_received,
        sent,
        of_sent,
    ];
    let link = link(&host.mean.per_interaction(usage.throughput));
    HostRow { configuration: None, host: host.mean.name.clone(), tiers: names, cells, link }
}

/// Per interaction: KiB and packets received, KiB and packets sent.
pub(crate) fn link(each: &LinkPerInteraction) -> Option<[String; 4]> {
    let kibibytes = |bytes: Option<f64>| known(bytes, |bytes| number::figure(bytes / 1024.0));
    let packets = |packets: Option<f64>| known(packets, number::figure);
    each.is_known().then(|| {
        [
            kibibytes(each.received_bytes),
            packets(each.received_packets),
            kibibytes(each.sent_bytes),
            packets(each.sent_packets),
        ]
    })
}

/// User and system CPU of a host, in cores, from its tiers; none without tiers.
fn halves(tiers: &[&TierFigures], used: f64) -> Option<(f64, f64)> {
    let sums = tiers.iter().map(|tier| split(tier, tier.cores));
    let (user, system) = sums.reduce(|one, other| (one.0 + other.0, one.1 + other.1))?;
    let both = user + system;
    (both > 0.0).then(|| (used * user / both, used * system / both))
}

fn known<T>(value: Option<T>, say: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), say)
}

fn percent(share: f64) -> String {
    format!("{} %", number::figure(100.0 * share))
}
