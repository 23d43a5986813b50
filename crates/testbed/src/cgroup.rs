//! A control group for each supervisor. Only a group counts CPU time in full, including children that ended without
//! being waited for. Without the right to make one, the process tree is used instead.

use crate::CpuTime;
use fs_err as fs;
use rustix::process::{Pid, Signal, kill_process};
use settings::note;
use std::{
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// Mounts of control groups that count CPU time: version 1, version 2 beside it, version 2 alone.
const MOUNTS: [&str; 4] =
    ["/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

/// Mounts of control groups that divide CPU time, likewise.
const SHARING_MOUNTS: [&str; 3] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"];

/// Mounts of control groups that limit memory, likewise, with the files of a limit.
const LIMITING_MOUNTS: [MemoryFiles; 2] = [
    MemoryFiles {
        mount: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        swap: ("memory.memsw.limit_in_bytes", true),
        events: "memory.oom_control",
    },
    MemoryFiles {
        mount: "/sys/fs/cgroup",
        limit: "memory.max",
        swap: ("memory.swap.max", false),
        events: "memory.events",
    },
];

/// The names of a memory group's files.
#[derive(Debug, Clone, Copy)]
struct MemoryFiles {
    mount: &'static str,
    limit: &'static str,
    /// The limit of swap, and whether it includes the memory. Without swap, there may be none.
    swap: (&'static str, bool),
    /// The file that counts processes ended for want of memory.
    events: &'static str,
}

/// The group that limits the memory of this process and of those that it starts: its own, or the one that it is in.
#[derive(Debug)]
pub(crate) struct MemoryGroup {
    path: PathBuf,
    files: MemoryFiles,
    _own: Option<Cgroup>,
    ended_before: u64,
}

impl MemoryGroup {
    /// The group that this process is in; none without control groups of memory.
    pub(crate) fn current() -> Option<Self> {
        LIMITING_MOUNTS.into_iter().find_map(|files| {
            let mount = Path::new(files.mount);
            let own = memory_paths().into_iter().map(|path| below(mount, &path));
            // In a container, paths may begin outside the mount.
            let mut all = own.chain([mount.to_owned()]);
            let path = all.find(|path| path.join("cgroup.procs").exists() && has_memory(path, files))?;
            Some(Self { path, files, _own: None, ended_before: 0 }.begun())
        })
    }

    /// Makes a group with this limit below the current one, and enters it.
    pub(crate) fn enter(bytes: u64) -> io::Result<Self> {
        let missing = || io::Error::other("there are no control groups of memory");
        let Self { path: parent, files, .. } = Self::current().ok_or_else(missing)?;
        // Version 2 hands controllers down only where somebody asks; version 1 has no such file.
        let _ = fs::write(parent.join("cgroup.subtree_control"), "+memory");
        let path = parent.join(format!("{}-memory", name(std::process::id())));
        remove_left_behind(&parent);
        fs::create_dir(&path)?;
        let own = Cgroup { parent, path: path.clone() };
        let (swap, includes_memory) = files.swap;
        fs::write(path.join(files.limit), bytes.to_string())?;
        if path.join(swap).exists() {
            fs::write(path.join(swap), if includes_memory { bytes } else { 0 }.to_string())?;
        }
        move_into(&path, 0)?;
        Ok(Self { path, files, _own: Some(own), ended_before: 0 }.begun())
    }

    fn begun(self) -> Self {
        Self { ended_before: self.ended_for_want_of_memory(), ..self }
    }

    /// True if the kernel has ended a process of the group for want of memory since this was made.
    pub(crate) fn ran_out(&self) -> bool {
        self.ended_for_want_of_memory() > self.ended_before
    }

    fn ended_for_want_of_memory(&self) -> u64 {
        let text = fs::read_to_string(self.path.join(self.files.events)).unwrap_or_default();
        let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        count.and_then(|count| count.trim().parse().ok()).unwrap_or_default()
    }
}

/// True if a group limits memory, or may hand limits down: the root group of version 2 has no limit itself.
fn has_memory(group: &Path, files: MemoryFiles) -> bool {
    let controllers = || fs::read_to_string(group.join("cgroup.controllers")).unwrap_or_default();
    group.join(files.limit).exists() || controllers().split_ascii_whitespace().any(|one| one == "memory")
}

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
        remove_left_behind(&parent);
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
            note(format_args!("the control group {} is left behind: {error}", self.path.display()));
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
    paths_with(process, "cpuacct")
}

/// The paths of this process's groups that may limit memory.
fn memory_paths() -> Vec<String> {
    paths_with("self", "memory")
}

/// The paths of a process's groups of version 2, and of version 1 with this controller.
fn paths_with(process: &str, controller: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap_or_default();
    let counts =
        |controllers: &str| controllers.is_empty() || controllers.split(',').any(|c| c == controller);
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

/// Removes the empty groups of supervisors that were killed. Only they themselves would have removed them.
fn remove_left_behind(parent: &Path) {
    let own = std::process::id();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(owner_of) else { continue };
        if owner == own || !Path::new("/proc").join(owner.to_string()).exists() {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The time in which killed processes leave their group.
const LEAVING: Duration = Duration::from_secs(10);

/// Kills the processes in the groups of a supervisor that was killed, and removes the groups. Without groups, nobody
/// knows these processes any more.
pub(crate) fn end_left_behind(supervisor: u32) {
    let started = Instant::now();
    for group in groups_of(supervisor) {
        while fs::remove_dir(&group).is_err() && started.elapsed() < LEAVING {
            for process in CgroupStats::at(group.clone()).processes() {
                let _ = Pid::from_raw(process as i32).map(|process| kill_process(process, Signal::KILL));
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The groups of a supervisor, wherever its host has put them.
fn groups_of(supervisor: u32) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    let mut groups = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            match entry.file_name().to_str().and_then(owner_of) {
                Some(owner) if owner == supervisor => groups.push(entry.path()),
                _ => folders.push(entry.path()),
            }
        }
    }
    groups
}

/// The supervisor that a group is named after.
fn owner_of(group: &str) -> Option<u32> {
    let rest = group.strip_prefix("tierbench-")?;
    rest.strip_suffix("-memory").unwrap_or(rest).parse().ok()
}

fn move_into(group: &Path, process: u32) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), process.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_ended_supervisors_are_removed_and_those_of_living_ones_stay() {
        let parent = tempfile::tempdir().unwrap();
        let ended = {
            let mut child = std::process::Command::new("true").spawn().unwrap();
            child.wait().unwrap();
            child.id()
        };
        let living = std::os::unix::process::parent_id();
        let groups =
            [name(ended), format!("{}-memory", name(ended)), name(living), "tierbench-mine".to_owned()];
        groups.iter().for_each(|group| fs::create_dir(parent.path().join(group)).unwrap());
        remove_left_behind(parent.path());
        let left = groups.map(|group| parent.path().join(group).exists());
        assert_eq!(left, [false, false, true, true]);
    }
}
