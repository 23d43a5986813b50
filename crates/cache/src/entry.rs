//! What a cache holds, for people who want to know and to empty it.

use crate::{Identity, folders, is_part, lock::FolderLock, note, note::Note, remove, snapshot::is_fresh};
use application::Timestamp;
use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Something in a cache.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its folder.
    pub folder: PathBuf,
    /// What its files take.
    pub bytes: u64,
    /// When it was last used.
    pub used: SystemTime,
    /// Whether a command uses or writes it now.
    pub is_in_use: bool,
    /// What it holds and from when, or why nobody can use it.
    pub content: Result<(Identity, Timestamp), String>,
}

/// What emptying a cache has come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Emptied {
    /// How many snapshots and remains of some were removed.
    pub removed: usize,
    /// What they took.
    pub bytes: u64,
    /// How many stay because a command uses them.
    pub in_use: usize,
}

/// What a cache's folder holds; nothing if there is no such folder.
pub fn entries(home: &Path, now: Timestamp) -> io::Result<Vec<Entry>> {
    match folders(home) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        found => Ok(found?.iter().filter_map(|folder| entry(folder, now)).collect()),
    }
}

/// Removes what nobody has used for so long, and nobody uses now.
pub fn empty(home: &Path, unused_for: Duration, now: Timestamp) -> io::Result<Emptied> {
    let mut emptied = Emptied::default();
    for entry in entries(home, now)? {
        // A time to come is as good as now.
        if entry.used.elapsed().unwrap_or_default() < unused_for {
            continue;
        }
        if remove(&entry.folder)? {
            emptied.removed += 1;
            emptied.bytes += entry.bytes;
        } else {
            emptied.in_use += 1;
        }
    }
    Ok(emptied)
}

/// What a folder holds; none if it has just been removed or renamed.
fn entry(folder: &Path, now: Timestamp) -> Option<Entry> {
    match read(folder, now) {
        Ok(entry) => Some(entry),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
        // It may be another user's.
        Err(fault) => Some(Entry {
            folder: folder.to_owned(),
            bytes: 0,
            used: SystemTime::now(),
            is_in_use: false,
            content: Err(fault.to_string()),
        }),
    }
}

fn read(folder: &Path, now: Timestamp) -> io::Result<Entry> {
    let is_in_use = FolderLock::seize(folder)?.is_none();
    let files = note::files(folder)?;
    let bytes = files.iter().map(|file| file.bytes).sum();
    let used = fs::metadata(folder.join(note::NAME)).or_else(|_| fs::metadata(folder))?.modified()?;
    let content = match is_part(folder) {
        true if is_in_use => Err("being written".to_owned()),
        true => Err("half-written".to_owned()),
        false => content(folder, now),
    };
    Ok(Entry { folder: folder.to_owned(), bytes, used, is_in_use, content })
}

fn content(folder: &Path, now: Timestamp) -> Result<(Identity, Timestamp), String> {
    let note = Note::read(folder)?;
    note.expect_whole(folder)?;
    if !is_fresh(note.history, now) {
        return Err(format!("outdated: its dates are from {}", note.history));
    }
    Ok((note.identity, note.history))
}
