//! Start and warm-up of a configuration's servers, before the points of a start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A start of a configuration's servers, until they were warm.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StartUp {
    /// Seconds in which its servers became ready, one after the other. Data that were restored meanwhile don't count.
    pub ready_s: f64,
    /// Seconds from the start of the servers to the first right page, likewise; none if no page could be asked for.
    pub first_page_s: Option<f64>,
    /// The page that was asked for.
    pub first_page: Option<String>,
    /// CPU seconds of all measured tiers from their start until they were warm.
    pub cpu_s: f64,
    /// The measured tiers, in the order in which they start.
    pub tiers: Vec<TierStartUp>,
    /// The cost of an interaction over the warm-up.
    pub curve: Vec<WarmUpCost>,
}

/// A start of a tier.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierStartUp {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name.
    pub service: String,
    /// Seconds until it was ready.
    pub ready_s: f64,
    /// CPU seconds from its start until it was warm.
    pub cpu_s: f64,
    /// Resident memory once it was ready, before any load, in bytes; shared pages count once a process.
    pub idle_bytes: u64,
    /// The same at the end of the warm-up.
    pub warm_bytes: u64,
    /// The same at its highest until then, as read each second.
    pub highest_bytes: u64,
}

/// The cost of an interaction in a stretch of the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUpCost {
    /// The end of the stretch, in seconds since the warm-up began.
    pub at_s: f64,
    /// CPU milliseconds of all tiers per completed interaction.
    pub cpu_ms: f64,
}

/// The most stretches of a curve: more show nothing that a reader would see.
const MOST_STRETCHES: usize = 60;

impl StartUp {
    /// A curve of one cost a second, with neighbours taken together where it is long.
    pub fn thinned(costs: &[WarmUpCost]) -> Vec<WarmUpCost> {
        let together = costs.len().div_ceil(MOST_STRETCHES).max(1);
        let mean = |stretch: &[WarmUpCost]| WarmUpCost {
            at_s: stretch.last().map_or(0.0, |last| last.at_s),
            cpu_ms: stretch.iter().map(|cost| cost.cpu_ms).sum::<f64>() / stretch.len() as f64,
        };
        costs.chunks(together).map(mean).collect()
    }

    /// Resident memory of all tiers: idle, warm and at its highest.
    pub fn memory(&self) -> [u64; 3] {
        let sum = |of: fn(&TierStartUp) -> u64| self.tiers.iter().map(of).sum();
        [sum(|tier| tier.idle_bytes), sum(|tier| tier.warm_bytes), sum(|tier| tier.highest_bytes)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_thinned_curve_is_short_ends_where_it_ended_and_stays_within_its_costs(
            costs in prop::collection::vec(0.01..100.0_f64, 0..1000),
        ) {
            let seconds = costs.iter().enumerate();
            let curve: Vec<WarmUpCost> =
                seconds.map(|(at, cpu_ms)| WarmUpCost { at_s: at as f64 + 1.0, cpu_ms: *cpu_ms }).collect();
            let thinned = StartUp::thinned(&curve);
            prop_assert!(thinned.len() <= MOST_STRETCHES);
            prop_assert_eq!(thinned.last().map(|last| last.at_s), curve.last().map(|last| last.at_s));
            prop_assert!(thinned.is_sorted_by(|one, next| one.at_s < next.at_s));
            let (least, most) = costs.iter().fold((f64::MAX, 0.0_f64), |(least, most), cost| (least.min(*cost), most.max(*cost)));
            prop_assert!(thinned.iter().all(|cost| cost.cpu_ms >= least * 0.999 && cost.cpu_ms <= most * 1.001));
            if curve.len() <= MOST_STRETCHES {
                prop_assert_eq!(thinned, curve);
            }
        }
    }
}
