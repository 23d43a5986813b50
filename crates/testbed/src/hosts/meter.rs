//! Sampling of a host's usage, as cheaply as the kernel allows.

use super::{HostHandle, HostUp, HostUsage};
use crate::{HostCounters, remote::Request};
use serde::{Deserialize, Serialize};
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
    /// True if it meters a whole machine.
    is_machine: bool,
    /// The counters of another machine's link, with its last usage.
    link: Option<LinkCounters>,
}

/// Traffic of a host's link, as the kernel counts it at the host's end.
///
/// A packet is a buffer of the kernel (`sk_buff`) that crosses the veth. TCP hands over up to 64 KiB in one of them,
/// and no network card cuts it to the size of Ethernet's frames (segmentation offload). Then it is one packet, and
/// its bytes have one header. The limiter of a link cuts those that are larger than its burst, so that each of their
/// frames counts. Acknowledgements without data count as packets as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        Self { handle, devices, is_machine: false, link: None }
    }

    /// Meters all of this machine.
    pub(crate) fn of_machine() -> Self {
        let devices = File::open("/proc/self/net/dev").ok();
        Self { handle: HostHandle::default(), devices, is_machine: true, link: None }
    }

    /// Usage since it was made; none for a host of cores alone. A machine's usage is that of all its programs.
    pub fn usage(&mut self) -> Option<HostUsage> {
        if let Some(remote) = &self.handle.remote {
            let (usage, link): (Option<HostUsage>, _) = remote.0.ask(Request::Usage).ok()?;
            self.link = link;
            // A share of this machine knows nothing of its other programs, of which the laboratory itself takes account.
            let lost = |usage: &HostUsage| usage.lost.filter(|_| !remote.0.is_this_machine());
            return usage.map(|usage| HostUsage { lost: lost(&usage), ..usage });
        }
        if self.is_machine {
            return Some(HostUsage { cpu_s: HostCounters::read().busy_s(), ..HostUsage::default() });
        }
        HostUsage::of_host(&self.handle)
    }

    /// Traffic since it was made; none without a link, or if its network can't be entered.
    pub fn link(&mut self) -> Option<LinkCounters> {
        if self.handle.remote.is_some() {
            return self.link;
        }
        let devices = self.devices.as_mut()?;
        let mut text = String::new();
        devices.seek(SeekFrom::Start(0)).ok()?;
        devices.read_to_string(&mut text).ok()?;
        if self.is_machine { all_links(&text) } else { link_counters(&text) }
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

fn link_counters(devices: &str) -> Option<LinkCounters> {
    counters(devices.lines().find_map(|line| line.trim_start().strip_prefix(LINK))?)
}

/// The sum over all devices of a machine but its loopback.
fn all_links(devices: &str) -> Option<LinkCounters> {
    let of = |line: &str| {
        let (name, columns) = line.split_once(':')?;
        (name.trim() != "lo").then(|| counters(columns))?
    };
    devices.lines().filter_map(of).reduce(|sum, one| LinkCounters {
        received_bytes: sum.received_bytes + one.received_bytes,
        received_packets: sum.received_packets + one.received_packets,
        sent_bytes: sum.sent_bytes + one.sent_bytes,
        sent_packets: sum.sent_packets + one.sent_packets,
    })
}

/// A line has eight columns of received counts, then eight of sent ones.
fn counters(line: &str) -> Option<LinkCounters> {
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
        let two = devices.replace("    lo:", "  eth1:");
        let both =
            LinkCounters { received_bytes: 2134, received_packets: 22, sent_bytes: 6578, sent_packets: 44 };
        assert_eq!((all_links(devices), all_links(&two)), (Some(link), Some(both)));
        assert_eq!(link_counters(&devices.replace("eth0", "eth1")), None);
        assert_eq!(link_counters("  eth0: 1234 12 0"), None);
    }
}
