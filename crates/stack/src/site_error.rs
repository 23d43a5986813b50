//! What may go wrong with a site.

use crate::BuildError;
use results::Finding;
use services::{ManifestError, ServiceError};
use std::io;
use thiserror::Error;

/// Why a site can't be made or run.
#[derive(Debug, Error)]
pub enum SiteError {
    /// Its stack can't be built or deployed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// One of its services doesn't run.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// Its manifest names what isn't there.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Something with files.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The generator has made rows that must not be.
    #[error("the generated data break the invariant {0}\nmend the model's generator, or the invariant")]
    Data(Finding),
}
