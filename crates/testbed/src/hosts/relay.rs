//! A relay for programs of this machine, such as a browser, to a server on a testbed's hosts.

use super::HostHandle;
use std::{
    io,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::mpsc,
    thread,
};

/// Relays each connection of the listener to a server, as if it came from a host. It runs until this process ends.
pub fn relay(listener: TcpListener, from: &HostHandle, server: SocketAddr) -> io::Result<()> {
    let (sender, result) = mpsc::channel();
    let from = from.clone();
    thread::spawn(move || {
        // The threads of connections inherit the host from this one.
        let is_there = from.enter_namespace();
        let goes_on = is_there.is_ok();
        let _ = sender.send(is_there);
        if goes_on {
            listener.incoming().flatten().for_each(|client| pass_on(client, server));
        }
    });
    result.recv().unwrap_or_else(|_| Err(io::Error::other("the relay ended before it began")))
}

fn pass_on(client: TcpStream, server: SocketAddr) {
    thread::spawn(move || {
        // If the server can't be reached or its connection breaks, the client's connection is closed.
        let Ok(server) = TcpStream::connect(server) else { return };
        let ways = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
        for (from, to) in ways {
            let (Ok(mut from), Ok(mut to)) = (from, to) else { return };
            thread::spawn(move || {
                let _ = io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Write);
            });
        }
    });
}
