//! From what the engine recorded to the lines of a latency log.

use engine::Outcome;
use hdrhistogram::Histogram;
use results::LatencyInterval;
use std::time::Duration;
use workload::Catalogue;

const SECOND: Duration = Duration::from_secs(1);

/// All pages second by second since the load began, then each interaction over the window.
pub(crate) fn intervals<'a>(
    catalogue: &'a Catalogue,
    outcome: &'a Outcome,
) -> impl Iterator<Item = LatencyInterval<'a>> {
    let seconds = outcome.latencies.iter().zip(0..).map(|(second, number)| LatencyInterval {
        interaction: None,
        start: SECOND * number,
        length: SECOND,
        counts: second.values.iter().map(|(value, count)| ((*value).into(), (*count).into())).collect(),
    });
    let interactions = catalogue.interactions().iter().zip(&outcome.interactions);
    let interactions = interactions.map(|(interaction, figures)| LatencyInterval {
        interaction: Some(&interaction.name),
        start: outcome.window_start,
        length: outcome.window,
        counts: counts(&figures.response),
    });
    seconds.chain(interactions)
}

fn counts(histogram: &Histogram<u64>) -> Vec<(u64, u64)> {
    let recorded = histogram.iter_recorded();
    recorded.map(|step| (step.value_iterated_to(), step.count_at_value())).collect()
}
