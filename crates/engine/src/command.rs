//! Commands of clients for their driver.

/// A command for one of a client's connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Closes the connection, if there is one.
    Close,
    /// Opens a connection in place of any other; the result is [`Event::Connected`](crate::clients::Event::Connected) or
    /// [`Event::ConnectFailed`](crate::clients::Event::ConnectFailed).
    Open,
    /// Sends [`Clients::request`](crate::clients::Clients::request) on the connection. If that is impossible, the result
    /// is [`Event::NotSent`](crate::clients::Event::NotSent).
    Send,
    /// Sends likewise, but only if the connection is still open.
    SendIfOpen,
}
