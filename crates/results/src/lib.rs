//! The folder that a command leaves behind: its schema, its append-only writer, and its readers.
//!
//! ```text
//! results/2026-11-21T20-34-49-compare-auction/
//!   manifest.json   what was run, on what, with which settings, and how it ended
//!   points.jsonl    one measured point a line, written to disk as soon as it is judged
//!   report.html     derived from the two
//!   logs/           the last log of each tier of each point
//! ```

mod folder;
mod schema;

pub use folder::{Folder, FolderError, ResultReader};
pub use schema::{
    Account, Audit, ConfigurationRecord, Ending, Finding, Host, InteractionFigures, Manifest, PlantedLoss,
    Point, SCHEMA_VERSION, Second, ServiceRecord, TierFigures, Times, Verdict,
};
pub use stats::Check;
