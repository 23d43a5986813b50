//! Free ports, which no other run chooses while they are reserved.

use crate::listener::listener;
use miette::Diagnostic;
use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr as Name, UnixListener},
    },
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

/// A port that no other run of this machine chooses until this is dropped. A server may bind it long after it was chosen.
#[derive(Debug)]
pub struct ReservedPort {
    number: u16,
    /// A socket with the port's name, which the kernel gives to one process at a time and frees when that ends; none for a
    /// port of another machine, which is reserved there.
    _reservation: Option<UnixListener>,
}

impl ReservedPort {
    pub fn number(&self) -> u16 {
        self.number
    }

    /// A port that another machine has reserved.
    pub(crate) fn elsewhere(number: u16) -> Self {
        Self { number, _reservation: None }
    }

    /// Reserves a port, whether or not a program listens on it.
    fn reserve(number: u16) -> io::Result<Self> {
        let name = Name::from_abstract_name(format!("tierbench-port-{number}"))?;
        Ok(Self { number, _reservation: Some(UnixListener::bind_addr(&name)?) })
    }

    /// Reserves a port on which no program listens.
    fn reserve_free(number: u16) -> io::Result<Self> {
        // First the reservation: the look at a port binds it for an instant, in which the server of its owner must not start.
        let reserved = Self::reserve(number)?;
        listen(number).map(|_| reserved)
    }
}

/// Different free ports, reserved for this run.
pub fn free_ports(count: usize) -> io::Result<Vec<ReservedPort>> {
    let first = rand::random_range(RANGE);
    let round = (first..RANGE.end).chain(RANGE.start..first);
    let ports: Vec<_> = round.filter_map(|port| ReservedPort::reserve_free(port).ok()).take(count).collect();
    match ports.len() < count {
        true => Err(io::Error::new(io::ErrorKind::AddrInUse, "no free port is left between 20000 and 32000")),
        false => Ok(ports),
    }
}

/// Reserves this port, which the user chose.
pub fn claim_port(port: u16) -> Result<ReservedPort, PortTaken> {
    let taken = |owner| PortTaken { port, owner };
    let reserved =
        ReservedPort::reserve(port).map_err(|_| taken(" by another run of tierbench".to_owned()))?;
    match listen(port) {
        Ok(_) => Ok(reserved),
        Err(error) => {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            let owner = listener(std::process::id(), address).map(|owner| format!(" by {owner}"));
            Err(taken(owner.unwrap_or(format!(" ({error})"))))
        }
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_ports_are_free_and_different() {
        let ports = free_ports(3).unwrap();
        let held: Vec<_> = ports.iter().map(|port| listen(port.number()).unwrap()).collect();
        assert_eq!(held.len(), 3);
    }

    #[test]
    fn a_reserved_port_is_not_given_out_again_before_it_is_dropped() {
        let [port] = <[ReservedPort; 1]>::try_from(free_ports(1).unwrap()).unwrap();
        let number = port.number();
        // No process listens there yet.
        assert_eq!(ReservedPort::reserve_free(number).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        let message = claim_port(number).unwrap_err().to_string();
        assert!(message.ends_with("is taken by another run of tierbench"), "{message}");
        drop(port);
        assert_eq!(claim_port(number).unwrap().number(), number);
    }

    #[test]
    fn a_taken_port_names_its_owner() {
        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = held.local_addr().unwrap().port();
        let message = claim_port(port).unwrap_err().to_string();
        assert!(message.contains(&format!("(process {})", std::process::id())), "{message}");
    }
}
