//! Points by which a command is judged.

use crate::{Manifest, Point, Purpose};

/// The VALID points that decide, those of one configuration at one load together: of a search the ones that confirm
/// the peak, else all that were asked for. What only searched decides nothing, for what wins among many is too good by
/// chance, and neither does what profilers slowed.
pub fn decisive<'a>(manifest: &Manifest, points: &'a [Point]) -> Vec<Vec<&'a Point>> {
    let counts = |point: &&Point| matches!(point.purpose, Purpose::Listed | Purpose::Confirm);
    let loads = valid_by_load(points.iter().filter(counts));
    let is_peak = |load: &Vec<&Point>| {
        let own = points.iter().filter(|point| point.configuration == load[0].configuration);
        let Some(search) = manifest.search(own) else { return true };
        search.peak().is_some_and(|peak| peak.clients == load[0].clients)
    };
    loads.into_iter().filter(is_peak).collect()
}

fn valid_by_load<'a>(points: impl Iterator<Item = &'a Point>) -> Vec<Vec<&'a Point>> {
    let mut loads: Vec<Vec<&Point>> = Vec::new();
    for point in points.filter(|point| point.verdict.valid) {
        let is_same = |load: &&mut Vec<&Point>| {
            load[0].configuration == point.configuration && load[0].clients == point.clients
        };
        match loads.iter_mut().find(is_same) {
            Some(load) => load.push(point),
            None => loads.push(vec![point]),
        }
    }
    loads
}
