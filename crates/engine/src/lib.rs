//! The load generator: emulated clients with sessions, think times and persistent connections, and a record of each
//! request.
//!
//! The clients of HTTP/1.1 ([`http`]) and of HTTP/2 and the emulated clients ([`clients`]) do no I/O and know no clock. [`drive`] runs
//! them against a real server, on one thread with epoll. The crate `simulation` runs the same clients against a server
//! model in virtual time, where queueing theory predicts the results. Both fill the same [`Outcome`].
//!
//! A request has three instants. It is *intended* when the user's think time is over, *sent* when its bytes go out, and
//! *done* when its answer is complete or it has failed. Response times are measured from intended to done: they include
//! waiting for a connection, and the generator's own lateness. In a closed load, a user sends nothing before the last
//! answer has arrived, so that no samples are synthetic.

mod browser;
mod carrier;
mod client;
pub mod clients;
mod command;
mod connection;
mod deadline_heap;
mod directive;
mod driver;
mod error;
mod histogram_text;
pub mod http;
mod http2;
mod liveness;
mod load;
mod outcome;
mod pace;
mod recorder;
mod sent_writes;
mod slot;
mod socket;
mod target;
mod window;

pub use browser::Browser;
pub use client::connections_per_client;
pub use connection::Connection;
pub use directive::Directive;
pub use driver::{OTHER_FILES, drive, drive_until};
pub use error::{EngineError, ErrorKind};
pub use http::{HttpError, HttpResponse, Outgoing, ResponseReader};
pub use load::{Load, Phase, Progress, Shard};
pub use outcome::{
    Answers, Connections, Ended, GeneratorShare, InteractionStats, Outcome, SecondCounts, SecondLatencies,
    Sum, Tally, Transitions, Visitor, VisitorEnding, VisitorRequest, WriteFates,
};
pub use sent_writes::SentWrites;
pub use target::{Endpoint, SecureEndpoint, SiteAddress, Target};
pub use window::Stretch;
pub use workload::{Account, Header, How, LoadKind, SiteProtocol, Users};
