//! Sockets with a deadline for a whole exchange. A timeout of each read never ends one whose other side sends a byte now and then.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

/// A socket whose single reads and writes can be limited.
pub trait Socket: Read + Write {
    /// Limits the next read and the next write.
    fn set_timeout(&self, limit: Duration) -> io::Result<()>;
}

impl Socket for TcpStream {
    fn set_timeout(&self, limit: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(limit)).and_then(|()| self.set_write_timeout(Some(limit)))
    }
}

impl Socket for UnixStream {
    fn set_timeout(&self, limit: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(limit)).and_then(|()| self.set_write_timeout(Some(limit)))
    }
}

/// A socket whose reads and writes fail after an instant.
#[derive(Debug)]
pub struct WithDeadline<S> {
    socket: S,
    deadline: Instant,
}

impl<S: Socket> WithDeadline<S> {
    /// The socket for so long from now.
    pub fn new(socket: S, limit: Duration) -> Self {
        Self { socket, deadline: Instant::now() + limit }
    }

    fn limit_next(&self) -> io::Result<()> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { self.socket.set_timeout(left) }
    }
}

impl<S: Socket> Read for WithDeadline<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.limit_next()?;
        self.socket.read(buffer)
    }
}

impl<S: Socket> Write for WithDeadline<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.limit_next()?;
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{iter, thread};

    #[test]
    fn an_exchange_ends_although_a_byte_comes_again_and_again() {
        let (own, mut other) = UnixStream::pair().unwrap();
        let sending = thread::spawn(move || {
            let until = Instant::now() + Duration::from_secs(20);
            while Instant::now() < until && other.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(10));
            }
            Instant::now() < until
        });
        let mut exchange = WithDeadline::new(own, Duration::from_millis(200));
        let mut reads = iter::repeat_with(|| exchange.read(&mut [0])).take(10_000);
        let fault = reads.find_map(Result::err).unwrap();
        assert!(matches!(fault.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock), "{fault}");
        drop(exchange);
        assert!(sending.join().unwrap(), "the other side went on sending");
    }
}
