//! A small disk that can be filled.

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// A disk in memory. Its drop takes it away, also when a test fails.
pub(crate) struct Disk {
    path: PathBuf,
}

impl Disk {
    /// Mounts a disk of so many KiB at a new folder. None, and loudly so, where this user may not mount.
    pub(crate) fn mount(path: PathBuf, kib: u32) -> Option<Self> {
        fs::create_dir(&path).unwrap();
        let size = std::ffi::CString::new(format!("size={kib}k,mode=0777")).unwrap();
        match mount(
            "tierbench-test",
            &path,
            "tmpfs",
            MountFlags::NOSUID | MountFlags::NODEV,
            Some(size.as_c_str()),
        ) {
            Ok(()) => Some(Self { path }),
            Err(error) => {
                eprintln!(
                    "SKIPPED: this test needs a small disk, and mounting one failed ({error}); run it as root"
                );
                None
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Fills it to the last byte. Called again, it takes what has become free.
    pub(crate) fn fill(&self) {
        let file = self.path.join("filling");
        let mut file = fs::File::options().create(true).append(true).open(file).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
        while file.write_all(&[0]).is_ok() {}
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Detached, so that it goes even if a process still holds a file of it.
        unmount(&self.path, UnmountFlags::DETACH).unwrap();
    }
}
