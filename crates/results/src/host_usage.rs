//! Figures of a testbed's hosts: shares of the machine, each with a network of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Figures of a host of the testbed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostUsageSample {
    /// Its name.
    pub name: String,
    /// CPU in cores. The laboratory's own isn't counted for the host on which it runs.
    pub cores: f64,
    /// Bytes a second that came over its link; none where that isn't known.
    pub received_bytes_per_s: Option<f64>,
    /// Bytes a second that it sent over its link; none where that isn't known.
    pub sent_bytes_per_s: Option<f64>,
    /// Packets a second that came over its link, as the kernel counts them there: what TCP hands over in one piece, up to
    /// 64 KiB, is one packet unless the link's limiter cuts it. None where that isn't known.
    pub received_packets_per_s: Option<f64>,
    /// Packets a second that it sent over its link, likewise.
    pub sent_packets_per_s: Option<f64>,
    /// Page faults a second of all its processes, also of those that began and ended between two samples; none where no
    /// control group counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_faults_per_s: Option<f64>,
}

/// Traffic over a host's link, in and out, for each completed interaction. Where each tier has a host of its own, that is the
/// traffic between tiers, with the headers of Ethernet, IP and TCP, and acknowledgements. None where that isn't known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LinkPerInteraction {
    /// Bytes received.
    pub received_bytes: Option<f64>,
    /// Packets received.
    pub received_packets: Option<f64>,
    /// Bytes sent.
    pub sent_bytes: Option<f64>,
    /// Packets sent.
    pub sent_packets: Option<f64>,
}

impl LinkPerInteraction {
    /// True if either direction is known.
    pub fn is_known(&self) -> bool {
        *self != Self::default()
    }
}

impl HostUsageSample {
    /// Traffic over its link for each interaction, of which `throughput` completed a second in the same window. Requests that
    /// failed or were refused have their share in it, as in CPU time per interaction.
    pub fn per_interaction(&self, throughput: f64) -> LinkPerInteraction {
        let each = |per_s: Option<f64>| per_s.filter(|_| throughput > 0.0).map(|per_s| per_s / throughput);
        LinkPerInteraction {
            received_bytes: each(self.received_bytes_per_s),
            received_packets: each(self.received_packets_per_s),
            sent_bytes: each(self.sent_bytes_per_s),
            sent_packets: each(self.sent_packets_per_s),
        }
    }
}

/// Figures of a host of the testbed over the window, and its promised resources.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostUsageFigures {
    /// Means over the window.
    #[serde(flatten)]
    pub mean: HostUsageSample,
    /// The tiers that ran on it: `web (apache)`.
    pub tiers: Vec<String>,
    /// Promised CPU in cores; none if it isn't limited.
    pub cpu: Option<f64>,
    /// Share of the periods in which it used up its promised CPU, of those in which it wanted CPU.
    pub throttled: f64,
    /// For how many seconds of the window it had work all the time, as far as samples tell; none where the kernel doesn't
    /// tell how long work waits.
    pub runnable_s: Option<f64>,
    /// CPU time in seconds that it got in these.
    pub granted_s: f64,
    /// The speed of its link in bits a second, each way; none if it isn't limited.
    pub link_bits_per_s: Option<u64>,
    /// Of a machine of its own, the processors that its hypervisor withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steal_cores: Option<f64>,
    /// Of a machine of its own, the processors that neither tiers nor laboratory used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_processes_cores: Option<f64>,
    /// Of a machine of its own, its name on its network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Of a machine of its own, how it has changed since it was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
}

impl HostUsageFigures {
    /// Use of its link, in the direction that carries more: 1 is full. None where that isn't known, or the link isn't limited.
    pub fn link_use(&self) -> Option<f64> {
        let most = self.mean.received_bytes_per_s?.max(self.mean.sent_bytes_per_s?);
        Some(8.0 * most / self.link_bits_per_s.filter(|bits| *bits > 0)? as f64)
    }

    /// Use of its promised CPU: 1 is all. None where it isn't limited.
    pub fn cpu_use(&self) -> Option<f64> {
        Some(self.mean.cores / self.cpu.filter(|cpu| *cpu > 0.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_as_full_as_its_fuller_direction() {
        let mean = HostUsageSample {
            cores: 0.27,
            received_bytes_per_s: Some(1e6),
            sent_bytes_per_s: Some(5e6),
            ..HostUsageSample::default()
        };
        let host = HostUsageFigures {
            mean,
            cpu: Some(0.3),
            link_bits_per_s: Some(100_000_000),
            ..HostUsageFigures::default()
        };
        assert_eq!(host.link_use(), Some(0.4));
        assert!((host.cpu_use().unwrap() - 0.9).abs() < 1e-9);
        assert_eq!(HostUsageFigures { link_bits_per_s: None, ..host.clone() }.link_use(), None);
        assert_eq!(HostUsageFigures { cpu: None, ..host }.cpu_use(), None);
    }

    #[test]
    fn traffic_is_divided_by_the_interactions_that_completed_meanwhile() {
        let host = HostUsageSample {
            received_bytes_per_s: Some(4096.0),
            sent_packets_per_s: Some(30.0),
            ..HostUsageSample::default()
        };
        let each = LinkPerInteraction {
            received_bytes: Some(2048.0),
            sent_packets: Some(15.0),
            ..LinkPerInteraction::default()
        };
        assert_eq!(host.per_interaction(2.0), each);
        assert!(each.is_known());
        assert!(!host.per_interaction(0.0).is_known(), "nothing completed");
    }
}
