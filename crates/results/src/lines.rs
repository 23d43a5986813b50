//! Files of JSON lines: each line is written in full or not at all, so that whoever is killed leaves at most one line
//! without an end, and that one is never read.

use crate::{FolderError, error::classify};
use fs_err as fs;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::TryLockError,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// A file of JSON lines that is being written.
#[derive(Debug)]
pub(crate) struct Lines {
    file: fs::File,
    /// How many bytes whole lines take.
    length: u64,
}

impl Lines {
    /// Makes a file; fails if it is there already.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = fs::OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        Ok(Self { file, length: 0 })
    }

    /// Opens a file to go on with it, or makes it if it is not there. [`Lines::repair`] must follow.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = fs::OpenOptions::new().read(true).append(true).create(true).open(path)?;
        Ok(Self { file, length: 0 })
    }

    /// Keeps everybody else out until this process ends, in whatever way. Says whether nobody else was in.
    pub(crate) fn lock(&self) -> io::Result<bool> {
        match self.file.file().try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(fault)) => Err(fault),
        }
    }

    /// Cuts off a last line that has no end.
    pub(crate) fn repair(&mut self) -> io::Result<()> {
        let mut content = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut content)?;
        self.length = whole(&content).len() as u64;
        if self.length < content.len() as u64 { self.file.set_len(self.length) } else { Ok(()) }
    }

    /// Cuts off all but the first so many lines.
    pub(crate) fn keep(&mut self, lines: usize) -> io::Result<()> {
        let mut content = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut content)?;
        let kept = content.split_inclusive(|byte| *byte == b'\n').take(lines);
        self.length = kept.map(|line| line.len() as u64).sum();
        self.file.set_len(self.length)
    }

    /// Appends a line; it is in the system's hands when this returns.
    pub(crate) fn append(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = line(value);
        if let Err(error) = self.file.write_all(&line) {
            // What comes next must not stand behind half a line.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Waits until all is on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// A value as a line.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("it is plain data");
    line.push(b'\n');
    line
}

/// The lines of a file that have an end.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, FolderError> {
    let content = fs::read(path).map_err(|error| classify(path, error))?;
    let lines = whole(&content).split_inclusive(|byte| *byte == b'\n').enumerate();
    let parsed = lines.map(|(index, line)| {
        serde_json::from_slice(line).map_err(|fault| FolderError::Malformed {
            file: path.into(),
            line: index + 1,
            fault,
        })
    });
    parsed.collect()
}

fn whole(content: &[u8]) -> &[u8] {
    let end = content.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    &content[..end]
}
