//! Sampling of a running site's tiers, services and machine, per second and over a window.

use crate::{
    Site,
    shares::{self, Shares, share},
};
use results::{Gauge, GaugeRole, HostFigures, HostSample, HostUsageFigures, Sample, TierFigures, TierSample};
use services::{Monitor, Readings, Tally};
use std::{ops::Add, sync::Arc, time::Duration};
use testbed::{
    DetailedCounters, HostRates, SystemCounters, SystemMeter, TierCounters, TierMeter, TierUsage,
    thread_cpu_s,
};

/// Samples the tiers of a running site. It borrows nothing, so any thread may drive it; threads of its own sample the
/// services.
pub struct Sampling {
    tiers: Vec<Tier>,
    accounts: SystemMeter,
    shares: Shares,
    last: SystemCounters,
    open: Option<Edge>,
    stretches: Vec<Stretch>,
    /// CPU seconds of sampling, without the monitors' threads.
    cpu_s: f64,
}

struct Tier {
    role: String,
    service: String,
    is_store: bool,
    /// True if its figures are among the site's; those of a dependency are not.
    is_measured: bool,
    /// The service's monitor, or the reason why there is none.
    watch: Result<Option<Monitor>, String>,
    readings: Readings,
    /// The readings before the last stretch.
    before: Readings,
    open: Readings,
    /// Connections in the last sample; 0 if unknown.
    connections: f64,
    threads: u32,
}

impl Tier {
    fn watch(&self) -> Option<&Monitor> {
        self.watch.as_ref().ok()?.as_ref()
    }

    fn close(&mut self, counters: &DetailedCounters) {
        self.before = self.readings.clone();
        self.readings = std::mem::take(&mut self.readings).and(std::mem::take(&mut self.open));
        self.threads = counters.threads;
    }

    fn missing(&self, length_s: f64) -> Option<String> {
        match &self.watch {
            Err(fault) => Some(format!("The service can't be asked how it is: {fault}.")),
            Ok(watch) => missing(&self.readings, watch.as_ref()?.pace(), length_s),
        }
    }
}

fn connections(readings: &Readings) -> f64 {
    let open = readings.gauges.values().filter(|tally| tally.role == GaugeRole::Connections);
    open.map(Tally::mean).sum()
}

/// Share of late answers that is not reported: means hardly change by them.
const FEW: f64 = 0.05;

fn missing(readings: &Readings, pace: Duration, length_s: f64) -> Option<String> {
    let due = (length_s / pace.as_secs_f64()).round() as u32;
    let missing = due.saturating_sub(readings.answers);
    // One may fall on either edge of the window.
    let matters = missing > 1 && f64::from(missing) > FEW * f64::from(due);
    let samples = format!("{} of {due} samples of the service are missing", missing.max(1));
    match &readings.fault {
        Some(fault) => Some(format!("{samples}. The last time it did not say how it is: {fault}.")),
        None => matters.then(|| format!("{samples}, for its answers took too long.")),
    }
}

struct Edge {
    look: SystemCounters,
    detailed: Vec<DetailedCounters>,
    sampler_cpu_s: f64,
}

struct Stretch {
    host: HostUse,
    tiers: Vec<TierUsage>,
    hosts: Vec<HostUsageFigures>,
    sampler_cpu_s: f64,
}

/// The machine's activity over some time.
#[derive(Clone, Copy)]
struct HostUse {
    rates: HostRates,
    /// CPU seconds of the tiers, and of the laboratory.
    tiers_s: f64,
    laboratory_s: f64,
}

impl HostUse {
    fn between(then: &SystemCounters, now: &SystemCounters) -> Self {
        // Tiers on another machine take nothing from this one.
        let used = |now: &TierCounters, then: &TierCounters| match now.is_elsewhere {
            true => 0.0,
            false => (now.cpu.total_s - then.cpu.total_s).max(0.0),
        };
        Self {
            rates: now.host.since(&then.host),
            tiers_s: now.tiers.iter().zip(&then.tiers).map(|(now, then)| used(now, then)).sum(),
            laboratory_s: (now.laboratory_s - then.laboratory_s).max(0.0),
        }
    }

    fn and(self, later: Self) -> Self {
        Self {
            rates: self.rates + later.rates,
            tiers_s: self.tiers_s + later.tiers_s,
            laboratory_s: self.laboratory_s + later.laboratory_s,
        }
    }

    fn sample(self, available_bytes: u64) -> HostSample {
        let Self { rates: host, tiers_s, laboratory_s } = self;
        let per_s = |of: f64| share(of, host.length_s);
        HostSample {
            busy_cores: per_s(host.busy_s),
            other_processes_cores: per_s((host.busy_s - host.interrupts_s - tiers_s - laboratory_s).max(0.0)),
            steal_cores: per_s(host.steal_s),
            awake_cores: per_s(host.awake_s),
            network_bytes_per_s: per_s(host.network_bytes as f64),
            disk_read_bytes_per_s: host.disk_bytes.map(|(read, _)| per_s(read as f64)),
            disk_written_bytes_per_s: host.disk_bytes.map(|(_, written)| per_s(written as f64)),
            available_bytes,
        }
    }
}

/// Samples over a window: over all stretches together, and in each.
#[derive(Debug, Clone)]
pub struct Sampled {
    pub tiers: Vec<TierFigures>,
    /// The machine; with a testbed, those of its cores that hosts may use.
    pub host: HostFigures,
    pub hosts: Vec<HostUsageFigures>,
    /// CPU of the samplers as a share of one core.
    pub sampler_cpu: f64,
    pub stretches: Vec<StretchUse>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StretchUse {
    /// CPU seconds of each tier, in the order of [`Sampled::tiers`].
    pub cpu_s: Vec<f64>,
    /// Stolen CPU time, in cores.
    pub steal_cores: f64,
    pub other_processes_cores: f64,
}

impl Sampling {
    pub fn begin(site: &Site<'_>) -> Self {
        let start = thread_cpu_s();
        let instances = site.instances();
        let tier = |(index, instance): (usize, &services::Instance)| Tier {
            role: instance.role().to_owned(),
            service: instance.service().name.clone(),
            is_store: instance.service().store().is_some(),
            is_measured: site.is_measured(index),
            watch: instance.watch().map_err(|fault| fault.to_string()),
            readings: Readings::default(),
            before: Readings::default(),
            open: Readings::default(),
            connections: 0.0,
            threads: 0,
        };
        // A stopped tier's account stays empty: no process has this number.
        let meter = |instance: &services::Instance| {
            TierMeter::of_host(instance.place(), instance.supervisor().unwrap_or(u32::MAX))
        };
        let mut accounts = SystemMeter::of_tiers(instances.iter().map(meter)).on_cores(site.cores());
        let shares = Shares::begin(site.hosts(), instances);
        let last = accounts.sample();
        let tiers = instances.iter().enumerate().map(tier).collect();
        let cpu_s = thread_cpu_s() - start;
        Self { tiers, accounts, shares, last, open: None, stretches: Vec::new(), cpu_s }
    }

    /// Begins to sample this machine alone, for an external site.
    pub fn of_machine() -> Self {
        let mut accounts = SystemMeter::of([]);
        let (last, shares) = (accounts.sample(), Shares::begin(None, &[]));
        Self { tiers: Vec::new(), accounts, shares, last, open: None, stretches: Vec::new(), cpu_s: 0.0 }
    }

    /// Number of cores that tiers and laboratory may use.
    pub fn cores(&self) -> u32 {
        self.last.host.cores
    }

    /// Connections of the stores in the last sample; 0 if unknown. Web servers count those of clients.
    pub fn store_connections(&self) -> f64 {
        let stores = self.tiers.iter().filter(|tier| tier.is_measured && tier.is_store);
        stores.map(|tier| tier.connections).sum()
    }

    /// A sample since the last call. Call it once a second; `at` is the time since the load began.
    pub fn tick(&mut self, at: Duration) -> Sample {
        self.measured(|sampling| sampling.sample(at))
    }

    /// Drops the time since the last call.
    pub fn skip(&mut self) {
        self.measured(|sampling| drop(sampling.sample(Duration::ZERO)));
    }

    /// Opens the window, or another stretch of it, in place of an open one. A tick as well.
    pub fn open_window(&mut self, at: Duration) -> Sample {
        self.measured(|sampling| {
            let sample = sampling.sample(at);
            sampling.shares.open_window();
            sampling.tiers.iter_mut().for_each(|tier| tier.open = Readings::default());
            sampling.open = Some(sampling.edge());
            sample
        })
    }

    /// Closes the window, or its open stretch. A tick as well.
    pub fn close_window(&mut self, at: Duration) -> Sample {
        self.measured(|sampling| {
            let sample = sampling.sample(at);
            let end = sampling.edge();
            let hosts = sampling.shares.figures();
            if let Some(begin) = sampling.open.take() {
                for (tier, counters) in sampling.tiers.iter_mut().zip(&end.detailed) {
                    tier.close(counters);
                }
                sampling.stretches.push(Stretch::between(&begin, &end, hosts));
            }
            sample
        })
    }

    /// The machine and the hosts in the last stretch that was closed; none before.
    pub fn last_stretch(&self) -> Option<(HostFigures, Vec<HostUsageFigures>)> {
        let Stretch { host, hosts, .. } = self.stretches.last()?;
        let mean = host.sample(self.last.host.available_bytes);
        Some((HostFigures { cores: self.last.host.cores, mean }, hosts.clone()))
    }

    /// Forgets the last stretch, which was closed.
    pub fn forget_stretch(&mut self) {
        if self.stretches.pop().is_some() {
            self.tiers.iter_mut().for_each(|tier| tier.readings = std::mem::take(&mut tier.before));
        }
    }

    /// The figures of the window, in which `completed` interactions completed; none if it was not opened and closed.
    /// Call it soon after, while the site still runs: it samples what is too expensive to sample during a
    /// measurement.
    pub fn finish(self, completed: u64) -> Option<Sampled> {
        let host = self.stretches.iter().map(|stretch| stretch.host).reduce(HostUse::and)?;
        let length_s = host.rates.length_s;
        let mean = host.sample(self.last.host.available_bytes);
        let hosts = shares::together(
            self.stretches.iter().map(|stretch| (stretch.hosts.as_slice(), stretch.host.rates.length_s)),
        );
        let of_disks = mean
            .disk_read_bytes_per_s
            .is_none()
            .then(|| "The machine does not tell what is read from its disks and written to them.".to_owned());
        let of_network = hosts.is_empty().then(|| {
            "Network traffic is known of the whole machine only, for its tiers share its devices.".to_owned()
        });
        let each = self.tiers.iter().zip(self.accounts.each()).enumerate();
        let each = each.filter(|(_, (tier, _))| tier.is_measured);
        let tiers = each.map(|(index, (tier, account))| {
            let used = self.stretches.iter().map(|stretch| stretch.tiers[index]).reduce(TierUsage::add);
            let used = WindowUse { used: used.unwrap_or_default(), length_s, completed };
            let mut figures = figures(tier, account, &self.last.tiers[index], used);
            figures.blind.extend(of_network.clone());
            figures.blind.extend(of_disks.clone());
            figures
        });
        let sampler_cpu_s: f64 = self.stretches.iter().map(|stretch| stretch.sampler_cpu_s).sum();
        Some(Sampled {
            tiers: tiers.collect(),
            host: HostFigures { cores: self.last.host.cores, mean },
            hosts,
            sampler_cpu: share(sampler_cpu_s, length_s),
            stretches: self.stretches.iter().map(|stretch| self.stretch_use(stretch)).collect(),
        })
    }

    fn stretch_use(&self, stretch: &Stretch) -> StretchUse {
        let HostSample { steal_cores, other_processes_cores, .. } = stretch.host.sample(0);
        let measured = self.tiers.iter().zip(&stretch.tiers).filter(|(tier, _)| tier.is_measured);
        let cpu_s = measured.map(|(_, used)| used.cpu_s.0 + used.cpu_s.1).collect();
        StretchUse { cpu_s, steal_cores, other_processes_cores }
    }

    fn measured<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let start = thread_cpu_s();
        let done = work(self);
        self.cpu_s += thread_cpu_s() - start;
        done
    }

    fn sample(&mut self, at: Duration) -> Sample {
        let now = self.accounts.sample();
        let length_s = now.host.since(&self.last.host).length_s;
        let both = now.tiers.iter().zip(&self.last.tiers);
        let each = self.tiers.iter_mut().zip(both).filter(|(tier, _)| tier.is_measured);
        let tiers = each.map(|(tier, (now, then))| {
            let (user_s, system_s) = now.cpu.since(then.cpu);
            let readings = tier.watch().map(Monitor::take).unwrap_or_default();
            let gauges =
                readings.gauges.iter().map(|(name, tally)| (name.to_string(), tally.mean())).collect();
            tier.connections = connections(&readings);
            tier.open = std::mem::take(&mut tier.open).and(readings);
            TierSample {
                role: tier.role.clone(),
                service: tier.service.clone(),
                user_cores: share(user_s, length_s),
                system_cores: share(system_s, length_s),
                resident_bytes: now.resident_bytes,
                processes: now.processes,
                gauges,
            }
        });
        let tiers = tiers.collect();
        let host = HostUse::between(&self.last, &now).sample(now.host.available_bytes);
        self.last = now;
        let hosts = self.shares.sample(self.open.is_some());
        Sample { at_s: at.as_secs_f64(), length_s, host, hosts, tiers }
    }

    fn edge(&self) -> Edge {
        Edge {
            look: self.last.clone(),
            detailed: self.accounts.sample_in_detail(),
            sampler_cpu_s: self.sampler_cpu_s(),
        }
    }

    fn sampler_cpu_s(&self) -> f64 {
        self.cpu_s + self.tiers.iter().filter_map(|tier| Some(tier.watch()?.cpu_s())).sum::<f64>()
    }
}

impl Stretch {
    fn between(begin: &Edge, end: &Edge, hosts: Vec<HostUsageFigures>) -> Self {
        let both = end.detailed.iter().zip(&begin.detailed);
        Self {
            host: HostUse::between(&begin.look, &end.look),
            tiers: both.map(|(end, begin)| end.since(begin)).collect(),
            hosts,
            sampler_cpu_s: end.sampler_cpu_s - begin.sampler_cpu_s,
        }
    }
}

#[derive(Clone, Copy)]
struct WindowUse {
    used: TierUsage,
    length_s: f64,
    completed: u64,
}

fn figures(tier: &Tier, account: &TierMeter, last: &TierCounters, of_window: WindowUse) -> TierFigures {
    let WindowUse { used, length_s, completed } = of_window;
    let (cpu_user_s, cpu_system_s) = used.cpu_s;
    let (disk_read, disk_written) = used.disk_bytes.unwrap_or_default();
    let proportional_bytes = account.proportional_bytes();
    let mut blind = Vec::new();
    if !account.has_group() {
        blind.push(
            "This user may not make control groups here, so CPU time of children that ended without being waited for \
             is missing."
                .to_owned(),
        );
    }
    if used.disk_bytes.is_none() {
        blind.push("This user may not know what its processes read from disks and write to them.".to_owned());
    }
    if proportional_bytes.is_none() {
        blind.push("This user may not know how much of its processes' memory is shared.".to_owned());
    }
    if used.ended_threads > 0 {
        blind.push(format!(
            "{} of its threads ended in the window; their context switches are missing, and what their processes did \
             with pages and disks, unless somebody waited for them.",
            used.ended_threads
        ));
    }
    blind.extend(tier.missing(length_s));
    let gauge = |(name, tally): (&Arc<str>, &Tally)| Gauge {
        name: name.to_string(),
        role: tally.role.clone(),
        mean: tally.mean(),
        max: tally.max,
        limit: tally.limit,
    };
    TierFigures {
        role: tier.role.clone(),
        service: tier.service.clone(),
        cpu_user_s,
        cpu_system_s,
        cpu_ms_per_interaction: share((cpu_user_s + cpu_system_s) * 1e3, completed as f64),
        cores: share(cpu_user_s + cpu_system_s, length_s),
        resident_bytes: last.resident_bytes,
        proportional_bytes,
        processes: last.processes,
        threads: tier.threads,
        minor_faults_per_s: share(used.minor_faults as f64, length_s),
        major_faults_per_s: share(used.major_faults as f64, length_s),
        switches_per_s: share(used.switches as f64, length_s),
        disk_read_bytes_per_s: share(disk_read as f64, length_s),
        disk_written_bytes_per_s: share(disk_written as f64, length_s),
        blind,
        gauges: tier.readings.gauges.iter().map(gauge).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn readings(answers: u32, fault: Option<&str>) -> Readings {
        Readings { answers, fault: fault.map(str::to_owned), ..Readings::default() }
    }

    #[test]
    fn missing_samples_are_reported_with_number_and_reason() {
        assert_eq!(
            missing(&readings(48, Some("it is away")), SECOND, 60.02).unwrap(),
            "12 of 60 samples of the service are missing. The last time it did not say how it is: it is away."
        );
        assert_eq!(
            missing(&readings(500, None), SECOND / 10, 60.0).unwrap(),
            "100 of 600 samples of the service are missing, for its answers took too long."
        );
        assert!(missing(&readings(60, Some("it is away")), SECOND, 60.0).unwrap().starts_with("1 of 60"));
    }

    #[test]
    fn a_few_late_answers_are_not_reported() {
        assert_eq!(missing(&readings(580, None), SECOND / 10, 60.0), None);
        assert_eq!(missing(&readings(9, None), SECOND, 10.0), None, "one on the edge of a short window");
        assert_eq!(missing(&readings(11, None), SECOND, 10.0), None);
    }
}
