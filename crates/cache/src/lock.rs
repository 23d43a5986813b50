//! Locks on folders. The system gives them back when their process ends, in whatever way.

use fs_err as fs;
use std::{
    fs::{File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
};

/// A lock on a folder, wherever that is moved.
#[derive(Debug)]
pub(crate) struct FolderLock(File);

impl FolderLock {
    /// Keeps those out who want the folder for themselves. None if somebody has it for himself, or if it is not there.
    pub(crate) fn share(folder: &Path) -> io::Result<Option<Self>> {
        Self::take(folder, File::try_lock_shared)
    }

    /// Keeps everybody out. None if somebody is in, or if the folder is not there.
    pub(crate) fn seize(folder: &Path) -> io::Result<Option<Self>> {
        Self::take(folder, File::try_lock)
    }

    fn take(folder: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> io::Result<Option<Self>> {
        let file = match fs::File::open(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?.into_file(),
        };
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(fault)) => return Err(fault),
        }
        // Whoever held it until now may have moved or removed it.
        Ok(leads_to(folder, &file)?.then_some(Self(file)))
    }

    /// Lets others share the folder from now on, which may have been moved to `folder` meanwhile.
    pub(crate) fn into_shared(self, folder: &Path) -> io::Result<Self> {
        self.0.lock_shared()?;
        // The lock was free for an instant.
        match leads_to(folder, &self.0)? {
            true => Ok(self),
            false => Err(io::Error::new(io::ErrorKind::NotFound, "somebody has just removed it")),
        }
    }
}

/// Whether a path still leads to what was opened.
fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    let opened = file.metadata()?;
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => found.map(|found| (found.dev(), found.ino()) == (opened.dev(), opened.ino())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_shares_keeps_out_who_seizes_and_the_other_way_round() {
        let home = tempfile::tempdir().unwrap();
        let first = FolderLock::share(home.path()).unwrap().unwrap();
        let second = FolderLock::share(home.path()).unwrap().unwrap();
        assert!(FolderLock::seize(home.path()).unwrap().is_none());
        drop((first, second));
        let alone = FolderLock::seize(home.path()).unwrap().unwrap();
        assert!(FolderLock::share(home.path()).unwrap().is_none());
        let shared = alone.into_shared(home.path()).unwrap();
        assert!(FolderLock::share(home.path()).unwrap().is_some());
        drop(shared);
    }

    #[test]
    fn what_is_gone_or_moved_is_locked_by_nobody() {
        let home = tempfile::tempdir().unwrap();
        let (old, new) = (home.path().join("old"), home.path().join("new"));
        assert!(FolderLock::share(&old).unwrap().is_none());
        fs::create_dir(&old).unwrap();
        let lock = FolderLock::seize(&old).unwrap().unwrap();
        fs::rename(&old, &new).unwrap();
        assert!(FolderLock::share(&new).unwrap().is_none(), "the lock goes with the folder");
        let lock = lock.into_shared(&new).unwrap();
        assert!(FolderLock::share(&new).unwrap().is_some());
        fs::remove_dir(&new).unwrap();
        assert!(lock.into_shared(&new).is_err());
    }
}
