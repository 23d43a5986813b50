//! A non-blocking connection, plain or over TLS, with a buffer for bytes that could not be written at once.

use crate::http2;
use crate::target::SecureEndpoint;
use mio::net::TcpStream;
use rustls::{AlertDescription, ClientConfig, ClientConnection};
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Batches of records without data that are taken at once.
const RECORDS_AT_ONCE: usize = 64;

/// Limit of what a connection over TLS has not sent yet: no request is longer, and a server that reads nothing gets no more answers
/// to its own questions.
const MOST_UNSENT: usize = 16 << 20;

/// A client's connection; without a stream, none.
#[derive(Default)]
pub(crate) struct Socket {
    stream: Option<TcpStream>,
    tls: Option<Box<ClientConnection>>,
    /// Only of a plain connection. TLS has its own buffer.
    unsent: Vec<u8>,
    /// True if it takes no more, so that only what has come is read.
    pub has_failed: bool,
}

impl Socket {
    /// A connection that is being opened; with `secure`, over TLS, with the session state of the user's browser.
    pub fn new(
        stream: TcpStream,
        secure: Option<(&SecureEndpoint, Arc<ClientConfig>)>,
    ) -> Result<Self, rustls::Error> {
        let mut tls = secure.map(|(endpoint, known)| endpoint.begin(known)).transpose()?.map(Box::new);
        if let Some(tls) = &mut tls {
            tls.set_buffer_limit(Some(MOST_UNSENT));
        }
        Ok(Self { stream: Some(stream), tls, unsent: Vec::new(), has_failed: false })
    }

    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// True if HTTP/2 was agreed on.
    pub fn is_http2(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.alpn_protocol() == Some(http2::ALPN))
    }

    pub fn is_open(&self) -> bool {
        self.stream.is_some()
    }

    /// True if a short read means that everything was read. Over TLS, records may hold a rest.
    pub fn signals_end_by_short_reads(&self) -> bool {
        self.tls.is_none()
    }

    /// True if the connection can carry a request: it is open, and the TLS handshake is complete.
    pub fn establish(&mut self) -> io::Result<bool> {
        let Some(stream) = &mut self.stream else { return Ok(false) };
        if let Some(error) = stream.take_error()? {
            return Err(error);
        }
        // Without a peer the connection is still being opened.
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

    /// Reads what has arrived: 0 bytes at the end of the stream, an error of the kind `WouldBlock` if nothing has, and of
    /// the kind `Interrupted` if only records without data have.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(stream) = &mut self.stream else { return Err(io::ErrorKind::NotConnected.into()) };
        let Some(tls) = &mut self.tls else { return stream.read(buffer) };
        let mut records = 0;
        loop {
            match tls.reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            if !take_records(tls, stream)? {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            flush(tls, stream)?;
            records += 1;
            if records == RECORDS_AT_ONCE {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
    }

    /// Writes without blocking, and keeps the rest until the connection is writable.
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

    /// Writes the rest when the connection is writable.
    pub fn write_rest(&mut self) -> io::Result<()> {
        match (&mut self.tls, &mut self.stream) {
            (Some(tls), Some(stream)) => flush(tls, stream),
            _ => {
                let bytes = std::mem::take(&mut self.unsent);
                self.write(&bytes)
            }
        }
    }

    /// True if a rest is still to be written.
    pub fn has_unsent(&self) -> bool {
        !self.unsent.is_empty() || self.tls.as_ref().is_some_and(|tls| tls.wants_write())
    }

    /// True if the peer has closed or broken the connection, or has sent something unasked, which is treated alike. Events
    /// report it too, but later.
    pub fn has_ended(&mut self) -> bool {
        let would_block = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        let ended = match (&self.stream, &self.tls) {
            (None, _) => return true,
            (Some(stream), None) => stream.peek(&mut [0]),
            // Servers may send session tickets at any time, which are no answer.
            (Some(_), Some(_)) => self.read(&mut [0]),
        };
        !ended.is_err_and(would_block)
    }
}

/// Feeds received records into TLS. Returns whether there were any.
fn take_records(tls: &mut ClientConnection, stream: &mut TcpStream) -> io::Result<bool> {
    loop {
        match tls.read_tls(stream) {
            Ok(0) if tls.is_handshaking() => {
                let fault = "the server closed the connection during the TLS handshake";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, fault));
            }
            Ok(_) => {
                tls.process_new_packets().map_err(|error| match error {
                    rustls::Error::AlertReceived(AlertDescription::NoApplicationProtocol) => {
                        http2::not_spoken()
                    }
                    error => io::Error::new(io::ErrorKind::InvalidData, error),
                })?;
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
    fn an_ended_connection_is_detected_before_use() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let connected = || {
            let ours = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            ours.set_nonblocking(true).unwrap();
            (Socket::new(TcpStream::from_std(ours), None).unwrap(), listener.accept().unwrap().0)
        };
        let (mut socket, theirs) = connected();
        assert!(!socket.has_ended());
        // On the loopback, the peer sees the effect when the call returns.
        drop(theirs);
        assert!(socket.has_ended());
        let (mut socket, mut theirs) = connected();
        theirs.write_all(b"HTTP/1.1 408 Request Timeout\r\n").unwrap();
        assert!(socket.has_ended());
        assert!(Socket::default().has_ended());
    }
}
