//! Sweeps over servers that collapse: one recovers when most of its clients are gone, the other doesn't.

use super::{Auction, Trial};
use engine::{Load, LoadKind};
use results::Point;
use simulation::{QueueServer, Reply, VirtualServer, simulate};
use stats::{Recovery, RecoveryStatus};
use std::{collections::VecDeque, time::Duration};

/// A server with one queue that works much slower while too many wait, as servers do that run out of memory or spend
/// their time on switching. What its clients have left behind stays in the queue.
struct Thrashing {
    /// Makes the pages.
    pages: QueueServer,
    service: Duration,
    /// The most requests that may wait.
    bearable: usize,
    /// Instants at which those who wait will be served, in turn, since the first load began.
    queue: VecDeque<Duration>,
    /// Begin of this load: loads count time from their own begin.
    began: Duration,
}

/// The factor by which everything slows down while too many wait.
const SLOWER: u32 = 4;

impl VirtualServer for Thrashing {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let now = self.began + now;
        while self.queue.front().is_some_and(|served| *served <= now) {
            self.queue.pop_front();
        }
        let service = if self.queue.len() > self.bearable { self.service * SLOWER } else { self.service };
        let at = self.queue.back().map_or(now, |last| now.max(*last)) + service;
        self.queue.push_back(at);
        Reply { at: at - self.began, ..self.pages.answer(request, now) }
    }
}

/// An overload cycle through half of what the server bears, one and a half of it, and half of it again.
fn overload_cycle(bearable: usize, timeout: Option<Duration>) -> Vec<Point> {
    let auction = Auction::new("bidding");
    let trial = Trial::new(0.35, 60);
    let service = trial.think_time.div_f64(trial.crowd);
    let pages = QueueServer::new(&auction.catalogue, 1, Duration::ZERO, 7);
    let mut server = Thrashing { pages, service, bearable, queue: VecDeque::new(), began: Duration::ZERO };
    let steps = [50, 150, 50].into_iter().zip(1..).map(|(clients, seed)| {
        let trial = Trial { clients, seed, ..trial };
        let kind = LoadKind::OverloadStep { clients, think_time_s: trial.think_time.as_secs_f64() };
        let load = Load { kind, timeout, ..trial.load() };
        let outcome = simulate(&mut server, &auction.users(), &load);
        server.began += outcome.window_start + outcome.window;
        trial.judge(&auction, &outcome)
    });
    steps.collect()
}

fn recovery(steps: &[Point]) -> Recovery {
    let [up, down] = [&steps[0], &steps[2]].map(|point| (point.throughput, point.throughput_half_width));
    Recovery::of(up, down).unwrap()
}

#[test]
fn a_server_that_bears_the_queue_of_the_way_down_recovers() {
    let steps = overload_cycle(60, Some(Load::TIMEOUT));
    assert!(steps[1].throughput < 0.6 * steps[0].throughput, "it has collapsed: {}", steps[1].throughput);
    let recovery = recovery(&steps);
    assert_eq!(recovery.finding, RecoveryStatus::Recovered, "{recovery:?}");
    assert!(recovery.ratio.half_width < 0.05, "{recovery:?}");
    for step in [&steps[0], &steps[2]] {
        assert!(step.verdict.valid, "{:?}", super::failing(step));
    }
}

#[test]
fn a_server_that_never_gets_rid_of_its_queue_does_not_recover() {
    for timeout in [Some(Load::TIMEOUT), None] {
        let recovery = recovery(&overload_cycle(15, timeout));
        assert_eq!(recovery.finding, RecoveryStatus::NotRecovered, "{recovery:?}");
        assert!((0.4..0.6).contains(&recovery.ratio.mean), "{recovery:?}");
    }
}
