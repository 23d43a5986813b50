//! Stacks: code bases that implement applications, and their configurations.
//!
//! A stack is one folder with a `stack.toml`. This crate reads it, builds the stack with the stack's own tools, and
//! deploys it into a run's folder. It knows no stack by name.

mod build_step;
mod built;
mod certificate;
mod content;
mod copy;
mod deploy;
mod essence;
mod factors;
mod files;
#[cfg(test)]
mod fixture;
mod lines;
#[cfg(test)]
mod malicious_manifests;
mod manifest;
mod meter;
mod news;
mod packages;
mod sampling;
mod shares;
mod site;
mod site_error;
mod sources;
mod store;
mod toolchains;

pub use build_step::BuildStep;
pub use content::Content;
pub use deploy::{BuildError, build, deploy};
pub use essence::{EssenceError, fingerprint_of};
pub use manifest::{Configuration, DATABASE, Stack, Tier};
pub use meter::{Meter, TiersUse};
pub use news::News;
pub use results::Statements;
pub use sampling::{Sampled, Sampling, StretchUse};
pub use site::Site;
pub use site_error::SiteError;
