//! The measured window. Its begin is determined while the load runs; its end follows from that.

use crate::{Load, Phase};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// The measured part of a load: one stretch, or several if the load takes turns with others. [`Window::reach`] sets its
/// time, before anything else at that instant.
#[derive(Debug)]
pub(crate) struct Window {
    ramp: Duration,
    longest_ramp: Duration,
    /// Requests that must have ended before it begins.
    needed: u64,
    /// Length of all stretches together.
    length: Duration,
    /// Length of one of several stretches.
    stretch: Option<Duration>,
    /// True if a directive holds it back.
    is_held: bool,
    /// True if the next stretch would begin if it were not held.
    is_ready: bool,
    /// The stretches in order. The last may still run.
    stretches: Vec<Stretch>,
    /// True if the last stretch still runs.
    is_running: bool,
    /// Requests that had ended before the first stretch.
    requests_before: u64,
    /// End of the last stretch; [`Duration::MAX`] before the last stretch has begun.
    end: Duration,
    /// The whole second at which the next stretch may begin; [`Duration::MAX`] once the last has begun.
    next_begin: Duration,
}

/// A part of the window without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Since the load began.
    pub start: Duration,
    pub end: Duration,
}

impl Stretch {
    pub fn length(&self) -> Duration {
        self.end - self.start
    }

    fn contains(&self, at: Duration) -> bool {
        self.start <= at && at < self.end
    }
}

impl Window {
    pub fn new(load: &Load) -> Self {
        let warms = load.kind.behaviour().arrivals.is_none();
        let ramp = |length: Duration| if warms { length } else { Duration::ZERO };
        let mut window = Self {
            ramp: ramp(load.ramp),
            longest_ramp: ramp(load.longest_ramp),
            needed: (load.warm_requests * f64::from(load.own_clients())).ceil() as u64,
            length: load.window,
            stretch: load.stretch,
            is_held: false,
            is_ready: false,
            stretches: Vec::with_capacity(1),
            is_running: false,
            requests_before: 0,
            end: Duration::MAX,
            next_begin: Duration::ZERO,
        };
        window.reach(Duration::ZERO, 0);
        window
    }

    /// Sets the time; `requests` have ended before.
    pub fn reach(&mut self, now: Duration, requests: u64) {
        while self.next_begin <= now {
            let at = self.next_begin;
            self.next_begin += SECOND;
            let is_warm = at >= self.ramp && (requests >= self.needed || at >= self.longest_ramp);
            self.is_ready = is_warm || !self.stretches.is_empty();
            if self.is_ready && !self.is_held {
                self.begin(at, requests);
            }
        }
        self.is_running &= self.stretches.last().is_some_and(|last| now < last.end);
    }

    fn begin(&mut self, at: Duration, requests: u64) {
        if self.stretches.is_empty() {
            self.requests_before = requests;
        }
        let left = self.length - self.length();
        let length = self.stretch.map_or(left, |length| length.min(left));
        let stretch = Stretch { start: at, end: at + length };
        self.stretches.push(stretch);
        (self.is_running, self.is_ready) = (true, false);
        (self.end, self.next_begin) = match length == left {
            true => (stretch.end, Duration::MAX),
            false => (Duration::MAX, next_second(stretch.end)),
        };
    }

    /// Forgets the last stretch, which is over, so that another takes its place. Returns whether there was one.
    pub fn forget(&mut self) -> bool {
        let has_more = !self.is_running && self.end == Duration::MAX;
        has_more && self.stretches.pop().is_some()
    }

    /// Holds back the next stretch, or releases it. A stretch that has begun goes on.
    pub fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Ends the load now. Returns whether that cuts the window short.
    pub fn stop(&mut self, now: Duration, requests: u64) -> bool {
        let is_cut = now < self.end;
        if is_cut {
            match self.stretches.last_mut() {
                Some(last) => last.end = last.end.min(now),
                None => {
                    self.requests_before = requests;
                    self.stretches.push(Stretch { start: now, end: now });
                }
            }
            self.end = now;
            self.next_begin = Duration::MAX;
        }
        is_cut
    }

    /// Begin of the first stretch; none before.
    pub fn start(&self) -> Option<Duration> {
        self.stretches.first().map(|first| first.start)
    }

    /// End of the last stretch; [`Duration::MAX`] before it has begun.
    pub fn end(&self) -> Duration {
        self.end
    }

    /// Length of all stretches that have begun: in the end as planned, or less if the load was stopped.
    pub fn length(&self) -> Duration {
        self.stretches.iter().map(Stretch::length).sum()
    }

    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// Requests that had ended before it began.
    pub fn requests_before(&self) -> u64 {
        self.requests_before
    }

    pub fn contains(&self, at: Duration) -> bool {
        self.stretches.iter().rev().any(|stretch| stretch.contains(at))
    }

    /// The part of the time between two instants that lies in the window.
    pub fn share(&self, from: Duration, until: Duration) -> Duration {
        self.share_of_first(self.stretches.len(), from, until)
    }

    /// The part of this time that lies in so many stretches, the first ones.
    pub fn share_of_first(&self, stretches: usize, from: Duration, until: Duration) -> Duration {
        let common = |stretch: &Stretch| until.min(stretch.end).saturating_sub(from.max(stretch.start));
        self.stretches[..stretches].iter().map(common).sum()
    }

    pub fn phase(&self, now: Duration) -> Phase {
        match self.stretches.last() {
            Some(last) if now < last.end => Phase::Measure,
            Some(_) if now >= self.end => Phase::Drain,
            _ => Phase::Ramp,
        }
    }

    /// The instant at which a phase ends or may end; [`Duration::MAX`] if it never does.
    pub fn end_of(&self, phase: Phase) -> Duration {
        match (phase, self.stretches.last()) {
            (Phase::Ramp, Some(last)) if self.is_running => last.start,
            (Phase::Ramp, Some(last)) if self.next_begin == Duration::MAX => last.end,
            (Phase::Ramp, _) => self.next_begin,
            (Phase::Measure, Some(last)) => last.end,
            _ => Duration::MAX,
        }
    }
}

/// The first whole second after an instant. Even if a stretch ends on a whole second, its end is reported before the
/// next one begins.
fn next_second(at: Duration) -> Duration {
    SECOND * (at.as_secs() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn window(ramp: u64, longest_ramp: u64, warm_requests: f64) -> Window {
        Window::new(&Load {
            session_length: ms(900_000),
            ramp: ms(ramp),
            warm_requests,
            longest_ramp: ms(longest_ramp),
            window: ms(2500),
            ..Load::new(workload::LoadKind::closed(10, ms(1000)))
        })
    }

    #[test]
    fn without_a_ramp_the_window_begins_at_once() {
        let window = window(0, 0, 0.0);
        assert_eq!((window.start(), window.end(), window.length()), (Some(ms(0)), ms(2500), ms(2500)));
        assert_eq!((window.phase(ms(2499)), window.phase(ms(2500))), (Phase::Measure, Phase::Drain));
    }

    #[test]
    fn the_window_begins_at_a_whole_second_after_ramp_and_warm_requests() {
        let mut window = window(1500, 60_000, 10.0);
        window.reach(ms(1900), 100);
        assert_eq!((window.start(), window.end_of(Phase::Ramp)), (None, ms(2000)));
        assert!(!window.contains(ms(1900)) && window.share(ms(0), ms(1900)).is_zero());
        window.reach(ms(2001), 99);
        assert_eq!((window.start(), window.end_of(Phase::Ramp)), (None, ms(3000)), "a request is missing");
        window.reach(ms(4600), 100);
        assert_eq!((window.start(), window.end()), (Some(ms(3000)), ms(5500)), "nothing happened at 3 s");
        let ends = [Phase::Ramp, Phase::Measure, Phase::Drain].map(|phase| window.end_of(phase));
        assert_eq!(ends, [ms(3000), ms(5500), Duration::MAX]);
        assert_eq!(window.share(ms(2000), ms(3100)), ms(100));
        assert_eq!(window.share(ms(5400), ms(9000)), ms(100));
        window.reach(ms(5000), 500);
        assert_eq!((window.start(), window.requests_before()), (Some(ms(3000)), 100));
    }

    #[test]
    fn the_wait_for_warm_requests_is_bounded_by_the_longest_ramp() {
        let mut slow = window(1000, 2500, 10.0);
        slow.reach(ms(9000), 3);
        assert_eq!((slow.start(), slow.requests_before()), (Some(ms(3000)), 3));
        let mut odd = window(2000, 1000, 10.0);
        odd.reach(ms(9000), 3);
        assert_eq!(odd.start(), Some(ms(2000)));
    }

    #[test]
    fn a_held_window_waits_and_a_begun_one_goes_on() {
        let mut window = window(1000, 2500, 10.0);
        window.hold(true);
        window.reach(ms(7400), 500);
        assert_eq!((window.start(), window.end_of(Phase::Ramp)), (None, ms(8000)));
        window.hold(false);
        window.reach(ms(8000), 501);
        assert_eq!((window.start(), window.requests_before()), (Some(ms(8000)), 501));
        window.hold(true);
        window.reach(ms(9000), 600);
        assert_eq!((window.start(), window.end()), (Some(ms(8000)), ms(10_500)));
    }

    #[test]
    fn stretches_follow_each_other_until_the_window_is_complete() {
        let mut window = Window { stretch: Some(ms(2000)), length: ms(5000), ..window(1000, 1000, 0.0) };
        window.reach(ms(1000), 7);
        assert_eq!(
            (window.start(), window.end(), window.end_of(Phase::Ramp)),
            (Some(ms(1000)), Duration::MAX, ms(1000))
        );
        window.hold(true);
        window.reach(ms(3100), 50);
        assert_eq!((window.phase(ms(3100)), window.end_of(Phase::Ramp)), (Phase::Ramp, ms(4000)));
        window.reach(ms(5000), 50);
        assert!(window.is_ready() && window.phase(ms(5000)) == Phase::Ramp);
        window.hold(false);
        window.reach(ms(6000), 60);
        window.hold(true);
        window.reach(ms(9000), 65);
        window.hold(false);
        window.reach(ms(10_000), 70);
        let stretch = |start, end| Stretch { start: ms(start), end: ms(end) };
        assert_eq!(window.stretches(), [stretch(1000, 3000), stretch(6000, 8000), stretch(10_000, 11_000)]);
        assert_eq!((window.length(), window.end(), window.requests_before()), (ms(5000), ms(11_000), 7));
        assert_eq!(window.phase(ms(11_000)), Phase::Drain);
        assert_eq!(
            [2999, 3000, 5999, 6000, 10_999, 11_000].map(|at| window.contains(ms(at))),
            [true, false, false, true, true, false]
        );
        assert_eq!(window.share(ms(2500), ms(10_500)), ms(500 + 2000 + 500));
    }

    #[test]
    fn another_stretch_takes_the_place_of_a_forgotten_one() {
        let mut window = Window { stretch: Some(ms(2000)), length: ms(4000), ..window(1000, 1000, 0.0) };
        assert!(!window.forget(), "none has begun");
        window.reach(ms(1000), 7);
        assert!(!window.forget(), "it still runs");
        window.hold(true);
        window.reach(ms(3100), 50);
        assert!(window.forget() && window.start().is_none() && window.phase(ms(3100)) == Phase::Ramp);
        window.hold(false);
        for second in [4, 7] {
            window.reach(ms(1000 * second), 60);
        }
        let stretch = |start, end| Stretch { start: ms(start), end: ms(end) };
        assert_eq!(window.stretches(), [stretch(4000, 6000), stretch(7000, 9000)]);
        window.reach(ms(9000), 90);
        assert_eq!((window.length(), window.end(), window.requests_before()), (ms(4000), ms(9000), 60));
        assert!(!window.forget(), "the window is complete");
    }

    #[test]
    fn stopping_cuts_the_window() {
        let mut warming = window(1000, 1000, 0.0);
        assert!(warming.stop(ms(400), 7));
        assert_eq!((warming.start(), warming.length()), (Some(ms(400)), ms(0)));
        assert_eq!((warming.requests_before(), warming.phase(ms(400))), (7, Phase::Drain));
        let mut measuring = window(1000, 1000, 0.0);
        measuring.reach(ms(1000), 0);
        assert!(measuring.stop(ms(1400), 7));
        assert_eq!((measuring.start(), measuring.length()), (Some(ms(1000)), ms(400)));
        let mut draining = window(0, 0, 0.0);
        assert!(!draining.stop(ms(2600), 7));
        assert_eq!(draining.length(), ms(2500));
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_length_of_the_window(
            ramp in 0..3000_u64,
            more in 0..3000_u64,
            warm_requests in 0.0..2.0_f64,
            cycles in prop::collection::vec(1..2000_u64, 1..60),
        ) {
            let mut window = window(ramp, ramp + more, warm_requests);
            let (mut now, mut shares) = (Duration::ZERO, Duration::ZERO);
            for (requests, length) in cycles.iter().enumerate() {
                let from = now;
                now += ms(*length);
                window.reach(now, requests as u64);
                shares += window.share(from, now);
            }
            let due = window.start().map_or(Duration::ZERO, |start| now.min(window.end()) - start);
            prop_assert_eq!(shares, due);
            prop_assert!(window.start().is_none_or(|start| start.subsec_nanos() == 0 && start >= ms(ramp)));
        }
    }
}
