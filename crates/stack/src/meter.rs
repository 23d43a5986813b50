//! What a site costs while it grows warm.

use crate::Site;
use services::Instance;
use testbed::{Account, Accounts, Compilers, Look};

/// Reads what the tiers of a running site use, and asks nobody.
pub struct Meter {
    accounts: Accounts,
    compilers: Compilers,
    last: Look,
}

/// What all tiers together have used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TiersUse {
    /// CPU time in seconds.
    pub cpu_s: f64,
    /// Of it, that of compilers that work inside the servers, as far as they are known.
    pub compilers_s: f64,
}

impl Meter {
    /// Begins to read; the site must run.
    pub fn begin(site: &Site<'_>) -> Self {
        let leases = site.instances().iter().filter_map(Instance::lease);
        let mut accounts = Accounts::of(leases);
        let last = accounts.look();
        let mut meter = Self { accounts, compilers: Compilers::default(), last };
        meter.compilers_s();
        meter
    }

    /// What was used since the last look.
    pub fn look(&mut self) -> TiersUse {
        let now = self.accounts.look();
        let used = now.tiers.iter().zip(&self.last.tiers).map(|(now, then)| {
            let (user_s, system_s) = now.cpu.since(then.cpu);
            user_s + system_s
        });
        let cpu_s = used.sum();
        self.last = now;
        TiersUse { cpu_s, compilers_s: self.compilers_s() }
    }

    fn compilers_s(&mut self) -> f64 {
        let processes: Vec<u32> = self.accounts.each().iter().flat_map(Account::processes).collect();
        self.compilers.look(&processes)
    }
}
