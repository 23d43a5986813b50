//! A cache of loaded stores. Loading takes minutes at the papers' size, and each point of a measurement, each
//! configuration and each command may begin with the same rows; a copy of the store's files takes seconds.
//!
//! A snapshot is a folder: the files of a store that was shut down cleanly, and `snapshot.toml`, which says what they
//! depend on and by what one sees that they are whole. It is written under another name (`….part`), brought to the
//! disk, and renamed, so that what a killed command leaves behind is never taken for one. Whoever uses a snapshot holds
//! a shared lock on its folder; whoever writes or removes it, an exclusive one.

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

/// Snapshots whose dates are older are not used: lists of the past month would run empty.
pub const OLDEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// How often it is looked whether another command has made the same snapshot.
const LOOK: Duration = Duration::from_millis(50);

/// Where snapshots are kept, and where a command keeps those for itself that can't be kept there.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    spare: PathBuf,
}

/// What a cache has for somebody who wants a snapshot.
#[derive(Debug)]
pub enum Lookup {
    /// There is one.
    Hit(Snapshot),
    /// There is none; this is where it goes.
    Miss(Draft),
}

impl Cache {
    /// A cache in a folder, which is made when it is first needed. `spare` is a folder of this command alone.
    pub fn new(folder: PathBuf, spare: PathBuf) -> Self {
        Self { folder, spare }
    }

    /// Finds a snapshot, or the place for a new one. Waits while another command is making it. `remark` is told what
    /// people should know: that somebody is waited for, that something is damaged and why, that nothing can be kept.
    /// `clock` tells the time. Soon an error once `stop` is set.
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
            // Whoever had the place until now has the snapshot to himself for an instant.
            if let Some(draft) = draft.filter(|_| !self.is_being_published(&name)) {
                // It may have been made since it was not found.
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
            std::thread::sleep(LOOK);
        }
    }

    fn is_being_published(&self, name: &str) -> bool {
        let versions = versions(&self.folder, name).unwrap_or_default();
        versions.iter().any(|folder| matches!(FolderLock::share(folder), Ok(None)) && folder.exists())
    }

    fn find(
        &self,
        name: &str,
        identity: &Identity,
        now: Timestamp,
        remark: &mut dyn FnMut(&str),
    ) -> Option<Snapshot> {
        [&self.folder, &self.spare].into_iter().find_map(|home| {
            // A folder that isn't there, or can't be read, holds none.
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

    /// A place for a new snapshot; none while another command is writing it.
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

/// What the names of folders end with that are being written.
const PART: &str = ".part";

/// The snapshots in a folder with a name, their date apart; the latest first.
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

/// Removes what commands that were killed have left half-written.
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

/// Removes a folder of the cache, unless somebody uses it; says whether it did.
fn remove(folder: &Path) -> io::Result<bool> {
    let Some(_lock) = FolderLock::seize(folder)? else { return Ok(false) };
    if !is_part(folder) {
        // If the removal is interrupted, nobody takes the rest for a snapshot.
        let part = PathBuf::from(format!("{}{PART}", folder.display()));
        fs::rename(folder, &part)?;
        return fs::remove_dir_all(&part).map(|()| true);
    }
    fs::remove_dir_all(folder).map(|()| true)
}
