//! Listing and emptying a cache.

use crate::{Identity, folders, is_part, lock::FolderLock, note, note::Note, remove, snapshot::is_fresh};
use application::Timestamp;
use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

#[derive(Debug, Clone)]
pub struct Entry {
    pub folder: PathBuf,
    pub bytes: u64,
    pub used: SystemTime,
    /// True if a command uses or writes it.
    pub is_in_use: bool,
    /// Content and date, or the reason why it is unusable.
    pub content: Result<(Identity, Timestamp), String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Emptied {
    /// The number of removed snapshots and remains.
    pub removed: usize,
    pub bytes: u64,
    /// The number of snapshots kept because they are in use.
    pub in_use: usize,
}

/// The entries of a cache's folder; empty if the folder doesn't exist.
pub fn entries(home: &Path, now: Timestamp) -> io::Result<Vec<Entry>> {
    match folders(home) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        found => Ok(found?.iter().filter_map(|folder| entry(folder, now)).collect()),
    }
}

/// Removes entries that are not in use and were last used before `unused_for`.
pub fn empty(home: &Path, unused_for: Duration, now: Timestamp) -> io::Result<Emptied> {
    let mut emptied = Emptied::default();
    for entry in entries(home, now)? {
        // Future times count as now.
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

/// The entry of a folder; none if it was just removed or renamed.
fn entry(folder: &Path, now: Timestamp) -> Option<Entry> {
    match read(folder, now) {
        Ok(entry) => Some(entry),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
        // It may belong to another user.
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
    let is_in_use = FolderLock::exclusive(folder)?.is_none();
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
