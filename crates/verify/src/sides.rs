//! The model and the stack, asked side by side: every answer must be the same document.

use crate::{
    Difference, Halt, Subject, Verified, VerifyError,
    concurrency::NO_ROW,
    damage::Framed,
    document::{self, Document},
    hostile::{Oddity, is_refused},
    numbering::{Remembered, Renumbering},
    statements::Traffic,
    xml,
};
use application::{Answer, Header, Model, Open, Request, Response, Scenario, Step, Timestamp, TokenKey};
use engine::{Connection, EngineError, HttpResponse, Outgoing, Target};
use services::ServiceError;
use stack::Site;
use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error as _,
    io::{ErrorKind, Write as _},
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use workload::{Effect, InteractionId, Method, Page};

/// Over how many persistent connections requests go in turn, so that a stack with several processes is asked in several
/// of them: what one remembers and another has changed shows.
const CONNECTIONS: usize = 3;

/// The model and the stack, asked side by side since a fresh start.
pub(crate) struct Sides<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) site: &'a Site<'a>,
    pub(crate) model: Box<dyn Model>,
    connections: Vec<Connection>,
    hosts: Hosts,
    /// All that was sent.
    sent: Sent,
    /// Documents that were equal.
    documents: usize,
    /// Interactions that answered with their page.
    seen: BTreeSet<InteractionId>,
    /// What went to the store, where that can be traced.
    traffic: Option<Traffic>,
    /// Whether tracing has ended.
    is_untraced: bool,
}

/// The site's addresses as they stand in requests.
struct Hosts {
    plain: String,
    secure: Option<String>,
}

impl Hosts {
    fn of(target: &Target) -> Self {
        let secure = target.secure.as_ref().map(|secure| secure.endpoint.host.clone());
        Self { plain: target.plain.host.clone(), secure }
    }

    fn of_request(&self, is_secure: bool) -> &str {
        self.secure.as_deref().filter(|_| is_secure).unwrap_or(&self.plain)
    }
}

/// What was sent since a fresh start.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    /// All of it.
    pub(crate) steps: Vec<Step>,
    /// The places of those that have changed the model's data.
    pub(crate) changing: BTreeSet<usize>,
    /// Of those that have made a row, its number, by their places.
    pub(crate) made: BTreeMap<usize, u64>,
}

impl Sent {
    pub(crate) fn all(&self) -> Vec<Remembered> {
        self.remembered(0..self.steps.len())
    }

    /// What was sent at these places.
    pub(crate) fn remembered(&self, places: impl IntoIterator<Item = usize>) -> Vec<Remembered> {
        let at = |place: usize| Remembered {
            step: self.steps[place].clone(),
            made: self.made.get(&place).copied(),
        };
        places.into_iter().map(at).collect()
    }
}

/// The documents that both sides have answered with, if they are pages from which users go on.
pub(crate) struct Pages {
    pub(crate) model: Option<Vec<u8>>,
    pub(crate) stack: Option<Vec<u8>>,
    /// The status of both.
    pub(crate) status: u16,
}

impl<'a> Sides<'a> {
    /// The model and a site that has just been started fresh.
    pub(crate) fn new(subject: &'a Subject<'a>, site: &'a Site<'a>) -> Result<Self, VerifyError> {
        let target = site.target();
        let open = |_| Connection::open(&target, engine::Load::TIMEOUT).map_err(VerifyError::Closed);
        Ok(Self {
            subject,
            site,
            model: subject.application.model(&site.scenario(), subject.key.clone()),
            hosts: Hosts::of(&target),
            connections: (0..CONNECTIONS).map(open).collect::<Result<_, _>>()?,
            sent: Sent::default(),
            documents: 0,
            seen: BTreeSet::new(),
            traffic: None,
            is_untraced: false,
        })
    }

    /// Traces from now on what the stack sends to its store, if that can be traced.
    pub(crate) fn trace(&mut self) -> Result<(), ServiceError> {
        if let Some(traced) = self.site.trace_statements(true) {
            traced?;
            self.traffic = Some(Traffic::default());
        }
        Ok(())
    }

    /// The data as they were at the start.
    pub(crate) fn scenario(&self) -> Scenario {
        self.site.scenario()
    }

    /// All that was sent.
    pub(crate) fn into_sent(self) -> Sent {
        self.sent
    }

    /// What was proven so far.
    pub(crate) fn proof(&mut self, branches: usize, rows: Option<usize>) -> Verified {
        Verified {
            documents: self.documents,
            interactions: self.seen.len(),
            census: Vec::new(),
            branches,
            rows,
            invariants: None,
            contention: None,
            traffic: self.traffic.take(),
            stale: Vec::new(),
        }
    }

    /// A step that somebody might send now.
    pub(crate) fn suggest(&self, random: &mut dyn rand::Rng) -> Step {
        self.model.suggest(random, early_in_a_second())
    }

    /// Sends again what was sent before, with the numbers that rows have this time.
    pub(crate) fn send_again(&mut self, steps: &[Remembered]) -> Result<(), Halt> {
        let mut renumbering = Renumbering::default();
        for Remembered { step, made } in steps {
            self.send(&renumbering.of(step))?;
            let now = self.sent.made.get(&(self.sent.steps.len() - 1));
            if let (Some(before), Some(now)) = (made, now) {
                renumbering.note(*before, *now);
            }
        }
        Ok(())
    }

    /// Sends a step to both.
    pub(crate) fn send(&mut self, step: &Step) -> Result<Pages, Halt> {
        let now = early_in_a_second();
        let request = step.request(&self.subject.key, now);
        self.exchange(step, &request, &request, now)
    }

    /// Sends to both, over all connections at once and at full pace, what changes nothing. Gives the right answers. What goes
    /// to the store meanwhile can't be told apart, so that its trace has ended from now on.
    pub(crate) fn ask_at_once(&mut self, steps: &[Step]) -> Result<Vec<Response>, Halt> {
        self.check_stop()?;
        if !std::mem::replace(&mut self.is_untraced, true) {
            self.site.trace_statements(false).transpose()?;
        }
        let subject = self.subject;
        let (key, now) = (&subject.key, early_in_a_second());
        let hosts = &self.hosts;
        let requests: Vec<Request> = steps.iter().map(|step| step.request(key, now)).collect();
        let headers: Vec<Vec<Header>> = steps.iter().map(Step::headers).collect();
        let both = requests.iter().zip(&headers);
        let right: Vec<Answer> =
            both.map(|(request, headers)| self.model.answer(request, headers, now)).collect();
        let ask = |connection: &mut Connection, at: usize| {
            let is_secure = subject.catalogue.is_secure_at(&requests[at].path);
            let host = hosts.of_request(is_secure);
            let got = transmit(connection, is_secure, (&requests[at], &headers[at]), host);
            let got = got.map_err(|fault| format!("  no answer: {}", whole_story(&fault)))?;
            compare(key, &got, &right[at], now)
        };
        let (ask, next) = (&ask, &AtomicUsize::new(0));
        let first = thread::scope(|scope| {
            let lane = |connection| {
                scope.spawn(move || {
                    let connection: &mut Connection = connection;
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= steps.len() {
                            return None;
                        }
                        if let Err(text) = ask(connection, at) {
                            return Some((at, text));
                        }
                    }
                })
            };
            let lanes: Vec<_> = self.connections.iter_mut().map(lane).collect();
            let join = |lane: thread::ScopedJoinHandle<'_, _>| match lane.join() {
                Ok(differs) => differs,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            lanes.into_iter().filter_map(join).min_by_key(|(at, _)| *at)
        });
        if let Some((at, text)) = first {
            // The others have changed nothing, so that they can't have a part in it.
            self.sent.steps.push(steps[at].clone());
            return Err(Difference { step: Some(steps[at].clone()), text }.into());
        }
        self.documents += steps.len();
        let right: Vec<Response> = right.into_iter().map(|answer| answer.response).collect();
        let shown = requests.iter().zip(&right).filter(|(_, right)| right.status == 200);
        self.seen.extend(shown.filter_map(|(request, _)| subject.application.interaction(request)));
        Ok(right)
    }

    fn check_stop(&self) -> Result<(), VerifyError> {
        match self.subject.stop.load(Ordering::Relaxed) {
            true => Err(VerifyError::Interrupted),
            false => Ok(()),
        }
    }

    /// Sends to both what no step can say.
    pub(crate) fn send_oddity(&mut self, oddity: &Oddity) -> Result<(), Halt> {
        let now = early_in_a_second();
        let right = self.model.respond(&oddity.request, now).into();
        let differs = |text: String| {
            let at = format!("{} {}: {}", oddity.request.method, oddity.request.path, oddity.name);
            VerifyError::Odd(Difference { step: None, text: format!("{at}\n{text}") })
        };
        let is_secure = self.subject.catalogue.is_secure_at(&oddity.request.path);
        let bytes = oddity.bytes(self.hosts.of_request(is_secure));
        let got = self.raw(is_secure, &bytes).map_err(&differs)?;
        compare(&self.subject.key, &got, &right, now).map_err(&differs)?;
        self.documents += 1;
        // What it sent to the store belongs to no step.
        self.site.take_statements().transpose()?;
        Ok(())
    }

    /// Sends a call in another frame to both. A server may hang up on it, too.
    pub(crate) fn send_framed(&mut self, framed: &Framed) -> Result<(), Halt> {
        let Framed { name, bytes, arrives } = framed;
        let Some(step) = arrives else {
            let sent = TcpStream::connect(self.site.entry()).and_then(|mut stream| stream.write_all(bytes));
            return Ok(sent.map_err(|fault| {
                VerifyError::Odd(Difference { step: None, text: format!("{name}: {fault}") })
            })?);
        };
        let now = early_in_a_second();
        let right = self.model.answer(&step.request(&self.subject.key, now), &step.headers(), now);
        let differs = match self.connections[0].raw(false, bytes, false) {
            Err(EngineError::Exchange { source, .. }) if HANGING_UP.contains(&source.kind()) => Ok(()),
            Err(fault) => Err(format!("  no answer: {}", whole_story(&fault))),
            Ok(got) => compare(&self.subject.key, &got, &right, now),
        };
        let odd = |text| {
            VerifyError::Odd(Difference { step: None, text: format!("{}: {name}\n{text}", step.path) })
        };
        Ok(differs.map_err(odd)?)
    }

    /// Sends to the stack alone what its web server must refuse for itself.
    pub(crate) fn send_malformed(&mut self, name: &str, bytes: &[u8]) -> Result<(), Halt> {
        let got = match self.connections[0].raw(false, bytes, false) {
            // To hang up is a refusal, too. Whether anybody is still there, the next request shows.
            Err(EngineError::Exchange { source, .. }) if HANGING_UP.contains(&source.kind()) => Ok(()),
            Err(fault) => Err(format!("  no answer: {}", whole_story(&fault))),
            Ok(got) => is_refused(got.status, &got.body),
        };
        Ok(got.map_err(|text| VerifyError::Odd(Difference { step: None, text: format!("{name}\n{text}") }))?)
    }

    /// Asks in the clear for what travels over TLS: browsers must be led there, with the query.
    pub(crate) fn expect_redirects(&mut self) -> Result<(), Halt> {
        let Some(host) = self.hosts.secure.clone() else { return Ok(()) };
        for interaction in self.subject.catalogue.interactions().iter().filter(|one| one.secure) {
            let path = format!("{}?asked=in+the+clear%21", interaction.path);
            let right = format!("https://{host}{path}");
            let got = self.connections[0].request(false, Method::Get, &path, "");
            let fault = match got {
                Err(fault) => format!("  no answer: {}", whole_story(&fault)),
                Ok(got) => match (got.status, got.header("location")) {
                    (301..=303 | 307 | 308, Some(location)) if location == right => continue,
                    (status, location) => format!(
                        "  status {status} and location `{}` instead of a redirect to `{right}`",
                        location.unwrap_or_default()
                    ),
                },
            };
            let text = format!("GET {path} in the clear, which travels over TLS:\n{fault}");
            return Err(VerifyError::Odd(Difference { step: None, text }).into());
        }
        self.site.take_statements().transpose()?;
        Ok(())
    }

    /// The address as it stands in requests in the clear.
    pub(crate) fn host(&self) -> &str {
        &self.hosts.plain
    }

    fn raw(&mut self, is_secure: bool, bytes: &[u8]) -> Result<HttpResponse, String> {
        let answer = self.connections[0].raw(is_secure, bytes, false);
        answer.map_err(|fault| format!("  no answer: {}", whole_story(&fault)))
    }

    /// Sends to both what a user before each of them asks for. The two may differ in their log-in tokens only.
    pub(crate) fn ask(
        &mut self,
        before_model: &workload::Request,
        before_stack: &workload::Request,
    ) -> Result<Pages, Halt> {
        let step = Step::of(before_stack, &self.subject.key);
        self.exchange(&step, &before_model.into(), &before_stack.into(), early_in_a_second())
    }

    fn exchange(
        &mut self,
        step: &Step,
        to_model: &Request,
        to_stack: &Request,
        now: Timestamp,
    ) -> Result<Pages, Halt> {
        self.check_stop()?;
        let turn = self.sent.steps.len() % self.connections.len();
        self.sent.steps.push(step.clone());
        let headers = step.headers();
        let answer = self.model.answer(to_model, &headers, now);
        let right = &answer.response;
        let interaction = self.subject.application.interaction(to_stack);
        let writes = interaction.is_some_and(|id| self.subject.catalogue.get(id).effect == Effect::Write);
        if writes && right.status < 400 {
            let place = self.sent.steps.len() - 1;
            self.sent.changing.insert(place);
            let page = Page::scan(&right.body, &to_stack.path, self.subject.catalogue);
            if let Some(id) = page.acknowledged().filter(|id| *id != NO_ROW) {
                self.sent.made.insert(place, id);
            }
        }
        let differs = |text: String| Difference { step: Some(step.clone()), text };
        let is_secure = self.subject.catalogue.is_secure_at(&to_stack.path);
        let host = self.hosts.of_request(is_secure);
        let got = transmit(&mut self.connections[turn], is_secure, (to_stack, &headers), host);
        let got = got.map_err(|fault| differs(format!("  no answer: {}", whole_story(&fault))))?;
        compare(&self.subject.key, &got, &answer, now).map_err(differs)?;
        self.documents += 1;
        self.record(step, interaction, right.status)?;
        let right = answer.response;
        let is_page = right.status < 400 || right.status == 409;
        Ok(Pages {
            status: right.status,
            model: is_page.then_some(right.body),
            stack: is_page.then_some(got.body),
        })
    }

    fn record(
        &mut self,
        step: &Step,
        interaction: Option<InteractionId>,
        status: u16,
    ) -> Result<(), ServiceError> {
        let interaction = interaction.inspect(|id| {
            if status == 200 {
                self.seen.insert(*id);
            }
        });
        if let Some(traffic) = self.traffic.as_mut().filter(|_| !self.is_untraced)
            && let Some(trace) = self.site.take_statements()
        {
            let trace = trace?;
            if let Some(id) = interaction {
                traffic.add(&self.subject.catalogue.get(id).name, step, status, trace);
            }
        }
        Ok(())
    }
}

/// How an answer differs from the right one, which was made `now`.
fn compare(key: &TokenKey, got: &HttpResponse, right: &Answer, now: Timestamp) -> Result<(), String> {
    let Answer { response: right, leaves_open } = right;
    let parse = |body: &[u8]| Document::parse(body, key);
    if got.status != right.status && !leaves_open.contains(&Open::Status(got.status)) {
        let says = parse(&got.body).text();
        return Err(format!("  status: {} instead of {}\n  the page says: {says}", got.status, right.status));
    }
    if leaves_open.contains(&Open::Document) {
        return Ok(());
    }
    let kind = got.header("content-type").unwrap_or_default();
    if !same_type(&kind, right.content_type) {
        return Err(format!("  content type: `{kind}` instead of `{}`", right.content_type));
    }
    match Kind::of(right.content_type) {
        _ if got.body == right.body => Ok(()),
        Kind::Xml => xml::compare(&got.body, &right.body, leaves_open),
        Kind::Bytes => Err(format!("  other bytes: {} instead of {}", got.body.len(), right.body.len())),
        // Parsing takes longer than all the rest, and nothing can differ where nothing but blanks does.
        Kind::Text if document::same_but_for_blanks(&got.body, &right.body) => Ok(()),
        Kind::Text => parse(&got.body).compare(&parse(&right.body), now),
    }
}

/// How documents are compared.
enum Kind {
    /// As browsers read them.
    Text,
    /// By what they say.
    Xml,
    Bytes,
}

impl Kind {
    fn of(content_type: &str) -> Self {
        let plain = content_type.split(';').next().unwrap_or_default().trim();
        match plain {
            "text/xml" | "application/xml" => Self::Xml,
            xml if xml.ends_with("+xml") => Self::Xml,
            text if text.starts_with("text/") => Self::Text,
            _ => Self::Bytes,
        }
    }
}

fn transmit(
    connection: &mut Connection,
    is_secure: bool,
    (request, headers): (&Request, &[Header]),
    host: &str,
) -> Result<HttpResponse, EngineError> {
    let target = request.target();
    let send = |method| Outgoing { method, path_and_query: &target, headers, body: &request.body };
    match request.method.as_str() {
        "GET" => connection.send(is_secure, &send(Method::Get)),
        "POST" => connection.send(is_secure, &send(Method::Post)),
        other => {
            let head = format!("{other} {target} HTTP/1.1\r\nHost: {host}\r\n");
            connection.raw(is_secure, format!("{head}Content-Length: 0\r\n\r\n").as_bytes(), false)
        }
    }
}

/// An error with all its causes.
fn whole_story(fault: &EngineError) -> String {
    let mut story = fault.to_string();
    let mut cause = fault.source();
    while let Some(next) = cause {
        story.push_str(&format!(": {next}"));
        cause = next.source();
    }
    story
}

fn same_type(got: &str, expected: &str) -> bool {
    let plain = |text: &str| text.to_ascii_lowercase().replace(char::is_whitespace, "");
    plain(got) == plain(expected)
}

/// How it looks when the other side hangs up.
const HANGING_UP: [ErrorKind; 3] =
    [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];

/// What is left of a second when a request is sent, at least: more than most requests take.
const LEFT: Duration = Duration::from_millis(30);

/// This machine's time, not at the end of a second: so the stack's clock shows the same second as the model's, and
/// rows whose order follows from the second of two writes are in the same order on both sides.
fn early_in_a_second() -> Timestamp {
    let since = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let left = Duration::from_secs(1) - Duration::from_nanos(since().subsec_nanos().into());
    if left < LEFT {
        thread::sleep(left);
    }
    Timestamp(since().as_secs() as i64)
}
