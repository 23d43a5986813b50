//! One emulated user with its browser: think, connect if need be, send, receive, read the page, think.
//!
//! No I/O and no clock: a driver tells it what happened and when, and does what it answers. There is nothing to do
//! but what [`Todo`] says, and nothing to wait for but the connection and [`Client::deadline`].

use crate::http::{self, HttpResponse, ResponseReader};
use crate::recorder::{Ending, Instants, Opening, Recorder};
use crate::{ErrorKind, Load};
use std::time::Duration;
use workload::{Effect, How, Method, Protocol, Request, Session, Users};

/// A user who could not connect waits at least so long, even if users don't think: otherwise a dead server would keep
/// the generator busy with nothing.
const PAUSE_AFTER_FAILED_CONNECT: Duration = Duration::from_millis(100);

/// What all clients of a load share.
pub(crate) struct Common<'a> {
    pub users: &'a Users<'a>,
    pub load: &'a Load,
    pub host: &'a str,
    pub recorder: Recorder,
    /// The bytes that [`Todo::Send`] is about.
    pub to_send: Vec<u8>,
    /// How many clients wait for an answer.
    pub waiting: u32,
    /// How many users have arrived and not gone away.
    there: u32,
    /// Whether a request had no answer, where that ends the load.
    is_unanswered: bool,
}

impl<'a> Common<'a> {
    pub fn new(users: &'a Users<'a>, load: &'a Load, host: &'a str) -> Self {
        let recorder = Recorder::new(load, users.catalogue.interactions().len());
        Self { users, load, host, recorder, to_send: Vec::new(), waiting: 0, there: 0, is_unanswered: false }
    }

    /// Ends the window where it was to end with what has happened: with an unanswered request, or with the last user's
    /// going away. To be told often; `earliest` is the first deadline.
    pub fn look(&mut self, now: Duration, earliest: Option<(Duration, u32)>) {
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

    /// When nobody waits for an answer any more, however many are due, after a window that has this end.
    fn last_answers(&self, end: Duration) -> Duration {
        match self.load {
            Load { is_step: true, .. } => end,
            Load { timeout: None, .. } => end.saturating_add(Load::LAST_WAIT),
            // Each waits as long as it has patience.
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

/// What a driver does for a client.
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
    session: Session,
    phase: Phase,
    line: Line,
    reader: ResponseReader,
    deadline: Duration,
    /// Its place among those who arrive.
    number: u32,
    /// Requests that it has made.
    asked: u32,
}

enum Phase {
    /// Until the deadline.
    Thinking {
        since: Duration,
        /// Before the first request, the user is not thinking but not yet there.
        is_first: bool,
    },
    /// For a connection or an answer, at most until the deadline.
    Waiting(Exchange),
}

struct Exchange {
    request: Request,
    intended: Duration,
    /// Whether the driver has begun to connect for it, or to send it.
    is_begun: bool,
    sent: Option<Duration>,
    /// How many users were there, the one who asks included.
    there: u32,
}

/// The client's connection, as far as it knows.
#[derive(Clone, Copy)]
enum Line {
    /// With the reason for the next one.
    Closed(Opening),
    Opening {
        why: Opening,
        since: Duration,
    },
    Open {
        /// Whether it has carried an answer.
        is_used: bool,
    },
}

impl Client {
    pub fn new(number: u32, load: &Load) -> Self {
        let mut session = Session::new(load.seed, number, load.clients);
        let deadline = load.arrival(number).unwrap_or_else(|| session.first_instant(load.latest_start()));
        let phase = Phase::Thinking { since: Duration::ZERO, is_first: true };
        let line = Line::Closed(Opening::New);
        Self { session, phase, line, reader: ResponseReader::default(), deadline, number, asked: 0 }
    }

    /// When it must be woken.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Whether a connection is being opened for it.
    pub fn is_connecting(&self) -> bool {
        matches!(self.line, Line::Opening { .. })
    }

    /// Whether it asks for something that the driver has done nothing for yet.
    pub fn is_unheard(&self) -> bool {
        matches!(self.phase, Phase::Waiting(Exchange { is_begun: false, .. }))
    }

    /// Its deadline has come.
    pub fn wake(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
        match self.phase {
            _ if now < self.deadline => Todo::Nothing,
            Phase::Waiting(_) => {
                if self.is_connecting() {
                    common.recorder.connect_failed(ErrorKind::Timeout, now);
                }
                self.fail(common, ErrorKind::Timeout, now)
            }
            Phase::Thinking { .. } if self.deadline >= common.recorder.window().end() => {
                self.deadline = Duration::MAX;
                Todo::Nothing
            }
            Phase::Thinking { since, is_first } => {
                if is_first {
                    common.recorder.account(since, self.deadline);
                } else {
                    common.recorder.thought(since, self.deadline);
                }
                self.ask(common, now)
            }
        }
    }

    /// The driver begins to do what it was told to do for the request: to connect, or to send.
    pub fn began(&mut self, common: &mut Common<'_>, now: Duration) {
        if let Phase::Waiting(exchange) = &mut self.phase
            && !std::mem::replace(&mut exchange.is_begun, true)
        {
            common.recorder.began(exchange.intended, now);
        }
    }

    /// The connection is open.
    pub fn connected(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
        let Line::Opening { why, since } = self.line else { return Todo::Nothing };
        common.recorder.opened(why, now.saturating_sub(since), now);
        self.line = Line::Open { is_used: false };
        self.send(common, now)
    }

    /// The connection could not be opened.
    pub fn connect_failed(&mut self, common: &mut Common<'_>, kind: ErrorKind, now: Duration) -> Todo {
        common.recorder.connect_failed(kind, now);
        let todo = self.fail(common, kind, now);
        // Whoever has gone away stays away.
        self.deadline = self.deadline.max(now + PAUSE_AFTER_FAILED_CONNECT);
        todo
    }

    /// Bytes have come.
    pub fn received(&mut self, common: &mut Common<'_>, bytes: &[u8], now: Duration) -> Todo {
        if matches!(self.phase, Phase::Thinking { .. }) {
            // Nobody asked: some servers say that they close an idle connection.
            return self.lost_idle();
        }
        match self.reader.receive(bytes) {
            Ok(None) => Todo::Nothing,
            Ok(Some(response)) => self.answered(common, &response, now),
            Err(_) => self.fail(common, ErrorKind::Malformed, now),
        }
    }

    /// The connection has ended: in order, or broken.
    pub fn closed(&mut self, common: &mut Common<'_>, kind: ErrorKind, now: Duration) -> Todo {
        let Phase::Waiting(exchange) = &self.phase else { return self.lost_idle() };
        if kind == ErrorKind::Closed
            && let Ok(response) = self.reader.closed()
        {
            self.answered(common, &response, now);
            return Todo::Close;
        }
        if !self.is_reusing() || self.reader.has_begun() {
            self.fail(common, kind, now)
        } else if common.may_resend(&exchange.request) {
            self.open(Opening::Race, now)
        } else {
            self.fail(common, ErrorKind::KeepAliveRace, now)
        }
    }

    /// The connection had ended, or was found unfit, before anything of the request was sent on it.
    pub fn not_sent(&mut self, _common: &mut Common<'_>, now: Duration) -> Todo {
        let Phase::Waiting(exchange) = &mut self.phase else { return self.lost_idle() };
        exchange.sent = None;
        self.open(Opening::Reconnect, now)
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
                if exchange.sent.is_some() && common.is_write(&exchange.request) {
                    common.recorder.abandoned(exchange.request.interaction);
                }
            }
        }
    }

    /// Makes the next request.
    fn ask(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
        let request = self.session.next(common.users, common.load.session_length, now);
        if let Some((from, step)) = request.drawn {
            common.recorder.drew(from, step, now);
        }
        let is_new_user = request.how == How::Start;
        let intended = self.deadline;
        common.recorder.intended(intended);
        if self.asked == 0 && common.load.arrivals.is_some() {
            common.there += 1;
            common.recorder.arrived(self.number);
        }
        self.asked += 1;
        let there = common.there;
        self.phase = Phase::Waiting(Exchange { request, intended, is_begun: false, sent: None, there });
        self.deadline = common.load.timeout.map_or(Duration::MAX, |patience| now + patience);
        common.waiting += 1;
        match self.line {
            Line::Closed(why) => self.open(why, now),
            _ if is_new_user => self.open(Opening::New, now),
            _ => self.send(common, now),
        }
    }

    fn open(&mut self, why: Opening, now: Duration) -> Todo {
        self.line = Line::Opening { why, since: now };
        Todo::Open
    }

    /// Browsers look at an idle connection before they use it again. For what may be sent twice that would be a system
    /// call for nothing.
    fn send(&mut self, common: &mut Common<'_>, now: Duration) -> Todo {
        let is_reusing = self.is_reusing();
        let Phase::Waiting(exchange) = &mut self.phase else { return Todo::Nothing };
        exchange.sent = Some(now);
        self.reader = ResponseReader::default();
        common.to_send.clear();
        let Request { method, path_and_query, body, .. } = &exchange.request;
        http::encode(*method, path_and_query, body, common.host, &mut common.to_send);
        if is_reusing && !common.may_resend(&exchange.request) { Todo::SendIfOpen } else { Todo::Send }
    }

    /// Where the server is about to close the connection, that is left to it: whoever closes first has the port in
    /// TIME_WAIT for a minute, and a generator soon runs out of ports.
    fn answered(&mut self, common: &mut Common<'_>, response: &HttpResponse, now: Duration) -> Todo {
        let Phase::Waiting(exchange) = &self.phase else { return Todo::Nothing };
        let ending = read_answer(&mut self.session, common.users, &exchange.request, response);
        self.finish(common, ending, response.size, now);
        let goes_on = response.keeps_alive && !self.is_gone();
        self.line = if goes_on { Line::Open { is_used: true } } else { Line::Closed(Opening::New) };
        if self.is_gone() { Todo::Close } else { Todo::Nothing }
    }

    fn fail(&mut self, common: &mut Common<'_>, kind: ErrorKind, now: Duration) -> Todo {
        if let Phase::Waiting(exchange) = &self.phase {
            self.session.failed(&exchange.request);
            self.finish(common, Ending::Error(kind), 0, now);
        }
        self.line = Line::Closed(Opening::New);
        Todo::Close
    }

    /// The request is over; the user thinks.
    fn finish(&mut self, common: &mut Common<'_>, ending: Ending, bytes: u64, now: Duration) {
        let thinking = Phase::Thinking { since: now, is_first: false };
        if let Phase::Waiting(exchange) = std::mem::replace(&mut self.phase, thinking) {
            let at = Instants { intended: exchange.intended, sent: exchange.sent, done: now };
            let is_write = common.is_write(&exchange.request);
            common.recorder.ended(&exchange.request, at, ending, bytes, is_write);
            common.waiting -= 1;
            if let Some(arrivals) = &common.load.arrivals {
                common.recorder.among(self.number, exchange.there, at, ending);
                common.is_unanswered |= ending.is_unanswered() && arrivals.ends_unanswered;
            }
        }
        self.reader = ResponseReader::default();
        self.deadline = self.next_instant(common, now);
    }

    /// When the user, who has an answer now, will ask again; never, if the user goes away.
    fn next_instant(&mut self, common: &mut Common<'_>, now: Duration) -> Duration {
        match &common.load.arrivals {
            None => now + self.session.think(common.load.think_time),
            Some(arrivals) if arrivals.requests.is_some_and(|most| self.asked >= most) => {
                common.there -= 1;
                Duration::MAX
            }
            Some(arrivals) => now + self.session.think_within(&arrivals.think),
        }
    }

    /// Whether the user has gone away.
    fn is_gone(&self) -> bool {
        matches!(self.phase, Phase::Thinking { .. }) && self.deadline == Duration::MAX
    }

    /// Whether the connection has carried an answer before.
    fn is_reusing(&self) -> bool {
        matches!(self.line, Line::Open { is_used: true })
    }

    fn lost_idle(&mut self) -> Todo {
        if matches!(self.line, Line::Open { .. }) {
            self.line = Line::Closed(Opening::Reconnect);
        }
        Todo::Close
    }
}

/// What an answer means, and what the user makes of it. A refusal is a page of the site like others: the user reads
/// it and goes on from there.
fn read_answer(
    session: &mut Session,
    users: &Users<'_>,
    request: &Request,
    response: &HttpResponse,
) -> Ending {
    let interaction = users.catalogue.get(request.interaction);
    let must_acknowledge = interaction.effect == Effect::Write && interaction.protocol == Protocol::Html;
    let kind = match response.status {
        200..300 => {
            let acknowledged = session.arrived(users, request, &response.body);
            if acknowledged.is_some() || !must_acknowledge {
                return Ending::Page { acknowledged };
            }
            ErrorKind::UnexpectedPage
        }
        409 => {
            session.arrived(users, request, &response.body);
            return Ending::Refused;
        }
        400..500 => ErrorKind::ClientStatus,
        500..600 => ErrorKind::ServerStatus,
        _ => ErrorKind::UnexpectedPage,
    };
    session.failed(request);
    Ending::Error(kind)
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

    /// Runs a test with a client whose mix is the given one, and a second's worth of everything.
    fn with_client(mix: &str, test: impl FnOnce(&mut Client, &mut Common<'_>)) {
        with_client_of(APP, mix, test);
    }

    fn with_client_of(app: &str, mix: &str, test: impl FnOnce(&mut Client, &mut Common<'_>)) {
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
            seed: 1,
        };
        test(&mut Client::new(0, &load), &mut Common::new(&users, &load, "host"));
    }

    const LOOK: &str = "[transitions.A]\nA = 1.0\n";
    const WRITE: &str = "[transitions.A]\nB = 1.0\n[transitions.B]\nA = 1.0\n";

    /// Lets the client have its first page and ask for the next on the same connection.
    fn ask_twice(client: &mut Client, common: &mut Common<'_>) -> Duration {
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
