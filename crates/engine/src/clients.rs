//! All clients of a load, without I/O and without a clock.
//!
//! A driver delivers each [`Event`] together with its instant, and executes the [`Command`]s that the clients return. The
//! epoll driver of this crate and a driver in virtual time share this core.

use crate::client::{Client, Shared};
use crate::deadline_heap::DeadlineHeap;
use crate::directive::{self, Directive, LastReported, ProgressHandler};
use crate::liveness::ServerActivity;
use crate::target::Target;
use crate::{ErrorKind, Load, Outcome, Phase, Progress};
use std::time::Duration;
use workload::Users;

pub use crate::command::Command;

/// An event of a client. A client numbers its connections (slots) from 0.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    DeadlineReached,
    Connected {
        slot: usize,
    },
    /// The connection could not be opened.
    ConnectFailed {
        slot: usize,
        kind: ErrorKind,
        /// Its cause, in the words of the system or of TLS.
        cause: &'a str,
    },
    Received {
        slot: usize,
        bytes: &'a [u8],
    },
    /// The connection has ended: orderly, or broken.
    Closed {
        slot: usize,
        kind: ErrorKind,
    },
    /// The connection had ended before anything of the request was sent on it.
    NotSent {
        slot: usize,
    },
    /// In HTTP/2: the slot is a stream of a connection that is open already.
    Joined {
        slot: usize,
    },
    /// In HTTP/2: the last bytes of an answer have come, whose frames had `size` bytes.
    Ended {
        slot: usize,
        bytes: &'a [u8],
        size: u64,
    },
    /// In HTTP/2: the request gets no answer, because the server has given it up or breaks the rules.
    GivenUp {
        slot: usize,
        kind: ErrorKind,
    },
}

/// The clients of a load, and the record of their requests.
pub struct Clients<'a> {
    clients: Vec<Client>,
    deadlines: DeadlineHeap,
    pub(crate) shared: Shared<'a>,
    reported: LastReported,
}

impl<'a> Clients<'a> {
    /// The clients of a load, or of this process's shard of it.
    pub fn new(users: &'a Users<'a>, load: &'a Load, target: &'a Target) -> Self {
        let mut shared = Shared::new(users, load, target);
        let clients: Vec<_> = load.numbers().map(|number| Client::new(number, &mut shared)).collect();
        let deadlines = DeadlineHeap::new(clients.iter().map(Client::deadline));
        Self { clients, deadlines, shared, reported: LastReported::default() }
    }

    pub fn count(&self) -> usize {
        self.clients.len()
    }

    /// The limit of each client's connections.
    pub fn slots(&self) -> usize {
        self.shared.slots()
    }

    /// The earliest deadline and its client. [`Duration::MAX`] stands for a client that needs no more waking.
    pub fn earliest(&mut self) -> Option<(Duration, u32)> {
        self.deadlines.earliest()
    }

    /// Ends the window where it ends with what has happened: with an unanswered request, or with the last user's departure.
    /// Call it after each event.
    pub fn tick(&mut self, now: Duration) {
        let earliest = self.deadlines.earliest();
        self.shared.tick(now, earliest);
    }

    /// True if the load has ended at this instant.
    pub fn is_over(&mut self, now: Duration) -> bool {
        self.shared.recorder.reach(now);
        let earliest = self.deadlines.earliest();
        self.shared.is_over(now, earliest)
    }

    /// Begins a pause. Until [`Self::report_pause`] the driver delivers due answers but wakes no client.
    pub fn begin_pause(&mut self) {
        self.shared.is_pausing = true;
    }

    pub fn is_waiting(&self) -> bool {
        self.shared.waiting > 0
    }

    /// Delivers an event to a client. Execute the client's commands next.
    pub fn deliver(&mut self, client: u32, event: Event<'_>, now: Duration) {
        let (client, shared) = (&mut self.clients[client as usize], &mut self.shared);
        shared.recorder.reach(now);
        match event {
            Event::DeadlineReached => client.wake(shared, now),
            Event::Connected { slot } => client.connected(slot, shared, now),
            Event::ConnectFailed { slot, kind, cause } => {
                shared.recorder.cause(kind, || cause.to_owned());
                client.connect_failed(slot, shared, kind, now);
            }
            Event::Received { slot, bytes } => client.received(slot, shared, bytes, now),
            Event::Closed { slot, kind } => client.closed(slot, shared, kind, now),
            Event::NotSent { slot } => client.not_sent(slot, shared, now),
            Event::Joined { slot } => client.joined(slot, shared, now),
            Event::Ended { slot, bytes, size } => client.ended(slot, shared, bytes, size, now),
            Event::GivenUp { slot, kind } => client.given_up(slot, shared, kind, now),
        }
    }

    /// The client's next command, and for which connection. Ask until there is none.
    pub fn next_command(&mut self, client: u32) -> Option<(usize, Command)> {
        self.clients[client as usize].next_command(&mut self.shared)
    }

    /// The driver begins to execute [`Command::Open`] or one of those that send.
    pub fn started(&mut self, client: u32, now: Duration) {
        self.clients[client as usize].started(&mut self.shared, now);
    }

    /// The driver begins to connect for a slot that had to wait.
    pub(crate) fn opens(&mut self, client: u32, slot: usize, now: Duration) {
        self.clients[client as usize].opens(slot, now);
    }

    /// Puts a client's new deadline into force. Call it when all of the client's commands are executed.
    pub fn reschedule(&mut self, client: u32) {
        self.deadlines.set(client, self.clients[client as usize].deadline());
    }

    /// The bytes of [`Command::Send`].
    pub fn request(&self) -> &[u8] {
        &self.shared.to_send
    }

    /// Puts the bytes of [`Command::Send`] back, after other commands had theirs.
    pub(crate) fn set_request(&mut self, request: Vec<u8>) {
        self.shared.set_request(request);
    }

    /// True if a client has a request on which the driver has not begun.
    pub fn has_unstarted_request(&self, client: u32) -> bool {
        self.clients[client as usize].has_unstarted_request()
    }

    /// The instant of the next report if nothing happens until then.
    pub fn next_report(&self) -> Duration {
        self.reported.next(&self.shared.recorder)
    }

    /// The phase, if it or another second has begun at this instant: report it.
    pub fn new_phase(&mut self, now: Duration) -> Option<Phase> {
        self.shared.recorder.reach(now);
        self.reported.update(&self.shared.recorder, now)
    }

    /// Reports the progress, and does what `progress` returns. A driver itself executes [`Directive::Pause`].
    pub fn report(&mut self, now: Duration, progress: &mut dyn FnMut(Progress) -> Directive) -> Directive {
        directive::report_progress(&mut self.shared.recorder, now, progress)
    }

    /// Reports that no client waits for an answer. The pause ends when this returns.
    pub fn report_pause(&mut self, now: Duration, progress: ProgressHandler<'_>) -> Directive {
        self.shared.is_pausing = false;
        directive::report_pause(&mut self.shared.recorder, now, progress)
    }

    /// Ends the load with its window.
    pub fn finish(self) -> Outcome {
        let end = self.shared.recorder.window().end();
        self.finish_at(end, Duration::ZERO)
    }

    /// The instant at which the last reported phase ends or may end.
    pub(crate) fn phase_end(&self) -> Duration {
        self.reported.phase_end(&self.shared.recorder)
    }

    pub(crate) fn client(&self, client: u32) -> &Client {
        &self.clients[client as usize]
    }

    pub(crate) fn server_activity(&self) -> ServerActivity {
        self.shared.recorder.server_activity()
    }

    /// Ends the load. `cpu` is the generator's CPU time in the window.
    pub(crate) fn finish_at(mut self, now: Duration, cpu: Duration) -> Outcome {
        self.clients.iter().for_each(|client| client.end(&mut self.shared, now));
        self.shared.end();
        self.shared.recorder.finish(cpu)
    }
}
