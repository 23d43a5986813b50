//! The process that holds the hosts of a testbed, and the one that cleans up after it.
//!
//! Namespaces live as long as the namespace keeper. Groups, and whatever runs in them, have to be removed by somebody: that is
//! the cleaner, which waits for the namespace keeper's end in whatever way that comes. The namespace keeper in turn watches a pipe from
//! whoever wanted the hosts, or waits to be told.

use super::{
    HostHandle, HostUp, Separation, Testbed, TestbedError, limits, network, network::Network, record::Record,
};
use crate::{
    helper_process,
    supervisor::{hide_from_killall, say},
};
use fs_err as fs;
use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::SIGTERM;
use std::{
    ffi::OsString,
    io,
    os::unix::net::UnixStream,
    path::Path,
    process::{Child, Command},
};

/// The hidden verb under which the laboratory's executable holds the hosts of a testbed.
pub const KEEP_VERB: &str = "hold-hosts";
/// The hidden verb under which it waits for the namespace keeper's end and then removes what it has made.
pub const CLEAN_VERB: &str = "clean-hosts";

/// The namespace keeper's name as a process, by which a living one is told from another process with its number.
pub(super) const HOLDER_NAME: &std::ffi::CStr = c"tb-hosts";

/// Begins what a namespace keeper says once its hosts are there; its record follows.
pub(super) const UP: &str = "up ";
/// The word for a namespace keeper that waits to be told, instead of watching a pipe.
pub(super) const DETACHED: &str = "detached";
/// The word for one that watches a pipe on its standard input.
pub(super) const ATTACHED: &str = "attached";

/// Acts on [`KEEP_VERB`]. Returns the process's exit code.
pub fn hold(arguments: &[OsString]) -> i32 {
    hide_from_killall(HOLDER_NAME);
    let [file, by, until] = arguments else { return 2 };
    match hold_hosts(Path::new(file), &by.to_string_lossy(), until == DETACHED) {
        Ok(()) => 0,
        Err(fault) => {
            say(&fault.to_string());
            1
        }
    }
}

fn hold_hosts(file: &Path, by: &str, is_detached: bool) -> Result<(), TestbedError> {
    let (told, tell) = UnixStream::pair()?;
    signal_hook::low_level::pipe::register(SIGTERM, tell)?;
    let testbed = Testbed::read(file)?;
    let own = std::process::id();
    let cleaner = Cleaner::start(&super::run_name(own))?;
    let (hosts, network) = make(&testbed, &super::run_name(own))?;
    let record = Record { namespace_keeper: own, by: by.to_owned(), file: testbed.file.clone(), hosts };
    record.write()?;
    say(&format!("{UP}{}", serde_json::to_string(&record).map_err(io::Error::from)?));
    wait_for_end(&told, is_detached)?;
    drop(network);
    cleaner.clean()
}

/// Makes all hosts, and tells how each is reached.
fn make(testbed: &Testbed, run: &str) -> Result<(Vec<HostUp>, Network), TestbedError> {
    let cores = testbed.expect_possible()?;
    let with_cores: Vec<_> = testbed.hosts.iter().cloned().zip(cores).collect();
    let network = Network::make(&testbed.hosts)?;
    let groups = limits::make_groups(run, &with_cores)?;
    let hosts = with_cores.into_iter().zip(groups).enumerate().map(|(index, ((host, cores), groups))| {
        let place = HostHandle {
            address: network::address(index),
            cores,
            groups,
            network: Some(network.path(index)),
        };
        HostUp { name: host.name, place }
    });
    Ok((hosts.collect(), network))
}

/// Returns when the pipe on standard input is closed, unless nobody holds it, or when somebody sends SIGTERM.
fn wait_for_end(told: &UnixStream, is_detached: bool) -> io::Result<()> {
    let stdin = io::stdin();
    let mut watched = vec![PollFd::new(told, PollFlags::IN)];
    if !is_detached {
        watched.push(PollFd::new(&stdin, PollFlags::IN));
    }
    loop {
        match poll(&mut watched, None) {
            Err(rustix::io::Errno::INTR) => {}
            ended => return Ok(ended.map(drop)?),
        }
    }
}

/// The process that cleans up after this one. Dropping it lets it do so.
struct Cleaner {
    run: String,
    process: Option<Child>,
}

impl Cleaner {
    fn start(run: &str) -> io::Result<Self> {
        let mut cleaner = Command::new(std::env::current_exe()?);
        // It holds the pipe then, and cleans up whatever happens from now on.
        let process = helper_process::start_until_closed(cleaner.args([CLEAN_VERB, run]))?;
        Ok(Self { run: run.to_owned(), process: Some(process) })
    }

    fn clean(mut self) -> Result<(), TestbedError> {
        self.finish()?;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(mut process) = self.process.take() else { return Ok(()) };
        drop(process.stdin.take());
        // Somebody may have killed it.
        if process.wait().is_ok_and(|status| status.success()) { Ok(()) } else { remove(&self.run) }
    }
}

impl Drop for Cleaner {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// Acts on [`CLEAN_VERB`]. Returns the process's exit code.
pub fn clean(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-cleaner");
    let Some(run) = arguments.first().and_then(|word| word.to_str()) else { return 2 };
    say(helper_process::STARTED);
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    match remove(run) {
        Ok(()) => 0,
        Err(fault) => {
            eprintln!("a testbed leaves something behind: {fault}");
            1
        }
    }
}

/// Kills what runs on a run's hosts, and removes all that was made for them.
pub(super) fn remove(run: &str) -> io::Result<()> {
    limits::remove_groups(run)?;
    match fs::remove_file(super::record::path(run)) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
        _ => Ok(()),
    }
}

impl Testbed {
    /// The cores of each of its hosts; an error if this user can't have them here.
    pub fn expect_possible(&self) -> Result<Vec<Vec<u32>>, TestbedError> {
        if self.separation == Separation::Namespaces {
            if !rustix::process::geteuid().is_root() {
                return Err(TestbedError::NotRoot(self.file.clone()));
            }
            for program in ["ip", "tc"] {
                crate::find_program(program).ok_or(TestbedError::NoProgram { program })?;
            }
        }
        limits::cores_of(&self.hosts, &super::host_handle::available_cores()?)
    }
}
