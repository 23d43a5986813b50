//! Hosts that are machines of their own.

use super::{HostHandle, HostPlan, HostUp, Testbed, TestbedError, TestbedRecord};
use crate::remote::{Remote, Unreachable};
use std::{
    ffi::OsString, io, net::Ipv4Addr, os::unix::process::CommandExt as _, path::Path, process::Command,
    thread,
};

/// Connects to all hosts of a testbed at once.
pub(super) fn reach(testbed: &Testbed, executable: &Path) -> Result<Vec<HostUp>, TestbedError> {
    thread::scope(|scope| {
        let each = testbed.hosts.iter().map(|host| scope.spawn(|| connect(host, executable)));
        let each: Vec<_> = each.collect();
        // All are joined before the first fault is told, so that no connection is left half made.
        let each: Vec<Result<HostUp, Unreachable>> =
            each.into_iter().map(|one| one.join().expect("it doesn't panic")).collect();
        each.into_iter().map(|one| Ok(one.map_err(Box::new)?)).collect()
    })
}

impl Testbed {
    /// Executes a command on one of its machines in place of this process. Returns only on failure.
    pub fn exec(&self, host: &str, command: &[OsString]) -> Result<io::Error, TestbedError> {
        let record = TestbedRecord::of_cores(self, vec![Vec::new(); self.hosts.len()]);
        let name = &record.host(host)?.name;
        let plan = self.hosts.iter().find(|host| host.name == *name).expect("its record has its hosts");
        let words: Vec<OsString> =
            plan.reach.iter().map(OsString::from).chain(command.iter().cloned()).collect();
        Ok(Command::new(&words[0]).args(&words[1..]).exec())
    }
}

fn connect(host: &HostPlan, executable: &Path) -> Result<HostUp, Unreachable> {
    let remote = match host.reach.is_empty() {
        true => None,
        false => Some(Remote::connect(&host.name, &host.reach, executable)?),
    };
    let handle = HostHandle::of_machine(host.address.unwrap_or(Ipv4Addr::LOCALHOST), remote);
    Ok(HostUp { name: host.name.clone(), handle })
}
