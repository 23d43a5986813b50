//! Watches a site while clients are at work: that it lives, and what it uses.

use crate::start::{
    RunContext,
    load_run::use_in_rounds,
    system::{Sampler, System},
};
use engine::{Phase, Progress};
use results::Sample;
use stack::Sampled;
use stats::HostUse;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// The samples of a site until a load was over.
pub(crate) struct MonitorLog {
    sampler: Box<dyn Sampler>,
    samples: Vec<Sample>,
}

impl MonitorLog {
    /// The figures, by the number of interactions that completed. The site must still run.
    pub(crate) fn watched(self, completed: u64) -> Watched {
        Watched { sampled: self.sampler.finish(completed), samples: self.samples }
    }
}

pub(crate) struct Watched {
    /// Over the window; nothing if the load ended before its window.
    pub sampled: Option<Sampled>,
    /// Second by second, since the load began.
    pub samples: Vec<Sample>,
}

/// News of a load, for its monitor.
pub(crate) enum News {
    /// It has reached a phase or a second.
    Reached { phase: Phase, elapsed: Duration },
    /// Its last stretch does not count.
    Repeat,
}

impl From<&Progress> for News {
    fn from(progress: &Progress) -> Self {
        Self::Reached { phase: progress.phase, elapsed: progress.elapsed }
    }
}

/// The interval at which the monitor checks whether the load must end early.
const LOOK: Duration = Duration::from_millis(50);
const SECOND: Duration = Duration::from_secs(1);
/// The delay of a sample after a whole second. Windows begin at whole seconds, and news of it should come first:
/// else there would be two samples at once.
const GRACE: Duration = Duration::from_millis(20);

/// Samples a site each second and at the window's ends.
pub(crate) struct SiteMonitor<'a> {
    site: &'a System<'a>,
    sampler: Box<dyn Sampler>,
    began: Instant,
    phase: Phase,
    /// Instant at which the next sample is due, since the load began.
    next: Duration,
    samples: Vec<Sample>,
    sender: Sender<ConnectionsSample>,
    /// Takes what others used of the machine in each stretch that has ended, if somebody asks.
    foreign: Option<Sender<HostUse>>,
}

/// The connections in a stretch of time.
pub(crate) struct ConnectionsSample {
    /// Its begin, since the load began.
    pub(crate) from: Duration,
    pub(crate) length: Duration,
    /// Connections that stores had; 0 where none is asked.
    pub(crate) connections: f64,
}

impl<'a> SiteMonitor<'a> {
    /// Waits for the load to begin, as in a pause: on a busy machine that may take seconds. The receiver gets the number of
    /// connections with each sample.
    pub(crate) fn begin(site: &'a System<'a>) -> (Self, Receiver<ConnectionsSample>) {
        let (phase, next) = (Phase::Paused, SECOND + GRACE);
        let sampler = site.sampler();
        let (sender, seen) = mpsc::channel();
        (
            Self {
                site,
                sampler,
                began: Instant::now(),
                phase,
                next,
                samples: Vec::new(),
                sender,
                foreign: None,
            },
            seen,
        )
    }

    /// Use of the machine by others in each stretch, as soon as it has ended.
    pub(crate) fn foreign_use(&mut self) -> Receiver<HostUse> {
        let (sender, foreign) = mpsc::channel();
        self.foreign = Some(sender);
        foreign
    }

    /// Watches until there is no more news. Sets `halt` as soon as a service has ended or somebody has asked for the
    /// end.
    pub(crate) fn watch(
        mut self,
        context: &RunContext<'_>,
        halt: &AtomicBool,
        news: &Receiver<News>,
    ) -> MonitorLog {
        loop {
            if self.phase == Phase::Paused {
                // The site whose turn it is must not be disturbed.
                let Ok(news) = news.recv() else { break };
                self.on_progress(&news);
            }
            let due = self.next.saturating_sub(self.began.elapsed());
            match news.recv_timeout(due.min(LOOK)) {
                Ok(news) => self.on_progress(&news),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.tick();
            if context.check_stop().is_err() || self.site.check_alive().is_err() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        self.end()
    }

    /// The log, after the last news.
    pub(crate) fn end(self) -> MonitorLog {
        MonitorLog { sampler: self.sampler, samples: self.samples }
    }

    /// Takes a sample where the window begins and ends.
    pub(crate) fn on_progress(&mut self, news: &News) {
        let News::Reached { phase, elapsed } = *news else {
            self.sampler.forget_stretch();
            return;
        };
        if let Some(began) = Instant::now().checked_sub(elapsed) {
            self.began = began;
        }
        if phase == self.phase {
            return;
        }
        match (std::mem::replace(&mut self.phase, phase), phase) {
            (_, Phase::Measure) => self.take(|sampler, at| sampler.open_window(at)),
            (Phase::Measure, _) => {
                self.take(|sampler, at| sampler.close_window(at));
                self.tell_foreign_use();
            }
            (Phase::Paused, _) => self.sampler.skip(),
            _ => {}
        }
    }

    fn tell_foreign_use(&self) {
        if let (Some(foreign), Some((host, hosts))) = (&self.foreign, self.sampler.last_stretch()) {
            // Who asked may have had enough.
            let _ = foreign.send(use_in_rounds(&host, &hosts));
        }
    }

    fn tick(&mut self) {
        if self.began.elapsed() >= self.next {
            self.take(|sampler, at| sampler.tick(at));
        }
    }

    fn take(&mut self, sample: fn(&mut dyn Sampler, Duration) -> Sample) {
        let at = self.began.elapsed();
        let sample = sample(&mut *self.sampler, at);
        let length = Duration::from_secs_f64(sample.length_s);
        // The receiver may be gone, once it has seen connections settle.
        let _ = self.sender.send(ConnectionsSample {
            from: at.saturating_sub(length),
            length,
            connections: self.sampler.store_connections(),
        });
        self.samples.push(sample);
        self.next = SECOND * (at.as_secs() as u32 + 1) + GRACE;
    }
}
