//! A supervisor runs one service program and leaves no process of it behind.
//!
//! The laboratory starts every service below a small process of its own executable, the supervisor. The supervisor is a
//! child subreaper, so that all descendants of the service stay in its tree, even in another session. It watches a pipe
//! whose other end the laboratory holds. When the pipe closes, because the service should stop or because the
//! laboratory died (`kill -9` included), the supervisor ends the service, kills the rest of its tree, and ends. A byte
//! before the close requests a graceful stop. Without it the laboratory has died and the data are no longer needed, so
//! that the service is killed at once. Finally the supervisor removes shared memory that ended processes have left.

use crate::{
    User,
    cgroup::{self, Cgroup, MemoryGroup},
    helper_process::STARTED,
    hosts::HostHandle,
    processes::descendants,
    remote::{Remote, RemoteProgram},
    shared_memory::Segments,
};
use fs_err::{self as fs, os::unix::fs::OpenOptionsExt as _};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{FlockOperation, Mode, OFlags, flock},
    process::{
        Gid, Pid, PidfdFlags, Signal, Uid, WaitOptions, kill_process, pidfd_open, set_child_subreaper, umask,
        wait,
    },
    thread::{set_thread_gid, set_thread_groups, set_thread_uid},
    time::Timespec,
};
use serde::{Deserialize, Serialize};
use settings::note;
use signal_hook::consts::SIGTERM;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{CStr, OsString},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::{
        fs::fchown,
        process::{CommandExt, ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};
use thiserror::Error;

/// The hidden verb under which the laboratory's executable acts as a supervisor.
pub const SUPERVISE_VERB: &str = "supervise";
/// The hidden verb under which it waits for all supervisors of a folder and then removes the folder.
pub const REMOVE_VERB: &str = "remove-folder";

/// Part of the report of a supervisor whose program was ended by the kernel for want of memory.
pub const OUT_OF_MEMORY: &str = "out of memory";

/// Report of a supervisor whose program succeeded.
pub const SUCCESS: &str = "exit status: 0";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    pub signal: i32,
    /// Grace period before it is killed.
    pub within: Duration,
}

impl Stop {
    /// Stops with SIGTERM.
    pub fn term(within: Duration) -> Self {
        Self { signal: Signal::TERM.as_raw(), within }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SupervisorSpec {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Added to the environment.
    pub environment: BTreeMap<String, String>,
    pub folder: PathBuf,
    /// The file for its standard output and error, appended.
    pub log: PathBuf,
    pub stop: Stop,
    pub user: Option<User>,
    pub lock: PathBuf,
    /// The most memory of the program and all processes that it starts; none without a limit.
    pub memory_bytes: Option<u64>,
}

#[derive(Debug, Error)]
pub enum SupervisorError {
    #[error("can't start {program}: {fault}")]
    NotStarted { program: PathBuf, fault: String },
}

/// A running supervisor. Dropping it stops the program and waits until all its processes have ended.
#[derive(Debug)]
pub enum Supervisor {
    Here(LocalSupervisor),
    There(RemoteProgram),
}

impl Supervisor {
    /// Starts a program under a supervisor on this machine. The executable must understand [`SUPERVISE_VERB`].
    pub fn start(executable: &Path, spec: &SupervisorSpec) -> Result<Self, SupervisorError> {
        HostHandle::default().start(executable, spec)
    }

    pub fn start_on(
        host: &HostHandle,
        executable: &Path,
        spec: &SupervisorSpec,
    ) -> Result<Self, SupervisorError> {
        host.start(executable, spec)
    }

    pub(crate) fn there(host: &Arc<Remote>, spec: &SupervisorSpec) -> Result<Self, SupervisorError> {
        RemoteProgram::start(host, spec).map(Self::There)
    }

    /// The id of the supervisor's process on its host: the root of the service's process tree.
    pub fn id(&self) -> u32 {
        match self {
            Self::Here(here) => here.process.id(),
            Self::There(there) => there.supervisor(),
        }
    }

    /// The program's end, if it has ended: `exit status: 1`.
    pub fn ended(&self) -> Option<&str> {
        self.ended_within(Duration::ZERO)
    }

    /// The program's end, if it ends within this time.
    pub fn ended_within(&self, time: Duration) -> Option<&str> {
        match self {
            Self::Here(here) => here.ended_within(time),
            Self::There(there) => there.ended_within(time),
        }
    }

    /// Waits until the program has ended by itself. Returns its status: `exit status: 0`.
    pub fn wait(self) -> String {
        match self {
            Self::Here(here) => here.ended.get_or_init(|| here.read_message()).clone(),
            Self::There(there) => there.wait(),
        }
    }

    /// Kills the program and waits until all its processes have ended. Pending work is lost.
    pub fn kill(self) {
        match self {
            Self::Here(mut here) => here.pipe = None,
            Self::There(there) => there.kill(),
        }
    }
}

/// A supervisor on this machine.
#[derive(Debug)]
pub struct LocalSupervisor {
    process: Child,
    /// Closing this ends the supervisor.
    pipe: Option<ChildStdin>,
    messages: Mutex<BufReader<ChildStdout>>,
    ended: OnceLock<String>,
}

impl LocalSupervisor {
    pub(crate) fn start_on(
        host: &HostHandle,
        executable: &Path,
        spec: &SupervisorSpec,
    ) -> Result<Self, SupervisorError> {
        let fault = |fault: String| SupervisorError::NotStarted { program: spec.program.clone(), fault };
        let mut process = host
            .command(executable, executable)
            .arg(SUPERVISE_VERB)
            .args(spec.to_arguments())
            .envs(&spec.environment)
            .current_dir(&spec.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| fault(error.to_string()))?;
        let pipe = process.stdin.take();
        let messages = BufReader::new(process.stdout.take().expect("its output is piped"));
        let supervisor = Self { process, pipe, messages: Mutex::new(messages), ended: OnceLock::new() };
        let first = supervisor.read_message();
        match first.strip_prefix(STARTED) {
            Some(_) => Ok(supervisor),
            None => Err(fault(first)),
        }
    }

    fn ended_within(&self, time: Duration) -> Option<&str> {
        if self.ended.get().is_none() && self.has_message_within(time) {
            let _ = self.ended.set(self.read_message());
        }
        self.ended.get().map(String::as_str)
    }

    fn has_message_within(&self, time: Duration) -> bool {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fds = [PollFd::new(messages.get_ref(), PollFlags::IN)];
        poll(&mut fds, Some(&timespec(time))).is_ok_and(|ready| ready > 0)
    }

    fn read_message(&self) -> String {
        let mut line = String::new();
        match self.messages.lock().unwrap_or_else(PoisonError::into_inner).read_line(&mut line) {
            Ok(0) | Err(_) => "the supervisor ended without an error message".to_owned(),
            Ok(_) => line.trim_end().trim_start_matches("ended ").to_owned(),
        }
    }
}

impl Drop for LocalSupervisor {
    fn drop(&mut self) {
        if let Some(mut pipe) = self.pipe.take() {
            let _ = pipe.write_all(&[STOP_GENTLY]);
        }
        // The supervisor always ends: it kills what does not stop in time. Killed itself, it leaves its program behind.
        if self.process.wait().is_ok_and(|status| status.signal().is_some()) {
            cgroup::end_left_behind(self.process.id());
        }
    }
}

impl SupervisorSpec {
    fn to_arguments(&self) -> Vec<OsString> {
        let user = self.user.map_or(String::new(), |user| user.to_string());
        let stop = format!("{}:{}", self.stop.signal, self.stop.within.as_millis());
        let memory = self.memory_bytes.map_or(String::new(), |bytes| bytes.to_string());
        let mut arguments: Vec<OsString> = vec![user.into(), stop.into(), memory.into()];
        arguments.extend([&self.lock, &self.log, &self.program].map(OsString::from));
        arguments.extend(self.arguments.iter().map(OsString::from));
        arguments
    }

    fn from_arguments(arguments: &[OsString]) -> Option<Self> {
        let [user, stop, memory, lock, log, program, arguments @ ..] = arguments else { return None };
        let pair = |text: &OsString| -> Option<(u32, u32)> {
            let (left, right) = text.to_str()?.split_once(':')?;
            Some((left.parse().ok()?, right.parse().ok()?))
        };
        let (signal, within) = pair(stop)?;
        Some(Self {
            program: program.into(),
            arguments: arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect(),
            environment: BTreeMap::new(),
            folder: PathBuf::from("."),
            log: log.into(),
            stop: Stop { signal: signal as i32, within: Duration::from_millis(within.into()) },
            // Without a user it runs as root; one that can't be read must not.
            user: match user.to_str()? {
                "" => None,
                user => Some(user.parse().ok()?),
            },
            lock: lock.into(),
            memory_bytes: memory.to_str()?.parse().ok(),
        })
    }
}

/// The supervisor itself: runs in its own process until the service has ended or standard input closes. Returns the
/// process's exit code.
pub fn supervise(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-supervisor");
    survive_sigterm();
    let Some(spec) = SupervisorSpec::from_arguments(arguments) else {
        write_line("the supervisor was called with wrong arguments");
        return 2;
    };
    match run(&spec) {
        Ok(()) => 0,
        Err(error) => {
            write_line(&error.to_string());
            1
        }
    }
}

fn run(spec: &SupervisorSpec) -> io::Result<()> {
    // Locked until this process ends, so that the run's folder is not removed under a running service.
    let lock = fs::File::open(&spec.lock)?;
    flock(&lock, FlockOperation::LockShared)?;
    set_child_subreaper(Some(rustix::process::getpid()))?;
    let memory = match spec.memory_bytes {
        Some(bytes) => Some(MemoryGroup::enter(bytes).map_err(|fault| not_limited(bytes, &fault))?),
        None => MemoryGroup::current(),
    };
    let _group = Cgroup::enter();
    let earlier = Segments::list();
    let service = start(spec)?;
    write_line(STARTED);
    // A group that is shared with others does not tell whose process the kernel has ended.
    let own = memory.as_ref().filter(|_| spec.memory_bytes.is_some());
    let status = wait_for_end(service, spec.stop, own);
    let is_killed = status.is_none_or(|status| status.signal() == Some(Signal::KILL.as_raw()));
    // The group outlives the tree: it can't be removed with a process in it.
    let ran_out =
        memory.as_ref().is_some_and(|group| (is_killed || spec.memory_bytes.is_some()) && group.ran_out());
    let mut ended = end_tree();
    ended.insert(service.as_raw_pid() as u32);
    earlier.remove_later_of(&ended);
    let status = status.map_or("killed with its supervisor".to_owned(), |status| status.to_string());
    let limit = spec.memory_bytes.map_or(String::new(), |bytes| format!(" of {} MiB", bytes >> 20));
    let reason = if ran_out { format!(", {OUT_OF_MEMORY}{limit}") } else { String::new() };
    write_line(&format!("ended {status}{reason}"));
    Ok(())
}

fn not_limited(bytes: u64, fault: &io::Error) -> io::Error {
    let limit = bytes >> 20;
    let text =
        format!("its memory can't be limited to {limit} MiB: {fault}; run as root, or without that limit");
    io::Error::new(fault.kind(), text)
}

fn start(spec: &SupervisorSpec) -> io::Result<Pid> {
    if spec.user.is_some() {
        // Users of other tiers may pass through its folder, to its sockets.
        umask(Mode::from_raw_mode(0o077));
    }
    let log = open_log(spec)?;
    let mut command = Command::new(&spec.program);
    command
        .args(&spec.arguments)
        .stdin(Stdio::null())
        .stdout(log.file().try_clone()?)
        .stderr(log.into_file());
    let child = match spec.user {
        Some(user) => spawn_as(user, &mut command)?,
        None => command.spawn()?,
    };
    Ok(Pid::from_child(&child))
}

/// A program's log, which is its user's: steps after its start read it. The folder is the program's, too: no link that it has put
/// there leads root to another file, and no file that was there is given away.
fn open_log(spec: &SupervisorSpec) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.append(true).custom_flags(OFlags::NOFOLLOW.bits() as i32);
    match options.create_new(true).open(&spec.log) {
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
            options.create_new(false).open(&spec.log)
        }
        Ok(log) => {
            spec.user.map_or(Ok(()), |user| fchown(log.file(), Some(user.uid), Some(user.gid)))?;
            Ok(log)
        }
        fault => fault,
    }
}

/// Starts a program as a user with all its groups. The kernel keeps users by thread, and the program inherits those of the thread
/// that starts it; so only that one gives up its rights.
fn spawn_as(user: User, command: &mut Command) -> io::Result<Child> {
    let spawn = || {
        let group = Gid::from_raw;
        set_thread_groups(user.member_of.map(group).as_slice())?;
        set_thread_gid(group(user.gid))?;
        set_thread_uid(Uid::from_raw(user.uid))?;
        command.spawn()
    };
    thread::scope(|scope| scope.spawn(spawn).join()).unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
}

const STOP_GENTLY: u8 = b's';

const SIGNAL_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Waits until the service ends. When standard input closes with a request for a graceful stop, stops the service. Returns
/// at once when a process has used up the service's own memory, because the rest would be measured without it.
fn wait_for_end(service: Pid, stop: Stop, memory: Option<&MemoryGroup>) -> Option<ExitStatus> {
    let stdin = io::stdin();
    let died = pidfd_open(service, PidfdFlags::empty()).ok()?;
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&died, PollFlags::IN)];
        // The timeout limits how long orphans of the service stay zombies, and how long the end of one goes unseen.
        let _ = poll(&mut fds, Some(&Timespec { tv_sec: 1, tv_nsec: 0 }));
        let is_released = !fds[0].revents().is_empty();
        if let Some(status) = reap(service) {
            return Some(status);
        }
        if is_released {
            break;
        }
        if memory.is_some_and(MemoryGroup::ran_out) {
            return None;
        }
    }
    let mut word = [0];
    if stdin.lock().read(&mut word).unwrap_or(0) == 0 {
        return None;
    }
    let signal = Signal::from_named_raw(stop.signal).unwrap_or(Signal::TERM);
    let deadline = Instant::now() + stop.within;
    while Instant::now() < deadline {
        // The signal is repeated, because a program that is still starting may lose it; MariaDB does.
        let _ = kill_process(service, signal);
        let left = deadline.saturating_duration_since(Instant::now()).min(SIGNAL_AGAIN_AFTER);
        let _ = poll(&mut [PollFd::new(&died, PollFlags::IN)], Some(&timespec(left)));
        if let Some(status) = reap(service) {
            return Some(status);
        }
    }
    None
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() }
}

/// Reaps all ended children. Returns the service's status if it was among them.
fn reap(service: Pid) -> Option<ExitStatus> {
    let mut ended = None;
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == service {
            ended = Some(ExitStatus::from_raw(status.as_raw()));
        }
    }
    ended
}

/// Kills and reaps until no process is left below this one; returns the killed ones. New children may appear while old
/// ones are killed.
fn end_tree() -> BTreeSet<u32> {
    let mut killed = BTreeSet::new();
    loop {
        for pid in descendants(std::process::id()) {
            if let Some(process) = Pid::from_raw(pid as i32) {
                let _ = kill_process(process, Signal::KILL);
                killed.insert(pid);
            }
        }
        if wait(WaitOptions::empty()).is_err() {
            return killed;
        }
    }
}

pub(crate) fn write_line(line: &str) {
    // If the laboratory has ended, nobody reads this.
    let _ = writeln!(io::stdout(), "{line}");
}

/// Sets another process name, so that `killall` with the laboratory's name spares the processes that clean up after it.
pub(crate) fn hide_from_killall(name: &CStr) {
    let _ = rustix::thread::set_name(name);
}

/// Survives SIGTERM, which comes some time before its sender kills all, as when a machine shuts down: cleaning up takes that
/// time, and begins when the laboratory's pipe closes. A handler does it, because programs would inherit an ignored signal.
pub(crate) fn survive_sigterm() {
    let _ = signal_hook::flag::register(SIGTERM, Arc::default());
}

/// Waits until standard input closes and no supervisor of the folder is left, then removes the folder.
pub fn remove_folder(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-remover");
    survive_sigterm();
    let [folder, lock] = arguments else { return 2 };
    let lock = fs::File::open(Path::new(lock));
    write_line(STARTED);
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    if let Ok(lock) = &lock {
        let _ = flock(lock, FlockOperation::LockExclusive);
    }
    match fs::remove_dir_all(Path::new(folder)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            note(format_args!("can't remove {}: {error}", folder.to_string_lossy()));
            1
        }
        _ => 0,
    }
}
