//! The minimal generator: epoll, recv, send. It takes the length of all answers from the first, and parses nothing. Its
//! cost is mostly the kernel's, and a lower bound for all others.

use anyhow::{Context, ensure};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

/// Its hidden argument.
pub(crate) const BARE: &str = "bare";

const REQUEST: &[u8] = b"GET /site/index.html HTTP/1.1\r\nHost: localhost\r\n\r\n";
const EVENTS: usize = 64;
/// The longest expected answer.
const ANSWER: usize = 64 << 10;

/// Sends requests on all connections, and prints the number of answers.
pub(crate) fn run(port: &str, connections: u32, window: Duration) -> anyhow::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().context("not a port")?));
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(EVENTS);
    let mut buffer = vec![0; ANSWER];
    let mut streams = Vec::new();
    for number in 0..connections as usize {
        // They connect one after the other, which is not measured.
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let mut stream = TcpStream::from_std(stream);
        poll.registry().register(&mut stream, Token(number), Interest::READABLE)?;
        stream.write_all(REQUEST)?;
        streams.push(stream);
    }
    let (start, mut length, mut answers) = (Instant::now(), 0, 0_u64);
    while start.elapsed() < window {
        poll.poll(&mut events, None)?;
        for event in &events {
            let stream = &mut streams[event.token().0];
            match stream.read(&mut buffer) {
                Ok(count) => {
                    // The first answer defines the length: it came completely, or the next one is longer.
                    length = length.max(count);
                    ensure!(count == length, "an answer of {length} bytes came in pieces");
                    answers += 1;
                    stream.write_all(REQUEST)?;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    println!("{answers}");
    Ok(())
}
