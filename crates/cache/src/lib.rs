//! A cache of loaded stores. Loading takes minutes at the papers' size, and each point, configuration and command may
//! start with the same rows; copying the store's files takes seconds.
//!
//! A snapshot is a folder: the files of a store that was shut down cleanly, and `snapshot.toml` with what they depend
//! on and how to check that they are complete. It is written under another name (`….part`), synced, and renamed, so
//! that the remains of a killed command are never mistaken for one. Users of a snapshot hold a shared lock on its
//! folder; writing or removing it takes an exclusive one.

mod draft;
mod entry;
mod identity;
mod lock;
mod note;
mod snapshot;

pub use draft::{Draft, Loaded};
pub use entry::{Emptied, Entry, empty, entries};
pub use identity::{Identity, fingerprint};
pub use note::TableRows;
pub use snapshot::Snapshot;

use application::Timestamp;
use fs_err as fs;
use lock::FolderLock;
use std::{
    env, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Snapshots with older dates are not used: lists of the past month would be empty.
pub const OLDEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// Interval of polling for a snapshot that another command makes.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The cache's folder, and a spare folder for snapshots that the cache can't store.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    spare: PathBuf,
}

#[derive(Debug)]
pub enum Lookup {
    Hit(Snapshot),
    /// The draft of a new one.
    Miss(Draft),
}

impl Cache {
    /// A cache in a folder, which is created on demand. `spare` is a private folder of this command.
    pub fn new(folder: PathBuf, spare: PathBuf) -> Self {
        Self { folder, spare }
    }

    /// Finds a snapshot, or begins a new one. Waits while another command makes it. `remark` gets messages for the user:
    /// waiting, damage and its cause, snapshots that can't be stored. `clock` returns the time. Setting `stop` ends it soon
    /// with an error.
    pub fn lookup(
        &self,
        identity: &Identity,
        clock: &dyn Fn() -> Timestamp,
        stop: &AtomicBool,
        remark: &mut dyn FnMut(&str),
    ) -> io::Result<Lookup> {
        let name = identity.name();
        let mut waits = false;
        loop {
            let draft = match self.find(&name, identity, clock(), remark) {
                Some(snapshot) => return Ok(Lookup::Hit(snapshot)),
                None => self.begin(&name, remark)?,
            };
            // The maker of the snapshot still holds its exclusive lock for an instant.
            if let Some(draft) = draft.filter(|_| !self.is_being_published(&name)) {
                // Another command may have made it meanwhile.
                let found = self.find(&name, identity, clock(), remark);
                return Ok(found.map_or(Lookup::Miss(draft), Lookup::Hit));
            }
            if !waits {
                remark("waiting for another command, which is loading the same data");
                waits = true;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    fn is_being_published(&self, name: &str) -> bool {
        let versions = versions(&self.folder, name).unwrap_or_default();
        versions.iter().any(|folder| matches!(FolderLock::shared(folder), Ok(None)) && folder.exists())
    }

    fn find(
        &self,
        name: &str,
        identity: &Identity,
        now: Timestamp,
        remark: &mut dyn FnMut(&str),
    ) -> Option<Snapshot> {
        [&self.folder, &self.spare].into_iter().find_map(|home| {
            // A missing or unreadable folder has no snapshots.
            let versions = versions(home, name).unwrap_or_default();
            versions.into_iter().find_map(|folder| match Snapshot::take(&folder, identity, now) {
                Ok(snapshot) => snapshot,
                Err(damage) => {
                    let what = match remove(&folder) {
                        Ok(true) => "was damaged and is removed",
                        _ => "can't be used",
                    };
                    remark(&format!("{} {what}: {damage}", folder.display()));
                    None
                }
            })
        })
    }

    /// The draft of a new snapshot; none while another command makes it.
    fn begin(&self, name: &str, remark: &mut dyn FnMut(&str)) -> io::Result<Option<Draft>> {
        let begun = clear_halves(&self.folder, remark)
            .and_then(|()| Draft::begin(&self.folder, name, Some(self.spare.clone())));
        begun.or_else(|fault| {
            remark(&format!("loaded data can't be kept ({fault}); --cache names another folder for them"));
            Draft::begin(&self.spare, name, None)
        })
    }
}

/// The folder of the user's cache: `$XDG_CACHE_HOME/tierbench`, or else `~/.cache/tierbench`. None without a home.
pub fn default_folder() -> Option<PathBuf> {
    let of = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    Some(of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?.join("tierbench"))
}

/// The suffix of folders that are being written.
const PART: &str = ".part";

/// The snapshots with a name in a folder, the latest first.
fn versions(home: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
    let dated = |folder: &PathBuf| {
        let of = folder.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix('.')?;
        of.parse::<i64>().ok()
    };
    let mut found = folders(home)?;
    found.retain(|folder| dated(folder).is_some());
    found.sort_by_key(|folder| std::cmp::Reverse(dated(folder)));
    Ok(found)
}

/// All folders in a folder, in the order of their names.
fn folders(home: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn is_part(folder: &Path) -> bool {
    folder.as_os_str().as_encoded_bytes().ends_with(PART.as_bytes())
}

/// Removes incomplete snapshots of killed commands.
fn clear_halves(home: &Path, remark: &mut dyn FnMut(&str)) -> io::Result<()> {
    let halves = match folders(home) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?.into_iter().filter(|folder| is_part(folder)),
    };
    for half in halves {
        if remove(&half)? {
            remark(&format!("{} was half-written and is removed", half.display()));
        }
    }
    Ok(())
}

/// Removes a folder of the cache, unless it is in use. Returns whether it did.
fn remove(folder: &Path) -> io::Result<bool> {
    let Some(_lock) = FolderLock::exclusive(folder)? else { return Ok(false) };
    if !is_part(folder) {
        // The rest of an interrupted removal is no snapshot.
        let part = PathBuf::from(format!("{}{PART}", folder.display()));
        fs::rename(folder, &part)?;
        return fs::remove_dir_all(&part).map(|()| true);
    }
    fs::remove_dir_all(folder).map(|()| true)
}
