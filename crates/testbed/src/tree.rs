//! Folders with all below them: copied, given away, brought to the disk.

use crate::User;
use fs_err as fs;
use std::{io, path::Path};

/// Copies a file, or a folder with all below it. The kernel shares the blocks where the file system can.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_tree(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Gives a file, or a folder with all below it, to a user.
pub fn give_tree(path: &Path, user: User) -> io::Result<()> {
    std::os::unix::fs::lchown(path, Some(user.uid), Some(user.gid))?;
    if path.is_dir() && !path.is_symlink() {
        for entry in fs::read_dir(path)? {
            give_tree(&entry?.path(), user)?;
        }
    }
    Ok(())
}

/// Returns when a file, or a folder with all below it, is on the disk and survives a failure of the machine.
pub fn sync_tree(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            sync_tree(&entry?.path())?;
        }
    }
    fs::File::open(path)?.sync_all()
}
