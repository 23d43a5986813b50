//! Whether the machine was left to the tiers: its own host may give its processors to others (steal), and so may it.

use super::{Check, percent};

/// What the machine did over the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostUse {
    /// How many processors it has; 0 where nobody has looked.
    pub cores: u32,
    /// Processors that the machine wanted and its own host gave to others.
    pub steal_cores: f64,
    /// Processors used neither by the tiers nor by the laboratory.
    pub foreign_cores: f64,
}

/// The check of what neither the tiers nor the laboratory used.
pub const OTHER_PROCESSES: &str = "other processes";

const STEAL_SHARE: f64 = 0.01;
/// A machine is never quite idle: its kernel and its services take a little.
const FOREIGN_SHARE: f64 = 0.05;

pub(super) fn checks(host: &HostUse) -> Vec<Check> {
    vec![
        share_of_machine("steal", host, host.steal_cores, STEAL_SHARE),
        share_of_machine(OTHER_PROCESSES, host, host.foreign_cores, FOREIGN_SHARE),
    ]
}

fn share_of_machine(name: &str, host: &HostUse, cores: f64, most: f64) -> Check {
    let threshold = format!("at most {} of the machine's CPU", percent(most, 0));
    if host.cores == 0 {
        return Check::not_judged(name, "the machine was not looked at".into(), threshold);
    }
    let share = cores / f64::from(host.cores);
    let figure = format!("{} ({cores:.2} of {} cores)", percent(share, 1), host.cores);
    Check::new(name, share <= most, figure, threshold)
}
