//! Open workloads in virtual time, whose results are known exactly.

use crate::shop::{Shop, load};
use engine::{How, Load, LoadKind, Outcome};
use hdrhistogram::Histogram;
use simulation::{QueueServer, Reply, VirtualServer, simulate};
use std::time::Duration;
use workload::Spacing;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Requests at a rate, over a number of connections.
fn paced(connections: u32, per_s: f64, spacing: Spacing, window: Duration) -> Load {
    Load {
        window,
        kind: LoadKind::Rate { per_s, spacing, connections },
        ramp: ms(1000),
        timeout: Some(ms(600_000)),
        ..load(connections, 1, 0)
    }
}

fn run(load: &Load, server: &mut dyn VirtualServer) -> Outcome {
    simulate(server, &Shop::new().users(), load)
}

/// Answers within a millisecond, except for a second in which it is frozen.
struct Frozen {
    from: Duration,
}

impl VirtualServer for Frozen {
    fn answer(&mut self, _: &[u8], now: Duration) -> Reply {
        let until = self.from + ms(1000);
        let begin = if now >= self.from { now.max(until) } else { now };
        let page = "<a href='Item'>1</a><form action=Buy method=post></form><a href='index.html'>2</a>\
                    <data class=acknowledged value=1></data>";
        let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{page}", page.len());
        Reply { at: begin + ms(1), response: response.into_bytes() }
    }
}

fn at(times: &Histogram<u64>, quantile: f64) -> f64 {
    times.value_at_quantile(quantile) as f64 / 1e3
}

#[test]
fn a_freeze_shows_in_the_response_times_of_all_requests_due_meanwhile() {
    // A hundred of ten thousand requests were due in that second; the first waited longest.
    for connections in [200, 5] {
        let load = paced(connections, 100.0, Spacing::Even, ms(100_000));
        let outcome = run(&load, &mut Frozen { from: ms(50_000) });
        assert_eq!((outcome.intended, outcome.sent, outcome.total().completed), (10_000, 10_000, 10_000));
        let (response, service) = (outcome.response(), outcome.service());
        for (quantile, due) in [(0.5, 1.0), (0.985, 1.0), (0.995, 501.0), (0.998, 801.0), (0.9999, 1001.0)] {
            // Five connections take a fifth of a second for the backlog.
            let most = due * 1.01 + if connections == 5 && due > 1.0 { 25.0 } else { 10.0 };
            let found = at(&response, quantile);
            assert!(
                (due * 0.98..most).contains(&found),
                "{connections}, {quantile}: {found} ms, not {due} ms"
            );
        }
        // With five connections only five requests were sent before: service times hide the freeze.
        let hidden = at(&service, 0.998);
        assert!(if connections == 5 { hidden < 2.0 } else { hidden > 700.0 }, "{hidden} ms");
        // The wait for a connection is not the generator's lateness.
        assert!(outcome.lateness.max() <= 1, "{}", outcome.lateness.max());
    }
}

#[test]
fn response_times_of_a_single_queue_are_those_of_theory() {
    for (rate, service) in [(5.0, 50), (10.0, 50), (16.0, 50)] {
        let load = paced(400, rate, Spacing::Poisson, ms(6 * 3_600_000));
        let mut server = QueueServer::new(&Shop::new().catalogue, 1, ms(service), 7);
        let outcome = run(&load, &mut server);
        // Response times of M/M/1 are exponential.
        let mean_ms = 1e3 / (1e3 / service as f64 - rate);
        let response = outcome.response();
        for (quantile, due) in [(0.5, 2_f64.ln()), (0.9, 10_f64.ln()), (0.99, 100_f64.ln())] {
            let (found, due) = (at(&response, quantile), due * mean_ms);
            assert!((found / due - 1.0).abs() < 0.08, "{rate}/s, {quantile}: {found} ms, not {due} ms");
        }
        let throughput = outcome.throughput();
        assert!((throughput / rate - 1.0).abs() < 0.02, "{throughput}");
    }
}

#[test]
fn requests_without_a_free_connection_are_intended_and_not_sent() {
    // Twice as many requests are due as are served.
    let load = paced(10, 40.0, Spacing::Even, ms(100_000));
    let outcome = run(&load, &mut QueueServer::new(&Shop::new().catalogue, 1, ms(50), 7));
    assert_eq!(outcome.intended, 4000);
    assert!((1900..2200).contains(&outcome.total().completed), "{}", outcome.total().completed);
    assert!((1900..2200).contains(&outcome.sent), "{}", outcome.sent);
    // The last ones waited for half of the time.
    assert!(at(&outcome.response(), 0.99) > 45_000.0);
}

#[test]
fn instants_depend_on_the_seed_alone() {
    let times = |seed| {
        let load = Load { seed, ..paced(50, 20.0, Spacing::Poisson, ms(60_000)) };
        let outcome = run(&load, &mut Frozen { from: Duration::MAX - ms(1000) });
        outcome.timeline.iter().map(|second| second.completed).collect::<Vec<_>>()
    };
    assert_eq!(times(1), times(1));
    assert_ne!(times(1), times(2));
}

/// Twelve users a minute come, stay for a mean of 100 s and think for a mean of 2 s.
fn sessions(at_once: u32, spacing: Spacing) -> Load {
    Load {
        session_length: ms(100_000),
        kind: LoadKind::Sessions { per_s: 0.2, spacing, at_once, think_time_s: 2.0 },
        ramp: ms(1_000_000),
        longest_ramp: ms(1_000_000),
        ..paced(at_once, 1.0, spacing, ms(100_000_000))
    }
}

#[test]
fn sessions_begin_at_their_rate_and_end_with_their_length() {
    for spacing in [Spacing::Even, Spacing::Poisson] {
        let outcome = run(&sessions(200, spacing), &mut Frozen { from: Duration::MAX - ms(1000) });
        let begun: u64 = outcome.interactions.iter().map(|one| one.tally(How::Start).requests()).sum();
        let rate = begun as f64 / 100_000.0;
        // Twenty thousand sessions scatter by 0.7 % where nobody knows of the others.
        let most = if spacing == Spacing::Even { 1e-4 } else { 0.03 };
        assert!((rate / 0.2 - 1.0).abs() < most, "{spacing:?}: {rate} a second");
        assert_eq!(outcome.intended, outcome.sent);
        // The first request, and one after each think time that ends within the session.
        let requests = outcome.throughput() / rate;
        assert!((requests / 51.0 - 1.0).abs() < 0.03, "{spacing:?}: {requests} a session");
        let thought = outcome.think_times.mean().as_secs_f64();
        assert!((thought / 2.0 - 1.0).abs() < 0.01, "{spacing:?}: {thought} s");
        // Each user has connections of its own. What is under way at the window's edges belongs to neither side.
        assert!(
            outcome.connections.opened.abs_diff(begun) <= 2,
            "{} for {begun}",
            outcome.connections.opened
        );
    }
}

#[test]
fn sessions_wait_where_no_more_users_may_be_there() {
    // Twenty users would be there.
    let outcome = run(&sessions(10, Spacing::Even), &mut Frozen { from: Duration::MAX - ms(1000) });
    assert!(outcome.intended > outcome.sent, "{} of {}", outcome.sent, outcome.intended);
    assert!(at(&outcome.response(), 0.99) > 1e6, "their response times count from when they were to begin");
}
