//! Papers as data: a study's measurements, printed figures and claims, and whether they still hold.
//!
//! A paper's folder is read strictly, and pure functions judge each claim from [`Observations`]. Only ratios, orders,
//! bottlenecks, shapes and errors are compared: interactions per minute and numbers of clients mean nothing across
//! twenty years.

mod check;
mod claim;
mod documents;
mod judge;
mod name;
mod observations;
mod page;
mod paper;
mod ratio;
mod reach;
mod read;
mod result;
mod table;

pub use claim::{
    Bottleneck, Claim, CpuOverLoads, Curve, Figure, Limit, Limits, NoDifference, NoErrors, Order, Quotient,
    Ranks, Resource, Shape, Statement, SystemShare,
};
pub use judge::{Comparison, Judgement, Verdict};
pub use name::Name;
pub use observations::{Arrival, Arrived, Bound, Load, Measured, Observations, Peak, Searched};
pub use page::{Measurement, Reproduction};
pub use paper::{
    About, Application, CapacityPlan, Configuration, Experiment, How, LeavesOut, Machine, Network, Paper,
    Plot, Printed, PrintedRatio, Protocol, Quick, QuickBlock, Run, Search, Software, Unit, Users, Workload,
};
pub use ratio::{Ratio, Region};
pub use reach::Reach;
pub use read::PaperError;
pub use table::claims_table;
