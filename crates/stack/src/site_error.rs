use crate::BuildError;
use results::Finding;
use services::{ManifestError, ServiceError};
use std::io;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SiteError {
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The generator made rows that break an invariant.
    #[error("the generated data break the invariant {0}\nmend the model's generator, or the invariant")]
    Data(Finding),
}
