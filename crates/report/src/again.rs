//! The A/A test: one configuration took part twice, so that everybody sees how far equals differ here.

use crate::{
    finding::{Finding, Kind},
    peak::peak,
};
use results::{Point, ResultReader, once};
use stats::compare_starts;

/// The A/A comparison of a configuration that took part twice, if one did.
pub fn again(result: &ResultReader) -> Option<Finding> {
    let mut names = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let (name, again) = names.find_map(|name| Some((once(name)?, name)))?;
    let starts = |name| {
        let own: Vec<&Point> = result.points.iter().filter(|point| point.configuration == name).collect();
        Some(peak(&own, &result.manifest)?.starts)
    };
    let ratio = starts(again).zip(starts(name)).and_then(|(again, once)| {
        let pair = *compare_starts(
            &[again, once.clone()].map(|starts| starts.sample(|starts| &starts.throughput)),
            once.stopping_rule,
        )
        .pairs
        .first()?;
        pair.ratio.filter(|ratio| ratio.half_width.is_finite())
    });
    Some(Kind::SameTwice { configuration: name, ratio }.finding())
}
