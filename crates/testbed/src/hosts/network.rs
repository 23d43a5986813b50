//! The network of a testbed: a namespace for each host and one for the switch between them.
//!
//! The namespaces have no names and no mounts: they live as long as the process that made them, or a process in them.
//! They don't show in the machine's own network, and can't be left behind.

use super::{HostPlan, TestbedError};
use crate::find_program;
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};
use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Write},
    net::Ipv4Addr,
    os::fd::{AsFd, AsRawFd},
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

#[derive(Debug)]
pub(super) struct Network {
    hosts: Vec<File>,
    /// Keeps the switch alive.
    _switch: File,
}

/// The number of the first host in the hosts' network.
const FIRST_HOST: u8 = 11;

pub(super) fn address(index: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 77, 0, FIRST_HOST + index as u8)
}

impl Network {
    /// Makes the namespaces, joins them by a switch, and limits the links.
    pub(super) fn make(hosts: &[HostPlan]) -> Result<Self, TestbedError> {
        let switch = new_namespace()?;
        run_in(&switch, "ip", "link add br0 type bridge stp_state 0 forward_delay 0\nlink set br0 up\n")?;
        let mut namespaces = Vec::new();
        for (index, host) in hosts.iter().enumerate() {
            let namespace = new_namespace()?;
            join(host, index, &namespace, &switch)?;
            namespaces.push(namespace);
        }
        Ok(Self { hosts: namespaces, _switch: switch })
    }

    /// The file of a host's namespace, while this process lives.
    pub(super) fn path(&self, index: usize) -> PathBuf {
        path_of(&self.hosts[index])
    }
}

/// Connects a host to the switch. Both ends of the veth pair are made inside of namespaces.
fn join(host: &HostPlan, index: usize, namespace: &File, switch: &File) -> Result<(), TestbedError> {
    let (name, address) = (&host.name, address(index));
    let mut inside =
        format!("link add eth0 type veth peer name p-{name} netns {}\n", path_of(switch).display());
    let _ = write!(inside, "link set lo up\naddr add {address}/24 dev eth0\nlink set eth0 up\n");
    run_in(namespace, "ip", &inside)?;
    run_in(switch, "ip", &format!("link set p-{name} master br0 up\n"))?;
    if let Some(bits) = host.link_bits {
        for (namespace, device) in [(namespace, "eth0".to_owned()), (switch, format!("p-{name}"))] {
            run_in(namespace, "tc", &format!("qdisc add dev {device} root {}\n", token_bucket(bits)))?;
        }
    }
    Ok(())
}

/// The bucket must hold what the link carries between two clock ticks.
fn token_bucket(bits: u64) -> String {
    const LEAST_BURST: u64 = 32 * 1024;
    const BURSTS_PER_SECOND: u64 = 500;
    let burst = (bits / 8 / BURSTS_PER_SECOND).max(LEAST_BURST);
    format!("tbf rate {bits}bit burst {burst} latency 50ms")
}

#[expect(
    deprecated,
    reason = "unsafe for kinds of namespaces that change who owns open files; the network's, and that of a thread \
              which ends at once, is none of them"
)]
fn new_namespace() -> Result<File, TestbedError> {
    let make = || {
        rustix::thread::unshare(UnshareFlags::NEWNET)?;
        File::open("/proc/thread-self/ns/net")
    };
    let made = thread::scope(|scope| scope.spawn(make).join().expect("it doesn't panic"));
    made.map_err(|fault| refused("making a network namespace", &fault))
}

/// Moves the calling thread, and threads and processes that it starts from now on, into this network.
pub(super) fn enter(namespace: &File) -> io::Result<()> {
    Ok(move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?)
}

fn run_in(namespace: &File, program: &'static str, commands: &str) -> Result<(), TestbedError> {
    let path = find_program(program).ok_or(TestbedError::NoProgram { program })?;
    let run = || -> io::Result<_> {
        enter(namespace)?;
        let mut child = Command::new(path)
            .args(["-batch", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        child.stdin.take().expect("it is piped").write_all(commands.as_bytes())?;
        child.wait_with_output()
    };
    let ended = thread::scope(|scope| scope.spawn(run).join().expect("it doesn't panic"));
    let what = || format!("`{program}` with `{}`", commands.trim_end().replace('\n', "; "));
    let ended = ended.map_err(|fault| refused(&what(), &fault))?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(refused(&what(), &String::from_utf8_lossy(&ended.stderr).trim())),
    }
}

fn path_of(namespace: &File) -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), namespace.as_raw_fd()))
}

fn refused(what: &str, fault: &dyn std::fmt::Display) -> TestbedError {
    TestbedError::Refused { what: what.to_owned(), fault: fault.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_link_has_a_larger_bucket() {
        assert_eq!(token_bucket(100_000_000), "tbf rate 100000000bit burst 32768 latency 50ms");
        assert_eq!(token_bucket(1_000_000_000), "tbf rate 1000000000bit burst 250000 latency 50ms");
    }
}
