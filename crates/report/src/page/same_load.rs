//! Response times of configurations at the same load; across loads they don't compare.

use crate::{
    measured::points_of,
    number,
    runs::{self, QUANTILES, mean_throughput, quantile_of, valid_loads},
    series,
    words::several,
};
use results::{Point, ResultReader};
use std::collections::BTreeMap;

/// A load at which several configurations have VALID points.
pub(super) struct SameLoad<'a> {
    pub(super) clients: String,
    pub(super) rows: Vec<SameLoadRow<'a>>,
}

pub(super) struct SameLoadRow<'a> {
    pub(super) name: &'a str,
    pub(super) class: String,
    pub(super) runs: usize,
    pub(super) throughput: String,
    /// Median, 90th and 99th percentile, each with its interval.
    pub(super) times: Vec<(String, Option<String>)>,
}

pub(super) fn loads<'a>(result: &ResultReader, names: &[&'a str]) -> Vec<SameLoad<'a>> {
    let mut loads: BTreeMap<u32, Vec<SameLoadRow<'a>>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        for (clients, runs) in valid_loads(&points_of(&result.points, name)) {
            loads.entry(clients).or_default().push(row(name, index, &runs));
        }
    }
    loads.retain(|_, rows| rows.len() > 1);
    let load = |(clients, rows): (u32, _)| SameLoad { clients: several(clients, "client"), rows };
    loads.into_iter().map(load).collect()
}

fn row<'a>(name: &'a str, index: usize, same: &[&Point]) -> SameLoadRow<'a> {
    let time = |of: f64| {
        let time = quantile_of(same, of);
        (number::figure(time.value), time.interval.map(|interval| number::range(time.value, interval)))
    };
    SameLoadRow {
        name,
        class: series::class(index),
        runs: same.len(),
        throughput: number::interval(mean_throughput(same), runs::interval(same)),
        times: QUANTILES.map(time).into(),
    }
}
