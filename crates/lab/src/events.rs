//! Events: news of a running experiment, for the terminal and for the result.

pub(crate) mod clock;
mod event;
mod event_log;

pub use clock::{now, rfc3339};
pub use event::Event;
pub(crate) use event_log::{EventLog, Events};
