//! Hosts that are machines of their own: reached by a command, such as ssh, that carries everything (`docs/hosts.md`).

mod client;
mod files;
mod program;
mod protocol;
mod reach;
mod relay;
mod serve;
mod stream;

pub use client::monotonic;
pub(crate) use client::{Clocks, Remote, boot};
pub use program::RemoteProgram;
pub(crate) use protocol::Request;
pub use reach::Unreachable;
pub use relay::SocketRelay;
pub use serve::{ANSWER_VERB, SERVE_VERB, answer, serve};
pub use stream::PipeEnd;
pub(crate) use stream::RemoteStream;
