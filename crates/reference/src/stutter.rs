//! A planted fault of a server: it sends a refusal twice.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The beginning of the refusal of a long body.
const REFUSAL: &[u8] = b"HTTP/1.1 413";

/// A connection on which each refusal of a long body is sent twice.
pub(crate) struct Stutter<S> {
    stream: S,
    /// The part that is still to be sent once more.
    again: Vec<u8>,
}

impl<S> Stutter<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, again: Vec::new() }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stutter<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stutter<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        if bytes.starts_with(REFUSAL) {
            self.again = bytes[..written].to_vec();
        }
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.again.is_empty() {
            let Self { stream, again } = &mut *self;
            let written = ready!(Pin::new(stream).poll_write(context, again))?;
            again.drain(..written);
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
