//! What the tiers of a running site, their services and their machine do, second by second and over a window.

use crate::{
    Site,
    shares::{self, Shares, share},
};
use results::{Gauge, GaugeRole, HostFigures, HostSample, HostUsageFigures, Sample, TierFigures, TierSample};
use services::{Monitor, Readings, Tally};
use std::{ops::Add, sync::Arc, time::Duration};
use testbed::{
    HostRates, Inventory, SystemCounters, SystemMeter, TierCounters, TierMeter, TierUsage, thread_cpu_s,
};

/// Looks at the tiers of a running site. It borrows nothing, so any thread may drive it; services are asked by threads
/// of their own until it is dropped.
pub struct Sampling {
    tiers: Vec<Tier>,
    accounts: SystemMeter,
    shares: Shares,
    last: SystemCounters,
    /// Where the stretch of the window began that runs.
    open: Option<Edge>,
    /// Those that are over, in order.
    stretches: Vec<Stretch>,
    /// What looking has cost, the threads that ask services excluded, in seconds.
    cpu_s: f64,
}

struct Tier {
    role: String,
    service: String,
    /// Whether it holds the data.
    is_store: bool,
    /// Whether its figures are among the site's. What the application only depends on costs the site nothing.
    is_measured: bool,
    /// Who asks the service, or why nobody does.
    watch: Result<Option<Monitor>, String>,
    /// What the service said in the stretches of the window that are over.
    readings: Readings,
    /// What it said since the one began that runs.
    open: Readings,
    /// How many connections it had in the last sample; 0 where it doesn't say.
    connections: f64,
    /// Threads when the last of them ended.
    threads: u32,
}

impl Tier {
    fn watch(&self) -> Option<&Monitor> {
        self.watch.as_ref().ok()?.as_ref()
    }

    /// A stretch of the window ends.
    fn close(&mut self, inventory: &Inventory) {
        self.readings = std::mem::take(&mut self.readings).and(std::mem::take(&mut self.open));
        self.threads = inventory.threads;
    }

    /// What is missing of what the service was to say in a window of this length.
    fn missing(&self, length_s: f64) -> Option<String> {
        match &self.watch {
            Err(fault) => Some(format!("The service can't be asked how it is: {fault}.")),
            Ok(watch) => missing(&self.readings, watch.as_ref()?.pace(), length_s),
        }
    }
}

/// How many connections a service said it had.
fn connections(readings: &Readings) -> f64 {
    let open = readings.gauges.values().filter(|tally| tally.role == GaugeRole::Connections);
    open.map(Tally::mean).sum()
}

/// Answers that may be late without saying so, as a share of all: means hardly change by them.
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

/// An end of a stretch.
struct Edge {
    look: SystemCounters,
    inventories: Vec<Inventory>,
    sampler_cpu_s: f64,
}

/// A stretch of the window that is over.
struct Stretch {
    host: HostUse,
    /// What each tier used.
    tiers: Vec<TierUsage>,
    hosts: Vec<HostUsageFigures>,
    sampler_cpu_s: f64,
}

/// What the machine did in some stretch of time.
#[derive(Clone, Copy)]
struct HostUse {
    rates: HostRates,
    /// CPU time of the tiers, and of the laboratory, in seconds.
    tiers_s: f64,
    laboratory_s: f64,
}

impl HostUse {
    fn between(then: &SystemCounters, now: &SystemCounters) -> Self {
        let used = |now: &TierCounters, then: &TierCounters| (now.cpu.total_s - then.cpu.total_s).max(0.0);
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

/// What was seen over a window: over all of its stretches together, and in each.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// Each tier, in the order in which they start.
    pub tiers: Vec<TierFigures>,
    /// The machine; with a testbed, those of its cores that hosts may use.
    pub host: HostFigures,
    /// The hosts of the testbed, where it has namespaces.
    pub hosts: Vec<HostUsageFigures>,
    /// What looking cost the laboratory, as a share of one core.
    pub sampler_cpu: f64,
    /// What was used in each stretch.
    pub stretches: Vec<StretchUse>,
}

/// What was used in one stretch of a window.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchUse {
    /// CPU time of each tier in seconds, in the order of [`Sampled::tiers`].
    pub cpu_s: Vec<f64>,
    /// Processors that the machine wanted and its own host gave to others.
    pub steal_cores: f64,
    /// Processors that neither tiers nor laboratory used.
    pub other_processes_cores: f64,
}

impl Sampling {
    /// Begins to look at a site, which must run.
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
            open: Readings::default(),
            connections: 0.0,
            threads: 0,
        };
        // A stopped tier's account stays empty: no process has this number.
        let supervisors = instances.iter().map(|instance| instance.supervisor().unwrap_or(u32::MAX));
        let mut accounts = SystemMeter::of(supervisors).on_cores(site.cores());
        let shares = Shares::begin(site.hosts(), instances);
        let last = accounts.sample();
        let tiers = instances.iter().enumerate().map(tier).collect();
        let cpu_s = thread_cpu_s() - start;
        Self { tiers, accounts, shares, last, open: None, stretches: Vec::new(), cpu_s }
    }

    /// Begins to look at this machine, where the site is somebody else's and nothing is known of its tiers.
    pub fn of_machine() -> Self {
        let mut accounts = SystemMeter::of([]);
        let (last, shares) = (accounts.sample(), Shares::begin(None, &[]));
        Self { tiers: Vec::new(), accounts, shares, last, open: None, stretches: Vec::new(), cpu_s: 0.0 }
    }

    /// How many processors of the machine tiers and laboratory may use.
    pub fn cores(&self) -> u32 {
        self.last.host.cores
    }

    /// How many connections the stores had in the last sample; 0 where they don't say. Web servers count those of clients.
    pub fn store_connections(&self) -> f64 {
        let stores = self.tiers.iter().filter(|tier| tier.is_measured && tier.is_store);
        stores.map(|tier| tier.connections).sum()
    }

    /// What was done since the last call. Call it once a second; `at` is the time since the load began.
    pub fn tick(&mut self, at: Duration) -> Sample {
        self.measured(|sampling| sampling.sample(at))
    }

    /// What was done since the last call counts for nothing: nobody looked.
    pub fn skip(&mut self) {
        self.measured(|sampling| drop(sampling.sample(Duration::ZERO)));
    }

    /// The window, or another stretch of it, begins now; one that is open is forgotten. A tick as well.
    pub fn open_window(&mut self, at: Duration) -> Sample {
        self.measured(|sampling| {
            let sample = sampling.sample(at);
            sampling.shares.open_window();
            sampling.tiers.iter_mut().for_each(|tier| tier.open = Readings::default());
            sampling.open = Some(sampling.edge());
            sample
        })
    }

    /// The window, or the stretch of it that is open, ends now. A tick as well.
    pub fn close_window(&mut self, at: Duration) -> Sample {
        self.measured(|sampling| {
            let sample = sampling.sample(at);
            let end = sampling.edge();
            let hosts = sampling.shares.figures();
            if let Some(begin) = sampling.open.take() {
                for (tier, inventory) in sampling.tiers.iter_mut().zip(&end.inventories) {
                    tier.close(inventory);
                }
                sampling.stretches.push(Stretch::between(&begin, &end, hosts));
            }
            sample
        })
    }

    /// What was seen over the window, in which so many interactions completed; nothing if it was not opened and closed. Call
    /// it soon after, while the site still runs: it asks for what is too dear to ask for while something is measured.
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
            inventories: self.accounts.inventories(),
            sampler_cpu_s: self.sampler_cpu_s(),
        }
    }

    /// What looking has cost the laboratory so far, in seconds.
    fn sampler_cpu_s(&self) -> f64 {
        self.cpu_s + self.tiers.iter().filter_map(|tier| Some(tier.watch()?.cpu_s())).sum::<f64>()
    }
}

impl Stretch {
    fn between(begin: &Edge, end: &Edge, hosts: Vec<HostUsageFigures>) -> Self {
        let both = end.inventories.iter().zip(&begin.inventories);
        Self {
            host: HostUse::between(&begin.look, &end.look),
            tiers: both.map(|(end, begin)| end.since(begin)).collect(),
            hosts,
            sampler_cpu_s: end.sampler_cpu_s - begin.sampler_cpu_s,
        }
    }
}

/// What a tier used over the window.
#[derive(Clone, Copy)]
struct WindowUse {
    used: TierUsage,
    length_s: f64,
    /// How many interactions completed.
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
