//! A control group for each lease: the only sure account of CPU time, for it also counts children that have ended and
//! that nobody waited for. Exists where this user may make one; elsewhere the process tree has to do.

use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Where control groups that count CPU time are mounted: version 1, version 2 beside it, version 2 alone.
const MOUNTS: [&str; 4] =
    ["/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

/// The control group of a lease. Dropping it leaves and removes it.
#[derive(Debug)]
pub(crate) struct Group {
    mount: &'static str,
    path: PathBuf,
}

impl Group {
    /// Makes a group for this process and moves into it, so that children are born in it.
    pub(crate) fn enter() -> Option<Self> {
        let mount = MOUNTS.into_iter().find(|mount| can_count(Path::new(mount)))?;
        let path = path(mount, std::process::id());
        // An earlier lease of the same number that was killed has left its group, empty.
        let _ = fs::remove_dir(&path);
        fs::create_dir(&path).ok()?;
        if move_self(&path).is_err() {
            let _ = fs::remove_dir(&path);
            return None;
        }
        Some(Self { mount, path })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Err(error) = move_self(Path::new(self.mount)).and_then(|()| fs::remove_dir(&self.path)) {
            eprintln!("the control group {} is left behind: {error}", self.path.display());
        }
    }
}

/// User and system time, in seconds, of all that ever ran in the group of a lease; nothing where it has no group.
pub(crate) fn cpu_seconds(lease: u32) -> Option<(f64, f64)> {
    MOUNTS.into_iter().find_map(|mount| {
        let path = path(mount, lease);
        read_version_1(&path).or_else(|| read_version_2(&path))
    })
}

fn read_version_1(group: &Path) -> Option<(f64, f64)> {
    let nanoseconds = |name: &str| {
        fs::read_to_string(group.join(name)).ok()?.trim().parse::<f64>().ok().map(|time| time / 1e9)
    };
    Some((nanoseconds("cpuacct.usage_user")?, nanoseconds("cpuacct.usage_sys")?))
}

fn read_version_2(group: &Path) -> Option<(f64, f64)> {
    let text = fs::read_to_string(group.join("cpu.stat")).ok()?;
    let microseconds = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse::<f64>().ok().map(|time| time / 1e6)
    };
    Some((microseconds("user_usec ")?, microseconds("system_usec ")?))
}

fn can_count(mount: &Path) -> bool {
    mount.join("cgroup.procs").exists()
        && (mount.join("cpuacct.usage").exists() || mount.join("cgroup.controllers").exists())
}

fn path(mount: &str, lease: u32) -> PathBuf {
    Path::new(mount).join(format!("tierbench-{lease}"))
}

/// Writing 0 moves the process that writes.
fn move_self(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), "0")
}
