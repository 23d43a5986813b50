//! A socket on this machine that leads to one on a host, for libraries that connect by a path.

use super::{Remote, Request, stream::RemoteStream};
use fs_err as fs;
use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

/// A relay of connections. Its drop ends it; connections go on until either side closes them.
#[derive(Debug)]
pub struct SocketRelay {
    path: PathBuf,
    is_over: Arc<AtomicBool>,
}

const CHUNK: usize = 1 << 16;

impl SocketRelay {
    /// Relays connections to the socket `here` to the socket `there` of the host.
    pub(crate) fn begin(host: &Arc<Remote>, here: &Path, there: &Path) -> io::Result<Self> {
        let _ = fs::remove_file(here);
        let listener = UnixListener::bind(here)?;
        let relay = Self { path: here.to_owned(), is_over: Arc::default() };
        let is_over = Arc::clone(&relay.is_over);
        // A thread that held the connection to the host for ever would keep the host up.
        let (host, there) = (Arc::downgrade(host), there.to_owned());
        thread::spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Some(host), false) = (client, host.upgrade(), is_over.load(Relaxed)) else {
                    return;
                };
                let there = there.clone();
                // A socket that nobody listens at closes the connection.
                thread::spawn(move || carry(client, &host, there));
            }
        });
        Ok(relay)
    }
}

impl Drop for SocketRelay {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        // The listening thread sees it with the next connection.
        let _ = UnixStream::connect(&self.path);
        let _ = fs::remove_file(&self.path);
    }
}

fn carry(mut client: UnixStream, host: &Arc<Remote>, there: PathBuf) {
    let Ok(number) = host.ask::<u64>(Request::OpenSocket(there)) else { return };
    let stream = Arc::new(RemoteStream::new(host, number));
    let (Ok(mut back), to) = (client.try_clone(), Arc::clone(&stream)) else { return };
    let forth = thread::spawn(move || {
        while let Ok(bytes) = stream.read() {
            if bytes.is_empty() || back.write_all(&bytes).is_err() {
                break;
            }
        }
        let _ = back.shutdown(Shutdown::Both);
    });
    let mut bytes = vec![0; CHUNK];
    while let Ok(length @ 1..) = client.read(&mut bytes) {
        if to.write(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.end();
    let _ = forth.join();
}
