//! Timeouts of clients: a factor of the clients, as a configuration has factors.

use engine::Load;
use results::RunSpec;
use std::{fmt, str::FromStr, time::Duration};
use workload::Length;

/// The time after which a client gives up a request; none if it never does. It isn't scaled as think times are: no server
/// is faster where think times are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(pub Option<Duration>);

pub(crate) const FACTOR: &str = "timeout";
/// The value of clients that never give up.
const ENDLESS: &str = "none";

impl Default for Timeout {
    fn default() -> Self {
        Self(Some(Load::TIMEOUT))
    }
}

impl Timeout {
    /// The timeouts that a specification compares; none where a load model has its own.
    pub fn of(spec: &RunSpec) -> Vec<Self> {
        spec.timeouts_s.iter().map(|seconds| Self(seconds.map(length))).collect()
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(length) => Length(length).fmt(f),
            None => f.write_str(ENDLESS),
        }
    }
}

/// Reads a length of time, or `none`.
impl FromStr for Timeout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == ENDLESS {
            return Ok(Self(None));
        }
        let length: Length = text.parse().map_err(|fault| format!("{fault}; {ENDLESS} is for no limit"))?;
        if length.0.is_zero() {
            return Err(format!("nobody gets an answer in no time; {ENDLESS} is for no limit"));
        }
        if length > Length::LONGEST {
            return Err(format!("it can be {} at most; {ENDLESS} is for no limit", Length::LONGEST));
        }
        Ok(Self(Some(length.0)))
    }
}

/// Seconds as a length of time; zero if there is no such length, as anybody may edit a manifest.
pub(crate) fn length(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_read_as_it_is_shown() {
        for text in ["10s", "250ms", "2m", "7d", "none"] {
            assert_eq!(text.parse::<Timeout>().unwrap().to_string(), text);
        }
        assert_eq!(Timeout::default().to_string(), "10s");
        for text in ["0s", "", "never", "10", "7.1d", "18446744073709549568s"] {
            let fault = text.parse::<Timeout>().unwrap_err();
            assert!(fault.contains("none is for no limit"), "{fault}");
        }
    }
}
