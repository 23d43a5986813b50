//! The least that a generator can do: epoll, recv, send. It knows from a first answer how long all of them are, and looks at
//! nothing; what it needs is mostly the kernel's work, and a bound for all others.

use anyhow::{Context, ensure};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

/// The hidden word for it.
pub(crate) const BARE: &str = "bare";

const REQUEST: &[u8] = b"GET /site/index.html HTTP/1.1\r\nHost: localhost\r\n\r\n";
/// So many events are taken at once.
const EVENTS: usize = 64;
/// The longest answer that is expected.
const ANSWER: usize = 64 << 10;

/// Asks over and over on so many connections, and prints how many answers came.
pub(crate) fn run(port: &str, connections: u32, window: Duration) -> anyhow::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().context("not a port")?));
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(EVENTS);
    let mut buffer = vec![0; ANSWER];
    let mut streams = Vec::new();
    for number in 0..connections as usize {
        // They connect one after the other, which is no part of what is looked at.
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
                    // The first answer says how long they are: it came whole, or the next one is longer.
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
