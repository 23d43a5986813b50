//! Capacities under an objective: the highest number of clients with which a configuration meets it.

use crate::{
    grid::{Column, Grid},
    measured::names,
    number,
    usage::{Usage, usage},
    words::{enumerate, several},
};
use results::{Objective, Point, Purpose, ResultReader};
use stats::{Capacity, CapacityEstimate};

#[derive(Debug, Clone)]
pub struct Capacities {
    /// The objective, as written: `p90 <= 1s, errors <= 0.1%`.
    pub objective: String,
    /// The configuration with the highest capacity first.
    pub rows: Vec<CapacityRow>,
}

#[derive(Debug, Clone)]
pub struct CapacityRow {
    pub name: String,
    /// None if the search was broken off.
    pub capacity: Option<Capacity>,
    /// The first figure beyond its limit, at the lowest load that misses the objective: `p90 is 1034.20 ms at 420
    /// clients`.
    pub first_missed: Option<String>,
    /// Capacity relative to the best; none where either is unknown.
    pub times_best: Option<f64>,
    /// The highest load within the capacity and the usage there; none if it was not confirmed.
    pub below: Option<(u32, Usage)>,
}

pub(crate) const MEANING: &str = "The capacity is the most clients with which the objective is met. Its interval is Fieller's, \
     over starts of the servers: there the line through the loads on either side meets the limit. INVALID runs count as \
     misses where too many clients explain them.";

const COLUMNS: [Column; 5] = [
    Column::text("configuration"),
    Column::figure("capacity"),
    Column::text("95 % interval"),
    Column::text("first missed by"),
    Column::figure("× best"),
];

const REMEDY: &str = "A longer --window, or more starts with --repetitions, makes runs differ less.";

impl CapacityRow {
    /// Capacity, interval, first figure that misses the objective, and × best.
    fn cells(&self) -> [String; 4] {
        let count = |clients: f64| number::count(clients as u64);
        let (capacity, interval) = match self.capacity {
            None => ("broken off".to_owned(), String::new()),
            Some(Capacity::Found(CapacityEstimate { clients, low, high })) => {
                (count(clients), format!("{} to {}", count(low), count(high)))
            }
            Some(Capacity::Zero) => ("0".to_owned(), String::new()),
            Some(Capacity::AtLeast(most)) => {
                (format!("at least {}", number::count(most.into())), String::new())
            }
            Some(Capacity::Inconclusive { met, missed }) => {
                let load =
                    |load: Option<u32>| load.map_or("none".to_owned(), |load| number::count(load.into()));
                ("inconclusive".to_owned(), format!("met at {}, missed at {}", load(met), load(missed)))
            }
        };
        let times_best = self.times_best.map_or(String::new(), |times| format!("{times:.2}"));
        [capacity, interval, self.first_missed.clone().unwrap_or_default(), times_best]
    }

    fn clients(&self) -> Option<f64> {
        match self.capacity {
            Some(Capacity::Found(capacity)) => Some(capacity.clients),
            Some(Capacity::Zero) => Some(0.0),
            _ => None,
        }
    }

    fn is_open(&self) -> bool {
        self.capacity.is_none_or(|capacity| matches!(capacity, Capacity::Inconclusive { .. }))
    }
}

impl Capacities {
    pub fn grid(&self) -> Grid {
        let rows = self.rows.iter().map(|row| [row.name.clone()].into_iter().chain(row.cells()).collect());
        Grid { title: "Capacities", caption: MEANING, columns: &COLUMNS, rows: rows.collect() }
    }

    /// Each configuration's answer, with the remedy where one is open.
    pub(crate) fn answer(&self) -> String {
        let mut sentences: Vec<String> = self
            .rows
            .iter()
            .filter_map(|row| Some(format!("{}: {} under {}.", row.name, row.capacity?, self.objective)))
            .collect();
        let open: Vec<&str> =
            self.rows.iter().filter(|row| row.is_open()).map(|row| row.name.as_str()).collect();
        if !open.is_empty() {
            sentences.push(format!("The capacity of {} is open. {REMEDY}", enumerate(&open)));
        }
        sentences.join(" ")
    }
}

pub(crate) fn capacities(result: &ResultReader) -> Option<Capacities> {
    let (objective, _) = result.manifest.capacity_search([])?;
    let mut rows: Vec<CapacityRow> = names(result).iter().map(|name| row(result, objective, name)).collect();
    let rank = |row: &CapacityRow| row.clients().unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    let best = rows.first().and_then(CapacityRow::clients).filter(|best| *best > 0.0);
    for row in &mut rows {
        row.times_best = best.and_then(|best| Some(row.clients()? / best));
    }
    Some(Capacities { objective: objective.to_string(), rows })
}

fn row(result: &ResultReader, objective: &Objective, name: &str) -> CapacityRow {
    let own: Vec<&Point> = result.points.iter().filter(|point| point.configuration == name).collect();
    let search = result.manifest.capacity_search(own.iter().copied());
    let capacity = search.and_then(|(_, search)| search.answer());
    CapacityRow {
        name: name.to_owned(),
        capacity,
        first_missed: first_missed(objective, &own),
        times_best: None,
        below: capacity.and_then(|capacity| below(&own, capacity.clients()?)),
    }
}

/// Usage of the VALID confirming runs, at their highest load within a capacity.
fn below(points: &[&Point], capacity: u32) -> Option<(u32, Usage)> {
    let confirming =
        || points.iter().copied().filter(|point| point.purpose == Purpose::Confirm && point.verdict.valid);
    let clients = confirming().map(|point| point.clients).filter(|clients| *clients <= capacity).max()?;
    let runs: Vec<&Point> = confirming().filter(|point| point.clients == clients).collect();
    Some((clients, usage(&runs)))
}

/// The figure beyond its limit at the lowest load at which most runs miss the objective.
fn first_missed(objective: &Objective, points: &[&Point]) -> Option<String> {
    let misses = |point: &&&Point| objective.excess(point).is_some_and(|excess| excess > 0.0);
    let mostly = |clients: u32| {
        let runs =
            points.iter().filter(|point| point.clients == clients && objective.excess(point).is_some());
        2 * runs.clone().filter(misses).count() > runs.count()
    };
    let missing = points.iter().filter(misses).filter(|point| mostly(point.clients));
    let lowest = missing.min_by_key(|point| point.clients)?;
    Some(format!("{} at {}", objective.tightest_figure(lowest), several(lowest.clients, "client")))
}
