//! Results at equal speed: as they would be if processors had always been as slow as in the middle of them.

use results::{Point, ResultReader};

/// How slow processors were in the middle of all VALID points of these results; none if one of them doesn't tell.
pub(crate) fn usual_slowness<'a>(results: impl IntoIterator<Item = &'a ResultReader>) -> Option<f64> {
    let all = slowness_of(results)?;
    all.get(all.len() / 2).copied().filter(|usual| *usual > 0.0)
}

/// How slow they were in each of these points, in ascending order.
pub(crate) fn slowness_of<'a>(results: impl IntoIterator<Item = &'a ResultReader>) -> Option<Vec<f64>> {
    let valid = results.into_iter().flat_map(|result| &result.points).filter(|point| point.verdict.valid);
    let mut all = valid.map(Point::slowness).collect::<Option<Vec<f64>>>()?;
    all.sort_by(f64::total_cmp);
    Some(all)
}

/// The result, with points as they would be at this slowness.
pub(crate) fn at_slowness(result: &ResultReader, usual: f64) -> ResultReader {
    let mut result = result.clone();
    result.points = result.points.into_iter().map(|point| point.at_slowness(usual)).collect();
    result
}
