//! Watches a site while clients are at work: that it lives, and what it uses.

use crate::RunContext;
use engine::{Phase, Progress};
use results::Sample;
use stack::{Sampled, Sampling, Site};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// What was seen of a site until a load was over.
pub(crate) struct MonitorLog {
    sampling: Sampling,
    samples: Vec<Sample>,
}

impl MonitorLog {
    /// What it comes to, now that it is known how many interactions were completed. The site must still run.
    pub(crate) fn watched(self, completed: u64) -> Watched {
        Watched { sampled: self.sampling.finish(completed), samples: self.samples }
    }
}

/// What was seen of a site.
pub(crate) struct Watched {
    /// Over the window; nothing if the load ended before its window.
    pub sampled: Option<Sampled>,
    /// Second by second, since the load began.
    pub samples: Vec<Sample>,
}

/// What a watcher hears of a load.
pub(crate) struct News {
    phase: Phase,
    elapsed: Duration,
}

impl From<&Progress> for News {
    fn from(progress: &Progress) -> Self {
        Self { phase: progress.phase, elapsed: progress.elapsed }
    }
}

/// How often it is looked whether the load should end early.
const LOOK: Duration = Duration::from_millis(50);
const SECOND: Duration = Duration::from_secs(1);
/// How long after a whole second a sample is taken. Windows begin at whole seconds, and news of it should come first:
/// else there would be two samples at once.
const GRACE: Duration = Duration::from_millis(20);

/// Samples a site each second and at the window's ends.
pub(crate) struct SiteMonitor<'a> {
    site: &'a Site<'a>,
    sampling: Sampling,
    /// When the load began.
    began: Instant,
    phase: Phase,
    /// When the next sample is due, since the load began.
    next: Duration,
    samples: Vec<Sample>,
    /// Who wants to hear of each sample at once.
    hearer: Sender<ConnectionsSample>,
}

/// What was seen in a stretch of time.
pub(crate) struct ConnectionsSample {
    /// When it began, since the load began.
    pub(crate) from: Duration,
    pub(crate) length: Duration,
    /// Connections that stores had; 0 where none is asked.
    pub(crate) connections: f64,
}

impl<'a> SiteMonitor<'a> {
    /// Begins just before the load does. What it sees can be heard meanwhile.
    pub(crate) fn begin(site: &'a Site<'a>) -> (Self, Receiver<ConnectionsSample>) {
        let (phase, next) = (Phase::Ramp, SECOND + GRACE);
        let sampling = Sampling::begin(site);
        let (hearer, seen) = mpsc::channel();
        (Self { site, sampling, began: Instant::now(), phase, next, samples: Vec::new(), hearer }, seen)
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
                // Whose turn it is must not be disturbed.
                let Ok(news) = news.recv() else { break };
                self.on_sample(&news);
            }
            let due = self.next.saturating_sub(self.began.elapsed());
            match news.recv_timeout(due.min(LOOK)) {
                Ok(news) => self.on_sample(&news),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.tick();
            if context.check_stop().is_err() || self.site.check_alive().is_err() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        MonitorLog { sampling: self.sampling, samples: self.samples }
    }

    /// Takes a sample where the window begins and ends.
    fn on_sample(&mut self, news: &News) {
        if let Some(began) = Instant::now().checked_sub(news.elapsed) {
            self.began = began;
        }
        if news.phase == self.phase {
            return;
        }
        match (std::mem::replace(&mut self.phase, news.phase), news.phase) {
            (Phase::Paused, _) => self.sampling.skip(),
            (_, Phase::Measure) => self.take(Sampling::open_window),
            (Phase::Measure, _) => self.take(Sampling::close_window),
            _ => {}
        }
    }

    fn tick(&mut self) {
        if self.began.elapsed() >= self.next {
            self.take(Sampling::tick);
        }
    }

    fn take(&mut self, sample: fn(&mut Sampling, Duration) -> Sample) {
        let at = self.began.elapsed();
        let sample = sample(&mut self.sampling, at);
        let length = Duration::from_secs_f64(sample.length_s);
        // Whoever listened may have heard enough.
        let _ = self.hearer.send(ConnectionsSample {
            from: at.saturating_sub(length),
            length,
            connections: self.sampling.store_connections(),
        });
        self.samples.push(sample);
        self.next = SECOND * (at.as_secs() as u32 + 1) + GRACE;
    }
}
