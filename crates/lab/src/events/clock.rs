//! The wall clock, at the edge of the laboratory.

use application::Timestamp;

/// This machine's time, to the second.
pub fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_second())
}

/// This machine's time as results write it: `2026-11-21T20:34:49Z`.
pub fn rfc3339() -> String {
    now().machine()
}

/// This machine's time as results write it, to the millisecond.
pub(crate) fn rfc3339_ms() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}
