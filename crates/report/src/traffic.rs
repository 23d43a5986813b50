//! Statements per interaction: counted under load, and traced during verification.

use results::{GaugeRole, InteractionFigures, StoreCost, StoreTraffic, TierFigures};

/// Statements of a page while a configuration was verified, averaged over the mix: little data, one user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracedPage {
    pub statements: f64,
    /// Tables that they read, wrote or locked, each counted once.
    pub tables: f64,
    /// Waits of the stack for the store, including the driver's own.
    pub round_trips: f64,
    pub estimates_round_trips: bool,
}

impl TracedPage {
    /// Mean over the interactions, weighted by the mix. None if one of them was not traced.
    pub(crate) fn of_mix(traffic: &StoreTraffic, interactions: &[InteractionFigures]) -> Option<Self> {
        let asked = interactions.iter().filter(|one| one.expected_share > 0.0);
        let each: Vec<(f64, &StoreCost)> = asked
            .map(|one| Some((one.expected_share, traffic.interactions.get(&one.name)?)))
            .collect::<Option<_>>()?;
        let all: f64 = each.iter().map(|(share, _)| share).sum();
        let mean = |sum: fn(&StoreCost) -> u64| {
            each.iter().map(|(share, cost)| share * cost.per_page(sum(cost))).sum::<f64>() / all
        };
        (all > 0.0).then(|| Self {
            statements: mean(|cost| cost.statements),
            tables: mean(|cost| cost.tables),
            round_trips: mean(|cost| cost.round_trips),
            estimates_round_trips: traffic.estimates_round_trips,
        })
    }
}

/// A tier's count per interaction, at `throughput` completed per second, from gauges of this role; none without any.
pub(crate) fn per_interaction(tier: &TierFigures, role: &GaugeRole, throughput: f64) -> Option<f64> {
    let told = tier.gauges.iter().filter(|gauge| gauge.role == *role).map(|gauge| gauge.mean);
    let per_s = told.reduce(|one, other| one + other)?;
    (throughput > 0.0).then(|| per_s / throughput)
}

pub(crate) fn of_all(tiers: &[TierFigures], role: &GaugeRole, throughput: f64) -> Option<f64> {
    let each = tiers.iter().filter_map(|tier| per_interaction(tier, role, throughput));
    each.reduce(|one, other| one + other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use results::{Gauge, Times};

    fn interaction(name: &str, expected_share: f64) -> InteractionFigures {
        InteractionFigures {
            name: name.to_owned(),
            effect: "read".to_owned(),
            completed: 0,
            refused: 0,
            failed: 0,
            expected_share,
            response: Times::default(),
            response_limit_ms: None,
        }
    }

    #[test]
    fn traced_pages_are_weighed_by_the_mix_and_not_by_how_often_they_were_verified() {
        let cost = |pages, statements, tables| StoreCost {
            pages,
            statements: pages * statements,
            tables: pages * tables,
            round_trips: 2 * pages * statements,
            ..StoreCost::default()
        };
        let interactions =
            [("Home".to_owned(), cost(7, 0, 0)), ("ViewItem".to_owned(), cost(2, 4, 2))].into();
        let traffic = StoreTraffic { interactions, estimates_round_trips: true };
        let mix = [interaction("Home", 0.25), interaction("ViewItem", 0.75), interaction("Unused", 0.0)];
        let page = TracedPage { statements: 3.0, tables: 1.5, round_trips: 6.0, estimates_round_trips: true };
        assert_eq!(TracedPage::of_mix(&traffic, &mix), Some(page));
        assert_eq!(TracedPage::of_mix(&traffic, &[interaction("Untraced", 0.1)]), None);
        assert_eq!(TracedPage::of_mix(&traffic, &[]), None);
    }

    #[test]
    fn only_tiers_that_count_statements_have_some() {
        let gauge = |role, mean| Gauge { name: String::new(), role, mean, max: mean, limit: None };
        let tier = |gauges| TierFigures { gauges, ..TierFigures::default() };
        let store = tier(vec![gauge(GaugeRole::Connections, 9.0), gauge(GaugeRole::Statements, 120.0)]);
        let tiers = [store, tier(vec![gauge(GaugeRole::Connections, 5.0)])];
        assert_eq!(per_interaction(&tiers[0], &GaugeRole::Statements, 40.0), Some(3.0));
        assert_eq!(per_interaction(&tiers[1], &GaugeRole::Statements, 40.0), None);
        assert_eq!(of_all(&tiers, &GaugeRole::Statements, 40.0), Some(3.0));
        assert_eq!(of_all(&tiers, &GaugeRole::RoundTrips, 40.0), None);
        assert_eq!(of_all(&tiers, &GaugeRole::Statements, 0.0), None, "nothing completed");
    }
}
