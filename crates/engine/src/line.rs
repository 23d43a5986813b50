//! One of a client's connections, as far as the client knows of it.

use crate::client::Todo;
use crate::http::ResponseReader;
use crate::recorder::Opening;
use std::time::Duration;

/// A connection: closed, on its way, or open; idle, or with a request whose answer is awaited.
pub(crate) struct Line {
    /// Whether it is for requests over TLS.
    pub is_secure: bool,
    /// What is, or is about to be, requested on it.
    pub carries: Option<Carried>,
    /// What the driver has to do with it.
    pub todo: Todo,
    pub reader: ResponseReader,
    state: State,
}

/// What a request is for.
pub(crate) enum Carried {
    Page,
    /// Something that the page embeds, at this path.
    File(Box<str>),
}

#[derive(Clone, Copy)]
enum State {
    /// With the reason for the next connection.
    Closed(Opening),
    Opening {
        why: Opening,
        since: Duration,
    },
    Open {
        /// Whether it has carried an answer.
        is_used: bool,
    },
}

impl Line {
    pub fn new(is_secure: bool) -> Self {
        let state = State::Closed(Opening::New);
        Self { is_secure, carries: None, todo: Todo::Nothing, reader: ResponseReader::default(), state }
    }

    pub fn is_opening(&self) -> bool {
        matches!(self.state, State::Opening { .. })
    }

    pub fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed(_))
    }

    /// Whether it can take a request at once.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Open { .. }) && self.carries.is_none()
    }

    /// Whether it has carried an answer before.
    pub fn is_reused(&self) -> bool {
        matches!(self.state, State::Open { is_used: true })
    }

    /// Why a connection must be opened before a request is sent; nothing where one is open.
    pub fn why_closed(&self) -> Option<Opening> {
        match self.state {
            State::Closed(why) => Some(why),
            State::Opening { .. } | State::Open { .. } => None,
        }
    }

    pub fn begin_opening(&mut self, why: Opening, now: Duration) {
        self.state = State::Opening { why, since: now };
    }

    /// The connection is there: why it was opened and how long that took, if it was awaited.
    pub fn opened(&mut self, now: Duration) -> Option<(Opening, Duration)> {
        let State::Opening { why, since } = self.state else { return None };
        self.state = State::Open { is_used: false };
        Some((why, now.saturating_sub(since)))
    }

    /// A request goes out on it. What embedded files contain, nobody looks at; whether somebody `reads` pages is reported.
    pub fn expect_answer(&mut self, reads: bool) {
        self.reader = match self.carries {
            Some(Carried::Page) if reads => ResponseReader::default(),
            _ => ResponseReader::counting(),
        };
    }

    /// The answer is whole: what it is an answer to.
    pub fn answered(&mut self, keeps_alive: bool) -> Option<Carried> {
        self.state = if keeps_alive { State::Open { is_used: true } } else { State::Closed(Opening::New) };
        self.carries.take()
    }

    /// An idle connection has ended.
    pub fn lose(&mut self) {
        if matches!(self.state, State::Open { .. }) {
            self.state = State::Closed(Opening::Reconnect);
        }
    }

    /// The connection is given up, whatever is on its way on it. Whether the driver has to close it.
    pub fn leave(&mut self) -> bool {
        let was_closed = self.is_closed();
        self.carries = None;
        self.reader = ResponseReader::default();
        self.state = State::Closed(Opening::New);
        if !was_closed {
            self.todo = Todo::Close;
        }
        !was_closed
    }
}
