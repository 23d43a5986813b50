//! Fills a server's caches from its files alone, so that they hold the same whoever works on the data.

use super::{Access, connect, store_error};
use crate::{Instance, ServiceError};
use mysql::prelude::Queryable;

/// All indexes of a database, rows included, always in the same order, each with a column that it holds.
const INDEXES: &str = "SELECT table_name, index_name, column_name FROM information_schema.statistics \
                       WHERE table_schema = DATABASE() AND seq_in_index = 1 ORDER BY 1, 2";

/// Reads every index of every table from its beginning to its end. InnoDB keeps rows in an index; MyISAM's rows, which
/// only the operating system caches, have just been written when data were put back.
pub fn read_all(instance: &Instance, access: &Access) -> Result<(), ServiceError> {
    let failed = |error: mysql::Error| store_error(instance, &error);
    let mut connection = connect(instance, Some(&access.database))?;
    let indexes: Vec<(String, String, String)> = connection.query(INDEXES).map_err(failed)?;
    for (table, index, column) in indexes {
        // A mere count is known to MyISAM without looking.
        let query = format!("SELECT BIT_XOR(CRC32({column})) FROM {table} FORCE INDEX ({index})");
        connection.query_drop(query).map_err(failed)?;
    }
    Ok(())
}
