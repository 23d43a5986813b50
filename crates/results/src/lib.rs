//! The folder that a command leaves behind: its schema, its append-only writer, and its readers.
//!
//! ```text
//! results/2026-11-21T20-34-49-compare-auction/
//!   manifest.json        what was run, on what, with which settings, and how it ended
//!   points.jsonl         one measured point a line, written to disk as soon as it is judged
//!   events.jsonl         what the terminal was told
//!   samples/0001.jsonl   one line a second: the first point's tiers and their machine
//!   latency/0001.hlog    its response times, a histogram a second, in the log format of HdrHistogram
//!   profiles/0009/       of a profiled point: where its CPU went (profile.json), and the sampled stacks of each tier
//!   SHA256SUMS           the sums of all these, so that damage shows
//!   report.html          derived from the others
//!   logs/                the last log of each tier of each configuration
//! ```

// Its comments are the descriptions of the JSON schemas.
#![warn(missing_docs)]

mod arrivals;
mod audit;
mod change;
mod condition;
mod decisive;
mod error;
mod event;
#[cfg(test)]
mod fixture;
mod folder;
mod gauge;
mod host_usage;
mod json_schema;
mod latency;
mod layout;
mod lines;
mod loads;
mod manifest;
mod names;
mod objective;
mod plain_files;
mod point;
mod profile;
mod reader;
mod run_spec;
mod sample;
mod start_up;
mod sums;
mod variant;
mod verification;

pub use arrivals::{ArrivalFigures, ArrivalsEnd, ConcurrencyFigures, Unfairness};
pub use audit::{Account, Audit, ChangedRow, Finding, PageSample, PlantedLoss, altered_value};
pub use condition::{Breach, Condition, ConditionError};
pub use decisive::decisive;
pub use error::FolderError;
pub use event::{EventKind, EventRecord, LeftRecord};
pub use folder::{Folder, write_report};
pub use gauge::{Gauge, GaugeRole};
pub use host_usage::{HostUsageFigures, HostUsageSample, LinkPerInteraction};
pub use json_schema::json_schemas;
pub use latency::{LatencyInterval, ResponseTimes};
pub use loads::{Loads, Plan};
pub use manifest::{
    CodeSize, ConfigurationRecord, Ending, Host, HostRecord, MachineRecord, Manifest, Partial,
    SCHEMA_VERSION, Separation, ServiceRecord, TestbedRecord,
};
pub use names::Names;
pub use objective::Objective;
pub use point::{
    GeneratorFigures, HostFigures, InteractionFigures, Point, Purpose, Quantile, Restore, Round, Second,
    TierFigures, Times, Verdict, WarmUp, WarmUpEnd,
};
pub use profile::{Component, KERNEL, OTHER, Profile, Share, Stacks, TierProfile, component_of};
pub use reader::ResultReader;
pub use run_spec::{FactorChoice, RunSpec, SiteAccess, Verb};
pub use sample::{HostSample, Sample, TierSample};
pub use start_up::{StartUp, TierStartUp, WarmUpCost};
pub use stats::{Check, CheckId, Extent};
pub use variant::{NoOverride, VariantId, once, plain_name};
pub use verification::{Statements, StoreCost, StoreTraffic, Verification};
pub use workload::{ArrivalLoad, LoadKind, Series, Spacing, WorkloadModel};
