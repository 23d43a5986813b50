//! A connection that never blocks, in the clear or over TLS, with what could not be written at once.

use crate::target::SecureEndpoint;
use mio::net::TcpStream;
use rustls::{ClientConfig, ClientConnection};
use std::io::{self, Read, Write};
use std::sync::Arc;

/// A client's connection; without a stream, none.
#[derive(Default)]
pub(crate) struct Wire {
    stream: Option<TcpStream>,
    tls: Option<Box<ClientConnection>>,
    /// Of a connection in the clear. TLS keeps its own.
    unsent: Vec<u8>,
}

impl Wire {
    /// A connection that is on its way; with `secure`, over TLS, by what the user's browser knows of it.
    pub fn new(
        stream: TcpStream,
        secure: Option<(&SecureEndpoint, Arc<ClientConfig>)>,
    ) -> Result<Self, rustls::Error> {
        let tls = secure.map(|(endpoint, known)| endpoint.begin(known)).transpose()?.map(Box::new);
        Ok(Self { stream: Some(stream), tls, unsent: Vec::new() })
    }

    pub fn close(&mut self) {
        *self = Self::default();
    }

    pub fn is_open(&self) -> bool {
        self.stream.is_some()
    }

    /// Whether all of it is read where a read brought less than it could: not so where records hold back a rest.
    pub fn tells_end_by_short_reads(&self) -> bool {
        self.tls.is_none()
    }

    /// Whether the connection can carry a request by now: it is made, and TLS has shaken hands.
    pub fn establish(&mut self) -> io::Result<bool> {
        let Some(stream) = &mut self.stream else { return Ok(false) };
        if let Some(error) = stream.take_error()? {
            return Err(error);
        }
        // Without a peer the connection is still on its way.
        if stream.peer_addr().is_err() {
            return Ok(false);
        }
        let Some(tls) = &mut self.tls else { return Ok(true) };
        while tls.is_handshaking() {
            flush(tls, stream)?;
            if !take_records(tls, stream)? {
                return Ok(false);
            }
        }
        flush(tls, stream)?;
        Ok(true)
    }

    /// Reads what is there: nothing at the end of the stream, an error of the kind `WouldBlock` where nothing is.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(stream) = &mut self.stream else { return Err(io::ErrorKind::NotConnected.into()) };
        let Some(tls) = &mut self.tls else { return stream.read(buffer) };
        loop {
            match tls.reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            if !take_records(tls, stream)? {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            flush(tls, stream)?;
        }
    }

    /// Writes what can be written, and keeps the rest until the connection is writable.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        if let Some(tls) = &mut self.tls {
            tls.writer().write_all(bytes)?;
            return flush(tls, stream);
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            match stream.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.unsent = rest.to_vec();
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The connection is writable: writes what was left.
    pub fn write_rest(&mut self) -> io::Result<()> {
        match (&mut self.tls, &mut self.stream) {
            (Some(tls), Some(stream)) => flush(tls, stream),
            _ => {
                let bytes = std::mem::take(&mut self.unsent);
                self.write(&bytes)
            }
        }
    }

    /// Whether something is still to be written.
    pub fn has_unsent(&self) -> bool {
        !self.unsent.is_empty() || self.tls.as_ref().is_some_and(|tls| tls.wants_write())
    }

    /// Whether the other side has closed or broken the connection, or has sent what nobody asked for, which comes to
    /// the same: events tell it too, but only when their turn has come.
    pub fn has_ended(&mut self) -> bool {
        let would_block = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        let ended = match (&self.stream, &self.tls) {
            (None, _) => return true,
            (Some(stream), None) => stream.peek(&mut [0]),
            // Servers hand out tickets whenever they like, which is no answer.
            (Some(_), Some(_)) => self.read(&mut [0]),
        };
        !ended.is_err_and(would_block)
    }
}

/// Takes what has come into the state of TLS. Whether anything had.
fn take_records(tls: &mut ClientConnection, stream: &mut TcpStream) -> io::Result<bool> {
    loop {
        match tls.read_tls(stream) {
            Ok(0) if tls.is_handshaking() => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {
                tls.process_new_packets()
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                return Ok(true);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes records until there are no more, or the socket takes none.
fn flush(tls: &mut ClientConnection, stream: &mut TcpStream) -> io::Result<()> {
    while tls.wants_write() {
        match tls.write_tls(stream) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};

    #[test]
    fn a_connection_that_has_ended_is_noticed_before_it_is_used() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let connected = || {
            let ours = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            ours.set_nonblocking(true).unwrap();
            (Wire::new(TcpStream::from_std(ours), None).unwrap(), listener.accept().unwrap().0)
        };
        let (mut wire, theirs) = connected();
        assert!(!wire.has_ended());
        // On the loopback what one side does is there on the other when the call returns.
        drop(theirs);
        assert!(wire.has_ended());
        let (mut wire, mut theirs) = connected();
        theirs.write_all(b"HTTP/1.1 408 Request Timeout\r\n").unwrap();
        assert!(wire.has_ended());
        assert!(Wire::default().has_ended());
    }
}
