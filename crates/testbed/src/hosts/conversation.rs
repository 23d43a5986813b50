//! Conversations with the laboratory's own executable on a host, by lines over its standard input and output.

use super::HostHandle;
use crate::remote::{RemoteStream, Request};
use std::{
    io::{self, Read, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, ChildStdin, Stdio},
    sync::Arc,
};

/// A running helper of the laboratory. Its standard input closes with this, and it must then end.
#[derive(Debug)]
pub struct Conversation {
    side: Side,
}

#[derive(Debug)]
enum Side {
    Here { process: Child, input: Option<ChildStdin> },
    There(Arc<RemoteStream>),
}

/// The output of a helper.
pub type Said = Box<dyn Read + Send>;

impl HostHandle {
    /// Starts the laboratory's executable there with these words. Ctrl-C at a terminal does not reach it.
    pub fn converse(&self, executable: &Path, words: &[&str]) -> io::Result<(Conversation, Said)> {
        if let Some(remote) = self.connection() {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            let number = remote.ask(Request::Converse(words))?;
            let stream = Arc::new(RemoteStream::new(remote, number));
            let said = Box::new(RemoteOutput { stream: Arc::clone(&stream), rest: Vec::new() });
            return Ok((Conversation { side: Side::There(stream) }, said));
        }
        let mut command = self.command(executable, executable);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut process = command.spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let output = output.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((Conversation { side: Side::Here { process, input } }, Box::new(output)))
    }

    /// By how many seconds the clock that nobody sets is ahead of that of this machine.
    pub fn monotonic_ahead_s(&self) -> io::Result<f64> {
        self.connection().map_or(Ok(0.0), |remote| Ok(remote.clock()?.monotonic_ahead_s))
    }
}

impl Conversation {
    pub fn tell(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.side {
            Side::Here { input: Some(input), .. } => input.write_all(bytes),
            Side::Here { input: None, .. } => Err(io::ErrorKind::BrokenPipe.into()),
            Side::There(stream) => stream.write(bytes),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        match &mut self.side {
            Side::Here { process, input } => {
                drop(input.take());
                let _ = process.wait();
            }
            // A lost host has ended it.
            Side::There(stream) => drop(stream.end()),
        }
    }
}

/// The output of a helper on another machine.
struct RemoteOutput {
    stream: Arc<RemoteStream>,
    rest: Vec<u8>,
}

impl Read for RemoteOutput {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.stream.read()?;
        }
        let count = self.rest.len().min(into.len());
        into[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}
