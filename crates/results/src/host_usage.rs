//! What the hosts of a testbed did: shares of the machine, each with a network of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a host of the testbed did.
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
}

/// What a host of the testbed did over the window, and what it is promised.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostUsageFigures {
    /// Means over the window.
    #[serde(flatten)]
    pub mean: HostUsageSample,
    /// The tiers that ran on it: `web (apache)`.
    pub tiers: Vec<String>,
    /// How much CPU it is promised, in cores; none if it isn't limited.
    pub cpu: Option<f64>,
    /// In which share of the periods, in which it wanted CPU, it used up what it is promised.
    pub throttled: f64,
    /// For how many seconds of the window it had work all the time, as far as samples tell; none where the kernel doesn't
    /// tell how long work waits.
    pub runnable_s: Option<f64>,
    /// CPU time in seconds that it got in these.
    pub granted_s: f64,
    /// The speed of its link in bits a second, each way; none if it isn't limited.
    pub link_bits_per_s: Option<u64>,
}

impl HostUsageFigures {
    /// How full its link is, in the direction that carries more: 1 is full. None where that isn't known, or the link isn't
    /// limited.
    pub fn link_use(&self) -> Option<f64> {
        let most = self.mean.received_bytes_per_s?.max(self.mean.sent_bytes_per_s?);
        Some(8.0 * most / self.link_bits_per_s.filter(|bits| *bits > 0)? as f64)
    }

    /// How much of the CPU that it is promised it uses: 1 is all. None where it isn't limited.
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
}
