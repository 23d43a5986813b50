//! A private Chromium, controlled by its DevTools protocol over a pipe.
//!
//! The protocol is lines of JSON; a library would bring tens of thousands of generated lines that lag behind the
//! browser. A pipe needs no port, and the browser ends with its test, however that ends.

use serde_json::{Value, json};
use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    rc::Rc,
    sync::mpsc::{Receiver, channel},
    thread::sleep,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The timeout of the browser's answers, which usually take a moment.
pub const BROWSER_TIMEOUT: Duration = Duration::from_secs(60);

/// The poll interval.
const MOMENT: Duration = Duration::from_millis(10);

/// Its pipes are descriptors 3 and 4, which a shell can set up without unsafe code.
const LAUNCHER: &str = r#"exec chromium "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#;

const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    // Sites have certificates of an authority that no browser knows.
    "--ignore-certificate-errors",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// A browser with a profile of its own, which ends with this value.
pub struct Chrome {
    process: Child,
    link: Rc<RefCell<Link>>,
    /// Its profile and all other files.
    folder: TempDir,
}

/// An event in a tab.
#[derive(Debug, Clone)]
pub struct Event {
    pub session: String,
    /// `Page.loadEventFired`, for example.
    pub method: String,
    pub params: Value,
}

/// Both directions of the pipe.
pub struct Link {
    input: ChildStdin,
    messages: Receiver<Value>,
    last_call: u64,
    events: Vec<Event>,
}

impl Chrome {
    pub fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let mut process = Command::new("sh")
            .args(["-c", LAUNCHER, "sh"])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}/profile", folder.path().display()))
            .env("TMPDIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0) {
                let Ok(message) = message else { break };
                if sender.send(serde_json::from_slice(&message).unwrap()).is_err() {
                    break;
                }
            }
        });
        let link = Link { input, messages, last_call: 0, events: Vec::new() };
        Self { process, link: Rc::new(RefCell::new(link)), folder }
    }

    /// A new tab: its link and its session.
    pub fn new_session(&self) -> (Rc<RefCell<Link>>, String) {
        let link = self.link.clone();
        let session = {
            let mut link = link.borrow_mut();
            let target = link.call(None, "Target.createTarget", &json!({ "url": "about:blank" }));
            let attach = json!({ "targetId": target["targetId"], "flatten": true });
            link.call(None, "Target.attachToTarget", &attach)["sessionId"].as_str().unwrap().to_owned()
        };
        (link, session)
    }
}

impl Drop for Chrome {
    /// Asks it to end, and removes its files, which its last processes may still be writing.
    fn drop(&mut self) {
        if let Ok(mut link) = self.link.try_borrow_mut() {
            let _ = link.send(None, "Browser.close", &json!({}));
        }
        let deadline = Instant::now() + BROWSER_TIMEOUT / 4;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            sleep(MOMENT);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        while fs_err::remove_dir_all(self.folder.path()).is_err()
            && self.folder.path().exists()
            && Instant::now() < deadline
        {
            sleep(MOMENT);
        }
    }
}

impl Link {
    /// Calls a method of the protocol, and panics if it is refused.
    pub fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.send(session, method, params).unwrap_or_else(|error| panic!("chromium has ended: {error}"));
        let deadline = Instant::now() + BROWSER_TIMEOUT;
        loop {
            let mut answer = self.next(deadline, method);
            if answer["id"] == self.last_call {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
        }
    }

    fn send(&mut self, session: Option<&str>, method: &str, params: &Value) -> io::Result<()> {
        self.last_call += 1;
        let mut message = json!({ "id": self.last_call, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut text = message.to_string().into_bytes();
        text.push(0);
        self.input.write_all(&text)
    }

    /// Waits for an event after the first `seen` ones, and returns it.
    pub fn wait_for(&mut self, session: &str, method: &str, seen: usize) -> Event {
        let deadline = Instant::now() + BROWSER_TIMEOUT;
        loop {
            let mut later = self.events[seen..].iter();
            if let Some(event) = later.find(|event| event.session == session && event.method == method) {
                return event.clone();
            }
            self.next(deadline, method);
        }
    }

    /// All events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    fn next(&mut self, deadline: Instant, waited_for: &str) -> Value {
        let left = deadline.saturating_duration_since(Instant::now());
        let message = self
            .messages
            .recv_timeout(left)
            .unwrap_or_else(|error| panic!("waiting for chromium's {waited_for}: {error}; is it installed?"));
        if let (Some(method), Some(session)) = (message["method"].as_str(), message["sessionId"].as_str()) {
            let (session, method) = (session.to_owned(), method.to_owned());
            self.events.push(Event { session, method, params: message["params"].clone() });
        }
        message
    }
}
