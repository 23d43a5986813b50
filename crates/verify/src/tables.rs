//! Compares the stack's tables with the model's in the end, and what rows don't show of messages.

use crate::{Difference, Halt, TOLERANCE, letters, lockstep::Lockstep};
use application::{Model, Row, Table, Value};
use services::ServiceError;
use stack::Site;

/// Compares all tables. Returns the number of equal rows; none without a store.
pub(crate) fn expect_equal(lockstep: &Lockstep<'_>) -> Result<Option<usize>, Halt> {
    let mut rows = 0;
    let tables = lockstep.subject.application.tables();
    for table in tables {
        let Some(got) = lockstep.site.rows(table) else { return Ok(None) };
        let differs = |text: String| Difference { step: None, text: format!("in the end, table {text}") };
        // A stack may still hold a lock on it.
        let got = got.map_err(|fault| differs(format!("{} can't be read: {fault}", table.name)))?;
        let right = lockstep.model.rows(table);
        if let Some(text) = difference(table, &got, &right) {
            return Err(differs(text).into());
        }
        rows += right.len();
    }
    letters::expect_right(lockstep)?;
    Ok((!tables.is_empty()).then_some(rows))
}

/// The place of the first of several models whose rows are the store's; that of the first if none fits, or without a store.
pub(crate) fn place_of_store(
    site: &Site<'_>,
    tables: &[Table],
    models: &[Box<dyn Model>],
) -> Result<usize, ServiceError> {
    let mut fits = vec![true; models.len()];
    for table in tables {
        let rights: Vec<Vec<Row>> = models.iter().map(|model| model.rows(table)).collect();
        if rights.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        let Some(got) = site.rows(table).transpose()? else { break };
        for (fits, right) in fits.iter_mut().zip(&rights) {
            *fits &= difference(table, &got, right).is_none();
        }
    }
    Ok(fits.iter().position(|fits| *fits).unwrap_or(0))
}

pub(crate) fn difference(table: &Table, got: &[Row], right: &[Row]) -> Option<String> {
    let show = |row: Option<&Row>| match row {
        Some(row) => row.iter().map(shown).collect::<Vec<_>>().join(" | "),
        None => "no such row".to_owned(),
    };
    let differs = |index: &usize| match (got.get(*index), right.get(*index)) {
        (Some(got), Some(right)) => {
            got.len() != right.len() || !got.iter().zip(right).all(|(a, b)| same(a, b))
        }
        _ => true,
    };
    let index = (0..got.len().max(right.len())).find(differs)?;
    let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    Some(format!(
        "{} differs ({} rows, expected {}); the first different row:\n  columns:  {}\n  expected: {}\n  got:      {}",
        table.name,
        got.len(),
        right.len(),
        columns.join(" | "),
        show(right.get(index)),
        show(got.get(index))
    ))
}

/// Characters shown of a value.
const SHOWN: usize = 300;

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn same(got: &Value, right: &Value) -> bool {
    match (got, right) {
        (Value::Time(got), Value::Time(right)) => (*got - *right).abs() <= TOLERANCE,
        (got, right) => got == right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::{Column, Kind, Timestamp};

    const TABLE: Table = Table {
        name: "bids",
        columns: &[Column { name: "id", kind: Kind::Integer }, Column { name: "date", kind: Kind::Time }],
        moves_with_epoch: true,
    };

    fn row(id: i64, date: i64) -> Row {
        vec![Value::Integer(id), Value::Time(Timestamp(date))]
    }

    #[test]
    fn rows_with_near_times_are_equal() {
        assert_eq!(difference(&TABLE, &[row(1, 10), row(2, 20)], &[row(1, 12), row(2, 18)]), None);
    }

    #[test]
    fn missing_wrong_and_late_rows_are_differences() {
        for got in [vec![row(1, 10)], vec![row(1, 10), row(3, 20)], vec![row(1, 10), row(2, 23)]] {
            let text = difference(&TABLE, &got, &[row(1, 10), row(2, 20)]).unwrap();
            assert!(text.contains("expected: 2 | 1970-01-01 00:00:20"), "{text}");
        }
    }
}
