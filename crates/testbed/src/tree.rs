//! Directory trees: copying, changing the owner, syncing to disk.

use crate::User;
use fs_err as fs;
use std::{io, os::unix::fs::MetadataExt as _, path::Path};

/// Copies a file or a tree, but never onto itself. The blocks are shared if the file system supports it.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        expect_two(from, to)?;
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_tree(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// An error if two paths lead to one file: copying would truncate it first.
fn expect_two(from: &Path, to: &Path) -> io::Result<()> {
    let identity = |path| fs::metadata(path).map(|meta| (meta.dev(), meta.ino()));
    match (identity(from)?, identity(to)) {
        (one, Ok(other)) if one == other => {
            let text = format!("{} and {} are one file; copy it elsewhere", from.display(), to.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
        _ => Ok(()),
    }
}

pub fn give_tree(path: &Path, user: User) -> io::Result<()> {
    std::os::unix::fs::lchown(path, Some(user.uid), Some(user.gid))?;
    if path.is_dir() && !path.is_symlink() {
        for entry in fs::read_dir(path)? {
            give_tree(&entry?.path(), user)?;
        }
    }
    Ok(())
}

/// Syncs a file or a tree to disk, so that it survives a crash of the machine.
pub fn sync_tree(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            sync_tree(&entry?.path())?;
        }
    }
    fs::File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copying_a_file_onto_itself_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "text").unwrap();
        fs::hard_link(&file, place.path().join("twin")).unwrap();
        std::os::unix::fs::symlink("file", place.path().join("alias")).unwrap();
        for name in ["file", "twin", "alias"] {
            let fault = copy_tree(&file, &place.path().join(name)).unwrap_err().to_string();
            assert!(fault.contains("are one file"), "{name}: {fault}");
            assert_eq!(fs::read_to_string(&file).unwrap(), "text");
        }
        fs::create_dir(place.path().join("folder")).unwrap();
        assert!(copy_tree(place.path(), place.path()).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "text");
        copy_tree(&file, &place.path().join("copy")).unwrap();
        assert_eq!(fs::read_to_string(place.path().join("copy")).unwrap(), "text");
    }
}
