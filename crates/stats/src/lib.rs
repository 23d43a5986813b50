//! What may be concluded from figures: intervals, the search for the peak, and the checks of a verdict.
//!
//! Everything here is pure: it does no I/O and knows no clock, so that it is tested against known truths.

pub mod exact;
mod interval;
mod search;
mod verdict;

pub use interval::{Comparison, Interval, batch_means};
pub use search::{End, PeakSearch};
pub use verdict::{Check, Figures, ThinkTimes, judge};
