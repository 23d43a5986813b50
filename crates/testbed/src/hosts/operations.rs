//! Operations of the laboratory on a host: here, or by a call to another machine.

use super::HostHandle;
use crate::{
    HostFacts, Listener, ReservedPort, Supervisor, SupervisorError, SupervisorSpec, TierUser, User,
    find_program_in, free_ports, give_tree,
    listener::stranger,
    remote::{Clocks, PipeEnd, Remote, Request, SocketRelay},
    share_tree, store_user,
    supervisor::LocalSupervisor,
    tree::{copy_tree, give_private_tree},
};
use fs_err as fs;
use rustix::{
    fs::{CWD, FileType, Mode, OFlags, chmod, fstat, mknodat, open},
    io::Errno,
    pipe::fcntl_setpipe_size,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::Permissions,
    io::{self, Read as _, Seek as _},
    net::SocketAddr,
    os::{
        fd::AsRawFd as _,
        unix::{fs::PermissionsExt as _, net::UnixStream},
    },
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// Output of a command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Printed {
    pub is_success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// The way to a host.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// The shortest round trip of several.
    pub round_trip_s: f64,
    /// By how much its clock is ahead.
    pub ahead_s: f64,
    /// Bandwidth there, over the connection of the laboratory.
    pub bits_per_s: f64,
}

/// Capacity requested from the kernel: the most that an unprivileged process may ask for.
const PIPE_CAPACITY: usize = 1 << 20;

impl HostHandle {
    /// The connection to a machine of its own.
    pub(crate) fn connection(&self) -> Option<&Arc<Remote>> {
        self.remote.as_ref().map(|connection| &connection.0)
    }

    /// The host's name if it is another machine, reached by a command.
    pub fn elsewhere(&self) -> Option<&str> {
        self.connection().map(|remote| remote.host())
    }

    /// An error that names the host if it was lost.
    pub fn expect_there(&self) -> io::Result<()> {
        self.connection().map_or(Ok(()), |remote| remote.expect_there())
    }

    /// Facts about another machine when it was reached, and its name on its network.
    pub fn facts(&self) -> Option<(&HostFacts, &str)> {
        let greeting = self.connection()?.greeting();
        Some((&greeting.facts, &greeting.node))
    }

    /// The change of another machine since it was reached: `4 cores, which were 8`.
    pub fn change(&self) -> io::Result<Option<String>> {
        let Some(remote) = self.connection() else { return Ok(None) };
        Ok(remote.greeting().facts.change(&remote.ask(Request::Facts)?))
    }

    /// The path on the host of a path in a run's folder here.
    pub fn path_of(&self, path: &Path, scratch: &Path) -> PathBuf {
        let Some(remote) = self.connection() else { return path.to_owned() };
        // Sockets have short paths.
        let name = scratch.file_name().unwrap_or_default().to_string_lossy();
        let name = name.rsplit('-').next().unwrap_or_default();
        match path.strip_prefix(scratch) {
            Ok(below) => remote.greeting().folder.join(name).join(below),
            Err(_) => path.to_owned(),
        }
    }

    /// The laboratory's executable there, and the lock of the run there; none if the host is this machine.
    pub fn own_paths(&self) -> Option<(&Path, &Path)> {
        let greeting = self.connection()?.greeting();
        Some((greeting.executable.as_path(), greeting.lock.as_path()))
    }

    /// A user there for a tier of its own; none if tiers run as the caller.
    pub fn reserve_user(&self) -> io::Result<Option<TierUser>> {
        let Some(remote) = self.connection() else { return TierUser::reserve() };
        let user: Option<User> = remote.ask(Request::ReserveUser)?;
        Ok(user.map(|user| TierUser::there(remote, user)))
    }

    /// The user that stores run as there.
    pub fn store_user(&self) -> Option<User> {
        self.connection().map_or_else(store_user, |remote| remote.greeting().store_user)
    }

    pub fn start(&self, executable: &Path, spec: &SupervisorSpec) -> Result<Supervisor, SupervisorError> {
        match self.connection() {
            Some(remote) => Supervisor::there(remote, spec),
            None => LocalSupervisor::start_on(self, executable, spec).map(Supervisor::Here),
        }
    }

    /// Finds a program in PATH there, or else in these folders, whose paths may have a `*` for a version.
    pub fn find_program(&self, name: &str, folders: &[String]) -> io::Result<Option<PathBuf>> {
        match self.connection() {
            Some(remote) => {
                remote.ask(Request::FindProgram { name: name.to_owned(), folders: folders.to_owned() })
            }
            None => Ok(find_program_in(name, folders)),
        }
    }

    /// Runs a command and returns what it prints.
    pub fn output(&self, program: &Path, arguments: &[String]) -> io::Result<Printed> {
        if let Some(remote) = self.connection() {
            let (program, arguments) = (program.to_owned(), arguments.to_owned());
            return remote.ask(Request::Output { program, arguments });
        }
        let output = Command::new(program).args(arguments).output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        Ok(Printed { is_success: output.status.success(), stdout, stderr })
    }

    /// Different free ports there, reserved for this run.
    pub fn reserve_ports(&self, count: usize) -> io::Result<Vec<ReservedPort>> {
        let Some(remote) = self.connection() else { return free_ports(count) };
        let numbers: Vec<u16> = remote.ask(Request::ReservePorts(count))?;
        Ok(numbers.into_iter().map(ReservedPort::elsewhere).collect())
    }

    /// The program that takes connections to an address there in place of a supervised one.
    pub fn stranger(&self, supervisor: u32, address: SocketAddr) -> io::Result<Option<Listener>> {
        match self.connection() {
            Some(remote) => remote.ask(Request::Stranger(supervisor, address)),
            None => Ok(stranger(supervisor, address)),
        }
    }

    /// Copies a tree of the laboratory there, unless it is there already.
    pub fn bring(&self, here: &Path, there: &Path) -> io::Result<()> {
        self.connection().map_or(Ok(()), |remote| remote.send(here, there))
    }

    /// The same for a tree that several tiers use.
    pub fn bring_once(&self, here: &Path, there: &Path) -> io::Result<()> {
        self.connection().map_or(Ok(()), |remote| remote.send_once(here, there))
    }

    /// The tree of a host, here: itself, or a copy at `copy`.
    pub fn fetch(&self, there: PathBuf, copy: PathBuf) -> io::Result<PathBuf> {
        let Some(remote) = self.connection() else { return Ok(there) };
        if copy.exists() {
            fs::remove_dir_all(&copy)?;
        }
        remote.fetch(&there, &copy)?;
        Ok(copy)
    }

    /// A file's bytes from an offset on.
    pub fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        if let Some(remote) = self.connection() {
            return remote.read(path, offset);
        }
        let mut file = fs::File::open(path)?;
        file.seek(io::SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_from(path, 0)
    }

    /// Makes a folder, and those above it.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        match self.connection() {
            Some(remote) => remote.ask(Request::MakeFolder(path.to_owned())),
            None => fs::create_dir_all(path),
        }
    }

    /// Removes a file or a tree; nothing may be there.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        if let Some(remote) = self.connection() {
            return remote.remove(path);
        }
        let removed = match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(fault) => Err(fault),
        };
        match removed {
            Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
            _ => Ok(()),
        }
    }

    /// Lets all tiers there read a tree.
    pub fn share(&self, path: &Path) -> io::Result<()> {
        match self.connection() {
            Some(remote) => remote.ask(Request::Share(path.to_owned())),
            None => share_tree(path),
        }
    }

    /// Gives a folder to a user, for its eyes alone. The user's group may at most pass through, to sockets that it knows.
    pub fn give_folder(&self, path: &Path, user: User, lets_group_pass: bool) -> io::Result<()> {
        if let Some(remote) = self.connection() {
            return remote.ask(Request::GiveFolder { path: path.to_owned(), user, lets_group_pass });
        }
        give_private_tree(path, user)?;
        let mode = if lets_group_pass { 0o710 } else { 0o700 };
        fs::set_permissions(path, Permissions::from_mode(mode))
    }

    /// Lets the group of a tier's user connect to a socket of the tier, whatever the tier's program thinks of it.
    pub fn open_socket_to_group(&self, path: &Path) -> io::Result<()> {
        if let Some(remote) = self.connection() {
            return remote.ask(Request::OpenSocketToGroup(path.to_owned()));
        }
        // A tier that puts a link in its place gets nothing but an error.
        let socket = open(path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
        let mode = fstat(&socket)?.st_mode;
        if FileType::from_raw_mode(mode) != FileType::Socket {
            return Err(io::Error::other(format!("{} is no socket", path.display())));
        }
        let handle = format!("/proc/self/fd/{}", socket.as_raw_fd());
        Ok(chmod(handle, Mode::from_raw_mode(mode) | Mode::RGRP | Mode::WGRP)?)
    }

    /// Puts a copy of a store's first data in place of its present ones.
    pub fn restore(&self, first: &Path, data: &Path) -> io::Result<()> {
        if let Some(remote) = self.connection() {
            let from = remote.kept(first)?;
            return remote.ask(Request::Restore { from, to: data.to_owned() });
        }
        self.remove(data)?;
        copy_tree(first, data)?;
        // PostgreSQL refuses a folder that others can read.
        fs::set_permissions(data, Permissions::from_mode(0o700))?;
        self.store_user().map_or(Ok(()), |user| give_tree(data, user))
    }

    /// Makes a named pipe that only its creator and the stores' user can open.
    pub fn make_pipe(&self, path: &Path) -> io::Result<()> {
        if let Some(remote) = self.connection() {
            return remote.ask(Request::MakePipe(path.to_owned()));
        }
        self.remove(path)?;
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        self.store_user().map_or(Ok(()), |user| give_tree(path, user))
    }

    /// The writing end of a named pipe; none while it has no reader.
    pub fn open_pipe(&self, path: &Path) -> io::Result<Option<PipeEnd>> {
        if let Some(remote) = self.connection() {
            let number: Option<u64> = remote.ask(Request::OpenPipe(path.to_owned()))?;
            return Ok(number.map(|number| PipeEnd::there(remote, number)));
        }
        match open(path, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
            Ok(end) => {
                // A smaller pipe works too, but slower.
                let _ = fcntl_setpipe_size(&end, PIPE_CAPACITY);
                Ok(Some(PipeEnd::Here(end.into())))
            }
            Err(Errno::NXIO) => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    /// An error unless a program listens at this socket.
    pub fn connect_socket(&self, path: &Path) -> io::Result<()> {
        match self.connection() {
            Some(remote) => remote.ask(Request::ConnectSocket(path.to_owned())),
            None => UnixStream::connect(path).map(drop),
        }
    }

    /// A socket `here` that leads to that socket on the host; none if it is the same.
    pub fn relay_socket(&self, here: &Path, there: &Path) -> io::Result<Option<SocketRelay>> {
        self.connection().map(|remote| SocketRelay::begin(remote, here, there)).transpose()
    }

    /// The way to another machine; none for this one.
    pub fn way(&self) -> io::Result<Option<Way>> {
        let Some(remote) = self.connection() else { return Ok(None) };
        let Clocks { round_trip_s, ahead_s, .. } = remote.clock()?;
        Ok(Some(Way { round_trip_s, ahead_s, bits_per_s: remote.bandwidth()? }))
    }
}
