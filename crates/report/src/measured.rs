//! Selection and order of measured points.

use results::{LoadPlan, Point, ResultReader, once};

/// Points of curves, steps of overload cycles, or loads of arriving clients.
pub(crate) fn measured(result: &ResultReader) -> &[Point] {
    match result.manifest.spec.loads {
        LoadPlan::Arrivals { .. } => &result.arrived,
        LoadPlan::OverloadCycle(_) => &result.swept,
        _ => &result.points,
    }
}

/// All points that count for a figure, of any kind.
pub(crate) fn all_points(result: &ResultReader) -> impl Iterator<Item = &Point> {
    result.points.iter().chain(&result.swept).chain(&result.arrived)
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
