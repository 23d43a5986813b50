//! Proofs: which variant was verified with which content, so that it isn't verified again.
//!
//! A proof holds as long as its key is that of the variant, which depends on all that may change what the variant does
//! ([`Stack::verification_key`](stack::Stack::verification_key)). The laboratory that verified it stands beside the key: what a
//! change of the laboratory could break is shown by few variants, a [`cover`] of the workspace.

mod choice;
mod proof_store;
mod values;

pub use choice::{cover, depth_of, oldest_first};
pub use proof_store::ProofStore;
pub use values::{Unproven, decisive, unproven};

use crate::{
    error::LabError,
    workspace::{Variant, Workspace, WorkspaceError},
};
use jiff::civil::Date;
use services::{ManifestError, store::ENGINE};
use stack::{DATABASE, KeyError, Statements, fingerprint_of};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Proof that a variant was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    pub key: String,
    /// The laboratory that verified it.
    pub lab: String,
    pub depth: ProofDepth,
    pub on: Date,
    /// Of the content, what decides what its database does, as it was when it was last verified in full.
    pub sql: String,
    /// The share of the data that the last full verification saw, if that was counted.
    pub seen: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofDepth {
    /// The depth of `verify --smoke`.
    Smoke,
    /// The depth of `verify`.
    Full,
}

impl ProofDepth {
    /// The word that stands in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Full => "full",
        }
    }
}

/// A variant with what proofs of it depend on.
#[derive(Debug, Clone)]
pub struct Provable {
    pub application: String,
    pub variant: Variant,
    pub key: String,
    /// Of the content, what decides what its database does.
    pub sql: String,
    /// The parts of the workspace that it shows: services, their modules, stores.
    pub shows: BTreeSet<String>,
    /// True if it runs on the database that the application prefers.
    pub is_preferred: bool,
}

impl Provable {
    /// The parts of the key of a variant.
    pub fn look(workspace: &Workspace, application: &str, variant: Variant) -> Result<Self, LabError> {
        let home = workspace.path().join("apps").join(application);
        let configuration = &variant.configuration;
        let failed = |fault| match fault {
            KeyError::NotAvailable(fault) => {
                LabError::NotAvailable { configuration: configuration.name.clone(), fault }
            }
            KeyError::Manifest(fault) => LabError::Site {
                configuration: configuration.name.clone(),
                fault: ManifestError::from(fault).into(),
            },
            KeyError::Io(fault) => {
                LabError::Site { configuration: configuration.name.clone(), fault: fault.into() }
            }
        };
        let key = variant.stack.verification_key(configuration, application, &home).map_err(failed)?;
        let sql = match configuration.statements {
            Statements::Exact => sql(&home, &variant).map_err(|fault| failed(fault.into()))?,
            // Nobody knows what it sends.
            _ => key.clone(),
        };
        let is_preferred = configuration.id().value_of(DATABASE).is_none();
        let shows = shows(application, &variant);
        Ok(Self { application: application.to_owned(), key, sql, shows, is_preferred, variant })
    }

    pub fn name(&self) -> &str {
        &self.variant.configuration.name
    }

    pub fn stack(&self) -> &str {
        &self.variant.stack.name
    }

    /// The proof of it, verified by this laboratory today.
    pub fn proof(&self, lab: &str, depth: ProofDepth, before: Option<&Proof>) -> Proof {
        let (sql, seen) = match (depth, before) {
            (ProofDepth::Smoke, Some(before)) => (before.sql.clone(), before.seen.clone()),
            _ => (self.sql.clone(), None),
        };
        Proof { key: self.key.clone(), lab: lab.to_owned(), depth, on: today(), sql, seen }
    }
}

/// The day, by this machine's clock.
pub fn today() -> Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// The crates by which it is judged whether a variant is the application.
const JUDGES: [&str; 8] = [
    "application/src",
    // Of an engine for thousands of clients, verification uses one connection.
    "engine/src/connection.rs",
    "engine/src/http.rs",
    "reference/src",
    "services/src",
    "stack/src",
    "verify/src",
    "workload/src",
];

/// A text that differs if anything differs of the laboratory that verifies.
pub fn laboratory(workspace: &Workspace) -> Result<String, WorkspaceError> {
    let crates = workspace.path().join("crates");
    let paths: Vec<PathBuf> = JUDGES.iter().map(|name| crates.join(name)).collect();
    Ok(fingerprint_of(paths.iter().map(PathBuf::as_path))?)
}

/// The inputs on which a database's behaviour depends: schema, recorded statements, store, storage engine, and who locks.
fn sql(home: &Path, variant: &Variant) -> std::io::Result<String> {
    let files = fingerprint_of([home.join("schema").as_path(), home.join("statements").as_path()])?;
    let store = variant.configuration.tiers.iter().find(|tier| tier.service.store().is_some());
    let store = store.map(|tier| (tier.service.name.as_str(), tier.factors.get(ENGINE)));
    Ok(cache::fingerprint([files, format!("{store:?} {:?}", variant.configuration.factors)]))
}

/// The parts of the workspace that a variant shows.
fn shows(application: &str, variant: &Variant) -> BTreeSet<String> {
    let stack = &variant.stack;
    let mut shown = BTreeSet::from([format!("{application} by {}", stack.name)]);
    for (name, value) in &variant.configuration.factors {
        if !variant.configuration.declared.values(name).is_empty() {
            shown.insert(format!("{}: {name}={value}", stack.name));
        }
    }
    for tier in &variant.configuration.tiers {
        let service = &tier.service;
        shown.insert(service.name.clone());
        if service.store().is_some() {
            shown.insert(format!("{} by {}", service.name, stack.name));
        }
        for (name, value) in &tier.factors {
            if !service.factors.values(name).is_empty() {
                shown.insert(format!("{}: {name}={value}", service.name));
            }
        }
    }
    shown
}
