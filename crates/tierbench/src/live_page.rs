//! The page of a running result on loopback (`--watch`): drawn after each point, when no window is open.
//!
//! It needs no script and nobody polls: a page says that the next one follows, and the request for that is answered after the
//! next point.

use crate::web_server::{Answer, READER_TIMEOUT, Request, Server, serve};
use results::ResultReader;
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The path of the page that follows a page, before its number.
const AFTER: &str = "/after/";
/// The wait at the end for readers who still have to get the last page.
const LAST_PAGE: Duration = Duration::from_secs(2);

#[derive(Default)]
struct State {
    number: u32,
    page: String,
    has_ended: bool,
}

#[derive(Clone)]
pub(crate) struct LivePage {
    shared: Arc<(Mutex<State>, Condvar)>,
    server: Server,
}

impl LivePage {
    /// Begins to serve on a free port.
    pub(crate) fn listen() -> io::Result<Self> {
        let shared = Arc::<(Mutex<State>, Condvar)>::default();
        let served = shared.clone();
        let at = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = serve(at, READER_TIMEOUT, move |request| answer(&served, request))?;
        Ok(Self { shared, server })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Draws the result in this folder. What can't be read leaves the last page.
    pub(crate) fn draw(&self, folder: &Path) {
        if let Ok(result) = ResultReader::open(folder) {
            self.show(report::html(&result), false);
        }
    }

    /// Draws the last page, and waits until those who wait for it have got it.
    pub(crate) fn end(&self, folder: &Path) {
        let page = ResultReader::open(folder).map(|result| report::html(&result));
        let last = page.unwrap_or_else(|_| locked(&self.shared.0).page.clone());
        self.show(last, true);
        self.server.drain(LAST_PAGE);
    }

    fn show(&self, page: String, has_ended: bool) {
        let mut state = locked(&self.shared.0);
        (state.page, state.has_ended) = (page, has_ended);
        state.number += 1;
        self.shared.1.notify_all();
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer((state, changed): &(Mutex<State>, Condvar), request: &Request) -> Answer {
    // A page of elsewhere could have given a name of its own to this address.
    if !["127.0.0.1", "localhost"].contains(&request.host()) {
        return plain("403 Forbidden", "This page is for readers on this machine.\n");
    }
    let after = request.path().strip_prefix(AFTER).map(str::parse::<u32>);
    let after = match (request.path(), after) {
        ("/", _) => None,
        (_, Some(Ok(number))) => Some(number),
        _ => return plain("404 Not Found", "The page is at /.\n"),
    };
    let mut shown = locked(state);
    if let Some(after) = after {
        let is_old = |state: &mut State| state.number <= after && !state.has_ended;
        shown = changed.wait_while(shown, is_old).unwrap_or_else(PoisonError::into_inner);
    }
    let next =
        if shown.has_ended { String::new() } else { format!("Refresh: 1; url={AFTER}{}\r\n", shown.number) };
    let fields = format!("Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n{next}");
    Answer { status: "200 OK", fields, body: shown.page.clone() }
}

fn plain(status: &'static str, body: &str) -> Answer {
    Answer { status, fields: "Content-Type: text/plain; charset=utf-8\r\n".to_owned(), body: body.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        net::TcpStream,
        thread,
    };

    fn ask(address: SocketAddr, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn the_next_page_comes_after_the_next_point_and_the_last_one_ends_it() {
        let page = LivePage::listen().unwrap();
        let address = page.address();
        page.show("one".into(), false);
        let first = ask(address, "/", "127.0.0.1:80");
        page.server.drain(Duration::from_secs(120));
        assert!(first.contains("Refresh: 1; url=/after/1\r\n") && first.ends_with("\r\n\r\none"), "{first}");
        let next = thread::spawn(move || ask(address, "/after/1", "localhost"));
        page.server.wait_for_request();
        assert!(!next.is_finished(), "nothing is drawn before the next point");
        page.show("two".into(), false);
        let second = next.join().unwrap();
        page.server.drain(Duration::from_secs(120));
        assert!(second.contains("Refresh: 1; url=/after/2\r\n") && second.ends_with("two"), "{second}");
        let last = thread::spawn(move || ask(address, "/after/2", "localhost"));
        page.server.wait_for_request();
        page.end(Path::new("/nowhere"));
        let last = last.join().unwrap();
        assert!(!last.contains("Refresh") && last.ends_with("two"), "no result, no other page: {last}");
    }

    #[test]
    fn only_readers_on_this_machine_get_the_page_and_other_paths_have_none() {
        let page = LivePage::listen().unwrap();
        page.show("secret".into(), true);
        assert!(page.address().ip().is_loopback());
        for (path, host, status) in [
            ("/", "attacker.example", "403"),
            ("/else", "localhost", "404"),
            ("/after/x", "localhost", "404"),
        ] {
            let answer = ask(page.address(), path, host);
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status} ")) && !answer.contains("secret"),
                "{answer}"
            );
        }
    }
}
