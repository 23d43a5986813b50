//! A control group for each supervisor. Only a group counts CPU time in full, including children that ended without
//! being waited for. Without the right to make one, the process tree is used instead.

use crate::CpuTime;
use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Mounts of control groups that count CPU time: version 1, version 2 beside it, version 2 alone.
const MOUNTS: [&str; 4] =
    ["/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

/// Mounts of control groups that divide CPU time, likewise.
const SHARING_MOUNTS: [&str; 3] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"];

/// The control group of this process, most often a supervisor. Dropping it leaves and removes the group.
#[derive(Debug)]
pub(crate) struct Cgroup {
    parent: PathBuf,
    path: PathBuf,
}

impl Cgroup {
    pub(crate) fn enter() -> Option<Self> {
        MOUNTS.into_iter().map(Path::new).filter(|mount| can_count(mount)).find_map(|mount| {
            // An ordinary user may own the group of this process, but never the root group.
            let own = paths_of("self").into_iter().map(|path| below(mount, &path));
            own.chain([mount.to_owned()]).find_map(|parent| Self::enter_below(parent, |_| Ok(())))
        })
    }

    /// Makes an idle group for this process, which only gets CPU time that no other group wants (since Linux 5.15). The
    /// parent moves the process into it: [`Idle`]. The scheduling class SCHED_IDLE would not do: it applies within a
    /// group only, and the kernel's autogroup puts each session into its own group.
    pub(crate) fn make_idle() -> Option<Self> {
        let make_idle = |group: &Path| fs::write(group.join("cpu.idle"), "1");
        SHARING_MOUNTS.into_iter().find_map(|mount| Self::make_below(mount.into(), make_idle))
    }

    fn enter_below(parent: PathBuf, prepare: impl Fn(&Path) -> io::Result<()>) -> Option<Self> {
        Self::make_below(parent, |path| prepare(path).and_then(|()| move_into(path, 0)))
    }

    fn make_below(parent: PathBuf, prepare: impl Fn(&Path) -> io::Result<()>) -> Option<Self> {
        let path = parent.join(name(std::process::id()));
        // A killed supervisor with the same process id may have left its empty group.
        let _ = fs::remove_dir(&path);
        fs::create_dir(&path).ok()?;
        if prepare(&path).is_err() {
            let _ = fs::remove_dir(&path);
            return None;
        }
        Some(Self { parent, path })
    }
}

/// The idle group that another process has made. On a busy machine, a process in it takes seconds to start or to end.
/// So the process is moved in after its start, and out before its end.
#[derive(Debug)]
pub(crate) struct Idle {
    parent: PathBuf,
    path: PathBuf,
    process: u32,
}

impl Idle {
    pub(crate) fn of(process: u32) -> Option<Self> {
        let of = |mount: &str| {
            let parent = PathBuf::from(mount);
            let path = parent.join(name(process));
            path.join("cpu.idle").exists().then_some(Self { parent, path, process })
        };
        SHARING_MOUNTS.into_iter().find_map(of)
    }

    pub(crate) fn enter(&self) -> io::Result<()> {
        move_into(&self.path, self.process)
    }

    pub(crate) fn leave(&self) -> io::Result<()> {
        move_into(&self.parent, self.process)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        if let Err(error) = move_into(&self.parent, 0).and_then(|()| fs::remove_dir(&self.path)) {
            eprintln!("the control group {} is left behind: {error}", self.path.display());
        }
    }
}

#[derive(Debug)]
pub(crate) struct CgroupStats {
    path: PathBuf,
}

impl CgroupStats {
    pub(crate) fn of(supervisor: u32) -> Option<Self> {
        let name = name(supervisor);
        let paths = paths_of(&supervisor.to_string());
        let is_own = |path: &&String| path.rsplit('/').next() == Some(&name);
        let own: Vec<&String> = paths.iter().filter(is_own).collect();
        let candidates = MOUNTS.into_iter().map(Path::new).flat_map(|mount| {
            // In a container, paths may begin outside the mount.
            own.iter().map(move |path| below(mount, path)).chain([mount.join(&name)])
        });
        let mut groups = candidates.map(|path| Self { path });
        groups.find(|group| !own.is_empty() && group.cpu().is_some())
    }

    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// CPU time of all that ever ran in the group.
    pub(crate) fn cpu(&self) -> Option<CpuTime> {
        self.read_version_1().or_else(|| self.read_version_2())
    }

    pub(crate) fn processes(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    fn read_version_1(&self) -> Option<CpuTime> {
        let seconds = |name: &str| {
            let text = fs::read_to_string(self.path.join(name)).ok()?;
            text.trim().parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
        };
        // The sum is exact; its parts count clock ticks at which the group ran.
        let (user_s, system_s) = (seconds("cpuacct.usage_user")?, seconds("cpuacct.usage_sys")?);
        Some(CpuTime { total_s: seconds("cpuacct.usage")?, user_s, system_s })
    }

    fn read_version_2(&self) -> Option<CpuTime> {
        let text = fs::read_to_string(self.path.join("cpu.stat")).ok()?;
        let seconds = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().parse::<f64>().ok().map(|microseconds| microseconds / 1e6)
        };
        let (user_s, system_s) = (seconds("user_usec ")?, seconds("system_usec ")?);
        Some(CpuTime { total_s: seconds("usage_usec ")?, user_s, system_s })
    }
}

/// The paths, below their mounts, of a process's groups that may count CPU time.
fn paths_of(process: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap_or_default();
    let counts = |controllers: &str| controllers.is_empty() || controllers.split(',').any(|c| c == "cpuacct");
    let path = |line: &str| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        counts(controllers).then(|| path.to_owned())
    };
    text.lines().filter_map(path).collect()
}

fn below(mount: &Path, path: &str) -> PathBuf {
    mount.join(path.trim_start_matches('/'))
}

fn can_count(mount: &Path) -> bool {
    mount.join("cgroup.procs").exists()
        && (mount.join("cpuacct.usage").exists() || mount.join("cgroup.controllers").exists())
}

fn name(supervisor: u32) -> String {
    format!("tierbench-{supervisor}")
}

fn move_into(group: &Path, process: u32) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), process.to_string())
}
