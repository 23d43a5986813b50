//! The folder in which a run's services live. It goes when the run goes, in whatever way that ends.

use crate::lease::SWEEP_VERB;
use fs_err as fs;
use std::{
    io::{self, Read},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A temporary folder that a process of its own removes once this one is gone and all leases have ended.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    sweeper: Child,
}

impl Scratch {
    /// Makes a folder below the system's place for temporary files (`TMPDIR`).
    pub fn create(executable: &Path) -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("tierbench-{}-{:08x}", std::process::id(), rand::random::<u32>()));
        fs::create_dir_all(&path)?;
        // Services run as another user than root and must reach their own folders.
        fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        fs::write(lock_of(&path), "")?;
        let mut sweeper = Command::new(executable)
            .arg(SWEEP_VERB)
            .args([&path, &lock_of(&path)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        // Its first word means that it holds the pipe and will sweep whatever happens from now on.
        let mut word = [0; 8];
        sweeper.stdout.take().expect("its output is piped").read_exact(&mut word)?;
        Ok(Self { path, sweeper })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file whose lock each lease shares.
    pub fn lock(&self) -> PathBuf {
        lock_of(&self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(self.sweeper.stdin.take());
        let _ = self.sweeper.wait();
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.join("lock")
}
