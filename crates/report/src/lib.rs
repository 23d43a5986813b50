//! A result as people read it: a summary with its answer in a sentence, a table for the terminal, an HTML page and CSV.
//!
//! All of them derive from the result folder alone, and from the same [`Summary`], so that they can't disagree.

mod again;
mod headline;
mod open_loop;
mod axis;
mod bottleneck;
mod caveats;
mod chart;
mod csv_table;
mod data_integrity;
mod difference;
mod flame;
mod grid;
mod chart_labels;
mod limitations;
mod number;
mod page;
mod peak;
mod ranking;
mod summary;
mod overload_cycle;
mod terminal;
mod timeline;
mod usage;
mod words;

pub use again::again;
pub use open_loop::{Arrived, Largest};
pub use bottleneck::{Bottleneck, HOST_BUSY, LINK_BUSY};
pub use csv_table::csv;
pub use difference::{Change, Difference, difference, difference_table};
pub use grid::{Column, Grid};
pub use page::{
    html,
    study::{Study, StudyClaim, StudyFigure, StudyFigures, StudyMachines, StudyPlot, study_html},
};
pub use peak::{Estimate, Load, PeakStatus, Peak, StartFigures, curve};
pub use ranking::{PairwiseComparison, Cost};
pub use summary::{DAMAGED, Rejected, Banner, ConfigurationSummary, Summary, alarm, summary};
pub use overload_cycle::{Step, OverloadCycle};
pub use terminal::{paragraph, table, terminal_table};
pub use usage::Usage;
