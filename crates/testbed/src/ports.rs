//! Free ports.

use miette::Diagnostic;
use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::{Mutex, PoisonError},
};
use thiserror::Error;

#[derive(Debug, Error, Diagnostic)]
#[error("port {port} on 127.0.0.1 is taken{owner}")]
#[diagnostic(help("stop that program or choose another port with --port"))]
pub struct PortTaken {
    pub port: u16,
    owner: String,
}

/// The range lies below Linux's ephemeral ports (32768 and up), so that no outgoing connection can take a port before
/// the server listens on it.
const RANGE: std::ops::Range<u16> = 20_000..32_000;

/// The last port given out: its server may not listen for a long time yet.
static LAST: Mutex<Option<u16>> = Mutex::new(None);

/// Different free ports, which this process was not given lately.
pub fn free_ports(count: usize) -> io::Result<Vec<u16>> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let first = match *last {
        Some(last) if last + 1 < RANGE.end => last + 1,
        Some(_) => RANGE.start,
        None => rand::random_range(RANGE),
    };
    let round = (first..RANGE.end).chain(RANGE.start..first);
    let ports: Vec<u16> = round.filter(|port| listen(*port).is_ok()).take(count).collect();
    if ports.len() < count {
        return Err(io::Error::new(io::ErrorKind::AddrInUse, "no free port is left between 20000 and 32000"));
    }
    *last = ports.last().copied().or(*last);
    Ok(ports)
}

pub fn claim_port(port: u16) -> Result<u16, PortTaken> {
    match listen(port) {
        Ok(_) => Ok(port),
        Err(error) => Err(PortTaken { port, owner: owner_of(port).unwrap_or(format!(" ({error})")) }),
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

/// The process that listens on a port, as far as visible to this user.
fn owner_of(port: u16) -> Option<String> {
    let sockets = procfs::net::tcp().ok()?.into_iter().chain(procfs::net::tcp6().ok()?);
    let inode = sockets
        .filter(|socket| socket.state == procfs::net::TcpState::Listen)
        .find(|socket| socket.local_address.port() == port)?
        .inode;
    let target = procfs::process::FDTarget::Socket(inode);
    let owner = procfs::process::all_processes()
        .ok()?
        .flatten()
        .find(|process| process.fd().is_ok_and(|fds| fds.flatten().any(|fd| fd.target == target)))?;
    Some(format!(" by {} (process {})", owner.stat().ok()?.comm, owner.pid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_ports_are_free_and_different() {
        let ports = free_ports(3).unwrap();
        let held: Vec<_> = ports.iter().map(|port| listen(*port).unwrap()).collect();
        assert_eq!(held.len(), 3);
    }

    #[test]
    fn a_port_is_not_given_out_twice_in_a_row() {
        let first = free_ports(5).unwrap();
        // No process listens there yet.
        let second = free_ports(5).unwrap();
        assert!(first.iter().all(|port| !second.contains(port)), "{first:?} {second:?}");
    }

    #[test]
    fn a_taken_port_names_its_owner() {
        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = held.local_addr().unwrap().port();
        let message = claim_port(port).unwrap_err().to_string();
        assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    }
}
