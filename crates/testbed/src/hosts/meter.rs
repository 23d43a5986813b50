//! Reads again and again what a host uses, as cheaply as the kernel allows.

use super::{HostHandle, HostUp, HostUsage};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    thread,
};

/// Reads what a host uses, from outside.
#[derive(Debug)]
pub struct HostMeter {
    place: HostHandle,
    /// What its network's devices have done, unless it has none of its own.
    devices: Option<File>,
}

/// The device by which a host is connected.
const LINK: &str = "eth0:";
/// On its line, received bytes come first, and sent ones after seven more numbers.
const SENT: usize = 8;

impl HostMeter {
    /// Begins to read a host.
    pub fn of(host: &HostUp) -> Self {
        let place = host.place.clone();
        let devices = place.network.as_ref().and_then(|_| devices_of(&place).ok());
        Self { place, devices }
    }

    /// What it has used since it was made; nothing of a host that only cores make.
    pub fn usage(&self) -> Option<HostUsage> {
        HostUsage::of_place(&self.place)
    }

    /// Bytes that it has received and sent over its link since it was made; nothing if it has none, or can't be entered.
    pub fn link_bytes(&mut self) -> Option<(u64, u64)> {
        let devices = self.devices.as_mut()?;
        let mut text = String::new();
        devices.seek(SeekFrom::Start(0)).ok()?;
        devices.read_to_string(&mut text).ok()?;
        link_bytes(&text)
    }
}

/// The file belongs to the network in which it is opened, wherever it is read.
fn devices_of(place: &HostHandle) -> io::Result<File> {
    let open = || {
        place.enter_namespace()?;
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
    fn the_link_is_told_from_what_a_host_sends_to_itself() {
        let devices = "Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     900      10    0    0    0     0          0         0      900      10    0    0    0     0       0          0
  eth0:    1234      12    0    0    0     0          0         0     5678      34    0    0    0     0       0          0
";
        assert_eq!(link_bytes(devices), Some((1234, 5678)));
        assert_eq!(link_bytes(&devices.replace("eth0", "eth1")), None);
    }
}
