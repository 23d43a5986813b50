//! Errors of result folders.

use crate::{Manifest, SCHEMA_VERSION, layout::MANIFEST};
use settings::{Blame, inside, read_text};
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
        "{path} already holds a result or another run is writing it; name another folder with --out, or move it away{}",
        resuming(*.can_resume, ", or go on with it with --resume")
    )]
    Taken { path: PathBuf, can_resume: bool },
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
        "no space left on the disk of {path}; free some{}, or name a folder elsewhere with --out",
        resuming(*.can_resume, " and go on with --resume")
    )]
    Full { path: PathBuf, can_resume: bool },
    #[error(transparent)]
    Io(io::Error),
}

impl FolderError {
    /// The class of the error.
    pub fn blame(&self) -> Blame {
        match self {
            Self::Complete(_) | Self::Changed { .. } => Blame::Input,
            Self::Malformed { .. } | Self::Damaged { .. } => Blame::Damaged,
            Self::Taken { .. }
            | Self::NoResult(_)
            | Self::Running(_)
            | Self::Schema { .. }
            | Self::Full { .. }
            | Self::Io(_) => Blame::Storage,
        }
    }
}

/// The advice to go on with a run, where that is possible.
fn resuming(can_resume: bool, advice: &'static str) -> &'static str {
    if can_resume { advice } else { "" }
}

/// Meaning of a failed access to a folder.
pub(crate) fn classify(path: &Path, error: io::Error) -> FolderError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            FolderError::Full { path: path.into(), can_resume: has_unended_run(path) }
        }
        _ => FolderError::Io(error),
    }
}

/// True if a run has begun in the folder, and has not ended completely.
pub(crate) fn has_unended_run(folder: &Path) -> bool {
    let text = inside(folder, MANIFEST).and_then(|file| read_text(&file)).unwrap_or_default();
    let manifest = serde_json::from_str::<Manifest>(&text);
    manifest.is_ok_and(|manifest| manifest.ending.is_none_or(|ending| !ending.complete))
}
