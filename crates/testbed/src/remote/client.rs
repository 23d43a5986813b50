//! The laboratory's end of a host that is a machine of its own.

use super::{
    Unreachable, files,
    protocol::{Answer, Call, Greeting, HEARTBEAT, Request, SILENCE, read_frame, write_frame},
    reach,
};
use fs_err as fs;
use rustix::time::{ClockId, clock_gettime};
use serde::de::DeserializeOwned;
use std::{
    collections::{BTreeMap, HashMap},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, ChildStdin, ChildStdout},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// A connection to a host. Its drop ends all that runs there, and waits until its folder is gone.
#[derive(Debug)]
pub(crate) struct Remote {
    link: Arc<Link>,
    greeting: Greeting,
    threads: Vec<JoinHandle<()>>,
    /// Trees that were copied there, by their paths here.
    copied: Mutex<BTreeMap<PathBuf, PathBuf>>,
}

/// Clocks of a host, compared with this machine's by an exchange; each is wrong by half the round trip at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clocks {
    pub round_trip_s: f64,
    /// By how much the time of day is ahead.
    pub ahead_s: f64,
    /// By how much the clock that nobody sets is ahead: time since the machine started.
    pub monotonic_ahead_s: f64,
}

/// State that the threads of a connection share.
#[derive(Debug)]
struct Link {
    host: String,
    process: Mutex<Child>,
    pipe: Mutex<Option<ChildStdin>>,
    waiting: Mutex<Waiting>,
    next: AtomicU64,
    heard: Mutex<Instant>,
    said: Arc<Mutex<String>>,
}

type Answered = io::Result<(serde_json::Value, Vec<u8>)>;

#[derive(Debug, Default)]
struct Waiting {
    calls: HashMap<u64, Sender<Answered>>,
    /// Reason why the host can no longer be called.
    lost: Option<String>,
}

/// Interval between two looks for silence and for the end of a connection.
const LOOK: Duration = Duration::from_millis(200);
/// The time in which a host's end must follow that of its connection.
const END: Duration = Duration::from_secs(60);

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Remote {
    /// Connects to a host by this command, with a copy of the executable where it is missing.
    pub(crate) fn connect(host: &str, words: &[String], executable: &Path) -> Result<Arc<Self>, Unreachable> {
        let reach::Reached { process, pipe, answers, said, greeting } =
            reach::reach(host, words, executable)?;
        let link = Arc::new(Link {
            host: host.to_owned(),
            process: Mutex::new(process),
            pipe: Mutex::new(Some(pipe)),
            waiting: Mutex::default(),
            next: AtomicU64::new(1),
            heard: Mutex::new(Instant::now()),
            said,
        });
        let (reads, beats) = (Arc::clone(&link), Arc::clone(&link));
        let threads = vec![thread::spawn(move || reads.read(answers)), thread::spawn(move || beats.beat())];
        Ok(Arc::new(Self { link, greeting, threads, copied: Mutex::default() }))
    }

    pub(crate) fn host(&self) -> &str {
        &self.link.host
    }

    pub(crate) fn greeting(&self) -> &Greeting {
        &self.greeting
    }

    /// True if the host is a share of this machine, such as a container.
    pub(crate) fn is_this_machine(&self) -> bool {
        self.greeting.boot == boot()
    }

    /// Calls the host; the answer has no bytes.
    pub(crate) fn ask<T: DeserializeOwned>(&self, request: Request) -> io::Result<T> {
        Ok(self.call(request, &[])?.0)
    }

    /// Calls the host, with bytes each way.
    pub(crate) fn call<T: DeserializeOwned>(
        &self,
        request: Request,
        bytes: &[u8],
    ) -> io::Result<(T, Vec<u8>)> {
        let number = self.link.next.fetch_add(1, Relaxed);
        let (sender, answer) = mpsc::channel();
        {
            let mut waiting = lock(&self.link.waiting);
            if let Some(reason) = &waiting.lost {
                return Err(self.link.lost(reason));
            }
            waiting.calls.insert(number, sender);
        }
        // A host that can't be written to is lost, which its reader notices.
        if let Some(pipe) = lock(&self.link.pipe).as_mut() {
            let _ = write_frame(pipe, &Call { number, request }, bytes);
        }
        let (value, bytes) = answer.recv().unwrap_or_else(|_| Err(self.link.lost("its reader ended")))?;
        Ok((serde_json::from_value(value)?, bytes))
    }

    /// An error that names the host if it is lost.
    pub(crate) fn expect_there(&self) -> io::Result<()> {
        let waiting = lock(&self.link.waiting);
        waiting.lost.as_ref().map_or(Ok(()), |reason| Err(self.link.lost(reason)))
    }

    /// Copies a file or a tree there.
    pub(crate) fn send(&self, from: &Path, to: &Path) -> io::Result<()> {
        files::send_tree(from, &mut |parts, bytes| {
            self.call::<()>(Request::Write(to.to_owned(), parts), &bytes).map(drop)
        })
    }

    /// Copies a file or a tree there, unless it was copied before.
    pub(crate) fn send_once(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut copied = lock(&self.copied);
        if copied.get(from).is_none_or(|known| known != to) {
            self.send(from, to)?;
            copied.insert(from.to_owned(), to.to_owned());
        }
        Ok(())
    }

    /// Copies a tree that nobody changes there, and returns where it is.
    pub(crate) fn kept(&self, from: &Path) -> io::Result<PathBuf> {
        let mut copied = lock(&self.copied);
        if let Some(known) = copied.get(from) {
            return Ok(known.clone());
        }
        let to = self.greeting.folder.join(format!("kept-{}", copied.len()));
        self.send(from, &to)?;
        copied.insert(from.to_owned(), to.clone());
        Ok(to)
    }

    /// Removes a file or a tree there.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        lock(&self.copied).retain(|_, there| !there.starts_with(path));
        self.ask(Request::Remove(path.to_owned()))
    }

    /// The bytes of a file from an offset on.
    pub(crate) fn read(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let offset = offset + all.len() as u64;
            let part = Request::Read { path: path.to_owned(), offset, length: files::PART_BYTES as u64 };
            let ((), bytes) = self.call(part, &[])?;
            if bytes.is_empty() {
                return Ok(all);
            }
            all.extend(bytes);
        }
    }

    /// Copies a tree from there.
    pub(crate) fn fetch(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        let listed: Vec<(PathBuf, Option<u64>)> = self.ask(Request::List(from.to_owned()))?;
        for (path, size) in listed {
            let target = to.join(&path);
            match size {
                None => fs::create_dir_all(target)?,
                Some(_) => self.fetch_file(&from.join(path), &target)?,
            }
        }
        Ok(())
    }

    fn fetch_file(&self, from: &Path, to: &Path) -> io::Result<()> {
        use io::Write as _;
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = fs::File::create(to)?;
        let mut offset = 0;
        loop {
            let part = Request::Read { path: from.to_owned(), offset, length: files::PART_BYTES as u64 };
            let ((), bytes) = self.call(part, &[])?;
            if bytes.is_empty() {
                return Ok(());
            }
            offset += bytes.len() as u64;
            file.write_all(&bytes)?;
        }
    }

    /// By how much the host's clocks are ahead, at the shortest round trip of several.
    pub(crate) fn clock(&self) -> io::Result<Clocks> {
        const TRIES: usize = 20;
        let mut best = Clocks { round_trip_s: f64::INFINITY, ahead_s: 0.0, monotonic_ahead_s: 0.0 };
        for _ in 0..TRIES {
            let (now, monotonic) = (unix_s(), monotonic_s());
            let (there, monotonic_there): (f64, f64) = self.ask(Request::Clock)?;
            let round_trip_s = monotonic_s() - monotonic;
            if round_trip_s < best.round_trip_s {
                let ahead = |there: f64, here: f64| there - (here + round_trip_s / 2.0);
                let [ahead_s, monotonic_ahead_s] = [ahead(there, now), ahead(monotonic_there, monotonic)];
                best = Clocks { round_trip_s, ahead_s, monotonic_ahead_s };
            }
        }
        Ok(best)
    }

    /// Bits per second on the way there, over this connection.
    pub(crate) fn bandwidth(&self) -> io::Result<f64> {
        const BYTES: usize = 8 << 20;
        let noise: Vec<u8> = (0..BYTES).map(|_| rand::random()).collect();
        let begin = Instant::now();
        self.call::<()>(Request::Discard, &noise)?;
        Ok(8.0 * BYTES as f64 / begin.elapsed().as_secs_f64())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // The end of the pipe ends the run there; the command ends once the folder there is gone.
        *lock(&self.link.pipe) = None;
        let deadline = Instant::now() + END;
        while Instant::now() < deadline && !self.link.has_ended() {
            thread::sleep(LOOK / 20);
        }
        self.link.end();
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Link {
    fn lost(&self, reason: &str) -> io::Error {
        io::Error::new(
            io::ErrorKind::ConnectionAborted,
            format!(
                "the host `{}` was lost: {reason}; look whether it runs and can be reached, then run the command again",
                self.host
            ),
        )
    }

    fn has_ended(&self) -> bool {
        !matches!(lock(&self.process).try_wait(), Ok(None))
    }

    fn end(&self) {
        let mut process = lock(&self.process);
        let _ = process.kill();
        let _ = process.wait();
    }

    /// Hands out answers until the connection ends.
    fn read(&self, mut answers: BufReader<ChildStdout>) {
        let fault = loop {
            match read_frame::<Answer>(&mut answers) {
                Ok(Some((answer, bytes))) => self.hand_out(answer, bytes),
                Ok(None) => break None,
                Err(fault) => break Some(fault),
            }
            *lock(&self.heard) = Instant::now();
        };
        self.give_up(&self.reason(fault));
    }

    fn hand_out(&self, answer: Answer, bytes: Vec<u8>) {
        let caller = lock(&self.waiting).calls.remove(&answer.number);
        let result = answer.result.map(|value| (value, bytes)).map_err(|fault| fault.of_host(&self.host));
        // A caller may have gone.
        let _ = caller.map(|caller| caller.send(result));
    }

    /// Reason for the end of the connection: the last words of the command, or its status.
    fn reason(&self, fault: Option<io::Error>) -> String {
        let deadline = Instant::now() + Duration::from_secs(1);
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(LOOK / 20);
        }
        let status = lock(&self.process).try_wait().ok().flatten();
        let ended = || {
            status.map_or("its connection ended".to_owned(), |status| {
                format!("its connection ended ({status})")
            })
        };
        let fault = fault.filter(|fault| fault.kind() != io::ErrorKind::UnexpectedEof);
        let what = fault.map_or_else(ended, |fault| fault.to_string());
        match last_words(&self.said).trim() {
            "" => what,
            said => format!("{what}: {}", said.lines().last().unwrap_or_default()),
        }
    }

    /// Ends all calls; the first reason stays.
    fn give_up(&self, reason: &str) {
        let mut waiting = lock(&self.waiting);
        let reason = waiting.lost.get_or_insert_with(|| reason.to_owned()).clone();
        for (_, caller) in waiting.calls.drain() {
            let _ = caller.send(Err(self.lost(&reason)));
        }
    }

    /// Shows the host that the laboratory lives, and takes a silent one for lost.
    fn beat(&self) {
        let mut due = Instant::now() + HEARTBEAT;
        while lock(&self.waiting).lost.is_none() && !self.has_ended() {
            thread::sleep(LOOK);
            if lock(&self.heard).elapsed() > SILENCE {
                self.give_up(&format!("it has been silent for {} s", SILENCE.as_secs()));
                let _ = lock(&self.process).kill();
            }
            // A writer that holds the pipe shows the same.
            if Instant::now() > due
                && let Ok(mut pipe) = self.pipe.try_lock()
                && let Some(pipe) = pipe.as_mut()
            {
                let number = self.next.fetch_add(1, Relaxed);
                let _ = write_frame(pipe, &Call { number, request: Request::Heartbeat }, &[]);
                due = Instant::now() + HEARTBEAT;
            }
        }
    }
}

/// Keeps the last words that a command writes to its standard error.
pub(super) fn listen(mut errors: ChildStderr) -> Arc<Mutex<String>> {
    const KEPT: usize = 2000;
    let said = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&said);
    thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok(length @ 1..) = errors.read(&mut bytes) {
            let mut kept = lock(&kept);
            kept.push_str(&String::from_utf8_lossy(&bytes[..length]));
            let more = kept.len().saturating_sub(KEPT);
            let cut = (more..=kept.len()).find(|at| kept.is_char_boundary(*at)).unwrap_or_default();
            kept.drain(..cut);
        }
    });
    said
}

/// The last words of a command; complete if the command has ended.
pub(super) fn last_words(said: &Arc<Mutex<String>>) -> String {
    let deadline = Instant::now() + Duration::from_secs(1);
    while Arc::strong_count(said) > 1 && Instant::now() < deadline {
        thread::sleep(LOOK / 20);
    }
    lock(said).clone()
}

/// The kernel's run on this machine.
pub(crate) fn boot() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// The time of a clock that all processes of this machine share and nobody sets.
pub fn monotonic() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

pub(super) fn monotonic_s() -> f64 {
    monotonic().as_secs_f64()
}

pub(super) fn unix_s() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
