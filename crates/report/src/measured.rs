//! Selection and order of measured points.

use results::{Point, ResultReader, Series, once};

/// Points of curves, steps of overload cycles, or loads of arriving clients.
pub(crate) fn measured(result: &ResultReader) -> &[Point] {
    match result.manifest.spec.loads.series() {
        Series::Arrivals => &result.arrivals,
        Series::OverloadCycle => &result.overload_steps,
        Series::Curve => &result.points,
    }
}

/// All points that count for a figure, of any kind.
pub(crate) fn all_points(result: &ResultReader) -> impl Iterator<Item = &Point> {
    result.points.iter().chain(&result.overload_steps).chain(&result.arrivals)
}

/// A configuration's points by rising load, then in measured order.
pub(crate) fn points_of<'a>(points: &'a [Point], name: &str) -> Vec<&'a Point> {
    let mut points: Vec<&Point> = points.iter().filter(|point| point.configuration == name).collect();
    points.sort_by_key(|point| (point.clients, point.repetition, point.sequence));
    points
}

/// All configurations, in the manifest or not.
pub(crate) fn names(result: &ResultReader) -> Vec<&str> {
    let named = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let mut names = Vec::new();
    for name in named.chain(measured(result).iter().map(|point| point.configuration.as_str())) {
        if !names.contains(&name) && once(name).is_none() {
            names.push(name);
        }
    }
    names
}
