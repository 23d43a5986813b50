//! Speed and cost of configurations at the same load; across loads they don't compare.

use crate::{
    measured::points_of,
    number,
    runs::{self, Estimate, QUANTILES, estimate, mean_throughput, quantile_of, valid_loads},
    series,
    usage::cpu_ms,
    words::several,
};
use results::{Point, ResultReader};
use std::collections::BTreeMap;

/// A load at which configurations have VALID points.
pub(super) struct LoadRows<'a> {
    /// The number of clients, for its identifier.
    pub(super) number: u32,
    pub(super) clients: String,
    pub(super) rows: Vec<LoadRow<'a>>,
}

pub(super) struct LoadRow<'a> {
    pub(super) name: &'a str,
    pub(super) class: String,
    pub(super) runs: usize,
    pub(super) throughput: String,
    /// Median, 90th and 99th percentile, each with its interval.
    pub(super) times: Vec<Shown>,
    /// CPU milliseconds per interaction, memory, memory per throughput, clients per core in use; empty where tiers are unknown.
    pub(super) costs: Vec<Shown>,
}

type Shown = (String, Option<String>);

pub(super) fn loads<'a>(result: &ResultReader, names: &[&'a str]) -> Vec<LoadRows<'a>> {
    let mut loads: BTreeMap<u32, Vec<LoadRow<'a>>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        for (clients, runs) in valid_loads(&points_of(&result.points, name)) {
            loads.entry(clients).or_default().push(row(name, index, &runs));
        }
    }
    let load = |(number, rows): (u32, _)| LoadRows { number, clients: several(number, "client"), rows };
    loads.into_iter().map(load).collect()
}

fn row<'a>(name: &'a str, index: usize, same: &[&Point]) -> LoadRow<'a> {
    let has_tiers = same.iter().all(|run| !run.tiers.is_empty());
    let of_runs = |figure: fn(&Point) -> f64| {
        let values: Vec<f64> = same.iter().map(|run| figure(run)).collect();
        shown(estimate(&values, &[]))
    };
    let costs: [fn(&Point) -> f64; 4] =
        [cpu_ms, mebibytes, |run| mebibytes(run) / run.throughput, |run| f64::from(run.clients) / cores(run)];
    LoadRow {
        name,
        class: series::class(index),
        runs: same.len(),
        throughput: number::interval(mean_throughput(same), runs::interval(same)),
        times: QUANTILES.map(|of| shown(quantile_of(same, of))).into(),
        costs: if has_tiers { costs.map(of_runs).into() } else { Vec::new() },
    }
}

fn shown(estimate: Estimate) -> Shown {
    let interval = estimate.interval.map(|interval| number::range(estimate.value, interval));
    (number::figure(estimate.value), interval)
}

/// Memory of all tiers at the window's end; a page that processes share counts once where the system tells.
fn mebibytes(run: &Point) -> f64 {
    let bytes = run.tiers.iter().map(|tier| tier.proportional_bytes.unwrap_or(tier.resident_bytes));
    bytes.sum::<u64>() as f64 / f64::from(1 << 20)
}

/// CPU of all tiers.
fn cores(run: &Point) -> f64 {
    run.tiers.iter().map(|tier| tier.cores).sum()
}
