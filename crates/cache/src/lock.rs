//! Locks on folders. The system releases them when their process ends.

use fs_err as fs;
use std::{
    fs::{File, TryLockError},
    io,
    os::unix::fs::MetadataExt,
    path::Path,
};

/// A lock on a folder, even if it is moved.
#[derive(Debug)]
pub(crate) struct FolderLock(File);

impl FolderLock {
    /// None if the folder is locked exclusively or doesn't exist.
    pub(crate) fn shared(folder: &Path) -> io::Result<Option<Self>> {
        Self::take(folder, File::try_lock_shared)
    }

    /// None if the folder is locked or doesn't exist.
    pub(crate) fn exclusive(folder: &Path) -> io::Result<Option<Self>> {
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
        // The previous holder may have moved or removed it.
        Ok(leads_to(folder, &file)?.then_some(Self(file)))
    }

    /// Turns it into a shared lock of the folder, which may have been moved to `folder` meanwhile.
    pub(crate) fn into_shared(self, folder: &Path) -> io::Result<Self> {
        self.0.lock_shared()?;
        // The lock was free for an instant.
        match leads_to(folder, &self.0)? {
            true => Ok(self),
            false => Err(io::Error::new(io::ErrorKind::NotFound, "it was just removed")),
        }
    }
}

/// True if a path still leads to the opened file.
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
    fn shared_and_exclusive_locks_exclude_each_other() {
        let home = tempfile::tempdir().unwrap();
        let first = FolderLock::shared(home.path()).unwrap().unwrap();
        let second = FolderLock::shared(home.path()).unwrap().unwrap();
        assert!(FolderLock::exclusive(home.path()).unwrap().is_none());
        drop((first, second));
        let alone = FolderLock::exclusive(home.path()).unwrap().unwrap();
        assert!(FolderLock::shared(home.path()).unwrap().is_none());
        let shared = alone.into_shared(home.path()).unwrap();
        assert!(FolderLock::shared(home.path()).unwrap().is_some());
        drop(shared);
    }

    #[test]
    fn missing_and_moved_folders_can_not_be_locked() {
        let home = tempfile::tempdir().unwrap();
        let (old, new) = (home.path().join("old"), home.path().join("new"));
        assert!(FolderLock::shared(&old).unwrap().is_none());
        fs::create_dir(&old).unwrap();
        let lock = FolderLock::exclusive(&old).unwrap().unwrap();
        fs::rename(&old, &new).unwrap();
        assert!(FolderLock::shared(&new).unwrap().is_none(), "the lock moves with the folder");
        let lock = lock.into_shared(&new).unwrap();
        assert!(FolderLock::shared(&new).unwrap().is_some());
        fs::remove_dir(&new).unwrap();
        assert!(lock.into_shared(&new).is_err());
    }
}
