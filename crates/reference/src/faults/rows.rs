//! Faults that depend on the row: they affect only the pages of some rows, which a walk hardly ever visits.

use super::{Fault, Wrong, page::Blemish};
use application::{Application, Dataset, Request, Row, RowPage, Table, TokenKey, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A selection of rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Ids divisible by this.
    Every(i64),
    /// The row with the most text.
    Longest,
    /// The row with most references from other tables: most bids, most comments.
    Most,
    /// Some rows without references from other tables: no bids, no comment.
    Unreferred,
    /// Some rows with the same instant as another one.
    Instant,
    /// Some rows with a number that is 0.
    Zero,
}

use Which::{Every, Instant, Longest, Most, Unreferred, Zero};

const WHICH: [(Which, &str, &str); 7] = [
    (Every(97), "every97", "each 97th row"),
    (Every(53), "every53", "each 53rd row"),
    (Longest, "longest", "the row with the most text"),
    (Most, "most", "the row that most others refer to"),
    (Unreferred, "none", "rows that no other refers to"),
    (Instant, "instant", "rows that share an instant"),
    (Zero, "zero", "rows with a number that is 0"),
];

/// Faults on the pages of these rows.
const BLEMISHES: [(Blemish, &str, &str); 3] = [
    (Blemish::Word, "word", "the last word has other capitals"),
    (Blemish::Number, "number", "the last number is one more"),
    (Blemish::Entry, "entry", "the last entry of a list is lost"),
];

/// Selects one in this many matching rows, so that not every page is affected.
const FEW: usize = 29;

/// The faults of an application's row pages that have an effect.
pub(super) fn all(application: &dyn Application, dataset: &Dataset) -> Vec<Fault> {
    let key = TokenKey::new("key");
    let mut model = application.model(dataset, key);
    let mut rows: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for table in application.tables() {
        rows.insert(table.name, model.rows(table));
    }
    let tables = Tables { all: application.tables(), rows };
    let mut faults = Vec::new();
    for RowPage { interaction, parameter, table } in application.row_pages() {
        let at = application.catalogue().get(interaction);
        for (which, name, whose) in WHICH {
            let ids = tables.ids(table, which);
            for (blemish, what, description) in BLEMISHES {
                let fault = Fault {
                    name: format!("{}.rows.{}.{name}.{what}", at.name, table.name.replace('_', "")),
                    description: format!("{}, of {} in {}: {description}", at.name, whose, table.name),
                    at: Some(at.clone()),
                    wrong: Wrong::ShowsRows(parameter, ids.clone(), blemish),
                };
                let mut shows = |id: &i64| {
                    let target = format!("{}?{}={id}", at.path, at.parameters[parameter].name);
                    let right = model.respond(&Request::new("GET", &target, ""), dataset.epoch);
                    blemish.alter(right.clone()) != right
                };
                if ids.iter().any(&mut shows) {
                    faults.push(fault);
                }
            }
        }
    }
    faults
}

/// True if a request is for the page of one of these rows.
pub(super) fn is_for(request: &Request, parameter: &str, ids: &BTreeSet<i64>) -> bool {
    let value = super::reading::value(super::parameters(request), parameter);
    value.and_then(|value| value.parse().ok()).is_some_and(|id: i64| ids.contains(&id))
}

struct Tables {
    all: &'static [Table],
    rows: BTreeMap<&'static str, Vec<Row>>,
}

impl Tables {
    fn ids(&self, table: &Table, which: Which) -> BTreeSet<i64> {
        let rows = self.rows.get(table.name).map_or(&[][..], Vec::as_slice);
        let few = |ids: Vec<i64>| ids.into_iter().step_by(FEW).collect();
        let ids = || rows.iter().filter_map(|row| Some((id(row)?, row)));
        match which {
            Every(step) => ids().map(|(id, _)| id).filter(|id| id % step == 0).collect(),
            Longest => ids().max_by_key(|(_, row)| text_of(row)).map(|(id, _)| id).into_iter().collect(),
            Most => {
                let referred = self.referred(table);
                let of = |id: &i64| referred.get(id).copied().unwrap_or_default();
                let most = ids().map(|(id, _)| id).max_by_key(of);
                most.into_iter().filter(|id| of(id) > 0).collect()
            }
            Unreferred => {
                let referred = self.referred(table);
                let free = ids().map(|(id, _)| id).filter(|id| !referred.contains_key(id));
                few(free.collect())
            }
            Instant => {
                let mut often: HashMap<i64, usize> = HashMap::new();
                rows.iter().flat_map(instants).for_each(|at| *often.entry(at).or_default() += 1);
                let shares = |row: &Row| instants(row).any(|at| often[&at] > 1);
                few(ids().filter(|(_, row)| shares(row)).map(|(id, _)| id).collect())
            }
            Zero => {
                let is_zero = |row: &Row| row.contains(&Value::Integer(0));
                few(ids().filter(|(_, row)| is_zero(row)).map(|(id, _)| id).collect())
            }
        }
    }

    /// By id, the number of references from other tables to a row: by columns named after it, such as `item_id` and
    /// `to_user_id` for `items`, `old_items` and `users`.
    fn referred(&self, table: &Table) -> HashMap<i64, usize> {
        let word = table.name.rsplit('_').next().unwrap_or(table.name).trim_end_matches('s');
        let end = format!("{word}_id");
        let mut counts = HashMap::new();
        for other in self.all.iter().filter(|other| other.name != table.name) {
            let refers = |column: &str| column == end || column.ends_with(&format!("_{end}"));
            for (at, _) in other.columns.iter().enumerate().filter(|(_, column)| refers(column.name)) {
                for row in &self.rows[other.name] {
                    if let Value::Integer(id) = row[at] {
                        *counts.entry(id).or_default() += 1;
                    }
                }
            }
        }
        counts
    }
}

fn id(row: &Row) -> Option<i64> {
    if let Some(Value::Integer(id)) = row.first() { Some(*id) } else { None }
}

fn text_of(row: &Row) -> usize {
    row.iter().map(|value| if let Value::Text(text) = value { text.chars().count() } else { 0 }).sum()
}

fn instants(row: &Row) -> impl Iterator<Item = i64> {
    row.iter().filter_map(|value| if let Value::Time(at) = value { Some(at.0) } else { None })
}
