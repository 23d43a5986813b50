//! A web server for a few readers: of metrics, and of the page of a running result.

use settings::WithDeadline;
use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::Duration,
};

/// Timeout of a slow reader, whose thread then ends.
pub(crate) const READER_TIMEOUT: Duration = Duration::from_secs(2);
/// Timeouts within which an answer must have gone out, as it may be long.
const TIMEOUTS_OF_ANSWER: u32 = 10;
/// Longest head of a request that is read.
const LONGEST_REQUEST: usize = 16 << 10;

pub(crate) struct Request(String);

impl Request {
    pub(crate) fn path(&self) -> &str {
        self.0.split(' ').nth(1).unwrap_or("")
    }

    /// The name that the reader knows this server by, without a port.
    pub(crate) fn host(&self) -> &str {
        let mut fields = self.0.lines().filter_map(|line| line.split_once(':'));
        let host =
            fields.find(|(name, _)| name.eq_ignore_ascii_case("host")).map_or("", |(_, value)| value.trim());
        host.rsplit_once(':').map_or(host, |(name, _)| name)
    }
}

pub(crate) struct Answer {
    /// `200 OK`.
    pub status: &'static str,
    /// Lines of the head, each with its end.
    pub fields: String,
    pub body: String,
}

/// A server that answers until the command ends.
#[derive(Clone)]
pub(crate) struct Server {
    pub address: SocketAddr,
    open: Arc<OpenRequests>,
}

/// Counts requests whose answers are not sent yet.
#[derive(Default)]
struct OpenRequests {
    count: Mutex<u32>,
    changed: Condvar,
}

impl OpenRequests {
    fn change(&self, change: impl FnOnce(u32) -> u32) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = change(*count);
        self.changed.notify_all();
    }
}

impl Server {
    /// Waits until all requests that came are answered, but not longer than this.
    pub(crate) fn drain(&self, at_most: Duration) {
        let count = self.open.count.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.open.changed.wait_timeout_while(count, at_most, |count| *count > 0));
    }

    #[cfg(test)]
    pub(crate) fn wait_for_request(&self) {
        let count = self.open.count.lock().unwrap();
        drop(self.open.changed.wait_while(count, |count| *count == 0).unwrap());
    }
}

/// Answers requests at an address, each in a thread of its own.
pub(crate) fn serve(
    at: SocketAddr,
    timeout: Duration,
    answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
) -> io::Result<Server> {
    let listener = TcpListener::bind(at)?;
    let server = Server { address: listener.local_addr()?, open: Arc::default() };
    let (open, answer) = (server.open.clone(), Arc::new(answer));
    thread::spawn(move || {
        for reader in listener.incoming().flatten() {
            let (open, answer) = (open.clone(), answer.clone());
            // A reader that went away misses it, and so does one for whom no thread is left.
            let _ = thread::Builder::new().spawn(move || respond(reader, timeout, &open, &*answer));
        }
    });
    Ok(server)
}

fn respond(
    reader: TcpStream,
    timeout: Duration,
    open: &OpenRequests,
    answer: &dyn Fn(&Request) -> Answer,
) -> io::Result<()> {
    let mut asking = WithDeadline::new(reader.try_clone()?, timeout);
    let (mut request, mut piece) = (Vec::new(), [0; 1024]);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < LONGEST_REQUEST {
        match asking.read(&mut piece)? {
            0 => return Ok(()),
            count => request.extend_from_slice(&piece[..count]),
        }
    }
    open.change(|count| count + 1);
    let Answer { status, fields, body } = answer(&Request(String::from_utf8_lossy(&request).into_owned()));
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    let mut reader = WithDeadline::new(reader, timeout * TIMEOUTS_OF_ANSWER);
    let sent = reader.write_all(head.as_bytes()).and_then(|()| reader.write_all(body.as_bytes()));
    open.change(|count| count - 1);
    sent
}
