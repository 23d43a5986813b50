//! The contents of loaded rows, in the columns that no interaction changes: their checksums, which are kept beside the
//! snapshot, and the rows that differ from what was loaded.

use crate::{SiteInputs, store::id};
use application::{Dataset, Effects, Generator, Row, Table};
use cache::Snapshot;
use serde::{Deserialize, Serialize};
use services::{
    Instance, Loaded, LoadedContents, ServiceError,
    store::{self, Access, BLOCK, BlockSum, FixedColumns},
};
use std::collections::BTreeMap;

/// The name of the file beside a snapshot.
const NAME: &str = "contents.toml";

/// The most blocks of a table that are compared row by row.
const MOST_BLOCKS: usize = 4;

/// The most rows that are shown.
const EXAMPLES: usize = 3;

/// The checksums of the loaded rows of a store's tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contents {
    table: Vec<TableSums>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TableSums {
    name: String,
    columns: Vec<String>,
    sums: Vec<BlockSum>,
}

impl Contents {
    /// The checksums of the first state, in which the data are now: from beside the snapshot, or else by computing them.
    pub(crate) fn of_first_state(
        first: &Snapshot,
        instance: &Instance,
        access: &Access,
        inputs: &SiteInputs<'_>,
        (loaded, dataset): (&[Loaded], &Dataset),
    ) -> Result<Self, ServiceError> {
        let known = first.kept_beside(NAME).and_then(|text| toml::from_str::<Self>(&text).ok());
        let tables = fixed_columns(inputs, loaded);
        if let Some(known) = known.filter(|known| known.is_of(&tables)) {
            return Ok(known);
        }
        let sums = tables.iter().map(|table| {
            let sums = store::block_sums(instance, access, table, dataset.epoch)?;
            Ok(TableSums { name: table.loaded.table.name.to_owned(), columns: names(table), sums })
        });
        let computed = Self { table: sums.collect::<Result<_, ServiceError>>()? };
        if let Ok(text) = toml::to_string(&computed) {
            // A cache that can't be written has them computed again.
            let _ = first.keep_beside(NAME, &text);
        }
        Ok(computed)
    }

    /// True if these are the checksums of these columns.
    fn is_of(&self, tables: &[FixedColumns]) -> bool {
        let own = self.table.iter().map(|table| (table.name.as_str(), table.columns.clone()));
        own.eq(tables.iter().map(|table| (table.loaded.table.name, names(table))))
    }

    /// Compares the rows with what was loaded.
    pub(crate) fn audit(
        &self,
        instance: &Instance,
        access: &Access,
        inputs: &SiteInputs<'_>,
        (loaded, dataset): (&[Loaded], &Dataset),
    ) -> Result<Vec<LoadedContents>, ServiceError> {
        let tables = fixed_columns(inputs, loaded);
        let mut all = Vec::new();
        for (table, known) in tables.iter().zip(&self.table) {
            let now = store::block_sums(instance, access, table, dataset.epoch)?;
            let differs = |block: &&BlockSum| !now.contains(block);
            let differing: Vec<u64> = known.sums.iter().filter(differs).map(|known| known.block).collect();
            let mut contents = LoadedContents::new(table.loaded.table.name);
            contents.checked = now.iter().map(|block| block.rows).sum();
            for block in differing.iter().take(MOST_BLOCKS) {
                let held = store::rows_of_block(instance, access, &table.loaded, *block)?;
                let expected = generated(inputs, dataset, table.loaded.table, Some(*block));
                let before = contents.changed;
                compare(
                    &expected,
                    &held,
                    &fixed_of(inputs, table.loaded.table),
                    &table.loaded,
                    &mut contents,
                );
                let is_whole = |known: &BlockSum| known.block == *block && known.rows == held.len() as u64;
                if contents.changed == before && known.sums.iter().any(is_whole) {
                    contents.changed += 1;
                    let rows = format!("rows {} to {}", block * BLOCK, (block + 1) * BLOCK - 1);
                    contents.examples.push(format!("the checksum of {rows} is another"));
                }
            }
            all.push(contents);
        }
        Ok(all)
    }
}

/// Compares all loaded rows of a table of records with the generated ones.
pub(crate) fn of_records(
    inputs: &SiteInputs<'_>,
    dataset: &Dataset,
    loaded: &Loaded,
    rows: &[Row],
) -> LoadedContents {
    let mut contents = LoadedContents::new(loaded.table.name);
    let expected = generated(inputs, dataset, loaded.table, None);
    contents.checked = rows.iter().filter(|row| id(row) <= loaded.largest).count() as u64;
    compare(&expected, rows, &fixed_of(inputs, loaded.table), loaded, &mut contents);
    contents
}

/// The columns of each table that no interaction changes.
fn fixed_columns(inputs: &SiteInputs<'_>, loaded: &[Loaded]) -> Vec<FixedColumns> {
    let of = |loaded: &Loaded| {
        let columns = fixed_of(inputs, loaded.table).into_iter().map(|column| &loaded.table.columns[column]);
        FixedColumns { loaded: *loaded, columns: columns.collect() }
    };
    loaded.iter().map(of).collect()
}

fn fixed_of(inputs: &SiteInputs<'_>, table: &Table) -> Vec<usize> {
    Effects::of(inputs.application).fixed(table.name).to_vec()
}

fn names(table: &FixedColumns) -> Vec<String> {
    table.columns.iter().map(|column| column.name.to_owned()).collect()
}

/// The generated rows of a table, or of a block of it, by id.
fn generated(
    inputs: &SiteInputs<'_>,
    dataset: &Dataset,
    table: &Table,
    block: Option<u64>,
) -> BTreeMap<u64, Row> {
    let generator: Box<dyn Generator> = inputs.application.generator(dataset);
    let mut rows = BTreeMap::new();
    generator.rows(table, 0..generator.units(table), &mut |row| {
        if block.is_none_or(|block| id(row) / BLOCK == block) {
            rows.insert(id(row), row.to_vec());
        }
    });
    rows
}

/// Adds the loaded rows whose columns differ from the generated ones. Rows that are gone are counted elsewhere.
fn compare(
    expected: &BTreeMap<u64, Row>,
    held: &[Row],
    columns: &[usize],
    loaded: &Loaded,
    contents: &mut LoadedContents,
) {
    for row in held.iter().filter(|row| id(row) <= loaded.largest) {
        let Some(right) = expected.get(&id(row)) else { continue };
        let Some(column) = columns.iter().find(|column| row[**column] != right[**column]) else { continue };
        contents.changed += 1;
        if contents.examples.len() < EXAMPLES {
            let name = loaded.table.columns[*column].name;
            contents.examples.push(results::altered_value(id(row), name, &row[*column], &right[*column]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::{Money, table};

    table! {
        Lot in lots {
            id: i64,
            name: String,
            price: Money,
        }
    }

    static TABLE: Table = Lot::TABLE;

    fn lot(id: i64, name: &str, price: i64) -> Row {
        Lot { id, name: name.to_owned(), price: Money(price) }.row()
    }

    #[test]
    fn a_loaded_row_with_another_value_is_named_with_both() {
        let loaded = Loaded { table: &TABLE, rows: 3, largest: 3 };
        let expected =
            [lot(1, "a", 100), lot(2, "b", 200), lot(3, "c", 300)].map(|row| (id(&row), row)).into();
        // The second is changed, the third is gone, the fourth is new.
        let held = [lot(1, "a", 999), lot(2, "B", 200), lot(4, "d", 1)];
        let mut contents = LoadedContents::new("lots");
        compare(&expected, &held, &[0, 1], &loaded, &mut contents);
        assert_eq!(contents.changed, 1, "the price may change");
        assert_eq!(contents.examples, ["`name` of row 2 is `B` instead of `b`"]);
    }
}
