use crate::{
    Identity, OLDEST, PART, TableRows,
    lock::FolderLock,
    note::{DATA, NAME, Note},
};
use application::Timestamp;
use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A snapshot in use. It is not removed while this lives.
#[derive(Debug)]
pub struct Snapshot {
    folder: PathBuf,
    note: Box<Note>,
    _lock: FolderLock,
}

impl Snapshot {
    pub(crate) fn new(folder: PathBuf, note: Note, lock: FolderLock) -> Self {
        Self { folder, note: Box::new(note), _lock: lock }
    }

    /// Opens the snapshot in a folder: none if it is outdated or just being removed. The error is the damage.
    pub(crate) fn take(folder: &Path, identity: &Identity, now: Timestamp) -> Result<Option<Self>, String> {
        let Some(lock) = FolderLock::shared(folder).map_err(|fault| fault.to_string())? else {
            return Ok(None);
        };
        let note = Note::read(folder)?;
        if note.identity != *identity {
            return Err(format!("{NAME} describes other data than the folder's name"));
        }
        if !is_fresh(note.history, now) {
            return Ok(None);
        }
        note.expect_whole(folder)?;
        // On a read-only disk, the cache isn't emptied by age either.
        let _ =
            fs::File::open(folder.join(NAME)).and_then(|note| note.file().set_modified(SystemTime::now()));
        Ok(Some(Self::new(folder.to_owned(), note, lock)))
    }

    /// The files of the store. They must not be changed.
    pub fn data(&self) -> PathBuf {
        self.folder.join(DATA)
    }

    /// The reference instant of the rows' dates.
    pub fn history(&self) -> Timestamp {
        self.note.history
    }

    pub fn tables(&self) -> &[TableRows] {
        &self.note.table
    }

    pub fn bytes(&self) -> u64 {
        self.note.bytes
    }

    /// Findings of an earlier user of the snapshot, under this name.
    pub fn kept_beside(&self, name: &str) -> Option<String> {
        settings::read_text(&self.folder.join(name)).ok()
    }

    /// Keeps what follows from the data beside them, for later users of the snapshot. Several may do so at once.
    pub fn keep_beside(&self, name: &str, text: &str) -> io::Result<()> {
        let extension = format!("{}{PART}", std::process::id());
        settings::replace_by(extension, &self.folder.join(name), text.as_bytes())
    }
}

/// True if rows with such dates can still be used after shifting some dates.
pub(crate) fn is_fresh(history: Timestamp, now: Timestamp) -> bool {
    (0..=OLDEST.as_secs() as i64).contains(&(now - history))
}
