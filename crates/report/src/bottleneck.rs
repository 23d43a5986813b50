//! The bottleneck of a configuration, derived from the samples at its peak.
//!
//! Busy processors make requests wait for workers or locks, so the machine's CPU is examined
//! first. Otherwise requests wait for locks, or for a worker, a child or a connection of an exhausted pool. Of
//! several such pools the one nearest to the data is named: all tiers before it wait for it. A garbage collector
//! comes before all of these: while it works its tier stands still, and its CPU serves nobody.
//!
//! Tiers may run on hosts of a testbed: each host's CPU is then compared with its quota and its traffic with the link's
//! speed. Requests that wait for a full link hold locks and workers, so the link comes before them.

use crate::{
    number,
    words::{enumerate, several},
};
use results::{
    Gauge, GaugeRole, HostFigures, HostRecord, HostUsageFigures, HostUsageSample, Separation, TestbedRecord,
    TierFigures,
};
use std::fmt::{self, Write};

/// From this share of its CPU on, a host, machine or quota is saturated: by the utilization law (U = X·D: throughput times
/// CPU per interaction, in the same window), one whose CPU is the limit uses all of it. Its service demand then bounds the
/// throughput for any number of clients (asymptotic bound: Denning and Buzen, Computing Surveys 10, 1978), if the demand
/// does not fall with more clients.
pub const CPU_SATURATED: f64 = 0.93;
/// Role of the host with the load generator.
const CLIENT: &str = "client";
/// Links count the headers of segmented frames once, and large pages leave gaps: a full link shows 90 to 96 % of its
/// speed.
pub const LINK_BUSY: f64 = 0.85;
/// The generator is single-threaded, and its points are INVALID from 0.8 of a core on.
const GENERATOR_BUSY: f64 = 0.7;
/// Limit of collector pauses in per cent of the time. Java's default collector (G1) aims at less than a thirteenth,
/// 7.7 %.
const COLLECTING: f64 = 10.0;
/// A pool is often exhausted from this mean share in use on.
const POOL_BUSY: f64 = 0.9;
/// Locks limit a store, and a pool its users, if on average at least this many wait …
const WAITING: f64 = 1.0;
/// … and, for a store, if at least this share of all its running statements waits.
const WAITING_SHARE: f64 = 0.5;

/// Clients who are answered at once ask for one interaction per think time; from this share of that rate on they
/// hardly wait.
const SERVED: f64 = 0.9;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bottleneck {
    /// None if no sampled resource was near its limit.
    pub cause: Option<Cause>,
    /// The figures that show it: `1.94 of 2 cores busy, 1.21 of it by app (php-fpm)`.
    pub evidence: String,
    /// True if the site served all that clients asked for, so that no resource need be near its limit.
    pub is_served: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Machine,
    Generator,
    HostCpu(String),
    Link(String),
    /// A garbage collector that stops its tier.
    Collector(TierName),
    Locks(String, TierName),
    Pool(String, TierName),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierName {
    /// `web`, `app`, `db`, …
    pub role: String,
    pub service: String,
}

impl TierName {
    fn of(tier: &TierFigures) -> Self {
        Self { role: tier.role.clone(), service: tier.service.clone() }
    }
}

/// `web (apache)`
impl fmt::Display for TierName {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{} ({})", self.role, self.service)
    }
}

/// `the CPU of this machine`, `the workers of web (apache)`
impl fmt::Display for Cause {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine => text.write_str("the CPU of this machine"),
            Self::Generator => text.write_str("the load generator"),
            Self::HostCpu(host) => write!(text, "the CPU of {host}"),
            Self::Link(host) => write!(text, "the link of {host}"),
            Self::Collector(tier) => write!(text, "the garbage collector of {tier}"),
            Self::Locks(what, tier) => write!(text, "{what} of {tier}"),
            Self::Pool(what, tier) => write!(text, "the {what} of {tier}"),
        }
    }
}

impl Bottleneck {
    /// `limited by the CPU of this machine: 1.94 of 2 cores busy, 1.21 of it by app (php-fpm)`.
    pub fn sentence(&self) -> String {
        match &self.cause {
            Some(cause) => format!("limited by {cause}: {}", self.evidence),
            None if self.is_served => self.evidence.clone(),
            None => format!("what limits it is not known: {}", self.evidence),
        }
    }

    /// The same for a load of `clients` with a mean think time: without an exhausted resource, and with all requests
    /// served, more clients are needed.
    pub(crate) fn at(self, clients: u32, think_s: f64, throughput: f64) -> Self {
        let is_served = self.cause.is_none() && throughput * think_s >= SERVED * f64::from(clients);
        let all = format!("served all that {} ask for; add clients", several(clients, "client"));
        let evidence = if is_served { all } else { self.evidence };
        Self { is_served, evidence, ..self }
    }

    fn new(cause: Cause, evidence: String) -> Self {
        Self { cause: Some(cause), evidence, is_served: false }
    }
}

/// The bottleneck behind these figures. Tiers are in start order, so the one with the data comes first.
pub(crate) fn bottleneck(
    tiers: &[TierFigures],
    host: &HostFigures,
    shares: &[HostUsageFigures],
    testbed: Option<&TestbedRecord>,
    generator_cpu: f64,
) -> Bottleneck {
    tiers
        .iter()
        .find_map(collector)
        .or_else(|| quota(shares))
        .or_else(|| cores(tiers, testbed?))
        .or_else(|| processors(tiers, host, generator_cpu))
        .or_else(|| generator(generator_cpu))
        .or_else(|| link(shares))
        .or_else(|| tiers.iter().find_map(locks))
        .or_else(|| tiers.iter().find_map(pool))
        .unwrap_or_else(|| unknown(tiers, host))
}

fn collector(tier: &TierFigures) -> Option<Bottleneck> {
    let pauses = find(tier, &GaugeRole::CollectorPause).filter(|gauge| gauge.mean >= COLLECTING)?;
    let evidence = format!("it paused the tier for {} % of the time", number::figure(pauses.mean));
    Some(Bottleneck::new(Cause::Collector(TierName::of(tier)), evidence))
}

fn find<'a>(tier: &'a TierFigures, role: &GaugeRole) -> Option<&'a Gauge> {
    tier.gauges.iter().find(|gauge| gauge.role == *role)
}

/// The host that uses most of its quota.
fn quota(shares: &[HostUsageFigures]) -> Option<Bottleneck> {
    let (most, host) = fullest(shares, HostUsageFigures::cpu_use)?;
    if most < CPU_SATURATED {
        return None;
    }
    let [used, promised] = [host.mean.cores, host.cpu?].map(number::figure);
    let evidence = format!("{used} of its {promised} cores busy{}", with_tiers(host));
    Some(Bottleneck::new(Cause::HostCpu(host.mean.name.clone()), evidence))
}

fn cores(tiers: &[TierFigures], testbed: &TestbedRecord) -> Option<Bottleneck> {
    let servers: Vec<&HostRecord> =
        testbed.hosts.iter().filter(|host| !host.roles.iter().any(|role| role == CLIENT)).collect();
    // A single host has all tiers, whatever its roles.
    let is_only = |host: &HostRecord| matches!(servers.as_slice(), [only] if only.name == host.name);
    let busy = |host: &HostRecord| {
        let own = tiers.iter().filter(|tier| host.roles.contains(&tier.role) || is_only(host));
        let (busy, titles): (Vec<f64>, Vec<String>) = own.map(|tier| (tier.cores, title(tier))).unzip();
        (busy.iter().sum::<f64>(), titles)
    };
    let hosts = testbed
        .hosts
        .iter()
        .filter(|_| testbed.separation == Separation::Cores)
        .map(|host| (host, busy(host)));
    let (host, (busy, titles)) = hosts.max_by(|one, other| {
        let use_of = |(host, (busy, _)): &(&HostRecord, (f64, _))| busy / host.cores.len().max(1) as f64;
        use_of(one).total_cmp(&use_of(other))
    })?;
    if busy < CPU_SATURATED * host.cores.len() as f64 {
        return None;
    }
    let (busy, cores) = (number::figure(busy), several(host.cores.len(), "core"));
    let evidence = format!("{busy} of its {cores} busy, with {}", enumerate(&titles));
    Some(Bottleneck::new(Cause::HostCpu(host.name.clone()), evidence))
}

fn link(shares: &[HostUsageFigures]) -> Option<Bottleneck> {
    let (most, host) = fullest(shares, HostUsageFigures::link_use)?;
    if most < LINK_BUSY {
        return None;
    }
    let speed = number::setting(host.link_bits_per_s? as f64 / 1e6);
    let HostUsageSample { received_bytes_per_s: received, sent_bytes_per_s: sent, name, .. } = &host.mean;
    let way = if sent > received { "sent" } else { "received" };
    let carried = number::figure(most * host.link_bits_per_s? as f64 / 1e6);
    let evidence = format!("{carried} of {speed} Mbit/s {way}{}", with_tiers(host));
    Some(Bottleneck::new(Cause::Link(name.clone()), evidence))
}

fn fullest(
    shares: &[HostUsageFigures],
    fullness: fn(&HostUsageFigures) -> Option<f64>,
) -> Option<(f64, &HostUsageFigures)> {
    let known = shares.iter().filter_map(|host| Some((fullness(host)?, host)));
    known.max_by(|one, other| one.0.total_cmp(&other.0))
}

fn with_tiers(host: &HostUsageFigures) -> String {
    if host.tiers.is_empty() { String::new() } else { format!(", with {}", enumerate(&host.tiers)) }
}

fn processors(tiers: &[TierFigures], host: &HostFigures, generator_cpu: f64) -> Option<Bottleneck> {
    let (busy, cores) = (host.mean.busy_cores, f64::from(host.cores));
    if host.cores == 0 || busy < CPU_SATURATED * cores {
        return None;
    }
    let users = tiers.iter().map(|tier| (tier.cores, title(tier)));
    let others = [
        (generator_cpu, "the load generator".to_owned()),
        (host.mean.other_processes_cores, "other programs".to_owned()),
    ];
    let (most, user) = users.chain(others).max_by(|one, other| one.0.total_cmp(&other.0))?;
    let cores = several(host.cores, "core");
    let evidence =
        format!("{} of {cores} busy, {} of it by {user}", number::figure(busy), number::figure(most));
    Some(Bottleneck::new(Cause::Machine, evidence))
}

fn generator(cpu: f64) -> Option<Bottleneck> {
    let evidence = || format!("{} of its one core busy", number::figure(cpu));
    (cpu >= GENERATOR_BUSY).then(|| Bottleneck::new(Cause::Generator, evidence()))
}

fn locks(tier: &TierFigures) -> Option<Bottleneck> {
    let waits = tier.gauges.iter().filter_map(|gauge| match &gauge.role {
        GaugeRole::LockWait(what) => Some((what, gauge.mean)),
        _ => None,
    });
    let (what, waiting) = waits.max_by(|one, other| one.1.total_cmp(&other.1))?;
    let running = find(tier, &GaugeRole::RunningStatements).map(|gauge| gauge.mean);
    if waiting < WAITING || running.is_some_and(|all| waiting < WAITING_SHARE * all) {
        return None;
    }
    let of_all = running.map_or_else(String::new, |all| format!(" of {}", number::figure(all.max(waiting))));
    let evidence = format!("on average {}{of_all} running statements waiting", number::figure(waiting));
    Some(Bottleneck::new(Cause::Locks(what.clone(), TierName::of(tier)), evidence))
}

/// The first exhausted pool of a tier.
fn pool(tier: &TierFigures) -> Option<Bottleneck> {
    tier.gauges.iter().find_map(|gauge| match &gauge.role {
        GaugeRole::Pool(what) => used_up(tier, gauge, what),
        _ => None,
    })
}

fn used_up(tier: &TierFigures, gauge: &Gauge, what: &str) -> Option<Bottleneck> {
    let limit = gauge.limit.filter(|limit| *limit > 0.0)?;
    let queue = find(tier, &GaugeRole::Queue(what.to_owned()));
    let waiting = queue.map_or(0.0, |gauge| gauge.mean);
    if gauge.mean < POOL_BUSY * limit && waiting < WAITING {
        return None;
    }
    let (busy, limit) = (number::figure(gauge.mean), number::setting(limit));
    let mut evidence = format!("{busy} of {limit} busy");
    if waiting >= WAITING {
        let _ = write!(evidence, ", on average {} requests waiting", number::figure(waiting));
    }
    Some(Bottleneck::new(Cause::Pool(what.to_owned(), TierName::of(tier)), evidence))
}

fn unknown(tiers: &[TierFigures], host: &HostFigures) -> Bottleneck {
    let evidence = match (tiers, host.cores) {
        ([], 0) => "tiers and machine were not sampled",
        ([], _) => "its tiers were not sampled",
        (tiers, 0) if tiers.iter().all(|tier| tier.gauges.is_empty()) => "tiers and machine were not sampled",
        _ => "nothing that is sampled was near its limit",
    };
    Bottleneck { cause: None, evidence: evidence.to_owned(), is_served: false }
}

pub(crate) fn title(tier: &TierFigures) -> String {
    TierName::of(tier).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use results::HostSample;

    fn tier(role: &str, service: &str, cores: f64, gauges: &[(GaugeRole, f64, Option<f64>)]) -> TierFigures {
        TierFigures {
            role: role.into(),
            service: service.into(),
            cores,
            processes: 1,
            threads: 1,
            gauges: gauges
                .iter()
                .map(|(role, mean, limit)| Gauge {
                    name: "a name is for people".into(),
                    role: role.clone(),
                    mean: *mean,
                    max: *mean,
                    limit: *limit,
                })
                .collect(),
            ..TierFigures::default()
        }
    }

    fn pool_of(what: &str) -> GaugeRole {
        GaugeRole::Pool(what.into())
    }

    fn waiting_for(what: &str) -> GaugeRole {
        GaugeRole::LockWait(what.into())
    }

    fn host(busy_cores: f64) -> HostFigures {
        HostFigures { cores: 2, mean: HostSample { busy_cores, ..HostSample::default() } }
    }

    fn site(waiting: f64, children: f64, workers: f64) -> Vec<TierFigures> {
        vec![
            tier(
                "db",
                "mariadb",
                0.4,
                &[
                    (GaugeRole::Connections, 32.0, Some(34.0)),
                    (GaugeRole::RunningStatements, 16.0, None),
                    (waiting_for("table locks"), waiting, None),
                ],
            ),
            tier("app", "php-fpm", 1.21, &[(pool_of("processes"), children, Some(16.0))]),
            tier("web", "apache", 0.2, &[(pool_of("workers"), workers, Some(32.0))]),
        ]
    }

    fn sentence(tiers: &[TierFigures], host: &HostFigures, generator_cpu: f64) -> String {
        bottleneck(tiers, host, &[], None, generator_cpu).sentence()
    }

    #[test]
    fn a_busy_machine_is_named_with_its_largest_user() {
        let expected =
            "limited by the CPU of this machine: 1.94 of 2 cores busy, 1.21 of it by app (php-fpm)";
        assert_eq!(sentence(&site(0.0, 4.0, 8.0), &host(1.94), 0.2), expected);
        let others =
            HostFigures { mean: HostSample { other_processes_cores: 1.5, ..host(1.94).mean }, ..host(1.94) };
        assert!(sentence(&site(0.0, 4.0, 8.0), &others, 0.2).ends_with("1.50 of it by other programs"));
        assert!(sentence(&[], &host(1.94), 1.6).ends_with("1.60 of it by the load generator"));
    }

    /// A host with 0.3 of a core and 100 Mbit/s.
    fn share(name: &str, cores: f64, received: f64, sent: f64) -> HostUsageFigures {
        let bytes = |mbit: f64| Some(mbit * 1e6 / 8.0);
        HostUsageFigures {
            mean: HostUsageSample {
                name: name.into(),
                cores,
                received_bytes_per_s: bytes(received),
                sent_bytes_per_s: bytes(sent),
                ..HostUsageSample::default()
            },
            tiers: vec![format!("{name} (apache)"), "app (php-fpm)".into()],
            cpu: Some(0.3),
            link_bits_per_s: Some(100_000_000),
            ..HostUsageFigures::default()
        }
    }

    #[test]
    fn a_host_that_uses_up_its_quota_is_named() {
        let sentence = |shares: &[HostUsageFigures]| {
            bottleneck(&site(14.0, 16.0, 32.0), &host(1.94), shares, None, 0.75).sentence()
        };
        assert_eq!(
            sentence(&[share("db", 0.28, 9.0, 9.0), share("web", 0.298, 1.0, 99.0)]),
            "limited by the CPU of web: 0.30 of its 0.30 cores busy, with web (apache) and app (php-fpm)"
        );
        assert!(sentence(&[share("web", 0.276, 1.0, 9.0)]).contains("the CPU of this machine"));
    }

    #[test]
    fn a_full_link_comes_before_locks_and_pools() {
        let sentence = |share: HostUsageFigures| {
            bottleneck(&site(14.0, 16.0, 32.0), &host(0.9), &[share], None, 0.2).sentence()
        };
        assert_eq!(
            sentence(share("web", 0.2, 1.0, 93.0)),
            "limited by the link of web: 93.0 of 100 Mbit/s sent, with web (apache) and app (php-fpm)"
        );
        let alone = HostUsageFigures { tiers: Vec::new(), ..share("client", 0.0, 90.0, 1.0) };
        assert_eq!(sentence(alone), "limited by the link of client: 90.0 of 100 Mbit/s received");
        assert!(sentence(share("web", 0.2, 1.0, 84.0)).contains("table locks"));
        let unlimited = HostUsageFigures { link_bits_per_s: None, ..share("web", 0.2, 1.0, 99.0) };
        assert!(sentence(unlimited).contains("table locks"));
    }

    fn record(name: &str, core: u32) -> HostRecord {
        HostRecord { cores: vec![core], ..specimens::host([name], None) }
    }

    #[test]
    fn the_only_host_beside_that_of_the_clients_has_all_tiers() {
        let testbed = TestbedRecord {
            title: String::new(),
            separation: Separation::Cores,
            hosts: vec![record("client", 0), record("servers", 1)],
        };
        let mut tiers = site(0.0, 4.0, 8.0);
        tiers[1].cores = 0.38;
        assert_eq!(
            bottleneck(&tiers, &host(1.3), &[], Some(&testbed), 0.2).sentence(),
            "limited by the CPU of servers: 0.98 of its 1 core busy, with db (mariadb), app (php-fpm) and web (apache)"
        );
    }

    #[test]
    fn a_host_made_of_cores_is_judged_by_those_cores() {
        let testbed = |separation| TestbedRecord {
            title: String::new(),
            separation,
            hosts: vec![record("app", 0), record("db", 1)],
        };
        let mut tiers = site(0.0, 4.0, 8.0);
        tiers[1].cores = 0.99;
        let sentence =
            |separation| bottleneck(&tiers, &host(1.3), &[], Some(&testbed(separation)), 0.2).sentence();
        assert_eq!(
            sentence(Separation::Cores),
            "limited by the CPU of app: 0.99 of its 1 core busy, with app (php-fpm)"
        );
        assert!(sentence(Separation::Namespaces).contains("not known"));
    }

    #[test]
    fn a_site_that_answers_all_its_clients_needs_more_of_them() {
        let at = |throughput| {
            bottleneck(&site(0.0, 4.0, 8.0), &host(0.9), &[], None, 0.2).at(800, 7.0, throughput).sentence()
        };
        assert_eq!(at(110.0), "served all that 800 clients ask for; add clients");
        assert!(at(60.0).contains("not known"));
        let busy = bottleneck(&[], &host(1.94), &[], None, 0.2).at(800, 7.0, 114.0).sentence();
        assert!(busy.contains("the CPU of this machine"));
    }

    #[test]
    fn a_busy_cpu_comes_before_locks_and_pools() {
        assert!(sentence(&site(14.0, 16.0, 32.0), &host(1.94), 0.2).contains("the CPU of this machine"));
    }

    #[test]
    fn the_load_generator_is_named_when_its_core_is_busy() {
        assert_eq!(
            sentence(&site(0.0, 4.0, 8.0), &host(1.5), 0.75),
            "limited by the load generator: 0.75 of its one core busy"
        );
        assert!(sentence(&site(0.0, 4.0, 8.0), &host(1.5), 0.69).contains("not known"));
    }

    #[test]
    fn locks_come_before_pools() {
        let expected =
            "limited by table locks of db (mariadb): on average 14.2 of 16.0 running statements waiting";
        assert_eq!(sentence(&site(14.2, 16.0, 32.0), &host(0.9), 0.2), expected);
        let few = sentence(&site(7.9, 4.0, 8.0), &host(0.9), 0.2);
        assert!(few.contains("not known"), "{few}");
        let alone = [tier("db", "mariadb", 0.1, &[(waiting_for("row locks"), 1.5, None)])];
        assert_eq!(
            sentence(&alone, &host(0.9), 0.2),
            "limited by row locks of db (mariadb): on average 1.50 running statements waiting"
        );
    }

    #[test]
    fn of_several_full_pools_the_one_nearest_to_the_data_is_named() {
        let workers = sentence(&site(0.0, 10.0, 32.0), &host(0.9), 0.2);
        assert_eq!(workers, "limited by the workers of web (apache): 32.0 of 32 busy");
        let both = sentence(&site(0.0, 15.0, 32.0), &host(0.9), 0.2);
        assert_eq!(both, "limited by the processes of app (php-fpm): 15.0 of 16 busy");
    }

    fn tomcat(pauses: f64, threads: f64, connections: f64, waiting: f64) -> Vec<TierFigures> {
        vec![
            tier("db", "mariadb", 0.4, &[(GaugeRole::RunningStatements, connections, None)]),
            tier(
                "app",
                "tomcat",
                0.5,
                &[
                    (pool_of("connections"), connections, Some(8.0)),
                    (pool_of("threads"), threads, Some(200.0)),
                    (GaugeRole::CollectorPause, pauses, None),
                    (GaugeRole::Information, 500.0, Some(512.0)),
                    (GaugeRole::Queue("connections".into()), waiting, None),
                ],
            ),
        ]
    }

    #[test]
    fn a_full_connection_pool_is_named_with_its_waiting_requests() {
        let full = sentence(&tomcat(1.0, 200.0, 7.9, 192.0), &host(0.9), 0.2);
        assert_eq!(
            full,
            "limited by the connections of app (tomcat): 7.90 of 8 busy, on average 192 requests waiting"
        );
        // All are often in use, even if not on average.
        assert!(sentence(&tomcat(1.0, 20.0, 6.0, 3.0), &host(0.9), 0.2).contains("the connections of app"));
        let threads = sentence(&tomcat(1.0, 199.0, 4.0, 0.0), &host(0.9), 0.2);
        assert_eq!(threads, "limited by the threads of app (tomcat): 199 of 200 busy");
        // A full heap waits for its collector.
        assert!(sentence(&tomcat(1.0, 20.0, 4.0, 0.2), &host(0.9), 0.2).contains("not known"));
    }

    #[test]
    fn garbage_collection_comes_before_the_cpu() {
        let expected =
            "limited by the garbage collector of app (tomcat): it paused the tier for 23.0 % of the time";
        assert_eq!(sentence(&tomcat(23.0, 200.0, 8.0, 9.0), &host(1.98), 0.2), expected);
        assert!(sentence(&tomcat(9.9, 20.0, 4.0, 0.0), &host(1.98), 0.2).contains("CPU of this machine"));
    }

    #[test]
    fn without_a_saturated_resource_no_bottleneck_is_named() {
        let nothing = bottleneck(&site(0.0, 4.0, 8.0), &host(0.9), &[], None, 0.2);
        assert_eq!(nothing.cause, None);
        assert!(nothing.sentence().ends_with("nothing that is sampled was near its limit"));
        let unseen = bottleneck(&[], &HostFigures::default(), &[], None, 0.2).sentence();
        assert!(unseen.ends_with("tiers and machine were not sampled"), "{unseen}");
    }
}
