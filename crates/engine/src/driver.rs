//! Drives clients against a real server: one thread, one epoll, thousands of connections.
//!
//! Deadlines come from a timerfd, because epoll's own timeout counts in milliseconds, and a generator must not be late
//! by that much. The clock is read for each event, and again before a client is woken, so that lateness shows and is
//! not hidden in a batch. The only exception is a client that neither thinks nor reads its answer.

use crate::carrier::Carrier;
use crate::client::connections_per_client;
use crate::clients::{Clients, Command, Event};
use crate::directive::{Directive, ProgressHandler};
use crate::http::HttpError;
use crate::http2::{self, Part};
use crate::liveness::LivenessCheck;
use crate::socket::Socket;
use crate::target::Target;
use crate::{EngineError, ErrorKind, Load, Outcome, Phase, Progress};
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

/// The driver checks the stop flag at least this often.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// Events between two checks of the stop flag: parsing pages may take long.
const EVENTS_AT_ONCE: usize = 64;

/// Reads of a connection before others have their turn: a server that never stops sending must not keep the driver.
const READS_AT_ONCE: usize = 16;

/// Open files that a process needs beside the connections of its clients.
pub const OTHER_FILES: u64 = 96;

/// The timer's token; the connections of clients have theirs from 0.
const TIMER: Token = Token(usize::MAX);

/// Puts a load on the site at `target`.
///
/// After the window, no client sends another request. The answers that are still due are awaited, so that the fate
/// of every write is known. Each wait ends with the timeout, or after 30 s if users never give up. A step of an overload
/// cycle awaits none. Setting `stop` ends everything within 50 ms; the outcome then covers the window so far. `progress` is
/// called on the driving thread, at once and whenever a phase or a second begins: it should be quick.
pub fn drive(
    target: &Target,
    users: &Users<'_>,
    load: &Load,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, EngineError> {
    drive_until(target, users, load, stop, &mut |report| {
        progress(report);
        Directive::GoOn
    })
}

/// [`drive`] with a `progress` that also returns how the load goes on.
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
    let clients = Clients::new(users, load, target);
    allow_files(load.own_clients(), connections_per_client(users.catalogue))?;
    let mut driver = Driver::new(clients)?;
    driver.run(stop, progress)?;
    Ok(driver.finish())
}

struct Driver<'a> {
    clients: Clients<'a>,
    /// `per_client` sockets per client: one for each slot, and in HTTP/2 one that carries the slots over TLS. A connection's
    /// index here is also its token.
    sockets: Vec<Socket>,
    slots: usize,
    per_client: usize,
    /// The connections of HTTP/2, by their clients.
    carriers: HashMap<u32, Carrier>,
    reads: bool,
    /// TLS state of the browser of each client's latest user.
    tls: HashMap<u32, (u32, Arc<ClientConfig>)>,
    poll: Poll,
    timer: Timer,
    buffer: Vec<u8>,
    /// Connections of which more may be read, and whether their end is known to follow. No event tells of them again.
    unread: Vec<(usize, bool)>,
    start: Instant,
    /// The latest reading of the clock.
    at: Duration,
    /// True if that was after the last sleep.
    is_awake: bool,
    /// The instant at which the load's clock stands still, during a pause.
    still: Option<Duration>,
    /// True if the load is to pause as soon as possible.
    pauses: bool,
    cpu: CpuMeter,
}

impl<'a> Driver<'a> {
    fn new(clients: Clients<'a>) -> Result<Self, EngineError> {
        let poll = Poll::new().map_err(EngineError::system("make an epoll instance"))?;
        let timer = Timer::new(&poll).map_err(EngineError::system("make a timer"))?;
        let slots = clients.slots();
        let per_client = slots + usize::from(clients.shared.target.is_http2());
        Ok(Self {
            sockets: (0..clients.count() * per_client).map(|_| Socket::default()).collect(),
            slots,
            per_client,
            carriers: HashMap::new(),
            reads: clients.shared.users.reads(),
            tls: HashMap::new(),
            clients,
            poll,
            timer,
            buffer: vec![0; 256 << 10],
            unread: Vec::new(),
            start: Instant::now(),
            at: Duration::ZERO,
            is_awake: false,
            still: None,
            pauses: false,
            cpu: CpuMeter::default(),
        })
    }

    fn run(&mut self, stop: &AtomicBool, progress: ProgressHandler<'_>) -> Result<(), EngineError> {
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        let mut liveness = LivenessCheck::default();
        loop {
            let now = self.keep_time(progress);
            if self.pauses {
                self.pause(stop, progress)?;
            }
            if stop.load(Ordering::Relaxed) {
                self.clients.shared.recorder.stopped(now);
                return Ok(());
            }
            if self.clients.is_over(now) {
                return Ok(());
            }
            if liveness.is_due(now) && !self.clients.shared.behaviour.leaves_at_once {
                let server = self.clients.shared.target.plain.address;
                liveness.check(&self.clients.server_activity(), now, server)?;
            }
            self.sleep(&mut events)?;
            for event in &events {
                if let Some(client) = self.handle(event) {
                    self.go_on(client);
                }
                self.note_time(progress);
            }
            for (socket, is_closed) in std::mem::take(&mut self.unread) {
                self.read(socket, is_closed);
                self.go_on(self.owner(socket).0);
                self.note_time(progress);
            }
        }
    }

    /// Notes the time after an event. Many pages may have come at once, and a client whose deadline passes meanwhile
    /// must not wait for all of them.
    fn note_time(&mut self, progress: ProgressHandler<'_>) {
        if self.clients.earliest().is_some_and(|(deadline, _)| deadline <= self.at) {
            self.keep_time(progress);
        } else {
            self.clients.tick(self.at);
            self.report(self.at, progress);
        }
    }

    /// Handles an event. Returns the client to reschedule.
    fn handle(&mut self, event: &mio::event::Event) -> Option<u32> {
        match event.token() {
            TIMER => {
                self.timer.expired();
                None
            }
            Token(socket) => {
                self.ready(socket, event);
                Some(self.owner(socket).0)
            }
        }
    }

    /// The client and slot of a connection. The carrier of slots has the number behind theirs.
    fn owner(&self, socket: usize) -> (u32, usize) {
        ((socket / self.per_client) as u32, socket % self.per_client)
    }

    fn socket_of(&self, client: u32, slot: usize) -> usize {
        client as usize * self.per_client + slot
    }

    /// The client whose slots a connection carries, if it carries any.
    fn carries(&self, socket: usize) -> Option<u32> {
        let (client, slot) = self.owner(socket);
        (slot == self.slots).then_some(client)
    }

    fn now(&mut self) -> Duration {
        self.at = self.still.unwrap_or_else(|| self.start.elapsed());
        self.is_awake = true;
        self.at
    }

    /// Wakes a client that doesn't think, after all that has come for it, or reschedules it.
    fn go_on(&mut self, client: u32) {
        if self.clients.client(client).deadline() <= self.at {
            // Parsing a page takes time, by which the next request is late.
            let now = if self.reads { self.now() } else { self.at };
            self.deliver(client, now, Event::DeadlineReached);
        }
        self.clients.reschedule(client);
    }

    /// Lets the clients stand still until `progress` returns. Due answers are awaited before, as long as a user would wait
    /// for one: they belong to the time before.
    fn pause(&mut self, stop: &AtomicBool, progress: ProgressHandler<'_>) -> Result<(), EngineError> {
        self.pauses = false;
        let at = *self.still.insert(self.start.elapsed());
        self.clients.begin_pause();
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        let until = Instant::now() + self.clients.shared.load.timeout.unwrap_or(Load::DRAIN_LIMIT);
        while self.clients.is_waiting() && Instant::now() < until && !stop.load(Ordering::Relaxed) {
            self.poll(&mut events, LONGEST_SLEEP)?;
            for event in &events {
                if let Some(client) = self.handle(event) {
                    self.clients.reschedule(client);
                }
            }
            for (socket, is_closed) in std::mem::take(&mut self.unread) {
                self.read(socket, is_closed);
                self.clients.reschedule(self.owner(socket).0);
            }
        }
        if self.clients.report_pause(at, progress) == Directive::Repeat {
            self.cpu.forget();
        }
        self.start = Instant::now() - at;
        (self.still, self.timer.set_for) = (None, None);
        Ok(())
    }

    /// Reports the progress and wakes all clients that are due. Returns the instant.
    fn keep_time(&mut self, progress: ProgressHandler<'_>) -> Duration {
        // If something has come since the last sleep, the clock was read for it.
        let now = if self.is_awake { self.at } else { self.now() };
        self.clients.tick(now);
        self.report(now, progress);
        // A client that doesn't think is due again at once, so that only those due now are woken. In a pause, none is.
        while !self.pauses
            && let Some((deadline, client)) = self.clients.earliest()
            && deadline <= now
        {
            let at = self.now();
            self.deliver(client, at, Event::DeadlineReached);
            self.clients.reschedule(client);
        }
        now
    }

    /// Reports the progress if another phase or another second has begun.
    fn report(&mut self, now: Duration, progress: ProgressHandler<'_>) {
        if let Some(phase) = self.clients.new_phase(now) {
            self.cpu.enter(phase);
            self.clients.shared.recorder.record_cpu(thread_cpu(), now);
            self.pauses |= self.clients.report(now, progress) == Directive::Pause;
        }
    }

    fn sleep(&mut self, events: &mut Events) -> Result<(), EngineError> {
        let phase_end = self.clients.phase_end();
        let deadline = self.clients.earliest().map_or(phase_end, |(deadline, _)| deadline.min(phase_end));
        // If nothing is due for long, the sleep need not end on the microsecond.
        let now = if deadline > self.at + 2 * LONGEST_SLEEP { self.at } else { self.now() };
        let longest = if deadline <= now { Duration::ZERO } else { LONGEST_SLEEP };
        if now < deadline && deadline < now + LONGEST_SLEEP {
            self.timer.set(deadline, now).map_err(EngineError::system("set a timer"))?;
        }
        self.poll(events, longest)
    }

    fn poll(&mut self, events: &mut Events, longest: Duration) -> Result<(), EngineError> {
        self.is_awake = false;
        let longest = if self.unread.is_empty() { longest } else { Duration::ZERO };
        match self.poll.poll(events, Some(longest)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                Err(EngineError::System { action: "wait for connections", source: error })
            }
            _ => Ok(()),
        }
    }

    /// Handles an event of a connection, or of the slot's previous one. Only what the connection itself reports now counts.
    fn ready(&mut self, socket: usize, event: &mio::event::Event) {
        if self.is_connecting(socket) {
            self.check_connecting(socket);
        } else if event.is_writable() {
            self.write_rest(socket);
        }
        if event.is_readable() || event.is_read_closed() || event.is_error() {
            self.read(socket, event.is_read_closed());
        }
    }

    fn is_connecting(&self, socket: usize) -> bool {
        let (client, slot) = self.owner(socket);
        match self.carries(socket) {
            Some(client) => self.carriers.get(&client).is_some_and(|carrier| !carrier.is_established),
            None => self.clients.client(client).is_connecting(slot),
        }
    }

    fn check_connecting(&mut self, socket: usize) {
        match self.sockets[socket].establish() {
            Err(error) => self.connect_failed(socket, &error),
            Ok(true) => match self.carries(socket) {
                Some(client) => self.carrier_connected(client),
                None => self.deliver_of(socket, |slot| Event::Connected { slot }),
            },
            Ok(false) => {}
        }
    }

    fn connect_failed(&mut self, socket: usize, error: &io::Error) {
        let (kind, cause) = (ErrorKind::of_connect(error), error.to_string());
        let failed = |slot| Event::ConnectFailed { slot, kind, cause: &cause };
        match self.carries(socket) {
            Some(client) => {
                // One connection has failed, for all that waited for it.
                self.clients.shared.recorder.cause(kind, || cause.clone());
                let carrier = self.drop_carrier(client);
                let mut joining = carrier.map(|carrier| carrier.joining).unwrap_or_default();
                let last = joining.pop();
                self.deliver_all(client, joining, |slot| Event::GivenUp { slot, kind });
                self.deliver_all(client, last, failed);
            }
            None => self.deliver_of(socket, failed),
        }
    }

    fn closed(&mut self, socket: usize, kind: ErrorKind) {
        let closed = |slot| Event::Closed { slot, kind };
        match self.carries(socket) {
            Some(client) => self.end_carrier(client, closed),
            None => self.deliver_of(socket, closed),
        }
    }

    /// Reads to the end, or as much as one connection may send at once. A short read is the end too, unless the end of
    /// the stream is known to follow.
    fn read(&mut self, socket: usize, is_closed: bool) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut reads = 0;
        while !self.is_connecting(socket) && self.sockets[socket].is_open() {
            if reads == READS_AT_ONCE {
                self.unread.push((socket, is_closed));
                break;
            }
            reads += 1;
            match self.sockets[socket].read(&mut buffer) {
                Ok(0) => self.closed(socket, ErrorKind::Closed),
                Ok(count) => {
                    let is_all = count < buffer.len() && !is_closed;
                    let is_all = is_all && self.sockets[socket].signals_end_by_short_reads();
                    let bytes = &buffer[..count];
                    match self.carries(socket) {
                        Some(client) => self.take_frames(client, bytes),
                        None => self.deliver_of(socket, |slot| Event::Received { slot, bytes }),
                    }
                    if is_all {
                        break;
                    }
                }
                Err(error)
                    if error.kind() == io::ErrorKind::WouldBlock && !self.sockets[socket].has_failed =>
                {
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.closed(socket, ErrorKind::Reset),
            }
        }
        self.buffer = buffer;
    }

    fn write_rest(&mut self, socket: usize) {
        if self.sockets[socket].has_unsent() && self.sockets[socket].write_rest().is_err() {
            self.write_failed(socket);
        }
    }

    /// Handles a server that takes no more of a request. It may have answered before it closed.
    fn write_failed(&mut self, socket: usize) {
        // While another one is read, or this one, its turn comes afterwards.
        if self.buffer.is_empty() {
            self.sockets[socket].has_failed = true;
            return self.unread.push((socket, true));
        }
        self.read(socket, true);
        if self.sockets[socket].is_open() && !self.is_connecting(socket) {
            self.closed(socket, ErrorKind::Reset);
        }
    }

    /// Delivers an event of a connection to its client.
    fn deliver_of<'e>(&mut self, socket: usize, event: impl FnOnce(usize) -> Event<'e>) {
        let ((client, slot), now) = (self.owner(socket), self.now());
        self.deliver(client, now, event(slot));
    }

    /// Delivers an event to a client, and executes the client's commands.
    fn deliver(&mut self, client: u32, now: Duration, event: Event<'_>) {
        self.clients.deliver(client, event, now);
        while let Some((slot, command)) = self.clients.next_command(client) {
            self.execute(client, slot, command, now);
        }
        // A browser that is closed has no connection left, even if none of its slots was open.
        let browser = self.clients.client(client).browsers();
        if self.carriers.get(&client).is_some_and(|carrier| carrier.browser != browser) {
            self.drop_carrier(client);
        }
    }

    fn execute(&mut self, client: u32, slot: usize, command: Command, now: Duration) {
        if self.is_carried(client, slot) {
            return self.execute_carried(client, slot, command, now);
        }
        let at = self.socket_of(client, slot);
        let socket = &mut self.sockets[at];
        match command {
            Command::Close => socket.close(),
            Command::Open => {
                self.clients.started(client, now);
                self.sockets[at].close();
                match self.connect(at, self.clients.client(client).is_secure(slot)) {
                    Ok(socket) => self.sockets[at] = socket,
                    Err(error) => self.connect_failed(at, &error),
                }
            }
            // The server answered before it had read all of the last request; it may not want the rest.
            Command::Send if socket.has_unsent() => self.not_sent(at),
            Command::SendIfOpen if socket.has_unsent() || socket.has_ended() => self.not_sent(at),
            Command::Send | Command::SendIfOpen => {
                self.clients.started(client, now);
                if socket.write(self.clients.request()).is_err() {
                    self.write_failed(at);
                }
            }
        }
    }

    fn not_sent(&mut self, socket: usize) {
        self.deliver_of(socket, |slot| Event::NotSent { slot });
    }

    fn connect(&mut self, socket: usize, is_secure: bool) -> io::Result<Socket> {
        let (client, _) = self.owner(socket);
        let target = self.clients.shared.target;
        let mut stream = TcpStream::connect(target.endpoint(is_secure).address)?;
        stream.set_nodelay(true)?;
        let interests = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, Token(socket), interests)?;
        let secure = target.secure.as_ref().filter(|_| is_secure).map(|endpoint| {
            let browser = self.clients.client(client).browsers();
            let known = self.tls.entry(client).or_insert_with(|| (browser, endpoint.new_user()));
            if known.0 != browser {
                *known = (browser, endpoint.new_user());
            }
            (endpoint, known.1.clone())
        });
        Socket::new(stream, secure).map_err(io::Error::other)
    }

    /// True if a slot is a stream of HTTP/2.
    fn is_carried(&self, client: u32, slot: usize) -> bool {
        self.clients.shared.target.is_http2() && self.clients.client(client).is_secure(slot)
    }

    /// Executes a command for a stream.
    fn execute_carried(&mut self, client: u32, slot: usize, command: Command, now: Duration) {
        match command {
            Command::Close => {
                self.cancel(client, slot);
                let is_given_up = |carrier: &Carrier| !carrier.is_established && carrier.joining.is_empty();
                if self.carriers.get(&client).is_some_and(is_given_up) {
                    self.drop_carrier(client);
                }
            }
            Command::Open => {
                self.clients.started(client, now);
                // It may have a stream that was given up just before.
                self.cancel(client, slot);
                self.join(client, slot);
            }
            Command::Send => self.send_carried(client, slot, now),
            Command::SendIfOpen => {
                let request = self.clients.request().to_vec();
                // The connection's end may have come. While it is read, its next bytes would come too early.
                if !self.buffer.is_empty() {
                    self.read(self.socket_of(client, self.slots), false);
                }
                self.clients.set_request(request);
                self.send_carried(client, slot, now);
            }
        }
    }

    /// Takes a slot off its client's connection.
    fn cancel(&mut self, client: u32, slot: usize) {
        if let Some(carrier) = self.carriers.get_mut(&client) {
            carrier.joining.retain(|joining| *joining != slot);
            carrier.http2.cancel(slot);
            self.write_frames(client);
        }
    }

    fn send_carried(&mut self, client: u32, slot: usize, now: Duration) {
        match self.carriers.get_mut(&client) {
            Some(carrier) if carrier.is_established && !carrier.http2.is_ending() => {
                let is_sent = carrier.http2.send(slot, self.clients.request());
                debug_assert!(is_sent, "clients send requests");
                self.clients.started(client, now);
                self.write_frames(client);
            }
            _ => self.deliver(client, now, Event::NotSent { slot }),
        }
    }

    /// Lets a slot join its user's connection, or open it. While the server ends that, the slot waits until it has answered all
    /// that it still answers: a client has one connection over TLS, where browsers may open another one beside it.
    fn join(&mut self, client: u32, slot: usize) {
        let browser = self.clients.client(client).browsers();
        match self.carriers.get(&client) {
            Some(carrier) if carrier.browser != browser => drop(self.drop_carrier(client)),
            Some(carrier) if carrier.is_over() => {
                let over = self.drop_carrier(client);
                self.reopen(client, over);
            }
            _ => {}
        }
        match self.carriers.get_mut(&client) {
            Some(carrier) if carrier.is_established && !carrier.http2.is_ending() => {
                let now = self.now();
                self.deliver(client, now, Event::Joined { slot });
            }
            Some(carrier) => carrier.joining.push(slot),
            None => self.open_carrier(client, Carrier::new(browser, slot)),
        }
    }

    fn open_carrier(&mut self, client: u32, carrier: Carrier) {
        let (socket, now) = (self.socket_of(client, self.slots), self.now());
        carrier.joining.iter().for_each(|slot| self.clients.opens(client, *slot, now));
        self.carriers.insert(client, carrier);
        match self.connect(socket, true) {
            Ok(connection) => self.sockets[socket] = connection,
            Err(error) => self.connect_failed(socket, &error),
        }
    }

    /// Ends a connection of HTTP/2 with all that is on it: `event` is that of requests which the server may have begun with.
    fn end_carrier<'e>(&mut self, client: u32, event: impl Fn(usize) -> Event<'e>) {
        let Some(carrier) = self.drop_carrier(client) else { return };
        self.deliver_all(client, carrier.http2.waiting(), event);
        self.deliver_all(client, carrier.http2.queued(), |slot| Event::NotSent { slot });
        self.reopen(client, Some(carrier));
    }

    /// Opens another connection for the slots that waited for one to end.
    fn reopen(&mut self, client: u32, ended: Option<Carrier>) {
        let joining = ended.map(|carrier| carrier.joining).unwrap_or_default();
        joining.into_iter().for_each(|slot| self.join(client, slot));
    }

    /// The connection can carry requests. The slot that has opened it waited for it; the others join.
    fn carrier_connected(&mut self, client: u32) {
        let socket = self.socket_of(client, self.slots);
        if !self.sockets[socket].is_http2() {
            return self.connect_failed(socket, &http2::not_spoken());
        }
        let Some(carrier) = self.carriers.get_mut(&client) else { return };
        carrier.is_established = true;
        let mut joining = std::mem::take(&mut carrier.joining).into_iter();
        self.write_frames(client);
        self.deliver_all(client, joining.next(), |slot| Event::Connected { slot });
        self.deliver_all(client, joining, |slot| Event::Joined { slot });
    }

    /// Takes frames apart. Bytes behind the end of the user's connection belong to nobody.
    fn take_frames(&mut self, client: u32, bytes: &[u8]) {
        let Some(carrier) = self.carriers.get_mut(&client) else { return };
        carrier.is_taking = true;
        carrier.http2.receive(bytes);
        let mut piece = Vec::new();
        // Another connection may take its place meanwhile, from which nothing has come.
        while let Some(carrier) = self.carriers.get_mut(&client).filter(|carrier| carrier.is_taking) {
            match carrier.http2.next_part(&mut piece) {
                Ok(Some((slot, part))) => self.deliver_part(client, slot, part, &piece),
                Ok(None) if carrier.is_over() && !carrier.joining.is_empty() => {
                    let over = self.drop_carrier(client);
                    self.reopen(client, over);
                }
                // The server is left to close it, if it is over.
                Ok(None) => {
                    carrier.is_taking = false;
                    self.write_frames(client);
                }
                Err(fault) => {
                    let kind = self.note_fault(&fault);
                    self.end_carrier(client, |slot| Event::GivenUp { slot, kind });
                }
            }
        }
    }

    fn note_fault(&mut self, fault: &HttpError) -> ErrorKind {
        let kind = ErrorKind::of_response(fault);
        self.clients.shared.recorder.cause(kind, || fault.to_string());
        kind
    }

    fn deliver_part(&mut self, client: u32, slot: usize, part: Part, bytes: &[u8]) {
        let now = self.now();
        match part {
            Part::Bytes { size: None } => self.deliver(client, now, Event::Received { slot, bytes }),
            Part::Bytes { size: Some(size) } => self.deliver(client, now, Event::Ended { slot, bytes, size }),
            Part::Reset { is_untouched: true } => self.deliver(client, now, Event::NotSent { slot }),
            Part::Reset { is_untouched: false } => {
                self.deliver(client, now, Event::GivenUp { slot, kind: ErrorKind::Reset });
            }
            Part::Fault(fault) => {
                let kind = self.note_fault(&fault);
                self.deliver(client, now, Event::GivenUp { slot, kind });
            }
        }
    }

    fn write_frames(&mut self, client: u32) {
        let socket = self.socket_of(client, self.slots);
        let is_writable = |carrier: &&mut Carrier| carrier.is_established && !carrier.is_taking;
        let Some(carrier) = self.carriers.get_mut(&client).filter(is_writable) else { return };
        let frames = carrier.http2.take_output();
        if !frames.is_empty() && self.sockets[socket].write(&frames).is_err() {
            self.write_failed(socket);
        }
    }

    /// Closes a client's connection of HTTP/2.
    fn drop_carrier(&mut self, client: u32) -> Option<Carrier> {
        let socket = self.socket_of(client, self.slots);
        self.sockets[socket].close();
        self.carriers.remove(&client)
    }

    /// Delivers an event of each of these slots to their client.
    fn deliver_all<'e>(
        &mut self,
        client: u32,
        slots: impl IntoIterator<Item = usize>,
        event: impl Fn(usize) -> Event<'e>,
    ) {
        for slot in slots {
            let now = self.now();
            self.deliver(client, now, event(slot));
        }
    }

    fn finish(mut self) -> Outcome {
        let now = self.now();
        self.cpu.end();
        self.clients.finish_at(now, self.cpu.used)
    }
}

/// Makes sure that the process may open as many connections as the clients may have.
fn allow_files(clients: u32, connections: usize) -> Result<(), EngineError> {
    let needed = u64::from(clients) * connections as u64 + OTHER_FILES;
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

/// CPU time of this thread in the window.
#[derive(Default)]
struct CpuMeter {
    /// Begin of the current stretch.
    start: Option<Duration>,
    used: Duration,
    /// The part of the last stretch.
    last: Duration,
}

impl CpuMeter {
    /// Call it as soon as a phase begins; calling it again within the phase does no harm.
    fn enter(&mut self, phase: Phase) {
        match phase {
            Phase::Measure => drop(self.start.get_or_insert_with(thread_cpu)),
            _ => self.end(),
        }
    }

    fn end(&mut self) {
        if let Some(start) = self.start.take() {
            self.last = thread_cpu().saturating_sub(start);
            self.used += self.last;
        }
    }

    /// Drops the last stretch.
    fn forget(&mut self) {
        self.used -= std::mem::take(&mut self.last);
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
    fn cpu_time_covers_the_whole_window() {
        let mut meter = CpuMeter::default();
        meter.enter(Phase::Measure);
        let begun = thread_cpu();
        let work = Duration::from_millis(5);
        while thread_cpu() < begun + work {}
        meter.enter(Phase::Measure);
        meter.enter(Phase::Drain);
        assert!(meter.used >= work, "{:?}", meter.used);
        meter.enter(Phase::Drain);
        let used = meter.used;
        while thread_cpu() < begun + 2 * work {}
        meter.enter(Phase::Ramp);
        assert_eq!(meter.used, used, "between stretches nothing counts");
        meter.enter(Phase::Measure);
        while thread_cpu() < begun + 3 * work {}
        meter.enter(Phase::Ramp);
        meter.forget();
        meter.forget();
        assert_eq!(meter.used, used, "a stretch is forgotten once");
    }
}
