//! Usage of testbed hosts while a site runs on them: CPU of the quota, bytes of the link's speed.

use results::{HostUsageFigures, HostUsageSample};
use services::Instance;
use std::time::Instant;
use testbed::{HostHandle, HostMeter, HostPlan, HostUp, HostUsage, Hosts, LinkCounters, LostCpu};

/// The hosts of a testbed, sampled together; none without one, or where hosts are cores alone.
pub(crate) struct Shares {
    each: Vec<Share>,
}

struct Share {
    plan: HostPlan,
    host: HostHandle,
    /// The cores that it may use, if they are limited or all of a machine.
    cpu: Option<f64>,
    cores: usize,
    tiers: Vec<String>,
    meter: HostMeter,
    last: UsageReading,
    /// The window so far: its begin, and its samples.
    begin: UsageReading,
    runnable_s: f64,
    granted_s: f64,
}

#[derive(Clone, Copy)]
struct UsageReading {
    at: Instant,
    usage: HostUsage,
    link: Option<LinkCounters>,
}

/// From this share on a host is never idle: the kernel's accounts of work and of waiting are not read at the same
/// instant.
const ALL_THE_TIME: f64 = 0.98;

impl Shares {
    pub(crate) fn begin(hosts: Option<&Hosts>, instances: &[Instance]) -> Self {
        let all = hosts.into_iter().flat_map(|hosts| hosts.testbed().hosts.iter().zip(hosts.up()));
        Self { each: all.filter_map(|(plan, up)| Share::begin(plan, up, instances)).collect() }
    }

    /// Usage since the last call, added to an open window.
    pub(crate) fn sample(&mut self, in_window: bool) -> Vec<HostUsageSample> {
        self.each.iter_mut().map(|share| share.sample(in_window)).collect()
    }

    pub(crate) fn open_window(&mut self) {
        for share in &mut self.each {
            (share.begin, share.runnable_s, share.granted_s) = (share.last, 0.0, 0.0);
        }
    }

    pub(crate) fn figures(&self) -> Vec<HostUsageFigures> {
        self.each.iter().map(Share::figures).collect()
    }
}

/// Usage of hosts over several stretches together, each with its length in seconds.
pub(crate) fn together<'a>(
    stretches: impl IntoIterator<Item = (&'a [HostUsageFigures], f64)>,
) -> Vec<HostUsageFigures> {
    let mut all: Vec<HostUsageFigures> = Vec::new();
    let mut before_s = 0.0;
    for (stretch, length_s) in stretches {
        if all.is_empty() {
            all = stretch.to_vec();
        } else {
            let later = length_s / (before_s + length_s);
            all.iter_mut().zip(stretch).for_each(|(sum, one)| add(sum, one, later));
        }
        before_s += length_s;
    }
    all
}

/// Adds a later stretch, weighted by its share.
fn add(sum: &mut HostUsageFigures, stretch: &HostUsageFigures, share: f64) {
    let mean = |then: f64, now: f64| then + (now - then) * share;
    let both = |then: Option<f64>, now: Option<f64>| then.zip(now).map(|(then, now)| mean(then, now));
    let (then, now) = (&mut sum.mean, &stretch.mean);
    then.cores = mean(then.cores, now.cores);
    then.received_bytes_per_s = both(then.received_bytes_per_s, now.received_bytes_per_s);
    then.sent_bytes_per_s = both(then.sent_bytes_per_s, now.sent_bytes_per_s);
    then.received_packets_per_s = both(then.received_packets_per_s, now.received_packets_per_s);
    then.sent_packets_per_s = both(then.sent_packets_per_s, now.sent_packets_per_s);
    then.page_faults_per_s = both(then.page_faults_per_s, now.page_faults_per_s);
    sum.throttled = mean(sum.throttled, stretch.throttled);
    sum.runnable_s = sum.runnable_s.zip(stretch.runnable_s).map(|(then, now)| then + now);
    sum.granted_s += stretch.granted_s;
    sum.steal_cores = both(sum.steal_cores, stretch.steal_cores);
    sum.other_processes_cores = both(sum.other_processes_cores, stretch.other_processes_cores);
    sum.changed = sum.changed.take().or_else(|| stretch.changed.clone());
}

impl Share {
    fn begin(plan: &HostPlan, up: &HostUp, instances: &[Instance]) -> Option<Self> {
        let mut meter = HostMeter::of(up);
        let now = UsageReading::of(&mut meter)?;
        let here = instances.iter().filter(|instance| *instance.place() == up.handle);
        Some(Self {
            plan: plan.clone(),
            host: up.handle.clone(),
            cpu: plan.cpu.or_else(|| up.handle.elsewhere().map(|_| up.handle.cores.len() as f64)),
            cores: up.handle.cores.len().max(1),
            tiers: here.map(|tier| format!("{} ({})", tier.role(), tier.service().name)).collect(),
            meter,
            last: now,
            begin: now,
            runnable_s: 0.0,
            granted_s: 0.0,
        })
    }

    fn sample(&mut self, in_window: bool) -> HostUsageSample {
        let Some(now) = UsageReading::of(&mut self.meter) else { return HostUsageSample::default() };
        let length_s = now.since(&self.last);
        let granted_s = now.usage.cpu_s - self.last.usage.cpu_s;
        let waited_s = now.usage.waited_s.zip(self.last.usage.waited_s).map(|(now, then)| now - then);
        let wanted = waited_s
            .is_some_and(|waited_s| granted_s / self.cores as f64 + waited_s >= ALL_THE_TIME * length_s);
        if in_window && wanted {
            self.runnable_s += length_s;
            self.granted_s += granted_s;
        }
        let sample = self.between(&self.last, &now);
        self.last = now;
        sample
    }

    fn between(&self, then: &UsageReading, now: &UsageReading) -> HostUsageSample {
        let length_s = now.since(then);
        let link = now.link.zip(then.link);
        let rate = |counter: fn(&LinkCounters) -> u64| {
            link.map(|(now, then)| share(counter(&now).saturating_sub(counter(&then)) as f64, length_s))
        };
        let faults = now.usage.page_faults.zip(then.usage.page_faults);
        HostUsageSample {
            name: self.plan.name.clone(),
            cores: share(now.usage.cpu_s - then.usage.cpu_s, length_s),
            received_bytes_per_s: rate(|link| link.received_bytes),
            sent_bytes_per_s: rate(|link| link.sent_bytes),
            received_packets_per_s: rate(|link| link.received_packets),
            sent_packets_per_s: rate(|link| link.sent_packets),
            page_faults_per_s: faults.map(|(now, then)| share(now.saturating_sub(then) as f64, length_s)),
        }
    }

    fn figures(&self) -> HostUsageFigures {
        let (then, now) = (&self.begin.usage, &self.last.usage);
        let [throttled, periods] = [(now.throttled, then.throttled), (now.periods, then.periods)]
            // A group that has vanished reads 0.
            .map(|(now, then)| now.saturating_sub(then) as f64);
        let length_s = self.last.since(&self.begin);
        let lost = |of: fn(&LostCpu) -> f64| {
            let (now, then) = now.lost.zip(then.lost)?;
            Some(share((of(&now) - of(&then)).max(0.0), length_s))
        };
        HostUsageFigures {
            mean: self.between(&self.begin, &self.last),
            tiers: self.tiers.clone(),
            cpu: self.cpu,
            throttled: share(throttled, periods),
            runnable_s: now.waited_s.map(|_| self.runnable_s),
            granted_s: self.granted_s,
            link_bits_per_s: self.plan.link_bits,
            steal_cores: lost(|lost| lost.steal_s),
            other_processes_cores: lost(|lost| lost.other_processes_s),
            node: self.host.facts().map(|(_, node)| node.to_owned()),
            // The figures of a lost host are never used.
            changed: self.host.change().ok().flatten(),
        }
    }
}

impl UsageReading {
    fn of(meter: &mut HostMeter) -> Option<Self> {
        let (at, usage) = (Instant::now(), meter.usage()?);
        Some(Self { at, usage, link: meter.link() })
    }

    fn since(&self, earlier: &Self) -> f64 {
        (self.at - earlier.at).as_secs_f64()
    }
}

/// The quotient per second or interaction; 0 if there are none.
pub(crate) fn share(of: f64, among: f64) -> f64 {
    if among > 0.0 { of / among } else { 0.0 }
}
