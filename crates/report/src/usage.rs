//! Resource usage of tiers, hosts and the laboratory under load.

use crate::{
    bottleneck::{Bottleneck, bottleneck, title},
    runs::{Estimate, estimate, mean, mean_throughput},
    traffic,
};
use results::{
    Gauge, GaugeRole, HostFigures, HostSample, HostUsageFigures, HostUsageSample, Point, Sample,
    TestbedRecord, TierFigures, TierSample,
};

/// Usage at one load, averaged over its runs.
#[derive(Debug, Clone)]
pub struct Usage {
    /// Completed interactions per second, the divisor of figures per interaction.
    pub throughput: f64,
    pub tiers: Vec<TierFigures>,
    /// CPU milliseconds of all tiers per interaction, with an interval from three runs on.
    pub cpu_ms: Estimate,
    pub host: HostFigures,
    /// Hosts of the testbed, where it has namespaces.
    pub hosts: Vec<HostUsageFigures>,
    /// CPU of the generator as a share of one core.
    pub generator_cpu: f64,
    /// CPU of the samplers as a share of one core.
    pub sampler_cpu: f64,
}

impl Usage {
    /// CPU of all tiers as a share of one core.
    pub fn cores(&self) -> f64 {
        self.tiers.iter().map(|tier| tier.cores).sum()
    }

    pub fn tiers_on<'a>(&'a self, host: &'a HostUsageFigures) -> impl Iterator<Item = &'a TierFigures> {
        self.tiers.iter().filter(|tier| host.tiers.contains(&title(tier)))
    }

    /// Statements to all stores per interaction; none where no store counts them.
    pub fn statements(&self) -> Option<f64> {
        traffic::of_all(&self.tiers, &GaugeRole::Statements, self.throughput)
    }

    /// Round trips to the stores per interaction; likewise.
    pub fn round_trips(&self) -> Option<f64> {
        traffic::of_all(&self.tiers, &GaugeRole::RoundTrips, self.throughput)
    }

    pub fn bottleneck(&self, testbed: Option<&TestbedRecord>) -> Bottleneck {
        bottleneck(&self.tiers, &self.host, &self.hosts, testbed, self.generator_cpu)
    }
}

pub(crate) fn usage(runs: &[&Point]) -> Usage {
    let cpu_ms_of_runs: Vec<f64> = runs.iter().map(|run| cpu_ms(run)).collect();
    Usage {
        throughput: mean_throughput(runs),
        tiers: tiers(runs),
        cpu_ms: estimate(&cpu_ms_of_runs, &[]),
        host: HostFigures { cores: runs.first().map_or(0, |run| run.host.cores), mean: mean_host(runs) },
        hosts: shares(runs),
        generator_cpu: mean(runs, |run| run.generator_cpu),
        sampler_cpu: mean(runs, |run| run.sampler_cpu),
    }
}

pub(crate) fn cpu_ms(point: &Point) -> f64 {
    point.tiers.iter().map(|tier| tier.cpu_ms_per_interaction).sum()
}

/// A tier's CPU, in any unit, as user and system part.
pub(crate) fn split(tier: &TierFigures, all: f64) -> (f64, f64) {
    let seconds = tier.cpu_user_s + tier.cpu_system_s;
    let user = if seconds > 0.0 { all * tier.cpu_user_s / seconds } else { all };
    (user, all - user)
}

fn mean_host(runs: &[&Point]) -> HostSample {
    let of = |figure: fn(&HostSample) -> f64| mean(runs, |run| figure(&run.host.mean));
    let known = |figure: fn(&HostSample) -> Option<f64>| {
        let figures: Option<Vec<f64>> = runs.iter().map(|run| figure(&run.host.mean)).collect();
        figures.map(|figures| figures.iter().sum::<f64>() / figures.len() as f64)
    };
    HostSample {
        busy_cores: of(|host| host.busy_cores),
        other_processes_cores: of(|host| host.other_processes_cores),
        steal_cores: of(|host| host.steal_cores),
        awake_cores: of(|host| host.awake_cores),
        network_bytes_per_s: of(|host| host.network_bytes_per_s),
        disk_read_bytes_per_s: known(|host| host.disk_read_bytes_per_s),
        disk_written_bytes_per_s: known(|host| host.disk_written_bytes_per_s),
        available_bytes: of(|host| host.available_bytes as f64) as u64,
    }
}

/// Hosts of the first run, averaged over the runs that have them.
fn shares(runs: &[&Point]) -> Vec<HostUsageFigures> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mean_of = |known: &HostUsageFigures| {
        let same = || runs.iter().flat_map(|run| &run.hosts).filter(|host| host.mean.name == known.mean.name);
        let mean = |figure: fn(&HostUsageSample) -> Option<f64>| {
            let figures: Option<Vec<f64>> = same().map(|host| figure(&host.mean)).collect();
            figures.map(|figures| figures.iter().sum::<f64>() / figures.len() as f64)
        };
        let means = HostUsageSample {
            name: known.mean.name.clone(),
            cores: mean(|host| Some(host.cores)).unwrap_or_default(),
            received_bytes_per_s: mean(|host| host.received_bytes_per_s),
            sent_bytes_per_s: mean(|host| host.sent_bytes_per_s),
            received_packets_per_s: mean(|host| host.received_packets_per_s),
            sent_packets_per_s: mean(|host| host.sent_packets_per_s),
            page_faults_per_s: mean(|host| host.page_faults_per_s),
        };
        HostUsageFigures { mean: means, ..known.clone() }
    };
    first.hosts.iter().map(mean_of).collect()
}

/// Tiers of the first run, averaged over the runs that have them.
fn tiers(runs: &[&Point]) -> Vec<TierFigures> {
    let Some(first) = runs.first() else { return Vec::new() };
    let same =
        |tier: &TierFigures, known: &TierFigures| tier.role == known.role && tier.service == known.service;
    let all = |known: &TierFigures| -> Vec<&TierFigures> {
        runs.iter().flat_map(|run| run.tiers.iter().find(|tier| same(tier, known))).collect()
    };
    first.tiers.iter().map(|tier| mean_tier(&all(tier))).collect()
}

fn mean_tier(runs: &[&TierFigures]) -> TierFigures {
    let of = |figure: fn(&TierFigures) -> f64| {
        runs.iter().map(|tier| figure(tier)).sum::<f64>() / runs.len() as f64
    };
    let proportional: Option<Vec<u64>> = runs.iter().map(|tier| tier.proportional_bytes).collect();
    TierFigures {
        cpu_user_s: of(|tier| tier.cpu_user_s),
        cpu_system_s: of(|tier| tier.cpu_system_s),
        cpu_ms_per_interaction: of(|tier| tier.cpu_ms_per_interaction),
        cores: of(|tier| tier.cores),
        resident_bytes: of(|tier| tier.resident_bytes as f64) as u64,
        proportional_bytes: proportional.map(|bytes| bytes.iter().sum::<u64>() / bytes.len().max(1) as u64),
        processes: of(|tier| tier.processes.into()).round() as u32,
        threads: of(|tier| tier.threads.into()).round() as u32,
        minor_faults_per_s: of(|tier| tier.minor_faults_per_s),
        major_faults_per_s: of(|tier| tier.major_faults_per_s),
        switches_per_s: of(|tier| tier.switches_per_s),
        disk_read_bytes_per_s: of(|tier| tier.disk_read_bytes_per_s),
        disk_written_bytes_per_s: of(|tier| tier.disk_written_bytes_per_s),
        gauges: gauges(runs),
        ..runs[0].clone()
    }
}

fn gauges(runs: &[&TierFigures]) -> Vec<Gauge> {
    let merged = |first: &Gauge| {
        let all = || runs.iter().flat_map(|tier| &tier.gauges).filter(|gauge| gauge.name == first.name);
        Gauge {
            mean: all().map(|gauge| gauge.mean).sum::<f64>() / all().count() as f64,
            max: all().map(|gauge| gauge.max).fold(f64::MIN, f64::max),
            ..first.clone()
        }
    };
    runs[0].gauges.iter().map(merged).collect()
}

/// The bottleneck in some seconds of a point; none without samples of them.
pub(crate) fn bottleneck_over(point: &Point, samples: &[&Sample]) -> Option<Bottleneck> {
    let tiers: Vec<TierFigures> = point.tiers.iter().map(|tier| tier_over(tier, samples)).collect();
    let hosts: Vec<HostUsageFigures> = point.hosts.iter().map(|host| share_over(host, samples)).collect();
    let of = |figure: fn(&HostSample) -> f64| mean_over(samples, |sample| Some(figure(&sample.host)));
    let sampled = HostSample {
        busy_cores: of(|host| host.busy_cores)?,
        other_processes_cores: of(|host| host.other_processes_cores)?,
        ..point.host.mean
    };
    let host = HostFigures { mean: sampled, ..point.host };
    Some(bottleneck(&tiers, &host, &hosts, None, point.generator_cpu))
}

/// Mean over samples weighted by length, of those with a value.
fn mean_over(samples: &[&Sample], figure: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
    let told = samples.iter().filter_map(|sample| Some((figure(sample)?, sample.length_s)));
    let (sum, length_s) =
        told.fold((0.0, 0.0), |(sum, all_s), (value, length_s)| (sum + value * length_s, all_s + length_s));
    (length_s > 0.0).then(|| sum / length_s)
}

fn tier_over(tier: &TierFigures, samples: &[&Sample]) -> TierFigures {
    let same = |other: &&TierSample| other.role == tier.role && other.service == tier.service;
    let of = |figure: &dyn Fn(&TierSample) -> Option<f64>| {
        mean_over(samples, |sample| figure(sample.tiers.iter().find(same)?))
    };
    let gauge = |gauge: &Gauge| Gauge {
        mean: of(&|sample| sample.gauges.get(&gauge.name).copied()).unwrap_or(gauge.mean),
        ..gauge.clone()
    };
    TierFigures {
        cores: of(&|sample| Some(sample.user_cores + sample.system_cores)).unwrap_or(tier.cores),
        gauges: tier.gauges.iter().map(gauge).collect(),
        ..tier.clone()
    }
}

fn share_over(host: &HostUsageFigures, samples: &[&Sample]) -> HostUsageFigures {
    let of = |figure: fn(&HostUsageSample) -> Option<f64>| {
        mean_over(samples, |sample| figure(sample.hosts.iter().find(|other| other.name == host.mean.name)?))
    };
    let sampled = HostUsageSample {
        name: host.mean.name.clone(),
        cores: of(|host| Some(host.cores)).unwrap_or(host.mean.cores),
        received_bytes_per_s: of(|host| host.received_bytes_per_s),
        sent_bytes_per_s: of(|host| host.sent_bytes_per_s),
        received_packets_per_s: of(|host| host.received_packets_per_s),
        sent_packets_per_s: of(|host| host.sent_packets_per_s),
        page_faults_per_s: of(|host| host.page_faults_per_s),
    };
    HostUsageFigures { mean: sampled, ..host.clone() }
}
