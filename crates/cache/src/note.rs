//! `snapshot.toml`: the content of a snapshot in readable form, with its list of files to detect missing ones.

use crate::Identity;
use application::Timestamp;
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::{
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

pub(crate) const NAME: &str = "snapshot.toml";
/// The folder beside it that holds the store's files.
pub(crate) const DATA: &str = "data";

/// The most bytes of a note: a store of mail has a file for each message.
const LONGEST_NOTE: u64 = 256 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRows {
    pub name: String,
    pub rows: u64,
    /// The largest id; 0 without rows.
    pub largest: u64,
}

/// The content of `snapshot.toml`. Its modification time is the time of the last use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    #[serde(with = "as_text")]
    pub made: Timestamp,
    /// The reference instant of the rows' dates.
    #[serde(with = "as_text")]
    pub history: Timestamp,
    pub bytes: u64,
    pub identity: Identity,
    pub table: Vec<TableRows>,
    pub file: Vec<FileNote>,
}

/// A file of the store. Any change of the file changes one of these.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileNote {
    /// Below the folder of the data.
    pub path: PathBuf,
    pub bytes: u64,
    /// Seconds since 1970 and billionths of one.
    pub modified: [i64; 2],
}

impl Note {
    /// Reads the note of a snapshot's folder. The error says why it is unusable.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let text =
            settings::read_bytes(&folder.join(NAME), LONGEST_NOTE).map_err(|fault| fault.to_string())?;
        toml::from_slice(&text).map_err(|fault| format!("{NAME} can't be read: {}", fault.message()))
    }

    /// An error if the files beside the note differ from its list.
    pub(crate) fn expect_whole(&self, folder: &Path) -> Result<(), String> {
        let found = files(&folder.join(DATA)).map_err(|fault| fault.to_string())?;
        // Both are sorted.
        let differing = self.file.iter().find(|file| found.binary_search(file).is_err());
        if let Some(file) = differing {
            let now = found.iter().find(|other| other.path == file.path);
            let (path, bytes) = (file.path.display(), file.bytes);
            return Err(match now {
                None => format!("{path} is missing"),
                Some(now) if now.bytes != bytes => format!("{path} has {} of {bytes} bytes", now.bytes),
                Some(_) => format!("{path} was changed after it was written"),
            });
        }
        match found.iter().find(|file| self.file.binary_search(file).is_err()) {
            Some(file) => Err(format!("{} does not belong to it", file.path.display())),
            None => Ok(()),
        }
    }
}

/// The files below a folder, in the order of their paths.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<FileNote>> {
    let mut found = Vec::new();
    collect(folder, Path::new(""), &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, below: &Path, found: &mut Vec<FileNote>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        let facts = entry.metadata()?;
        if facts.is_dir() {
            collect(folder, &path, found)?;
        } else {
            found.push(FileNote { path, bytes: facts.len(), modified: [facts.mtime(), facts.mtime_nsec()] });
        }
    }
    Ok(())
}

mod as_text {
    use application::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(instant: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(instant)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        Timestamp::parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is no instant")))
    }
}
