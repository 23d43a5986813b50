//! Reading a result folder: all that a report needs.

use crate::{
    FolderError, Manifest, Point, SCHEMA_VERSION, Sample,
    error::classify,
    folder::{MANIFEST, POINTS, samples_of},
    lines,
};
use fs_err as fs;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// All that may be read of a manifest before its schema is known.
#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

/// A result folder that is being read; a report needs nothing else.
#[derive(Debug, Clone)]
pub struct ResultReader {
    /// What was run.
    pub manifest: Manifest,
    /// What was measured, in the order in which it was.
    pub points: Vec<Point>,
    /// Where it was read.
    pub folder: PathBuf,
}

impl ResultReader {
    /// Reads a folder, also one whose run goes on or was killed: a last line that has no end is left out.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let manifest = read_manifest(&path.join(MANIFEST), path)?;
        Ok(Self { manifest, points: lines::read(&path.join(POINTS))?, folder: path.into() })
    }

    /// What was seen second by second of the point with this [`Point::sequence`]; nothing where nobody wrote it down.
    pub fn samples(&self, sequence: u32) -> Result<Vec<Sample>, FolderError> {
        let path = self.folder.join(samples_of(sequence));
        if path.exists() { lines::read(&path) } else { Ok(Vec::new()) }
    }
}

fn read_manifest(file: &Path, folder: &Path) -> Result<Manifest, FolderError> {
    if !file.exists() {
        return Err(FolderError::NoResult(folder.into()));
    }
    let text = fs::read(file).map_err(|error| classify(folder, error))?;
    let malformed =
        |fault: serde_json::Error| FolderError::Malformed { file: file.into(), line: fault.line(), fault };
    let Version { schema_version: version } = serde_json::from_slice(&text).map_err(malformed)?;
    if version != SCHEMA_VERSION {
        return Err(FolderError::Schema { path: file.into(), version });
    }
    serde_json::from_slice(&text).map_err(malformed)
}
