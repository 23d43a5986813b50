//! Errors of requests, and of whole loads.

use crate::http::HttpError;
use std::{fmt, io, net::SocketAddr, time::Duration};
use thiserror::Error;

/// The reason why a request brought no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// Nothing listens on the port.
    ConnectRefused,
    /// Connecting failed for another reason.
    ConnectFailed,
    /// No TLS could be agreed on: the certificate isn't trusted, or the server speaks another protocol.
    TlsFailed,
    /// No answer in time.
    Timeout,
    /// The server closed the connection before its answer was complete.
    Closed,
    /// The connection broke before the answer was complete.
    Reset,
    /// The server closed a kept-alive connection while a request was sent on it that must not be sent twice (RFC 9110,
    /// 9.2.2), and no byte of an answer came. A server may close an idle connection, but the user doesn't know whether
    /// the request was executed. A server that crashes looks the same, so that a verdict limits these errors too.
    KeepAliveRace,
    /// The answer breaks the rules of HTTP.
    Malformed,
    /// The answer is larger than a page may be.
    TooLarge,
    /// A status from 400 to 499 other than 409, which is a refusal and no error.
    ClientStatus,
    /// A status from 500 to 599.
    ServerStatus,
    /// An answer that is no page: a redirect, another unexpected status, or a write that acknowledges no row.
    UnexpectedPage,
    /// The page of another user: whoever sees one sees what is not meant for him.
    OfAnother,
}

impl ErrorKind {
    pub const ALL: [Self; 13] = [
        Self::ConnectRefused,
        Self::ConnectFailed,
        Self::TlsFailed,
        Self::Timeout,
        Self::Closed,
        Self::Reset,
        Self::KeepAliveRace,
        Self::Malformed,
        Self::TooLarge,
        Self::ClientStatus,
        Self::ServerStatus,
        Self::UnexpectedPage,
        Self::OfAnother,
    ];

    pub fn index(self) -> usize {
        self as usize
    }

    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::ConnectRefused => "connect-refused",
            Self::ConnectFailed => "connect-failed",
            Self::TlsFailed => "tls-failed",
            Self::Timeout => "timeout",
            Self::Closed => "closed",
            Self::Reset => "reset",
            Self::KeepAliveRace => "keep-alive-race",
            Self::Malformed => "malformed",
            Self::TooLarge => "too-large",
            Self::ClientStatus => "status-4xx",
            Self::ServerStatus => "status-5xx",
            Self::UnexpectedPage => "unexpected-page",
            Self::OfAnother => "page-of-another",
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Self::ConnectRefused => "nothing listens on the port",
            Self::ConnectFailed => "no connection could be made",
            Self::TlsFailed => "TLS could not be agreed on",
            Self::Timeout => "no answer in time",
            Self::Closed => "the server closed the connection before its answer was complete",
            Self::Reset => "the connection broke before the answer was complete",
            Self::KeepAliveRace => "the server closed an idle connection while the request was sent",
            Self::Malformed => "the answer breaks the rules of HTTP",
            Self::TooLarge => "the answer is larger than a page may be",
            Self::ClientStatus => "a status from 400 to 499",
            Self::ServerStatus => "a status from 500 to 599",
            Self::UnexpectedPage => "an answer that is no page",
            Self::OfAnother => "the page of another user",
        }
    }

    /// True if the server sent an answer at all.
    pub(crate) fn is_answer(self) -> bool {
        matches!(
            self,
            Self::Malformed
                | Self::TooLarge
                | Self::ClientStatus
                | Self::ServerStatus
                | Self::UnexpectedPage
                | Self::OfAnother
        )
    }

    /// The kind of a failure to connect.
    pub(crate) fn of_connect(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::ConnectRefused,
            // A handshake that is refused, or not understood, or not answered.
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Self::TlsFailed,
            _ => Self::ConnectFailed,
        }
    }

    /// The kind of a response that can't be read.
    pub(crate) fn of_response(fault: &HttpError) -> Self {
        match fault {
            HttpError::BodyTooLong(_) | HttpError::HeadTooLong | HttpError::AsideTooLong => Self::TooLarge,
            _ => Self::Malformed,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason why a load ended without an outcome, or a single request without an answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    #[error("nothing answers at {target}: no connection succeeded for {} s ({failures} attempts failed, the last one with {last}{}){}", .lasted.as_secs(), because(.cause), remedy(*.last))]
    NothingAnswers {
        target: SocketAddr,
        /// The time without an answer.
        lasted: Duration,
        /// Failed attempts in that time.
        failures: u64,
        last: ErrorKind,
        /// Its cause in the words of the system or of TLS; may be empty.
        cause: String,
    },
    #[error("{target} turns most clients away: in the last {} s, {failures} attempts to connect failed (the last one with {last}) and {answers} answers came; raise the server's connection limit and backlog, or use fewer clients", .lasted.as_secs())]
    TurnedAway {
        target: SocketAddr,
        lasted: Duration,
        /// Failed attempts in that time.
        failures: u64,
        answers: u64,
        last: ErrorKind,
    },
    #[error(
        "the application has secure interactions, but the site at {target} has no TLS; give its entry a port called `https`"
    )]
    NotSecure { target: SocketAddr },
    #[error(
        "{clients} clients need {needed} open files, but this process may open {allowed}; raise the hard limit (ulimit -Hn) or use fewer clients"
    )]
    TooFewFiles {
        clients: u32,
        /// Files open at once.
        needed: u64,
        /// The hard limit.
        allowed: u64,
    },
    /// The operating system refused something that the driver needs.
    #[error("failed to {action}")]
    System {
        action: &'static str,
        #[source]
        source: io::Error,
    },
    /// A worker that drives a shard of the load failed.
    #[error("{fault}")]
    Worker {
        /// The worker's own words.
        fault: String,
    },
    #[error(
        "the windows of the workers were not at the same time: one of them got no CPU for more than a second; stop other programs, or use fewer workers or clients"
    )]
    UnequalWindows,
    /// A single request's connection failed.
    #[error("failed to {action} {target}")]
    Exchange {
        /// The attempted action, such as `connect to`.
        action: &'static str,
        target: SocketAddr,
        #[source]
        source: io::Error,
    },
    #[error("{target} sent an invalid HTTP response")]
    Answer {
        target: SocketAddr,
        #[source]
        source: HttpError,
    },
}

fn because(cause: &str) -> String {
    if cause.is_empty() { String::new() } else { format!(": {cause}") }
}

fn remedy(last: ErrorKind) -> &'static str {
    match last {
        ErrorKind::TlsFailed => {
            "; name the authority that signed its certificate with --ca, or mend the certificate"
        }
        _ => "; is the server running and listening there?",
    }
}

impl EngineError {
    /// For `map_err`: adds the attempted action.
    pub(crate) fn system<E: Into<io::Error>>(action: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::System { action, source: source.into() }
    }
}
