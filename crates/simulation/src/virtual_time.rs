//! Drives clients against a model of a server in virtual time.
//!
//! The clients are those that [`engine::drive`] sends against real servers. A prediction of queueing theory for a closed
//! load therefore tests everything but the system calls.

use engine::clients::{Clients, Command, Event};
use engine::{Directive, ErrorKind, Load, Outcome, Progress, Target};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZeroU64;
use std::time::Duration;
use workload::Users;

/// A server in virtual time. Instants are times since the load began; they never go back.
pub trait VirtualServer {
    /// Accepts a connection after the returned time; none refuses it.
    fn accept(&mut self, _now: Duration) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    /// Answers a request in bytes of HTTP.
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply;

    /// Keep-alive timeout of idle connections, if any.
    fn keeps_idle(&self) -> Option<Duration> {
        None
    }
}

/// A reply, and the instant at which the client has all of it: not before the request came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub at: Duration,
    /// Bytes of HTTP.
    pub response: Vec<u8>,
}

/// Faults of a load generator, which the checks of a verdict must detect. The default is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GeneratorFaults {
    /// One of this many requests is never sent; its user waits until the timeout.
    pub drops_one_in: Option<NonZeroU64>,
    /// Delay of all wake-ups.
    pub late_by: Duration,
}

/// Runs a load in virtual time. If users don't think, the server must take time, or virtual time would stand still.
pub fn simulate(server: &mut dyn VirtualServer, users: &Users<'_>, load: &Load) -> Outcome {
    simulate_with_faults(server, users, load, &GeneratorFaults::default())
}

/// Runs a load with a faulty generator.
pub fn simulate_with_faults(
    server: &mut dyn VirtualServer,
    users: &Users<'_>,
    load: &Load,
    faults: &GeneratorFaults,
) -> Outcome {
    let target = simulated_target();
    let mut simulator = Simulator::new(server, Clients::new(users, load, &target), faults);
    simulator.run(None);
    simulator.clients.finish()
}

/// [`engine::drive_until`] with a server in virtual time. `progress` is called for each second and each phase at the
/// instant at which it begins, and returns how the load goes on.
pub fn simulate_until(
    server: &mut dyn VirtualServer,
    users: &Users<'_>,
    load: &Load,
    progress: &mut dyn FnMut(Progress) -> Directive,
) -> Outcome {
    let target = simulated_target();
    let clients = Clients::new(users, load, &target);
    let mut simulator = Simulator::new(server, clients, &GeneratorFaults::default());
    simulator.run(Some(progress));
    simulator.clients.finish()
}

/// A placeholder address. Both transports lead to the one server.
fn simulated_target() -> Target {
    Target::plain(([0, 0, 0, 0], 0).into(), "simulated")
}

type ProgressHandler<'a> = &'a mut dyn FnMut(Progress) -> Directive;

struct Simulator<'a> {
    clients: Clients<'a>,
    /// Generation of the connection and of the request of each slot: an event with an older one comes too late.
    generations: Vec<u64>,
    slots: usize,
    network: BinaryHeap<Reverse<NetworkEvent>>,
    server: &'a mut dyn VirtualServer,
    faults: GeneratorFaults,
    /// Requests handed over by clients.
    requests: u64,
}

/// An event of the network, ordered by its instant.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NetworkEvent {
    at: Duration,
    client: u32,
    slot: usize,
    generation: u64,
    kind: NetworkEventKind,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NetworkEventKind {
    Connected,
    Refused,
    Response(Vec<u8>),
    IdleClose,
}

impl<'a> Simulator<'a> {
    fn new(server: &'a mut dyn VirtualServer, clients: Clients<'a>, faults: &GeneratorFaults) -> Self {
        let slots = clients.slots();
        Self {
            generations: vec![0; clients.count() * slots],
            slots,
            network: BinaryHeap::new(),
            clients,
            server,
            faults: *faults,
            requests: 0,
        }
    }

    fn run(&mut self, mut progress: Option<ProgressHandler<'_>>) {
        let mut last = Duration::ZERO;
        loop {
            self.clients.tick(last);
            let deadline = self.clients.earliest().filter(|(at, _)| *at < Duration::MAX);
            // A request that was due while all clients were busy is made now.
            let deadline = deadline.map(|(at, client)| ((at + self.faults.late_by).max(last), client));
            let event = self.network.peek().map(|Reverse(event)| event.at);
            let (now, woken) = match (deadline, event) {
                (Some((at, client)), event) if event.is_none_or(|event| at < event) => (at, Some(client)),
                (_, Some(event)) => (event, None),
                _ => return,
            };
            // A second or a phase is reported before anything happens in it.
            let report = progress.as_ref().map_or(Duration::MAX, |_| self.clients.next_report());
            let now = now.min(report);
            last = now;
            if let Some(progress) = &mut progress
                && self.clients.new_phase(now).is_some()
                && self.clients.report(now, progress) == Directive::Pause
            {
                self.pause(now, progress);
                continue;
            }
            if self.clients.is_over(now) {
                return;
            }
            match woken {
                _ if now == report => {}
                Some(client) => self.deliver(client, now, Event::DeadlineReached),
                None => self.next_network_event(now),
            }
        }
    }

    /// Awaits the answers that are due while the load's clock stands still, then lets `progress` decide when it goes on.
    fn pause(&mut self, now: Duration, progress: ProgressHandler<'_>) {
        self.clients.begin_pause();
        while self.clients.is_waiting() && !self.network.is_empty() {
            self.next_network_event(now);
        }
        self.clients.report_pause(now, progress);
    }

    fn next_network_event(&mut self, now: Duration) {
        let Some(Reverse(NetworkEvent { client, slot, generation, kind, .. })) = self.network.pop() else {
            return;
        };
        if self.generations[client as usize * self.slots + slot] != generation {
            return;
        }
        match kind {
            NetworkEventKind::Connected => self.deliver(client, now, Event::Connected { slot }),
            NetworkEventKind::Refused => {
                self.deliver(
                    client,
                    now,
                    Event::ConnectFailed { slot, kind: ErrorKind::ConnectRefused, cause: "" },
                );
            }
            NetworkEventKind::Response(bytes) => {
                if let Some(timeout) = self.server.keeps_idle() {
                    self.schedule(client, slot, now + timeout, NetworkEventKind::IdleClose);
                }
                self.deliver(client, now, Event::Received { slot, bytes: &bytes });
            }
            NetworkEventKind::IdleClose => {
                self.deliver(client, now, Event::Closed { slot, kind: ErrorKind::Closed });
            }
        }
    }

    /// Delivers an event to a client, and executes the client's commands.
    fn deliver(&mut self, client: u32, now: Duration, event: Event<'_>) {
        self.clients.deliver(client, event, now);
        while let Some((slot, command)) = self.clients.next_command(client) {
            self.execute(client, slot, command, now);
        }
        self.clients.reschedule(client);
    }

    fn execute(&mut self, client: u32, slot: usize, command: Command, now: Duration) {
        self.generations[client as usize * self.slots + slot] += 1;
        if command == Command::Close || self.drops(client) {
            return;
        }
        self.clients.started(client, now);
        if command == Command::Open {
            match self.server.accept(now) {
                Some(took) => self.schedule(client, slot, now + took, NetworkEventKind::Connected),
                None => self.schedule(client, slot, now, NetworkEventKind::Refused),
            }
        } else {
            let Reply { at, response } = self.server.answer(self.clients.request(), now);
            self.schedule(client, slot, at.max(now), NetworkEventKind::Response(response));
        }
    }

    /// True if the generator fails to execute a command. A request is dropped before anything is done for it.
    fn drops(&mut self, client: u32) -> bool {
        let Some(one_in) = self.faults.drops_one_in else { return false };
        if !self.clients.has_unstarted_request(client) {
            return false;
        }
        self.requests += 1;
        self.requests.is_multiple_of(one_in.get())
    }

    fn schedule(&mut self, client: u32, slot: usize, at: Duration, kind: NetworkEventKind) {
        let generation = self.generations[client as usize * self.slots + slot];
        self.network.push(Reverse(NetworkEvent { at, client, slot, generation, kind }));
    }
}
