//! The protocol between the laboratory and a host: calls and their answers over one pair of pipes (`docs/hosts.md`).
//!
//! A frame is two lengths, a head in JSON, and bytes. The laboratory calls; the host answers each call with its number,
//! in any order.

use super::files::Part;
use crate::{HostFacts, SupervisorSpec, User};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Read, Write},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

/// Interval between two messages of the laboratory, which show that it lives.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(5);
/// The silence after which either side takes the other for lost.
/// TCP waits for twice as long before each repetition. After an interruption of 20 s that began between two heartbeats, the first
/// bytes arrive 31 s after the last ones.
pub(super) const SILENCE: Duration = Duration::from_secs(45);

/// A host's account of itself before it is called: the answer to call 0.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Greeting {
    /// The folder of the run, which goes with it.
    pub folder: PathBuf,
    pub lock: PathBuf,
    /// The laboratory's executable in that folder.
    pub executable: PathBuf,
    /// The user that stores run as; none if the host's user is not root.
    pub store_user: Option<User>,
    pub cores: Vec<u32>,
    /// The address from which its packets to others go; none without a way to others.
    pub address: Option<Ipv4Addr>,
    /// The kernel's run, which tells machines apart.
    pub boot: String,
    /// Its name on its network.
    pub node: String,
    pub facts: HostFacts,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    Heartbeat,
    /// Seconds since 1970, and of the clock that nobody sets.
    Clock,
    /// The machine as it is now.
    Facts,
    /// Takes the bytes and forgets them, to measure the way there.
    Discard,
    FindProgram {
        name: String,
        folders: Vec<String>,
    },
    Output {
        program: PathBuf,
        arguments: Vec<String>,
    },
    ReservePorts(usize),
    /// A user for a tier, until it is released.
    ReserveUser,
    ReleaseUser(u32),
    /// The program that listens on an address in place of a supervised one.
    Stranger(u32, SocketAddr),
    Start(SupervisorSpec),
    /// The end of a program, if it ends within this time.
    Ended(u64, Duration),
    Stop(u64),
    Kill(u64),
    /// Parts of files, whose bytes follow one another.
    Write(PathBuf, Vec<Part>),
    List(PathBuf),
    Read {
        path: PathBuf,
        offset: u64,
        length: u64,
    },
    MakeFolder(PathBuf),
    Remove(PathBuf),
    Share(PathBuf),
    GiveFolder {
        path: PathBuf,
        user: User,
        lets_group_pass: bool,
    },
    OpenSocketToGroup(PathBuf),
    Restore {
        from: PathBuf,
        to: PathBuf,
    },
    MakePipe(PathBuf),
    ConnectSocket(PathBuf),
    ConnectPort(SocketAddr),
    OpenSocket(PathBuf),
    /// Opens a named pipe once it has a reader, and tells whether it has one.
    OpenPipe(PathBuf),
    /// Starts the laboratory's executable with these words, as a stream of its standard input and output.
    Converse(Vec<String>),
    ReadStream(u64),
    WriteStream(u64),
    EndStream(u64),
    CloseStream(u64),
    Usage,
    HasGroup(u32),
    Sample(Vec<u32>),
    SampleInDetail(Vec<u32>),
    ProportionalBytes(u32),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Call {
    pub number: u64,
    pub request: Request,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    pub number: u64,
    pub result: Result<serde_json::Value, HostFault>,
}

/// An error on the host.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HostFault {
    kind: String,
    message: String,
}

/// The kinds of errors that callers tell apart.
const KINDS: [io::ErrorKind; 8] = [
    io::ErrorKind::NotFound,
    io::ErrorKind::AlreadyExists,
    io::ErrorKind::PermissionDenied,
    io::ErrorKind::StorageFull,
    io::ErrorKind::QuotaExceeded,
    io::ErrorKind::BrokenPipe,
    io::ErrorKind::ConnectionRefused,
    io::ErrorKind::AddrInUse,
];

impl From<io::Error> for HostFault {
    fn from(fault: io::Error) -> Self {
        Self { kind: fault.kind().to_string(), message: fault.to_string() }
    }
}

impl HostFault {
    pub(super) fn of_host(self, host: &str) -> io::Error {
        let kind = KINDS.into_iter().find(|kind| kind.to_string() == self.kind);
        io::Error::new(
            kind.unwrap_or(io::ErrorKind::Other),
            format!("on the host `{host}`: {}", self.message),
        )
    }
}

/// A frame with a longer head or more bytes is none: something else writes into the pipe.
const LONGEST: u32 = 1 << 28;

pub(super) fn write_frame(to: &mut dyn Write, head: &impl Serialize, bytes: &[u8]) -> io::Result<()> {
    let head = serde_json::to_vec(head)?;
    let mut frame = Vec::with_capacity(8 + head.len() + bytes.len());
    for length in [head.len(), bytes.len()] {
        let length = u32::try_from(length).ok().filter(|length| *length <= LONGEST);
        frame.extend(length.ok_or_else(|| io::Error::other("a frame is too long"))?.to_be_bytes());
    }
    frame.extend(head);
    frame.extend(bytes);
    to.write_all(&frame)?;
    to.flush()
}

/// The next frame; none at the end of the pipe.
pub(super) fn read_frame<T: for<'a> Deserialize<'a>>(
    from: &mut dyn Read,
) -> io::Result<Option<(T, Vec<u8>)>> {
    let mut lengths = [0; 8];
    match from.read(&mut lengths[..1])? {
        0 => return Ok(None),
        _ => from.read_exact(&mut lengths[1..])?,
    }
    let (head, bytes) = lengths.split_at(4);
    let length = |four: &[u8]| u32::from_be_bytes(four.try_into().expect("these are four bytes"));
    let (head, bytes) = (length(head), length(bytes));
    if head > LONGEST || bytes > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it sent what is no frame"));
    }
    let (mut head, mut bytes) = (vec![0; head as usize], vec![0; bytes as usize]);
    from.read_exact(&mut head)?;
    from.read_exact(&mut bytes)?;
    Ok(Some((serde_json::from_slice(&head)?, bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let mut pipe = Vec::new();
        write_frame(&mut pipe, &Call { number: 7, request: Request::ReservePorts(3) }, b"abc").unwrap();
        write_frame(&mut pipe, &Call { number: 8, request: Request::Clock }, b"").unwrap();
        let mut from = pipe.as_slice();
        let (call, bytes) = read_frame::<Call>(&mut from).unwrap().unwrap();
        assert!(call.number == 7 && matches!(call.request, Request::ReservePorts(3)) && bytes == b"abc");
        assert_eq!(read_frame::<Call>(&mut from).unwrap().unwrap().0.number, 8);
        assert!(read_frame::<Call>(&mut from).unwrap().is_none());
    }

    #[test]
    fn what_is_no_frame_is_refused_before_it_is_read() {
        let fault = read_frame::<Call>(&mut b"Welcome to web1!".as_slice()).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::InvalidData);
        let mut cut = Vec::new();
        write_frame(&mut cut, &Call { number: 1, request: Request::Clock }, b"").unwrap();
        let fault = read_frame::<Call>(&mut &cut[..cut.len() - 1]).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_full_disk_of_a_host_is_told_from_other_faults() {
        let of = |kind| HostFault::from(io::Error::from(kind)).of_host("web");
        for kind in KINDS {
            assert_eq!(of(kind).kind(), kind);
        }
        assert_eq!(of(io::ErrorKind::NotADirectory).kind(), io::ErrorKind::Other);
        assert!(of(io::ErrorKind::StorageFull).to_string().starts_with("on the host `web`: "));
    }
}
