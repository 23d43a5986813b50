//! Samples what a host uses, as cheaply as the kernel allows.

use super::{HostHandle, HostUp, HostUsage};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    thread,
};

/// Samples what a host uses, from outside.
#[derive(Debug)]
pub struct HostMeter {
    handle: HostHandle,
    /// The counters of its network devices, unless it shares this machine's network.
    devices: Option<File>,
}

/// The device that connects a host.
const LINK: &str = "eth0:";
/// The column of sent bytes on its line; received bytes come first.
const SENT: usize = 8;

impl HostMeter {
    /// Begins to sample a host.
    pub fn of(host: &HostUp) -> Self {
        let handle = host.handle.clone();
        let devices = handle.network.as_ref().and_then(|_| devices_of(&handle).ok());
        Self { handle, devices }
    }

    /// What it has used since it was made; none for a host that is only a set of cores.
    pub fn usage(&self) -> Option<HostUsage> {
        HostUsage::of_host(&self.handle)
    }

    /// Bytes that it has received and sent over its link since it was made; none without a link, or if it can't be
    /// entered.
    pub fn link_bytes(&mut self) -> Option<(u64, u64)> {
        let devices = self.devices.as_mut()?;
        let mut text = String::new();
        devices.seek(SeekFrom::Start(0)).ok()?;
        devices.read_to_string(&mut text).ok()?;
        link_bytes(&text)
    }
}

/// Opens the counters in the host's network, which is the one that they then describe.
fn devices_of(handle: &HostHandle) -> io::Result<File> {
    let open = || {
        handle.enter_namespace()?;
        File::open("/proc/thread-self/net/dev")
    };
    thread::scope(|scope| scope.spawn(open).join().expect("it doesn't panic"))
}

fn link_bytes(devices: &str) -> Option<(u64, u64)> {
    let line = devices.lines().find_map(|line| line.trim_start().strip_prefix(LINK))?;
    let mut numbers = line.split_ascii_whitespace().map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.nth(SENT - 1)?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_excludes_the_loopback() {
        let devices = "Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     900      10    0    0    0     0          0         0      900      10    0    0    0     0       0          0
  eth0:    1234      12    0    0    0     0          0         0     5678      34    0    0    0     0       0          0
";
        assert_eq!(link_bytes(devices), Some((1234, 5678)));
        assert_eq!(link_bytes(&devices.replace("eth0", "eth1")), None);
    }
}
