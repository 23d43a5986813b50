//! How a load goes on, as whoever watches it says: phases, windows and ends, to the instant.

use crate::shop::{Shop, load};
use engine::{Answer, Directive, Ended, Load, Outcome, Phase, Progress, VirtualServer, simulate_until};
use std::time::Duration;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Takes equally long for every page, whoever else asks.
struct Steady {
    takes: Duration,
    requests: u64,
}

impl Steady {
    fn new(takes: Duration) -> Self {
        Self { takes, requests: 0 }
    }
}

impl VirtualServer for Steady {
    fn answer(&mut self, _: &[u8], now: Duration) -> Answer {
        self.requests += 1;
        let body = format!(
            "<a href='Item'>1</a><form action=Buy method=post></form><a href='index.html'>2</a>\
             <data class=acknowledged value={}></data>",
            self.requests
        );
        let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        Answer { at: now.saturating_add(self.takes), response: response.into_bytes() }
    }
}

/// Puts users on a server, and returns what was reported, too.
fn watched(
    server: &mut Steady,
    load: &Load,
    course: impl Fn(&Progress) -> Directive,
) -> (Outcome, Vec<Progress>) {
    let mut seen = Vec::new();
    let mut watch = |progress: Progress| {
        let said = course(&progress);
        seen.push(progress);
        said
    };
    let outcome = simulate_until(server, &Shop::new().users(), load, &mut watch);
    (outcome, seen)
}

fn phases(seen: &[Progress]) -> Vec<Phase> {
    let mut phases: Vec<_> = seen.iter().map(|progress| progress.phase).collect();
    phases.dedup();
    phases
}

#[test]
fn users_visit_as_often_as_they_think_and_wait() {
    let mut server = Steady::new(ms(5));
    let (outcome, seen) = watched(&mut server, &load(50, 100, 200_000), |_| Directive::GoOn);
    let expected = 50.0 / (outcome.think_times.mean().as_secs_f64() + 0.005);
    assert!((outcome.throughput() / expected - 1.0).abs() < 0.01, "{} of {expected}", outcome.throughput());
    assert!((450.0..500.0).contains(&outcome.throughput()), "{}", outcome.throughput());
    // Each second, and the end.
    assert_eq!(seen.len(), 1 + 201);
    assert!(seen[2].throughput > 0.0 && seen[2].mean_response == Some(ms(5)), "{:?}", seen[2]);
}

#[test]
fn another_phase_is_told_before_the_next_second() {
    // Each asks once in the ramp and then thinks for long: nothing but time itself can end a phase.
    let load = Load { ramp: ms(500), longest_ramp: ms(500), ..load(2, 60_000, 1300) };
    let (outcome, seen) = watched(&mut Steady::new(ms(5)), &load, |_| Directive::GoOn);
    assert_eq!((outcome.window_start, outcome.warm_requests), (ms(1000), 1.0));
    assert_eq!(outcome.accounted, 2 * load.window);
    let reported: Vec<_> =
        seen.iter().map(|progress| (progress.elapsed, progress.phase, progress.window_start)).collect();
    let start = Some(ms(1000));
    assert_eq!(
        reported,
        [
            (ms(0), Phase::Ramp, None),
            (ms(1000), Phase::Measure, start),
            (ms(2000), Phase::Measure, start),
            (ms(2300), Phase::Drain, start)
        ]
    );
}

#[test]
fn answers_that_are_due_at_the_end_are_awaited() {
    let mut server = Steady::new(ms(1000));
    let load = load(10, 0, 1500);
    let (outcome, seen) = watched(&mut server, &load, |_| Directive::GoOn);
    // Each user asks at 0 and at 1 s; the second answer is there at 2 s, too late to count.
    assert_eq!((outcome.total().completed, server.requests, outcome.total().errors()), (10, 20, 0));
    assert_eq!((outcome.accounted, outcome.ended), (10 * load.window, Ended::Complete));
    assert_eq!(outcome.writes.iter().map(|fates| fates.in_doubt).sum::<u64>(), 0);
    assert_eq!(seen.last().unwrap().phase, Phase::Drain);
}

#[test]
fn a_step_of_a_sweep_waits_for_nobody_in_the_end() {
    let mut mute = Steady::new(Duration::MAX);
    let load = Load { is_step: true, timeout: None, ..load(20, 100, 2000) };
    let (outcome, seen) = watched(&mut mute, &load, |_| Directive::GoOn);
    assert_eq!((outcome.accounted, outcome.total().requests()), (20 * load.window, 0));
    let end = seen.last().unwrap();
    assert_eq!((end.elapsed, end.phase), (outcome.window_start + load.window, Phase::Drain));
}

#[test]
fn whoever_watches_may_end_the_window_and_what_is_due_is_still_awaited() {
    let mut server = Steady::new(ms(300));
    let course = |progress: &Progress| match progress.elapsed.as_secs() {
        ..2 => Directive::GoOn,
        _ => Directive::Enough,
    };
    let (outcome, seen) = watched(&mut server, &load(10, 0, 600_000), course);
    assert_eq!((outcome.ended, outcome.window), (Ended::Complete, ms(2000)));
    assert_eq!(outcome.accounted, 10 * outcome.window);
    // Six answers of each user come in the window, and the last one after it.
    assert_eq!((outcome.total().completed, server.requests), (60, 70));
    assert_eq!(outcome.writes.iter().map(|fates| fates.in_doubt).sum::<u64>(), 0);
    assert_eq!(phases(&seen), [Phase::Measure, Phase::Drain]);
}

#[test]
fn whoever_watches_may_keep_the_window_from_beginning() {
    let course = |progress: &Progress| match progress.elapsed.as_secs() {
        ..3 => Directive::NotYet,
        _ => Directive::GoOn,
    };
    let (outcome, _) = watched(&mut Steady::new(ms(5)), &load(10, 100, 1000), course);
    // What is said at 3 s holds for the next whole second.
    assert_eq!((outcome.window_start, outcome.window), (ms(4000), ms(1000)));
}

#[test]
fn clients_stand_still_between_the_stretches_of_a_window() {
    let mut server = Steady::new(ms(300));
    let load = Load { stretch: Some(ms(2000)), ..load(10, 500, 6000) };
    let mut seen = Vec::new();
    let mut watch = |progress: Progress| {
        let before = seen.last().map(|last: &Progress| last.phase);
        let course = match progress.phase {
            Phase::Ramp if before == Some(Phase::Measure) => Directive::Pause,
            _ => Directive::GoOn,
        };
        seen.push(progress);
        course
    };
    let outcome = simulate_until(&mut server, &Shop::new().users(), &load, &mut watch);
    let paused: Vec<_> = seen.iter().filter(|progress| progress.phase == Phase::Paused).collect();
    assert_eq!(paused.len(), 2, "{seen:?}");
    assert_eq!((outcome.stretches.len(), outcome.window), (3, ms(6000)));
    // The load's clock stood still meanwhile, and then the clients are at work for a while before it counts.
    let gaps: Vec<_> = outcome.stretches.windows(2).map(|two| two[1].start - two[0].end).collect();
    assert_eq!(gaps, [ms(2000), ms(2000)]);
    assert_eq!(outcome.accounted, 10 * outcome.window);
    assert_eq!((outcome.intended, outcome.ended), (outcome.sent, Ended::Complete));
    let in_stretches: f64 = outcome.stretch_throughputs().iter().map(|throughput| throughput * 2.0).sum();
    assert_eq!(in_stretches.round() as u64, outcome.total().completed);
    let all: u64 = outcome.timeline.iter().map(|second| second.completed).sum();
    assert_eq!(all, server.requests, "answers that were due are awaited");
}

#[test]
fn nobody_waits_while_the_clients_stand_still() {
    let load = Load { stretch: Some(ms(1000)), ..load(20, 100, 4000) };
    let mut waiting = Vec::new();
    let mut before = Phase::Ramp;
    let mut watch = |progress: Progress| {
        if progress.phase == Phase::Paused {
            waiting.push(progress.completed);
        }
        let comes_from_a_stretch = std::mem::replace(&mut before, progress.phase) == Phase::Measure;
        match progress.phase {
            Phase::Ramp if comes_from_a_stretch => Directive::Pause,
            _ => Directive::GoOn,
        }
    };
    let mut server = Steady::new(ms(700));
    let outcome = simulate_until(&mut server, &Shop::new().users(), &load, &mut watch);
    assert!(waiting.len() >= 3 && waiting.is_sorted(), "{waiting:?}");
    assert_eq!(outcome.total().errors(), 0);
}
