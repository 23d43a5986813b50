//! The folder of a run's services, removed with the run, however that ends.

use crate::{helper_process, remote::boot, supervisor::REMOVE_VERB, tier_group};
use fs_err as fs;
use std::{
    io,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::{Child, Command},
};

/// A temporary folder. A helper process removes it once this process and all supervisors have ended.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    remover: Child,
}

/// The prefix of all runs' folders; the run's process id follows.
const PREFIX: &str = "tierbench-";

impl Scratch {
    /// Makes a folder below the system's folder for temporary files (`TMPDIR`).
    pub fn create(executable: &Path) -> io::Result<Self> {
        Self::create_below(&std::env::temp_dir(), executable)
    }

    pub fn create_below(place: &Path, executable: &Path) -> io::Result<Self> {
        // Each service has its own working folder, where a relative path would lead elsewhere.
        let path = std::path::absolute(place)?;
        refuse_odd_characters(&path)?;
        let path = path.join(format!("{PREFIX}{}-{:08x}", std::process::id(), rand::random::<u32>()));
        create_private(&path)?;
        fs::write(lock_of(&path), owner())?;
        let mut remover = Command::new(executable);
        remover.arg(REMOVE_VERB).args([&path, &lock_of(&path)]);
        // From now on it removes the folder, whatever happens.
        let remover = helper_process::start_until_closed(&mut remover)?;
        Ok(Self { path, remover })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn lock(&self) -> PathBuf {
        lock_of(&self.path)
    }
}

/// Makes a folder for this user alone, because configuration files contain passwords. Services that run as another user
/// may pass through it to their own folders, but can't list it.
fn create_private(path: &Path) -> io::Result<()> {
    if let Some(place) = path.parent() {
        fs::create_dir_all(place)?;
    }
    std::fs::DirBuilder::new().mode(0o700).create(path)?;
    let Some(group) = tier_group() else { return Ok(()) };
    std::os::unix::fs::chown(path, None, Some(group))?;
    fs::set_permissions(path, std::fs::Permissions::from_mode(0o710))
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(self.remover.stdin.take());
        let _ = self.remover.wait();
    }
}

/// The free space for ordinary users on the disk of a folder, in bytes.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail * disk.f_frsize)
}

/// Folders of runs whose process has ended and whose remover was killed.
pub fn left_behind(place: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let run = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if run.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists()) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Removes folders of runs on this machine whose process has ended and whose remover was killed. Other machines may have theirs
/// in the same place.
pub(crate) fn remove_left_behind(place: &Path) {
    let left = left_behind(place).unwrap_or_default().into_iter();
    let own = left.filter(|path| std::fs::read_to_string(lock_of(path)).is_ok_and(|text| text == owner()));
    own.for_each(|path| drop(fs::remove_dir_all(path)));
}

/// The machine that a folder belongs to, since it was started.
fn owner() -> String {
    format!("{} {}", rustix::system::uname().nodename().to_string_lossy(), boot())
}

/// Some scripts and configuration files of servers don't quote their paths.
fn refuse_odd_characters(path: &Path) -> io::Result<()> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+@~,".contains(byte) || !byte.is_ascii();
    match path.as_os_str().as_encoded_bytes().iter().all(is_plain) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidFilename,
            "the path of the servers' folder has blanks, quotes or other special characters; choose another folder",
        )),
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.join("lock")
}
