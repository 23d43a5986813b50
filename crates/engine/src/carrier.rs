//! The connection of HTTP/2 that carries all of a client's requests over TLS.

use crate::http2::Http2;

/// A client's connection. Its slots are the streams.
#[derive(Default)]
pub(crate) struct Carrier {
    pub http2: Http2,
    /// The browser that has opened it.
    pub browser: u32,
    /// True once requests can be sent on it.
    pub is_established: bool,
    /// The slots that wait for it.
    pub joining: Vec<usize>,
    /// True while what has come is taken apart: what is to be written waits until all of it is.
    pub is_taking: bool,
}

impl Carrier {
    /// A connection that one of a browser's slots opens.
    pub fn new(browser: u32, slot: usize) -> Self {
        Self { browser, joining: vec![slot], ..Self::default() }
    }

    /// True if the server is about to close it, and all answers that are still due have come.
    pub fn is_over(&self) -> bool {
        self.http2.is_ending() && self.http2.is_idle()
    }
}
