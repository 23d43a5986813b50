//! Streams of bytes to programs on a host: to their sockets, and into named pipes that they read.

use super::{Remote, Request};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
    time::Timespec,
};
use std::{
    fs::File,
    io::{self, Write as _},
    sync::Arc,
};

/// A stream to a program on another machine.
#[derive(Debug)]
pub(crate) struct RemoteStream {
    host: Arc<Remote>,
    number: u64,
}

impl RemoteStream {
    pub(crate) fn new(host: &Arc<Remote>, number: u64) -> Self {
        Self { host: Arc::clone(host), number }
    }

    /// The next bytes; none at the end.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        Ok(self.host.call::<()>(Request::ReadStream(self.number), &[])?.1)
    }

    /// Waits until all bytes are taken.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.host.call::<()>(Request::WriteStream(self.number), bytes).map(drop)
    }

    /// Shows the program that no more bytes come.
    pub(crate) fn end(&self) -> io::Result<()> {
        self.host.ask(Request::EndStream(self.number))
    }
}

impl Drop for RemoteStream {
    fn drop(&mut self) {
        // A lost host has closed it.
        let _ = self.host.ask::<()>(Request::CloseStream(self.number));
    }
}

/// The writing end of a named pipe on a host. Its drop is the end of the data.
#[derive(Debug)]
pub enum PipeEnd {
    Here(File),
    There(PipeThere),
}

/// The writing end of a named pipe on another machine.
#[derive(Debug)]
pub struct PipeThere(RemoteStream);

/// Interval of checks for cancellation while the pipe is full.
const STOP_CHECK_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// Bytes of one call.
const CHUNK: usize = 1 << 18;

impl PipeEnd {
    pub(crate) fn there(host: &Arc<Remote>, number: u64) -> Self {
        Self::There(PipeThere(RemoteStream::new(host, number)))
    }

    /// Waits until the pipe has taken all bytes. An error if the reader is gone, or soon after `is_over` becomes true.
    pub fn write(&mut self, bytes: &[u8], is_over: &dyn Fn() -> bool) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if is_over() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            match self.write_some(rest) {
                Ok(taken) => rest = &rest[taken..],
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::There(PipeThere(stream)) => {
                let chunk = &bytes[..bytes.len().min(CHUNK)];
                stream.write(chunk)?;
                Ok(chunk.len())
            }
            Self::Here(pipe) => match pipe.write(bytes) {
                Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => {
                    match poll(&mut [PollFd::new(&*pipe, PollFlags::OUT)], Some(&STOP_CHECK_INTERVAL)) {
                        Ok(_) | Err(Errno::INTR) => Ok(0),
                        Err(fault) => Err(fault.into()),
                    }
                }
                taken => taken,
            },
        }
    }
}
