//! What may be concluded from figures: intervals, the search for the peak, and the checks of a verdict.
//!
//! Everything here is pure: it does no I/O and knows no clock, so that it is tested against known truths.

mod comparison;
pub mod exact;
mod interval;
mod quantile;
mod search;
mod verdict;

pub use comparison::{Pair, Ranking, compare_all};
pub use interval::{Comparison, Interval, batch_means};
pub use quantile::{QuantileInterval, quantile_interval};
pub use search::{End, Next, PeakEstimate, PeakSearch, Purpose};
pub use verdict::{Check, Figures, ThinkTimes, judge};
