//! One emulated user with its browser: think, connect if need be, send, receive, read the page, fetch what it embeds, think.
//!
//! No I/O and no clock: a driver says what happened and when, and then does what [`Client::next`] asks for, until that is
//! nothing more. There is nothing to wait for but the connections and [`Client::deadline`].

use crate::browser::Browser;
use crate::http::{self, HttpResponse, Memory, Outgoing};
use crate::line::{Carried, Line};
use crate::pace::Timetable;
use crate::recorder::{Ending, Instants, Opening, Recorder};
use crate::target::Target;
use crate::{ErrorKind, Load};
use std::time::Duration;
use workload::{AnswerKind, Catalogue, Dialogue, Effect, How, Method, Request, Users};

/// A user who could not connect waits at least so long, even if users don't think: otherwise a dead server would keep
/// the generator busy with nothing.
const PAUSE_AFTER_FAILED_CONNECT: Duration = Duration::from_millis(100);

/// A browser opens at most so many connections at a time to an endpoint, as TPC-W's emulated browsers do.
const CONNECTIONS_PER_ENDPOINT: usize = 4;

/// How many connections a client of this application may have at once, to all of a site's endpoints.
pub fn connections_per_client(catalogue: &Catalogue) -> usize {
    let endpoints = 1 + usize::from(catalogue.is_secure());
    endpoints * if catalogue.embedded { CONNECTIONS_PER_ENDPOINT } else { 1 }
}

/// A browser follows so many redirects in a row, as the fetch standard has it.
const MOST_REDIRECTS: u8 = 20;

/// What all clients of a load share.
pub(crate) struct Common<'a> {
    pub users: &'a Users<'a>,
    pub load: &'a Load,
    pub target: &'a Target,
    pub recorder: Recorder,
    /// When requests are made that don't wait for one another.
    timetable: Option<Timetable>,
    /// The bytes that [`Todo::Send`] is about.
    pub to_send: Vec<u8>,
    /// Whether over TLS, and the path of the request that these bytes are, if there is nothing more to it; else an empty path.
    /// Whoever asks for the same as somebody just before need not write it down again.
    plain: (bool, String),
    /// Of the last response, for the next one.
    memory: Memory,
    /// How many clients wait for an answer.
    pub waiting: u32,
    /// How many users have arrived and not gone away.
    there: u32,
    /// Whether a request had no answer, where that ends the load.
    is_unanswered: bool,
}

impl<'a> Common<'a> {
    pub fn new(users: &'a Users<'a>, load: &'a Load, target: &'a Target) -> Self {
        let recorder = Recorder::new(load, users.catalogue.interactions().len());
        Self {
            users,
            load,
            target,
            recorder,
            timetable: Timetable::of(load),
            to_send: Vec::new(),
            plain: (false, String::new()),
            memory: Memory::default(),
            waiting: 0,
            there: 0,
            is_unanswered: false,
        }
    }

    /// How many connections a client may have at once.
    pub fn lines(&self) -> usize {
        connections_per_client(self.users.catalogue)
    }

    /// Ends the window where it was to end with what has happened: with an unanswered request, or with the last user's
    /// going away. To be told often; `earliest` is the first deadline.
    pub fn tick(&mut self, now: Duration, earliest: Option<(Duration, u32)>) {
        let nobody_left = || self.waiting == 0 && earliest.is_none_or(|(at, _)| at == Duration::MAX);
        if self.load.arrivals.is_some() && (self.is_unanswered || nobody_left()) {
            self.recorder.end_window(now);
        }
    }

    /// Whether the load has come to its end: the window is over, nobody waits any more, and nobody is still to ask who
    /// meant to within the window. `earliest` is the first deadline and whose it is.
    pub fn is_over(&self, now: Duration, earliest: Option<(Duration, u32)>) -> bool {
        let end = self.recorder.window().end();
        let all_have_asked = now >= end && earliest.is_none_or(|(deadline, _)| deadline >= end);
        all_have_asked && (self.waiting == 0 || now >= self.last_answers(end))
    }

    /// The load is over. What was to be asked in the window, and that nobody was free to ask, was intended.
    pub fn end(&mut self) {
        let end = self.recorder.window().end();
        while let Some(at) = self.next_instant().filter(|at| *at < end && end < Duration::MAX) {
            self.recorder.intended(at);
        }
    }

    /// When the next request is made that waits for no other, if that is how requests are made.
    fn next_instant(&mut self) -> Option<Duration> {
        self.timetable.as_mut().map(Timetable::next)
    }

    /// When nobody waits for an answer any more, however many are due, after a window that has this end.
    fn last_answers(&self, end: Duration) -> Duration {
        match self.load {
            Load { is_step: true, .. } => end,
            Load { timeout: None, .. } => end.saturating_add(Load::LAST_WAIT),
            // Each waits as long as it has timeout.
            Load { timeout: Some(_), .. } => Duration::MAX,
        }
    }

    fn is_write(&self, request: &Request) -> bool {
        self.users.catalogue.get(request.interaction).effect == Effect::Write
    }

    /// Whether a request may be sent again when nobody knows whether the server has heeded it (RFC 9110, 9.2.2).
    fn may_resend(&self, request: &Request) -> bool {
        request.method == Method::Get && !self.is_write(request)
    }
}

/// What a driver does for a client, on one of its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Todo {
    Nothing,
    /// Closes the connection, if there is one.
    Close,
    /// Opens a connection in place of any other, then reports with [`Client::connected`] or
    /// [`Client::connect_failed`].
    Open,
    /// Sends [`Common::to_send`] on the connection, or reports with [`Client::not_sent`].
    Send,
    /// The same, but not unless the connection is still open now.
    SendIfOpen,
}

pub(crate) struct Client {
    dialogue: Box<dyn Dialogue + Send>,
    browser: Browser,
    phase: Phase,
    lines: Vec<Line>,
    /// Whether any line has something for the driver to do.
    has_todo: bool,
    deadline: Duration,
    /// Its place among those who arrive.
    number: u32,
    /// Requests that it has made.
    asked: u32,
    /// Users who have sat at this browser one after the other.
    users: u32,
}

enum Phase {
    /// Until the deadline.
    Thinking {
        since: Duration,
        /// Before the first request, the user is not thinking but not yet there.
        is_first: bool,
    },
    /// For a connection, an answer or what a page embeds, at most until the deadline.
    Waiting(Exchange),
}

struct Exchange {
    request: Request,
    is_secure: bool,
    redirects: u8,
    intended: Duration,
    /// When it could have been sent: not before its user was there, whatever was intended.
    due: Duration,
    /// Whether the driver has begun to connect for it, or to send it.
    is_begun: bool,
    sent: Option<Duration>,
    /// How many users were there, the one who asks included.
    there: u32,
    /// The page, once it is here.
    page: Option<Arrived>,
}

/// A page that is here, while what it embeds is fetched.
struct Arrived {
    ending: Ending,
    /// Bytes of the page and of what has been fetched for it.
    bytes: u64,
    /// What it embeds, one path a line, as far as it was not fetched and is not being fetched.
    embedded: Lines,
    /// How many files are being fetched.
    due: u32,
    /// The first failure to fetch one.
    failure: Option<ErrorKind>,
}

/// The lines of a text, one after the other.
#[derive(Default)]
struct Lines {
    text: String,
    at: usize,
}

impl Lines {
    fn peek(&self) -> Option<&str> {
        self.text[self.at..].lines().next()
    }

    fn skip(&mut self) {
        self.at += self.peek().map_or(0, |line| line.len() + 1);
    }
}

impl Client {
    pub fn new(number: u32, common: &mut Common<'_>) -> Self {
        let load = common.load;
        let mut dialogue = common.users.dialogue(load.seed, number, load.clients);
        let deadline = common.next_instant().or_else(|| load.arrival(number));
        let deadline = deadline.unwrap_or_else(|| dialogue.first_instant(load.latest_start()));
        Self {
            dialogue,
            browser: Browser::default(),
            phase: Phase::Thinking { since: Duration::ZERO, is_first: true },
            lines: Vec::with_capacity(1),
            has_todo: false,
            deadline,
            number,
            asked: 0,
            users: 0,
        }
    }

    /// When it must be woken.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// How many users have sat at this browser.
    pub fn users(&self) -> u32 {
        self.users
    }

    /// Whether a connection is being opened on this line.
    pub fn is_connecting(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(Line::is_opening)
    }

    /// Whether the line is for requests over TLS.
    pub fn is_secure(&self, line: usize) -> bool {
        self.lines[line].is_secure
    }

    /// Whether it asks for something that the driver has done nothing for yet.
    pub fn is_unheard(&self) -> bool {
        matches!(self.phase, Phase::Waiting(Exchange { is_begun: false, .. }))
    }

    /// What the driver has to do next, and on which line. To be asked after each event until it is nothing.
    pub fn next(&mut self, common: &mut Common<'_>) -> Option<(usize, Todo)> {
        if !self.has_todo {
            return None;
        }
        let Some(at) = self.lines.iter().position(|line| line.todo != Todo::Nothing) else {
            self.has_todo = false;
            return None;
        };
        let todo = std::mem::replace(&mut self.lines[at].todo, Todo::Nothing);
        if matches!(todo, Todo::Send | Todo::SendIfOpen) {
            self.encode(at, common);
        }
        Some((at, todo))
    }

    /// Its deadline has come.
    pub fn wake(&mut self, common: &mut Common<'_>, now: Duration) {
        match self.phase {
            _ if now < self.deadline => {}
            Phase::Waiting(_) => {
                for _ in self.lines.iter().filter(|line| line.is_opening()) {
                    common.recorder.connect_failed(ErrorKind::Timeout, now);
                }
                self.fail(common, ErrorKind::Timeout, now);
            }
            Phase::Thinking { .. } if self.deadline >= common.recorder.window().end() => {
                self.deadline = Duration::MAX;
            }
            Phase::Thinking { since, is_first } => {
                if is_first || common.load.pace.is_some() {
                    common.recorder.account(since, self.deadline);
                } else {
                    common.recorder.thought(since, self.deadline);
                }
                self.ask(common, since.max(self.deadline), now);
            }
        }
    }

    /// The driver begins to do what it was told to do for the request: to connect, or to send.
    pub fn began(&mut self, common: &mut Common<'_>, now: Duration) {
        if let Phase::Waiting(exchange) = &mut self.phase
            && !std::mem::replace(&mut exchange.is_begun, true)
        {
            common.recorder.began(exchange.intended, exchange.due, now);
        }
    }

    /// The connection is open.
    pub fn connected(&mut self, line: usize, common: &mut Common<'_>, now: Duration) {
        let Some((why, took)) = self.lines[line].opened(now) else { return };
        common.recorder.opened(why, took, now);
        if self.lines[line].carries.is_some() {
            self.send(line, common, now);
        }
    }

    /// The connection could not be opened.
    pub fn connect_failed(&mut self, line: usize, common: &mut Common<'_>, kind: ErrorKind, now: Duration) {
        common.recorder.connect_failed(kind, now);
        self.broken(line, common, kind, now);
        // Whoever has gone away stays away.
        if matches!(self.phase, Phase::Thinking { .. }) {
            self.deadline = self.deadline.max(now + PAUSE_AFTER_FAILED_CONNECT);
        }
    }

    /// Bytes have come.
    pub fn received(&mut self, line: usize, common: &mut Common<'_>, bytes: &[u8], now: Duration) {
        if self.lines[line].carries.is_none() {
            // Nobody asked: some servers say that they close an idle connection.
            return self.lost_idle(line);
        }
        let reader = &mut self.lines[line].reader;
        if !reader.has_begun() {
            reader.reuse(std::mem::take(&mut common.memory));
        }
        match reader.receive(bytes) {
            Ok(None) => {}
            Ok(Some(response)) => {
                self.answered(line, common, &response, now);
                common.memory = response.into();
            }
            Err(_) => self.broken(line, common, ErrorKind::Malformed, now),
        }
    }

    /// The connection has ended: in order, or broken.
    pub fn closed(&mut self, line: usize, common: &mut Common<'_>, kind: ErrorKind, now: Duration) {
        let wire = &mut self.lines[line];
        let Some(carried) = &wire.carries else { return self.lost_idle(line) };
        if kind == ErrorKind::Closed
            && let Ok(response) = wire.reader.closed()
        {
            self.answered(line, common, &response, now);
            if !self.lines[line].is_opening() {
                self.order(line, Todo::Close);
            }
            return;
        }
        let may_resend = match (carried, &self.phase) {
            (Carried::Page, Phase::Waiting(exchange)) => common.may_resend(&exchange.request),
            _ => true,
        };
        if !wire.is_reused() || wire.reader.has_begun() {
            self.broken(line, common, kind, now);
        } else if may_resend {
            self.open(line, Opening::Race, now);
        } else {
            self.broken(line, common, ErrorKind::KeepAliveRace, now);
        }
    }

    /// The connection had ended, or was found unfit, before anything of the request was sent on it.
    pub fn not_sent(&mut self, line: usize, now: Duration) {
        match (&self.lines[line].carries, &mut self.phase) {
            (None, _) | (_, Phase::Thinking { .. }) => return self.lost_idle(line),
            (Some(Carried::Page), Phase::Waiting(exchange)) => exchange.sent = None,
            (Some(Carried::File(_)), _) => {}
        }
        self.open(line, Opening::Reconnect, now);
    }

    /// The load ends, whatever the client is at. Time counts as accounted for only up to the deadline, so that a client
    /// whom the driver has lost shows.
    pub fn end(&self, common: &mut Common<'_>, now: Duration) {
        let until = now.min(self.deadline);
        match &self.phase {
            Phase::Thinking { since, .. } => {
                common.recorder.account(*since, until);
                common.recorder.intended(self.deadline);
            }
            Phase::Waiting(exchange) => {
                common.recorder.account(exchange.intended, until);
                if exchange.sent.is_some() && exchange.page.is_none() && common.is_write(&exchange.request) {
                    common.recorder.abandoned(exchange.request.interaction);
                }
            }
        }
    }

    /// Makes the next request, which could have been made at `due`.
    fn ask(&mut self, common: &mut Common<'_>, due: Duration, now: Duration) {
        let request = self.dialogue.next(common.users, common.load.session_length, now);
        if let Some((from, step)) = request.drawn {
            common.recorder.drew(from, step, now);
        }
        if request.how == How::Start {
            self.sit_down();
        }
        let intended = self.deadline;
        common.recorder.intended(intended);
        if self.asked == 0 && common.load.arrivals.is_some() {
            common.there += 1;
            common.recorder.arrived(self.number);
        }
        self.asked += 1;
        let is_secure = common.users.catalogue.get(request.interaction).secure;
        self.phase = Phase::Waiting(Exchange {
            request,
            is_secure,
            redirects: 0,
            intended,
            due,
            is_begun: false,
            sent: None,
            there: common.there,
            page: None,
        });
        self.deadline = common.load.timeout.map_or(Duration::MAX, |timeout| now + timeout);
        common.waiting += 1;
        self.ask_for_page(is_secure, common, now);
    }

    /// Another user takes the place of the last one, with a browser that knows nothing.
    fn sit_down(&mut self) {
        self.users += 1;
        self.browser = Browser::default();
        for line in &mut self.lines {
            self.has_todo |= line.leave();
        }
    }

    /// Gives the request of the page to a line: to an idle one, if there is one.
    fn ask_for_page(&mut self, is_secure: bool, common: &mut Common<'_>, now: Duration) {
        let idle = find(&self.lines, is_secure, Line::is_idle);
        let line = idle.unwrap_or_else(|| unused_line(&mut self.lines, is_secure));
        self.lines[line].carries = Some(Carried::Page);
        match self.lines[line].why_closed() {
            Some(why) => self.open(line, why, now),
            None => self.send(line, common, now),
        }
    }

    fn order(&mut self, line: usize, todo: Todo) {
        self.lines[line].todo = todo;
        self.has_todo = true;
    }

    fn open(&mut self, line: usize, why: Opening, now: Duration) {
        self.lines[line].begin_opening(why, now);
        self.order(line, Todo::Open);
    }

    /// Browsers look at an idle connection before they use it again. For what may be sent twice that would be a system
    /// call for nothing.
    fn send(&mut self, line: usize, common: &mut Common<'_>, now: Duration) {
        let Phase::Waiting(exchange) = &mut self.phase else { return };
        let wire = &mut self.lines[line];
        let is_page = matches!(wire.carries, Some(Carried::Page));
        if is_page {
            exchange.sent = Some(now);
        }
        wire.expect_answer(common.users.reads());
        let is_doubtful = is_page && wire.is_reused() && !common.may_resend(&exchange.request);
        self.order(line, if is_doubtful { Todo::SendIfOpen } else { Todo::Send });
    }

    fn encode(&self, line: usize, common: &mut Common<'_>) {
        let Line { carries, is_secure, .. } = &self.lines[line];
        let Phase::Waiting(exchange) = &self.phase else { return };
        let outgoing = match carries {
            Some(Carried::File(path)) => Outgoing::form(Method::Get, path, ""),
            _ => {
                let Request { method, path_and_query, headers, body, .. } = &exchange.request;
                Outgoing { method: *method, path_and_query, headers, body: body.as_bytes() }
            }
        };
        let cookies = self.browser.cookies_for(*is_secure, outgoing.path_and_query);
        let is_plain = outgoing.method == Method::Get && outgoing.headers.is_empty() && cookies.is_empty();
        let (was_secure, path) = &mut common.plain;
        if is_plain && is_secure == was_secure && path == outgoing.path_and_query {
            return;
        }
        *was_secure = *is_secure;
        if is_plain {
            outgoing.path_and_query.clone_into(path);
        } else {
            path.clear();
        }
        let host = &common.target.endpoint(*is_secure).host;
        common.to_send.clear();
        http::encode(&outgoing, host, &cookies, &mut common.to_send);
    }

    /// Where the server is about to close the connection, that is left to it: whoever closes first has the port in
    /// TIME_WAIT for a minute, and a generator soon runs out of ports.
    fn answered(&mut self, line: usize, common: &mut Common<'_>, response: &HttpResponse, now: Duration) {
        let carried = self.lines[line].answered(response.keeps_alive);
        let is_secure = self.lines[line].is_secure;
        match carried {
            Some(Carried::Page) => self.page_arrived(common, response, now),
            Some(Carried::File(path)) => {
                if response.status != 200 || response.forbids_keeping() {
                    self.browser.forget(is_secure, &path);
                }
                self.file_ended(response.size, failure_of_file(response.status));
            }
            None => {}
        }
        self.go_on(common, now);
        if self.is_gone() {
            self.order(line, Todo::Close);
            self.lines.iter_mut().for_each(|line| {
                line.leave();
            });
        }
    }

    /// The answer to the request of the page is here: a redirect, or the page.
    fn page_arrived(&mut self, common: &mut Common<'_>, response: &HttpResponse, now: Duration) {
        let Phase::Waiting(exchange) = &mut self.phase else { return };
        for cookie in response.cookies() {
            self.browser.set_cookie(&cookie, &exchange.request.path_and_query);
        }
        if exchange.redirect(response, common.target) {
            let is_secure = exchange.is_secure;
            return self.ask_for_page(is_secure, common, now);
        }
        let ending = read_answer(self.dialogue.as_mut(), common.users, &exchange.request, response);
        if common.is_write(&exchange.request) && exchange.sent.is_some() {
            common.recorder.wrote(exchange.request.interaction, ending);
        }
        let text = match ending {
            Ending::Error(_) => String::new(),
            Ending::Page { .. } | Ending::Refused => self.dialogue.take_embedded(),
        };
        let embedded = Lines { text, at: 0 };
        exchange.page = Some(Arrived { ending, bytes: response.size, embedded, due: 0, failure: None });
    }

    /// A file that the page embeds is here, or could not be had.
    fn file_ended(&mut self, bytes: u64, failure: Option<ErrorKind>) {
        if let Phase::Waiting(Exchange { page: Some(page), .. }) = &mut self.phase {
            page.due -= 1;
            page.bytes += bytes;
            page.failure = page.failure.or(failure);
        }
    }

    /// Fetches what the page embeds; when all of it is here, the user thinks.
    fn go_on(&mut self, common: &mut Common<'_>, now: Duration) {
        while let Phase::Waiting(Exchange { page: Some(page), is_secure, .. }) = &mut self.phase {
            let is_secure = *is_secure;
            let Some(path) = page.embedded.peek() else {
                if page.due == 0 {
                    let (ending, bytes) = (page.failure.map_or(page.ending, Ending::Error), page.bytes);
                    self.finish(common, ending, bytes, now);
                }
                return;
            };
            if self.browser.has(is_secure, path) {
                page.embedded.skip();
                continue;
            }
            let Some(line) = line_for_file(&mut self.lines, is_secure) else { return };
            self.browser.keep(is_secure, path);
            self.lines[line].carries = Some(Carried::File(path.into()));
            page.embedded.skip();
            page.due += 1;
            match self.lines[line].why_closed() {
                Some(why) => self.open(line, why, now),
                None => self.send(line, common, now),
            }
        }
    }

    /// What the line carried can't be had.
    fn broken(&mut self, line: usize, common: &mut Common<'_>, kind: ErrorKind, now: Duration) {
        match self.lines[line].carries.take() {
            Some(Carried::File(path)) => {
                self.browser.forget(self.lines[line].is_secure, &path);
                self.file_ended(0, Some(kind));
                self.lines[line].leave();
                self.order(line, Todo::Close);
                self.go_on(common, now);
            }
            Some(Carried::Page) => {
                self.lines[line].leave();
                self.order(line, Todo::Close);
                self.fail(common, kind, now);
            }
            None => {
                self.lines[line].leave();
                self.order(line, Todo::Close);
            }
        }
    }

    /// The request is over without success, and whatever belongs to it is given up.
    fn fail(&mut self, common: &mut Common<'_>, kind: ErrorKind, now: Duration) {
        if let Phase::Waiting(exchange) = &self.phase {
            let mut bytes = 0;
            match &exchange.page {
                Some(page) => bytes = page.bytes,
                None => {
                    self.dialogue.failed(&exchange.request);
                    if common.is_write(&exchange.request) && exchange.sent.is_some() {
                        common.recorder.wrote(exchange.request.interaction, Ending::Error(kind));
                    }
                }
            }
            self.finish(common, Ending::Error(kind), bytes, now);
        }
        for line in self.lines.iter_mut().filter(|line| line.carries.is_some() || line.is_opening()) {
            if let Some(Carried::File(path)) = &line.carries {
                self.browser.forget(line.is_secure, path);
            }
            self.has_todo |= line.leave();
        }
    }

    /// The request is over; the user thinks.
    fn finish(&mut self, common: &mut Common<'_>, ending: Ending, bytes: u64, now: Duration) {
        let thinking = Phase::Thinking { since: now, is_first: false };
        if let Phase::Waiting(exchange) = std::mem::replace(&mut self.phase, thinking) {
            let at = Instants { intended: exchange.intended, sent: exchange.sent, done: now };
            common.recorder.ended(&exchange.request, at, ending, bytes);
            common.waiting -= 1;
            self.dialogue.again(exchange.request);
            if let Some(arrivals) = &common.load.arrivals {
                common.recorder.among(self.number, exchange.there, at, ending);
                common.is_unanswered |= ending.is_unanswered() && arrivals.ends_unanswered;
            }
        }
        self.deadline = self.next_instant(common, now);
    }

    /// When the user, who has an answer now, will ask again; never, if the user goes away.
    fn next_instant(&mut self, common: &mut Common<'_>, now: Duration) -> Duration {
        if let Some(at) = common.next_instant() {
            // Once the window is over, nobody asks any more.
            if now < common.recorder.window().end() {
                return at;
            }
            common.recorder.intended(at);
            return Duration::MAX;
        }
        match &common.load.arrivals {
            None => now + self.dialogue.think(common.load.think_time),
            Some(arrivals) if arrivals.requests.is_some_and(|most| self.asked >= most) => {
                common.there -= 1;
                Duration::MAX
            }
            Some(arrivals) => now + self.dialogue.think_within(&arrivals.think),
        }
    }

    /// Whether the user has gone away.
    fn is_gone(&self) -> bool {
        matches!(self.phase, Phase::Thinking { .. }) && self.deadline == Duration::MAX
    }

    fn lost_idle(&mut self, line: usize) {
        self.lines[line].lose();
        self.order(line, Todo::Close);
    }
}

fn find(lines: &[Line], is_secure: bool, fits: impl Fn(&Line) -> bool) -> Option<usize> {
    lines.iter().position(|line| line.is_secure == is_secure && fits(line))
}

/// A line without a connection.
fn unused_line(lines: &mut Vec<Line>, is_secure: bool) -> usize {
    find(lines, is_secure, Line::is_closed).unwrap_or_else(|| {
        lines.push(Line::new(is_secure));
        lines.len() - 1
    })
}

/// A line that can fetch a file now: an idle one, or another one as long as there are few.
fn line_for_file(lines: &mut Vec<Line>, is_secure: bool) -> Option<usize> {
    if let Some(idle) = find(lines, is_secure, Line::is_idle) {
        return Some(idle);
    }
    let in_use = lines.iter().filter(|line| line.is_secure == is_secure && !line.is_closed()).count();
    (in_use < CONNECTIONS_PER_ENDPOINT).then(|| unused_line(lines, is_secure))
}

impl Exchange {
    /// Follows a redirect, as browsers do (RFC 9110, 15.4). Whether it was one that leads on within the site.
    fn redirect(&mut self, response: &HttpResponse, target: &Target) -> bool {
        if !matches!(response.status, 301 | 302 | 303 | 307 | 308) || self.redirects == MOST_REDIRECTS {
            return false;
        }
        let Some(location) = response.header("location") else { return false };
        let Some((is_secure, path)) = target.locate(&location, self.is_secure) else { return false };
        self.redirects += 1;
        self.is_secure = is_secure;
        path.clone_into(&mut self.request.path_and_query);
        if matches!(response.status, 301..=303) {
            self.request.method = Method::Get;
            self.request.headers.clear();
            self.request.body.clear();
        }
        true
    }
}

/// What is wrong with the answer to a file's request, if anything is.
fn failure_of_file(status: u16) -> Option<ErrorKind> {
    match status {
        200 => None,
        400..500 => Some(ErrorKind::ClientStatus),
        500..600 => Some(ErrorKind::ServerStatus),
        _ => Some(ErrorKind::UnexpectedPage),
    }
}

/// What an answer means, and what the user makes of it.
fn read_answer(
    dialogue: &mut dyn Dialogue,
    users: &Users<'_>,
    request: &Request,
    response: &HttpResponse,
) -> Ending {
    match (dialogue.answered(users, request, response.status, &response.body), response.status) {
        (AnswerKind::Page { acknowledged }, _) => Ending::Page { acknowledged },
        (AnswerKind::Refused, _) => Ending::Refused,
        (AnswerKind::Wrong, 400..500) => Ending::Error(ErrorKind::ClientStatus),
        (AnswerKind::Wrong, 500..600) => Ending::Error(ErrorKind::ServerStatus),
        (AnswerKind::Wrong, _) => Ending::Error(ErrorKind::UnexpectedPage),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::Document;
    use workload::{Account, Catalogue, Mix};

    const APP: &str = "name = 'x'\ntitle = 'x'\nprefix = '/x'\nthink_time = '1s'\nsession_length = '15m'\nmix = 'usual'\nstart = 'A'\n\
        [[interaction]]\nname = 'A'\npath = 'A'\nmethod = 'GET'\nclass = 'browse'\neffect = 'read'\nprotocol = 'html'\n\
        [[interaction]]\nname = 'B'\npath = 'B'\nmethod = 'POST'\nclass = 'order'\neffect = 'write'\nwrites = 'rows'\nprotocol = 'html'\n";
    const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n\
        <a href='A'></a><form action='B' method='post'></form><p>x</p>...";

    const ACKNOWLEDGED: &[u8] =
        b"HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n<data class=acknowledged value=1 />.";

    /// A client with one line, each of whose events is answered by what it wants next.
    struct Driven(Client);

    impl Driven {
        fn next(&mut self, common: &mut Common<'_>) -> Todo {
            let todo = self.0.next(common).map_or(Todo::Nothing, |(_, todo)| todo);
            assert_eq!(self.0.next(common), None);
            todo
        }

        fn wake(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
            self.0.wake(common, now);
            self.next(common)
        }

        fn connected(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
            self.0.connected(0, common, now);
            self.next(common)
        }

        fn received(&mut self, common: &mut Common<'_>, bytes: &[u8], now: Duration) -> Todo {
            self.0.received(0, common, bytes, now);
            self.next(common)
        }

        fn closed(&mut self, common: &mut Common<'_>, kind: ErrorKind, now: Duration) -> Todo {
            self.0.closed(0, common, kind, now);
            self.next(common)
        }

        fn not_sent(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
            self.0.not_sent(0, now);
            self.next(common)
        }

        fn began(&mut self, common: &mut Common<'_>, now: Duration) {
            self.0.began(common, now);
        }

        fn end(&self, common: &mut Common<'_>, now: Duration) {
            self.0.end(common, now);
        }

        fn deadline(&self) -> Duration {
            self.0.deadline()
        }
    }

    /// Runs a test with a client whose mix is the given one, and a second's worth of everything.
    fn with_client(mix: &str, test: impl FnOnce(&mut Driven, &mut Common<'_>)) {
        with_client_of(APP, mix, test);
    }

    fn with_client_of(app: &str, mix: &str, test: impl FnOnce(&mut Driven, &mut Common<'_>)) {
        let catalogue = Catalogue::parse(&Document::new("app.toml", app)).unwrap();
        let mix = format!("name = 'm'\ntitle = 'm'\n{mix}");
        let mix = Mix::parse(&Document::new("m.toml", mix), &catalogue).unwrap();
        let account = |_| Account { nickname: String::new(), password: String::new() };
        let users = Users {
            catalogue: &catalogue,
            mix: &mix,
            accounts: 1,
            account: &account,
            habits: &workload::PlainHabits,
        };
        let load = Load {
            clients: 1,
            think_time: Duration::from_secs(1),
            session_length: Duration::from_secs(100_000),
            ramp: Duration::ZERO,
            warm_requests: 0.0,
            longest_ramp: Duration::ZERO,
            window: Duration::from_secs(1000),
            timeout: Some(Duration::from_secs(10)),
            is_step: false,
            arrivals: None,
            pace: None,
            stretch: None,
            seed: 1,
        };
        let target = Target::plain(([127, 0, 0, 1], 80).into(), "host");
        let mut common = Common::new(&users, &load, &target);
        test(&mut Driven(Client::new(0, &mut common)), &mut common);
    }

    const LOOK: &str = "[transitions.A]\nA = 1.0\n";
    const WRITE: &str = "[transitions.A]\nB = 1.0\n[transitions.B]\nA = 1.0\n";

    /// Lets the client have its first page and ask for the next on the same connection.
    fn ask_twice(client: &mut Driven, common: &mut Common<'_>) -> Duration {
        assert_eq!(client.wake(common, client.deadline()), Todo::Open);
        client.began(common, Duration::ZERO);
        assert_eq!(client.connected(common, Duration::ZERO), Todo::Send);
        assert_eq!(client.received(common, PAGE, Duration::ZERO), Todo::Nothing);
        let now = client.deadline();
        let todo = client.wake(common, now);
        client.began(common, now);
        assert_eq!(todo, if common.to_send.starts_with(b"GET ") { Todo::Send } else { Todo::SendIfOpen });
        now
    }

    fn outcome(common: &mut Common<'_>) -> crate::Outcome {
        let fresh = Recorder::new(common.load, 2);
        std::mem::replace(&mut common.recorder, fresh).finish(Duration::ZERO)
    }

    #[test]
    fn a_get_that_meets_a_closing_connection_is_sent_once_more() {
        with_client(LOOK, |client, common| {
            let now = ask_twice(client, common);
            assert_eq!(client.closed(common, ErrorKind::Reset, now), Todo::Open);
            assert_eq!(client.connected(common, now), Todo::Send);
            assert!(common.to_send.starts_with(b"GET /x/A "));
            // A second time is an error.
            assert_eq!(client.closed(common, ErrorKind::Reset, now), Todo::Close);
            let outcome = outcome(common);
            assert_eq!((outcome.connections.races, outcome.connections.reconnects), (1, 0));
            assert_eq!(outcome.total().errors_of(ErrorKind::Reset), 1);
        });
    }

    #[test]
    fn a_post_that_meets_a_closing_connection_is_in_doubt_and_not_sent_again() {
        for kind in [ErrorKind::Closed, ErrorKind::Reset] {
            with_client(WRITE, |client, common| {
                let now = ask_twice(client, common);
                assert!(common.to_send.starts_with(b"POST /x/B "));
                assert_eq!(client.closed(common, kind, now), Todo::Close);
                let outcome = outcome(common);
                assert_eq!(outcome.total().errors_of(ErrorKind::KeepAliveRace), 1);
                assert_eq!(outcome.total().errors(), 1);
                assert_eq!((outcome.connections.races, outcome.writes[1].in_doubt), (0, 1));
            });
        }
    }

    #[test]
    fn only_an_idle_connection_can_meet_a_post() {
        with_client(WRITE, |client, common| {
            // The answer has begun.
            let now = ask_twice(client, common);
            assert_eq!(client.received(common, &PAGE[..30], now), Todo::Nothing);
            assert_eq!(client.closed(common, ErrorKind::Reset, now), Todo::Close);
            assert_eq!(outcome(common).total().errors_of(ErrorKind::Reset), 1);
        });
        with_client(WRITE, |client, common| {
            // The connection is new.
            let now = ask_twice(client, common);
            assert_eq!(client.not_sent(common, now), Todo::Open);
            assert_eq!(client.connected(common, now), Todo::Send);
            assert_eq!(client.closed(common, ErrorKind::Closed, now), Todo::Close);
            assert_eq!(outcome(common).total().errors_of(ErrorKind::Closed), 1);
        });
    }

    #[test]
    fn a_post_that_finds_its_connection_closed_goes_out_on_a_new_one() {
        with_client(WRITE, |client, common| {
            let now = ask_twice(client, common);
            assert_eq!(client.not_sent(common, now), Todo::Open);
            // Until then nothing was sent that could be in doubt.
            client.end(common, now);
            assert_eq!(client.connected(common, now), Todo::Send);
            assert!(common.to_send.starts_with(b"POST /x/B "));
            assert_eq!(client.received(common, ACKNOWLEDGED, now), Todo::Nothing);
            let outcome = outcome(common);
            assert_eq!((outcome.total().completed, outcome.total().errors()), (2, 0));
            assert_eq!((outcome.connections.reconnects, outcome.writes[1].in_doubt), (1, 0));
            assert_eq!(outcome.writes[1].acknowledged, [1]);
        });
    }

    #[test]
    fn a_get_that_writes_is_not_sent_again() {
        let by_get = APP.replace("'POST'", "'GET'");
        with_client_of(&by_get, WRITE, |client, common| {
            let first = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n<a href='B'></a>";
            assert_eq!(client.wake(common, client.deadline()), Todo::Open);
            assert_eq!(client.connected(common, Duration::ZERO), Todo::Send);
            assert_eq!(client.received(common, first, Duration::ZERO), Todo::Nothing);
            let now = client.deadline();
            assert_eq!(client.wake(common, now), Todo::SendIfOpen);
            assert!(common.to_send.starts_with(b"GET /x/B "));
            assert_eq!(client.closed(common, ErrorKind::Closed, now), Todo::Close);
            assert_eq!(outcome(common).total().errors_of(ErrorKind::KeepAliveRace), 1);
        });
    }

    #[test]
    fn an_answer_that_breaks_off_is_an_error_even_for_a_get() {
        with_client(LOOK, |client, common| {
            let now = ask_twice(client, common);
            assert_eq!(client.received(common, &PAGE[..30], now), Todo::Nothing);
            assert_eq!(client.closed(common, ErrorKind::Closed, now), Todo::Close);
            assert_eq!(outcome(common).total().errors_of(ErrorKind::Closed), 1);
        });
    }

    #[test]
    fn a_connection_lost_while_thinking_is_replaced_without_an_error() {
        with_client(LOOK, |client, common| {
            let now = ask_twice(client, common);
            assert_eq!(client.received(common, PAGE, now), Todo::Nothing);
            assert_eq!(client.closed(common, ErrorKind::Reset, now), Todo::Close);
            let next = client.deadline();
            assert_eq!(client.wake(common, next), Todo::Open);
            assert_eq!(client.connected(common, next), Todo::Send);
            let outcome = outcome(common);
            assert_eq!((outcome.connections.reconnects, outcome.total().errors()), (1, 0));
        });
    }

    #[test]
    fn a_connection_that_the_server_announced_to_close_is_left_to_it() {
        with_client(LOOK, |client, common| {
            let now = ask_twice(client, common);
            let last = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 16\r\n\r\n<a href='A'></a>";
            assert_eq!(client.received(common, last, now), Todo::Nothing);
            assert_eq!(client.closed(common, ErrorKind::Closed, now), Todo::Close);
            let next = client.deadline();
            assert_eq!(client.wake(common, next), Todo::Open);
            assert_eq!(client.connected(common, next), Todo::Send);
            let outcome = outcome(common);
            assert_eq!((outcome.connections.opened, outcome.connections.reconnects), (2, 0));
            assert_eq!((outcome.total().completed, outcome.total().errors()), (2, 0));
        });
    }

    #[test]
    fn lateness_is_the_generators_alone() {
        with_client(LOOK, |client, common| {
            let now = ask_twice(client, common);
            client.received(common, PAGE, now + Duration::from_millis(40));
            let late = Duration::from_millis(3);
            let next = client.deadline() + late;
            assert_eq!(client.wake(common, next), Todo::Send);
            client.began(common, next);
            client.received(common, PAGE, next + Duration::from_millis(5));
            let outcome = outcome(common);
            // Of three requests one was late, though the first had to wait for its connection.
            assert_eq!(outcome.lateness.len(), 3);
            assert_eq!(outcome.lateness.value_at_quantile(0.6), 1);
            assert!(outcome.lateness.max().abs_diff(3000) < 5, "{}", outcome.lateness.max());
            let response = &outcome.interactions[0];
            assert!(response.service.value_at_quantile(0.5).abs_diff(5000) < 10);
            assert!(response.response.value_at_quantile(0.5).abs_diff(8000) < 10);
        });
    }

    #[test]
    fn what_a_driver_does_not_do_is_intended_and_not_sent() {
        with_client(LOOK, |client, common| {
            let now = ask_twice(client, common);
            assert_eq!(client.closed(common, ErrorKind::Reset, now), Todo::Open);
            // The same request on another connection.
            client.began(common, now);
            assert_eq!(client.connected(common, now), Todo::Send);
            client.received(common, PAGE, now);
            assert_eq!(client.wake(common, client.deadline()), Todo::Send);
            client.received(common, PAGE, client.deadline());
            client.end(common, common.recorder.window().end());
            let outcome = outcome(common);
            // Of four requests the third was not sent, and for the fourth the user was never woken.
            assert_eq!((outcome.intended, outcome.sent, outcome.lateness.len()), (4, 2, 2));
        });
    }

    #[test]
    fn a_client_that_the_driver_loses_is_missing_from_the_account() {
        with_client(LOOK, |client, common| {
            let asked = ask_twice(client, common);
            let end = common.recorder.window().end();
            client.end(common, end);
            let outcome = outcome(common);
            // The answer never came and nobody woke the client for its timeout, ten seconds later.
            assert_eq!(outcome.accounted, asked + Duration::from_secs(10));
        });
    }
}
