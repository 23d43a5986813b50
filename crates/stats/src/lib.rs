//! Statistics: intervals, comparisons, the search for the peak, and the checks of a verdict.
//!
//! Everything here is pure: it does no I/O and knows no clock, so that tests compare it with known truths.

mod capacity;
mod comparison;
mod interval;
mod quantile;
mod recovery;
mod search;
mod starts;
mod steady;
mod stopping;
mod verdict;
mod warm;

pub use capacity::{Capacity, CapacityEstimate, CapacityRun, CapacitySearch};
pub use comparison::{Pair, Ranking, StandardError, compare_all, compare_times, holm};
pub use interval::{Interval, Scatter, batch_means};
pub use quantile::{Before, QuantileInterval, quantile_interval};
pub use recovery::{RECOVERED, Recovery, RecoveryStatus};
pub use search::{PeakEstimate, PeakSearch, Remaining, SearchPhase, SearchRun, StartLoads, knee};
pub use starts::{LoadRatio, StartSample, Starts, compare_loads, compare_starts, of_rounds};
pub use steady::{ChangePoint, likeliest_change, mser5};
pub use stopping::{StoppingRule, is_decided};
pub use verdict::{
    Check, CheckId, Drawn, Extent, Figures, GeneratorFigures, HostGenerator, HostUse, MachineState,
    MachineUse, QuotaUse, Row, SecondFigures, SiteFigures, ThinkTimes, UserFigures, Visited, judge,
};
pub use warm::{WarmSecond, Warming};
