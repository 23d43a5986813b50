//! Single connections for callers that send one request after the other and read each answer.

use crate::EngineError;
use crate::http::{self, HttpResponse, Outgoing, ResponseReader};
use crate::http2::{self, Http2, Part};
use crate::target::{SecureEndpoint, Target};
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use workload::Method;

/// The longest wait for the peer before the limit and the stop flag are looked at again.
const SLICE: Duration = Duration::from_millis(200);

/// The stop flag of a connection that nobody interrupts.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Persistent connections to a site, one plain and one over TLS, with blocking requests. Each is opened when it is
/// needed, and reopened when the server has closed it. Where browsers speak HTTP/2, a third one does as well.
#[derive(Debug)]
pub struct Connection<'a> {
    target: Target,
    /// The limit of a request with its whole answer.
    timeout: Duration,
    stop: &'a AtomicBool,
    plain: Option<Stream<'a>>,
    secure: Option<Stream<'a>>,
    /// The one that speaks HTTP/2, where browsers do.
    http2: Option<(Stream<'a>, Http2)>,
    tls: Option<Arc<ClientConfig>>,
    http2_tls: Option<Arc<ClientConfig>>,
}

/// A connection, plain or over TLS.
#[derive(Debug)]
enum Stream<'a> {
    Plain(Socket<'a>),
    Tls(Box<StreamOwned<ClientConnection, Socket<'a>>>),
}

/// A socket that moves no more bytes once its exchange is over. TLS may use it for ever before it has anything to tell.
#[derive(Debug)]
struct Socket<'a> {
    stream: TcpStream,
    deadline: Deadline<'a>,
}

/// The peer's actions since its last answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StreamState {
    /// Nothing.
    Quiet,
    /// It has sent something unasked.
    Surplus,
    /// It has closed the connection.
    Closed,
}

/// The limit of one exchange, however much of it has come.
#[derive(Debug, Clone, Copy)]
struct Deadline<'a> {
    at: Instant,
    timeout: Duration,
    stop: &'a AtomicBool,
}

impl Deadline<'_> {
    /// An error if the time is over, or if the exchange is interrupted.
    fn check(&self, has_begun: bool) -> io::Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("interrupted"));
        }
        if Instant::now() < self.at {
            return Ok(());
        }
        let came = if has_begun { "no whole answer" } else { "nothing" };
        let fault = format!("{came} within {} s", self.timeout.as_secs_f64());
        Err(io::Error::new(io::ErrorKind::TimedOut, fault))
    }

    /// Sends all bytes.
    fn write(&self, stream: &mut Stream<'_>, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.check(false)?;
            match stream.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if is_to_be_repeated(&error) => {}
                Err(error) => return Err(error),
            }
        }
        while let Err(error) = stream.flush() {
            match is_to_be_repeated(&error) {
                true => self.check(false)?,
                false => return Err(error),
            }
        }
        Ok(())
    }
}

/// True if nothing has happened within a slice, or a signal has come.
fn is_to_be_repeated(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

impl<'a> Connection<'a> {
    /// Opens the plain connection. No request with its whole answer takes longer than `timeout`.
    ///
    /// # Errors
    /// Nothing answers there.
    pub fn open(target: &Target, timeout: Duration) -> Result<Self, EngineError> {
        let secure = target.secure.as_ref();
        let mut connection = Self {
            target: target.clone(),
            timeout,
            stop: &NEVER,
            plain: None,
            secure: None,
            http2: None,
            tls: secure.map(SecureEndpoint::new_http1_caller),
            http2_tls: secure.filter(|secure| secure.is_http2).map(SecureEndpoint::new_user),
        };
        connection.plain = Some(connection.connect(false, None)?);
        Ok(connection)
    }

    /// Lets this flag end each exchange with an error.
    #[must_use]
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop, ..self }
    }

    fn deadline(&self) -> Deadline<'a> {
        let Self { timeout, stop, .. } = *self;
        Deadline { at: Instant::now() + timeout, timeout, stop }
    }

    /// Begins an exchange on a connection, and returns its limit.
    fn begin(&self, stream: &mut Stream<'a>) -> Deadline<'a> {
        let deadline = self.deadline();
        stream.socket().deadline = deadline;
        deadline
    }

    /// True if nothing has come on a connection since its last answer.
    fn is_quiet(&self, stream: &mut Stream<'a>) -> bool {
        self.begin(stream);
        stream.state() == StreamState::Quiet
    }

    /// Sends a request, over TLS if it `is_secure`, and returns the answer, whatever its status. A GET is sent once
    /// more if the server closed the connection before any byte of the answer. Redirects are not followed.
    ///
    /// # Errors
    /// The connection can't be opened, it breaks, or the answer is not HTTP.
    pub fn request(
        &mut self,
        is_secure: bool,
        method: Method,
        path_and_query: &str,
        body: &str,
    ) -> Result<HttpResponse, EngineError> {
        self.send(is_secure, &Outgoing::form(method, path_and_query, body))
    }

    /// Sends a request with any headers and body: over TLS, by the protocol that browsers speak.
    ///
    /// # Errors
    /// The same as of [`Connection::request`].
    pub fn send(&mut self, is_secure: bool, outgoing: &Outgoing<'_>) -> Result<HttpResponse, EngineError> {
        let mut bytes = Vec::new();
        http::encode(outgoing, self.target.endpoint(is_secure), "", &mut bytes);
        let may_repeat = outgoing.method == Method::Get;
        let is_http2 = is_secure && self.http2_tls.is_some();
        let answer = if is_http2 { self.send_by_http2(&bytes, may_repeat).transpose()? } else { None };
        answer.map_or_else(|| self.raw(is_secure, &bytes, may_repeat), Ok)
    }

    /// Sends a request by HTTP/2. None if the bytes are none.
    fn send_by_http2(
        &mut self,
        request: &[u8],
        may_repeat: bool,
    ) -> Option<Result<HttpResponse, EngineError>> {
        let target = self.target.endpoint(true).address;
        if let Some((mut stream, mut http2)) = self.http2.take()
            && self.is_quiet(&mut stream)
        {
            if !http2.send(0, request) {
                return None;
            }
            let mut reader = ResponseReader::default().framed();
            match self.exchange_by_http2((stream, http2), &mut reader) {
                Ok(Some(answer)) => return Some(Ok(answer)),
                Ok(None) => {}
                Err(EngineError::Exchange { source, .. })
                    if may_repeat && !reader.has_begun() && is_gone(&source) => {}
                Err(fault) => return Some(Err(fault)),
            }
        }
        let mut http2 = Http2::default();
        if !http2.send(0, request) {
            return None;
        }
        let connected = self.connect(true, self.http2_tls.as_ref());
        let mut reader = ResponseReader::default().framed();
        let answer = connected.and_then(|stream| self.exchange_by_http2((stream, http2), &mut reader));
        let refused = || EngineError::Exchange {
            action: "get an answer from",
            target,
            source: io::ErrorKind::ConnectionReset.into(),
        };
        Some(answer.and_then(|answer| answer.ok_or_else(refused)))
    }

    /// Sends what is to be sent, and reads the answer. None if the server has certainly not begun with the request. Keeps the
    /// connection if the server does.
    fn exchange_by_http2(
        &mut self,
        (mut stream, mut http2): (Stream<'a>, Http2),
        reader: &mut ResponseReader,
    ) -> Result<Option<HttpResponse>, EngineError> {
        let answer = self.read_by_http2(&mut stream, &mut http2, reader)?;
        // Bytes behind the answer may be the connection's end.
        let rest = http2.next_part(&mut Vec::new());
        if answer.is_some() && rest.is_ok() && !http2.is_ending() {
            self.http2 = Some((stream, http2));
        }
        Ok(answer)
    }

    fn read_by_http2(
        &self,
        stream: &mut Stream<'a>,
        http2: &mut Http2,
        reader: &mut ResponseReader,
    ) -> Result<Option<HttpResponse>, EngineError> {
        let target = self.target.endpoint(true).address;
        let failed = |source| EngineError::Exchange { action: "get an answer from", target, source };
        let unreadable = |source| EngineError::Answer { target, source };
        let deadline = self.begin(stream);
        let (mut buffer, mut piece) = (vec![0; 64 << 10], Vec::new());
        let mut sent = Ok(());
        loop {
            if sent.is_ok() {
                // A server that takes no more of a request may have answered before it closed.
                sent = deadline.write(stream, &http2.take_output());
                stream.expect_http2().map_err(failed)?;
            }
            match stream.read(&mut buffer) {
                Ok(0) => {
                    return Err(failed(sent.err().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into())));
                }
                Ok(count) => http2.receive(&buffer[..count]),
                Err(error) if is_to_be_repeated(&error) => {}
                Err(error) => return Err(failed(sent.err().unwrap_or(error))),
            }
            deadline.check(reader.has_begun()).map_err(failed)?;
            while let Some((_, part)) = http2.next_part(&mut piece).map_err(unreadable)? {
                let size = match part {
                    Part::Bytes { size } => size,
                    Part::Reset { is_untouched: true } => return Ok(None),
                    Part::Reset { .. } => return Err(failed(io::ErrorKind::ConnectionReset.into())),
                    Part::Fault(fault) => return Err(unreadable(fault)),
                };
                reader.receive(&piece).map_err(unreadable)?;
                if let Some(size) = size {
                    return reader.framed_end(size).map(Some).map_err(unreadable);
                }
            }
        }
    }

    /// Sends a request and closes the connection without waiting for the answer.
    ///
    /// # Errors
    /// It can't be sent completely.
    pub fn send_and_leave(mut self, is_secure: bool, outgoing: &Outgoing<'_>) -> Result<(), EngineError> {
        let endpoint = self.target.endpoint(is_secure);
        let (target, mut bytes) = (endpoint.address, Vec::new());
        http::encode(outgoing, endpoint, "", &mut bytes);
        let stream = self.slot(is_secure).take();
        let mut stream = stream.map_or_else(|| self.connect(is_secure, self.tls.as_ref()), Ok)?;
        let sent = self.begin(&mut stream).write(&mut stream, &bytes);
        sent.map_err(|source| EngineError::Exchange { action: "send a request to", target, source })
    }

    /// Sends exactly these bytes and returns the answer: for requests that no browser would make.
    ///
    /// # Errors
    /// The same as of [`Connection::request`].
    pub fn raw(
        &mut self,
        is_secure: bool,
        request: &[u8],
        may_repeat: bool,
    ) -> Result<HttpResponse, EngineError> {
        self.read_with(ResponseReader::default, is_secure, request, may_repeat)
    }

    /// Sends exactly these bytes, which are a HEAD, and returns the answer. A body is an error.
    ///
    /// # Errors
    /// The same as of [`Connection::request`].
    pub fn head(&mut self, is_secure: bool, request: &[u8]) -> Result<HttpResponse, EngineError> {
        self.read_with(ResponseReader::to_head, is_secure, request, true)
    }

    fn read_with(
        &mut self,
        new_reader: fn() -> ResponseReader,
        is_secure: bool,
        request: &[u8],
        may_repeat: bool,
    ) -> Result<HttpResponse, EngineError> {
        if let Some(mut stream) = self.slot(is_secure).take()
            && self.is_quiet(&mut stream)
        {
            let mut reader = new_reader();
            match self.exchange(is_secure, stream, request, &mut reader) {
                Err(EngineError::Exchange { source, .. })
                    if may_repeat && !reader.has_begun() && is_gone(&source) => {}
                result => return result,
            }
        }
        let stream = self.connect(is_secure, self.tls.as_ref())?;
        self.exchange(is_secure, stream, request, &mut new_reader())
    }

    /// True if the server has sent anything on the open connection since its last answer; none if it has closed it.
    pub fn has_surplus(&mut self, is_secure: bool) -> Option<bool> {
        let mut stream = self.slot(is_secure).take()?;
        self.begin(&mut stream);
        match stream.state() {
            StreamState::Quiet => {
                *self.slot(is_secure) = Some(stream);
                Some(false)
            }
            StreamState::Surplus => Some(true),
            StreamState::Closed => None,
        }
    }

    fn slot(&mut self, is_secure: bool) -> &mut Option<Stream<'a>> {
        if is_secure { &mut self.secure } else { &mut self.plain }
    }

    /// Keeps the connection for the next request if the answer allows it.
    fn exchange(
        &mut self,
        is_secure: bool,
        mut stream: Stream<'a>,
        request: &[u8],
        reader: &mut ResponseReader,
    ) -> Result<HttpResponse, EngineError> {
        let target = self.target.endpoint(is_secure).address;
        let deadline = self.begin(&mut stream);
        let failed = |action| move |source| EngineError::Exchange { action, target, source };
        let unreadable = |source| EngineError::Answer { target, source };
        // A server that takes no more of a request may have answered before it closed.
        let sent = deadline.write(&mut stream, request).map_err(failed("send a request to"));
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
                    deadline.check(true).map_err(failed("get an answer from"))?;
                }
                Err(error) if is_to_be_repeated(&error) => {
                    let waits = deadline.check(reader.has_begun());
                    if let Err(error) = waits {
                        return sent.and(Err(failed("get an answer from")(error)));
                    }
                }
                Err(error) => return sent.and(Err(failed("get an answer from")(error))),
            }
        };
        if response.keeps_alive && sent.is_ok() {
            *self.slot(is_secure) = Some(stream);
        }
        Ok(response)
    }

    fn connect(&self, is_secure: bool, tls: Option<&Arc<ClientConfig>>) -> Result<Stream<'a>, EngineError> {
        let target = self.target.endpoint(is_secure).address;
        let connect = || {
            let deadline = self.deadline();
            deadline.check(false)?;
            let stream = TcpStream::connect_timeout(&target, self.timeout)?;
            stream.set_nodelay(true)?;
            let slice = SLICE.min(self.timeout);
            stream.set_read_timeout(Some(slice))?;
            stream.set_write_timeout(Some(slice))?;
            let socket = Socket { stream, deadline };
            match (&self.target.secure, tls) {
                (Some(secure), Some(tls)) if is_secure => {
                    let tls = secure.begin(tls.clone()).map_err(io::Error::other)?;
                    Ok(Stream::Tls(Box::new(StreamOwned::new(tls, socket))))
                }
                _ => Ok(Stream::Plain(socket)),
            }
        };
        if is_secure && self.target.secure.is_none() {
            return Err(EngineError::NotSecure { target });
        }
        connect().map_err(|source| EngineError::Exchange { action: "connect to", target, source })
    }
}

impl<'a> Stream<'a> {
    /// The state between two requests. Without this check, a request that must not be sent twice would fail just because
    /// the server closes idle connections.
    fn state(&mut self) -> StreamState {
        if self.socket().stream.set_nonblocking(true).is_err() {
            return StreamState::Closed;
        }
        let peeked = match self {
            Self::Plain(socket) => socket.stream.peek(&mut [0]),
            // Servers may send session tickets at any time, which are no answer.
            Self::Tls(stream) => stream.read(&mut [0]),
        };
        let is_usable = self.socket().stream.set_nonblocking(false).is_ok();
        match peeked {
            Ok(1..) => StreamState::Surplus,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && is_usable => StreamState::Quiet,
            _ => StreamState::Closed,
        }
    }

    /// An error if a handshake is complete in which HTTP/2 was not agreed on.
    fn expect_http2(&self) -> io::Result<()> {
        let is_other =
            |tls: &ClientConnection| !tls.is_handshaking() && tls.alpn_protocol() != Some(http2::ALPN);
        match self {
            Self::Tls(stream) if is_other(&stream.conn) => Err(http2::not_spoken()),
            _ => Ok(()),
        }
    }

    fn socket(&mut self) -> &mut Socket<'a> {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(stream) => stream.get_mut(),
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(socket) => socket.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

/// The error at the end of the time is one to be repeated: whoever reads checks the deadline then, and knows what has come.
impl Read for Socket<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.deadline.check(false)?;
        self.stream.read(buffer)
    }
}

impl Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.deadline.check(false)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// True if the error means that the peer has closed or broken the connection.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{net::TcpListener, thread};

    /// Answers one request and closes the connection without announcing it.
    fn answer_once(listener: &TcpListener) {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
    }

    /// A connection to a server that answers one request by `answer`, with this timeout.
    fn with_server(
        timeout: Duration,
        stop: &AtomicBool,
        answer: impl FnOnce(&mut TcpStream) -> io::Result<()> + Send,
    ) -> (Result<HttpResponse, EngineError>, Duration) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut stream, _) = listener.accept().unwrap();
                assert!(stream.read(&mut [0; 4096]).unwrap() > 0);
                // The client leaves in the midst of it.
                let _ = answer(&mut stream);
            });
            let connection = Connection::open(&Target::plain(address, "localhost"), timeout).unwrap();
            let (begin, mut connection) = (Instant::now(), connection.until(stop));
            let answer = connection.request(false, Method::Get, "/", "");
            drop(connection);
            (answer, begin.elapsed())
        })
    }

    const ENDLESS: [(&str, &[u8]); 3] = [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        ("", b"HTTP/1.1 102 Processing\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x"),
    ];

    /// Sends something for ever, now and then.
    fn trickle(stream: &mut TcpStream, (start, piece): (&str, &[u8])) -> io::Result<()> {
        stream.write_all(start.as_bytes())?;
        loop {
            stream.write_all(piece)?;
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_whole_answer_has_a_limit_of_time() {
        for endless in ENDLESS {
            let timeout = Duration::from_millis(100);
            let (answer, took) = with_server(timeout, &NEVER, |stream| trickle(stream, endless));
            let fault = format!("{:?}", answer.unwrap_err());
            // On a busy machine, not even the first piece may have come.
            assert!(fault.contains(" within 0.1 s") && took >= timeout, "{fault}");
        }
    }

    #[test]
    fn an_exchange_can_be_interrupted() {
        for is_silent in [true, false] {
            let stop = AtomicBool::new(false);
            let (answer, _) = with_server(Duration::from_secs(3600), &stop, |stream| {
                stop.store(true, Ordering::Relaxed);
                match is_silent {
                    true => stream.read(&mut [0; 64]).map(drop),
                    false => trickle(stream, ENDLESS[0]),
                }
            });
            let fault = format!("{:?}", answer.unwrap_err());
            assert!(fault.contains("interrupted"), "{fault}");
        }
    }

    #[test]
    fn a_post_is_not_sent_on_a_closed_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut connection =
            Connection::open(&Target::plain(address, "localhost"), Duration::from_secs(5)).unwrap();
        for _ in 0..3 {
            thread::scope(|scope| {
                let server = scope.spawn(|| answer_once(&listener));
                assert_eq!(connection.request(false, Method::Post, "/", "a=1").unwrap().status, 200);
                server.join().unwrap();
            });
        }
    }

    #[test]
    fn a_head_has_no_body_whatever_its_length_says() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut connection =
            Connection::open(&Target::plain(address, "localhost"), Duration::from_secs(5)).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        let mut answered = |answer: &[u8]| {
            server.write_all(answer).unwrap();
            connection.slot(false).as_mut().unwrap().socket().stream.peek(&mut [0]).unwrap();
            let stream = connection.slot(false).take().unwrap();
            connection.exchange(false, stream, b"HEAD / HTTP/1.1\r\n\r\n", &mut ResponseReader::to_head())
        };
        let head = answered(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").unwrap();
        assert!(head.keeps_alive && head.body.is_empty());
        assert!(answered(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").is_err());
    }
}
