//! The process that keeps the hosts of a testbed up, and the one that cleans up after it.
//!
//! Namespaces live as long as the namespace keeper. Control groups, and the processes in them, must be removed: the
//! cleaner does it, however the keeper ends. The keeper itself runs until the command that needs the hosts closes a
//! pipe, or until SIGTERM.

use super::{
    HostHandle, HostUp, Separation, Testbed, TestbedError, control_groups, network,
    network::Network,
    record::{KEEPER_NAME, TestbedRecord, remove},
};
use crate::{
    helper_process,
    supervisor::{hide_from_killall, survive_sigterm, write_line},
};
use rustix::event::{PollFd, PollFlags, poll};
use settings::note;
use signal_hook::consts::SIGTERM;
use std::{
    ffi::OsString,
    io,
    os::unix::net::UnixStream,
    path::Path,
    process::{Child, Command},
};

/// The hidden verb under which the laboratory's executable keeps the hosts of a testbed up.
pub const KEEP_VERB: &str = "keep-hosts";
/// The hidden verb under which it waits for the namespace keeper's end and then removes the hosts.
pub const CLEAN_VERB: &str = "clean-hosts";

/// The prefix of the line that a namespace keeper writes once its hosts are up; its record follows.
pub(super) const UP: &str = "up ";
/// The argument for a namespace keeper that runs until SIGTERM.
pub(super) const DETACHED: &str = "detached";
/// The argument for one that runs until its standard input closes.
pub(super) const ATTACHED: &str = "attached";

pub fn keep(arguments: &[OsString]) -> i32 {
    hide_from_killall(KEEPER_NAME);
    let [file, by, until] = arguments else { return 2 };
    match keep_hosts(Path::new(file), &by.to_string_lossy(), until == DETACHED) {
        Ok(()) => 0,
        Err(fault) => {
            write_line(&fault.to_string());
            1
        }
    }
}

fn keep_hosts(file: &Path, by: &str, is_detached: bool) -> Result<(), TestbedError> {
    let (ended, end) = UnixStream::pair()?;
    signal_hook::low_level::pipe::register(SIGTERM, end)?;
    let testbed = Testbed::read(file)?;
    let own = std::process::id();
    let cleaner = Cleaner::start(&super::run_name(own))?;
    let (hosts, network) = make(&testbed, &super::run_name(own))?;
    let record =
        TestbedRecord { namespace_keeper: own, by: by.to_owned(), file: testbed.file.clone(), hosts };
    record.write()?;
    write_line(&format!("{UP}{}", serde_json::to_string(&record).map_err(io::Error::from)?));
    wait_for_end(&ended, is_detached)?;
    drop(network);
    cleaner.clean()
}

fn make(testbed: &Testbed, run: &str) -> Result<(Vec<HostUp>, Network), TestbedError> {
    let cores = testbed.expect_possible()?;
    let with_cores: Vec<_> = testbed.hosts.iter().cloned().zip(cores).collect();
    let network = Network::make(&testbed.hosts)?;
    let groups = control_groups::make_groups(run, &with_cores)?;
    let hosts = with_cores.into_iter().zip(groups).enumerate().map(|(index, ((host, cores), groups))| {
        let handle = HostHandle {
            address: network::address(index),
            cores,
            groups,
            network: Some(network.path(index)),
            remote: None,
        };
        HostUp { name: host.name, handle }
    });
    Ok((hosts.collect(), network))
}

/// Returns when standard input closes (unless detached), or on SIGTERM.
fn wait_for_end(ended: &UnixStream, is_detached: bool) -> io::Result<()> {
    let stdin = io::stdin();
    let mut watched = vec![PollFd::new(ended, PollFlags::IN)];
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

/// The process that cleans up after this one. Dropping it starts the clean-up.
struct Cleaner {
    run: String,
    process: Option<Child>,
}

impl Cleaner {
    fn start(run: &str) -> io::Result<Self> {
        let mut cleaner = Command::new(std::env::current_exe()?);
        // From now on it cleans up, whatever happens.
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
        // It may have been killed.
        if process.wait().is_ok_and(|status| status.success()) { Ok(()) } else { remove(&self.run) }
    }
}

impl Drop for Cleaner {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// Executes [`CLEAN_VERB`]. Returns the process's exit code.
pub fn clean(arguments: &[OsString]) -> i32 {
    hide_from_killall(c"tb-cleaner");
    survive_sigterm();
    let Some(run) = arguments.first().and_then(|word| word.to_str()) else { return 2 };
    write_line(helper_process::STARTED);
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    match remove(run) {
        Ok(()) => 0,
        Err(fault) => {
            note(format_args!("a testbed leaves something behind: {fault}"));
            1
        }
    }
}

impl Testbed {
    /// The cores of each of its hosts; an error if this user can't make them on this machine.
    pub fn expect_possible(&self) -> Result<Vec<Vec<u32>>, TestbedError> {
        if self.separation == Separation::Namespaces {
            if !rustix::process::geteuid().is_root() {
                return Err(TestbedError::NotRoot(self.file.clone()));
            }
            for program in ["ip", "tc"] {
                crate::find_program(program).ok_or(TestbedError::NoProgram { program })?;
            }
        }
        if self.separation == Separation::Machines {
            return Ok(vec![Vec::new(); self.hosts.len()]);
        }
        control_groups::cores_of(&self.hosts, &super::host_handle::available_cores()?)
    }
}
