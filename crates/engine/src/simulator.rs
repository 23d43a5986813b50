//! Drives clients against a model of a server in virtual time.
//!
//! The clients are the very ones that [`crate::drive`] sends against real servers. So what queueing theory says of a
//! closed load is a test of everything but system calls.

use crate::client::{Client, Common, Todo};
use crate::deadline_heap::DeadlineHeap;
use crate::directive::{self, Directive, LastReported, ProgressHandler};
use crate::target::Target;
use crate::{ErrorKind, Load, Outcome, Progress};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZeroU64;
use std::time::Duration;
use workload::Users;

/// A server in virtual time. Instants are times since the load began; they never go back.
pub trait VirtualServer {
    /// A client connects: how long that takes, or nothing if it is refused.
    fn accept(&mut self, _now: Duration) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    /// A request has come, as bytes of HTTP.
    fn answer(&mut self, request: &[u8], now: Duration) -> Answer;

    /// For how long an idle connection is kept; without limit if nothing.
    fn keeps_idle(&self) -> Option<Duration> {
        None
    }
}

/// What a server will send, and when all of it is there: not before the request came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The instant at which the client has it.
    pub at: Duration,
    /// Bytes of HTTP.
    pub response: Vec<u8>,
}

/// What is wrong with a generator. Verdicts on its figures are tested with these; the default is nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GeneratorFaults {
    /// Of so many requests one is never sent, and its user waits for it in vain.
    pub drops_one_in: Option<NonZeroU64>,
    /// All clients are woken so much later than they should be.
    pub late_by: Duration,
}

/// Runs a load in virtual time. Users who don't think need a server that takes time, or time would stand still.
pub fn simulate(server: &mut dyn VirtualServer, users: &Users<'_>, load: &Load) -> Outcome {
    simulate_with_faults(server, users, load, &GeneratorFaults::default())
}

/// The same with a generator that has faults.
pub fn simulate_with_faults(
    server: &mut dyn VirtualServer,
    users: &Users<'_>,
    load: &Load,
    faults: &GeneratorFaults,
) -> Outcome {
    let target = simulated_target();
    let mut simulator = Simulator::new(server, Common::new(users, load, &target), faults);
    simulator.run(None);
    simulator.finish()
}

/// The same as [`crate::drive_until`], with a server in virtual time: `progress` hears of each second and each phase at the
/// instant at which it begins, and says how the load goes on.
pub fn simulate_until(
    server: &mut dyn VirtualServer,
    users: &Users<'_>,
    load: &Load,
    progress: &mut dyn FnMut(Progress) -> Directive,
) -> Outcome {
    let target = simulated_target();
    let mut simulator =
        Simulator::new(server, Common::new(users, load, &target), &GeneratorFaults::default());
    simulator.run(Some(progress));
    simulator.finish()
}

/// An address that nobody connects to. Both transports lead to the one server.
fn simulated_target() -> Target {
    Target::plain(([0, 0, 0, 0], 0).into(), "simulated")
}

struct Simulator<'a> {
    clients: Vec<Client>,
    deadlines: DeadlineHeap,
    /// Numbers each line's connections and requests together: what comes for an older number comes too late.
    numbers: Vec<u64>,
    /// How many lines a client has.
    lines: usize,
    events: BinaryHeap<Reverse<Event>>,
    common: Common<'a>,
    server: &'a mut dyn VirtualServer,
    faults: GeneratorFaults,
    /// Requests that clients have handed over to be sent.
    asked: u64,
}

/// Something that the network will do. Ordered by its instant first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    at: Duration,
    client: u32,
    line: usize,
    number: u64,
    kind: EventKind,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EventKind {
    Connected,
    Refused,
    Answer(Vec<u8>),
    IdleClose,
}

impl<'a> Simulator<'a> {
    fn new(server: &'a mut dyn VirtualServer, mut common: Common<'a>, faults: &GeneratorFaults) -> Self {
        let lines = common.lines();
        let clients: Vec<_> =
            (0..common.load.clients).map(|number| Client::new(number, &mut common)).collect();
        Self {
            deadlines: DeadlineHeap::new(clients.iter().map(Client::deadline)),
            numbers: vec![0; clients.len() * lines],
            lines,
            events: BinaryHeap::new(),
            common,
            clients,
            server,
            faults: *faults,
            asked: 0,
        }
    }

    fn run(&mut self, mut watcher: Option<ProgressHandler<'_>>) {
        let (mut last, mut told) = (Duration::ZERO, LastReported::default());
        loop {
            self.common.tick(last, self.deadlines.earliest());
            let deadline = self.deadlines.earliest().filter(|(at, _)| *at < Duration::MAX);
            // What was to be asked before anybody was free to ask it is asked now.
            let deadline = deadline.map(|(at, client)| ((at + self.faults.late_by).max(last), client));
            let event = self.events.peek().map(|Reverse(event)| event.at);
            let (now, woken) = match (deadline, event) {
                (Some((at, client)), event) if event.is_none_or(|event| at < event) => (at, Some(client)),
                (_, Some(event)) => (event, None),
                _ => return,
            };
            // Whoever watches hears of a second or a phase before anything happens in it.
            let turn = watcher.as_ref().map_or(Duration::MAX, |_| told.next(&self.common.recorder));
            let now = now.min(turn);
            last = now;
            self.common.recorder.reach(now);
            if let Some(watcher) = &mut watcher
                && told.next_report(&self.common.recorder, now).is_some()
                && directive::report_progress(&mut self.common.recorder, now, watcher) == Directive::Pause
            {
                self.pause(now, watcher);
                continue;
            }
            if self.common.is_over(now, self.deadlines.earliest()) {
                return;
            }
            match woken {
                _ if now == turn => {}
                Some(client) => self.deliver(client, now, Client::wake),
                None => self.network(now),
            }
        }
    }

    /// Awaits the answers that are due while the load's clock stands still, and has whoever watches say when it goes on.
    fn pause(&mut self, now: Duration, watcher: ProgressHandler<'_>) {
        while self.common.waiting > 0 && !self.events.is_empty() {
            self.network(now);
        }
        directive::tell_pause(&mut self.common.recorder, now, watcher);
    }

    fn network(&mut self, now: Duration) {
        let Some(Reverse(Event { client, line, number, kind, .. })) = self.events.pop() else { return };
        if self.numbers[client as usize * self.lines + line] != number {
            return;
        }
        match kind {
            EventKind::Connected => {
                self.deliver(client, now, |c, common, now| c.connected(line, common, now));
            }
            EventKind::Refused => self.deliver(client, now, |c, common, now| {
                c.connect_failed(line, common, ErrorKind::ConnectRefused, now);
            }),
            EventKind::Answer(bytes) => {
                if let Some(timeout) = self.server.keeps_idle() {
                    self.schedule(client, line, now + timeout, EventKind::IdleClose);
                }
                self.deliver(client, now, |c, common, now| c.received(line, common, &bytes, now));
            }
            EventKind::IdleClose => self.deliver(client, now, |c, common, now| {
                c.closed(line, common, ErrorKind::Closed, now);
            }),
        }
    }

    /// Delivers an event to a client, and does what it wants next.
    fn deliver(
        &mut self,
        client: u32,
        now: Duration,
        event: impl FnOnce(&mut Client, &mut Common<'_>, Duration),
    ) {
        event(&mut self.clients[client as usize], &mut self.common, now);
        while let Some((line, todo)) = self.clients[client as usize].next(&mut self.common) {
            self.execute(client, line, todo, now);
        }
        self.deadlines.set(client, self.clients[client as usize].deadline());
    }

    fn execute(&mut self, client: u32, line: usize, todo: Todo, now: Duration) {
        self.numbers[client as usize * self.lines + line] += 1;
        let todo = if todo != Todo::Close && self.drops(client) { Todo::Nothing } else { todo };
        if matches!(todo, Todo::Open | Todo::Send | Todo::SendIfOpen) {
            self.clients[client as usize].began(&mut self.common, now);
        }
        match todo {
            Todo::Nothing | Todo::Close => {}
            Todo::Open => match self.server.accept(now) {
                Some(took) => self.schedule(client, line, now + took, EventKind::Connected),
                None => self.schedule(client, line, now, EventKind::Refused),
            },
            Todo::Send | Todo::SendIfOpen => {
                let Answer { at, response } = self.server.answer(&self.common.to_send, now);
                self.schedule(client, line, at.max(now), EventKind::Answer(response));
            }
        }
    }

    /// Whether what a client wants is not done, because that is the generator's fault. Requests are dropped before
    /// anything is done for them.
    fn drops(&mut self, client: u32) -> bool {
        let Some(one_in) = self.faults.drops_one_in else { return false };
        if !self.clients[client as usize].is_unheard() {
            return false;
        }
        self.asked += 1;
        self.asked.is_multiple_of(one_in.get())
    }

    fn schedule(&mut self, client: u32, line: usize, at: Duration, kind: EventKind) {
        let number = self.numbers[client as usize * self.lines + line];
        self.events.push(Reverse(Event { at, client, line, number, kind }));
    }

    fn finish(mut self) -> Outcome {
        let end = self.common.recorder.window().end();
        self.clients.iter().for_each(|client| client.end(&mut self.common, end));
        self.common.end();
        self.common.recorder.finish(Duration::ZERO)
    }
}
