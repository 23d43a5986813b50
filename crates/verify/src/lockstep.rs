//! Sends the same requests to the model and the stack: both must answer with the same document.

use crate::{
    ANSWER_LIMIT, Difference, Halt, Subject, Verified, VerifyError,
    concurrency::{self, NO_ROW},
    damage::Framed,
    document::{self, HtmlDocument},
    gateway::{self, GatewayLog},
    judge::Judge,
    malicious_inputs::{Malformed, RawRequest, beginning},
    manner::{self, Manner},
    numbering::{Remembered, Renumbering},
    protocol::{self, Heard},
    statements::Traffic,
    survey::{Found, Survey},
    tables,
    validators::{Validated, Validators},
    xml,
};
use application::{
    Answer, COOKIE, Contract, Dataset, Header, Model, Open, Payment, Reading, Request, Response, Step,
    Timestamp, TokenKey,
};
use engine::{Browser, Connection, EngineError, HttpResponse, Outgoing, Target};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
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
use workload::{Effect, How, InteractionId, Method, Page};

/// The number of persistent connections, used in turn, so that several processes of a stack are involved. Data that one
/// process caches and another has changed thus show.
const CONNECTIONS: usize = 3;

/// The requests after a failure, until pools have replaced their broken connections.
const RETRIES: u32 = 20;
const UNTIL_RETRY: Duration = Duration::from_millis(100);

/// The model and the stack, with the same requests since a fresh start.
pub(crate) struct Lockstep<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) site: &'a Site<'a>,
    pub(crate) model: Box<dyn Model>,
    connections: Vec<Connection<'a>>,
    hosts: Hosts,
    contract: Contract<'a>,
    judge: Judge<'a>,
    /// The path of a file, which is asked for to see whether a connection is still sound.
    probe: String,
    /// All requests that were sent.
    sent: Sent,
    /// Documents that were equal.
    documents: usize,
    /// Interactions that answered with their page.
    covered: BTreeSet<InteractionId>,
    /// Interactions that are asked for.
    scope: BTreeSet<InteractionId>,
    is_missing: bool,
    /// The statements sent to the store, if it can be traced.
    traffic: Option<Traffic>,
    /// True once tracing has ended.
    is_untraced: bool,
    /// Repetitions of a page that reads, after failures of the server.
    retries: u32,
    /// The browsers of the model's user and of the stack's user.
    browsers: [Browser; 2],
    /// Chooses how the walk asks.
    manners: ChaCha8Rng,
    /// The manners in which interactions were asked for their page, and for their refusals.
    asked: BTreeSet<(InteractionId, bool, Manner)>,
    /// Validators of the walk's pages.
    validators: Validators,
    /// Forms that the payment gateway got, if there is one.
    gateway: Option<GatewayLog>,
    /// Payments that the readings which explain the last odd request ask the bank for.
    payments: Vec<Vec<Payment>>,
}

/// A request to one side.
#[derive(Clone)]
pub(crate) struct ToSend {
    pub(crate) request: Request,
    pub(crate) headers: Vec<Header>,
}

/// The site's addresses, as in the `Host` header.
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

/// Steps sent since a fresh start.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    /// All of it.
    pub(crate) steps: Vec<Step>,
    /// The indexes of those that have changed the model's data.
    pub(crate) changing: BTreeSet<usize>,
    /// The numbers of the rows that they made, by their indexes.
    pub(crate) made: BTreeMap<usize, u64>,
}

impl Sent {
    pub(crate) fn all(&self) -> Vec<Remembered> {
        self.remembered(0..self.steps.len())
    }

    /// The requests at these indexes.
    pub(crate) fn remembered(&self, places: impl IntoIterator<Item = usize>) -> Vec<Remembered> {
        let at = |place: usize| Remembered {
            step: self.steps[place].clone(),
            made: self.made.get(&place).copied(),
        };
        places.into_iter().map(at).collect()
    }
}

/// The documents of both answers, if they are pages from which users go on.
pub(crate) struct Pages {
    pub(crate) model: Option<Vec<u8>>,
    pub(crate) stack: Option<Vec<u8>>,
    /// The status of both.
    pub(crate) status: u16,
}

/// A copy of the model on which steps are tried out, each as if it were the next.
pub(crate) struct Trial<'l, 'a> {
    lockstep: &'l Lockstep<'a>,
    model: Box<dyn Model>,
}

impl Trial<'_, '_> {
    /// True if the model would take this step now. Only a step that is taken costs another copy: a refusal changes no row.
    pub(crate) fn takes(&mut self, step: &Step) -> bool {
        let now = concurrency::now();
        let ToSend { request, headers } = written(step, self.lockstep.subject, now);
        let is_taken = self.model.converse(&request, &headers, now).0.response.status < 400;
        if is_taken {
            self.model = self.lockstep.model.fork();
        }
        is_taken
    }
}

impl<'a> Lockstep<'a> {
    /// The model and a freshly started site.
    pub(crate) fn new(subject: &'a Subject<'a>, site: &'a Site<'a>) -> Result<Self, VerifyError> {
        let target = site.target();
        let open = |_| {
            let opened = Connection::open(&target, ANSWER_LIMIT).map_err(VerifyError::Closed);
            opened.map(|connection| connection.until(subject.stop))
        };
        let hosts = Hosts::of(&target);
        let files = subject.application.static_files();
        let smallest = files.into_iter().min_by_key(|file| file.body.len());
        Ok(Self {
            subject,
            site,
            model: subject.application.model(&site.dataset(), subject.key.clone()),
            contract: Contract::new(subject.application),
            judge: Judge::new(subject, site)?,
            probe: smallest.map_or(String::new(), |file| file.path),
            hosts,
            connections: (0..CONNECTIONS).map(open).collect::<Result<_, _>>()?,
            sent: Sent::default(),
            documents: 0,
            covered: BTreeSet::new(),
            scope: subject.scope.clone(),
            is_missing: false,
            traffic: None,
            is_untraced: false,
            retries: 0,
            browsers: Default::default(),
            manners: ChaCha8Rng::seed_from_u64(subject.seed),
            asked: BTreeSet::new(),
            validators: Validators::default(),
            gateway: GatewayLog::begin(site)?,
            payments: Vec::new(),
        })
    }

    /// A measured site, whose data were restored below its servers: they may still fail once on each connection to the
    /// store that this has broken.
    pub(crate) fn of_measured(subject: &'a Subject<'a>, site: &'a Site<'a>) -> Result<Self, VerifyError> {
        Ok(Self { is_untraced: true, retries: RETRIES, ..Self::new(subject, site)? })
    }

    /// The model's answer to a step that reads.
    pub(crate) fn model_page(&mut self, step: &Step) -> Response {
        let now = concurrency::now();
        let ToSend { request, headers } = written(step, self.subject, now);
        self.model.converse(&request, &headers, now).0.response
    }

    /// Traces the statements of the stack from now on, if the store can be traced.
    pub(crate) fn trace(&mut self) -> Result<(), ServiceError> {
        if let Some(traced) = self.site.trace_statements(true) {
            traced?;
            self.traffic = Some(Traffic::default());
        }
        Ok(())
    }

    /// The initial dataset.
    pub(crate) fn dataset(&self) -> Dataset {
        self.site.dataset()
    }

    /// All that was sent.
    pub(crate) fn into_sent(self) -> Sent {
        self.sent
    }

    /// Proof so far.
    pub(crate) fn proof(&mut self, branches: usize, rows: Option<usize>) -> Verified {
        Verified {
            documents: self.documents,
            interactions: self.covered.len(),
            survey: Some(Survey::new(self.subject.catalogue, &self.scope, &Found::new(), &self.covered)),
            census: Vec::new(),
            branches,
            rows,
            invariants: None,
            contention: None,
            traffic: self.traffic.take(),
            others: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// A random next step of the model.
    pub(crate) fn fuzz(&self, random: &mut dyn rand::Rng) -> Step {
        self.model.fuzz(random, early_in_a_second())
    }

    /// Replays requests, with the row numbers of this run.
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

    /// The interaction that a step asks for.
    pub(crate) fn interaction(&self, step: &Step) -> Option<InteractionId> {
        self.subject.application.interaction(&written(step, self.subject, concurrency::now()).request)
    }

    /// True if a step asks for no interaction that is left out.
    pub(crate) fn has(&self, step: &Step) -> bool {
        let is_all = self.scope.len() == self.subject.catalogue.interactions().len();
        is_all || self.interaction(step).is_none_or(|id| self.scope.contains(&id))
    }

    /// True if the model would take a step now, without an effect.
    pub(crate) fn would_take(&self, step: &Step) -> bool {
        self.trial().takes(step)
    }

    /// The model as it is now, to try steps out on.
    pub(crate) fn trial(&self) -> Trial<'_, 'a> {
        Trial { lockstep: self, model: self.model.fork() }
    }

    /// Answers of the model to these steps at this time, one after the other, and the model after them. Nothing is sent.
    pub(crate) fn try_out(&self, steps: &[Step], now: Timestamp) -> (Vec<Response>, Box<dyn Model>) {
        let mut model = self.model.fork();
        let answer = |step| {
            let ToSend { request, headers } = written(step, self.subject, now);
            model.converse(&request, &headers, now).0.response
        };
        let answers = steps.iter().map(answer).collect();
        (answers, model)
    }

    /// Asks for these no more.
    pub(crate) fn leave_out<'i>(&mut self, all: impl IntoIterator<Item = &'i InteractionId>) {
        for id in all {
            self.scope.remove(id);
        }
    }

    /// The interactions that are asked for.
    pub(crate) fn scope(&self) -> &BTreeSet<InteractionId> {
        &self.scope
    }

    /// The interactions that have answered with their page.
    pub(crate) fn covered(&self) -> &BTreeSet<InteractionId> {
        &self.covered
    }

    /// True if the stack's last answer was 404 where the model has a page.
    pub(crate) fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// True if the answer to a step must be the model's.
    pub(crate) fn is_plain(&self, step: &Step) -> bool {
        let ToSend { request, headers } = written(step, self.subject, concurrency::now());
        self.contract.readings(&request, &headers).is_none()
    }

    /// Sends a step to both sides.
    pub(crate) fn send(&mut self, step: &Step) -> Result<Pages, Halt> {
        let now = early_in_a_second();
        let sent = written(step, self.subject, now);
        match self.contract.readings(&sent.request, &sent.headers) {
            None => Ok(self.exchange(step, &sent, &sent, None, now)?.0),
            Some(readings) => self.send_odd(step, &sent, &readings, now),
        }
    }

    /// Sends a step to both sides, in a manner in which its interaction has not yet given its page, or a refusal.
    pub(crate) fn send_varied(&mut self, step: &Step, is_taken: bool) -> Result<Pages, Halt> {
        let now = early_in_a_second();
        let sent = written(step, self.subject, now);
        let interaction = self.subject.application.interaction(&sent.request);
        let is_new =
            |manner: &Manner| interaction.is_some_and(|id| !self.asked.contains(&(id, is_taken, *manner)));
        match Manner::all().0.find(is_new) {
            Some(manner) if self.contract.readings(&sent.request, &sent.headers).is_none() => {
                Ok(self.exchange(step, &sent, &sent, Some(manner), now)?.0)
            }
            _ => self.send(step),
        }
    }

    /// Asks for a page that changes nothing in each manner in which it was not asked for yet.
    pub(crate) fn ask_in_other_manners(&mut self, step: &Step) -> Result<(), Halt> {
        let Some(id) = self.interaction(step) else { return Ok(()) };
        let (in_place, afterwards) = Manner::all();
        for manner in in_place {
            if self.asked.contains(&(id, true, manner)) {
                continue;
            }
            let now = early_in_a_second();
            let sent = written(step, self.subject, now);
            self.exchange(step, &sent, &sent, Some(manner), now)?;
        }
        for manner in afterwards.filter(|_| step.method == "GET") {
            if self.asked.contains(&(id, true, manner)) {
                continue;
            }
            let (now, turn) = (early_in_a_second(), self.sent.steps.len() % self.connections.len());
            let sent = written(step, self.subject, now);
            let (answer, cookie) = self.model.converse(&sent.request, &sent.headers, now);
            let answer = self.contract.with_open(&sent.request, answer);
            let before = self.ask(turn, Manner::Plain, &sent, (&answer, cookie.as_deref()), now);
            let (before, _) = before.map_err(|text| Difference { step: Some(step.clone()), text })?;
            self.ask_again(manner, step, turn, &sent, (&before, (&answer, cookie.as_deref())), now)?;
        }
        Ok(())
    }

    /// Sends a step that must be answered safely.
    fn send_odd(
        &mut self,
        step: &Step,
        sent: &ToSend,
        readings: &[Reading],
        now: Timestamp,
    ) -> Result<Pages, Halt> {
        self.check_stop()?;
        let turn = self.sent.steps.len() % self.connections.len();
        self.sent.steps.push(step.clone());
        let is_secure = self.subject.catalogue.is_secure_at(&sent.request.path);
        let host = self.hosts.of_request(is_secure);
        let got = transmit(&mut self.connections[turn], is_secure, sent, host);
        let method = &sent.request.method;
        let judged = self.judge(got, readings, method, now).and_then(|read| {
            self.probe(turn, is_secure, now)?;
            Ok(read)
        });
        let read = judged.map_err(|text| Difference { step: Some(step.clone()), text })?;
        self.documents += 1;
        if let Some((request, response)) = &read {
            self.note_change(request, response);
        }
        if self.traffic.is_some() && !self.is_untraced {
            // Its statements belong to no step.
            self.site.take_statements().transpose()?;
        }
        Ok(Pages { status: read.map_or(0, |(_, response)| response.status), model: None, stack: None })
    }

    /// Judges the answer to a request that only broken or hostile clients send, and what it asked the payment gateway for.
    /// Returns the reading that explains it, with its answer, after applying it to the model; none if it is refused.
    fn judge(
        &mut self,
        got: Result<HttpResponse, EngineError>,
        readings: &[Reading],
        method: &str,
        now: Timestamp,
    ) -> Result<Option<(Request, Response)>, String> {
        self.payments = vec![Vec::new()];
        let read = self.judge_answer(got, readings, method, now)?;
        let asked = self.take_asked()?;
        if read.is_none() && !asked.is_empty() {
            // The bank may have refused it.
            let payments = readings.iter().map(|Reading { request, headers }| {
                let mut tried = self.model.fork();
                tried.converse(request, headers, now);
                tried.take_payments()
            });
            self.payments.extend(payments.collect::<Vec<_>>());
        }
        gateway::compare(&asked, &self.payments).map(|()| read)
    }

    /// The forms that the payment gateway got since the last call.
    fn take_asked(&mut self) -> Result<Vec<String>, String> {
        let Some(log) = &mut self.gateway else { return Ok(Vec::new()) };
        log.take(self.site).map_err(|fault| format!("  the payment gateway's log can't be read: {fault}"))
    }

    /// Checks that the payment gateway was asked for nothing since the last write.
    pub(crate) fn expect_no_more_payments(&mut self) -> Result<(), Halt> {
        let asked = self.take_asked();
        let compared = asked.and_then(|asked| gateway::compare(&asked, &[Vec::new()]));
        Ok(compared
            .map_err(|text| Difference { step: None, text: format!("after all requests:\n{text}") })?)
    }

    fn judge_answer(
        &mut self,
        got: Result<HttpResponse, EngineError>,
        readings: &[Reading],
        method: &str,
        now: Timestamp,
    ) -> Result<Option<(Request, Response)>, String> {
        let got = match got {
            // The next request shows whether the server has survived.
            Err(EngineError::Exchange { source, .. }) if CLOSED_WITHOUT_ANSWER.contains(&source.kind()) => {
                return Ok(None);
            }
            Err(fault) => return Err(format!("  no answer: {}", with_causes(&fault))),
            Ok(got) => got,
        };
        if self.judge.safety.is_refusal(&got, method)? {
            return compare_cookies(&self.subject.key, &got.cookies(), None).map(|()| None);
        }
        let (mut differs, mut written) = (None, Vec::new());
        for Reading { request, headers } in readings {
            let interaction = self.subject.application.interaction(request);
            let writes = interaction.is_some_and(|id| self.subject.catalogue.get(id).effect == Effect::Write);
            // Only writes have an effect that other readings must not see.
            let mut tried = writes.then(|| self.model.fork());
            let model = tried.as_mut().unwrap_or(&mut self.model);
            let (answer, cookie) = model.converse(request, headers, now);
            let compared = compare(&self.subject.key, &got, &answer, now)
                .and_then(|()| compare_cookies(&self.subject.key, &got.cookies(), cookie.as_deref()))
                .and_then(|()| self.judge.expect_harmless(&got, &request.path));
            match (compared, tried) {
                (Ok(()), None) => return Ok(Some((request.clone(), answer.response))),
                (Ok(()), Some(model)) => written.push((model, (request.clone(), answer.response))),
                (Err(text), _) => drop(differs.get_or_insert(text)),
            }
        }
        if !written.is_empty() {
            return self.apply_written(written).map(Some);
        }
        let status = got.status;
        Err(match differs {
            None => format!("  status: {status} instead of a refusal"),
            Some(text) => format!(
                "  status {status} is no refusal, and the page is that of no sound reading; the first of {} differs so:\n{text}",
                readings.len()
            ),
        })
    }

    /// Goes on with the model of that reading whose rows the store has, of several with the same page.
    fn apply_written(
        &mut self,
        written: Vec<(Box<dyn Model>, (Request, Response))>,
    ) -> Result<(Request, Response), String> {
        let (mut models, mut read): (Vec<_>, Vec<_>) = written.into_iter().unzip();
        self.payments = models.iter_mut().map(|model: &mut Box<dyn Model>| model.take_payments()).collect();
        let tables = self.subject.application.tables();
        let place = tables::place_of_store(self.site, tables, &models)
            .map_err(|fault| format!("  the rows can't be read: {fault}"))?;
        self.model = models.swap_remove(place);
        Ok(read.swap_remove(place))
    }

    /// Checks that a connection is still in step, or closed.
    fn probe(&mut self, turn: usize, is_secure: bool, now: Timestamp) -> Result<(), String> {
        let connection = &mut self.connections[turn];
        match connection.has_surplus(is_secure) {
            None => return Ok(()),
            Some(true) => {
                return Err("  the server has sent more on the connection than its answer".to_owned());
            }
            Some(false) => {}
        }
        let got = connection.request(is_secure, Method::Get, &self.probe, "");
        let right = self.model.respond(&Request::new("GET", &self.probe, ""), now).into();
        let compared = match got {
            Ok(got) => compare(&self.subject.key, &got, &right, now)
                .and_then(|()| self.judge.expect_harmless(&got, &self.probe)),
            Err(fault) => Err(format!("  no answer: {}", with_causes(&fault))),
        };
        compared.map_err(|text| format!("  afterwards, GET {} on the same connection:\n{text}", self.probe))
    }

    /// Sends read-only steps to both sides, concurrently over all connections. Returns the expected answers. Concurrent
    /// statements can't be attributed, so that tracing ends here.
    pub(crate) fn send_concurrently(&mut self, steps: &[Step]) -> Result<Vec<Response>, Halt> {
        self.send_over(CONNECTIONS, steps)
    }

    /// The same over so many connections.
    pub(crate) fn send_over(&mut self, connections: usize, steps: &[Step]) -> Result<Vec<Response>, Halt> {
        self.check_stop()?;
        let target = self.site.target();
        while self.connections.len() < connections {
            let opened = Connection::open(&target, ANSWER_LIMIT).map_err(VerifyError::Closed)?;
            self.connections.push(opened.until(self.subject.stop));
        }
        if !std::mem::replace(&mut self.is_untraced, true) {
            self.site.trace_statements(false).transpose()?;
        }
        let subject = self.subject;
        let (key, now) = (&subject.key, early_in_a_second());
        let (hosts, judge, retries) = (&self.hosts, &self.judge, self.retries);
        let requests: Vec<ToSend> = steps.iter().map(|step| written(step, subject, now)).collect();
        let answers =
            requests.iter().map(|ToSend { request, headers }| self.model.converse(request, headers, now));
        let answers: Vec<(Answer, Option<String>)> = answers.collect();
        let ask = |connection: &mut Connection<'_>, at: usize| {
            let is_secure = subject.catalogue.is_secure_at(&requests[at].request.path);
            let (right, cookie) = &answers[at];
            let mut ask = || transmit(connection, is_secure, &requests[at], hosts.of_request(is_secure));
            let mut got = ask();
            for _ in 0..retries {
                if got.as_ref().is_ok_and(|got| got.status < 500 || got.status == right.response.status) {
                    break;
                }
                thread::sleep(UNTIL_RETRY);
                got = ask();
            }
            let got = got.map_err(|fault| format!("  no answer: {}", with_causes(&fault)))?;
            compare(key, &got, right, now)?;
            compare_cookies(key, &got.cookies(), cookie.as_deref())?;
            judge.expect_harmless(&got, &requests[at].request.path)
        };
        let (ask, next) = (&ask, &AtomicUsize::new(0));
        let first = thread::scope(|scope| {
            let lane = |connection| {
                scope.spawn(move || {
                    let connection: &mut Connection<'_> = connection;
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
            let lanes: Vec<_> = self.connections.iter_mut().take(connections).map(lane).collect();
            let join = |lane: thread::ScopedJoinHandle<'_, _>| match lane.join() {
                Ok(differs) => differs,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            lanes.into_iter().filter_map(join).min_by_key(|(at, _)| *at)
        });
        self.connections.truncate(CONNECTIONS);
        if let Some((at, text)) = first {
            // The others have changed nothing, or rows of other visitors, so that they can't be the cause.
            self.sent.steps.push(steps[at].clone());
            return Err(Difference { step: Some(steps[at].clone()), text }.into());
        }
        self.documents += steps.len();
        let right: Vec<Response> = answers.into_iter().map(|(answer, _)| answer.response).collect();
        let shown = requests.iter().zip(&right).filter(|(_, right)| right.status == 200);
        self.covered.extend(shown.filter_map(|(sent, _)| subject.application.interaction(&sent.request)));
        Ok(right)
    }

    /// Sends changes that may be made in any order, all in flight together. They come again in replays, one after the other.
    pub(crate) fn change_together(&mut self, steps: &[Step]) -> Result<(), Halt> {
        self.send_over(steps.len(), steps)?;
        let first = self.sent.steps.len();
        self.sent.steps.extend_from_slice(steps);
        self.sent.changing.extend(first..self.sent.steps.len());
        Ok(())
    }

    fn check_stop(&self) -> Result<(), VerifyError> {
        match self.subject.stop.load(Ordering::Relaxed) {
            true => Err(VerifyError::Interrupted),
            false => Ok(()),
        }
    }

    /// Sends a raw request.
    pub(crate) fn send_raw(&mut self, raw_request: &RawRequest) -> Result<(), Halt> {
        self.check_stop()?;
        let now = early_in_a_second();
        let (request, headers) = (&raw_request.request, raw_request.headers());
        let readings = self.contract.readings(request, &headers);
        let readings = readings.unwrap_or_else(|| vec![Reading { request: request.clone(), headers }]);
        let differs = |text: String| {
            let at =
                format!("{} {}: {}", raw_request.request.method, raw_request.request.path, raw_request.name);
            VerifyError::Odd(Difference { step: None, text: format!("{at}\n{text}") })
        };
        let is_secure = self.subject.catalogue.is_secure_at(&raw_request.request.path);
        let bytes = raw_request.bytes(self.hosts.of_request(is_secure));
        let got = self.connections[0].raw(is_secure, &bytes, false);
        self.judge(got, &readings, &request.method, now).map_err(&differs)?;
        self.probe(0, is_secure, now).map_err(&differs)?;
        self.documents += 1;
        Ok(())
    }

    /// Sends a call with unusual framing to both sides. The server may also close the connection.
    pub(crate) fn send_framed(&mut self, framed: &Framed) -> Result<(), Halt> {
        let Framed { name, bytes, arrives } = framed;
        let Some(step) = arrives else {
            let sent = TcpStream::connect(self.site.entry()).and_then(|mut stream| stream.write_all(bytes));
            return Ok(sent.map_err(|fault| {
                VerifyError::Odd(Difference { step: None, text: format!("{name}: {fault}") })
            })?);
        };
        let now = early_in_a_second();
        let reading = Reading { request: step.request(&self.subject.key, now), headers: step.headers() };
        let got = self.connections[0].raw(false, bytes, false);
        let odd = |text| {
            VerifyError::Odd(Difference { step: None, text: format!("{}: {name}\n{text}", step.path) })
        };
        self.judge(got, &[reading], "POST", now).map_err(odd)?;
        Ok(())
    }

    /// Sends a malformed request on a connection of its own, and another one behind it if the server lets it.
    pub(crate) fn send_malformed(&mut self, malformed: &Malformed) -> Result<(), Halt> {
        let Malformed { name, bytes, reading } = malformed;
        let text = format!("{name}: {}", beginning(bytes));
        let judged = self.judge_malformed(malformed, reading.as_ref());
        let odd = |fault| VerifyError::Odd(Difference { step: None, text: format!("{text}\n{fault}") });
        self.documents += 1;
        Ok(judged.map_err(odd)?)
    }

    fn judge_malformed(&mut self, malformed: &Malformed, reading: Option<&Request>) -> Result<(), String> {
        let now = early_in_a_second();
        let no_answer = |fault: std::io::Error| format!("  no answer: {fault}");
        let (heard, mut stream) = protocol::send_alone(self.site.entry(), malformed).map_err(no_answer)?;
        let got = match heard {
            Heard::Closed => return Ok(()),
            Heard::NoHttp(bytes) => return self.judge.safety.expect_harmless(&bytes),
            Heard::Answer(got) => *got,
        };
        let keeps_alive = got.keeps_alive;
        let readings = reading.map(|request| Reading { request: request.clone(), headers: Vec::new() });
        self.judge(Ok(got), readings.as_slice(), "GET", now)?;
        if !keeps_alive {
            return Ok(());
        }
        let (probe, host) = (&self.probe, &self.hosts.plain);
        let request = format!("GET {probe} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let right: Answer = self.model.respond(&Request::new("GET", probe, ""), now).into();
        let compared = match protocol::exchange(&mut stream, request.as_bytes()).map_err(no_answer)? {
            Heard::Closed => Ok(()),
            Heard::NoHttp(_) => Err("  no HTTP".to_owned()),
            Heard::Answer(got) => compare(&self.subject.key, &got, &right, now)
                .and_then(|()| self.judge.expect_harmless(&got, probe)),
        };
        compared.map_err(|text| format!("  afterwards, GET {probe} on the same connection:\n{text}"))
    }

    /// Requests secure pages over plain HTTP: browsers must be redirected to TLS, with the query, whatever they say of a proxy.
    pub(crate) fn expect_redirects(&mut self) -> Result<(), Halt> {
        let Some(host) = self.hosts.secure.clone() else { return Ok(()) };
        for interaction in self.subject.catalogue.interactions().iter().filter(|one| one.secure) {
            if self.subject.catalogue.by_path(&interaction.path).is_some_and(|id| !self.scope.contains(&id)) {
                continue;
            }
            let path = format!("{}?asked=in+the+clear%21", interaction.path);
            let right = format!("https://{host}{path}");
            for headers in clear_headers() {
                let sent = ToSend { request: Request::new("GET", &path, ""), headers };
                let got = transmit(&mut self.connections[0], false, &sent, &self.hosts.plain);
                let judged = self.expect_redirect(got, &right, &interaction.path);
                judged.map_err(|fault| {
                    let text = format!("GET {path} over plain HTTP, which must use TLS:\n{fault}");
                    VerifyError::Odd(Difference { step: None, text })
                })?;
            }
        }
        Ok(())
    }

    fn expect_redirect(
        &self,
        got: Result<HttpResponse, EngineError>,
        right: &str,
        path: &str,
    ) -> Result<(), String> {
        let got = got.map_err(|fault| format!("  no answer: {}", with_causes(&fault)))?;
        let location = got.header("location").unwrap_or_default();
        if !matches!(got.status, 301..=303 | 307 | 308) || location != right {
            let status = got.status;
            return Err(format!(
                "  status {status} and location `{location}` instead of a redirect to `{right}`"
            ));
        }
        compare_cookies(&self.subject.key, &got.cookies(), None)?;
        self.judge.expect_harmless(&got, path)
    }

    /// The `Host` header of plain requests.
    pub(crate) fn host(&self) -> &str {
        &self.hosts.plain
    }

    /// Sends the requests of the two users, one to each side. They may differ in their log-in tokens only.
    pub(crate) fn request(
        &mut self,
        before_model: &workload::Request,
        before_stack: &workload::Request,
    ) -> Result<Pages, Halt> {
        if before_stack.how == How::Start {
            self.browsers = Default::default();
        }
        let is_secure = self.subject.catalogue.get(before_stack.interaction).secure;
        let [of_model, of_stack] =
            [0, 1].map(|side| self.browsers[side].cookies_for(is_secure, &before_stack.path_and_query));
        let step = self.step(before_stack, &of_stack);
        let sent = |request: &workload::Request, cookies: String| {
            let mut headers = step.headers();
            headers.extend((!cookies.is_empty()).then(|| Header::new(COOKIE, cookies)));
            ToSend { request: request.into(), headers }
        };
        let (to_model, to_stack) = (sent(before_model, of_model), sent(before_stack, of_stack));
        let manner = Manner::draw(&mut self.manners);
        let now = early_in_a_second();
        let (pages, cookies) = self.exchange(&step, &to_model, &to_stack, Some(manner), now)?;
        for (browser, cookie) in self.browsers.iter_mut().zip(cookies) {
            cookie.into_iter().for_each(|cookie| {
                browser.set_cookie(&cookie, "", &before_stack.path_and_query, Duration::ZERO);
            });
        }
        Ok(pages)
    }

    /// The step of a user's request, with session cookies as parameters.
    fn step(&self, request: &workload::Request, cookies: &str) -> Step {
        let mut all = request.clone();
        let names: Vec<&str> = self.subject.catalogue.get(request.interaction).cookies().collect();
        let is_one = |pair: &&str| names.contains(&pair.split('=').next().unwrap_or_default());
        for pair in cookies.split("; ").filter(is_one) {
            match request.method {
                Method::Post | Method::Put | Method::Patch | Method::Delete => {
                    append(&mut all.body, "&", pair);
                }
                Method::Get => {
                    let separator = if all.path_and_query.contains('?') { "&" } else { "?" };
                    append(&mut all.path_and_query, separator, pair);
                }
            }
        }
        Step::of(&all, &self.subject.key)
    }

    fn exchange(
        &mut self,
        step: &Step,
        to_model: &ToSend,
        to_stack: &ToSend,
        manner: Option<Manner>,
        now: Timestamp,
    ) -> Result<(Pages, [Option<String>; 2]), Halt> {
        self.check_stop()?;
        let turn = self.sent.steps.len() % self.connections.len();
        self.sent.steps.push(step.clone());
        let (answer, cookie) = self.model.converse(&to_model.request, &to_model.headers, now);
        let payments = self.model.take_payments();
        let answer = self.contract.with_open(&to_model.request, answer);
        let interaction = self.subject.application.interaction(&to_stack.request);
        self.note_change(&to_stack.request, &answer.response);
        let differs = |text: String| Difference { step: Some(step.clone()), text };
        let is_walk = manner.is_some();
        let manner = manner.unwrap_or(Manner::Plain);
        let reads = interaction.is_some_and(|id| self.subject.catalogue.get(id).effect != Effect::Write);
        let right = (&answer, cookie.as_deref());
        let (got, set) = match self.ask(turn, manner, to_stack, right, now) {
            Ok(got) => got,
            Err(text) if manner == Manner::Plain => return Err(differs(text).into()),
            Err(text) => {
                let difference = differs(format!("  asked for {manner}:\n{text}"));
                // A replay asks plainly, so that it can't show what only another manner does.
                return match reads && self.ask(turn, Manner::Plain, to_stack, right, now).is_ok() {
                    true => Err(VerifyError::Odd(difference).into()),
                    false => Err(difference.into()),
                };
            }
        };
        if !reads {
            let asked = self.take_asked().map_err(differs)?;
            gateway::compare(&asked, &[payments]).map_err(differs)?;
        }
        self.documents += 1;
        self.record(step, interaction, answer.response.status)?;
        self.asked.extend(interaction.map(|id| (id, answer.response.status == 200, manner)));
        if is_walk && reads && to_stack.request.method == "GET" {
            if let Some(manner) = Manner::draw_afterwards(&mut self.manners) {
                self.ask_again(manner, step, turn, to_stack, (&got, right), now)?;
            }
            self.validators.note(step, [to_model, to_stack], &got, &answer.response.body);
        } else if is_walk && !reads {
            self.expect_modified(turn, now)?;
        }
        let right = answer.response;
        let is_page = right.status < 400 || right.status == 409;
        let pages = Pages {
            status: right.status,
            model: is_page.then_some(right.body),
            stack: is_page.then_some(got.body),
        };
        Ok((pages, [cookie, set]))
    }

    /// Sends a request to the stack in this manner. Returns the answer, which is right, and its cookie.
    fn ask(
        &mut self,
        turn: usize,
        manner: Manner,
        sent: &ToSend,
        (right, cookie): (&Answer, Option<&str>),
        now: Timestamp,
    ) -> Result<(HttpResponse, Option<String>), String> {
        let ToSend { request, headers } = sent;
        let is_secure = self.subject.catalogue.is_secure_at(&request.path);
        let host = self.hosts.of_request(is_secure);
        let connection = &mut self.connections[turn];
        let got = match manner {
            Manner::Plain => transmit(connection, is_secure, sent, host),
            _ => {
                let bytes = manner.bytes(request, headers, host, None, &mut self.manners);
                connection.raw(is_secure, &bytes, request.method == "GET")
            }
        };
        let got = got.map_err(|fault| format!("  no answer: {}", with_causes(&fault)))?;
        let mut set = got.cookies();
        self.is_missing = got.status == 404 && right.response.status != 404;
        compare(&self.subject.key, &got, right, now)?;
        compare_cookies(&self.subject.key, &set, cookie)?;
        if right.leaves_open.contains(&Open::Document) {
            self.judge.safety.expect_harmless_body(&got)?;
        }
        self.judge.expect_harmless(&got, &request.path)?;
        manner.expect_framing(&got)?;
        Ok((got, set.pop()))
    }

    /// Asks for remembered pages that a write has changed, by their validators of before.
    fn expect_modified(&mut self, turn: usize, now: Timestamp) -> Result<(), Halt> {
        for known in self.validators.take() {
            let Validated { step, to_model, to_stack, conditions, page } = &known;
            let (right, cookie) = self.model.converse(&to_model.request, &to_model.headers, now);
            let parse = |body: &[u8]| HtmlDocument::parse(body, &self.subject.key);
            // Times go on without a write.
            let is_same = || parse(&right.response.body).compare(&parse(page), now, i64::MAX / 2).is_ok();
            if right.response.body == *page || is_same() {
                self.validators.keep(known);
                continue;
            }
            let is_secure = self.subject.catalogue.is_secure_at(&to_stack.request.path);
            let host = self.hosts.of_request(is_secure);
            let plain =
                Manner::Plain.bytes(&to_stack.request, &to_stack.headers, host, None, &mut self.manners);
            let bytes = manner::with_conditions(&plain, conditions);
            let got = self.connections[turn].raw(is_secure, &bytes, true);
            let compared = match got {
                Err(fault) => Err(format!("  no answer: {}", with_causes(&fault))),
                Ok(got) => compare(&self.subject.key, &got, &right, now)
                    .and_then(|()| compare_cookies(&self.subject.key, &got.cookies(), cookie.as_deref()))
                    .and_then(|()| self.judge.expect_harmless(&got, &to_stack.request.path)),
            };
            self.documents += 1;
            if self.traffic.is_some() && !self.is_untraced {
                // Its statements belong to no step.
                self.site.take_statements().transpose()?;
            }
            compared.map_err(|text| {
                let asked: Vec<String> =
                    conditions.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                let text = format!("  asked again after a write, with `{}`:\n{text}", asked.join("` and `"));
                VerifyError::Odd(Difference { step: Some(step.clone()), text })
            })?;
        }
        Ok(())
    }

    /// Sends a form that belongs to TLS in the clear: it must be refused, or redirected within the site.
    pub(crate) fn expect_refused_in_the_clear(&mut self, step: &Step) -> Result<(), Halt> {
        self.check_stop()?;
        let now = early_in_a_second();
        for headers in clear_headers() {
            let mut sent = written(step, self.subject, now);
            sent.headers.extend(headers);
            let got = transmit(&mut self.connections[0], false, &sent, &self.hosts.plain);
            self.documents += 1;
            let judged = self.judge(got, &[], &sent.request.method, now);
            judged.map_err(|text| {
                let text = format!("  sent over plain HTTP, although it must use TLS:\n{text}");
                VerifyError::Odd(Difference { step: Some(step.clone()), text })
            })?;
        }
        Ok(())
    }

    /// Fetches each file of the application from both sides.
    pub(crate) fn fetch_files(&mut self) -> Result<(), Halt> {
        let files = self.subject.application.static_files().into_iter();
        files.map(|file| Step::get(&file.path, &[])).try_for_each(|step| self.send(&step).map(drop))
    }

    /// Asks for the same page in a manner that HTTP lets a server answer otherwise.
    fn ask_again(
        &mut self,
        manner: Manner,
        step: &Step,
        turn: usize,
        ToSend { request, headers }: &ToSend,
        (before, (right, cookie)): (&HttpResponse, (&Answer, Option<&str>)),
        now: Timestamp,
    ) -> Result<(), Halt> {
        let is_secure = self.subject.catalogue.is_secure_at(&request.path);
        let host = self.hosts.of_request(is_secure);
        let bytes = manner.bytes(request, headers, host, Some(before), &mut self.manners);
        let connection = &mut self.connections[turn];
        let got = match manner {
            Manner::Head => connection.head(is_secure, &bytes),
            _ => connection.raw(is_secure, &bytes, true),
        };
        let judged = match got {
            Err(fault) => Err(format!("  no answer: {}", with_causes(&fault))),
            Ok(got) => {
                let (key, set) = (&self.subject.key, got.cookies());
                let compared =
                    manner.may_answer(&got, before, &self.judge.safety).and_then(|may| match may {
                        true if set.is_empty() => Ok(()),
                        true => compare_cookies(key, &set, cookie),
                        false => {
                            compare(key, &got, right, now).and_then(|()| compare_cookies(key, &set, cookie))
                        }
                    });
                compared.and_then(|()| self.judge.expect_harmless(&got, &request.path))
            }
        };
        let surplus = connection.has_surplus(is_secure) == Some(true);
        let judged = judged.and_then(|()| match surplus {
            true => Err("  the server has sent more on the connection than its answer".to_owned()),
            false => Ok(()),
        });
        self.documents += 1;
        let interaction = self.subject.application.interaction(request);
        self.asked.extend(interaction.map(|id| (id, right.response.status == 200, manner)));
        if self.traffic.is_some() && !self.is_untraced {
            // Its statements belong to no step.
            self.site.take_statements().transpose()?;
        }
        judged.map_err(|text| {
            let text = format!("  asked for {manner}:\n{text}");
            VerifyError::Odd(Difference { step: Some(step.clone()), text }).into()
        })
    }

    /// Notes that the last step has changed data, and the row that it has made.
    fn note_change(&mut self, request: &Request, right: &Response) {
        let interaction = self.subject.application.interaction(request);
        let writes = interaction.is_some_and(|id| self.subject.catalogue.get(id).effect == Effect::Write);
        if writes && right.status < 400 {
            let place = self.sent.steps.len() - 1;
            self.sent.changing.insert(place);
            let page = Page::scan(&right.body, &request.path, self.subject.catalogue);
            if let Some(id) = page.acknowledged().filter(|id| *id != NO_ROW) {
                self.sent.made.insert(place, id);
            }
        }
    }

    fn record(
        &mut self,
        step: &Step,
        interaction: Option<InteractionId>,
        status: u16,
    ) -> Result<(), ServiceError> {
        let interaction = interaction.inspect(|id| {
            if status == 200 {
                self.covered.insert(*id);
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

/// Differences of an answer from the expected one, which was made `now`.
pub(crate) fn compare(
    key: &TokenKey,
    got: &HttpResponse,
    right: &Answer,
    now: Timestamp,
) -> Result<(), String> {
    let Answer { response: right, leaves_open } = right;
    let parse = |body: &[u8]| HtmlDocument::parse(body, key);
    if got.status != right.status && !leaves_open.contains(&Open::Status(got.status)) {
        let text = parse(&got.body).text();
        return Err(format!("  status: {} instead of {}\n  the page says: {text}", got.status, right.status));
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
        // Parsing takes longer than everything else, and is needless if only blanks differ.
        Kind::Text if document::same_but_for_blanks(&got.body, &right.body) => Ok(()),
        Kind::Text => parse(&got.body).compare(&parse(&right.body), now, concurrency::now() - now),
    }
}

/// Manners of comparing documents.
enum Kind {
    /// Text as browsers read it.
    Text,
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

/// Headers of requests in the clear: none, and one by which a client claims that a proxy has ended its TLS.
fn clear_headers() -> [Vec<Header>; 2] {
    [Vec::new(), vec![Header::new("X-Forwarded-Proto", "https")]]
}

/// The request for a step at this time.
pub(crate) fn written(step: &Step, subject: &Subject<'_>, now: Timestamp) -> ToSend {
    let mut request = step.request(&subject.key, now);
    let mut headers = step.headers();
    headers.extend(request.take_cookies(subject.catalogue));
    ToSend { request, headers }
}

fn append(text: &mut String, separator: &str, pair: &str) {
    if !text.is_empty() {
        text.push_str(separator);
    }
    text.push_str(pair);
}

/// Compares the cookies of an answer with the expected one: a sealed time may be slightly later.
pub(crate) fn compare_cookies(key: &TokenKey, got: &[String], right: Option<&str>) -> Result<(), String> {
    let essence = |cookie: &str| {
        let (pair, attributes) = cookie.split_once(';').unwrap_or((cookie, ""));
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = key.locked(value).map_or(value.to_owned(), |(text, _)| format!("locked {text}"));
        format!("{name}={value};{}", attributes.replace(' ', "").to_ascii_lowercase())
    };
    let shown = |cookies: &mut dyn Iterator<Item = &str>| {
        let all: Vec<String> = cookies.map(essence).collect();
        if all.is_empty() { "none".to_owned() } else { all.join("` and `") }
    };
    let (got, right) = (shown(&mut got.iter().map(String::as_str)), shown(&mut right.into_iter()));
    if got == right { Ok(()) } else { Err(format!("  cookie: `{got}` instead of `{right}`")) }
}

pub(crate) fn transmit(
    connection: &mut Connection<'_>,
    is_secure: bool,
    ToSend { request, headers }: &ToSend,
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
pub(crate) fn with_causes(fault: &EngineError) -> String {
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

/// The errors of a connection that was closed without an answer.
const CLOSED_WITHOUT_ANSWER: [ErrorKind; 3] =
    [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];

/// The least rest of the second in which a request is sent: more than most requests take.
const LEFT: Duration = Duration::from_millis(30);

/// This machine's time, but never at the end of a second. The stack's clock then shows the same second as the model's,
/// and rows sorted by the second of their write have the same order on both sides.
fn early_in_a_second() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let left = Duration::from_secs(1) - Duration::from_nanos(since.subsec_nanos().into());
    if left < LEFT {
        thread::sleep(left);
    }
    concurrency::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_with_the_same_content_are_equal() {
        let key = TokenKey::new("secret");
        let cookie = |text: &str, at: i64, rest: &str| {
            Some(format!("session={}{rest}", key.lock(text, Timestamp(at))))
        };
        let compare = |got: Option<String>, right: Option<String>| {
            compare_cookies(&key, got.as_slice(), right.as_deref()).is_ok()
        };
        let right = || cookie("ada:secret", 100, "; Path=/shop; HttpOnly");
        assert!(compare(right(), right()) && compare(None, None));
        assert!(compare(cookie("ada:secret", 101, ";path=/shop;httponly"), right()), "a little later");
        for wrong in [
            cookie("bob:secret", 100, "; Path=/shop; HttpOnly"),
            cookie("ada:secret", 100, "; Path=/shop"),
            Some("session=ada:secret; Path=/shop; HttpOnly".to_owned()),
            None,
        ] {
            assert!(!compare(wrong.clone(), right()) && !compare(right(), wrong.clone()), "{wrong:?}");
        }
        let two = [right().unwrap(), "theme=dark".to_owned()];
        assert!(compare_cookies(&key, &two, right().as_deref()).is_err(), "one more");
    }
}
