//! A host's end: the laboratory's executable, which answers calls as the laboratory itself would do it on this machine.

use super::{
    client::{boot, lock, monotonic_s, unix_s},
    files,
    protocol::{Answer, Call, Greeting, Request, SILENCE, read_frame, write_frame},
};
use crate::{
    HostFacts, HostUsage, LostCpu, ReservedPort, Scratch, Supervisor, SystemCounters, SystemMeter, TierMeter,
    TierUser,
    hosts::{HostHandle, HostMeter, host_handle::available_cores, own_address},
    scratch::remove_left_behind,
    supervisor::{hide_from_killall, survive_sigterm},
};
use fs_err as fs;
use rustix::{
    fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl},
    process::{Pid, Signal, kill_process},
};
use serde::Serialize;
use settings::note;
use signal_hook::consts::SIGTERM;
use std::{
    collections::{BTreeSet, HashMap},
    ffi::OsString,
    fs::File,
    io::{self, Read, Write as _},
    net::{Shutdown, TcpStream},
    os::unix::{fs::FileExt as _, net::UnixStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// The hidden verb under which the laboratory's executable serves on a host.
pub const SERVE_VERB: &str = "host-serve";

/// The hidden verb of the process that answers, below the one of [`SERVE_VERB`].
pub const ANSWER_VERB: &str = "host-answer";

/// Executes [`SERVE_VERB`]: makes the run's folder, lets another process answer, and ends once the folder is gone. A scheduler
/// kills all that is left of a step when its first process ends.
pub fn serve(_arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-host");
    survive_sigterm();
    // Services run as another user, who must pass through the folders of their files.
    rustix::process::umask(Mode::from_raw_mode(0o022));
    exit_code(serve_in_a_folder())
}

fn serve_in_a_folder() -> io::Result<i32> {
    remove_left_behind(&std::env::temp_dir());
    let own = std::env::current_exe()?;
    let scratch = Scratch::create(&own)?;
    // Services run as another user, who may not pass through the folder of this user's cache.
    let executable = scratch.path().join("tierbench");
    fs::hard_link(&own, &executable).or_else(|_| fs::copy(&own, &executable).map(drop))?;
    fs::set_permissions(&executable, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let mut answers =
        Command::new(&executable).arg(ANSWER_VERB).arg(scratch.path()).arg(scratch.lock()).spawn()?;
    end_on_sigterm(&answers)?;
    let status = answers.wait()?;
    drop(scratch);
    // Unless it was killed, it has said why itself.
    status.code().ok_or_else(|| io::Error::other(format!("what answers there was ended ({status})")))
}

/// Ends what answers once SIGTERM comes, by which its sender says that it will soon kill all. The laboratory's pipe may still be open
/// then.
fn end_on_sigterm(answers: &Child) -> io::Result<()> {
    let (mut asked, end) = UnixStream::pair()?;
    signal_hook::low_level::pipe::register(SIGTERM, end)?;
    let answers = Pid::from_child(answers);
    thread::spawn(move || asked.read_exact(&mut [0]).map(|()| kill_process(answers, Signal::KILL)));
    Ok(())
}

fn exit_code(result: io::Result<i32>) -> i32 {
    match result {
        Ok(code) => code,
        Err(fault) => {
            note(fault);
            1
        }
    }
}

/// Executes [`ANSWER_VERB`] until standard input closes or the laboratory is silent. Then all that it has started is killed, as
/// when the laboratory itself dies.
pub fn answer(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-answer");
    let [folder, lock] = arguments else { return 2 };
    exit_code(answer_calls(folder.into(), lock.into()))
}

fn answer_calls(folder: PathBuf, own_lock: PathBuf) -> io::Result<i32> {
    let host = Arc::new(Host::make(folder, own_lock)?);
    let answers = Arc::new(Mutex::new(io::stdout()));
    let greeting = serde_json::to_value(host.greeting()?)?;
    write_frame(&mut *lock(&answers), &Answer { number: 0, result: Ok(greeting) }, &[])?;
    let heard = Arc::new(Mutex::new(Instant::now()));
    watch(Arc::clone(&heard));
    let mut calls = io::stdin().lock();
    while let Ok(Some((Call { number, request }, bytes))) = read_frame::<Call>(&mut calls) {
        *lock(&heard) = Instant::now();
        let (host, answers) = (Arc::clone(&host), Arc::clone(&answers));
        // A call that waits, such as for a program's end, holds up no other.
        thread::spawn(move || {
            let (result, bytes) = match host.answer(request, &bytes) {
                Ok((value, bytes)) => (Ok(value), bytes),
                Err(fault) => (Err(fault.into()), Vec::new()),
            };
            // The laboratory may have gone.
            let _ = write_frame(&mut *lock(&answers), &Answer { number, result }, &bytes);
        });
    }
    // The pipes of all supervisors close with this process, whichever thread still waits for one.
    std::process::exit(0)
}

/// Ends this process once the laboratory is silent.
fn watch(heard: Arc<Mutex<Instant>>) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            if lock(&heard).elapsed() > SILENCE {
                note(format_args!("the laboratory has been silent for {} s", SILENCE.as_secs()));
                std::process::exit(1);
            }
        }
    });
}

enum Stream {
    Socket(UnixStream),
    Pipe(File),
    Helper(Helper),
}

/// The laboratory's executable in another role. Its drop ends it.
struct Helper {
    process: Mutex<Child>,
    input: Mutex<Option<ChildStdin>>,
    output: Mutex<ChildStdout>,
}

impl Helper {
    fn start(executable: &Path, words: &[String]) -> io::Result<Self> {
        let mut command = Command::new(executable);
        let mut process = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (input, output) = (Mutex::new(process.stdin.take()), Mutex::new(output));
        Ok(Self { process: Mutex::new(process), input, output })
    }

    fn take(&self, bytes: &[u8]) -> io::Result<()> {
        lock(&self.input).as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(bytes)
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let mut process = lock(&self.process);
        let _ = process.kill();
        let _ = process.wait();
    }
}

struct Host {
    handle: HostHandle,
    /// Of the run, with its lock.
    folder: PathBuf,
    lock: PathBuf,
    executable: PathBuf,
    cores: BTreeSet<u32>,
    programs: Mutex<HashMap<u64, Arc<Supervisor>>>,
    /// Reserved for the run.
    ports: Mutex<Vec<ReservedPort>>,
    /// Reserved for tiers.
    users: Mutex<Vec<TierUser>>,
    streams: Mutex<HashMap<u64, Arc<Stream>>>,
    meters: Mutex<HashMap<Vec<u32>, SystemMeter>>,
    usage: Mutex<HostMeter>,
    next: AtomicU64,
}

type Answered = io::Result<(serde_json::Value, Vec<u8>)>;

fn value(of: impl Serialize) -> Answered {
    Ok((serde_json::to_value(of)?, Vec::new()))
}

impl Host {
    fn make(folder: PathBuf, lock: PathBuf) -> io::Result<Self> {
        let executable = std::env::current_exe()?;
        let handle = HostHandle::default();
        Ok(Self {
            usage: Mutex::new(HostMeter::of_machine()),
            handle,
            folder,
            lock,
            executable,
            cores: available_cores()?.into_iter().collect(),
            programs: Mutex::default(),
            ports: Mutex::default(),
            users: Mutex::default(),
            streams: Mutex::default(),
            meters: Mutex::default(),
            next: AtomicU64::new(1),
        })
    }

    fn greeting(&self) -> io::Result<Greeting> {
        Ok(Greeting {
            folder: self.folder.clone(),
            lock: self.lock.clone(),
            executable: self.executable.clone(),
            store_user: self.handle.store_user(),
            cores: self.cores.iter().copied().collect(),
            address: own_address(),
            boot: boot(),
            node: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            facts: HostFacts::read(),
        })
    }

    fn answer(&self, request: Request, bytes: &[u8]) -> Answered {
        let handle = &self.handle;
        match request {
            Request::Heartbeat | Request::Discard => value(()),
            Request::Clock => value((unix_s(), monotonic_s())),
            Request::Facts => value(HostFacts::read()),
            Request::FindProgram { name, folders } => value(handle.find_program(&name, &folders)?),
            Request::Output { program, arguments } => value(handle.output(&program, &arguments)?),
            Request::ReservePorts(count) => {
                let ports = handle.reserve_ports(count)?;
                let numbers: Vec<u16> = ports.iter().map(ReservedPort::number).collect();
                lock(&self.ports).extend(ports);
                value(numbers)
            }
            Request::ReserveUser => {
                let reserved = handle.reserve_user()?;
                let user = reserved.as_ref().map(TierUser::user);
                lock(&self.users).extend(reserved);
                value(user)
            }
            Request::ReleaseUser(uid) => {
                lock(&self.users).retain(|reserved| reserved.user().uid != uid);
                value(())
            }
            Request::Stranger(supervisor, address) => value(handle.stranger(supervisor, address)?),
            Request::Start(spec) => {
                let started = handle.start(&self.executable, &spec).map_err(io::Error::other)?;
                let supervisor = started.id();
                value((self.keep(&self.programs, started), supervisor))
            }
            Request::Ended(number, time) => {
                let program = self.find(&self.programs, number)?;
                value(program.ended_within(time))
            }
            Request::Stop(number) => {
                let program = lock(&self.programs).remove(&number);
                drop(program);
                value(())
            }
            Request::Kill(number) => {
                let program = lock(&self.programs).remove(&number);
                if let Some(program) = program.and_then(Arc::into_inner) {
                    program.kill();
                }
                value(())
            }
            Request::Write(to, parts) => value(files::write_parts(&to, &parts, bytes)?),
            Request::List(path) => value(files::list(&path)?),
            Request::Read { path, offset, length } => {
                Ok((serde_json::Value::Null, read_part(&path, offset, length)?))
            }
            Request::MakeFolder(path) => value(handle.make_folder(&path)?),
            Request::Remove(path) => value(handle.remove(&path)?),
            Request::Share(path) => value(handle.share(&path)?),
            Request::GiveFolder { path, user, lets_group_pass } => {
                value(handle.give_folder(&path, user, lets_group_pass)?)
            }
            Request::OpenSocketToGroup(path) => value(handle.open_socket_to_group(&path)?),
            Request::Restore { from, to } => value(handle.restore(&from, &to)?),
            Request::MakePipe(path) => value(handle.make_pipe(&path)?),
            Request::ConnectSocket(path) => value(handle.connect_socket(&path)?),
            Request::ConnectPort(address) => value(TcpStream::connect(address).map(drop)?),
            Request::OpenSocket(path) => {
                let socket = Stream::Socket(UnixStream::connect(path)?);
                value(self.keep(&self.streams, socket))
            }
            Request::OpenPipe(path) => value(self.open_pipe(&path)?),
            Request::Converse(words) => {
                let helper = Stream::Helper(Helper::start(&self.executable, &words)?);
                value(self.keep(&self.streams, helper))
            }
            Request::ReadStream(_)
            | Request::WriteStream(_)
            | Request::EndStream(_)
            | Request::CloseStream(_) => self.answer_stream(&request, bytes),
            Request::Usage => {
                let lost = Some(self.lost());
                let mut meter = lock(&self.usage);
                let usage = meter.usage().map(|usage| HostUsage { lost, ..usage });
                value((usage, meter.link()))
            }
            Request::HasGroup(supervisor) => value(TierMeter::of(supervisor).has_group()),
            Request::Sample(supervisors) => value(self.sample(supervisors).tiers),
            Request::SampleInDetail(supervisors) => {
                let each =
                    supervisors.into_iter().map(|supervisor| TierMeter::of(supervisor).sample_in_detail());
                value(each.collect::<Vec<_>>())
            }
            Request::ProportionalBytes(supervisor) => value(TierMeter::of(supervisor).proportional_bytes()),
        }
    }

    /// CPU time that this machine has lost, of the cores that it may use. All programs of the laboratory here are its own.
    fn lost(&self) -> LostCpu {
        let programs: BTreeSet<u32> = lock(&self.programs).values().map(|program| program.id()).collect();
        let SystemCounters { host, laboratory_s, tiers } = self.sample(programs.into_iter().collect());
        let own_s: f64 = tiers.iter().map(|tier| tier.cpu.total_s).sum::<f64>() + laboratory_s;
        LostCpu { steal_s: host.steal_s(), other_processes_s: host.processes_s() - own_s }
    }

    /// Samples these tiers, and the cores that the laboratory may use here: others take nothing from it.
    fn sample(&self, supervisors: Vec<u32>) -> SystemCounters {
        let key = supervisors.clone();
        let new = || SystemMeter::of(supervisors).on_cores(Some(self.cores.clone()));
        lock(&self.meters).entry(key).or_insert_with(new).sample()
    }

    fn answer_stream(&self, request: &Request, bytes: &[u8]) -> Answered {
        match *request {
            Request::ReadStream(number) => {
                let stream = self.find(&self.streams, number)?;
                let mut part = vec![0; files::PART_BYTES / 4];
                let length = match &*stream {
                    Stream::Socket(socket) => (&*socket).read(&mut part)?,
                    Stream::Helper(helper) => lock(&helper.output).read(&mut part)?,
                    Stream::Pipe(_) => 0,
                };
                part.truncate(length);
                Ok((serde_json::Value::Null, part))
            }
            Request::WriteStream(number) => {
                let stream = self.find(&self.streams, number)?;
                match &*stream {
                    Stream::Socket(socket) => value((&*socket).write_all(bytes)?),
                    Stream::Pipe(pipe) => value((&*pipe).write_all(bytes)?),
                    Stream::Helper(helper) => value(helper.take(bytes)?),
                }
            }
            Request::EndStream(number) => {
                match self.find(&self.streams, number).as_deref() {
                    Ok(Stream::Socket(socket)) => drop(socket.shutdown(Shutdown::Write)),
                    Ok(Stream::Helper(helper)) => drop(lock(&helper.input).take()),
                    _ => {}
                }
                value(())
            }
            Request::CloseStream(number) => {
                let stream = lock(&self.streams).remove(&number);
                // A call may still wait for bytes.
                match stream.as_deref() {
                    Some(Stream::Socket(socket)) => drop(socket.shutdown(Shutdown::Both)),
                    Some(Stream::Helper(helper)) => drop(lock(&helper.process).kill()),
                    _ => {}
                }
                value(())
            }
            _ => unreachable!("these are all calls that concern streams"),
        }
    }

    /// Opens a named pipe; none without a reader.
    fn open_pipe(&self, path: &Path) -> io::Result<Option<u64>> {
        let Some(super::PipeEnd::Here(pipe)) = self.handle.open_pipe(path)? else { return Ok(None) };
        // A call that waits holds up no other.
        let flags = fcntl_getfl(&pipe)?;
        fcntl_setfl(&pipe, flags - OFlags::NONBLOCK)?;
        Ok(Some(self.keep(&self.streams, Stream::Pipe(pipe))))
    }

    fn keep<T>(&self, among: &Mutex<HashMap<u64, Arc<T>>>, new: T) -> u64 {
        let number = self.next.fetch_add(1, Relaxed);
        lock(among).insert(number, Arc::new(new));
        number
    }

    fn find<T>(&self, among: &Mutex<HashMap<u64, Arc<T>>>, number: u64) -> io::Result<Arc<T>> {
        let found = lock(among).get(&number).cloned();
        found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("number {number} is closed")))
    }
}

fn read_part(path: &Path, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let mut bytes = vec![0; length as usize];
    let length = file.file().read_at(&mut bytes, offset)?;
    bytes.truncate(length);
    Ok(bytes)
}
