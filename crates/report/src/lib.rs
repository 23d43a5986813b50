//! A result as people read it: a summary with its answer in a sentence, a table for the terminal, an HTML page and CSV.
//!
//! All of them derive from the result folder alone, and from the same [`Summary`], so that they can't disagree.

mod chart;
mod csv_table;
mod data;
mod limits;
mod number;
mod page;
mod summary;
mod terminal;

pub use csv_table::csv;
pub use page::html;
pub use summary::{Passage, Peak, Rejected, Stamp, Standing, Summary, TierShare, summary};
pub use terminal::terminal_table;
