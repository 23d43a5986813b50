//! What may be concluded from figures: intervals, the search for the peak, and the checks of a verdict.
//!
//! Everything here is pure: it does no I/O and knows no clock, so that it is tested against known truths.

mod capacity;
mod comparison;
pub mod exact;
mod interval;
mod looks;
mod quantile;
mod recovery;
mod search;
mod starts;
mod steady;
mod verdict;
mod warm;

pub use capacity::{Capacity, CapacitySearch, ObjectiveRun};
pub use comparison::{Pair, Ranking, compare_all, compare_times, holm};
pub use interval::{Interval, Scatter, batch_means};
pub use looks::{Looks, is_told};
pub use quantile::{Before, QuantileInterval, quantile_interval};
pub use recovery::{Finding, RECOVERED, Recovery};
pub use search::{Loads, PeakEstimate, PeakSearch, Purpose, Run, knee};
pub use starts::{Starts, compare_starts, of_rounds};
pub use steady::{Change, likeliest_change, mser5};
pub use verdict::{
    Check, Drawn, Extent, Figures, GeneratorFigures, HostUse, OTHER_PROCESSES, QuotaUse, Row, SecondFigures,
    SiteFigures, ThinkTimes, UserFigures, Visited, judge,
};
pub use warm::{WarmSecond, Warming};
