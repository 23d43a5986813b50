//! Sampling of a host's usage, as cheaply as the kernel allows.

use super::{HostHandle, HostUp, HostUsage};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    thread,
};

#[derive(Debug)]
pub struct HostMeter {
    handle: HostHandle,
    /// The counters of its network devices, unless it shares this machine's network.
    devices: Option<File>,
}

/// Traffic of a host's link, as the kernel counts it at the host's end.
///
/// A packet is a buffer of the kernel (`sk_buff`) that crosses the veth. TCP hands over up to 64 KiB in one of them,
/// and no network card cuts it to the size of Ethernet's frames (segmentation offload). Then it is one packet, and
/// its bytes have one header. The limiter of a link cuts those that are larger than its burst, so that each of their
/// frames counts. Acknowledgements without data count as packets as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinkCounters {
    /// With Ethernet's headers.
    pub received_bytes: u64,
    pub received_packets: u64,
    /// With Ethernet's headers.
    pub sent_bytes: u64,
    pub sent_packets: u64,
}

const LINK: &str = "eth0:";

impl HostMeter {
    pub fn of(host: &HostUp) -> Self {
        let handle = host.handle.clone();
        let devices = handle.network.as_ref().and_then(|_| devices_of(&handle).ok());
        Self { handle, devices }
    }

    /// Usage since it was made; none for a host of cores alone.
    pub fn usage(&self) -> Option<HostUsage> {
        HostUsage::of_host(&self.handle)
    }

    /// Traffic since it was made; none without a link, or if its network can't be entered.
    pub fn link(&mut self) -> Option<LinkCounters> {
        let devices = self.devices.as_mut()?;
        let mut text = String::new();
        devices.seek(SeekFrom::Start(0)).ok()?;
        devices.read_to_string(&mut text).ok()?;
        link_counters(&text)
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

/// A line has eight columns of received counts, then eight of sent ones.
fn link_counters(devices: &str) -> Option<LinkCounters> {
    let line = devices.lines().find_map(|line| line.trim_start().strip_prefix(LINK))?;
    let columns: Vec<u64> = line.split_ascii_whitespace().map_while(|column| column.parse().ok()).collect();
    let [received_bytes, received_packets, _, _, _, _, _, _, sent_bytes, sent_packets, ..] = columns[..]
    else {
        return None;
    };
    Some(LinkCounters { received_bytes, received_packets, sent_bytes, sent_packets })
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
        let link =
            LinkCounters { received_bytes: 1234, received_packets: 12, sent_bytes: 5678, sent_packets: 34 };
        assert_eq!(link_counters(devices), Some(link));
        assert_eq!(link_counters(&devices.replace("eth0", "eth1")), None);
        assert_eq!(link_counters("  eth0: 1234 12 0"), None);
    }
}
