//! Rows in the form of LOAD DATA and COPY, and values as servers print them.

use application::{Kind, Money, Table, Timestamp, Value};
use std::io::Write as _;

/// Column names, in the order of the values of a row.
pub(super) fn columns(table: &Table) -> String {
    table.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

/// Appends a row: fields end with a tab, rows with a line feed, and a backslash escapes both. COPY also takes a
/// carriage return for a line end.
pub fn write_row(text: &mut Vec<u8>, row: &[Value]) {
    for value in row {
        write_field(text, value);
        text.push(b'\t');
    }
    text.pop();
    text.push(b'\n');
}

fn write_field(text: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => text.extend_from_slice(b"\\N"),
        Value::Text(field) => write_escaped(text, field.as_bytes()),
        other => write!(text, "{other}").expect("writing to memory can't fail"),
    }
}

fn write_escaped(text: &mut Vec<u8>, mut field: &[u8]) {
    while let Some(at) = field.iter().position(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b'\\')) {
        text.extend_from_slice(&field[..at]);
        text.extend_from_slice(match field[at] {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            _ => b"\\\\",
        });
        field = &field[at + 1..];
    }
    text.extend_from_slice(field);
}

/// The value of a column of this kind from its printed form; none if it is no value of the kind.
pub(super) fn read_value(value: Option<String>, kind: Kind) -> Option<Value> {
    let Some(text) = value else { return Some(Value::Null) };
    Some(match kind {
        Kind::Integer => Value::Integer(text.parse().ok()?),
        Kind::Money => match text.strip_prefix('-') {
            Some(amount) => Value::Money(Money(-amount.parse::<Money>().ok()?.0)),
            None => Value::Money(text.parse().ok()?),
        },
        Kind::Text => Value::Text(text),
        Kind::Time => Value::Time(Timestamp::parse(&text)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_row_is_one_line_of_fields_between_tabs() {
        let mut text = Vec::new();
        let row = [
            Value::Null,
            Value::Text("a\tb\\N\n".into()),
            Value::Money(Money(1205)),
            Value::Time(Timestamp(0)),
        ];
        write_row(&mut text, &row);
        assert_eq!(text, b"\\N\ta\\tb\\\\N\\n\t12.05\t1970-01-01 00:00:00\n");
    }

    /// The inverse of the escaping in the manuals of LOAD DATA and COPY.
    fn unescaped(field: &str) -> Option<String> {
        if field == "\\N" {
            return None;
        }
        let mut read = String::new();
        let mut characters = field.chars();
        while let Some(character) = characters.next() {
            read.push(match character {
                '\\' => match characters.next().unwrap() {
                    't' => '\t',
                    'n' => '\n',
                    'r' => '\r',
                    other => other,
                },
                other => other,
            });
        }
        Some(read)
    }

    proptest! {
        #[test]
        fn every_text_comes_back_from_its_line(texts in prop::collection::vec(prop::option::of("[\\PC\t\n\r\\\\N0]{0,9}"), 1..4)) {
            let row: Vec<Value> = texts.iter().map(|text| text.clone().map_or(Value::Null, Value::Text)).collect();
            let mut line = Vec::new();
            write_row(&mut line, &row);
            let line = String::from_utf8(line).unwrap();
            prop_assert_eq!(line.matches('\n').count(), 1);
            let fields: Vec<_> = line.strip_suffix('\n').unwrap().split('\t').map(unescaped).collect();
            prop_assert_eq!(fields, texts);
        }
    }

    #[test]
    fn what_the_server_prints_is_read_by_kind() {
        let read = |text: &str, kind| read_value(Some(text.to_owned()), kind);
        assert_eq!(read("-12.05", Kind::Money), Some(Value::Money(Money(-1205))));
        assert_eq!(read("1970-01-01 00:00:00", Kind::Time), Some(Value::Time(Timestamp(0))));
        assert_eq!(read("x", Kind::Integer), None);
        assert_eq!(read_value(None, Kind::Text), Some(Value::Null));
    }
}
