//! The protocol: requests that only broken or hostile clients send.
//!
//! They are judged by safety. A server refuses them, or reads them in one of the ways that the application's
//! [`Contract`](application::Contract) lists. The reading that explains the answer is then applied to the model, so
//! that the rows in the end prove that nothing else has happened.

use crate::{
    ANSWER_LIMIT, Halt, damage,
    lockstep::Lockstep,
    malicious_inputs::{self, Malformed},
    progress::ProgressReporter,
    sequence, tables,
};
use engine::{HttpResponse, ResponseReader};
use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
};

/// One of so many random requests is damaged in its encoding.
const SHARE: usize = 4;

/// Sends everything of this phase to a fresh site, with so many random requests in all phases. Returns how many rows
/// are equal in the end; none if the stack has no store.
pub(crate) fn check(
    lockstep: &mut Lockstep<'_>,
    steps: usize,
    progress: &mut ProgressReporter<'_>,
) -> Result<Option<usize>, Halt> {
    let subject = lockstep.subject;
    let account = subject.application.account(1);
    let samples = damage::samples(subject.application, &lockstep.dataset());
    let mut odd = malicious_inputs::requests(subject.catalogue, &account);
    odd.extend(samples.iter().flat_map(damage::SampleCall::damaged));
    odd.retain(|step| lockstep.has(step) && !lockstep.is_plain(step));
    for (number, step) in odd.iter().enumerate() {
        progress.within(|| format!("{number} of {} requests", odd.len()));
        lockstep.send(step)?;
    }
    sequence::send_spoilt(lockstep, steps / SHARE, false, progress)?;
    malicious_inputs::raw_requests(subject, &account).try_for_each(|raw| lockstep.send_raw(&raw))?;
    let malformed = malicious_inputs::malformed(subject.catalogue, lockstep.host());
    malformed.iter().try_for_each(|malformed| lockstep.send_malformed(malformed))?;
    lockstep.expect_redirects()?;
    let host = lockstep.host().to_owned();
    let framed = samples.iter().flat_map(|sample| sample.framed(&host));
    framed.into_iter().try_for_each(|framed| lockstep.send_framed(&framed))?;
    tables::expect_equal(lockstep)
}

/// What a server answers to bytes.
pub(crate) enum Heard {
    Answer(Box<HttpResponse>),
    /// It has closed the connection without an answer.
    Closed,
    /// It has sent something else and closed the connection.
    NoHttp(Vec<u8>),
}

/// Sends bytes on a connection of their own.
pub(crate) fn send_alone(address: SocketAddr, malformed: &Malformed) -> io::Result<(Heard, TcpStream)> {
    let mut stream = TcpStream::connect_timeout(&address, ANSWER_LIMIT)?;
    stream.set_read_timeout(Some(ANSWER_LIMIT))?;
    stream.set_write_timeout(Some(ANSWER_LIMIT))?;
    let heard = exchange(&mut stream, &malformed.bytes)?;
    Ok((heard, stream))
}

/// Sends bytes and reads the answer.
pub(crate) fn exchange(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<Heard> {
    // A server that takes no more may have answered before it closed.
    let _ = stream.write_all(bytes);
    let (mut reader, mut got, mut buffer) = (ResponseReader::default(), Vec::new(), vec![0; 64 << 10]);
    let mut is_http = true;
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => 0,
            Err(error) => return Err(error),
        };
        if count == 0 {
            return Ok(match reader.closed() {
                _ if got.is_empty() => Heard::Closed,
                Ok(answer) if is_http => Heard::Answer(Box::new(answer)),
                _ => Heard::NoHttp(got),
            });
        }
        got.extend_from_slice(&buffer[..count]);
        if is_http {
            match reader.receive(&buffer[..count]) {
                Ok(Some(answer)) => return Ok(Heard::Answer(Box::new(answer))),
                Ok(None) => {}
                Err(_) => is_http = false,
            }
        }
    }
}
