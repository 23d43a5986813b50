//! Contents of rows: checksums of the loaded ones, computed by the server, and single rows by their ids.

use super::{Access, open, read_rows};
use crate::{Instance, Loaded, ServiceError};
use application::{Column, Row, Table, Timestamp};
use serde::{Deserialize, Serialize};

/// The number of ids for which there is one checksum: few enough to be made anew when one differs.
pub const BLOCK: u64 = 10_000;

/// The most ids in a statement.
const IDS: usize = 1000;

/// The columns of a table's loaded rows of which there are checksums.
#[derive(Debug, Clone)]
pub struct FixedColumns {
    pub loaded: Loaded,
    pub columns: Vec<&'static Column>,
}

/// The checksum of the loaded rows whose ids, divided by [`BLOCK`], are `block`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSum {
    pub block: u64,
    pub rows: u64,
    /// A whole number as the server prints it.
    pub sum: String,
}

/// The checksums of a table's loaded rows by block. Dates of a table that moves with the epoch count from it, so that
/// restored data have the checksums of their first day.
pub fn block_sums(
    instance: &Instance,
    access: &Access,
    FixedColumns { loaded, columns }: &FixedColumns,
    epoch: Timestamp,
) -> Result<Vec<BlockSum>, ServiceError> {
    let mut session = open(instance, Some(&access.database))?;
    let Loaded { table, largest, .. } = loaded;
    let origin = if table.moves_with_epoch { epoch } else { Timestamp(0) };
    let (name, id, hash) = (table.name, table.columns[0].name, session.row_hash(columns, origin));
    let query = format!(
        "SELECT FLOOR({id} / {BLOCK}), COUNT(*), SUM({hash}) FROM {name} WHERE {id} <= {largest} GROUP BY 1 ORDER BY 1"
    );
    let found = session.query(&query).map_err(|error| error.of(instance))?;
    let sum = |row: super::TextRow| {
        let mut fields = row.into_iter().map(Option::unwrap_or_default);
        let mut number = || fields.next().and_then(|text| text.parse().ok()).unwrap_or_default();
        let (block, rows) = (number(), number());
        BlockSum { block, rows, sum: fields.next().unwrap_or_default() }
    };
    Ok(found.into_iter().map(sum).collect())
}

/// The loaded rows of a block, by primary key.
pub fn rows_of_block(
    instance: &Instance,
    access: &Access,
    loaded: &Loaded,
    block: u64,
) -> Result<Vec<Row>, ServiceError> {
    let id = loaded.table.columns[0].name;
    let (from, last) = (block * BLOCK, ((block + 1) * BLOCK - 1).min(loaded.largest));
    read_rows(instance, access, loaded.table, &format!("WHERE {id} BETWEEN {from} AND {last}"))
}

/// Reads the rows with these ids, a thousand at a time; ids without a row are left out.
pub fn rows_by_id(
    instance: &Instance,
    access: &Access,
    table: &Table,
    ids: &[u64],
) -> Result<Vec<Row>, ServiceError> {
    let mut rows = Vec::new();
    for some in ids.chunks(IDS) {
        let list: Vec<String> = some.iter().map(ToString::to_string).collect();
        let id = table.columns[0].name;
        rows.extend(read_rows(instance, access, table, &format!("WHERE {id} IN ({})", list.join(", ")))?);
    }
    Ok(rows)
}
