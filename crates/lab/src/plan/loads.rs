//! Choice of rounds for the loads of a run.

use results::{Loads, Point};
use testbed::HostCounters;
use workload::LoadKind;

/// Memory of a site, in bytes: an estimate.
const BYTES_PER_SITE: u64 = 1 << 30;

/// True if this number of configurations is compared in rounds: at loads that can take turns, where all sites fit into memory
/// at once. A resumed run keeps the mode in which it started.
pub fn compares_in_rounds(loads: &Loads, configurations: usize, points: &[Point]) -> bool {
    let repeats = loads.kinds.iter().all(LoadKind::takes_turns);
    let fits = || match points {
        [] => fit(configurations),
        points => points.iter().any(|point| point.start.is_some()),
    };
    repeats && configurations > 1 && fits()
}

/// True if this machine has the memory for so many sites at once.
fn fit(sites: usize) -> bool {
    HostCounters::read().available_bytes >= BYTES_PER_SITE * sites as u64
}
