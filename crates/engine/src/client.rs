//! One emulated user with its browser: think, connect if need be, send, receive, read the page, fetch embedded files,
//! think.
//!
//! No I/O and no clock: a driver delivers events with their instants, and executes the commands of
//! [`Client::next_command`]. A client waits for nothing but its connections and its [`Client::deadline`].

use crate::browser::Browser;
use crate::command::Command;
use crate::http::{self, HttpError, HttpResponse, Memory, Outgoing};
use crate::pace::PaceSchedule;
use crate::recorder::{Instants, Opening, Recorder, RequestEnd};
use crate::slot::{Requested, Slot};
use crate::target::Target;
use crate::{ErrorKind, Load};
use std::time::Duration;
use workload::{
    Answer, AnswerKind, Behaviour, Catalogue, Dialogue, Effect, How, Lead, Located, Method, Origins,
    PaceUnit, Request, Users,
};

/// The shortest wait after a failed connection, even if users don't think. Otherwise a dead server would keep the generator
/// busy.
const PAUSE_AFTER_FAILED_CONNECT: Duration = Duration::from_millis(100);

/// The limit of a browser's connections to an endpoint, as in TPC-W's emulated browsers.
const CONNECTIONS_PER_ENDPOINT: usize = 4;

/// The limit of requests that a browser has under way on a connection of HTTP/2: servers are asked to allow as many (RFC 9113,
/// 6.5.2).
const STREAMS_PER_CONNECTION: usize = 100;

/// The limit of a client's connections to all of a site's endpoints.
pub fn connections_per_client(catalogue: &Catalogue) -> usize {
    let endpoints = 1 + usize::from(catalogue.is_secure());
    endpoints * if catalogue.embedded { CONNECTIONS_PER_ENDPOINT } else { 1 }
}

/// The limit of times that a request is sent again because no server has begun with it. A page of as many files as a connection may
/// carry needs no more, even if each connection ends after one of them.
const MOST_REFUSALS: u8 = STREAMS_PER_CONNECTION as u8;

/// The limit of consecutive redirects, as in the fetch standard.
const MOST_REDIRECTS: u8 = 20;

/// The limit of the bytes of files' addresses that a page waits for: no page names more, but redirects may add to them.
const MOST_PATHS: usize = 16 << 20;

/// State shared by all clients of a load.
pub(crate) struct Shared<'a> {
    pub users: &'a Users<'a>,
    pub load: &'a Load,
    /// The clients' behaviour by the load's kind.
    pub behaviour: Behaviour,
    pub target: &'a Target,
    /// Its addresses, as far as its users may need them.
    pub origins: Origins,
    pub recorder: Recorder,
    /// Instants at which requests or sessions begin, at a given rate.
    schedule: Option<PaceSchedule>,
    /// The bytes that [`Command::Send`] sends.
    pub to_send: Vec<u8>,
    /// The transport of these bytes, and the path, if the request is a GET with no header of its own; else an empty path. A
    /// client that sends the same request as the client before it reuses the bytes.
    plain: (bool, String),
    /// Buffers of the last response, for the next one.
    memory: Memory,
    /// The number of clients that wait for an answer.
    pub waiting: u32,
    /// True while clients send no new requests and only due answers are awaited.
    pub is_pausing: bool,
    /// True if a request got no answer, where that ends the load.
    is_unanswered: bool,
}

impl<'a> Shared<'a> {
    pub fn new(users: &'a Users<'a>, load: &'a Load, target: &'a Target) -> Self {
        let recorder = Recorder::new(load, users.catalogue.interactions().len());
        let behaviour = load.kind.behaviour();
        Self {
            users,
            load,
            target,
            origins: if users.catalogue.is_secure() {
                target.origins()
            } else {
                Origins::new(&target.plain.host, None)
            },
            recorder,
            schedule: behaviour.pace.map(|pace| PaceSchedule::new(pace, load.seed, load.shard)),
            behaviour,
            to_send: Vec::new(),
            plain: (false, String::new()),
            memory: Memory::default(),
            waiting: 0,
            is_pausing: false,
            is_unanswered: false,
        }
    }

    /// The limit of a client's slots: its connections and, in HTTP/2, the streams of one of them.
    pub fn slots(&self) -> usize {
        let connections = connections_per_client(self.users.catalogue);
        let is_wide = self.target.is_http2() && self.users.catalogue.embedded;
        connections + if is_wide { STREAMS_PER_CONNECTION } else { 0 }
    }

    /// Puts the bytes of a request back. What was known of the ones between is forgotten.
    pub fn set_request(&mut self, request: Vec<u8>) {
        self.to_send = request;
        self.plain.1.clear();
    }

    /// The limit of a browser's requests that are under way at an endpoint.
    fn most_at_once(&self, is_secure: bool) -> usize {
        let is_http2 = is_secure && self.target.is_http2();
        if is_http2 { STREAMS_PER_CONNECTION } else { CONNECTIONS_PER_ENDPOINT }
    }

    /// Ends the window if an event ends it: an unanswered request, or the last user's departure. Call it often;
    /// `earliest` is the first deadline.
    pub fn tick(&mut self, now: Duration, earliest: Option<(Duration, u32)>) {
        let nobody_left = || self.waiting == 0 && earliest.is_none_or(|(at, _)| at == Duration::MAX);
        if self.behaviour.arrivals.is_some() && (self.is_unanswered || nobody_left()) {
            self.recorder.end_window(now);
        }
    }

    /// True if the load has ended: the window is over, no client waits, and every request intended within the window was
    /// made. `earliest` is the first deadline with its client.
    pub fn is_over(&self, now: Duration, earliest: Option<(Duration, u32)>) -> bool {
        let end = self.recorder.window().end();
        let all_have_asked = now >= end && earliest.is_none_or(|(deadline, _)| deadline >= end);
        all_have_asked && (self.waiting == 0 || now >= self.last_answers(end))
    }

    /// Ends the load. Requests that were due in the window while all clients were busy count as intended.
    pub fn end(&mut self) {
        let end = self.recorder.window().end();
        while let Some(at) = self.next_instant().filter(|at| *at < end && end < Duration::MAX) {
            self.recorder.intended(at);
        }
    }

    /// The instant at which the next request or session begins, at a given rate.
    fn next_instant(&mut self) -> Option<Duration> {
        self.schedule.as_mut().map(PaceSchedule::next)
    }

    /// The end of the drain, even if answers are still due. The window ended at `end`.
    fn last_answers(&self, end: Duration) -> Duration {
        match self.load.timeout {
            _ if self.behaviour.leaves_at_once => end,
            None => end.saturating_add(Load::DRAIN_LIMIT),
            // Each wait ends with its timeout.
            Some(_) => Duration::MAX,
        }
    }

    fn is_write(&self, request: &Request) -> bool {
        self.users.catalogue.get(request.interaction).effect == Effect::Write
    }

    /// True if a request may be sent again although the server may have executed it (RFC 9110, 9.2.2).
    fn may_resend(&self, request: &Request) -> bool {
        request.method.is_idempotent() && !self.is_write(request)
    }
}

pub(crate) struct Client {
    dialogue: Box<dyn Dialogue + Send>,
    browser: Browser,
    activity: Activity,
    slots: Vec<Slot>,
    /// True if any slot has a command for the driver.
    has_command: bool,
    deadline: Duration,
    /// Its number among the users who arrive.
    number: u32,
    asked: u32,
    /// The number of times that a user has begun with a browser or closed it.
    browsers: u32,
}

enum Activity {
    Thinking {
        since: Duration,
        /// True if this wait is no think time: before the first request of a session at a given rate, and after an answer
        /// during a pause.
        is_idle: bool,
    },
    /// For a connection, an answer or embedded files, at most until the deadline.
    Waiting(Exchange),
}

struct Exchange {
    request: Request,
    is_secure: bool,
    redirects: u8,
    intended: Duration,
    /// The earliest instant at which it could be sent: when a client was free, whatever was intended.
    due: Duration,
    /// True if the driver has begun to connect for it, or to send it.
    is_started: bool,
    sent: Option<Duration>,
    /// The page, once it has arrived.
    page: Option<LoadedPage>,
}

/// A page while its embedded files are fetched.
struct LoadedPage {
    ending: RequestEnd,
    /// Bytes of the page and of its fetched files.
    bytes: u64,
    /// Embedded files not yet fetched, one path a line, behind a `>` for each redirect that led to it.
    embedded: Paths,
    /// The number of files being fetched.
    due: u32,
    /// The first failed fetch.
    failure: Option<ErrorKind>,
}

/// Paths, one a line.
#[derive(Default)]
struct Paths {
    text: String,
    at: usize,
}

impl Paths {
    fn peek(&self) -> Option<&str> {
        self.text[self.at..].lines().next()
    }

    /// Adds a path. Returns false if there is no room for it.
    fn push(&mut self, line: &str) -> bool {
        // Lines that were read are removed now and then, so that a byte is moved once on average.
        if self.at > self.text.len() / 2 {
            self.text.drain(..self.at);
            self.at = 0;
        }
        let has_room = self.text.len() - self.at + line.len() < MOST_PATHS;
        if has_room {
            self.text.extend([line, "\n"]);
        }
        has_room
    }

    fn skip(&mut self) {
        self.at += self.peek().map_or(0, |path| path.len() + 1);
    }
}

impl Client {
    pub fn new(number: u32, shared: &mut Shared<'_>) -> Self {
        let load = shared.load;
        let mut dialogue = shared.users.dialogue(load.seed, number, shared.behaviour.clients, load.began);
        let deadline = shared.next_instant().or_else(|| shared.behaviour.arrival(number));
        let latest_start = shared.behaviour.think_time.min(load.ramp);
        let deadline = deadline.unwrap_or_else(|| dialogue.first_instant(latest_start));
        Self {
            dialogue,
            browser: Browser::default(),
            activity: Activity::Thinking { since: Duration::ZERO, is_idle: true },
            slots: Vec::with_capacity(1),
            has_command: false,
            deadline,
            number,
            asked: 0,
            browsers: 0,
        }
    }

    /// The instant at which it must be woken.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// A number of the user's browser: one that is closed and opened again has another.
    pub fn browsers(&self) -> u32 {
        self.browsers
    }

    pub fn is_connecting(&self, slot: usize) -> bool {
        self.slots.get(slot).is_some_and(Slot::is_opening)
    }

    pub fn is_secure(&self, slot: usize) -> bool {
        self.slots[slot].is_secure
    }

    /// True if it has a request on which the driver has not begun.
    pub fn has_unstarted_request(&self) -> bool {
        matches!(self.activity, Activity::Waiting(Exchange { is_started: false, .. }))
    }

    /// The next command for the driver, with its slot. Call it after each event until there is none.
    pub fn next_command(&mut self, shared: &mut Shared<'_>) -> Option<(usize, Command)> {
        if !self.has_command {
            return None;
        }
        let Some(at) = self.slots.iter().position(|slot| slot.command.is_some()) else {
            self.has_command = false;
            return None;
        };
        let command = self.slots[at].command.take()?;
        if matches!(command, Command::Send | Command::SendIfOpen) {
            self.encode(at, shared);
        }
        Some((at, command))
    }

    pub fn wake(&mut self, shared: &mut Shared<'_>, now: Duration) {
        match self.activity {
            _ if now < self.deadline => {}
            Activity::Waiting(_) => {
                for _ in 0..self.openings(shared) {
                    shared.recorder.connect_failed(ErrorKind::Timeout, now);
                }
                self.fail(shared, ErrorKind::Timeout, now);
            }
            Activity::Thinking { .. } if self.deadline >= shared.recorder.window().end() => {
                self.deadline = Duration::MAX;
            }
            Activity::Thinking { since, is_idle } => {
                if is_idle || shared.behaviour.is_paced_by(PaceUnit::Request) {
                    shared.recorder.account(since, self.deadline);
                } else {
                    shared.recorder.record_think_time(since, self.deadline);
                }
                if !is_idle && shared.behaviour.is_paced_by(PaceUnit::Session) && self.dialogue.ends(now) {
                    return self.leave(shared, now);
                }
                self.ask(shared, since.max(self.deadline), now);
            }
        }
    }

    /// The number of connections that are being opened: one for all that HTTP/2 carries.
    fn openings(&self, shared: &Shared<'_>) -> usize {
        let opening = |is_secure| {
            let all = self.slots.iter().filter(move |slot| slot.is_opening() && slot.is_secure == is_secure);
            all.count()
        };
        let secure = opening(true);
        opening(false) + if shared.target.is_http2() { secure.min(1) } else { secure }
    }

    fn close_browser(&mut self) {
        self.browsers += 1;
        for slot in &mut self.slots {
            self.has_command |= slot.leave();
        }
    }

    /// The user leaves, and closes the browser. The client waits for the instant of another user.
    fn leave(&mut self, shared: &mut Shared<'_>, now: Duration) {
        self.close_browser();
        self.activity = Activity::Thinking { since: now, is_idle: true };
        self.deadline = shared.next_instant().unwrap_or(Duration::MAX);
    }

    /// Records that the driver begins to connect for the request, or to send it.
    pub fn started(&mut self, shared: &mut Shared<'_>, now: Duration) {
        if let Activity::Waiting(exchange) = &mut self.activity
            && !std::mem::replace(&mut exchange.is_started, true)
        {
            shared.recorder.started(exchange.intended, exchange.due, now);
        }
    }

    /// Records that the driver begins to connect for a slot that had to wait.
    pub fn opens(&mut self, slot: usize, now: Duration) {
        self.slots[slot].opens(now);
    }

    pub fn connected(&mut self, slot: usize, shared: &mut Shared<'_>, now: Duration) {
        let Some((why, took)) = self.slots[slot].opened(now) else { return };
        shared.recorder.opened(why, took, now);
        if self.slots[slot].requested.is_some() {
            self.send(slot, shared, now);
        }
    }

    /// The slot is a stream of a connection that is open already.
    pub fn joined(&mut self, slot: usize, shared: &mut Shared<'_>, now: Duration) {
        self.slots[slot].joined();
        if self.slots[slot].requested.is_some() {
            self.send(slot, shared, now);
        }
    }

    /// Takes the last bytes of a stream's answer, whose frames had `size` bytes.
    pub fn ended(&mut self, slot: usize, shared: &mut Shared<'_>, bytes: &[u8], size: u64, now: Duration) {
        if self.slots[slot].requested.is_none() {
            return;
        }
        let reader = &mut self.slots[slot].reader;
        match reader.receive(bytes).and_then(|_| reader.framed_end(size)) {
            Ok(response) => {
                self.answered(slot, shared, &response, now);
                shared.memory = response.into();
            }
            Err(fault) => self.malformed(slot, shared, &fault, now),
        }
    }

    /// Handles a stream that gets no answer.
    pub fn given_up(&mut self, slot: usize, shared: &mut Shared<'_>, kind: ErrorKind, now: Duration) {
        if self.slots[slot].requested.is_some() {
            self.broken(slot, shared, kind, now);
        }
    }

    fn malformed(&mut self, slot: usize, shared: &mut Shared<'_>, fault: &HttpError, now: Duration) {
        let kind = ErrorKind::of_response(fault);
        shared.recorder.cause(kind, || fault.to_string());
        self.broken(slot, shared, kind, now);
    }

    pub fn connect_failed(&mut self, slot: usize, shared: &mut Shared<'_>, kind: ErrorKind, now: Duration) {
        shared.recorder.connect_failed(kind, now);
        self.broken(slot, shared, kind, now);
        // A user who has left stays away.
        if matches!(self.activity, Activity::Thinking { .. }) {
            self.deadline = self.deadline.max(now + PAUSE_AFTER_FAILED_CONNECT);
        }
    }

    pub fn received(&mut self, slot: usize, shared: &mut Shared<'_>, bytes: &[u8], now: Duration) {
        if self.slots[slot].requested.is_none() {
            // No request is under way: some servers announce that they close an idle connection.
            return self.lost_idle(slot);
        }
        let reader = &mut self.slots[slot].reader;
        if !reader.has_begun() {
            reader.reuse(std::mem::take(&mut shared.memory));
        }
        match reader.receive(bytes) {
            Ok(None) => {}
            Ok(Some(response)) => {
                self.answered(slot, shared, &response, now);
                shared.memory = response.into();
            }
            Err(fault) => self.malformed(slot, shared, &fault, now),
        }
    }

    /// Handles the end of the connection: orderly, or broken.
    pub fn closed(&mut self, slot: usize, shared: &mut Shared<'_>, kind: ErrorKind, now: Duration) {
        let connection = &mut self.slots[slot];
        let Some(requested) = &connection.requested else { return self.lost_idle(slot) };
        if kind == ErrorKind::Closed
            && let Ok(response) = connection.reader.closed()
        {
            self.answered(slot, shared, &response, now);
            if !self.slots[slot].is_opening() {
                self.issue(slot, Command::Close);
            }
            return;
        }
        let may_resend = match (requested, &self.activity) {
            (Requested::Page, Activity::Waiting(exchange)) => shared.may_resend(&exchange.request),
            _ => true,
        };
        if !connection.is_reused() || connection.reader.has_begun() {
            self.broken(slot, shared, kind, now);
        } else if may_resend {
            self.open(slot, Opening::Race, now);
        } else {
            self.broken(slot, shared, ErrorKind::KeepAliveRace, now);
        }
    }

    /// Handles the end of the connection before anything of the request was sent on it.
    pub fn not_sent(&mut self, slot: usize, shared: &mut Shared<'_>, now: Duration) {
        match (&self.slots[slot].requested, &mut self.activity) {
            (None, _) | (_, Activity::Thinking { .. }) => return self.lost_idle(slot),
            (Some(Requested::Page), Activity::Waiting(exchange)) => exchange.sent = None,
            (Some(Requested::File { .. }), _) => {}
        }
        if self.slots[slot].refused() > MOST_REFUSALS {
            return self.broken(slot, shared, ErrorKind::Reset, now);
        }
        self.open(slot, Opening::Reconnect, now);
    }

    /// Ends the load for this client. Time is accounted for only up to the deadline, so that a client lost by the driver
    /// shows.
    pub fn end(&self, shared: &mut Shared<'_>, now: Duration) {
        let until = now.min(self.deadline);
        match &self.activity {
            Activity::Thinking { since, .. } => {
                shared.recorder.account(*since, until);
                shared.recorder.intended(self.deadline);
            }
            Activity::Waiting(exchange) => {
                shared.recorder.account(exchange.intended, until);
                if exchange.sent.is_some() && exchange.page.is_none() && shared.is_write(&exchange.request) {
                    shared.recorder.abandoned(exchange.request.interaction);
                }
            }
        }
    }

    /// Makes the next request, which could have been made at `due`.
    fn ask(&mut self, shared: &mut Shared<'_>, due: Duration, now: Duration) {
        let request = self.dialogue.next(shared.users, shared.load.session_length, now);
        self.browser.expire(now);
        if let Some((from, step)) = request.drawn {
            shared.recorder.record_transition(from, step, now);
        }
        if request.how == How::Start {
            self.start_session();
        }
        let intended = self.deadline;
        shared.recorder.intended(intended);
        if self.asked == 0 && shared.behaviour.arrivals.is_some() {
            shared.recorder.arrived(self.number, intended);
        }
        self.asked += 1;
        let is_secure = shared.users.catalogue.get(request.interaction).secure;
        self.activity = Activity::Waiting(Exchange {
            request,
            is_secure,
            redirects: 0,
            intended,
            due,
            is_started: false,
            sent: None,
            page: None,
        });
        self.deadline = shared.load.timeout.map_or(Duration::MAX, |timeout| now + timeout);
        shared.waiting += 1;
        self.ask_for_page(is_secure, shared, now);
    }

    /// Hands over to another user, with an empty browser.
    fn start_session(&mut self) {
        self.close_browser();
        self.browser = Browser::default();
    }

    /// Assigns the page's request to a slot, preferably an idle one.
    fn ask_for_page(&mut self, is_secure: bool, shared: &mut Shared<'_>, now: Duration) {
        let idle = find(&self.slots, is_secure, Slot::is_idle);
        let slot = idle.unwrap_or_else(|| unused_slot(&mut self.slots, is_secure));
        self.slots[slot].requested = Some(Requested::Page);
        match self.slots[slot].why_closed() {
            Some(why) => self.open(slot, why, now),
            None => self.send(slot, shared, now),
        }
    }

    fn issue(&mut self, slot: usize, command: Command) {
        self.slots[slot].command = Some(command);
        self.has_command = true;
    }

    fn open(&mut self, slot: usize, why: Opening, now: Duration) {
        self.slots[slot].begin_opening(why, now);
        self.issue(slot, Command::Open);
    }

    /// Browsers check an idle connection before they use it again. A request that may be sent twice is sent without
    /// that system call.
    fn send(&mut self, slot: usize, shared: &mut Shared<'_>, now: Duration) {
        let Activity::Waiting(exchange) = &mut self.activity else { return };
        let connection = &mut self.slots[slot];
        let is_page = matches!(connection.requested, Some(Requested::Page));
        if is_page {
            exchange.sent = Some(now);
        }
        let is_framed = connection.is_secure && shared.target.is_http2();
        connection.expect_answer(shared.users.reads(), is_framed);
        let is_doubtful = is_page && connection.is_reused() && !shared.may_resend(&exchange.request);
        self.issue(slot, if is_doubtful { Command::SendIfOpen } else { Command::Send });
    }

    fn encode(&self, slot: usize, shared: &mut Shared<'_>) {
        let Slot { requested, is_secure, .. } = &self.slots[slot];
        let Activity::Waiting(exchange) = &self.activity else { return };
        let outgoing = match requested {
            Some(Requested::File { path, .. }) => Outgoing::form(Method::Get, path, ""),
            _ => {
                let Request { method, path_and_query, headers, body, .. } = &exchange.request;
                Outgoing { method: *method, path_and_query, headers, body: body.as_bytes() }
            }
        };
        let cookies = self.browser.cookies_for(*is_secure, outgoing.path_and_query);
        let is_plain = outgoing.method == Method::Get && outgoing.headers.is_empty() && cookies.is_empty();
        let (was_secure, path) = &mut shared.plain;
        if is_plain && is_secure == was_secure && path == outgoing.path_and_query {
            return;
        }
        *was_secure = *is_secure;
        if is_plain {
            outgoing.path_and_query.clone_into(path);
        } else {
            path.clear();
        }
        let endpoint = shared.target.endpoint(*is_secure);
        shared.to_send.clear();
        http::encode(&outgoing, endpoint, &cookies, &mut shared.to_send);
    }

    /// The server is left to close a connection that it has announced to close. The side that closes first holds the port
    /// in TIME_WAIT for a minute, and a generator soon runs out of ports.
    fn answered(&mut self, slot: usize, shared: &mut Shared<'_>, response: &HttpResponse, now: Duration) {
        let requested = self.slots[slot].answered(response.keeps_alive);
        let is_secure = self.slots[slot].is_secure;
        match requested {
            Some(Requested::Page) => self.page_arrived(shared, response, now),
            Some(Requested::File { path, redirects }) => {
                self.file_arrived(shared, (is_secure, &path, redirects), response, now);
            }
            None => {}
        }
        self.go_on(shared, now);
        if self.is_gone() {
            self.issue(slot, Command::Close);
            self.close_browser();
        }
    }

    /// Handles the answer to the page's request: a redirect, or the page.
    fn page_arrived(&mut self, shared: &mut Shared<'_>, response: &HttpResponse, now: Duration) {
        let Activity::Waiting(exchange) = &mut self.activity else { return };
        let host = shared.origins.host(exchange.is_secure);
        for cookie in response.cookies() {
            self.browser.set_cookie(&cookie, host, &exchange.request.path_and_query, now);
        }
        if exchange.redirect(response, &shared.origins) {
            let is_secure = exchange.is_secure;
            return self.ask_for_page(is_secure, shared, now);
        }
        let answer = Answer {
            status: response.status,
            content_type: response.content_type(),
            body: &response.body,
            site: &shared.origins,
            is_secure: exchange.is_secure,
        };
        let ending = read_answer(self.dialogue.as_mut(), shared.users, &exchange.request, &answer);
        if let RequestEnd::Error(kind) = ending {
            shared.recorder.cause(kind, || cause(&exchange.request.path_and_query, response));
        }
        if shared.is_write(&exchange.request) && exchange.sent.is_some() {
            shared.recorder.record_write(&exchange.request, ending);
        }
        shared.recorder.left_out(&self.dialogue.take_left_out(), now);
        let text = match ending {
            RequestEnd::Error(_) => String::new(),
            RequestEnd::Page { .. } | RequestEnd::Refused => self.dialogue.take_embedded(),
        };
        let embedded = Paths { text, at: 0 };
        exchange.page = Some(LoadedPage { ending, bytes: response.size, embedded, due: 0, failure: None });
    }

    /// Handles the answer to the request for an embedded file: a redirect within the site leads to another file.
    fn file_arrived(
        &mut self,
        shared: &mut Shared<'_>,
        (is_secure, path, redirects): (bool, &str, u8),
        response: &HttpResponse,
        now: Duration,
    ) {
        for cookie in response.cookies() {
            self.browser.set_cookie(&cookie, shared.origins.host(is_secure), path, now);
        }
        let is_kept = matches!(response.status, 200 | 301 | 308) && !response.forbids_keeping();
        if !is_kept {
            self.browser.forget(is_secure, path);
        }
        let failure = match location(response, &shared.origins, is_secure, path) {
            Lead::Within(_) if redirects == MOST_REDIRECTS => {
                self.browser.forget_moved();
                Some(ErrorKind::UnexpectedPage)
            }
            Lead::Within(to) => {
                if is_kept {
                    self.browser.moved(is_secure, path);
                }
                if self.redirect_file(&to, redirects + 1) {
                    None
                } else {
                    self.browser.forget_moved();
                    shared.recorder.cause(ErrorKind::TooLarge, too_many_redirects);
                    Some(ErrorKind::TooLarge)
                }
            }
            Lead::Elsewhere(site) => {
                shared.recorder.left_out(&site, now);
                None
            }
            Lead::Nowhere => failure_of_file(response.status),
        };
        if let Some(kind) = failure {
            shared.recorder.cause(kind, || cause(path, response));
        }
        self.file_ended(response.size, failure);
    }

    /// Adds the file to which a redirect leads. Returns false if its page waits for too many.
    fn redirect_file(&mut self, to: &Located, redirects: u8) -> bool {
        let Activity::Waiting(Exchange { page: Some(page), is_secure, .. }) = &mut self.activity else {
            return true;
        };
        let transport = match to.is_secure {
            same if same == *is_secure => "",
            true => "+",
            false => "-",
        };
        page.embedded.push(&[&">".repeat(redirects.into()), transport, &to.path_and_query].concat())
    }

    /// Handles the arrival of an embedded file, or its failure.
    fn file_ended(&mut self, bytes: u64, failure: Option<ErrorKind>) {
        if let Activity::Waiting(Exchange { page: Some(page), .. }) = &mut self.activity {
            page.due -= 1;
            page.bytes += bytes;
            page.failure = page.failure.or(failure);
        }
    }

    /// Fetches the embedded files. When all have arrived, the user thinks.
    fn go_on(&mut self, shared: &mut Shared<'_>, now: Duration) {
        while let Activity::Waiting(Exchange { page: Some(page), is_secure, .. }) = &mut self.activity {
            let Some(line) = page.embedded.peek() else {
                if page.due == 0 {
                    let (ending, bytes) = (page.failure.map_or(page.ending, RequestEnd::Error), page.bytes);
                    self.finish(shared, ending, bytes, now);
                }
                return;
            };
            let file = line.trim_start_matches('>');
            let redirects = (line.len() - file.len()) as u8;
            let (is_secure, path) = match file.strip_prefix('+') {
                Some(path) => (true, path),
                None => file.strip_prefix('-').map_or((*is_secure, file), |path| (false, path)),
            };
            // Redirects that lead to one another end by their number, also where the cache has them.
            let is_known = redirects == 0 || !self.browser.is_moved(is_secure, path);
            if is_known && self.browser.has(is_secure, path) {
                page.embedded.skip();
                continue;
            }
            let most = shared.most_at_once(is_secure);
            let Some(slot) = slot_for_file(&mut self.slots, is_secure, most) else { return };
            self.browser.keep(is_secure, path);
            self.slots[slot].requested = Some(Requested::File { path: path.into(), redirects });
            page.embedded.skip();
            page.due += 1;
            match self.slots[slot].why_closed() {
                Some(why) => self.open(slot, why, now),
                None => self.send(slot, shared, now),
            }
        }
    }

    /// Handles the failure of the slot's request.
    fn broken(&mut self, slot: usize, shared: &mut Shared<'_>, kind: ErrorKind, now: Duration) {
        match self.slots[slot].requested.take() {
            Some(Requested::File { path, .. }) => {
                shared.recorder.cause(kind, || format!("{}, for {path}", kind.meaning()));
                self.browser.forget(self.slots[slot].is_secure, &path);
                self.file_ended(0, Some(kind));
                self.slots[slot].leave();
                self.issue(slot, Command::Close);
                self.go_on(shared, now);
            }
            Some(Requested::Page) => {
                self.slots[slot].leave();
                self.issue(slot, Command::Close);
                self.fail(shared, kind, now);
            }
            None => {
                self.slots[slot].leave();
                self.issue(slot, Command::Close);
            }
        }
    }

    /// Fails the page's request, and gives up everything that belongs to it.
    fn fail(&mut self, shared: &mut Shared<'_>, kind: ErrorKind, now: Duration) {
        if let Activity::Waiting(exchange) = &self.activity {
            let path = &exchange.request.path_and_query;
            shared.recorder.cause(kind, || format!("{}, for {path}", kind.meaning()));
            let mut bytes = 0;
            match &exchange.page {
                Some(page) => bytes = page.bytes,
                None => {
                    self.dialogue.failed(&exchange.request);
                    if shared.is_write(&exchange.request) && exchange.sent.is_some() {
                        shared.recorder.record_write(&exchange.request, RequestEnd::Error(kind));
                    }
                }
            }
            self.finish(shared, RequestEnd::Error(kind), bytes, now);
        }
        for slot in self.slots.iter_mut().filter(|slot| slot.requested.is_some() || slot.is_opening()) {
            if let Some(Requested::File { path, .. }) = &slot.requested {
                self.browser.forget(slot.is_secure, path);
            }
            self.has_command |= slot.leave();
        }
    }

    /// Ends the request; the user thinks.
    fn finish(&mut self, shared: &mut Shared<'_>, ending: RequestEnd, bytes: u64, now: Duration) {
        let thinking = Activity::Thinking { since: now, is_idle: shared.is_pausing };
        if let Activity::Waiting(exchange) = std::mem::replace(&mut self.activity, thinking) {
            let at = Instants { intended: exchange.intended, sent: exchange.sent, done: now };
            shared.recorder.ended(&exchange.request, at, ending, bytes);
            shared.waiting -= 1;
            self.dialogue.again(exchange.request);
            if let Some(arrivals) = &shared.behaviour.arrivals {
                shared.recorder.record_by_user(self.number, at, ending);
                shared.is_unanswered |= ending.is_unanswered() && arrivals.ends_unanswered;
            }
        }
        self.deadline = self.next_instant(shared, now);
    }

    /// The instant of the user's next request after an answer; never, if the user leaves.
    fn next_instant(&mut self, shared: &mut Shared<'_>, now: Duration) -> Duration {
        if shared.behaviour.is_paced_by(PaceUnit::Request)
            && let Some(at) = shared.next_instant()
        {
            // After the window, no more requests are made.
            if now < shared.recorder.window().end() {
                return at;
            }
            shared.recorder.intended(at);
            return Duration::MAX;
        }
        match &shared.behaviour.arrivals {
            None => {
                let think = self.dialogue.think(shared.behaviour.think_time);
                // A client that waited when the pause began sends its next request when it ends. Otherwise the server's queue
                // would have to build up again.
                now + if shared.is_pausing { Duration::ZERO } else { think }
            }
            Some(arrivals) if arrivals.requests.is_some_and(|most| self.asked >= most) => {
                shared.recorder.left(self.number, now);
                Duration::MAX
            }
            Some(arrivals) => now + self.dialogue.think_within(&arrivals.think),
        }
    }

    fn is_gone(&self) -> bool {
        matches!(self.activity, Activity::Thinking { .. }) && self.deadline == Duration::MAX
    }

    fn lost_idle(&mut self, slot: usize) {
        self.slots[slot].lose();
        self.issue(slot, Command::Close);
    }
}

fn find(slots: &[Slot], is_secure: bool, fits: impl Fn(&Slot) -> bool) -> Option<usize> {
    slots.iter().position(|slot| slot.is_secure == is_secure && fits(slot))
}

/// A slot without a connection.
fn unused_slot(slots: &mut Vec<Slot>, is_secure: bool) -> usize {
    find(slots, is_secure, Slot::is_closed).unwrap_or_else(|| {
        slots.push(Slot::new(is_secure));
        slots.len() - 1
    })
}

/// A slot that can fetch a file now: an idle one, or a new one if there are less than `most`.
fn slot_for_file(slots: &mut Vec<Slot>, is_secure: bool, most: usize) -> Option<usize> {
    if let Some(idle) = find(slots, is_secure, Slot::is_idle) {
        return Some(idle);
    }
    let in_use = slots.iter().filter(|slot| slot.is_secure == is_secure && !slot.is_closed()).count();
    (in_use < most).then(|| unused_slot(slots, is_secure))
}

impl Exchange {
    /// Follows a redirect, as browsers do (RFC 9110, 15.4). Returns whether it was a redirect within the site.
    fn redirect(&mut self, response: &HttpResponse, site: &Origins) -> bool {
        if self.redirects == MOST_REDIRECTS {
            return false;
        }
        let Lead::Within(to) = location(response, site, self.is_secure, &self.request.path_and_query) else {
            return false;
        };
        self.redirects += 1;
        self.is_secure = to.is_secure;
        self.request.path_and_query = to.path_and_query;
        let is_left = match response.status {
            301 | 302 => self.request.method == Method::Post,
            303 => true,
            _ => false,
        };
        if is_left {
            self.request.method = Method::Get;
            self.request.headers.retain(|header| !header.name.eq_ignore_ascii_case("content-type"));
            self.request.body.clear();
        }
        true
    }
}

/// The target of a redirect; none if it is no redirect.
fn location(response: &HttpResponse, site: &Origins, is_secure: bool, from: &str) -> Lead {
    // Looking a header up takes time that no other answer needs.
    if !is_redirect(response.status) {
        return Lead::Nowhere;
    }
    let location = response.header("location");
    location.map_or(Lead::Nowhere, |location| site.resolve(&site.document(is_secure, from), &location, None))
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The fault of an answer, in words.
fn cause(path_and_query: &str, response: &HttpResponse) -> String {
    let status = response.status;
    match response.header("location").filter(|_| is_redirect(status)) {
        Some(location) => format!("{status} to {location}, for {path_and_query}"),
        None if (200..300).contains(&status) => {
            format!("{status} without what was awaited, for {path_and_query}")
        }
        None => format!("{status} for {path_and_query}"),
    }
}

fn too_many_redirects() -> String {
    format!("redirects lead the files of a page to more than {} MiB of addresses", MOST_PATHS >> 20)
}

/// The error of a failed answer to a file's request.
fn failure_of_file(status: u16) -> Option<ErrorKind> {
    match status {
        200 | 204 => None,
        400..500 => Some(ErrorKind::ClientStatus),
        500..600 => Some(ErrorKind::ServerStatus),
        _ => Some(ErrorKind::UnexpectedPage),
    }
}

/// Interprets an answer, and lets the dialogue read it.
fn read_answer(
    dialogue: &mut dyn Dialogue,
    users: &Users<'_>,
    request: &Request,
    answer: &Answer<'_>,
) -> RequestEnd {
    match (dialogue.answered(users, request, answer), answer.status) {
        (AnswerKind::Page { acknowledged }, _) => RequestEnd::Page { acknowledged },
        (AnswerKind::Refused, _) => RequestEnd::Refused,
        (AnswerKind::OfAnother, _) => RequestEnd::Error(ErrorKind::OfAnother),
        (AnswerKind::Wrong, 400..500) => RequestEnd::Error(ErrorKind::ClientStatus),
        (AnswerKind::Wrong, 500..600) => RequestEnd::Error(ErrorKind::ServerStatus),
        (AnswerKind::Wrong, _) => RequestEnd::Error(ErrorKind::UnexpectedPage),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::Document;
    use workload::ExternalSite;

    const INTERACTIONS: &str = "prefix = '/x'\n\
        [[interaction]]\nname = 'A'\npath = 'A'\n\
        [[interaction]]\nname = 'B'\npath = 'B'\nmethod = 'POST'\neffect = 'write'\nwrites = 'rows'\n";
    const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n\
        <a href='A'></a><form action='B' method='post'></form><p>x</p>...";

    const ACKNOWLEDGED: &[u8] =
        b"HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n<data class=acknowledged value=1 />.";

    /// A client with one slot. Each event returns its next command.
    struct ClientUnderTest(Client);

    impl ClientUnderTest {
        fn command(&mut self, shared: &mut Shared<'_>) -> Option<Command> {
            let command = self.0.next_command(shared).map(|(_, command)| command);
            assert_eq!(self.0.next_command(shared), None);
            command
        }

        fn wake(&mut self, shared: &mut Shared<'_>, now: Duration) -> Option<Command> {
            self.0.wake(shared, now);
            self.command(shared)
        }

        fn connected(&mut self, shared: &mut Shared<'_>, now: Duration) -> Option<Command> {
            self.0.connected(0, shared, now);
            self.command(shared)
        }

        fn received(&mut self, shared: &mut Shared<'_>, bytes: &[u8], now: Duration) -> Option<Command> {
            self.0.received(0, shared, bytes, now);
            self.command(shared)
        }

        fn closed(&mut self, shared: &mut Shared<'_>, kind: ErrorKind, now: Duration) -> Option<Command> {
            self.0.closed(0, shared, kind, now);
            self.command(shared)
        }

        fn not_sent(&mut self, shared: &mut Shared<'_>, now: Duration) -> Option<Command> {
            self.0.not_sent(0, shared, now);
            self.command(shared)
        }

        fn started(&mut self, shared: &mut Shared<'_>, now: Duration) {
            self.0.started(shared, now);
        }

        fn end(&self, shared: &mut Shared<'_>, now: Duration) {
            self.0.end(shared, now);
        }

        fn deadline(&self) -> Duration {
            self.0.deadline()
        }
    }

    /// Runs a test with a client of this mix, whose mean think time is a second.
    fn with_client(mix: &str, test: impl FnOnce(&mut ClientUnderTest, &mut Shared<'_>)) {
        with_client_of(INTERACTIONS, mix, test);
    }

    fn with_client_of(
        interactions: &str,
        mix: &str,
        test: impl FnOnce(&mut ClientUnderTest, &mut Shared<'_>),
    ) {
        let document = Document::new("x.toml", format!("{interactions}{mix}"));
        let site = ExternalSite::parse(&document, false).unwrap();
        let load = Load {
            session_length: Duration::from_secs(100_000),
            window: Duration::from_secs(1000),
            ..Load::new(workload::LoadKind::closed(1, Duration::from_secs(1)))
        };
        let target = Target::plain(([127, 0, 0, 1], 80).into(), "host");
        site.with_users(|users| {
            let mut shared = Shared::new(users, &load, &target);
            test(&mut ClientUnderTest(Client::new(0, &mut shared)), &mut shared);
        });
    }

    const BROWSE: &str = "[transitions.A]\nA = 1.0\n";
    const WRITE: &str = "[transitions.A]\nB = 1.0\n[transitions.B]\nA = 1.0\n";

    /// The client gets its first page and requests the next one on the same connection.
    fn ask_twice(client: &mut ClientUnderTest, shared: &mut Shared<'_>) -> Duration {
        assert_eq!(client.wake(shared, client.deadline()), Some(Command::Open));
        client.started(shared, Duration::ZERO);
        assert_eq!(client.connected(shared, Duration::ZERO), Some(Command::Send));
        assert_eq!(client.received(shared, PAGE, Duration::ZERO), None);
        let now = client.deadline();
        let command = client.wake(shared, now);
        client.started(shared, now);
        let expected = if shared.to_send.starts_with(b"GET ") { Command::Send } else { Command::SendIfOpen };
        assert_eq!(command, Some(expected));
        now
    }

    fn outcome(shared: &mut Shared<'_>) -> crate::Outcome {
        let fresh = Recorder::new(shared.load, 2);
        std::mem::replace(&mut shared.recorder, fresh).finish(Duration::ZERO)
    }

    #[test]
    fn a_get_that_races_with_a_close_is_sent_once_more() {
        with_client(BROWSE, |client, shared| {
            let now = ask_twice(client, shared);
            assert_eq!(client.closed(shared, ErrorKind::Reset, now), Some(Command::Open));
            assert_eq!(client.connected(shared, now), Some(Command::Send));
            assert!(shared.to_send.starts_with(b"GET /x/A "));
            // A second time is an error.
            assert_eq!(client.closed(shared, ErrorKind::Reset, now), Some(Command::Close));
            let outcome = outcome(shared);
            assert_eq!((outcome.connections.races, outcome.connections.reconnects), (1, 0));
            assert_eq!(outcome.total().errors_of(ErrorKind::Reset), 1);
        });
    }

    #[test]
    fn a_post_that_races_with_a_close_is_in_doubt_and_not_sent_again() {
        for kind in [ErrorKind::Closed, ErrorKind::Reset] {
            with_client(WRITE, |client, shared| {
                let now = ask_twice(client, shared);
                assert!(shared.to_send.starts_with(b"POST /x/B "));
                assert_eq!(client.closed(shared, kind, now), Some(Command::Close));
                let outcome = outcome(shared);
                assert_eq!(outcome.total().errors_of(ErrorKind::KeepAliveRace), 1);
                assert_eq!(outcome.total().errors(), 1);
                assert_eq!((outcome.connections.races, outcome.writes[1].in_doubt), (0, 1));
            });
        }
    }

    #[test]
    fn only_a_reused_connection_without_an_answer_counts_as_a_race() {
        with_client(WRITE, |client, shared| {
            // The answer has begun.
            let now = ask_twice(client, shared);
            assert_eq!(client.received(shared, &PAGE[..30], now), None);
            assert_eq!(client.closed(shared, ErrorKind::Reset, now), Some(Command::Close));
            assert_eq!(outcome(shared).total().errors_of(ErrorKind::Reset), 1);
        });
        with_client(WRITE, |client, shared| {
            // The connection is new.
            let now = ask_twice(client, shared);
            assert_eq!(client.not_sent(shared, now), Some(Command::Open));
            assert_eq!(client.connected(shared, now), Some(Command::Send));
            assert_eq!(client.closed(shared, ErrorKind::Closed, now), Some(Command::Close));
            assert_eq!(outcome(shared).total().errors_of(ErrorKind::Closed), 1);
        });
    }

    #[test]
    fn a_post_reconnects_if_its_connection_is_closed() {
        with_client(WRITE, |client, shared| {
            let now = ask_twice(client, shared);
            assert_eq!(client.not_sent(shared, now), Some(Command::Open));
            // Until then nothing was sent that could be in doubt.
            client.end(shared, now);
            assert_eq!(client.connected(shared, now), Some(Command::Send));
            assert!(shared.to_send.starts_with(b"POST /x/B "));
            assert_eq!(client.received(shared, ACKNOWLEDGED, now), None);
            let outcome = outcome(shared);
            assert_eq!((outcome.total().completed, outcome.total().errors()), (2, 0));
            assert_eq!((outcome.connections.reconnects, outcome.writes[1].in_doubt), (1, 0));
            assert_eq!(outcome.writes[1].acknowledged, [1]);
        });
    }

    #[test]
    fn a_request_that_no_server_begins_with_is_given_up() {
        with_client(WRITE, |client, shared| {
            let now = ask_twice(client, shared);
            for _ in 0..MOST_REFUSALS {
                assert_eq!(client.not_sent(shared, now), Some(Command::Open));
                assert_eq!(client.connected(shared, now), Some(Command::Send));
            }
            assert_eq!(client.not_sent(shared, now), Some(Command::Close));
            let outcome = outcome(shared);
            assert_eq!((outcome.total().errors_of(ErrorKind::Reset), outcome.total().errors()), (1, 1));
            assert_eq!(outcome.writes[1].in_doubt, 0);
        });
    }

    #[test]
    fn a_get_that_writes_is_not_sent_again() {
        let by_get = INTERACTIONS.replace("'POST'", "'GET'");
        with_client_of(&by_get, WRITE, |client, shared| {
            let first = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n<a href='B'></a>";
            assert_eq!(client.wake(shared, client.deadline()), Some(Command::Open));
            assert_eq!(client.connected(shared, Duration::ZERO), Some(Command::Send));
            assert_eq!(client.received(shared, first, Duration::ZERO), None);
            let now = client.deadline();
            assert_eq!(client.wake(shared, now), Some(Command::SendIfOpen));
            assert!(shared.to_send.starts_with(b"GET /x/B "));
            assert_eq!(client.closed(shared, ErrorKind::Closed, now), Some(Command::Close));
            assert_eq!(outcome(shared).total().errors_of(ErrorKind::KeepAliveRace), 1);
        });
    }

    #[test]
    fn an_incomplete_answer_is_an_error_even_for_a_get() {
        with_client(BROWSE, |client, shared| {
            let now = ask_twice(client, shared);
            assert_eq!(client.received(shared, &PAGE[..30], now), None);
            assert_eq!(client.closed(shared, ErrorKind::Closed, now), Some(Command::Close));
            assert_eq!(outcome(shared).total().errors_of(ErrorKind::Closed), 1);
        });
    }

    #[test]
    fn a_connection_lost_while_thinking_is_replaced_without_an_error() {
        with_client(BROWSE, |client, shared| {
            let now = ask_twice(client, shared);
            assert_eq!(client.received(shared, PAGE, now), None);
            assert_eq!(client.closed(shared, ErrorKind::Reset, now), Some(Command::Close));
            let next = client.deadline();
            assert_eq!(client.wake(shared, next), Some(Command::Open));
            assert_eq!(client.connected(shared, next), Some(Command::Send));
            let outcome = outcome(shared);
            assert_eq!((outcome.connections.reconnects, outcome.total().errors()), (1, 0));
        });
    }

    #[test]
    fn the_server_closes_a_connection_that_it_announced_to_close() {
        with_client(BROWSE, |client, shared| {
            let now = ask_twice(client, shared);
            let last = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 16\r\n\r\n<a href='A'></a>";
            assert_eq!(client.received(shared, last, now), None);
            assert_eq!(client.closed(shared, ErrorKind::Closed, now), Some(Command::Close));
            let next = client.deadline();
            assert_eq!(client.wake(shared, next), Some(Command::Open));
            assert_eq!(client.connected(shared, next), Some(Command::Send));
            let outcome = outcome(shared);
            assert_eq!((outcome.connections.opened, outcome.connections.reconnects), (2, 0));
            assert_eq!((outcome.total().completed, outcome.total().errors()), (2, 0));
        });
    }

    #[test]
    fn lateness_excludes_the_wait_for_a_connection() {
        with_client(BROWSE, |client, shared| {
            let now = ask_twice(client, shared);
            client.received(shared, PAGE, now + Duration::from_millis(40));
            let late = Duration::from_millis(3);
            let next = client.deadline() + late;
            assert_eq!(client.wake(shared, next), Some(Command::Send));
            client.started(shared, next);
            client.received(shared, PAGE, next + Duration::from_millis(5));
            let outcome = outcome(shared);
            // One of three requests was late, though the first had to wait for its connection.
            assert_eq!(outcome.lateness.len(), 3);
            assert_eq!(outcome.lateness.value_at_quantile(0.6), 1);
            assert!(outcome.lateness.max().abs_diff(3000) < 5, "{}", outcome.lateness.max());
            let response = &outcome.interactions[0];
            assert!(response.service.value_at_quantile(0.5).abs_diff(5000) < 10);
            assert!(response.response.value_at_quantile(0.5).abs_diff(8000) < 10);
        });
    }

    #[test]
    fn a_request_that_the_driver_drops_is_intended_and_not_sent() {
        with_client(BROWSE, |client, shared| {
            let now = ask_twice(client, shared);
            assert_eq!(client.closed(shared, ErrorKind::Reset, now), Some(Command::Open));
            // The same request on another connection.
            client.started(shared, now);
            assert_eq!(client.connected(shared, now), Some(Command::Send));
            client.received(shared, PAGE, now);
            assert_eq!(client.wake(shared, client.deadline()), Some(Command::Send));
            client.received(shared, PAGE, client.deadline());
            client.end(shared, shared.recorder.window().end());
            let outcome = outcome(shared);
            // Of four requests, the third was not sent, and the user was never woken for the fourth.
            assert_eq!((outcome.intended, outcome.sent, outcome.lateness.len()), (4, 2, 2));
        });
    }

    #[test]
    fn paths_take_memory_only_until_they_are_read_and_have_a_limit() {
        let (mut paths, long) = (Paths::default(), "x".repeat(1 << 20));
        for _ in 0..100 {
            assert!(paths.push("first") && paths.push(&long));
            paths.skip();
            assert_eq!(paths.peek(), Some(&*long));
            paths.skip();
            assert!(paths.text.len() < 3 * long.len());
        }
        assert_eq!((0..100).take_while(|_| paths.push(&long)).count(), (MOST_PATHS - 1) / (long.len() + 1));
    }

    #[test]
    fn time_of_a_lost_client_is_unaccounted() {
        with_client(BROWSE, |client, shared| {
            let asked = ask_twice(client, shared);
            let end = shared.recorder.window().end();
            client.end(shared, end);
            let outcome = outcome(shared);
            // The answer never came, and the driver didn't wake the client for its timeout ten seconds later.
            assert_eq!(outcome.accounted, asked + Duration::from_secs(10));
        });
    }
}
