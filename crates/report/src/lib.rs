//! A result as people read it: a summary with its answer in a sentence, a table for the terminal, an HTML page and CSV.
//!
//! All of them derive from the result folder alone, and from the same [`Summary`], so that they can't disagree.

mod again;
mod axis;
mod bottleneck;
mod caveats;
mod chart;
mod chart_labels;
mod csv_table;
mod data_integrity;
mod difference;
mod flame;
mod grid;
mod headline;
mod limitations;
mod number;
mod open_loop;
mod overload_cycle;
mod page;
mod peak;
mod ranking;
mod summary;
mod terminal;
mod timeline;
mod usage;
mod words;

pub use again::again;
pub use bottleneck::{Bottleneck, Cause, HOST_BUSY, LINK_BUSY, TierName};
pub use csv_table::csv;
pub use difference::{Change, Difference, difference, difference_table};
pub use grid::{Column, Grid};
pub use open_loop::{Arrived, Largest};
pub use overload_cycle::{OverloadCycle, Step};
pub use page::{
    html,
    study::{Study, StudyClaim, StudyFigure, StudyFigures, StudyMachines, StudyPlot, study_html},
};
pub use peak::{Estimate, Load, Peak, PeakStatus, StartFigures, curve};
pub use ranking::{Cost, PairwiseComparison};
pub use summary::{Banner, ConfigurationSummary, DAMAGED, Rejected, Summary, alarm, summary};
pub use terminal::{paragraph, table, terminal_table};
pub use usage::Usage;
