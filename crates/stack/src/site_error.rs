use crate::BuildError;
use miette::Diagnostic;
use results::Finding;
use services::{ManifestError, ServiceError};
use settings::Blame;
use std::io;
use thiserror::Error;

#[derive(Debug, Error, Diagnostic)]
pub enum SiteError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The generator made rows that break an invariant.
    #[error("the generated data break the invariant {0}")]
    #[diagnostic(help("mend the model's generator, or the invariant"))]
    Data(Finding),
}

impl SiteError {
    pub fn blame(&self) -> Blame {
        match self {
            Self::Build(fault) => fault.blame(),
            Self::Service(fault) => fault.blame(),
            Self::Manifest(_) => Blame::Input,
            Self::Io(error) => Blame::io(error),
            Self::Data(_) => Blame::Unverified,
        }
    }
}
