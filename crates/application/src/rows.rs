//! Tables, columns and the values in their rows.

use crate::Timestamp;
use std::{fmt, str::FromStr};

/// An amount of money in cents; a `DECIMAL(…,2)` in every database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(pub i64);

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100)
    }
}

/// Reads `12`, `12.5` and `12.50`: digits, then at most two decimals. Signs, blanks, exponents and values beyond a
/// `DECIMAL(12,2)` are refused.
impl FromStr for Money {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (whole, cents) = text.split_once('.').unwrap_or((text, "00"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(cents) || whole.len() > 10 || cents.len() > 2 {
            return Err(());
        }
        let whole: i64 = whole.parse().map_err(|_| ())?;
        let cents: i64 = format!("{cents:0<2}").parse().map_err(|_| ())?;
        Ok(Self(whole * 100 + cents))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    /// In cents.
    Money,
    Text,
    /// In UTC, to the second.
    Time,
}

#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
}

/// A table of an application. Its first column is its primary key.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// In the order of the schema.
    pub columns: &'static [Column],
    /// True if its dates are relative to a dataset's epoch; else they are relative to its history.
    pub moves_with_epoch: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Null,
    Integer(i64),
    Money(Money),
    Text(String),
    Time(Timestamp),
}

/// In the order of the table's columns.
pub type Row = Vec<Value>;

/// The value as SQL would print it, without quotes.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Integer(number) => number.fmt(f),
            Self::Money(amount) => amount.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Time(instant) => instant.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_strictly() {
        for (text, cents) in
            [("0", 0), ("12", 1200), ("12.5", 1250), ("12.05", 1205), ("9999999999.99", 999_999_999_999)]
        {
            assert_eq!(text.parse::<Money>(), Ok(Money(cents)), "{text}");
        }
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1.005", " 1", "1,5", "99999999999", "٣"] {
            assert_eq!(text.parse::<Money>(), Err(()), "{text}");
        }
        assert_eq!(Money(-5).to_string(), "-0.05");
    }
}
