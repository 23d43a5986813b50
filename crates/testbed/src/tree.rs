//! Directory trees: copying, changing the owner, syncing to disk.

use crate::{User, tier_group};
use fs_err as fs;
use std::{
    fs::Permissions,
    io,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, lchown},
    path::Path,
};

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
    change_tree(path, &|path, _| lchown(path, Some(user.uid), Some(user.gid)))
}

/// Gives a tree to a user, and nobody else may read it or write into it.
pub(crate) fn give_private_tree(path: &Path, user: User) -> io::Result<()> {
    change_tree(path, &|path, mode| {
        lchown(path, Some(user.uid), Some(user.gid))?;
        mode.map_or(Ok(()), |mode| fs::set_permissions(path, Permissions::from_mode(mode & 0o700)))
    })
}

/// Lets all tiers read a tree, and none write into it. If tiers run as the caller, nothing changes.
pub fn share_tree(path: &Path) -> io::Result<()> {
    let Some(group) = tier_group() else { return Ok(()) };
    change_tree(path, &|path, mode| {
        lchown(path, Some(0), Some(group))?;
        let shared = |mode: u32| mode & 0o705 | (mode & 0o500) >> 3;
        mode.map_or(Ok(()), |mode| fs::set_permissions(path, Permissions::from_mode(shared(mode))))
    })
}

/// Changes each file of a tree, whose permissions are passed; links have none.
fn change_tree(path: &Path, change: &dyn Fn(&Path, Option<u32>) -> io::Result<()>) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    change(path, (!meta.is_symlink()).then(|| meta.mode()))?;
    if meta.is_dir() {
        for entry in fs::read_dir(path)? {
            change_tree(&entry?.path(), change)?;
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

    /// Owner, group and permissions.
    fn rights(path: &Path) -> (u32, u32, u32) {
        let meta = fs::symlink_metadata(path).unwrap();
        (meta.uid(), meta.gid(), meta.mode() & 0o777)
    }

    #[test]
    fn tiers_read_what_they_share_and_one_alone_what_is_private() {
        let Some(group) = tier_group() else { return };
        let place = tempfile::tempdir().unwrap();
        let (outside, tree) = (place.path().join("outside"), place.path().join("tree"));
        fs::create_dir(&tree).unwrap();
        let [open, closed, program] = ["open", "closed", "program"].map(|name| tree.join(name));
        for (file, mode) in [(&outside, 0o604), (&open, 0o666), (&closed, 0o600), (&program, 0o700)] {
            fs::write(file, "").unwrap();
            fs::set_permissions(file, Permissions::from_mode(mode)).unwrap();
        }
        fs::set_permissions(&tree, Permissions::from_mode(0o777)).unwrap();
        std::os::unix::fs::symlink(&outside, tree.join("link")).unwrap();
        let own = rights(&outside);
        share_tree(&tree).unwrap();
        let all = [&tree, &open, &closed, &program].map(|file| rights(file));
        assert_eq!(all, [0o755, 0o644, 0o640, 0o750].map(|mode| (0, group, mode)));
        give_private_tree(&tree, User { uid: 4_000, gid: 4_001, member_of: None }).unwrap();
        let all = [&tree, &open, &closed, &program].map(|file| rights(file));
        assert_eq!(all, [0o700, 0o600, 0o600, 0o700].map(|mode| (4_000, 4_001, mode)));
        assert_eq!(rights(&outside), own, "a link is not followed");
    }

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
