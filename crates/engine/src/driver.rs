//! Drives clients against a real server: one thread, one epoll, thousands of connections.
//!
//! Deadlines come from a timerfd, because epoll's own timeout counts in milliseconds and a generator must not be late
//! by that much. The clock is read anew for each event, and again before anybody is woken, so that lateness is seen and not
//! hidden in a batch. Only between an answer that nobody reads and the next request of a client that doesn't think it isn't.

use crate::client::{Client, Common, Todo};
use crate::deadline_heap::DeadlineHeap;
use crate::directive::{self, Directive, LastReported, ProgressHandler};
use crate::liveness::LivenessCheck;
use crate::target::Target;
use crate::wire::Wire;
use crate::{EngineError, ErrorKind, Load, Outcome, Phase, Progress};
use mio::event::Event;
use mio::net::TcpStream;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use rustix::time::{clock_gettime, timerfd_create, timerfd_settime};
use rustls::ClientConfig;
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use workload::Users;

/// The driver looks at the stop flag at least this often.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// The driver handles at most so many events before it looks at the stop flag again: pages may take long to read.
const EVENTS_AT_ONCE: usize = 64;

/// Files that the process needs beside one per client.
const OTHER_FILES: u64 = 64;

/// The timer's token; the connections of clients have theirs from 0.
const TIMER: Token = Token(usize::MAX);

/// Puts a load on the site at `target`.
///
/// When the window is over, nobody asks anything any more, and the answers that are still due are awaited, so that the
/// fate of every write is known; each ends by its timeout at the latest, and where users never give up, 30 s later at the
/// latest. In a step of an overload cycle they are not awaited. Setting `stop` ends everything within 50 ms;
/// the outcome then covers what was seen of the window. `progress` is called at once and as soon as a phase or another
/// second begins, on the driving thread: it should be quick.
pub fn drive(
    target: &Target,
    users: &Users<'_>,
    load: &Load,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, EngineError> {
    drive_until(target, users, load, stop, &mut |news| {
        progress(news);
        Directive::GoOn
    })
}

/// The same, but `progress` also says how the load goes on.
pub fn drive_until(
    target: &Target,
    users: &Users<'_>,
    load: &Load,
    stop: &AtomicBool,
    progress: ProgressHandler<'_>,
) -> Result<Outcome, EngineError> {
    if users.catalogue.is_secure() && target.secure.is_none() {
        return Err(EngineError::NotSecure { target: target.plain.address });
    }
    let common = Common::new(users, load, target);
    allow_files(load.clients, common.lines())?;
    let mut driver = Driver::new(common)?;
    driver.run(stop, progress)?;
    Ok(driver.finish())
}

struct Driver<'a> {
    common: Common<'a>,
    clients: Vec<Client>,
    /// As many for each client as it may have lines; a connection's place here is also its token.
    wires: Vec<Wire>,
    lines: usize,
    /// Whether users look at what pages contain.
    reads: bool,
    /// What the browser of a client's latest user knows of TLS.
    tls: HashMap<usize, (u32, Arc<ClientConfig>)>,
    deadlines: DeadlineHeap,
    poll: Poll,
    timer: Timer,
    /// All clients read into this one.
    buffer: Vec<u8>,
    start: Instant,
    /// The latest instant that was read.
    at: Duration,
    /// Whether that was after the last sleep.
    is_awake: bool,
    /// The instant at which the load's clock stands still, while it does.
    still: Option<Duration>,
    /// Whether it is to stand still as soon as may be.
    pauses: bool,
    cpu: CpuMeter,
    reported: LastReported,
}

impl<'a> Driver<'a> {
    fn new(mut common: Common<'a>) -> Result<Self, EngineError> {
        let clients: Vec<_> =
            (0..common.load.clients).map(|number| Client::new(number, &mut common)).collect();
        let poll = Poll::new().map_err(EngineError::system("make an epoll instance"))?;
        let timer = Timer::new(&poll).map_err(EngineError::system("make a timer"))?;
        let lines = common.lines();
        Ok(Self {
            deadlines: DeadlineHeap::new(clients.iter().map(Client::deadline)),
            wires: (0..clients.len() * lines).map(|_| Wire::default()).collect(),
            lines,
            reads: common.users.reads(),
            tls: HashMap::new(),
            clients,
            common,
            poll,
            timer,
            buffer: vec![0; 256 << 10],
            start: Instant::now(),
            at: Duration::ZERO,
            is_awake: false,
            still: None,
            pauses: false,
            cpu: CpuMeter::default(),
            reported: LastReported::default(),
        })
    }

    fn run(&mut self, stop: &AtomicBool, progress: ProgressHandler<'_>) -> Result<(), EngineError> {
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        let mut watch = LivenessCheck::default();
        loop {
            let now = self.keep_time(progress);
            if self.pauses {
                self.pause(stop, progress)?;
            }
            if stop.load(Ordering::Relaxed) {
                self.common.recorder.stopped(now);
                return Ok(());
            }
            if self.common.is_over(now, self.deadlines.earliest()) {
                return Ok(());
            }
            if watch.is_due(now) && !self.common.load.is_step {
                watch.judge(self.common.recorder.seen(), now, self.common.target.plain.address)?;
            }
            self.sleep(&mut events)?;
            for event in &events {
                if let Some(client) = self.take(event) {
                    self.go_on(client);
                }
                // Many pages may have come at once; whoever's time is up meanwhile must not wait for all of them.
                let earliest = self.deadlines.earliest();
                if earliest.is_some_and(|(deadline, _)| deadline <= self.at) {
                    self.keep_time(progress);
                } else {
                    self.common.tick(self.at, earliest);
                    self.tell_news(self.at, progress);
                }
            }
        }
    }

    /// Does what an event asks for. The client whose it is must then be told of its deadline.
    fn take(&mut self, event: &Event) -> Option<usize> {
        match event.token() {
            TIMER => {
                self.timer.expired();
                None
            }
            Token(wire) => {
                self.ready(wire, event);
                Some(wire / self.lines)
            }
        }
    }

    fn now(&mut self) -> Duration {
        self.at = self.still.unwrap_or_else(|| self.start.elapsed());
        self.is_awake = true;
        self.at
    }

    /// Wakes a client that doesn't think, after all that has come for it, or notes when it must be woken.
    fn go_on(&mut self, client: usize) {
        if self.clients[client].deadline() <= self.at {
            // To read a page takes time, by which the next request is late.
            let now = if self.reads { self.now() } else { self.at };
            self.deliver(client, now, Client::wake);
        }
        self.note(client);
    }

    fn note(&mut self, client: usize) {
        self.deadlines.set(client as u32, self.clients[client].deadline());
    }

    /// Lets the clients stand still until whoever watches has them go on. Answers that are due are awaited before, as long
    /// as a user would wait for one: they belong to the time before.
    fn pause(&mut self, stop: &AtomicBool, progress: ProgressHandler<'_>) -> Result<(), EngineError> {
        self.pauses = false;
        let at = *self.still.insert(self.start.elapsed());
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        let until = Instant::now() + self.common.load.timeout.unwrap_or(Load::LAST_WAIT);
        while self.common.waiting > 0 && Instant::now() < until && !stop.load(Ordering::Relaxed) {
            self.poll(&mut events, LONGEST_SLEEP)?;
            for event in &events {
                if let Some(client) = self.take(event) {
                    self.note(client);
                }
            }
        }
        directive::tell_pause(&mut self.common.recorder, at, progress);
        self.start = Instant::now() - at;
        (self.still, self.timer.set_for) = (None, None);
        Ok(())
    }

    /// Tells what is new and wakes all clients that are due, at an instant that is returned.
    fn keep_time(&mut self, progress: ProgressHandler<'_>) -> Duration {
        // Where something has come since the last sleep, the clock was read for it.
        let now = if self.is_awake { self.at } else { self.now() };
        self.common.tick(now, self.deadlines.earliest());
        self.tell_news(now, progress);
        // A client whose user doesn't think is due again at once, so that only those due now are woken.
        while let Some((deadline, client)) = self.deadlines.earliest()
            && deadline <= now
        {
            let at = self.now();
            self.deliver(client as usize, at, Client::wake);
            self.note(client as usize);
        }
        now
    }

    /// Tells when another phase or another second has begun.
    fn tell_news(&mut self, now: Duration, progress: ProgressHandler<'_>) {
        let recorder = &mut self.common.recorder;
        recorder.reach(now);
        if let Some(phase) = self.reported.next_report(recorder, now) {
            self.cpu.look(phase);
            recorder.used(thread_cpu(), now);
            self.pauses |= directive::report_progress(recorder, now, progress) == Directive::Pause;
        }
    }

    fn sleep(&mut self, events: &mut Events) -> Result<(), EngineError> {
        let turn = self.reported.turn(&self.common.recorder);
        let deadline = self.deadlines.earliest().map_or(turn, |(deadline, _)| deadline.min(turn));
        // Where nothing is due for long, it doesn't matter how late it is to the microsecond.
        let now = if deadline > self.at + 2 * LONGEST_SLEEP { self.at } else { self.now() };
        let longest = if deadline <= now { Duration::ZERO } else { LONGEST_SLEEP };
        if now < deadline && deadline < now + LONGEST_SLEEP {
            self.timer.set(deadline, now).map_err(EngineError::system("set a timer"))?;
        }
        self.poll(events, longest)
    }

    fn poll(&mut self, events: &mut Events, longest: Duration) -> Result<(), EngineError> {
        self.is_awake = false;
        match self.poll.poll(events, Some(longest)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                Err(EngineError::System { action: "wait for connections", source: error })
            }
            _ => Ok(()),
        }
    }

    /// Something happened on a connection, or on one that was there until a moment ago: nothing is taken for granted but
    /// what the connection itself says now.
    fn ready(&mut self, wire: usize, event: &Event) {
        if self.is_connecting(wire) {
            self.check_connecting(wire);
        } else if event.is_writable() {
            self.write_rest(wire);
        }
        if event.is_readable() || event.is_read_closed() || event.is_error() {
            self.read(wire, event.is_read_closed());
        }
    }

    fn is_connecting(&self, wire: usize) -> bool {
        self.clients[wire / self.lines].is_connecting(wire % self.lines)
    }

    fn check_connecting(&mut self, wire: usize) {
        match self.wires[wire].establish() {
            Err(error) => self.connect_failed(wire, &error),
            Ok(true) => self.deliver_of(wire, Client::connected),
            Ok(false) => {}
        }
    }

    fn connect_failed(&mut self, wire: usize, error: &io::Error) {
        let kind = ErrorKind::of_connect(error);
        self.deliver_of(wire, |c, line, common, now| c.connect_failed(line, common, kind, now));
    }

    fn closed(&mut self, wire: usize, kind: ErrorKind) {
        self.deliver_of(wire, |c, line, common, now| c.closed(line, common, kind, now));
    }

    /// Reads until there is no more. A short read says so too, unless the end of the stream is known to follow.
    fn read(&mut self, wire: usize, is_closed: bool) {
        let mut buffer = std::mem::take(&mut self.buffer);
        while !self.is_connecting(wire) && self.wires[wire].is_open() {
            match self.wires[wire].read(&mut buffer) {
                Ok(0) => self.closed(wire, ErrorKind::Closed),
                Ok(count) => {
                    let is_all = count < buffer.len() && !is_closed;
                    let is_all = is_all && self.wires[wire].tells_end_by_short_reads();
                    let bytes = &buffer[..count];
                    self.deliver_of(wire, |c, line, common, now| c.received(line, common, bytes, now));
                    if is_all {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.closed(wire, ErrorKind::Reset),
            }
        }
        self.buffer = buffer;
    }

    fn write_rest(&mut self, wire: usize) {
        if self.wires[wire].has_unsent() && self.wires[wire].write_rest().is_err() {
            self.write_failed(wire);
        }
    }

    /// The server wants no more of a request. It may have answered before it closed.
    fn write_failed(&mut self, wire: usize) {
        self.read(wire, true);
        if self.wires[wire].is_open() && !self.is_connecting(wire) {
            self.closed(wire, ErrorKind::Reset);
        }
    }

    /// Delivers an event of a connection to the client whose it is.
    fn deliver_of(&mut self, wire: usize, event: impl FnOnce(&mut Client, usize, &mut Common<'_>, Duration)) {
        let (line, now) = (wire % self.lines, self.now());
        self.deliver(wire / self.lines, now, |client, common, now| event(client, line, common, now));
    }

    /// Delivers an event to a client, and does what it wants next.
    fn deliver(
        &mut self,
        client: usize,
        now: Duration,
        event: impl FnOnce(&mut Client, &mut Common<'_>, Duration),
    ) {
        self.common.recorder.reach(now);
        event(&mut self.clients[client], &mut self.common, now);
        while let Some((line, todo)) = self.clients[client].next(&mut self.common) {
            self.execute(client, line, todo, now);
        }
    }

    fn execute(&mut self, client: usize, line: usize, todo: Todo, now: Duration) {
        let at = client * self.lines + line;
        let wire = &mut self.wires[at];
        match todo {
            Todo::Nothing => {}
            Todo::Close => wire.close(),
            Todo::Open => {
                self.clients[client].began(&mut self.common, now);
                self.wires[at].close();
                match self.connect(client, line) {
                    Ok(wire) => self.wires[at] = wire,
                    Err(error) => self.connect_failed(at, &error),
                }
            }
            // The server has answered before it read all of the last request; it may not want the rest.
            Todo::Send if wire.has_unsent() => self.not_sent(at),
            Todo::SendIfOpen if wire.has_unsent() || wire.has_ended() => self.not_sent(at),
            Todo::Send | Todo::SendIfOpen => {
                self.clients[client].began(&mut self.common, now);
                if wire.write(&self.common.to_send).is_err() {
                    self.write_failed(at);
                }
            }
        }
    }

    fn not_sent(&mut self, wire: usize) {
        self.deliver_of(wire, |client, line, _, now| client.not_sent(line, now));
    }

    fn connect(&mut self, client: usize, line: usize) -> io::Result<Wire> {
        let is_secure = self.clients[client].is_secure(line);
        let target = self.common.target;
        let mut stream = TcpStream::connect(target.endpoint(is_secure).address)?;
        stream.set_nodelay(true)?;
        let token = Token(client * self.lines + line);
        self.poll.registry().register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        let secure = target.secure.as_ref().filter(|_| is_secure).map(|endpoint| {
            let user = self.clients[client].users();
            let known = self.tls.entry(client).or_insert_with(|| (user, endpoint.new_user()));
            if known.0 != user {
                *known = (user, endpoint.new_user());
            }
            (endpoint, known.1.clone())
        });
        Wire::new(stream, secure).map_err(io::Error::other)
    }

    fn finish(mut self) -> Outcome {
        let now = self.now();
        self.cpu.end();
        self.clients.iter().for_each(|client| client.end(&mut self.common, now));
        self.common.end();
        self.common.recorder.finish(self.cpu.used)
    }
}

/// Makes sure that the process may open as many connections as the clients may have.
fn allow_files(clients: u32, lines: usize) -> Result<(), EngineError> {
    let needed = u64::from(clients) * lines as u64 + OTHER_FILES;
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
    /// When the stretch that runs began.
    start: Option<Duration>,
    used: Duration,
}

impl CpuMeter {
    /// To be told as soon as a phase begins; that it goes on may be told too.
    fn look(&mut self, phase: Phase) {
        match phase {
            Phase::Measure => drop(self.start.get_or_insert_with(thread_cpu)),
            _ => self.end(),
        }
    }

    fn end(&mut self) {
        self.used += self.start.take().map_or(Duration::ZERO, |start| thread_cpu().saturating_sub(start));
    }
}

fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_the_whole_window() {
        let mut meter = CpuMeter::default();
        meter.look(Phase::Measure);
        let begun = thread_cpu();
        let work = Duration::from_millis(5);
        while thread_cpu() < begun + work {}
        meter.look(Phase::Measure);
        meter.look(Phase::Drain);
        assert!(meter.used >= work, "{:?}", meter.used);
        meter.look(Phase::Drain);
        let used = meter.used;
        while thread_cpu() < begun + 2 * work {}
        meter.look(Phase::Ramp);
        assert_eq!(meter.used, used, "between stretches nothing counts");
    }
}
