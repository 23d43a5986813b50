//! The processes of this machine, as /proc tells them.

use procfs::{
    net::TcpState,
    process::{FDTarget, LimitValue, Process, all_processes},
};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    collections::{HashMap, HashSet},
    ffi::OsString,
    fs,
    os::unix::ffi::OsStrExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The interval at which a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// True if a condition becomes true in time.
pub(crate) fn until(within: Duration, condition: impl FnMut() -> bool) -> bool {
    until_at(LOOK, within, condition)
}

/// The same, looked at so often.
pub(crate) fn until_at(look: Duration, within: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > within {
            return false;
        }
        thread::sleep(look);
    }
    true
}

/// All processes, this one apart, that mention a folder in their words or environment, work in it, or hold a file of
/// it open: `1234 mariadbd --defaults-file=…`.
pub(crate) fn mentioning(folder: &Path) -> Vec<String> {
    let here = std::process::id() as i32;
    let processes = all_processes().unwrap().flatten().filter(|process| process.pid != here);
    let mentioning = processes
        .filter(|process| mentions(process, folder))
        .map(|process| format!("{} {}", process.pid, process.cmdline().unwrap_or_default().join(" ")));
    mentioning.collect()
}

fn mentions(process: &Process, folder: &Path) -> bool {
    let text = folder.as_os_str().as_bytes();
    let proc = Path::new("/proc").join(process.pid.to_string());
    let says = |name: &str| {
        fs::read(proc.join(name)).is_ok_and(|said| said.windows(text.len()).any(|part| part == text))
    };
    let holds = || {
        process.fd().is_ok_and(|fds| {
            fds.flatten().any(|fd| matches!(fd.target, FDTarget::Path(path) if path.starts_with(folder)))
        })
    };
    says("cmdline") || says("environ") || process.cwd().is_ok_and(|cwd| cwd.starts_with(folder)) || holds()
}

/// The ids of all shared memory of System V that no process is attached to.
pub(crate) fn forgotten_memory() -> HashSet<u64> {
    let text = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    let forgotten = |line: &str| {
        let fields: Vec<i64> = line.split_whitespace().map_while(|field| field.parse().ok()).collect();
        (fields.get(6) == Some(&0)).then(|| fields[1] as u64)
    };
    text.lines().filter_map(forgotten).collect()
}

/// The variables that a process was started with.
pub(crate) fn environment(process: u32) -> HashMap<String, String> {
    let all = Process::new(process as i32).unwrap().environ().unwrap();
    let text = |text: OsString| text.into_string().unwrap();
    all.into_iter().map(|(name, value)| (text(name), text(value))).collect()
}

/// The number of TCP connections that a process holds, in whichever network it is.
pub(crate) fn connections(process: u32) -> usize {
    let Ok(process) = Process::new(process as i32) else { return 0 };
    let Ok(fds) = process.fd() else { return 0 };
    let sockets: HashSet<u64> = fds
        .flatten()
        .filter_map(|fd| if let FDTarget::Socket(inode) = fd.target { Some(inode) } else { None })
        .collect();
    let all = process.tcp().unwrap_or_default();
    all.iter().filter(|one| one.state == TcpState::Established && sockets.contains(&one.inode)).count()
}

/// A process and all below it.
pub(crate) fn family(root: u32) -> HashSet<u32> {
    let all: Vec<_> = all_processes().unwrap().flatten().filter_map(|process| process.stat().ok()).collect();
    let mut family = HashSet::from([root]);
    let mut size = 0;
    while size < family.len() {
        size = family.len();
        let children: Vec<u32> =
            all.iter().filter(|one| family.contains(&(one.ppid as u32))).map(|one| one.pid as u32).collect();
        family.extend(children);
    }
    family
}

/// The name of a process; empty if it is gone.
pub(crate) fn name(process: u32) -> String {
    let stat = Process::new(process as i32).and_then(|process| process.stat());
    stat.map(|stat| stat.comm).unwrap_or_default()
}

pub(crate) fn parent(process: u32) -> u32 {
    Process::new(process as i32).and_then(|process| process.stat()).unwrap().ppid as u32
}

/// The process below `root` that runs the program with this name.
pub(crate) fn below(root: u32, program: &str) -> Option<u32> {
    family(root).into_iter().find(|process| name(*process) == program)
}

/// Sends a signal to one process.
pub(crate) fn signal(process: u32, signal: Signal) {
    kill_process(Pid::from_raw(process as i32).unwrap(), signal).unwrap();
}

/// True if a signal waits to be taken by a process.
pub(crate) fn is_pending(process: u32, signal: Signal) -> bool {
    let status = Process::new(process as i32).and_then(|process| process.status());
    status.is_ok_and(|status| (status.shdpnd | status.sigpnd) & (1 << (signal.as_raw() - 1)) != 0)
}

/// The number of files that a process may open.
pub(crate) fn open_files(process: u32) -> u64 {
    match Process::new(process as i32).unwrap().limits().unwrap().max_open_files.soft_limit {
        LimitValue::Value(files) => files,
        LimitValue::Unlimited => u64::MAX,
    }
}
