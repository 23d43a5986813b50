//! The command `tierbench`, built and run as a user does.

use crate::chrome::BROWSER_TIMEOUT;
use procfs::process::all_processes;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    env,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{LazyLock, mpsc::channel},
    time::Instant,
};
use tempfile::TempDir;

pub fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Cargo's target folder, also for pictures.
pub fn target_folder() -> PathBuf {
    profile_folder().parent().unwrap().to_owned()
}

/// Cargo's folder for the commands of this test's profile.
fn profile_folder() -> PathBuf {
    env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned()
}

/// The command: a given one, or else built once by the first test that needs it. Building may replace the file, which
/// other tests' commands would not survive.
static TIERBENCH: LazyLock<PathBuf> = LazyLock::new(|| {
    if let Some(named) = env::var_os("TIERBENCH_TEST_COMMAND") {
        return workspace().join(named);
    }
    let folder = profile_folder();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--package", "tierbench"]).current_dir(workspace());
    if folder.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().unwrap().success(), "tierbench does not build");
    folder.join("tierbench")
});

/// The cache of loaded data, shared by all tests if the environment names one.
fn data_folder() -> PathBuf {
    env::var_os("TIERBENCH_TEST_CACHE").map_or_else(|| target_folder().join("tmp/cache"), PathBuf::from)
}

/// The command with these arguments, in the workspace.
pub fn tierbench(words: &[&str]) -> Command {
    let mut command = Command::new(&*TIERBENCH);
    command.args(words).current_dir(workspace()).stdin(Stdio::null());
    command.env("TIERBENCH_CACHE", data_folder());
    command
}

/// A site that runs for this value's life.
pub struct RunningSite {
    process: Child,
    /// The folder of its run, whose path is in all its processes' command lines.
    scratch: TempDir,
    pub start: String,
    pub nickname: String,
    pub password: String,
}

impl RunningSite {
    /// The auction by `tierbench up`, once it has printed its address.
    pub fn up(stack: &str) -> Self {
        Self::up_of("auction", stack)
    }

    /// The same of another application.
    pub fn up_of(application: &str, stack: &str) -> Self {
        let scratch = TempDir::new().unwrap();
        let mut process = tierbench(&["up", application, stack, "--scale", "0.005"])
            .env("TMPDIR", scratch.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = process.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let deadline = Instant::now() + 3 * BROWSER_TIMEOUT;
        let mut said = Vec::new();
        while !said.iter().any(|line: &String| line.contains("Ctrl-C")) {
            let line = lines.recv_timeout(deadline.saturating_duration_since(Instant::now()));
            said.push(line.unwrap_or_else(|error| panic!("tierbench up {stack}: {error}; it said {said:?}")));
        }
        let after = |word: &str| {
            let line = said.iter().find_map(|line| line.trim().strip_prefix(word));
            line.unwrap_or_else(|| panic!("no {word} in {said:?}")).trim().to_owned()
        };
        let log_in = after("log in");
        let (nickname, password) = log_in.split_once(" with password ").unwrap();
        let (nickname, password) = (nickname.to_owned(), password.to_owned());
        Self { process, start: after("address"), nickname, password, scratch }
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        self.start.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
    }

    /// Command lines of its processes, but for the command itself.
    pub fn processes(&self) -> Vec<String> {
        let folder = self.scratch.path().to_str().unwrap();
        let lines =
            all_processes().unwrap().filter_map(|process| Some(process.ok()?.cmdline().ok()?.join(" ")));
        lines.filter(|line| line.contains(folder)).collect()
    }

    /// Remains in its folder.
    pub fn leavings(&self) -> Vec<PathBuf> {
        fs_err::read_dir(self.scratch.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// Interrupts it (Ctrl-C), and returns its status.
    pub fn interrupt(&mut self) -> ExitStatus {
        self.signal(Signal::INT);
        self.process.wait().unwrap()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }
}

impl Drop for RunningSite {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            self.signal(Signal::TERM);
            let _ = self.process.wait();
        }
    }
}
