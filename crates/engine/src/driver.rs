//! Drives clients against a real server: one thread, one epoll, thousands of connections.
//!
//! Deadlines come from a timerfd, because epoll's own timeout counts in milliseconds and a generator must not be late
//! by that much. The clock is read anew for each event, so that lateness is seen and not hidden in a batch.

use crate::agenda::Agenda;
use crate::client::{Client, Common, Todo};
use crate::course::{self, Course, Told, Watcher};
use crate::watch::Watch;
use crate::{EngineError, ErrorKind, Load, Outcome, Phase, Progress};
use mio::event::Event;
use mio::net::TcpStream;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use rustix::time::{clock_gettime, timerfd_create, timerfd_settime};
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use workload::Users;

/// The driver looks at the stop flag at least this often.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// The driver handles at most so many events before it looks at the stop flag again: pages may take long to read.
const EVENTS_AT_ONCE: usize = 64;

/// Files that the process needs beside one per client.
const OTHER_FILES: u64 = 64;

/// The timer's token; clients have theirs from 0.
const TIMER: Token = Token(usize::MAX);

/// Puts a load on the server at `target`, which sees `host` in the `Host` header.
///
/// When the window is over, nobody asks anything any more, and the answers that are still due are awaited, so that the
/// fate of every write is known; each ends by its timeout at the latest, and where users never give up, 30 s later at the
/// latest. In a step of a sweep they are not awaited. Setting `stop` ends everything within 50 ms;
/// the outcome then covers what was seen of the window. `progress` is called at once and as soon as a phase or another
/// second begins, on the driving thread: it should be quick.
pub fn drive(
    target: SocketAddr,
    host: &str,
    users: &Users<'_>,
    load: &Load,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, EngineError> {
    drive_until(target, host, users, load, stop, &mut |news| {
        progress(news);
        Course::GoOn
    })
}

/// The same, but `progress` also says how the load goes on.
pub fn drive_until(
    target: SocketAddr,
    host: &str,
    users: &Users<'_>,
    load: &Load,
    stop: &AtomicBool,
    progress: Watcher<'_>,
) -> Result<Outcome, EngineError> {
    allow_files(load.clients)?;
    let mut driver = Driver::new(target, Common::new(users, load, host))?;
    driver.run(stop, progress)?;
    Ok(driver.finish())
}

struct Driver<'a> {
    target: SocketAddr,
    common: Common<'a>,
    clients: Vec<Client>,
    wires: Vec<Wire>,
    agenda: Agenda,
    poll: Poll,
    timer: Timer,
    /// All clients read into this one.
    buffer: Vec<u8>,
    start: Instant,
    cpu: CpuMeter,
    told: Told,
}

/// A client's connection, with what could not be written at once.
#[derive(Default)]
struct Wire {
    stream: Option<TcpStream>,
    unsent: Vec<u8>,
}

impl<'a> Driver<'a> {
    fn new(target: SocketAddr, common: Common<'a>) -> Result<Self, EngineError> {
        let clients: Vec<_> =
            (0..common.load.clients).map(|number| Client::new(number, common.load)).collect();
        let poll = Poll::new().map_err(EngineError::system("make an epoll instance"))?;
        let timer = Timer::new(&poll).map_err(EngineError::system("make a timer"))?;
        Ok(Self {
            target,
            agenda: Agenda::new(clients.iter().map(Client::deadline)),
            wires: clients.iter().map(|_| Wire::default()).collect(),
            clients,
            common,
            poll,
            timer,
            buffer: vec![0; 256 << 10],
            start: Instant::now(),
            cpu: CpuMeter::default(),
            told: Told::default(),
        })
    }

    fn run(&mut self, stop: &AtomicBool, progress: Watcher<'_>) -> Result<(), EngineError> {
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        let mut watch = Watch::default();
        loop {
            let now = self.keep_time(progress);
            if stop.load(Ordering::Relaxed) {
                self.common.recorder.stopped(now);
                return Ok(());
            }
            if self.common.is_over(now, self.agenda.earliest()) {
                return Ok(());
            }
            if watch.is_due(now) && !self.common.load.is_step {
                watch.judge(self.common.recorder.seen(), now, self.target)?;
            }
            self.sleep(&mut events)?;
            for event in &events {
                match event.token() {
                    TIMER => self.timer.expired(),
                    Token(client) => self.ready(client, event),
                }
                // Many pages may have come at once; whoever's time is up meanwhile must not wait for all of them.
                self.keep_time(progress);
            }
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Tells what is new and wakes all clients that are due, at an instant that is returned.
    fn keep_time(&mut self, progress: Watcher<'_>) -> Duration {
        let now = self.now();
        self.common.look(now, self.agenda.earliest());
        self.tell_news(now, progress);
        // A client whose user doesn't think is due again at once, so that only those due now are woken.
        while let Some((deadline, client)) = self.agenda.earliest()
            && deadline <= now
        {
            self.tell(client as usize, Client::wake);
        }
        now
    }

    /// Tells when another phase or another second has begun.
    fn tell_news(&mut self, now: Duration, progress: Watcher<'_>) {
        let recorder = &mut self.common.recorder;
        recorder.reach(now);
        if let Some(phase) = self.told.news(recorder, now) {
            self.cpu.look(phase);
            course::tell(recorder, self.common.load, now, progress);
        }
    }

    fn sleep(&mut self, events: &mut Events) -> Result<(), EngineError> {
        let now = self.now();
        let turn = self.told.turn(&self.common.recorder);
        let deadline = self.agenda.earliest().map_or(turn, |(deadline, _)| deadline.min(turn));
        let longest = if deadline <= now { Duration::ZERO } else { LONGEST_SLEEP };
        if now < deadline && deadline < now + LONGEST_SLEEP {
            self.timer.set(deadline, now).map_err(EngineError::system("set a timer"))?;
        }
        match self.poll.poll(events, Some(longest)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                Err(EngineError::System { action: "wait for connections", source: error })
            }
            _ => Ok(()),
        }
    }

    /// Something happened on a client's connection, or on one that it had until a moment ago: nothing is taken for
    /// granted but what the connection itself says now.
    fn ready(&mut self, client: usize, event: &Event) {
        if self.clients[client].is_connecting() {
            self.check_connecting(client);
        } else if event.is_writable() {
            self.write_rest(client);
        }
        if event.is_readable() || event.is_read_closed() || event.is_error() {
            self.read(client, event.is_read_closed());
        }
    }

    fn check_connecting(&mut self, client: usize) {
        let Some(stream) = &self.wires[client].stream else { return };
        match stream.take_error().and_then(|error| error.map_or(Ok(()), Err)) {
            Err(error) => self.connect_failed(client, &error),
            // Without a peer the connection is still on its way.
            Ok(()) if stream.peer_addr().is_ok() => self.tell(client, Client::connected),
            Ok(()) => {}
        }
    }

    fn connect_failed(&mut self, client: usize, error: &io::Error) {
        let kind = ErrorKind::of_connect(error);
        self.tell(client, |c, common, now| c.connect_failed(common, kind, now));
    }

    fn closed(&mut self, client: usize, kind: ErrorKind) {
        self.tell(client, |c, common, now| c.closed(common, kind, now));
    }

    /// Reads until there is no more. A short read says so too, unless the end of the stream is known to follow.
    fn read(&mut self, client: usize, is_closed: bool) {
        let mut buffer = std::mem::take(&mut self.buffer);
        while !self.clients[client].is_connecting()
            && let Some(stream) = &mut self.wires[client].stream
        {
            match stream.read(&mut buffer) {
                Ok(0) => self.closed(client, ErrorKind::Closed),
                Ok(count) => {
                    self.tell(client, |c, common, now| c.received(common, &buffer[..count], now));
                    if count < buffer.len() && !is_closed {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.closed(client, ErrorKind::Reset),
            }
        }
        self.buffer = buffer;
    }

    fn write_rest(&mut self, client: usize) {
        let wire = &mut self.wires[client];
        if !wire.unsent.is_empty() {
            let bytes = std::mem::take(&mut wire.unsent);
            if wire.write(&bytes).is_err() {
                self.write_failed(client);
            }
        }
    }

    /// The server wants no more of a request. It may have answered before it closed.
    fn write_failed(&mut self, client: usize) {
        self.read(client, true);
        if self.wires[client].stream.is_some() && !self.clients[client].is_connecting() {
            self.closed(client, ErrorKind::Reset);
        }
    }

    /// Tells a client what happened and does what it wants.
    fn tell(&mut self, client: usize, what: impl FnOnce(&mut Client, &mut Common<'_>, Duration) -> Todo) {
        let now = self.now();
        self.common.recorder.reach(now);
        let todo = what(&mut self.clients[client], &mut self.common, now);
        self.agenda.set(client as u32, self.clients[client].deadline());
        let wire = &mut self.wires[client];
        match todo {
            Todo::Nothing => {}
            Todo::Close => wire.close(),
            Todo::Open => {
                self.clients[client].began(&mut self.common, now);
                wire.close();
                match connect(self.target, client, &self.poll) {
                    Ok(stream) => wire.stream = Some(stream),
                    Err(error) => self.connect_failed(client, &error),
                }
            }
            Todo::SendIfOpen if wire.has_ended() => self.tell(client, Client::not_sent),
            // The server has answered before it read all of the last request; it may not want the rest.
            Todo::Send | Todo::SendIfOpen if !wire.unsent.is_empty() => self.tell(client, Client::not_sent),
            Todo::Send | Todo::SendIfOpen => {
                self.clients[client].began(&mut self.common, now);
                if wire.write(&self.common.to_send).is_err() {
                    self.write_failed(client);
                }
            }
        }
    }

    fn finish(mut self) -> Outcome {
        let now = self.now();
        self.cpu.end();
        self.clients.iter().for_each(|client| client.end(&mut self.common, now));
        self.common.recorder.finish(self.cpu.used())
    }
}

impl Wire {
    fn close(&mut self) {
        self.stream = None;
        self.unsent = Vec::new();
    }

    /// Whether the other side has closed or broken the connection, or has sent what nobody asked for, which comes to
    /// the same: events tell it too, but only when their turn has come.
    fn has_ended(&self) -> bool {
        let open = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        self.stream.as_ref().is_none_or(|stream| !stream.peek(&mut [0]).is_err_and(open))
    }

    /// Writes what can be written, and keeps the rest until the connection is writable.
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        while !bytes.is_empty() {
            match stream.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.unsent = bytes.to_vec();
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn connect(target: SocketAddr, client: usize, poll: &Poll) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(target)?;
    stream.set_nodelay(true)?;
    poll.registry().register(&mut stream, Token(client), Interest::READABLE | Interest::WRITABLE)?;
    Ok(stream)
}

/// Makes sure that the process may open a connection per client.
fn allow_files(clients: u32) -> Result<(), EngineError> {
    let needed = u64::from(clients) + OTHER_FILES;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    if let Some(allowed) = limit.maximum.filter(|maximum| *maximum < needed) {
        return Err(EngineError::TooFewFiles { clients, needed, allowed });
    }
    let raised = Rlimit { current: Some(needed), ..limit };
    setrlimit(Resource::Nofile, raised).map_err(EngineError::system("raise the limit of open files"))
}

/// Wakes the driver at an instant.
struct Timer {
    descriptor: OwnedFd,
    set_for: Option<Duration>,
}

impl Timer {
    fn new(poll: &Poll) -> io::Result<Self> {
        let descriptor =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        poll.registry().register(&mut SourceFd(&descriptor.as_raw_fd()), TIMER, Interest::READABLE)?;
        Ok(Self { descriptor, set_for: None })
    }

    fn set(&mut self, deadline: Duration, now: Duration) -> io::Result<()> {
        if self.set_for != Some(deadline) {
            let ahead = deadline - now;
            let it_value =
                Timespec { tv_sec: ahead.as_secs() as i64, tv_nsec: i64::from(ahead.subsec_nanos()) };
            let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
            timerfd_settime(&self.descriptor, TimerfdTimerFlags::empty(), &once)?;
            self.set_for = Some(deadline);
        }
        Ok(())
    }

    /// Setting the timer again also clears its count, so that it need not be read.
    fn expired(&mut self) {
        self.set_for = None;
    }
}

/// Processor time of this thread in the window.
#[derive(Default)]
struct CpuMeter {
    start: Option<Duration>,
    end: Option<Duration>,
}

impl CpuMeter {
    /// To be told as soon as a phase begins; that it goes on may be told too.
    fn look(&mut self, phase: Phase) {
        match phase {
            Phase::Ramp => self.start = None,
            Phase::Measure => {
                self.start.get_or_insert_with(thread_cpu);
            }
            Phase::Drain => self.end(),
        }
    }

    fn end(&mut self) {
        self.end.get_or_insert_with(thread_cpu);
    }

    fn used(&self) -> Duration {
        self.start.zip(self.end).map_or(Duration::ZERO, |(start, end)| end.saturating_sub(start))
    }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};

    #[test]
    fn processor_time_is_that_of_the_whole_window() {
        let mut meter = CpuMeter::default();
        meter.look(Phase::Measure);
        let begun = thread_cpu();
        let work = Duration::from_millis(5);
        while thread_cpu() < begun + work {}
        meter.look(Phase::Measure);
        meter.look(Phase::Drain);
        assert!(meter.used() >= work, "{:?}", meter.used());
    }

    #[test]
    fn a_connection_that_has_ended_is_noticed_before_it_is_used() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let connected = || {
            let ours = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            ours.set_nonblocking(true).unwrap();
            let wire = Wire { stream: Some(TcpStream::from_std(ours)), unsent: Vec::new() };
            (wire, listener.accept().unwrap().0)
        };
        let (wire, theirs) = connected();
        assert!(!wire.has_ended());
        // On the loopback what one side does is there on the other when the call returns.
        drop(theirs);
        assert!(wire.has_ended());
        let (wire, mut theirs) = connected();
        theirs.write_all(b"HTTP/1.1 408 Request Timeout\r\n").unwrap();
        assert!(wire.has_ended());
        assert!(Wire::default().has_ended());
    }
}
