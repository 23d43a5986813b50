//! Requests for a single page of a server that is starting.

use settings::WithDeadline;
use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

pub(crate) const ANSWER: Duration = Duration::from_secs(5);
const STATUS_LINE: u64 = 4096;
const PROBE_SHOWS: usize = 120;

fn ask(address: SocketAddr, path: &str) -> io::Result<BufReader<WithDeadline<TcpStream>>> {
    let mut stream = WithDeadline::new(TcpStream::connect_timeout(&address, ANSWER)?, ANSWER);
    stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").as_bytes())?;
    Ok(BufReader::new(stream))
}

/// The status code of a status line.
fn code(status: &str) -> Option<u16> {
    let mut words = status.split_ascii_whitespace();
    words.next().filter(|version| version.starts_with("HTTP/")).and(words.next())?.parse().ok()
}

/// Asks a server for a path. Starting servers may answer anything.
///
/// # Errors What was asked, and what came instead of such a status.
pub(crate) fn answers(address: SocketAddr, path: &str, is_right: impl Fn(u16) -> bool) -> Result<(), String> {
    let read = || -> io::Result<Vec<u8>> {
        let mut status = Vec::new();
        ask(address, path)?.take(STATUS_LINE).read_until(b'\n', &mut status)?;
        Ok(status)
    };
    let asked = format!("GET {path} from {address}");
    let status = read().map_err(|fault| format!("{asked}: {fault}"))?;
    let status = String::from_utf8_lossy(&status);
    match code(&status) {
        Some(code) if is_right(code) => Ok(()),
        _ if status.is_empty() => Err(format!("{asked}: closed without an answer")),
        _ => Err(format!("{asked}: {:?}", status.trim_end().chars().take(PROBE_SHOWS).collect::<String>())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{net::TcpListener, thread};

    /// The outcome of a probe of a server with this answer to its first request.
    fn probed(answer: &'static [u8], is_right: fn(u16) -> bool) -> Result<(), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // All of it, or closing would break off the answer.
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
            let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            assert_eq!(request[0], "GET /ready HTTP/1.0");
            stream.write_all(answer).unwrap();
        });
        let outcome = answers(address, "/ready", is_right);
        server.join().unwrap();
        outcome
    }

    #[test]
    fn a_service_is_ready_only_when_it_answers_with_success() {
        let succeeds = |code| (200..300).contains(&code);
        assert_eq!(probed(b"HTTP/1.1 200 OK\r\n\r\n", succeeds), Ok(()));
        assert_eq!(probed(b"HTTP/1.1 204\r\n\r\n", succeeds), Ok(()));
        assert_eq!(probed(b"HTTP/1.1 404 Not found\r\n\r\n", |code| code < 500), Ok(()));
        let others: [(&[u8], &str); 5] = [
            (b"HTTP/1.1 503 Not yet\r\n\r\n", "\"HTTP/1.1 503 Not yet\""),
            (b"HTTP/1.1 302 Found\r\n\r\n", "\"HTTP/1.1 302 Found\""),
            (b"", "closed without an answer"),
            (b"200 OK", "\"200 OK\""),
            (b"\xff\x00\n", "\"\u{fffd}\\0\""),
        ];
        for (answer, shown) in others {
            let fault = probed(answer, succeeds).unwrap_err();
            assert!(fault.starts_with("GET /ready from 127.0.0.1:") && fault.ends_with(shown), "{fault}");
        }
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert!(answers(closed, "/ready", succeeds).unwrap_err().contains("Connection refused"));
    }
}
