//! A single connection for those who ask one thing after the other and look at each answer.

use crate::EngineError;
use crate::http::{self, HttpResponse, ResponseReader};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use workload::Method;

/// A persistent connection whose requests block. It reconnects by itself when the server has closed it.
#[derive(Debug)]
pub struct Connection {
    target: SocketAddr,
    host: String,
    timeout: Duration,
    stream: Option<TcpStream>,
}

impl Connection {
    /// Connects. `host` is what the `Host` header says; no single wait lasts longer than `timeout`.
    pub fn open(target: SocketAddr, host: &str, timeout: Duration) -> Result<Self, EngineError> {
        let mut connection = Self { target, host: host.to_owned(), timeout, stream: None };
        connection.stream = Some(connection.connect()?);
        Ok(connection)
    }

    /// Sends a request and waits for its answer, whatever its status. A GET is sent again, once, if the server has
    /// closed the connection before any byte of the answer came.
    pub fn request(
        &mut self,
        method: Method,
        path_and_query: &str,
        body: &str,
    ) -> Result<HttpResponse, EngineError> {
        let mut bytes = Vec::new();
        http::encode(method, path_and_query, body, &self.host, &mut bytes);
        self.raw(&bytes, method == Method::Get)
    }

    /// Sends these very bytes and waits for the answer: for requests that no browser would make.
    pub fn raw(&mut self, request: &[u8], may_repeat: bool) -> Result<HttpResponse, EngineError> {
        if let Some(stream) = self.stream.take().filter(is_open) {
            let mut reader = ResponseReader::default();
            match self.exchange(stream, request, &mut reader) {
                Err(EngineError::Exchange { source, .. })
                    if may_repeat && !reader.has_begun() && is_gone(&source) => {}
                result => return result,
            }
        }
        let stream = self.connect()?;
        self.exchange(stream, request, &mut ResponseReader::default())
    }

    /// Keeps the connection for the next request if the answer allows it.
    fn exchange(
        &mut self,
        mut stream: TcpStream,
        request: &[u8],
        reader: &mut ResponseReader,
    ) -> Result<HttpResponse, EngineError> {
        let target = self.target;
        let failed = |action| move |source| EngineError::Exchange { action, target, source };
        let unreadable = |source| EngineError::Answer { target, source };
        // A server that wants no more of a request may have answered before it closed.
        let sent = stream.write_all(request).map_err(failed("send a request to"));
        let mut buffer = vec![0; 64 << 10];
        let response = loop {
            match stream.read(&mut buffer) {
                Ok(0) if !reader.has_begun() => {
                    let eof = io::ErrorKind::UnexpectedEof.into();
                    return sent.and(Err(failed("get an answer from")(eof)));
                }
                Ok(0) => break reader.closed().map_err(unreadable)?,
                Ok(count) => {
                    if let Some(response) = reader.receive(&buffer[..count]).map_err(unreadable)? {
                        break response;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return sent.and(Err(failed("get an answer from")(error))),
            }
        };
        if response.keeps_alive && sent.is_ok() {
            self.stream = Some(stream);
        }
        Ok(response)
    }

    fn connect(&self) -> Result<TcpStream, EngineError> {
        let connect = || {
            let stream = TcpStream::connect_timeout(&self.target, self.timeout)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(self.timeout))?;
            stream.set_write_timeout(Some(self.timeout))?;
            Ok(stream)
        };
        connect().map_err(|source| EngineError::Exchange {
            action: "connect to",
            target: self.target,
            source,
        })
    }
}

/// Whether the other side has neither closed the connection nor sent anything on it unasked. Without a look, a request
/// that must not be sent twice would fail for no other reason than that the server keeps idle connections for a while only.
fn is_open(stream: &TcpStream) -> bool {
    let look = |stream: &TcpStream| {
        stream.set_nonblocking(true)?;
        let seen = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        seen
    };
    look(stream).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// Whether the other side has closed or broken the connection.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{net::TcpListener, thread};

    /// Answers one request and closes the connection, although it didn't say so.
    fn answer_once(listener: &TcpListener) {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
    }

    #[test]
    fn a_post_is_not_sent_on_a_connection_that_is_known_to_be_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut connection = Connection::open(address, "localhost", Duration::from_secs(5)).unwrap();
        for _ in 0..3 {
            thread::scope(|scope| {
                let server = scope.spawn(|| answer_once(&listener));
                assert_eq!(connection.request(Method::Post, "/", "a=1").unwrap().status, 200);
                server.join().unwrap();
            });
        }
    }
}
