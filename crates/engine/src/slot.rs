//! One of a client's connections, from the client's view.

use crate::command::Command;
use crate::http::ResponseReader;
use crate::recorder::Opening;
use std::time::Duration;

/// A connection: closed, opening, or open; idle, or with a request whose answer is awaited.
pub(crate) struct Slot {
    /// True if it is for requests over TLS.
    pub is_secure: bool,
    /// The request that is, or is about to be, sent on it.
    pub requested: Option<Requested>,
    pub command: Option<Command>,
    pub reader: ResponseReader,
    state: ConnectionState,
    /// How often the request was not begun with.
    refusals: u8,
}

pub(crate) enum Requested {
    Page,
    /// An embedded file, with its path, and the number of redirects that led to it.
    File {
        path: Box<str>,
        redirects: u8,
    },
}

#[derive(Clone, Copy)]
enum ConnectionState {
    /// With the reason for the next connection.
    Closed(Opening),
    Opening {
        why: Opening,
        since: Duration,
    },
    Open {
        /// True if it has carried an answer.
        is_used: bool,
    },
}

impl Slot {
    pub fn new(is_secure: bool) -> Self {
        let state = ConnectionState::Closed(Opening::New);
        Self {
            is_secure,
            requested: None,
            command: None,
            reader: ResponseReader::default(),
            state,
            refusals: 0,
        }
    }

    pub fn is_opening(&self) -> bool {
        matches!(self.state, ConnectionState::Opening { .. })
    }

    pub fn is_closed(&self) -> bool {
        matches!(self.state, ConnectionState::Closed(_))
    }

    /// True if it can take a request at once.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, ConnectionState::Open { .. }) && self.requested.is_none()
    }

    pub fn is_reused(&self) -> bool {
        matches!(self.state, ConnectionState::Open { is_used: true })
    }

    /// The reason to open a connection before a request is sent; none if one is open.
    pub fn why_closed(&self) -> Option<Opening> {
        match self.state {
            ConnectionState::Closed(why) => Some(why),
            ConnectionState::Opening { .. } | ConnectionState::Open { .. } => None,
        }
    }

    pub fn begin_opening(&mut self, why: Opening, now: Duration) {
        self.state = ConnectionState::Opening { why, since: now };
    }

    /// Records that the connection is being opened only now.
    pub fn opens(&mut self, now: Duration) {
        if let ConnectionState::Opening { since, .. } = &mut self.state {
            *since = now;
        }
    }

    /// Records that the connection is open. Returns the reason and the duration of an awaited opening.
    pub fn opened(&mut self, now: Duration) -> Option<(Opening, Duration)> {
        let ConnectionState::Opening { why, since } = self.state else { return None };
        self.state = ConnectionState::Open { is_used: false };
        Some((why, now.saturating_sub(since)))
    }

    /// Records that it is a stream of a connection that is open already.
    pub fn joined(&mut self) {
        if self.is_opening() {
            self.state = ConnectionState::Open { is_used: true };
        }
    }

    /// Records that a request goes out on it. The body of an answer is kept only if it is a page and the client `reads`
    /// pages. The answer may be `framed`.
    pub fn expect_answer(&mut self, reads: bool, is_framed: bool) {
        let reader = match self.requested {
            Some(Requested::Page) if reads => ResponseReader::default(),
            _ => ResponseReader::counting(),
        };
        self.reader = if is_framed { reader.framed() } else { reader };
    }

    /// Records that no server has begun with the request. Returns how often that was so.
    pub fn refused(&mut self) -> u8 {
        self.refusals = self.refusals.saturating_add(1);
        self.refusals
    }

    /// Records that the answer is complete. Returns the request that it answers.
    pub fn answered(&mut self, keeps_alive: bool) -> Option<Requested> {
        self.state = if keeps_alive {
            ConnectionState::Open { is_used: true }
        } else {
            ConnectionState::Closed(Opening::New)
        };
        self.refusals = 0;
        self.requested.take()
    }

    /// Records the end of an idle connection.
    pub fn lose(&mut self) {
        if matches!(self.state, ConnectionState::Open { .. }) {
            self.state = ConnectionState::Closed(Opening::Reconnect);
        }
    }

    /// Gives up the connection and its request. Returns whether the driver has to close it.
    pub fn leave(&mut self) -> bool {
        let was_closed = self.is_closed();
        self.requested = None;
        self.refusals = 0;
        self.reader = ResponseReader::default();
        self.state = ConnectionState::Closed(Opening::New);
        if !was_closed {
            self.command = Some(Command::Close);
        }
        !was_closed
    }
}
