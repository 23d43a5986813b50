//! A supervisor holds one service program and lets nothing of it survive.
//!
//! The laboratory starts every service below a small process of its own executable, the supervisor. The supervisor is a child
//! subreaper, so whatever the service forks, also into another session, stays in its tree. It watches a pipe whose
//! other end the laboratory holds: when that closes, because the service should stop or because the laboratory died
//! in whatever way (`kill -9` included), the supervisor ends the service, kills what is left of its tree, and ends. A word
//! before the close asks for a gentle stop; without one the laboratory is gone, nobody needs the data any more, and a
//! server that is still starting might not hear a signal for a minute. Last goes what the kernel keeps of processes that
//! have ended: their shared memory.

use crate::{
    cgroup::Cgroup, helper_process::STARTED, hosts::HostHandle, processes::descendants,
    shared_memory::Segments,
};
use fs_err as fs;
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{FlockOperation, flock},
    process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, set_child_subreaper, wait},
    time::Timespec,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{CStr, OsString},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};
use thiserror::Error;

/// The hidden verb under which the laboratory's executable acts as a supervisor.
pub const SUPERVISE_VERB: &str = "supervise";
/// The hidden verb under which it waits for all supervisors of a folder and then removes the folder.
pub const REMOVE_VERB: &str = "remove-when-over";

/// What a supervisor tells of a program that ended well.
pub const SUCCESS: &str = "exit status: 0";

/// The user that a service runs as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct User {
    /// User id.
    pub uid: u32,
    /// Cgroup id.
    pub gid: u32,
}

/// How a program is asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The signal's number.
    pub signal: i32,
    /// How long it may take before it is killed.
    pub within: Duration,
}

impl Stop {
    /// Is asked to stop by the usual signal, TERM.
    pub fn term(within: Duration) -> Self {
        Self { signal: Signal::TERM.as_raw(), within }
    }
}

/// What a supervisor shall run.
#[derive(Debug, Clone)]
pub struct SupervisorOrder {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Added to the environment.
    pub environment: BTreeMap<String, String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Gets its standard output and error, appended.
    pub log: PathBuf,
    /// How it is stopped.
    pub stop: Stop,
    /// Who it runs as, if the laboratory may choose.
    pub user: Option<User>,
    /// The lock file of the run's folder.
    pub lock: PathBuf,
}

/// Why a supervisor could not be taken.
#[derive(Debug, Error)]
pub enum SupervisorError {
    /// The supervisor process itself failed.
    #[error("can't start {program}: {fault}")]
    NotStarted {
        /// The program that should have run.
        program: PathBuf,
        /// What the system or the supervisor said.
        fault: String,
    },
}

/// A running supervisor. Dropping it stops the program and waits until nothing of it is left.
#[derive(Debug)]
pub struct Supervisor {
    process: Child,
    /// Closing this ends the supervisor.
    hold: Option<ChildStdin>,
    news: Mutex<BufReader<ChildStdout>>,
    ended: OnceLock<String>,
}

impl Supervisor {
    /// Starts a program under a supervisor on this machine. The executable must understand [`SUPERVISE_VERB`].
    pub fn take(executable: &Path, order: &SupervisorOrder) -> Result<Self, SupervisorError> {
        Self::take_at(&HostHandle::default(), executable, order)
    }

    /// Starts a program under a supervisor on a host.
    pub fn take_at(
        place: &HostHandle,
        executable: &Path,
        order: &SupervisorOrder,
    ) -> Result<Self, SupervisorError> {
        let fault = |fault: String| SupervisorError::NotStarted { program: order.program.clone(), fault };
        let mut process = place
            .command(executable, executable)
            .arg(SUPERVISE_VERB)
            .args(order.to_arguments())
            .envs(&order.environment)
            .current_dir(&order.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| fault(error.to_string()))?;
        let hold = process.stdin.take();
        let news = BufReader::new(process.stdout.take().expect("its output is piped"));
        let supervisor = Self { process, hold, news: Mutex::new(news), ended: OnceLock::new() };
        let first = supervisor.read_news();
        match first.strip_prefix(STARTED) {
            Some(_) => Ok(supervisor),
            None => Err(fault(first)),
        }
    }

    /// The id of the supervisor's process: the root of the service's process tree.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// How the program ended, if it has: `exit status: 1`.
    pub fn ended(&self) -> Option<&str> {
        self.ended_within(Duration::ZERO)
    }

    /// How the program ended, if it does before this time is over.
    pub fn ended_within(&self, time: Duration) -> Option<&str> {
        if self.ended.get().is_none() && self.news_within(time) {
            let _ = self.ended.set(self.read_news());
        }
        self.ended.get().map(String::as_str)
    }

    /// Waits until the program has ended by itself and tells how: `exit status: 0`.
    pub fn wait(self) -> String {
        self.ended.get_or_init(|| self.read_news()).clone()
    }

    /// Kills the program and waits until nothing of it is left: for one that has work in hand that nobody wants.
    pub fn kill(mut self) {
        self.hold = None;
    }

    fn news_within(&self, time: Duration) -> bool {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fds = [PollFd::new(news.get_ref(), PollFlags::IN)];
        poll(&mut fds, Some(&timespec(time))).is_ok_and(|ready| ready > 0)
    }

    fn read_news(&self) -> String {
        let mut line = String::new();
        match self.news.lock().unwrap_or_else(PoisonError::into_inner).read_line(&mut line) {
            Ok(0) | Err(_) => "the supervisor ended without a word".to_owned(),
            Ok(_) => line.trim_end().trim_start_matches("ended ").to_owned(),
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if let Some(mut hold) = self.hold.take() {
            let _ = hold.write_all(&[GENTLY]);
        }
        // The supervisor always ends: it kills what does not stop in time.
        let _ = self.process.wait();
    }
}

impl SupervisorOrder {
    fn to_arguments(&self) -> Vec<OsString> {
        let user = self.user.map_or(String::new(), |user| format!("{}:{}", user.uid, user.gid));
        let stop = format!("{}:{}", self.stop.signal, self.stop.within.as_millis());
        let mut arguments: Vec<OsString> = vec![user.into(), stop.into()];
        arguments.extend([&self.lock, &self.log, &self.program].map(OsString::from));
        arguments.extend(self.arguments.iter().map(OsString::from));
        arguments
    }

    fn from_arguments(arguments: &[OsString]) -> Option<Self> {
        let [user, stop, lock, log, program, arguments @ ..] = arguments else { return None };
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
            user: pair(user).map(|(uid, gid)| User { uid, gid }),
            lock: lock.into(),
        })
    }
}

/// The supervisor itself: runs in a process of its own until the service has ended or standard input closes.
/// Returns the process's exit code.
pub fn hold(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-supervisor");
    let Some(order) = SupervisorOrder::from_arguments(arguments) else {
        say("the supervisor was called with wrong arguments");
        return 2;
    };
    match hold_order(&order) {
        Ok(()) => 0,
        Err(error) => {
            say(&error.to_string());
            1
        }
    }
}

fn hold_order(order: &SupervisorOrder) -> io::Result<()> {
    // Held until this process ends, so that the run's folder is not removed under a running service.
    let lock = fs::File::open(&order.lock)?;
    flock(&lock, FlockOperation::LockShared)?;
    set_child_subreaper(Some(rustix::process::getpid()))?;
    let _group = Cgroup::enter();
    let earlier = Segments::look();
    let service = start(order)?;
    say(STARTED);
    let status = watch(service, order.stop);
    let mut ended = end_tree();
    ended.insert(service.as_raw_pid() as u32);
    earlier.remove_later_of(&ended);
    say(&format!(
        "ended {}",
        status.map_or("killed with its supervisor".to_owned(), |status| status.to_string())
    ));
    Ok(())
}

fn start(order: &SupervisorOrder) -> io::Result<Pid> {
    let log = fs::OpenOptions::new().create(true).append(true).open(&order.log)?;
    let mut command = Command::new(&order.program);
    command
        .args(&order.arguments)
        .stdin(Stdio::null())
        .stdout(log.file().try_clone()?)
        .stderr(log.into_file());
    if let Some(user) = order.user {
        command.uid(user.uid).gid(user.gid);
    }
    let child = command.spawn()?;
    Ok(Pid::from_child(&child))
}

/// The word that asks a supervisor to stop its service gently.
const GENTLY: u8 = b's';

/// How long a service that was asked to stop is left alone before it is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Waits until the service ends, or until standard input closes and it has been stopped, if that was asked for.
fn watch(service: Pid, stop: Stop) -> Option<ExitStatus> {
    let stdin = io::stdin();
    let died = pidfd_open(service, PidfdFlags::empty()).ok()?;
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&died, PollFlags::IN)];
        // The time-out only bounds how long orphans of the service stay zombies.
        let _ = poll(&mut fds, Some(&Timespec { tv_sec: 1, tv_nsec: 0 }));
        let let_go = !fds[0].revents().is_empty();
        if let Some(status) = reap(service) {
            return Some(status);
        }
        if let_go {
            break;
        }
    }
    let mut word = [0];
    if stdin.lock().read(&mut word).unwrap_or(0) == 0 {
        return None;
    }
    let signal = Signal::from_named_raw(stop.signal).unwrap_or(Signal::TERM);
    let deadline = Instant::now() + stop.within;
    while Instant::now() < deadline {
        // Asked again and again, because a program that has not quite started may lose the signal; MariaDB does.
        let _ = kill_process(service, signal);
        let left = deadline.saturating_duration_since(Instant::now()).min(ASK_AGAIN);
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

/// Reaps whatever has ended; tells the service's status if it was among it.
fn reap(service: Pid) -> Option<ExitStatus> {
    let mut ended = None;
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == service {
            ended = Some(ExitStatus::from_raw(status.as_raw()));
        }
    }
    ended
}

/// Kills and reaps until nothing is below this process; returns whom it killed. New children may appear while old ones
/// are killed.
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

pub(crate) fn say(line: &str) {
    // If the laboratory is gone there is nobody left to tell.
    let _ = writeln!(io::stdout(), "{line}");
}

/// Takes a name of its own, so that whoever kills all processes named like the laboratory doesn't kill those that clean
/// up after it.
pub(crate) fn hide_from_killall(name: &CStr) {
    let _ = rustix::thread::set_name(name);
}

/// Waits until standard input closes and no supervisor of the folder is left, then removes the folder.
pub fn remove(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-sweeper");
    let [folder, lock] = arguments else { return 2 };
    let lock = fs::File::open(Path::new(lock));
    say(STARTED);
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    if let Ok(lock) = &lock {
        let _ = flock(lock, FlockOperation::LockExclusive);
    }
    match fs::remove_dir_all(Path::new(folder)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            eprintln!("can't remove {}: {error}", folder.to_string_lossy());
            1
        }
        _ => 0,
    }
}
