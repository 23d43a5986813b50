//! Durations with units: `250ms`, `7s`, `15m`, `1h`, `7d`.

use serde::Deserialize;
use std::{fmt, str::FromStr, time::Duration};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Length(pub Duration);

const UNITS: [(&str, f64); 5] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0)];

impl Length {
    /// The longest ramp, window or timeout: a week.
    pub const LONGEST: Self = Self(Duration::from_secs(7 * 86400));
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "`{text}` is not a length of time; write a number and a unit, such as 250ms, 7s, 15m, 1h or 7d"
            )
        };
        let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(fault)?;
        let (number, unit) = text.split_at(split);
        let number: f64 = number.trim().parse().map_err(|_| fault())?;
        let (_, seconds) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(fault)?;
        Duration::try_from_secs_f64(number * seconds).map(Self).map_err(|_| fault())
    }
}

impl TryFrom<String> for Length {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        match UNITS.iter().rev().find(|(_, size)| seconds >= *size) {
            Some((unit, size)) => write!(f, "{}{unit}", (seconds / size * 1e3).round() / 1e3),
            None => write!(f, "{}ms", seconds * 1e3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_shows_each_unit() {
        for (text, millis) in [
            ("250ms", 250),
            ("7s", 7_000),
            ("0.7s", 700),
            ("15m", 900_000),
            ("1h", 3_600_000),
            ("7d", 604_800_000),
        ] {
            assert_eq!(text.parse::<Length>().unwrap().0, Duration::from_millis(millis), "{text}");
        }
        assert_eq!(Length(Duration::from_millis(700)).to_string(), "700ms");
        assert_eq!(Length(Duration::from_secs(900)).to_string(), "15m");
    }

    #[test]
    fn refuses_what_is_not_a_length() {
        for text in ["", "7", "s", "-1s", "7 parsecs", "1e400s", "NaNs"] {
            assert!(text.parse::<Length>().is_err(), "{text}");
        }
    }
}
