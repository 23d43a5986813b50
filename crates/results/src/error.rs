//! Why a result folder can't be used.

use crate::SCHEMA_VERSION;
use settings::Blame;
use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why a result folder can't be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// Somebody else's result is there already.
    #[error(
        "{0} already holds a result or another run is writing it; name another folder with --out, move it away, or go on \
         with it with --resume"
    )]
    Taken(PathBuf),
    /// Nothing there to read.
    #[error("{0} is no result folder: it holds no manifest.json")]
    NoResult(PathBuf),
    /// Nobody may continue what still runs.
    #[error("{0} is being written by a run that still goes on; wait for its end, or end it")]
    Running(PathBuf),
    /// Nothing is left to measure.
    #[error("{0} is complete, so there is nothing to resume; run the same again into another folder")]
    Complete(PathBuf),
    /// Points measured from now on could not be compared with the earlier ones.
    #[error(
        "{path} can't be resumed, because what is measured now would differ from what was measured then:\n  {}\n\
         undo that, or run all of it again into another folder",
        differences.join("\n  ")
    )]
    Changed {
        /// The folder.
        path: PathBuf,
        /// What differs, each in a line.
        differences: Vec<String>,
    },
    /// A line of the result can't be read.
    #[error("{file}, line {line}: {fault}")]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        fault: String,
    },
    /// Files were damaged, or changed after they were written.
    #[error(
        "{path} is not as it was written:\n  {}\nrestore it from a copy, or run all of it again into another folder",
        damages.join("\n  ")
    )]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// Each damage in a line, with the file and where possible the line.
        damages: Vec<String>,
    },
    /// An earlier or later laboratory wrote it, and its fields mean something else.
    #[error(
        "{path} has schema {version}, and this tierbench knows {SCHEMA_VERSION}; use the one that wrote it"
    )]
    Schema {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The disk is full.
    #[error(
        "no space left on the disk of {0}; free some and go on with --resume, or name a folder elsewhere with --out"
    )]
    Full(PathBuf),
    /// Anything else the file system says.
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

/// What a failed access to a folder means.
pub(crate) fn classify(path: &Path, error: io::Error) -> FolderError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FolderError::Full(path.into()),
        _ => FolderError::Io(error),
    }
}
