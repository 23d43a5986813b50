//! Files of JSON lines: each line is written in full or not at all, so that whoever is killed leaves at most one line
//! without an end, and that one is never read.

use crate::{
    FolderError,
    error::classify,
    layout::{LONGEST_FILE, MOST_DAMAGES},
    sums::{LineCheck, SumWriter, Sums, sum_of},
};
use fs_err as fs;
use serde::{Serialize, de::DeserializeOwned};
use settings::inside;
use std::{
    fs::TryLockError,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// Longest line, its end included, in bytes; no run writes one that comes near.
const LONGEST_LINE: u64 = 4 << 20;

/// A file of JSON lines that is being written.
#[derive(Debug)]
pub(crate) struct Lines {
    file: fs::File,
    name: &'static str,
    /// Lines written, and the bytes that they take.
    count: usize,
    length: u64,
}

impl Lines {
    /// Makes a file of a folder; fails if it is there already.
    pub(crate) fn create(folder: &Path, name: &'static str) -> io::Result<Self> {
        let file = fs::OpenOptions::new().read(true).append(true).create_new(true).open(folder.join(name))?;
        Ok(Self { file, name, count: 0, length: 0 })
    }

    /// Opens a file to go on with it. [`Lines::keep`] must follow.
    pub(crate) fn open(folder: &Path, name: &'static str) -> io::Result<Self> {
        let file = fs::OpenOptions::new().read(true).append(true).open(inside(folder, name)?)?;
        Ok(Self { file, name, count: 0, length: 0 })
    }

    /// Keeps everybody else out until this process ends, in whatever way. Says whether nobody else was in.
    pub(crate) fn lock(&self) -> io::Result<bool> {
        match self.file.file().try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(fault)) => Err(fault),
        }
    }

    /// Cuts off a last line that has no end, and all but the first so many lines. Says how many bytes that were.
    pub(crate) fn keep(&mut self, lines: usize) -> io::Result<u64> {
        self.file.seek(SeekFrom::Start(0))?;
        (self.count, self.length) = (0, 0);
        let (length, count) = (&mut self.length, &mut self.count);
        each_line(self.file.file_mut(), &mut |line| {
            if let Found::Line(line) = line
                && *count < lines
            {
                *count += 1;
                *length += line.len() as u64;
            }
        })?;
        let cut = self.file.metadata()?.len() - self.length;
        if cut > 0 {
            self.file.set_len(self.length)?;
        }
        Ok(cut)
    }

    /// Lines written.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Appends a line after its sum. It is in the system's hands when this returns, and if `is_synced` on the disk.
    pub(crate) fn append(
        &mut self,
        value: &impl Serialize,
        sums: &mut SumWriter,
        is_synced: bool,
    ) -> io::Result<()> {
        let line = line(value);
        let name = format!("{}:{}", self.name, self.count + 1);
        sums.cover(&sum_of(&line), &name, is_synced, || {
            let written = self.file.write_all(&line);
            let written = written.and_then(|()| if is_synced { self.file.sync_data() } else { Ok(()) });
            written.inspect_err(|_| {
                // The next line must not stand behind half a line.
                let _ = self.file.set_len(self.length);
            })
        })?;
        self.count += 1;
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
    let (mut values, mut fault, mut number) = (Vec::new(), None, 0);
    let mut take = |found: Found<'_>| {
        number += 1;
        let value = match found {
            Found::Line(line) => serde_json::from_slice(line).map_err(|fault| fault.to_string()),
            Found::TooLong => Err(too_long()),
            Found::Endless => return,
        };
        match value {
            Ok(value) => values.push(value),
            Err(what) if fault.is_none() => {
                fault = Some(FolderError::Malformed { file: path.into(), line: number, fault: what });
            }
            Err(_) => {}
        }
    };
    let file = open(path).map_err(|error| classify(path, error))?;
    each_line(file, &mut take).map_err(|error| classify(path, error))?;
    fault.map_or(Ok(values), Err)
}

/// Reads a growing file of a folder beside its sums, if there is a list of these. Returns what can be read of it, and
/// whatever is wrong.
pub(crate) fn read_checked<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    sums: Option<&Sums>,
) -> io::Result<(Vec<T>, Vec<String>)> {
    let path = inside(folder, name)?;
    if !path.exists() {
        return Ok((Vec::new(), vec![format!("{name}: is missing")]));
    }
    let file = match open(&path) {
        Err(fault) if fault.kind() == io::ErrorKind::FileTooLarge => {
            return Ok((Vec::new(), vec![format!("{name}: {}", file_too_long())]));
        }
        file => file?,
    };
    let mut check = sums.map(|sums| sums.follow(name));
    let (mut values, mut damages, mut number) = (Vec::new(), Vec::new(), 0);
    each_line(file, &mut |found| {
        number += 1;
        let check = check.as_mut();
        let what = match found {
            Found::Line(line) => {
                let broken = check.and_then(|check| check.take(line));
                match serde_json::from_slice(line) {
                    Ok(value) => {
                        values.push(value);
                        broken
                    }
                    Err(fault) => Some(format!("can't be read: {fault}")),
                }
            }
            Found::TooLong => {
                check.map(LineCheck::skip);
                Some(too_long())
            }
            Found::Endless => check.and_then(LineCheck::take_torn),
        };
        if damages.len() < MOST_DAMAGES {
            damages.extend(what.map(|what| format!("{name}, line {number}: {what}")));
        }
    })?;
    damages.extend(check.and_then(LineCheck::end).map(|what| format!("{name}: {what}")));
    Ok((values, damages))
}

/// Opens a file that is not longer than any that a run writes.
fn open(path: &Path) -> io::Result<io::Take<fs::File>> {
    let file = fs::File::open(path)?;
    if file.metadata()?.len() > LONGEST_FILE {
        let fault = format!("{}: {}", path.display(), file_too_long());
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, fault));
    }
    Ok(file.take(LONGEST_FILE))
}

pub(crate) fn file_too_long() -> String {
    format!("is longer than {} MiB, the limit of a file", LONGEST_FILE >> 20)
}

fn too_long() -> String {
    format!("is longer than {} MiB, the limit of a line", LONGEST_LINE >> 20)
}

/// Piece of a file of lines.
enum Found<'a> {
    /// A line with its end.
    Line(&'a [u8]),
    /// A line that is too long to be held.
    TooLong,
    /// A last line without its end.
    Endless,
}

/// Goes through a file line by line, of which it never holds more than one.
fn each_line(file: impl Read, take: &mut dyn FnMut(Found<'_>)) -> io::Result<()> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        match line.split_last() {
            None => return Ok(()),
            Some((b'\n', _)) => take(Found::Line(&line)),
            Some(_) if line.len() as u64 == LONGEST_LINE => {
                reader.skip_until(b'\n')?;
                take(Found::TooLong);
            }
            Some(_) => take(Found::Endless),
        }
    }
}
