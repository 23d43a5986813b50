//! The contents of acknowledged rows against what clients sent for them.

use crate::start::{RunContext, system::System};
use application::{Effects, Landing, Parameters, Row, Value};
use engine::WriteFates;
use results::altered_value;
use services::ServiceError;
use std::collections::{BTreeMap, BTreeSet};

/// The most rows of a table that are compared, evenly spread over the load.
const MOST_ROWS: usize = 20_000;

/// The most rows that are shown.
const EXAMPLES: usize = 3;

/// The acknowledged rows of a table that were compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WrittenContents {
    pub compared: u64,
    /// Rows that hold another value than was sent.
    pub altered: u64,
    /// The first of them, in words.
    pub examples: Vec<String>,
}

/// A parameter of an acknowledged write, and the column in which it must be.
struct Expected<'a> {
    landing: &'a Landing,
    value: Value,
}

/// Compares rows of each table with what was sent for them.
pub(crate) fn compare(
    context: &RunContext<'_>,
    site: &System<'_>,
    writes: &[WriteFates],
) -> Result<BTreeMap<&'static str, WrittenContents>, ServiceError> {
    let effects = Effects::of(context.application);
    let mut tables: BTreeMap<&'static str, BTreeMap<u64, Vec<Expected<'_>>>> = BTreeMap::new();
    for (interaction, fates) in context.catalogue.ids().zip(writes) {
        let landings = effects.landings(interaction);
        for (id, parameters) in fates.sent.iter().filter(|_| !landings.is_empty()) {
            let parameters = Parameters::decode(parameters.as_bytes());
            for landing in landings {
                let Some(value) = landing.value(&parameters, &context.key) else { continue };
                let rows = tables.entry(landing.table).or_default();
                rows.entry(id).or_default().push(Expected { landing, value });
            }
        }
    }
    let mut contents = BTreeMap::new();
    for (table, expected) in tables {
        let ids: Vec<u64> = expected.keys().copied().collect();
        let ids: Vec<u64> = ids.iter().step_by(ids.len().div_ceil(MOST_ROWS)).copied().collect();
        let Some(rows) = site.rows_by_id(table, &ids) else { continue };
        contents.insert(table, compare_rows(context, table, &rows?, &expected));
    }
    Ok(contents)
}

fn compare_rows(
    context: &RunContext<'_>,
    table: &str,
    rows: &[Row],
    expected: &BTreeMap<u64, Vec<Expected<'_>>>,
) -> WrittenContents {
    let tables = context.application.tables();
    let columns = tables.iter().find(|known| known.name == table).map_or(&[][..], |known| known.columns);
    let mut contents = WrittenContents::default();
    let mut seen = BTreeSet::new();
    for row in rows {
        let Some(Value::Integer(id)) = row.first() else { continue };
        let id = id.unsigned_abs();
        // Of a row that was acknowledged twice, the account tells.
        let Some(own) = expected.get(&id).filter(|_| seen.insert(id)) else { continue };
        contents.compared += 1;
        let Some(one) = own.iter().find(|one| row[one.landing.column] != one.value) else { continue };
        contents.altered += 1;
        if contents.examples.len() < EXAMPLES {
            let column = one.landing.column;
            contents.examples.push(altered_value(id, columns[column].name, &row[column], &one.value));
        }
    }
    contents
}
