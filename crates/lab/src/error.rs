//! Errors of the laboratory.

use engine::EngineError;
use miette::Diagnostic;
use profile::ProfileError;
use results::FolderError;
use services::{NotAvailable, ServiceError};
use settings::Blame;
use stack::{BuildError, SiteError};
use std::path::PathBuf;
use testbed::TestbedError;
use thiserror::Error;
use verify::VerifyError;

/// The reason why an experiment ended early. Points until then are in the folder.
#[derive(Debug, Error, Diagnostic)]
pub enum LabError {
    /// A stack can't be built.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Build(#[from] BuildError),
    /// The hosts of a testbed can't be as they should.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Testbed(#[from] TestbedError),
    /// A program that a configuration needs is missing or too old.
    #[error("{configuration}: {fault}")]
    NotAvailable { configuration: String, fault: NotAvailable },
    /// A site can't be made or run.
    #[error("{configuration}: {fault}")]
    #[diagnostic(forward(fault))]
    Site { configuration: String, fault: SiteError },
    #[error("{configuration}, in the middle of the point with {clients} clients: {fault}")]
    Died { configuration: String, clients: u32, fault: ServiceError },
    #[error("{configuration}: no samples at {clients} clients: tierbench got no CPU during the whole window")]
    #[diagnostic(help("stop other programs"))]
    HeldUp { configuration: String, clients: u32 },
    #[error("{configuration} is not the application:\n{fault}")]
    #[diagnostic(help("to measure it unverified, add --skip-verify"))]
    Unverified { configuration: String, fault: VerifyError },
    #[error(
        "{configuration}: the audit did not see that row {id} of {table} was deleted or changed on purpose, so that it proves \
         nothing"
    )]
    #[diagnostic(help("look whether `writes` in app.toml and the invariants cover {table}"))]
    Blind { configuration: String, table: String, id: u64 },
    /// The load could not be put on.
    #[error("{configuration}: {fault}")]
    Engine { configuration: String, fault: EngineError },
    #[error("{configuration} can't be profiled: {fault}")]
    Profile { configuration: String, fault: ProfileError },
    #[error(
        "this run can't be resumed: its point {sequence} is {recorded}, and by its plan it would be {planned}"
    )]
    #[diagnostic(help("run all of it again into another folder"))]
    OtherPlan {
        /// The point's place in the order of all points.
        sequence: u32,
        recorded: String,
        planned: String,
    },
    /// The result can't be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(
        "{place} has {free} MiB free, but these configurations need about {needed} MiB for their databases"
    )]
    #[diagnostic(help(
        "free some, {}set TMPDIR to a folder with more room",
        if *fits > 0.0 { format!("take --scale {fits} or less, or ") } else { "or ".to_owned() }
    ))]
    NoSpace {
        /// The folder of temporary files.
        place: PathBuf,
        free: u64,
        needed: u64,
        /// The scale of data that would fit; 0 if none would.
        fits: f64,
    },
    #[error("no temporary folder can be made in {place}: {fault}")]
    #[diagnostic(help("set TMPDIR to the folder where they may go"))]
    Scratch {
        /// The folder of temporary files.
        place: PathBuf,
        fault: std::io::Error,
    },
    #[error("interrupted")]
    Interrupted,
}

impl LabError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::Build(fault) => fault.blame(),
            Self::Testbed(fault) => fault.blame(),
            Self::NotAvailable { fault, .. } => fault.blame(),
            Self::Site { fault, .. } => fault.blame(),
            Self::Unverified { fault, .. } => fault.blame(),
            Self::Profile { fault, .. } => fault.blame(),
            Self::Died { .. } | Self::HeldUp { .. } | Self::Engine { .. } => Blame::Service,
            Self::Blind { .. } | Self::OtherPlan { .. } => Blame::Input,
            Self::Folder(fault) => fault.blame(),
            Self::NoSpace { .. } | Self::Scratch { .. } => Blame::Storage,
            Self::Interrupted => Blame::Interrupted,
        }
    }
}
