//! Papers as data: what a study measured, what its text prints, what it claims, and whether that still holds.
//!
//! A paper's folder is read strictly, and each of its claims is judged by pure functions from what was [`Observations`] here.
//! Only ratios, orders, bottlenecks, shapes and errors are compared: figures in interactions per minute and numbers of
//! clients mean nothing across twenty years.

mod check;
mod claim;
mod documents;
mod judge;
mod name;
mod observations;
mod page;
mod paper;
mod ratio;
mod read;
mod result;
mod table;

pub use claim::{
    Bottleneck, Claim, Curve, Figure, Limit, Limits, NoDifference, NoErrors, Order, Quotient, Ranks,
    Resource, Shape, Statement,
};
pub use judge::{Comparison, Judgement, Verdict};
pub use name::Name;
pub use observations::{Arrival, Arrived, Measured, Observations, Peak, Searched};
pub use page::{Measurement, Reproduction};
pub use paper::{
    About, Application, Configuration, Experiment, How, LeavesOut, Machine, Network, Paper, Plot, Printed,
    PrintedRatio, Protocol, Quick, Run, Search, Software, Unit, Users, Workload,
};
pub use ratio::{Ratio, Region};
pub use read::PaperError;
pub use table::claims_table;
