//! Events: news of a running experiment, for the terminal and for the result.

pub(crate) mod clock;
mod event;
pub(crate) mod event_log;
mod step;

pub use clock::{now, rfc3339};
pub use event::Event;
pub use step::{Step, StepKind};
