//! Presentation of results: a summary with its answer in a sentence, a terminal table, an HTML page and CSV.
//!
//! All derive from the result folder alone, through the same [`Summary`], so they can't disagree.

mod again;
mod audits;
mod axis;
mod bars;
mod bottleneck;
mod capacity;
mod chart;
mod chart_labels;
mod configuration;
mod csv_table;
mod curve;
mod difference;
mod exported;
mod filter;
mod finding;
mod flame;
mod gallery;
mod grid;
mod headline;
mod measured;
mod number;
mod open_loop;
mod overload_cycle;
mod page;
mod peak;
mod ranking;
mod regressions;
mod review;
mod runs;
mod series;
mod summary;
mod svg;
mod terminal;
mod text_table;
mod timeline;
mod traffic;
mod usage;
mod words;

pub use again::again;
pub use bottleneck::{Bottleneck, CPU_SATURATED, Cause, LINK_BUSY, TierName};
pub use capacity::{Capacities, CapacityRow};
pub use configuration::{ConfigurationSummary, Rejected, configurations};
pub use csv_table::{csv, json};
pub use curve::{CurvePoint, StartFigures, TierCost, curve};
pub use difference::{Change, Difference, difference, difference_table};
pub use exported::{action_benchmark, bencher, junit, markdown, open_or_worse, verdict};
pub use finding::{Banner, DAMAGED, Finding, Severity};
pub use gallery::{Exhibit, gallery};
pub use grid::{Column, Grid};
pub use open_loop::{Arrived, Largest};
pub use overload_cycle::{CycleStep, OverloadCycle, Requests};
pub use page::{
    html,
    several::several_html,
    study::{Study, StudyClaim, StudyFigure, StudyFigures, StudyMachines, StudyPlot, study_html},
};
pub use peak::{Peak, PeakStatus};
pub use ranking::{Cost, PairwiseComparison};
pub use regressions::{Judgement, Outcome, Regressions, Tolerance};
pub use runs::Estimate;
pub use summary::{Summary, alarm, summary};
pub use svg::svgs;
pub use terminal::terminal_table;
pub use text_table::{paragraph, table};
pub use traffic::TracedPage;
pub use usage::Usage;
