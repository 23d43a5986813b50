//! Instants, to the second, in UTC.

use serde::{Deserialize, Serialize};
use std::{
    fmt,
    ops::{Add, Sub},
};

/// Seconds since the Unix epoch, displayed as databases write it: `2026-11-21 20:34:49`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp(pub i64);

const DATABASE_FORMAT: &str = "%Y-%m-%d %H:%M:%S";

impl Timestamp {
    /// Parses `2026-11-21 20:34:49`.
    pub fn parse(text: &str) -> Option<Self> {
        let civil = jiff::civil::DateTime::strptime(DATABASE_FORMAT, text).ok()?;
        Some(Self(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second()))
    }

    /// The machine-readable form for `<time datetime="…">`: `2026-11-21T20:34:49Z`.
    pub fn machine(self) -> String {
        self.format("%Y-%m-%dT%H:%M:%SZ")
    }

    fn format(self, format: &str) -> String {
        match jiff::Timestamp::from_second(self.0) {
            Ok(instant) => instant.strftime(format).to_string(),
            Err(_) => format!("@{}", self.0),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(DATABASE_FORMAT))
    }
}

impl Add<i64> for Timestamp {
    type Output = Self;

    fn add(self, seconds: i64) -> Self {
        Self(self.0 + seconds)
    }
}

impl Sub for Timestamp {
    type Output = i64;

    fn sub(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_and_reads_the_same_instant() {
        let instant = Timestamp(1_795_293_289);
        assert_eq!(Timestamp::parse(&instant.to_string()), Some(instant));
        assert_eq!(Timestamp(0).to_string(), "1970-01-01 00:00:00");
        assert_eq!(Timestamp(0).machine(), "1970-01-01T00:00:00Z");
        assert_eq!(Timestamp::parse("yesterday"), None);
    }
}
