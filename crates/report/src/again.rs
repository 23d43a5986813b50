//! The A/A test: one configuration took part twice, so that everybody sees how far equals differ here.

use crate::{number, peak::peak};
use results::{Point, ResultReader, once};
use stats::compare_starts;

/// What a configuration that took part twice came to against itself, in a sentence or two; none if nobody did.
pub fn again(result: &ResultReader) -> Option<String> {
    let mut names = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let (name, again) = names.find_map(|name| Some((once(name)?, name)))?;
    let starts = |name| {
        let own: Vec<&Point> = result.points.iter().filter(|point| point.configuration == name).collect();
        Some(peak(&own, &result.manifest)?.starts)
    };
    let ratio = starts(again).zip(starts(name)).and_then(|(again, once)| {
        let pair = *compare_starts(&[again.throughput, once.throughput], once.looks).pairs.first()?;
        pair.ratio.filter(|ratio| ratio.half_width.is_finite())
    });
    let Some(ratio) = ratio else {
        return Some(format!(
            "{name} took part twice, but on fewer than two starts: how far equals differ is not known."
        ));
    };
    let shown = number::interval(ratio.mean, Some(ratio));
    let differs = ratio.low() > 1.0 || ratio.high() < 1.0;
    let so = if differs {
        "These are equals, so believe no difference of that size."
    } else {
        "Equals are equal here."
    };
    Some(format!("{name} took part twice: one reached {shown} times the throughput of the other. {so}"))
}
