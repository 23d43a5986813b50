//! CPU time of a site while it warms up.

use crate::Site;
use services::Instance;
use testbed::{Compilers, SystemCounters, SystemMeter, TierMeter};

/// Reads the CPU time of a running site's tiers, without asking their services.
pub struct Meter {
    roles: Vec<String>,
    accounts: SystemMeter,
    compilers: Compilers,
    last: SystemCounters,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TiersUse {
    pub tiers_s: Vec<f64>,
    /// Of this, seconds of JIT compilers in the servers, as far as known.
    pub compilers_s: f64,
    /// CPU seconds of each tier since it was started.
    pub since_start_s: Vec<f64>,
    /// Resident memory of each tier, in bytes.
    pub resident_bytes: Vec<u64>,
}

impl TiersUse {
    pub fn cpu_s(&self) -> f64 {
        self.tiers_s.iter().sum()
    }
}

impl Meter {
    pub fn begin(site: &Site<'_>) -> Self {
        let supervised = |instance: &Instance| {
            Some((TierMeter::of_host(instance.place(), instance.supervisor()?), instance.role().to_owned()))
        };
        let (meters, roles): (Vec<TierMeter>, Vec<String>) =
            site.instances().iter().filter_map(supervised).unzip();
        let mut accounts = SystemMeter::of_tiers(meters);
        let last = accounts.sample();
        let mut meter = Self { roles, accounts, compilers: Compilers::default(), last };
        meter.compilers_s();
        meter
    }

    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    pub fn look(&mut self) -> TiersUse {
        let now = self.accounts.sample();
        let used = now.tiers.iter().zip(&self.last.tiers).map(|(now, then)| {
            let (user_s, system_s) = now.cpu.since(then.cpu);
            user_s + system_s
        });
        let tiers_s = used.collect();
        let since_start_s = now.tiers.iter().map(|tier| tier.cpu.total_s).collect();
        let resident_bytes = now.tiers.iter().map(|tier| tier.resident_bytes).collect();
        self.last = now;
        TiersUse { tiers_s, compilers_s: self.compilers_s(), since_start_s, resident_bytes }
    }

    fn compilers_s(&mut self) -> f64 {
        let processes: Vec<u32> = self.accounts.each().iter().flat_map(TierMeter::processes).collect();
        self.compilers.sample(&processes)
    }
}
