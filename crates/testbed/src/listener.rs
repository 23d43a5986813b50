//! The owner of a listening socket: a port that accepts connections may be another program's.

use crate::processes::{Stat, descendants};
use procfs::{
    net::{TcpNetEntry, TcpState},
    process::{FDTarget, Process, all_processes},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, net::SocketAddr};

/// A program that listens on an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    pid: u32,
    /// Its program and arguments, shortened.
    command: String,
}

impl fmt::Display for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.command, self.pid)
    }
}

const COMMAND_SHOWS: usize = 120;

impl Listener {
    fn of(process: &Process) -> Option<Self> {
        let words = process.cmdline().ok().filter(|words| !words.is_empty());
        let words =
            words.map_or_else(|| process.stat().ok().map(|stat| stat.comm), |words| Some(words.join(" ")))?;
        let command = words.replace(char::is_control, " ").chars().take(COMMAND_SHOWS).collect();
        Some(Self { pid: process.pid() as u32, command })
    }
}

/// The program that takes connections to an address in the network of a process, as far as visible to this user.
pub fn listener(process: u32, address: SocketAddr) -> Option<Listener> {
    let sockets = sockets(process, address);
    Listener::of(&owner(&sockets)?)
}

/// The program that takes connections to an address in place of a supervised one, whose processes are below `root`; none
/// if that listens itself, or if it can't be told.
pub fn stranger(root: u32, address: SocketAddr) -> Option<Listener> {
    let sockets = sockets(root, address);
    let own = [root].into_iter().chain(descendants(root));
    // Sockets of a process that may not be looked into are taken for its own.
    if own.into_iter().any(|pid| holds(pid, &sockets).unwrap_or(true)) {
        return None;
    }
    // A process of the tree may have begun meanwhile.
    let owner = owner(&sockets).filter(|owner| !is_below(owner.pid() as u32, root))?;
    Listener::of(&owner)
}

/// The inodes of the sockets that listen on an address, or on all addresses of its port.
fn sockets(process: u32, address: SocketAddr) -> BTreeSet<u64> {
    let Ok(process) = Process::new(process as i32) else { return BTreeSet::new() };
    let tables = [process.tcp(), process.tcp6()].into_iter().flatten().flatten();
    let listens = |socket: &TcpNetEntry| {
        let ip = socket.local_address.ip().to_canonical();
        socket.state == TcpState::Listen
            && socket.local_address.port() == address.port()
            && (ip == address.ip() || ip.is_unspecified())
    };
    tables.filter(listens).map(|socket| socket.inode).collect()
}

fn owner(sockets: &BTreeSet<u64>) -> Option<Process> {
    let mut all = all_processes().ok()?.flatten();
    all.find(|process| holds(process.pid() as u32, sockets) == Some(true))
}

/// True if a process holds one of these sockets; none if this user may not look.
fn holds(pid: u32, sockets: &BTreeSet<u64>) -> Option<bool> {
    let Ok(process) = Process::new(pid as i32) else { return Some(false) };
    let is_one = |target: &FDTarget| matches!(target, FDTarget::Socket(inode) if sockets.contains(inode));
    match process.fd() {
        Ok(mut all) => Some(all.any(|fd| fd.is_ok_and(|fd| is_one(&fd.target)))),
        Err(procfs::ProcError::PermissionDenied(_)) => None,
        Err(_) => Some(false),
    }
}

fn is_below(pid: u32, root: u32) -> bool {
    let parent = |pid: &u32| Stat::read(*pid).map(|stat| stat.parent).filter(|parent| *parent != 0);
    std::iter::successors(Some(pid), parent).any(|pid| pid == root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::Read as _,
        net::TcpListener,
        process::{Command, Stdio},
    };

    #[test]
    fn a_listener_outside_of_the_tree_is_a_stranger_with_its_process_and_command() {
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = held.local_addr().unwrap();
        let own = std::process::id();
        assert_eq!(listener(own, address).unwrap().pid, own);
        assert_eq!(stranger(own, address), None);
        let mut child = Command::new("sh")
            .args(["-c", "echo ready; read ended"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Until its program is loaded, it has the descriptors of this one.
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).unwrap();
        let found = stranger(child.id(), address);
        child.kill().unwrap();
        child.wait().unwrap();
        let found = found.unwrap();
        assert_eq!(found.pid, own);
        assert!(found.to_string().ends_with(&format!("(process {own})")), "{found}");
        drop(held);
        assert_eq!(listener(own, address), None);
    }

    #[test]
    fn a_program_that_listens_on_all_addresses_is_found() {
        let all = TcpListener::bind("0.0.0.0:0").unwrap();
        let own = std::process::id();
        let address = SocketAddr::from(([127, 0, 0, 1], all.local_addr().unwrap().port()));
        assert_eq!(listener(own, address).unwrap().pid, own);
    }
}
