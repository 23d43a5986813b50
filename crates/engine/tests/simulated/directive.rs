//! Phases, windows and ends of a load, to the instant, as directives decide.

use crate::{
    shop::{Shop, load},
    simulation::adds_up,
};
use engine::{Directive, Ended, Load, LoadKind, Outcome, Phase, Progress};
use simulation::{Reply, VirtualServer, simulate_until};
use std::{cell::Cell, rc::Rc, time::Duration};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Takes equally long for each page, whatever the load.
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
    fn answer(&mut self, _: &[u8], now: Duration) -> Reply {
        self.requests += 1;
        let body = format!(
            "<a href='Item'>1</a><form action=Buy method=post></form><a href='index.html'>2</a>\
             <data class=acknowledged value={}></data>",
            self.requests
        );
        let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        Reply { at: now.saturating_add(self.takes), response: response.into_bytes() }
    }
}

/// Puts users on a server, and returns the reports as well.
fn run(
    server: &mut Steady,
    load: &Load,
    decide: impl Fn(&Progress) -> Directive,
) -> (Outcome, Vec<Progress>) {
    let mut reports = Vec::new();
    let mut on_progress = |progress: Progress| {
        let directive = decide(&progress);
        reports.push(progress);
        directive
    };
    let outcome = simulate_until(server, &Shop::new().users(), load, &mut on_progress);
    (outcome, reports)
}

fn phases(reports: &[Progress]) -> Vec<Phase> {
    let mut phases: Vec<_> = reports.iter().map(|progress| progress.phase).collect();
    phases.dedup();
    phases
}

#[test]
fn throughput_follows_from_think_and_response_times() {
    let mut server = Steady::new(ms(5));
    let (outcome, reports) = run(&mut server, &load(50, 100, 200_000), |_| Directive::GoOn);
    let expected = 50.0 / (outcome.think_times.mean().as_secs_f64() + 0.005);
    assert!((outcome.throughput() / expected - 1.0).abs() < 0.01, "{} of {expected}", outcome.throughput());
    assert!((450.0..500.0).contains(&outcome.throughput()), "{}", outcome.throughput());
    // One for each second, and one for the end.
    assert_eq!(reports.len(), 1 + 201);
    assert!(reports[2].throughput > 0.0 && reports[2].mean_response == Some(ms(5)), "{:?}", reports[2]);
}

#[test]
fn a_phase_is_reported_before_the_next_second() {
    // Each sends one request in the ramp and then thinks for long: only time can end a phase.
    let load = Load { ramp: ms(500), longest_ramp: ms(500), ..load(2, 60_000, 1300) };
    let (outcome, reports) = run(&mut Steady::new(ms(5)), &load, |_| Directive::GoOn);
    assert_eq!((outcome.window_start, outcome.warm_requests), (ms(1000), 1.0));
    assert_eq!(outcome.accounted, 2 * load.window);
    let reported: Vec<_> =
        reports.iter().map(|progress| (progress.elapsed, progress.phase, progress.window_start)).collect();
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
fn answers_due_at_the_end_are_awaited() {
    let mut server = Steady::new(ms(1000));
    let load = load(10, 0, 1500);
    let (outcome, reports) = run(&mut server, &load, |_| Directive::GoOn);
    // Each user sends requests at 0 and 1 s; the second answer arrives at 2 s, too late to count.
    assert_eq!((outcome.total().completed, server.requests, outcome.total().errors()), (10, 20, 0));
    assert_eq!((outcome.accounted, outcome.ended), (10 * load.window, Ended::Complete));
    assert_eq!(outcome.writes.iter().map(|fates| fates.in_doubt).sum::<u64>(), 0);
    assert_eq!(reports.last().unwrap().phase, Phase::Drain);
}

#[test]
fn a_step_of_an_overload_cycle_ends_without_draining() {
    let mut mute = Steady::new(Duration::MAX);
    let load = Load {
        kind: LoadKind::OverloadStep { clients: 20, think_time_s: 0.1 },
        timeout: None,
        ..load(20, 100, 2000)
    };
    let (outcome, reports) = run(&mut mute, &load, |_| Directive::GoOn);
    assert_eq!((outcome.accounted, outcome.total().requests()), (20 * load.window, 0));
    let end = reports.last().unwrap();
    assert_eq!((end.elapsed, end.phase), (outcome.window_start + load.window, Phase::Drain));
}

#[test]
fn a_directive_ends_the_window_and_due_answers_are_awaited() {
    let mut server = Steady::new(ms(300));
    let decide = |progress: &Progress| match progress.elapsed.as_secs() {
        ..2 => Directive::GoOn,
        _ => Directive::Enough,
    };
    let (outcome, reports) = run(&mut server, &load(10, 0, 600_000), decide);
    assert_eq!((outcome.ended, outcome.window), (Ended::Complete, ms(2000)));
    assert_eq!(outcome.accounted, 10 * outcome.window);
    // Six answers of each user come in the window, and the last one after it.
    assert_eq!((outcome.total().completed, server.requests), (60, 70));
    assert_eq!(outcome.writes.iter().map(|fates| fates.in_doubt).sum::<u64>(), 0);
    assert_eq!(phases(&reports), [Phase::Measure, Phase::Drain]);
}

#[test]
fn a_directive_delays_the_window() {
    let decide = |progress: &Progress| match progress.elapsed.as_secs() {
        ..3 => Directive::NotYet,
        _ => Directive::GoOn,
    };
    let (outcome, _) = run(&mut Steady::new(ms(5)), &load(10, 100, 1000), decide);
    // The directive at 3 s holds for the next whole second.
    assert_eq!((outcome.window_start, outcome.window), (ms(4000), ms(1000)));
}

#[test]
fn clients_pause_between_the_stretches_of_a_window() {
    let mut server = Steady::new(ms(300));
    let load = Load { stretch: Some(ms(2000)), ..load(10, 500, 6000) };
    let mut reports = Vec::new();
    let mut on_progress = |progress: Progress| {
        let before = reports.last().map(|last: &Progress| last.phase);
        let directive = match progress.phase {
            Phase::Ramp if before == Some(Phase::Measure) => Directive::Pause,
            _ => Directive::GoOn,
        };
        reports.push(progress);
        directive
    };
    let outcome = simulate_until(&mut server, &Shop::new().users(), &load, &mut on_progress);
    let paused: Vec<_> = reports.iter().filter(|progress| progress.phase == Phase::Paused).collect();
    assert_eq!(paused.len(), 2, "{reports:?}");
    assert_eq!((outcome.stretches.len(), outcome.window), (3, ms(6000)));
    // The load's clock stands still during a pause. The clients then run for a while before the next stretch.
    let gaps: Vec<_> = outcome.stretches.windows(2).map(|two| two[1].start - two[0].end).collect();
    assert_eq!(gaps, [ms(2000), ms(2000)]);
    assert_eq!(outcome.accounted, 10 * outcome.window);
    adds_up(&outcome);
    assert_eq!((outcome.intended, outcome.ended), (outcome.sent, Ended::Complete));
    let in_stretches: f64 = outcome.stretch_throughputs().iter().map(|throughput| throughput * 2.0).sum();
    assert_eq!(in_stretches.round() as u64, outcome.total().completed);
    let all: u64 = outcome.timeline.iter().map(|second| second.completed).sum();
    assert_eq!(all, server.requests, "due answers are awaited");
}

#[test]
fn a_stretch_is_repeated_as_if_it_had_never_been() {
    let load = Load { stretch: Some(ms(2000)), ..load(10, 500, 20_000) };
    let mut reports: Vec<Progress> = Vec::new();
    let mut pauses = 0;
    let mut on_progress = |progress: Progress| {
        let before = reports.last().map(|last| last.phase);
        let directive = match progress.phase {
            Phase::Ramp if before.is_none() || before == Some(Phase::Measure) => Directive::Pause,
            Phase::Paused => {
                pauses += 1;
                // After the ramp, and after four stretches, of which the second does not count.
                [Directive::GoOn, Directive::GoOn, Directive::Repeat, Directive::GoOn, Directive::Enough]
                    [pauses - 1]
            }
            _ => Directive::GoOn,
        };
        reports.push(progress);
        directive
    };
    let mut server = Steady::new(ms(300));
    let outcome = simulate_until(&mut server, &Shop::new().users(), &load, &mut on_progress);
    assert_eq!((outcome.stretches.len(), outcome.window, outcome.ended), (3, ms(6000), Ended::Complete));
    assert!(outcome.stretches[1].start > outcome.stretches[0].end + ms(4000), "{:?}", outcome.stretches);
    assert_eq!(outcome.accounted, 10 * outcome.window);
    adds_up(&outcome);
    assert_eq!(outcome.intended, outcome.sent);
    let in_stretches: f64 = outcome.stretch_throughputs().iter().map(|throughput| throughput * 2.0).sum();
    assert_eq!(in_stretches.round() as u64, outcome.total().completed);
    let all: u64 = outcome.timeline.iter().map(|second| second.completed).sum();
    assert_eq!(all, server.requests, "the whole load is on its timeline");
}

#[test]
fn no_request_is_under_way_during_a_pause() {
    let load = Load { stretch: Some(ms(1000)), ..load(20, 100, 4000) };
    let mut waiting = Vec::new();
    let mut before = Phase::Ramp;
    let mut on_progress = |progress: Progress| {
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
    let outcome = simulate_until(&mut server, &Shop::new().users(), &load, &mut on_progress);
    assert!(waiting.len() >= 3 && waiting.is_sorted(), "{waiting:?}");
    assert_eq!(outcome.total().errors(), 0);
}

/// One server with a queue. Due requests are answered during a pause, which leaves the server idle.
struct Queue {
    page: Steady,
    service: Duration,
    free_at: Rc<Cell<Duration>>,
}

impl VirtualServer for Queue {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let at = self.free_at.get().max(now) + self.service;
        self.free_at.set(at);
        Reply { at, ..self.page.answer(request, now) }
    }
}

#[test]
fn the_queue_of_a_saturated_server_is_restored_after_a_pause() {
    let free_at = Rc::new(Cell::new(Duration::ZERO));
    let mut server = Queue { page: Steady::new(ms(0)), service: ms(10), free_at: Rc::clone(&free_at) };
    // With 200 clients, 130 of them wait, for 1.3 s each.
    let load = Load { stretch: Some(ms(3000)), ..load(200, 700, 120_000) };
    let (mut before, mut since) = (Phase::Ramp, Duration::ZERO);
    let mut on_progress = |progress: Progress| {
        let comes_from_a_stretch = std::mem::replace(&mut before, progress.phase) == Phase::Measure;
        match progress.phase {
            Phase::Paused => {
                free_at.set(progress.elapsed);
                since = progress.elapsed;
                Directive::GoOn
            }
            Phase::Ramp if comes_from_a_stretch => Directive::Pause,
            Phase::Ramp if progress.elapsed < since + ms(1000) => Directive::NotYet,
            _ => Directive::GoOn,
        }
    };
    let outcome = simulate_until(&mut server, &Shop::new().users(), &load, &mut on_progress);
    assert_eq!(outcome.stretches.len(), 40);
    adds_up(&outcome);
    let think_s = outcome.think_times.mean().as_secs_f64();
    assert!((think_s / 0.7 - 1.0).abs() < 0.025, "users thought for {think_s} s");
    let throughput = outcome.total().completed as f64 / outcome.window.as_secs_f64();
    let clients = throughput * (outcome.response_times.mean().as_secs_f64() + think_s);
    assert!((clients / 200.0 - 1.0).abs() < 0.02, "N = X(R+Z) gives {clients} clients");
}
