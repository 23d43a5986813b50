//! Secondary indexes, built after loading from sorted entries, which is faster.

use mysql::{Conn, Error, Row, prelude::Queryable};

/// Drops all secondary indexes of an empty table; returns the statement that adds them again, if there are any.
pub(super) fn drop_all(connection: &mut Conn, table: &str) -> Result<Vec<String>, Error> {
    let shown: Option<Row> = connection.query_first(format!("SHOW CREATE TABLE {table}"))?;
    let text: String = shown.and_then(|row| row.get(1)).unwrap_or_default();
    let definitions = definitions(&text);
    let names = definitions.iter().filter_map(|definition| definition.split('`').nth(1));
    let drops: Vec<String> = names.map(|name| format!("DROP KEY `{name}`")).collect();
    let adds: Vec<String> = definitions.iter().map(|definition| format!("ADD {definition}")).collect();
    let [drop_all, add_all] = [drops, adds].map(|changes| alter(table, &changes));
    drop_all.map_or(Ok(()), |statement| connection.query_drop(statement))?;
    Ok(add_all.into_iter().collect())
}

fn alter(table: &str, changes: &[String]) -> Option<String> {
    (!changes.is_empty()).then(|| format!("ALTER TABLE {table} {}", changes.join(", ")))
}

/// The secondary indexes in the output of SHOW CREATE TABLE, one per line.
fn definitions(shown: &str) -> Vec<String> {
    let lines = shown.lines().map(|line| line.trim().trim_end_matches(','));
    lines
        .filter(|line| line.starts_with("KEY ") || line.starts_with("UNIQUE KEY "))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::definitions;

    #[test]
    fn the_primary_key_is_no_secondary_index() {
        let shown = "CREATE TABLE `users` (\n  `id` int(11) NOT NULL AUTO_INCREMENT,\n  `KEY ` int(11) NOT NULL,\n  \
                     PRIMARY KEY (`id`),\n  UNIQUE KEY `users_nickname` (`nickname`),\n  KEY `a` (`region`,`id`)\n) ENGINE=InnoDB";
        assert_eq!(
            definitions(shown),
            ["UNIQUE KEY `users_nickname` (`nickname`)", "KEY `a` (`region`,`id`)"]
        );
    }
}
