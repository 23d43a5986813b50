//! Errors of result folders.

use crate::SCHEMA_VERSION;
use settings::Blame;
use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// A reason why a result folder can't be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FolderError {
    #[error(
        "{0} already holds a result or another run is writing it; name another folder with --out, move it away, or go on \
         with it with --resume"
    )]
    Taken(PathBuf),
    #[error("{0} is no result folder: it holds no manifest.json")]
    NoResult(PathBuf),
    #[error("{0} is being written by a run that still goes on; wait for its end, or end it")]
    Running(PathBuf),
    #[error("{0} is complete, so there is nothing to resume; run the same again into another folder")]
    Complete(PathBuf),
    #[error(
        "{path} can't be resumed, because what is measured now would differ from what was measured then:\n  {}\n\
         undo that, or run all of it again into another folder",
        differences.join("\n  ")
    )]
    Changed { path: PathBuf, differences: Vec<String> },
    #[error("{file}, line {line}: {fault}")]
    Malformed { file: PathBuf, line: u64, fault: String },
    #[error(
        "{path} is not as it was written:\n  {}\nrestore it from a copy, or run all of it again into another folder",
        damages.join("\n  ")
    )]
    Damaged { path: PathBuf, damages: Vec<String> },
    #[error(
        "{path} has schema {version}, and this tierbench knows {SCHEMA_VERSION}; use the one that wrote it"
    )]
    Schema { path: PathBuf, version: u32 },
    #[error(
        "no space left on the disk of {0}; free some and go on with --resume, or name a folder elsewhere with --out"
    )]
    Full(PathBuf),
    #[error(transparent)]
    Io(io::Error),
}

impl FolderError {
    /// The class of the error.
    pub fn blame(&self) -> Blame {
        match self {
            Self::Complete(_) | Self::Changed { .. } => Blame::Input,
            Self::Malformed { .. } | Self::Damaged { .. } => Blame::Damaged,
            Self::Taken(_)
            | Self::NoResult(_)
            | Self::Running(_)
            | Self::Schema { .. }
            | Self::Full(_)
            | Self::Io(_) => Blame::Storage,
        }
    }
}

/// Meaning of a failed access to a folder.
pub(crate) fn classify(path: &Path, error: io::Error) -> FolderError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FolderError::Full(path.into()),
        _ => FolderError::Io(error),
    }
}
