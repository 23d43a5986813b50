//! Files of JSON lines: each line is written in full or not at all, so that whoever is killed leaves at most one line
//! without an end, and that one is never read.

use crate::{
    Damage, FolderError,
    chain::{Chain, End},
    error::classify,
};
use fs_err as fs;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::TryLockError,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// So long may a line be, its end included, in bytes; no run writes one that comes near.
const LONGEST_LINE: u64 = 4 << 20;

/// A file of JSON lines that is being written.
#[derive(Debug)]
pub(crate) struct Lines {
    file: fs::File,
    name: String,
    /// How many bytes whole lines take.
    length: u64,
    chain: Chain,
}

impl Lines {
    /// Makes a file; fails if it is there already.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = fs::OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        Ok(Self::of(file, path))
    }

    /// Opens a file to go on with it, or makes it if it is not there. [`Lines::repair`] must follow.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = fs::OpenOptions::new().read(true).append(true).create(true).open(path)?;
        Ok(Self::of(file, path))
    }

    fn of(file: fs::File, path: &Path) -> Self {
        let name = name_of(path);
        Self { file, length: 0, chain: Chain::begin(&name), name }
    }

    /// Keeps everybody else out until this process ends, in whatever way. Says whether nobody else was in.
    pub(crate) fn lock(&self) -> io::Result<bool> {
        match self.file.file().try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(fault)) => Err(fault),
        }
    }

    /// Cuts off a last line that has no end. Says how many bytes of it there were.
    pub(crate) fn repair(&mut self) -> io::Result<u64> {
        self.keep(usize::MAX)
    }

    /// Cuts off all but the first so many lines. Says how many bytes that were.
    pub(crate) fn keep(&mut self, lines: usize) -> io::Result<u64> {
        self.file.seek(SeekFrom::Start(0))?;
        (self.length, self.chain) = (0, Chain::begin(&self.name));
        let (length, chain) = (&mut self.length, &mut self.chain);
        let mut left = lines;
        each_line(self.file.file_mut(), &mut |line| {
            if let Found::Line(line) = line
                && left > 0
            {
                left -= 1;
                *length += line.len() as u64 + 1;
                chain.take(line);
            }
        })?;
        let cut = self.file.metadata()?.len() - self.length;
        if cut > 0 {
            self.file.set_len(self.length)?;
        }
        Ok(cut)
    }

    /// Appends a line; it is in the system's hands when this returns.
    pub(crate) fn append(&mut self, value: &impl Serialize) -> io::Result<()> {
        let (line, chain) = self.chain.next(value);
        if let Err(error) = self.file.write_all(&line) {
            // What comes next must not stand behind half a line.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        self.chain = chain;
        Ok(())
    }

    /// Waits until all is on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The file's name, and where its lines end.
    pub(crate) fn end(&self) -> (String, End) {
        (self.name.clone(), self.chain.end())
    }
}

/// A value as a line that belongs to no chain.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("it is plain data");
    line.push(b'\n');
    line
}

/// The lines of a file that belong to no chain and have an end.
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
    let file = fs::File::open(path).map_err(|error| classify(path, error))?;
    each_line(file, &mut take).map_err(|error| classify(path, error))?;
    fault.map_or(Ok(values), Err)
}

/// What is read of a chain of lines.
pub(crate) struct ReadChain<T> {
    /// What could be read.
    pub values: Vec<T>,
    /// Whatever is wrong.
    pub damages: Vec<Damage>,
    /// Whether its lines have numbers.
    pub is_numbered: bool,
}

/// Reads a file whose lines are chained. `end` is where it was when its run ended, if that has ended: until then the last
/// line may be half written, and is left out.
pub(crate) fn read_chain<T: DeserializeOwned>(
    path: &Path,
    end: Option<&End>,
) -> Result<ReadChain<T>, FolderError> {
    let file = name_of(path);
    let mut chain = Chain::begin(&file);
    let (mut values, mut damages, mut number, mut is_cut) = (Vec::new(), Vec::new(), 0, false);
    let mut take = |found: Found<'_>| {
        number += 1;
        let what = match found {
            Found::Line(line) => {
                let broken = chain.take(line);
                match serde_json::from_slice(line) {
                    Ok(value) => {
                        values.push(value);
                        broken
                    }
                    Err(fault) => Some(format!("can't be read: {fault}")),
                }
            }
            Found::TooLong => {
                chain.skip();
                Some(too_long())
            }
            Found::Endless => {
                is_cut = end.is_some();
                is_cut.then(|| "has no end: the file was cut off here".to_owned())
            }
        };
        damages.extend(what.map(|what| Damage { file: file.clone(), line: Some(number), what }));
    };
    let open = fs::File::open(path).map_err(|error| classify(path, error))?;
    each_line(open, &mut take).map_err(|error| classify(path, error))?;
    let other = end.filter(|_| !is_cut).and_then(|end| chain.differs_from(end));
    damages.extend(other.map(|what| Damage { file, line: None, what }));
    Ok(ReadChain { values, damages, is_numbered: chain.is_numbered() })
}

fn too_long() -> String {
    format!("is longer than {} MiB, the limit of a line", LONGEST_LINE >> 20)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is found in a file of lines.
enum Found<'a> {
    /// A line, without its end.
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
            Some((b'\n', line)) => take(Found::Line(line)),
            Some(_) if line.len() as u64 == LONGEST_LINE => {
                reader.skip_until(b'\n')?;
                take(Found::TooLong);
            }
            Some(_) => take(Found::Endless),
        }
    }
}
