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
use application::Step;
use engine::{HttpResponse, ResponseReader};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::{
    collections::BTreeSet,
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

/// One of so many random requests is damaged in its encoding.
const SHARE: usize = 4;

/// The fuzzed requests among which one of each page is looked for that the application would take.
const DRAWS: usize = 2000;

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
    // First, because they are taken in the state that the data have now.
    let taken = taken(lockstep);
    let clear: Vec<Step> = taken.iter().filter(|step| is_secure_form(lockstep, step)).cloned().collect();
    let mut odd = with_other_methods(taken);
    odd.extend(malicious_inputs::requests(subject.catalogue, &account));
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
    clear.iter().try_for_each(|step| lockstep.expect_refused_in_the_clear(step))?;
    let host = lockstep.host().to_owned();
    let framed = samples.iter().flat_map(|sample| sample.framed(&host));
    framed.into_iter().try_for_each(|framed| lockstep.send_framed(&framed))?;
    tables::expect_equal(lockstep)
}

fn is_secure_form(lockstep: &Lockstep<'_>, step: &Step) -> bool {
    step.method == "POST" && lockstep.has(step) && lockstep.subject.catalogue.is_secure_at(&step.path)
}

/// The same requests with another method.
fn with_other_methods(steps: Vec<Step>) -> Vec<Step> {
    let other = |step: Step| {
        let method = if step.method == "GET" { "POST" } else { "GET" };
        Step { method: method.to_owned(), ..step }
    };
    steps.into_iter().map(other).collect()
}

/// A request of each page that the application would take now.
fn taken(lockstep: &Lockstep<'_>) -> Vec<Step> {
    let subject = lockstep.subject;
    let mut random = ChaCha8Rng::seed_from_u64(subject.seed);
    let branches = subject.application.branches(&lockstep.dataset(), &subject.key);
    // Most of the script's writes need what it has written before.
    let drawn = (0..DRAWS).map(|_| lockstep.fuzz(&mut random));
    let steps = branches.into_iter().map(|branch| branch.step).chain(drawn);
    let mut pages = BTreeSet::new();
    let mut trial = lockstep.trial();
    let taken = steps.filter(|step| {
        let is_form = step.as_document().is_none() && !pages.contains(&step.path);
        is_form && trial.takes(step) && pages.insert(step.path.clone())
    });
    taken.collect()
}

/// Reaction of a server to bytes.
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
    stream.set_read_timeout(Some(SLICE))?;
    stream.set_write_timeout(Some(ANSWER_LIMIT))?;
    let heard = exchange(&mut stream, &malformed.bytes)?;
    Ok((heard, stream))
}

/// The longest wait before the limits of an answer are looked at again.
const SLICE: Duration = Duration::from_millis(200);

/// The most bytes of an answer.
const LONGEST: usize = 32 << 20;

/// Sends bytes and reads the answer.
pub(crate) fn exchange(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<Heard> {
    // A server that takes no more may have answered before it closed.
    let _ = stream.write_all(bytes);
    let until = Instant::now() + ANSWER_LIMIT;
    let (mut reader, mut got, mut buffer) = (ResponseReader::default(), Vec::new(), vec![0; 64 << 10]);
    let mut is_http = true;
    loop {
        if Instant::now() > until || got.len() > LONGEST {
            let fault = format!("more than {LONGEST} bytes, or none for {} s", ANSWER_LIMIT.as_secs());
            return Err(io::Error::new(ErrorKind::TimedOut, fault));
        }
        let count = match stream.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => continue,
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
