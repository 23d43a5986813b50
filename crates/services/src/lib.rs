//! Runs the services that `services/` describes, as private, throw-away instances.
//!
//! A service is data: a `service.toml` and templates. This crate renders the templates into the run's folder, starts
//! the program under a supervisor, waits until it answers, and explains failures. It also loads, restores and reads
//! data stores.

mod audit;
mod availability;
mod factor;
#[cfg(feature = "fixture")]
pub mod fixture;
mod instance;
mod manifest;
mod monitor;
mod page_probe;
mod program;
pub mod records;
mod sampler;
pub mod statements;
pub mod store;
mod store_kind;
mod template;
mod version;

pub use audit::{Audit, AuditRules, DataQuery, Holding, Loaded, LoadedContents};
pub use availability::NotAvailable;
pub use factor::{FactorEntry, Factors, WrongValue};
pub use instance::{Instance, Peer, ReadySettings, RunPaths, ServiceError, TierSettings, TlsFiles};
pub use manifest::{ManifestError, Service};
pub use monitor::{Monitor, Readings, Tally};
pub use program::MissingProgram;
pub use store_kind::StoreKind;
