//! Hosts that are machines of their own.

use super::{HostHandle, HostPlan, HostUp, Testbed, TestbedError, TestbedRecord};
use crate::remote::{Remote, Unreachable};
use fs_err as fs;
use std::{
    ffi::OsString,
    io,
    net::{IpAddr, Ipv4Addr, UdpSocket},
    os::unix::process::CommandExt as _,
    path::Path,
    process::Command,
    thread,
};

/// Connects to all hosts of a testbed at once.
pub(super) fn reach(testbed: &Testbed, executable: &Path) -> Result<Vec<HostUp>, TestbedError> {
    testbed.reach_each(executable)?.into_iter().map(|one| Ok(one.map_err(Box::new)?)).collect()
}

impl Testbed {
    /// Connects to all its machines at once, in their order. All have answered, or failed, before any is returned, so that no
    /// connection is left half made.
    pub fn reach_each(&self, executable: &Path) -> Result<Vec<Result<HostUp, Unreachable>>, TestbedError> {
        let words = self.words()?;
        let hosts = self.hosts.iter().zip(&words);
        Ok(thread::scope(|scope| {
            let each: Vec<_> =
                hosts.map(|(host, words)| scope.spawn(move || connect(host, words, executable))).collect();
            each.into_iter().map(|one| one.join().expect("it doesn't panic")).collect()
        }))
    }

    /// Executes a command on one of its machines in place of this process. Returns only on failure.
    pub fn exec(&self, host: &str, command: &[OsString]) -> Result<io::Error, TestbedError> {
        let record = TestbedRecord::of_cores(self, vec![Vec::new(); self.hosts.len()]);
        let name = &record.host(host)?.name;
        let words = self.words()?;
        let named = self.hosts.iter().zip(&words).find(|(host, _)| host.name == *name);
        let (_, reach) = named.expect("its record has its hosts");
        let words: Vec<OsString> = reach.iter().map(OsString::from).chain(command.iter().cloned()).collect();
        Ok(Command::new(&words[0]).args(&words[1..]).exec())
    }
}

fn connect(host: &HostPlan, words: &[String], executable: &Path) -> Result<HostUp, Unreachable> {
    let remote = match words.is_empty() {
        true => None,
        false => Some(Remote::connect(&host.name, words, executable)?),
    };
    let own = || remote.as_ref().map_or_else(own_address, |remote| remote.greeting().address);
    let address = host.address.or_else(own).unwrap_or(Ipv4Addr::LOCALHOST);
    let handle = HostHandle::of_machine(address, remote);
    Ok(HostUp { name: host.name.clone(), handle })
}

/// The address of this machine from which packets to others go, or else its first one; none without a network. Nothing is
/// sent.
pub(crate) fn own_address() -> Option<Ipv4Addr> {
    address_of_route().or_else(|| first_address(&fs::read_to_string("/proc/self/net/fib_trie").ok()?))
}

/// The first local address in the kernel's table, without those of the loopback. Networks of a cluster often lead nowhere else.
fn first_address(table: &str) -> Option<Ipv4Addr> {
    let lines = table.lines().map(str::trim);
    let pairs = lines.clone().zip(lines.skip(1));
    let local = pairs.filter(|(_, next)| next.ends_with("host LOCAL"));
    let mut addresses = local.filter_map(|(line, _)| line.strip_prefix("|-- ")?.parse::<Ipv4Addr>().ok());
    addresses.find(|address| !address.is_loopback())
}

fn address_of_route() -> Option<Ipv4Addr> {
    // An address of documentation, which nobody has.
    const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    match socket.local_addr().ok()?.ip() {
        IpAddr::V4(address) => Some(address),
        IpAddr::V6(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_whose_network_leads_nowhere_else_has_an_address() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\nLocal:\n\
                     \x20    |-- 10.77.0.0\n        /24 link UNICAST\n     |-- 127.0.0.1\n        /32 host LOCAL\n\
                     \x20    |-- 10.77.0.12\n        /32 host LOCAL\n     |-- 10.77.0.255\n        /32 link BROADCAST\n";
        assert_eq!(first_address(table), Some(Ipv4Addr::new(10, 77, 0, 12)));
        assert_eq!(first_address("     |-- 127.0.0.1\n        /32 host LOCAL\n"), None);
    }
}
