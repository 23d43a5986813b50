//! `perf record` of the whole machine, under a supervisor, so that it never outlives the laboratory.

use crate::{
    ProfileError,
    not_available::{NotAvailable, PROGRAM},
    script,
};
use fs_err as fs;
use results::Stacks;
use rustix::{
    fs::{CWD, FileType, Mode, mknodat},
    process::Signal,
};
use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};
use testbed::{Stop, Supervisor, SupervisorSpec, find_program};

/// Samples of a profile: they give the share of a component to a few tenths of a percent; more would only cost.
const SAMPLES: f64 = 30_000.0;
/// The bounds of the sampling frequency of each CPU, per second.
const FREQUENCY: (f64, f64) = (49.0, 499.0);
/// Bytes copied of each stack. Deeper stacks lose their outermost frames.
const STACK_BYTES: u32 = 8192;
/// Time limit for `perf` to write its last samples.
const ENDING: Duration = Duration::from_secs(30);

/// Version of `perf` if this machine can be profiled, or else what is missing. Takes a test sample.
pub fn availability() -> Result<String, NotAvailable> {
    let perf = find_program(PROGRAM).ok_or(NotAvailable::Missing)?;
    let arguments = ["record", "-q", "-a", "-B", "-N", "-e", "cpu-clock", "-o", "/dev/null", "--", "true"];
    let tried = command(&perf).args(arguments).output();
    let tried = tried.map_err(|error| NotAvailable::Refused(error.to_string()))?;
    if !tried.status.success() {
        return Err(NotAvailable::Refused(first_line(&tried.stderr)));
    }
    let version = command(&perf).arg("--version").output().map(|output| first_line(&output.stdout));
    Ok(version.unwrap_or_default())
}

fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && *line != "Error:");
    line.unwrap_or("it gives no reason").to_owned()
}

/// A command without the user's settings.
fn command(perf: &Path) -> Command {
    let mut command = Command::new(perf);
    command.env("PERF_CONFIG", "/dev/null").env("PAGER", "cat").stdin(Stdio::null());
    command
}

/// A recording of the whole machine, which pauses until it is opened.
#[derive(Debug)]
pub(crate) struct Perf {
    program: PathBuf,
    folder: PathBuf,
    control: fs::File,
    supervisor: Supervisor,
}

impl Perf {
    /// Starts `perf` in pause. Its files go into the folder. `length` is the length of the profile.
    pub(crate) fn start(
        executable: &Path,
        lock: PathBuf,
        folder: &Path,
        length: Duration,
    ) -> Result<Self, ProfileError> {
        let program = find_program(PROGRAM).ok_or(NotAvailable::Missing)?;
        let control = folder.join("control");
        mknodat(CWD, &control, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).map_err(std::io::Error::from)?;
        let data = data_of(folder);
        let arguments =
            ["record", "-q", "-a", "-B", "-N", "-e", "cpu-clock", "-m", "2M", "--delay=-1", "--call-graph"];
        let more = [
            format!("dwarf,{STACK_BYTES}"),
            "-F".to_owned(),
            frequency(length).to_string(),
            format!("--control=fifo:{}", control.display()),
            "-o".to_owned(),
            data.display().to_string(),
        ];
        let order = SupervisorSpec {
            program: program.clone(),
            arguments: arguments.map(ToOwned::to_owned).into_iter().chain(more).collect(),
            environment: BTreeMap::from([("PERF_CONFIG".to_owned(), "/dev/null".to_owned())]),
            folder: folder.to_owned(),
            log: log_of(folder),
            stop: Stop { signal: Signal::INT.as_raw(), within: ENDING },
            user: None,
            lock,
            memory_bytes: None,
        };
        let supervisor = Supervisor::start(executable, &order)?;
        // Opened for reading too, so that it doesn't block.
        let control = fs::OpenOptions::new().read(true).write(true).open(control)?;
        Ok(Self { program, folder: folder.to_owned(), control, supervisor })
    }

    pub(crate) fn open(&mut self) -> std::io::Result<()> {
        self.control.write_all(b"enable\n")
    }

    pub(crate) fn close(&mut self) -> std::io::Result<()> {
        self.control.write_all(b"disable\n")
    }

    /// The samples of the processes below these supervisors.
    pub(crate) fn finish(self, supervisors: &[u32]) -> Result<Vec<Stacks>, ProfileError> {
        drop(self.supervisor);
        let message = || first_line(&fs::read(log_of(&self.folder)).unwrap_or_default());
        let data = data_of(&self.folder);
        if !data.exists() {
            return Err(ProfileError::Perf(message()));
        }
        let fields = ["--no-inline", "--show-task-events", "-F", "pid,tid,time,period,ip,sym,dso", "-i"];
        let output = command(&self.program).arg("script").args(fields).arg(&data).output()?;
        if !output.status.success() {
            return Err(ProfileError::Perf(first_line(&output.stderr)));
        }
        fs::remove_file(&data)?;
        Ok(script::stacks(&String::from_utf8_lossy(&output.stdout), supervisors))
    }
}

fn data_of(folder: &Path) -> PathBuf {
    folder.join("perf.data")
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("perf.log")
}

/// The sampling frequency of each CPU, per second. It is odd, so as not to be in step with the kernel's clock.
fn frequency(length: Duration) -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let wanted = SAMPLES / processors / length.as_secs_f64().max(1.0);
    wanted.clamp(FREQUENCY.0, FREQUENCY.1) as u32 | 1
}
