//! Emulated users: clients with sessions, think times and persistent connections, and an honest record of what each
//! of their requests took.
//!
//! The HTTP/1.1 client ([`http`]) and the emulated user (`client`) do no I/O and know no clock. Two drivers move
//! them: [`drive`] against a real server, on one thread with epoll, and [`simulate`] against a server model in
//! virtual time, where years of use pass in seconds and queueing theory says what must come out. Both fill the same
//! [`Outcome`].
//!
//! A request has three instants. It is *intended* when the user's think time is over, *sent* when its bytes go out,
//! and *done* when its answer is complete or it has failed. Response times are measured from intended to done:
//! waiting for a connection, or for a generator that is late, belongs to them. Users never send before their last
//! answer is there, so no samples are made up.

mod browser;
mod client;
mod connection;
mod deadline_heap;
mod directive;
mod driver;
mod error;
pub mod http;
mod line;
mod liveness;
mod load;
mod outcome;
mod pace;
mod queue_server;
mod recorder;
mod simulator;
mod target;
mod window;
mod wire;

pub use browser::Browser;
pub use client::connections_per_client;
pub use connection::Connection;
pub use directive::Directive;
pub use driver::{drive, drive_until};
pub use error::{EngineError, ErrorKind};
pub use http::{HttpError, HttpResponse, Outgoing};
pub use load::{Arrivals, Load, Phase, Progress};
pub use outcome::{
    Answers, Connections, Ended, InteractionFigures, Outcome, Second, SecondLatencies, Sum, Tally,
    Transitions, WriteFates,
};
pub use pace::{Pace, Spacing};
pub use queue_server::QueueServer;
pub use simulator::{Answer, GeneratorFaults, VirtualServer, simulate, simulate_until, simulate_with_faults};
pub use target::{Endpoint, SecureEndpoint, Target};
pub use window::Stretch;
pub use workload::{Account, Header, How, Users};
