//! Records requests, think times and connections. Its memory is fixed when the load begins, except for the acknowledged
//! rows with what was sent for them, the requests of users who arrive, and some KiB of response times per second.

use crate::liveness::ServerActivity;
use crate::outcome::{
    Connections, Ended, InteractionStats, Outcome, SecondCounts, SecondLatencies, Sum, Tally, Transitions,
    Visitor, VisitorEnding, VisitorRequest, WriteFates,
};
use crate::window::Window;
use crate::{ErrorKind, Load, Progress};
use hdrhistogram::Histogram;
use std::{collections::BTreeMap, mem, time::Duration};
use workload::{Behaviour, InteractionId, Method, Request, Step};

/// The id that a page acknowledges if a write has changed rows and added none.
const NO_ROW: u64 = 0;

/// The limit of other sites that are counted by name; a forum's pages name thousands.
const MOST_OTHER_SITES: usize = 100;

/// The name of the rest.
const OTHER_SITES: &str = "others";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestEnd {
    Page { acknowledged: Option<u64> },
    Refused,
    Error(ErrorKind),
}

impl RequestEnd {
    /// True if the request got no answer at all.
    pub(crate) fn is_unanswered(self) -> bool {
        matches!(self, Self::Error(kind) if !kind.is_answer())
    }
}

/// The instants of a request; `sent` only if its bytes went out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instants {
    pub intended: Duration,
    pub sent: Option<Duration>,
    pub done: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A session begins, or the last connection ended in an orderly way or with an error.
    New,
    /// The server closed the last one before anything was sent on it.
    Reconnect,
    /// The server closed the last one while a request was on its way.
    Race,
}

pub(crate) struct Recorder {
    outcome: Outcome,
    window: Window,
    kept: Option<Kept>,
    /// Response times of the current second.
    second: Histogram<u64>,
    /// The greatest lateness of this second, and of the last one.
    late: [Duration; 2],
    /// The generator's CPU time at the last report, the instant of that report, and the CPU share then.
    cpu: (Duration, Duration, f64),
    /// Median and 99th percentile of the last second's response times.
    quantiles: Option<(Duration, Duration)>,
    /// Counts since the load began: of requests that have ended, and of their results.
    requests: u64,
    completed: u64,
    errors: u64,
    answers: u64,
    failures: u64,
    last_failure: ErrorKind,
}

/// The record up to a pause, to which a stretch that is forgotten returns.
struct Kept {
    /// Without what covers the whole load.
    outcome: Outcome,
    stretches: usize,
    /// Client time in those stretches that was accounted for since then: its think and response times ended later.
    later: Duration,
}

/// The part of an outcome that covers the whole load.
struct WholeLoad {
    timeline: Vec<SecondCounts>,
    latencies: Vec<SecondLatencies>,
    writes: Vec<WriteFates>,
    causes: [Option<String>; ErrorKind::ALL.len()],
}

impl WholeLoad {
    fn take_from(outcome: &mut Outcome) -> Self {
        Self {
            timeline: mem::take(&mut outcome.timeline),
            latencies: mem::take(&mut outcome.latencies),
            writes: mem::take(&mut outcome.writes),
            causes: mem::take(&mut outcome.causes),
        }
    }

    fn put_into(self, outcome: &mut Outcome) {
        let Self { timeline, latencies, writes, causes } = self;
        (outcome.timeline, outcome.latencies) = (timeline, latencies);
        (outcome.writes, outcome.causes) = (writes, causes);
    }
}

impl Recorder {
    pub fn new(load: &Load, interactions: usize) -> Self {
        Self {
            outcome: nothing_yet(load, interactions),
            window: Window::new(load),
            kept: None,
            second: histogram(longest_answer(load)),
            late: [Duration::ZERO; 2],
            cpu: (Duration::ZERO, Duration::ZERO, 0.0),
            quantiles: None,
            requests: 0,
            completed: 0,
            errors: 0,
            answers: 0,
            failures: 0,
            last_failure: ErrorKind::ConnectFailed,
        }
    }

    /// Sets the time. Call it before anything else at this instant.
    pub fn reach(&mut self, now: Duration) {
        self.window.reach(now, self.requests);
    }

    /// The window, as far as it is known.
    pub fn window(&self) -> &Window {
        &self.window
    }

    pub fn record_think_time(&mut self, start: Duration, end: Duration) {
        if self.account_whole(start, end) {
            self.outcome.think_times.add(end - start);
            record(&mut self.outcome.thinking, end - start);
        }
    }

    /// Accounts for client time that is not a whole think or response time: before the first request, or cut off by the
    /// end of the load.
    pub fn account(&mut self, start: Duration, end: Duration) {
        let share = self.share(start, end);
        self.outcome.accounted += share;
        self.outcome.cut_off += share;
    }

    fn share(&mut self, start: Duration, end: Duration) -> Duration {
        if let Some(kept) = &mut self.kept {
            kept.later += self.window.share_of_first(kept.stretches, start, end);
        }
        self.window.share(start, end)
    }

    /// Accounts for a whole think or response time. Returns whether it counts, because it ended in the window.
    fn account_whole(&mut self, start: Duration, end: Duration) -> bool {
        let counts = self.window.contains(end);
        let share = self.share(start, end);
        self.outcome.accounted += share;
        if counts {
            self.outcome.carried_in += end.saturating_sub(start) - share;
        } else {
            self.outcome.cut_off += share;
        }
        counts
    }

    pub fn record_transition(&mut self, from: InteractionId, step: Step, now: Duration) {
        if self.window.contains(now) {
            self.outcome.transitions.add(from, step);
        }
    }

    /// Records the intended instant of a request.
    pub fn intended(&mut self, intended: Duration) {
        self.outcome.intended += u64::from(self.window.contains(intended));
    }

    /// Records that a request was sent, or connecting for it begun. It could have been at `due`.
    pub fn started(&mut self, intended: Duration, due: Duration, now: Duration) {
        let late = now.saturating_sub(due);
        self.late[0] = self.late[0].max(late);
        self.outcome.sent += u64::from(self.window.contains(intended));
        if self.window.contains(now) {
            record(&mut self.outcome.lateness, late);
        }
    }

    pub fn opened(&mut self, opening: Opening, took: Duration, now: Duration) {
        if self.window.contains(now) {
            let connections = &mut self.outcome.connections;
            connections.opened += 1;
            connections.reconnects += u64::from(opening == Opening::Reconnect);
            connections.races += u64::from(opening == Opening::Race);
            record(&mut connections.time, took);
        }
    }

    /// Keeps the first cause of a kind of errors.
    pub fn cause(&mut self, kind: ErrorKind, cause: impl FnOnce() -> String) {
        self.outcome.causes[kind.index()].get_or_insert_with(cause);
    }

    /// Records references to other sites, one a line.
    pub fn left_out(&mut self, sites: &str, now: Duration) {
        let counts = self.window.contains(now);
        for site in sites.lines().filter(|_| counts) {
            let known = &mut self.outcome.left_out;
            let is_named = known.len() < MOST_OTHER_SITES || known.contains_key(site);
            let name = if is_named { site } else { OTHER_SITES };
            match known.get_mut(name) {
                Some(count) => *count += 1,
                None => drop(known.insert(name.to_owned(), 1)),
            }
        }
    }

    pub fn connect_failed(&mut self, kind: ErrorKind, now: Duration) {
        self.failures += 1;
        self.last_failure = kind;
        if self.window.contains(now) {
            self.outcome.connections.failed += 1;
        }
    }

    pub fn ended(&mut self, request: &Request, at: Instants, ending: RequestEnd, bytes: u64) {
        let response = at.done.saturating_sub(at.intended);
        let counts = self.account_whole(at.intended, at.done);
        self.timeline(at.done, response, ending);
        self.requests += 1;
        if !counts {
            return;
        }
        self.outcome.response_times.add(response);
        let figures = &mut self.outcome.interactions[request.interaction.index()];
        figures.bytes += bytes;
        let tally = &mut figures.by_how[request.how.index()];
        match ending {
            RequestEnd::Page { .. } => {
                tally.completed += 1;
                record(&mut figures.response, response);
                record(&mut figures.service, at.done.saturating_sub(at.sent.unwrap_or(at.intended)));
            }
            RequestEnd::Refused => tally.refused += 1,
            RequestEnd::Error(kind) => tally.count_error(kind),
        }
    }

    /// Records the arrival of a user.
    pub fn arrived(&mut self, number: u32, came: Duration) {
        let visitors = &mut self.outcome.visitors;
        let place = visitors.partition_point(|visitor| visitor.number < number);
        visitors.insert(place, Visitor { number, came, left: None, requests: Vec::new() });
    }

    /// Records that a user has left who arrived with this number.
    pub fn left(&mut self, number: u32, now: Duration) {
        self.visitor(number).left = Some(now);
    }

    /// Records the end of a request by a user who arrived with this number.
    pub fn record_by_user(&mut self, number: u32, at: Instants, ending: RequestEnd) {
        if !self.window.contains(at.done) {
            return;
        }
        let ending = match ending {
            RequestEnd::Page { .. } => VisitorEnding::Page,
            _ if ending.is_unanswered() => VisitorEnding::Unanswered,
            _ => VisitorEnding::Failed,
        };
        let request = VisitorRequest { intended: at.intended, done: at.done, ending };
        self.visitor(number).requests.push(request);
    }

    fn visitor(&mut self, number: u32) -> &mut Visitor {
        let visitors = &mut self.outcome.visitors;
        let place = visitors.binary_search_by_key(&number, |visitor| visitor.number);
        &mut visitors[place.expect("a user arrives before anything else")]
    }

    /// Records that the load has ended while a write was on its way.
    pub fn abandoned(&mut self, interaction: InteractionId) {
        self.outcome.writes[interaction.index()].in_doubt += 1;
    }

    /// Records the fate of a write by its answer.
    pub fn record_write(&mut self, request: &Request, ending: RequestEnd) {
        let fates = &mut self.outcome.writes[request.interaction.index()];
        match ending {
            RequestEnd::Page { acknowledged: Some(NO_ROW) } => {}
            RequestEnd::Page { acknowledged: Some(id) } => {
                fates.acknowledged.push(id);
                fates.sent.add(id, parameters(request));
            }
            RequestEnd::Refused | RequestEnd::Error(ErrorKind::ClientStatus) => fates.refused += 1,
            RequestEnd::Page { acknowledged: None } | RequestEnd::Error(_) => fates.in_doubt += 1,
        }
    }

    fn timeline(&mut self, done: Duration, response: Duration, ending: RequestEnd) {
        self.reach_second(done.as_secs() as usize);
        let Some(second) = self.outcome.timeline.last_mut() else {
            return;
        };
        match ending {
            RequestEnd::Page { .. } => {
                second.completed += 1;
                second.response_sum += response;
                record(&mut self.second, response);
                self.completed += 1;
                self.answers += 1;
            }
            RequestEnd::Refused => {
                second.refused += 1;
                self.answers += 1;
            }
            RequestEnd::Error(kind) => {
                second.errors += 1;
                self.errors += 1;
                self.answers += u64::from(kind.is_answer());
            }
        }
    }

    /// Opens the timeline up to this second, and closes the one before.
    fn reach_second(&mut self, second: usize) {
        while self.outcome.timeline.len() <= second {
            self.close_second();
            self.outcome.timeline.push(SecondCounts::default());
        }
    }

    fn close_second(&mut self) {
        let Some(last) = self.outcome.timeline.last_mut() else { return };
        let at = |quantile| Duration::from_micros(self.second.value_at_quantile(quantile));
        let latencies = latencies(&self.second);
        last.p95 = latencies.p95();
        self.quantiles = (last.completed > 0).then(|| (at(0.5), at(0.99)));
        self.late = [Duration::ZERO, self.late[0]];
        self.outcome.latencies.push(latencies);
        self.second.reset();
    }

    /// Records the CPU time of the generator's thread up to this instant.
    pub fn record_cpu(&mut self, cpu: Duration, now: Duration) {
        let (before, then, _) = self.cpu;
        let passed = now.saturating_sub(then);
        if !passed.is_zero() {
            let share = cpu.saturating_sub(before).as_secs_f64() / passed.as_secs_f64();
            self.cpu = (cpu, now, if then.is_zero() { 0.0 } else { share });
        }
    }

    pub fn progress(&mut self, now: Duration) -> Progress {
        self.reach_second(now.as_secs() as usize);
        let last = self.outcome.timeline.iter().rev().nth(1).copied().unwrap_or_default();
        Progress {
            elapsed: now,
            phase: self.window.phase(now),
            window_start: self.window.start(),
            is_ready: self.window.is_ready(),
            completed: self.completed,
            errors: self.errors,
            throughput: last.completed as f64,
            mean_response: (last.completed > 0).then(|| last.response_sum.div_f64(last.completed as f64)),
            quantiles: self.quantiles,
            lateness: self.late[1],
            cpu: self.cpu.2,
        }
    }

    pub fn server_activity(&self) -> ServerActivity {
        let cause = self.outcome.cause(self.last_failure).unwrap_or_default().to_owned();
        ServerActivity {
            answers: self.answers,
            failures: self.failures,
            last_failure: self.last_failure,
            cause,
        }
    }

    /// Ends the window at this instant, unless it has ended.
    pub fn end_window(&mut self, now: Duration) {
        self.window.stop(now, self.requests);
    }

    /// Holds the window back, or releases it.
    pub fn hold_window(&mut self, is_held: bool) {
        self.window.hold(is_held);
    }

    /// Keeps what counts so far, while the clients stand still: a copy takes milliseconds.
    pub fn keep(&mut self) {
        let whole = WholeLoad::take_from(&mut self.outcome);
        let (outcome, stretches) = (self.outcome.clone(), self.window.stretches().len());
        self.kept = Some(Kept { outcome, stretches, later: Duration::ZERO });
        whole.put_into(&mut self.outcome);
    }

    /// Forgets what counts of the last stretch. Another takes its place.
    pub fn forget_stretch(&mut self) {
        if let Some(kept) = self.kept.take()
            && self.window.forget()
        {
            let whole = WholeLoad::take_from(&mut self.outcome);
            self.outcome = kept.outcome;
            self.outcome.accounted += kept.later;
            self.outcome.cut_off += kept.later;
            whole.put_into(&mut self.outcome);
        }
    }

    /// Records that the load was stopped.
    pub fn stopped(&mut self, now: Duration) {
        if self.window.stop(now, self.requests) {
            self.outcome.ended = Ended::Stopped;
        }
    }

    pub fn finish(mut self, cpu: Duration) -> Outcome {
        self.close_second();
        let Self { mut outcome, window, .. } = self;
        outcome.window_start = window.start().unwrap_or_default();
        outcome.window = window.length();
        outcome.stretches = window.stretches().to_vec();
        outcome.warm_requests = window.requests_before() as f64 / f64::from(outcome.clients.max(1));
        outcome.cpu = cpu;
        outcome
    }
}

fn parameters(request: &Request) -> &str {
    match request.method {
        Method::Get => request.path_and_query.split_once('?').map_or("", |(_, query)| query),
        _ => &request.body,
    }
}

/// The outcome of a load that has not begun.
fn nothing_yet(load: &Load, interactions: usize) -> Outcome {
    let response = histogram(longest_answer(load));
    let figures = InteractionStats {
        by_how: std::array::from_fn(|_| Tally::default()),
        response: response.clone(),
        service: response.clone(),
        bytes: 0,
    };
    let connections = Connections { opened: 0, failed: 0, reconnects: 0, races: 0, time: response.clone() };
    Outcome {
        clients: load.own_clients(),
        window_start: Duration::ZERO,
        warm_requests: 0.0,
        window: Duration::ZERO,
        stretches: Vec::new(),
        ended: Ended::Complete,
        interactions: vec![figures; interactions],
        connections,
        intended: 0,
        sent: 0,
        lateness: response,
        causes: Default::default(),
        left_out: BTreeMap::new(),
        transitions: Transitions::new(interactions),
        thinking: histogram(longest_thought(load)),
        think_times: Sum::default(),
        response_times: Sum::default(),
        accounted: Duration::ZERO,
        carried_in: Duration::ZERO,
        cut_off: Duration::ZERO,
        timeline: Vec::new(),
        latencies: Vec::new(),
        writes: vec![WriteFates::default(); interactions],
        cpu: Duration::ZERO,
        generators: Vec::new(),
        visitors: Vec::new(),
    }
}

/// The longest response time that is recorded exactly: the timeout, or an hour. In an open workload, a response time
/// also includes the wait for a client.
fn longest_answer(load: &Load) -> Duration {
    load.timeout.filter(|_| load.kind.behaviour().pace.is_none()).unwrap_or(Duration::from_secs(3600))
}

fn longest_thought(load: &Load) -> Duration {
    let Behaviour { think_time, arrivals, .. } = load.kind.behaviour();
    arrivals.map_or(think_time * 10, |arrivals| *arrivals.think.end())
}

/// A histogram of microseconds up to this duration, with three digits and a fixed size.
fn histogram(longest: Duration) -> Histogram<u64> {
    let highest = (longest.as_micros() as u64).max(2);
    Histogram::new_with_bounds(1, highest, 3).expect("1 < 2 ≤ highest, and three digits are allowed")
}

/// The leading bits of a response time in microseconds that are kept second by second.
const KEPT_BITS: u32 = 9;

/// The values of a histogram in compact form: a full one would take up to a hundred KiB a second.
fn latencies(second: &Histogram<u64>) -> SecondLatencies {
    let mut values: Vec<(u32, u32)> = Vec::new();
    for bucket in second.iter_recorded() {
        let value = leading_bits(second.lowest_equivalent(bucket.value_iterated_to()));
        let count = bucket.count_at_value() as u32;
        match values.last_mut().filter(|(last, _)| *last == value) {
            Some((_, sum)) => *sum += count,
            None => values.push((value, count)),
        }
    }
    values.shrink_to_fit();
    SecondLatencies { values }
}

fn leading_bits(micros: u64) -> u32 {
    let micros = u32::try_from(micros).unwrap_or(u32::MAX);
    let dropped = (u32::BITS - micros.leading_zeros()).saturating_sub(KEPT_BITS);
    micros >> dropped << dropped
}

fn record(histogram: &mut Histogram<u64>, length: Duration) {
    histogram.saturating_record((length.as_micros() as u64).max(1));
}
