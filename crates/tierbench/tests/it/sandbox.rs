//! A test's folder, the workspace, and the command run in it.

use crate::processes::{forgotten_memory, mentioning, until, until_at};
use std::{
    cell::Cell,
    collections::HashSet,
    env,
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// No command of these tests is silent for longer, also on a busy machine. How long one may take in all is nobody's matter
/// here: a machine with ten times the work takes ten times as long.
pub(crate) const LIMIT: Duration = Duration::from_secs(240);
/// The interval at which it is looked whether a command has ended.
const LOOK: Duration = Duration::from_millis(5);
/// The time in which the last process of a command must go once the command has ended.
const LEAVING: Duration = Duration::from_secs(45);
/// The interval at which all processes are looked at, which is work that others would have to wait for.
const LOOK_AT_ALL: Duration = Duration::from_millis(50);

/// The folder of loaded data that tests share, also with later ones where this is set.
const SHARED_CACHE: &str = "TIERBENCH_TEST_CACHE";
/// The folder in which tests have theirs.
const PLACE_OF_FOLDERS: &str = "TIERBENCH_TEST_TMP";

/// Small data, hurried users, short ramps, each load once.
pub(crate) const QUICK: [&str; 10] = [
    "--scale",
    "0.002",
    "--time-scale",
    "0.02",
    "--ramp",
    "500ms",
    "--repetitions",
    "1",
    "--smoke",
    "--skip-verify",
];

/// A folder with temporary files and results, and a workspace.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
    temporary: PathBuf,
    cache: PathBuf,
    /// True if the workspace is a copy of the real one, which a test may break.
    has_own_workspace: Cell<bool>,
    /// Memory that others had forgotten before.
    forgotten: HashSet<u64>,
}

impl Sandbox {
    /// A new folder beside the real workspace, in which stacks are built once for all tests, with the data that all tests
    /// share.
    pub(crate) fn new() -> Self {
        // Sockets lie deep below it, and their paths must be shorter than 108 bytes.
        let place = env::var_os(PLACE_OF_FOLDERS).unwrap_or_else(|| "/tmp".into());
        let folder = tempfile::Builder::new().prefix("tb").tempdir_in(place).unwrap();
        let shared = env::var_os(SHARED_CACHE).map(PathBuf::from);
        let sandbox = Self {
            temporary: folder.path().join("tmp"),
            cache: shared.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")),
            has_own_workspace: Cell::new(false),
            forgotten: forgotten_memory(),
            folder,
        };
        fs::create_dir(&sandbox.temporary).unwrap();
        for path in [sandbox.path(), &sandbox.temporary] {
            // Services, and one test's command, run as other users.
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        }
        sandbox
    }

    /// The same with data of its own, for a test that looks at how they are kept.
    pub(crate) fn with_own_cache(mut self) -> Self {
        self.cache = self.path().join("cache");
        self
    }

    /// The same with a copy of the workspace, for a test that adds or removes something there.
    pub(crate) fn with_own_workspace(self) -> Self {
        self.copy_workspace();
        self
    }

    /// Makes sure that the workspace is a copy.
    fn copy_workspace(&self) {
        if !self.has_own_workspace.replace(true) {
            for part in ["apps", "services", "skeletons", "stacks"] {
                copy(&real_workspace().join(part), &self.workspace().join(part));
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        if self.has_own_workspace.get() { self.path().join("workspace") } else { real_workspace() }
    }

    /// The folder in which the command makes its temporary one.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Puts the command's temporary files elsewhere.
    pub(crate) fn put_temporary_files_into(&mut self, folder: &Path) {
        self.temporary = folder.to_owned();
    }

    /// The folder in which the command keeps loaded data.
    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }

    /// The result folder that [`Sandbox::measure`] names.
    pub(crate) fn result(&self) -> PathBuf {
        self.path().join("result")
    }

    /// Breaks a file of a copy of the workspace, where a text stands first.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        self.copy_workspace();
        let path = self.workspace().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} should hold this: {from}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }

    /// The number of the first line of a file of the workspace that holds a text.
    pub(crate) fn line_of(&self, file: &str, text: &str) -> usize {
        let content = fs::read_to_string(self.workspace().join(file)).unwrap();
        content.lines().position(|line| line.contains(text)).unwrap() + 1
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tierbench"));
        self.furnish(&mut command, words);
        command
    }

    /// Gives a command the words, the workspace and the place of temporary files.
    pub(crate) fn furnish(&self, command: &mut Command, words: &[&str]) {
        command
            .arg("--workspace")
            .arg(self.workspace())
            .args(words)
            .current_dir(self.path())
            .env("TMPDIR", &self.temporary)
            .env("TIERBENCH_CACHE", self.cache());
    }

    /// `run auction CONFIGURATION` at these loads, quickly, with the result in [`Sandbox::result`].
    pub(crate) fn measure(&self, configuration: &str, clients: &str) -> Command {
        self.measure_for(configuration, clients, "1s")
    }

    /// The same with points of another length.
    pub(crate) fn measure_for(&self, configuration: &str, clients: &str, window: &str) -> Command {
        self.measure_of("auction", configuration, clients, window)
    }

    /// The same with the comment page: the smallest application with a store, for a test that asks nothing more of it.
    pub(crate) fn measure_comments(&self, configuration: &str, clients: &str, window: &str) -> Command {
        self.measure_of("comments", configuration, clients, window)
    }

    fn measure_of(&self, application: &str, configuration: &str, clients: &str, window: &str) -> Command {
        let mut command =
            self.command(&["run", application, configuration, "--clients", clients, "--window", window]);
        command.args(QUICK).arg("--out").arg(self.result());
        command
    }

    /// Starts a command whose lines are received as it prints them.
    pub(crate) fn start(&self, mut command: Command) -> Running<'_> {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let (output, error) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let readers =
            [(Stream::Output, Box::new(output) as Box<dyn Read + Send>), (Stream::Error, Box::new(error))]
                .map(|(stream, from)| {
                    let sender = sender.clone();
                    thread::spawn(move || {
                        for line in BufReader::new(from).lines().map_while(Result::ok) {
                            let _ = sender.send((stream, line));
                        }
                    })
                });
        Running {
            sandbox: self,
            child,
            lines,
            readers: readers.into(),
            seen: Vec::new(),
            last_output: Instant::now(),
        }
    }

    /// Runs the command with these words to its end, as [`Sandbox::finish`] does.
    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        self.finish(self.command(words))
    }

    /// Runs a command to its end and makes sure that nothing of it survives.
    pub(crate) fn finish(&self, command: Command) -> Ended {
        self.start(command).end()
    }

    /// Waits until no process mentions this sandbox, its place of temporary files is empty, and no memory is left that
    /// servers have shared.
    pub(crate) fn expect_nothing_left(&self) {
        let left = || {
            let processes = mentioning(self.path());
            let files: Vec<PathBuf> = fs::read_dir(&self.temporary)
                .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
                .unwrap_or_default();
            let memory: Vec<u64> = forgotten_memory().difference(&self.forgotten).copied().collect();
            (processes, files, memory)
        };
        let gone = until_at(LOOK_AT_ALL, LEAVING, || left() == (Vec::new(), Vec::new(), Vec::new()));
        assert!(gone, "left behind: {:?}", left());
    }

    /// The points in the result folder, as they were written down.
    pub(crate) fn points(&self) -> Vec<results::Point> {
        let text = fs::read_to_string(self.result().join("points.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn manifest(&self) -> results::Manifest {
        let text = fs::read_to_string(self.result().join("manifest.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    Error,
}

/// A command that runs. If a test fails, its drop ends the command, and with it all that it started.
pub(crate) struct Running<'a> {
    sandbox: &'a Sandbox,
    child: Child,
    lines: Receiver<(Stream, String)>,
    readers: Vec<JoinHandle<()>>,
    seen: Vec<(Stream, String)>,
    /// Instant of its last output.
    last_output: Instant,
}

impl Running<'_> {
    /// The command's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for a line that holds a text, on either stream, and returns it.
    pub(crate) fn expect(&mut self, text: &str) -> String {
        loop {
            let left = LIMIT.saturating_sub(self.last_output.elapsed());
            let Ok(received) = self.lines.recv_timeout(left) else {
                panic!("`{text}` was never printed, but:\n{:#?}", self.seen)
            };
            let line = received.1.clone();
            self.keep(received);
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Waits for the verdict of a point, whatever it is ([`code_of`] says why), and returns its line.
    pub(crate) fn expect_verdict(&mut self) -> String {
        self.expect("VALID")
    }

    /// Waits until clients are at work: the command holds a connection to a server.
    pub(crate) fn expect_load(&self) {
        let at_work = until(LIMIT, || crate::processes::connections(self.id()) > 0);
        assert!(at_work, "no load was put on; it printed:\n{:#?}", self.seen);
    }

    /// Sends a signal to the command, and to nothing else.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        crate::processes::signal(self.id(), signal);
    }

    /// Waits until the command has taken a signal.
    pub(crate) fn expect_delivered(&self, signal: rustix::process::Signal) {
        assert!(
            until(LIMIT, || !crate::processes::is_pending(self.id(), signal)),
            "the signal was never taken"
        );
    }

    /// Waits for the end of the command's own process.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => self.keep(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
            }
            let is_alive = self.last_output.elapsed() < LIMIT;
            assert!(is_alive, "it never ended, and is silent; it printed:\n{:#?}", self.seen);
        }
    }

    fn keep(&mut self, line: (Stream, String)) {
        self.seen.push(line);
        self.last_output = Instant::now();
    }

    /// Waits for the end, and until nothing of the command is left.
    pub(crate) fn end(mut self) -> Ended {
        let status = self.wait();
        self.sandbox.expect_nothing_left();
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        self.seen.extend(self.lines.try_iter());
        let printed = |stream| {
            let lines = self.seen.iter().filter(|(from, _)| *from == stream);
            lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
        };
        Ended { status, output: printed(Stream::Output), error: printed(Stream::Error) }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end of a command and its output.
#[derive(Debug)]
pub(crate) struct Ended {
    status: ExitStatus,
    pub(crate) output: String,
    pub(crate) error: String,
}

impl Ended {
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// It must have ended with this code, and have printed each of these texts on standard error.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, texts: &[&str]) -> &Self {
        let Self { status, output, error } = self;
        assert_eq!(status.code(), Some(code), "signal {:?}\n{output}\n{error}", status.signal());
        let printed = unwrapped(error);
        for text in texts {
            assert!(printed.contains(text), "standard error should hold `{text}`:\n{error}");
        }
        self
    }

    /// It must have printed this on standard output.
    #[track_caller]
    pub(crate) fn expect_output(&self, text: &str) {
        assert!(
            unwrapped(&self.output).contains(&unwrapped(text)),
            "standard output should hold `{text}`:\n{}",
            self.output
        );
    }
}

/// Long lines are wrapped for people, wherever a word happens to end.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The code of a command that measured all: a machine that is busy with other things may make points INVALID. That a
/// point can be VALID, [`crate::valid`] demands.
pub(crate) fn code_of(points: &[results::Point]) -> i32 {
    let valid = |name: &str| points.iter().any(|point| point.configuration == name && point.verdict.valid);
    if points.iter().all(|point| valid(&point.configuration)) { 0 } else { 7 }
}

/// The number of tests that run servers at the same time. More would measure each other's waiting.
const PLACES: usize = 2;

/// The places of a test that runs servers. Its drop tells how long it had them.
pub(crate) struct Turn {
    _places: Vec<File>,
    since: Instant,
}

/// Waits for a place among the tests that run servers, which may run in processes of their own.
pub(crate) fn turn() -> Turn {
    let mut found = None;
    until(Duration::MAX, || {
        found = (0..PLACES).find_map(|number| {
            let file = place(number);
            file.try_lock().is_ok().then_some(file)
        });
        found.is_some()
    });
    Turn { _places: found.into_iter().collect(), since: Instant::now() }
}

/// Waits for all places, so that no other test runs servers.
pub(crate) fn all_turns() -> Turn {
    let locked = |number| {
        let file = place(number);
        file.lock().unwrap();
        file
    };
    Turn { _places: (0..PLACES).map(locked).collect(), since: Instant::now() }
}

fn place(number: usize) -> File {
    File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("servers-{number}.lock"))).unwrap()
}

impl Drop for Turn {
    fn drop(&mut self) {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("times.tsv");
        let line = format!(
            "{}\t{:.1}\n",
            thread::current().name().unwrap_or("unnamed"),
            self.since.elapsed().as_secs_f64()
        );
        // At once, as other processes write there too. Nobody's test fails because there is no room for a time.
        let times = File::options().create(true).append(true).open(file);
        let _ = times.and_then(|mut times| times.write_all(line.as_bytes()));
    }
}

/// The same command where a process may open few files until it asks for more, as is usual.
pub(crate) fn with_few_open_files(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -Sn 256 && exec \"$@\"", "sh"])
        .arg(command.get_program())
        .args(command.get_args());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

/// The workspace that these tests stand in.
pub(crate) fn real_workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Copies a folder, apart from models, which are code of the laboratory, and from what Git ignores, which builds have
/// made.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let ignored = fs::read_to_string(from.join(".gitignore")).unwrap_or_default();
    let is_ignored = |name: &str| ignored.lines().any(|line| line.trim_matches('/') == name);
    let is_model = |from: &Path| from.ends_with("model") && from.join("Cargo.toml").exists();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().unwrap() {
            _ if is_ignored(&entry.file_name().to_string_lossy()) => {}
            // Git ignores these at any depth.
            kind if kind.is_dir() && (from.ends_with("target") || is_model(&from)) => {}
            kind if kind.is_dir() => copy(&from, &to),
            kind if kind.is_symlink() => symlink(fs::read_link(&from).unwrap(), &to).unwrap(),
            _ => drop(fs::copy(&from, &to).unwrap()),
        }
    }
}
