//! Stacks: code bases that implement applications, and their configurations.
//!
//! A stack is one folder with a `stack.toml`. This crate reads it, builds the stack with the stack's own tools, and
//! deploys it into a run's folder. It knows no stack by name.

mod build_progress;
mod build_step;
mod built;
mod certificate;
mod contents;
mod copy;
mod deploy;
mod factors;
mod files;
#[cfg(test)]
mod fixture;
mod lines;
#[cfg(test)]
mod malicious_manifests;
mod manifest;
mod meter;
mod packages;
mod sampling;
mod shares;
mod site;
mod site_error;
mod site_inputs;
mod sources;
mod store;
mod toolchains;
mod verification_key;

pub use build_progress::BuildProgress;
pub use build_step::BuildStep;
pub use certificate::CertificateFault;
pub use deploy::{BuildError, build, deploy};
pub use manifest::{Configuration, DATABASE, Stack, Tier};
pub use meter::{Meter, TiersUse};
pub use results::Statements;
pub use sampling::{Sampled, Sampling, StretchUse};
pub use site::{Site, TierStart};
pub use site_error::SiteError;
pub use site_inputs::{SiteInputs, place_of};
pub use verification_key::{KeyError, fingerprint_of};
