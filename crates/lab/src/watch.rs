//! Watches a site while clients are at work: that it lives, and what it uses.

use crate::Bench;
use engine::Phase;
use results::Sample;
use stack::{Sampled, Sampling, Site};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

/// What was seen of a site.
pub(crate) struct Watched {
    /// Over the window; nothing if the load ended before its time.
    pub sampled: Option<Sampled>,
    /// Second by second, since the load began.
    pub samples: Vec<Sample>,
}

/// How often it is looked whether the load should end early.
const LOOK: Duration = Duration::from_millis(50);
const SECOND: Duration = Duration::from_secs(1);

/// Samples a site each second and at the window's ends, of which `phases` tells. Meanwhile sets `halt` as soon as a
/// service has ended or somebody has asked for the end. Returns when the load is over.
pub(crate) fn watch(
    site: &Site<'_>,
    bench: &Bench<'_>,
    halt: &AtomicBool,
    phases: &Receiver<Phase>,
) -> Watched {
    let mut watcher = Watcher::begin(site);
    loop {
        match phases.recv_timeout(watcher.until_tick().min(LOOK)) {
            Ok(phase) => watcher.enter(phase),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        watcher.tick();
        if bench.check_stop().is_err() || site.check_alive().is_err() {
            halt.store(true, Ordering::Relaxed);
        }
    }
    watcher.finish()
}

struct Watcher {
    began: Instant,
    phase: Phase,
    sampling: Sampling,
    samples: Vec<Sample>,
    /// When the next second is over, since the load began.
    next: Duration,
}

impl Watcher {
    fn begin(site: &Site<'_>) -> Self {
        let sampling = Sampling::begin(site);
        Self { began: Instant::now(), phase: Phase::Ramp, sampling, samples: Vec::new(), next: SECOND }
    }

    fn until_tick(&self) -> Duration {
        self.next.saturating_sub(self.began.elapsed())
    }

    /// Takes a sample if a second is over.
    fn tick(&mut self) {
        let at = self.began.elapsed();
        if at >= self.next {
            self.samples.push(self.sampling.tick(at));
            self.skip(at);
        }
    }

    /// Takes a sample exactly where the window begins and ends.
    fn enter(&mut self, phase: Phase) {
        if phase == self.phase {
            return;
        }
        self.phase = phase;
        let at = self.began.elapsed();
        let sample = match phase {
            Phase::Ramp => return,
            Phase::Measure => self.sampling.open_window(at),
            Phase::Drain => self.sampling.close_window(at),
        };
        self.samples.push(sample);
        self.skip(at);
    }

    fn finish(mut self) -> Watched {
        if self.phase == Phase::Measure {
            self.enter(Phase::Drain);
        }
        Watched { sampled: self.sampling.finish(), samples: self.samples }
    }

    /// The next sample is taken a second after one at this instant.
    fn skip(&mut self, at: Duration) {
        self.next = at + SECOND;
    }
}
