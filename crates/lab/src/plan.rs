//! The plan: which loads are measured, in which order, and how long that takes. It knows no server and no clock.

mod forecast;
mod load_model;
mod load_strategy;
mod loads;
mod schedule;
mod timing;

pub(crate) use forecast::SlowdownFactor;
pub use forecast::{Forecast, units};
pub use load_model::LoadModel;
pub use loads::compares_in_rounds;
pub(crate) use schedule::{Schedule, Task, Turn, sharing_next_start};
pub use timing::Timing;
pub(crate) use timing::{AT_ONCE, GAP, is_quick, stretches, time_for_pages};
