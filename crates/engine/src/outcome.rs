//! The results of a load.
//!
//! Figures cover the window: answers that are done in it, transitions drawn in it, think times that end in it. The
//! fates of writes, which an audit needs, and the timeline cover the whole load.

mod arrivals;
mod merge;

use crate::{ErrorKind, Stretch, histogram_text, sent_writes::SentWrites};
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, ops::Range, time::Duration};
use workload::{How, InteractionId, Step};

pub use arrivals::{Visitor, VisitorEnding, VisitorRequest};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub clients: u32,
    /// Begin of the window since the load began: at a whole second. If the load was stopped before, the instant of that.
    pub window_start: Duration,
    /// Mean requests of each client that had ended when the window began.
    pub warm_requests: f64,
    /// Length of the window: as asked for, or less if the load was stopped. Of several stretches, all together.
    pub window: Duration,
    /// The stretches of the window, in order: one, or one for each turn of the load.
    pub stretches: Vec<Stretch>,
    /// The reason for the load's end.
    pub ended: Ended,
    /// By the index of [`InteractionId`].
    pub interactions: Vec<InteractionStats>,
    pub connections: Connections,
    /// Requests whose intended instant lies in the window.
    pub intended: u64,
    /// Requests of these that the generator sent or began to connect for, however they ended. A generator without faults
    /// sends them all.
    pub sent: u64,
    /// Lateness: microseconds from intended until the generator sent the request or began to connect for it. In virtual
    /// time, 0 unless a fault is planted.
    #[serde(with = "histogram_text")]
    pub lateness: Histogram<u64>,
    /// The first cause of each kind of errors since the load began, by the index of [`ErrorKind`].
    pub causes: [Option<String>; ErrorKind::ALL.len()],
    /// References of pages of the window that lead to other sites, which are not requested: by scheme, host and port.
    pub left_out: BTreeMap<String, u64>,
    /// Drawn steps of the mix.
    pub transitions: Transitions,
    /// Think times that ended in the window, in microseconds.
    #[serde(with = "histogram_text")]
    pub thinking: Histogram<u64>,
    /// Exact count and sum of these.
    pub think_times: Sum,
    /// From intended to done, of all requests done in the window: pages, refusals and errors.
    pub response_times: Sum,
    /// Client time spent thinking or waiting, cut to the window. Equals `clients × window` if no client got lost.
    pub accounted: Duration,
    /// The parts outside the window of think and response times that ended in it.
    pub carried_in: Duration,
    /// Client time in the window that belongs to think or response times that ended outside it. `accounted =
    /// think_times.total + response_times.total - carried_in + cut_off`.
    pub cut_off: Duration,
    /// One entry for each second since the load began, the ramp included; by done.
    pub timeline: Vec<SecondCounts>,
    /// Response times of the pages of each second, as in [`Outcome::timeline`].
    pub latencies: Vec<SecondLatencies>,
    /// Fates of the writes since the load began, and of those before it that [`Outcome::add_earlier_writes`] took in; by
    /// the index of [`InteractionId`].
    pub writes: Vec<WriteFates>,
    /// CPU time of the generator's thread in the window; of several shards, that of the busiest one. Zero in virtual time.
    pub cpu: Duration,
    /// Each generator of a load that several hosts drove; empty for any other load.
    pub generators: Vec<GeneratorShare>,
    /// Users who have arrived, in that order; empty without arrivals.
    pub visitors: Vec<Visitor>,
}

/// The share of one generator in a load that several drove.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneratorShare {
    pub host: String,
    pub clients: u32,
    /// See [`Outcome`].
    pub intended: u64,
    pub sent: u64,
    #[serde(with = "histogram_text")]
    pub lateness: Histogram<u64>,
    pub cpu: Duration,
}

/// Requests done in the window: sums of the pages for mean and standard deviation, and failures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// Pages, with their times from intended to done.
    pub pages: Sum,
    /// Sum of the squares of these response times, in seconds².
    pub squares: f64,
    /// The longest of these response times.
    pub longest: Duration,
    /// Refusals and errors.
    pub failed: u64,
}

impl Answers {
    /// The standard deviation of the response times in seconds; none of fewer than two pages.
    pub fn deviation_s(&self) -> Option<f64> {
        let count = self.pages.count as f64;
        let about = self.squares - self.pages.total.as_secs_f64().powi(2) / count;
        (self.pages.count > 1).then(|| (about.max(0.0) / (count - 1.0)).sqrt())
    }

    pub(crate) fn add(&mut self, response: Duration, is_page: bool) {
        if is_page {
            self.pages.add(response);
            self.squares += response.as_secs_f64().powi(2);
            self.longest = self.longest.max(response);
        } else {
            self.failed += 1;
        }
    }
}

impl Outcome {
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.interactions.iter().flat_map(|figures| &figures.by_how).for_each(|tally| total.add(tally));
        total
    }

    pub fn cause(&self, kind: ErrorKind) -> Option<&str> {
        self.causes[kind.index()].as_deref()
    }

    /// Names the host whose generator has driven all of this, so that its share is known after a merge.
    pub fn driven_by(&mut self, host: &str) {
        let Self { clients, intended, sent, cpu, .. } = *self;
        let (host, lateness) = (host.to_owned(), self.lateness.clone());
        self.generators = vec![GeneratorShare { host, clients, intended, sent, lateness, cpu }];
    }

    /// Pages per second. Zero if the load was stopped before the window began.
    pub fn throughput(&self) -> f64 {
        if self.window.is_zero() { 0.0 } else { self.total().completed as f64 / self.window.as_secs_f64() }
    }

    /// Adds the writes of an earlier load on the same data.
    pub fn add_earlier_writes(&mut self, earlier: Vec<WriteFates>) {
        for (own, mut fates) in self.writes.iter_mut().zip(earlier) {
            fates.acknowledged.append(&mut own.acknowledged);
            fates.sent.append(std::mem::take(&mut own.sent));
            fates.refused += own.refused;
            fates.in_doubt += own.in_doubt;
            *own = fates;
        }
    }

    /// Microseconds from intended to done of all interactions' pages together.
    pub fn response(&self) -> Histogram<u64> {
        merged(self.interactions.iter().map(|figures| &figures.response))
    }

    /// Microseconds from sent to done of all interactions' pages together.
    pub fn service(&self) -> Histogram<u64> {
        merged(self.interactions.iter().map(|figures| &figures.service))
    }

    /// Bytes of all answers, heads included.
    pub fn bytes(&self) -> u64 {
        self.interactions.iter().map(|figures| figures.bytes).sum()
    }

    /// The generator's CPU in the window, as a share of one core.
    pub fn cpu_share(&self) -> f64 {
        if self.window.is_zero() { 0.0 } else { self.cpu.as_secs_f64() / self.window.as_secs_f64() }
    }

    /// All requests of each interaction, by the index of [`InteractionId`].
    pub fn visits(&self) -> Vec<u64> {
        self.interactions.iter().map(|figures| figures.total().requests()).collect()
    }

    /// The seconds of [`Outcome::timeline`] that lie wholly in the window.
    pub fn window_timeline(&self) -> impl Iterator<Item = &SecondCounts> {
        self.window_seconds().map(|second| &self.timeline[second])
    }

    /// The seconds of [`Outcome::latencies`] that lie wholly in the window.
    pub fn window_latencies(&self) -> impl Iterator<Item = &SecondLatencies> {
        self.window_seconds().map(|second| &self.latencies[second])
    }

    /// Pages of each stretch, per second.
    pub fn stretch_throughputs(&self) -> Vec<f64> {
        let completed = |stretch: &Stretch| {
            let seconds = self.seconds(stretch);
            let (count, length) =
                (self.timeline[seconds.clone()].iter().map(|second| second.completed), seconds.len());
            count.sum::<u64>() as f64 / length.max(1) as f64
        };
        self.stretches.iter().map(completed).collect()
    }

    fn window_seconds(&self) -> impl Iterator<Item = usize> {
        self.stretches.iter().flat_map(|stretch| self.seconds(stretch))
    }

    fn seconds(&self, stretch: &Stretch) -> Range<usize> {
        let first = stretch.start.as_secs_f64().ceil() as usize;
        let last = (stretch.end.as_secs() as usize).min(self.timeline.len());
        first.min(last)..last
    }
}

/// Adds up histograms of the same bounds.
fn merged<'a>(mut histograms: impl Iterator<Item = &'a Histogram<u64>>) -> Histogram<u64> {
    let mut sum = histograms.next().expect("an application has interactions").clone();
    for histogram in histograms {
        sum.add(histogram).expect("all histograms of an outcome have the same bounds");
    }
    sum
}

/// The reason for a load's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    Complete,
    /// Stopped before.
    Stopped,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InteractionStats {
    /// Endings of requests by the index of [`How`].
    pub by_how: [Tally; How::ALL.len()],
    /// Microseconds from intended to done, of completed pages. Values above the timeout count as the timeout.
    #[serde(with = "histogram_text")]
    pub response: Histogram<u64>,
    /// Microseconds from sent to done, of completed pages.
    #[serde(with = "histogram_text")]
    pub service: Histogram<u64>,
    /// Bytes of the answers, heads included.
    pub bytes: u64,
}

impl InteractionStats {
    /// Endings of the requests made for one reason.
    pub fn tally(&self, how: How) -> &Tally {
        &self.by_how[how.index()]
    }

    /// Endings of all requests.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.by_how.iter().for_each(|tally| total.add(tally));
        total
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Ended with a page.
    pub completed: u64,
    /// Refused by a business rule: status 409.
    pub refused: u64,
    errors: [u64; ErrorKind::ALL.len()],
}

impl Tally {
    pub fn errors_of(&self, kind: ErrorKind) -> u64 {
        self.errors[kind.index()]
    }

    /// Requests that ended with any error.
    pub fn errors(&self) -> u64 {
        self.errors.iter().sum()
    }

    /// Requests without an answer of any kind.
    pub fn unanswered(&self) -> u64 {
        ErrorKind::ALL.iter().filter(|kind| !kind.is_answer()).map(|kind| self.errors_of(*kind)).sum()
    }

    pub fn requests(&self) -> u64 {
        self.completed + self.refused + self.errors()
    }

    pub(crate) fn count_error(&mut self, kind: ErrorKind) {
        self.errors[kind.index()] += 1;
    }

    fn add(&mut self, other: &Self) {
        self.completed += other.completed;
        self.refused += other.refused;
        self.errors.iter_mut().zip(other.errors).for_each(|(sum, more)| *sum += more);
    }
}

/// Connections in the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Connections {
    pub opened: u64,
    pub failed: u64,
    /// Opened connections that replaced one closed by the server while its user was thinking. These are no errors.
    pub reconnects: u64,
    /// Opened connections that replaced one closed by the server while a GET was sent on it. These are no errors: the
    /// request was sent again, once. A request that must not be sent again is a [`ErrorKind::KeepAliveRace`].
    pub races: u64,
    /// Microseconds of opening one.
    #[serde(with = "histogram_text")]
    pub time: Histogram<u64>,
}

/// Drawn steps of the mix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transitions {
    interactions: usize,
    counts: Vec<u64>,
}

impl Transitions {
    pub(crate) fn new(interactions: usize) -> Self {
        Self { interactions, counts: vec![0; interactions * (interactions + 1)] }
    }

    /// Draws of this step at `from`, whether or not a link led there.
    pub fn count(&self, from: InteractionId, step: Step) -> u64 {
        self.counts[self.index(from, step)]
    }

    /// All draws at `from`.
    pub fn row_sum(&self, from: InteractionId) -> u64 {
        let width = self.interactions + 1;
        self.counts[from.index() * width..][..width].iter().sum()
    }

    pub(crate) fn add(&mut self, from: InteractionId, step: Step) {
        let index = self.index(from, step);
        self.counts[index] += 1;
    }

    fn index(&self, from: InteractionId, step: Step) -> usize {
        let column = match step {
            Step::To(to) => to.index(),
            Step::Back => self.interactions,
        };
        from.index() * (self.interactions + 1) + column
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    pub count: u64,
    pub total: Duration,
}

impl Sum {
    /// Zero without durations.
    pub fn mean(&self) -> Duration {
        if self.count == 0 { Duration::ZERO } else { self.total.div_f64(self.count as f64) }
    }

    pub(crate) fn add(&mut self, length: Duration) {
        self.count += 1;
        self.total += length;
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondCounts {
    pub completed: u64,
    pub refused: u64,
    pub errors: u64,
    /// Sum of the pages' response times.
    pub response_sum: Duration,
    /// 95th percentile of the pages' response times, to 1/256 as in [`SecondLatencies`]; zero without pages.
    pub p95: Duration,
}

/// Response times of the pages done in one second.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondLatencies {
    /// Pairs of a response time in microseconds and its number of pages, ascending. Each includes response times up to
    /// 1/256 longer.
    pub values: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteFates {
    /// Ids acknowledged by pages, in order. Each row must exist exactly once.
    pub acknowledged: Vec<u64>,
    /// The parameters that were sent for these rows, or for some of them.
    pub sent: SentWrites,
    /// Refused, with status 409 or another from 400 to 499: no row may exist.
    pub refused: u64,
    /// Sent, but not properly answered: the row exists at most once.
    pub in_doubt: u64,
}

impl WriteFates {
    /// All writes.
    pub fn count(&self) -> u64 {
        self.acknowledged.len() as u64 + self.refused + self.in_doubt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Load, recorder::Recorder};

    #[test]
    fn earlier_writes_come_first() {
        let load =
            Load { session_length: Duration::ZERO, ..Load::new(workload::LoadKind::NoThink { clients: 1 }) };
        let mut outcome = Recorder::new(&load, 2).finish(Duration::ZERO);
        let fates = |ids: &[u64], refused, in_doubt| WriteFates {
            acknowledged: ids.into(),
            refused,
            in_doubt,
            ..WriteFates::default()
        };
        outcome.writes = vec![fates(&[3], 1, 0), fates(&[], 0, 2)];
        outcome.add_earlier_writes(vec![fates(&[1, 2], 4, 1), fates(&[7], 0, 0)]);
        assert_eq!(outcome.writes, [fates(&[1, 2, 3], 5, 1), fates(&[7], 0, 2)]);
    }
}
