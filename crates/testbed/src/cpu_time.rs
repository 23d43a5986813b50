//! CPU time.

use serde::{Deserialize, Serialize};

/// CPU time since some instant, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuTime {
    /// The total, as exact as the kernel reports it.
    pub total_s: f64,
    /// The part in user mode, with the resolution of clock ticks.
    pub(crate) user_s: f64,
    /// The part in system mode, likewise.
    pub(crate) system_s: f64,
}

impl CpuTime {
    /// User and system time since an earlier reading, in seconds; their sum is as exact as the total.
    pub fn since(self, earlier: Self) -> (f64, f64) {
        let total = (self.total_s - earlier.total_s).max(0.0);
        let (user, system) = (self.user_s - earlier.user_s, self.system_s - earlier.system_s);
        // Without a tick in between, the ratio is supposed to be unchanged.
        let (user, system) = if user + system > 0.0 { (user, system) } else { (self.user_s, self.system_s) };
        let share = if user + system > 0.0 { (system / (user + system)).clamp(0.0, 1.0) } else { 0.0 };
        (total * (1.0 - share), total * share)
    }

    pub(crate) fn or_more(self, other: Self) -> Self {
        Self {
            total_s: self.total_s.max(other.total_s),
            user_s: self.user_s.max(other.user_s),
            system_s: self.system_s.max(other.system_s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_follow_the_clock_ticks_and_sum_up() {
        let then = CpuTime { total_s: 1.0, user_s: 0.5, system_s: 0.5 };
        let now = CpuTime { total_s: 1.8, user_s: 0.8, system_s: 0.6 };
        let (user, system) = now.since(then);
        assert!((user - 0.6).abs() < 1e-9 && (system - 0.2).abs() < 1e-9, "{user} {system}");
        // No tick in between: half and half as before.
        let (user, system) = CpuTime { total_s: 1.004, ..then }.since(then);
        assert!((user - 0.002).abs() < 1e-9 && (system - 0.002).abs() < 1e-9, "{user} {system}");
        assert_eq!(then.since(then), (0.0, 0.0));
    }
}
