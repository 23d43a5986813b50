//! The progress of a load from that of its workers.

use engine::{Phase, Progress};
use std::time::Duration;

/// The progress of all workers.
pub(super) struct AllProgress {
    latest: Vec<Option<Progress>>,
    ended: Vec<bool>,
    /// The second and the phase that were returned last.
    returned: Option<(u64, Phase)>,
}

impl AllProgress {
    pub fn new(workers: usize) -> Self {
        Self { latest: vec![None; workers], ended: vec![false; workers], returned: None }
    }

    /// Takes the progress of one worker. Returns that of all if the slowest has reached another second or phase.
    pub fn update(&mut self, worker: usize, progress: Progress) -> Option<Progress> {
        self.latest[worker] = Some(progress);
        let all: Vec<&Progress> = self.latest.iter().flatten().collect();
        if all.len() < self.latest.len() {
            return None;
        }
        let running = all.iter().zip(&self.ended).filter(|(_, has_ended)| !**has_ended);
        let slowest = running.map(|(progress, _)| *progress).min_by_key(|progress| reached(progress))?;
        if self.returned >= Some(reached(slowest)) {
            return None;
        }
        self.returned = Some(reached(slowest));
        let slowest = slowest.clone();
        let all: Vec<Progress> = all.into_iter().cloned().collect();
        let Progress { elapsed, phase, window_start, .. } = slowest;
        Some(Progress { elapsed, phase, window_start, ..Self::sum(&all) })
    }

    /// The sum of all, at the instant of the first.
    pub fn sum(all: &[Progress]) -> Progress {
        let Progress { elapsed, phase, window_start, .. } = all[0];
        let is_ready = all.iter().all(|progress| progress.is_ready);
        let nothing = Progress { elapsed, phase, window_start, is_ready, ..Progress::default() };
        all.iter().fold(nothing, |mut sum, part| {
            sum.add_shard(part);
            sum
        })
    }

    /// The time that the fastest worker has reached.
    pub fn latest(&self) -> Duration {
        self.latest.iter().flatten().map(|progress| progress.elapsed).max().unwrap_or_default()
    }

    /// A worker is over; the others no longer wait for it.
    pub fn end(&mut self, worker: usize) {
        self.ended[worker] = true;
    }

    /// The second of the fastest worker, if the window of each could begin or has begun.
    pub fn ready_since(&self) -> Option<Duration> {
        let ready = |progress: &Progress| progress.is_ready || progress.window_start.is_some();
        let elapsed = self.latest.iter().map(|latest| {
            latest.as_ref().filter(|progress| ready(progress)).map(|progress| progress.elapsed)
        });
        elapsed.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// True if two windows began at different seconds.
    pub fn have_windows_apart(&self) -> bool {
        let mut starts = self.latest.iter().flatten().filter_map(|progress| progress.window_start);
        let first = starts.next();
        starts.any(|start| Some(start) != first)
    }
}

fn reached(progress: &Progress) -> (u64, Phase) {
    (progress.elapsed.as_secs(), progress.phase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(second: u64, completed: u64, is_ready: bool) -> Progress {
        Progress {
            elapsed: Duration::from_secs(second),
            is_ready,
            completed,
            errors: 1,
            throughput: completed as f64,
            mean_response: Some(Duration::from_millis(completed)),
            quantiles: Some((Duration::from_millis(completed), Duration::from_millis(100 - completed))),
            lateness: Duration::from_micros(completed),
            cpu: 0.01 * completed as f64,
            ..Progress::default()
        }
    }

    #[test]
    fn progress_adds_up_when_the_slowest_worker_has_reached_a_second() {
        let mut all = AllProgress::new(2);
        assert_eq!(all.update(0, progress(1, 10, false)), None);
        assert_eq!(all.update(0, progress(2, 10, false)), None);
        let first = all.update(1, progress(1, 30, false)).unwrap();
        assert_eq!((first.elapsed.as_secs(), first.completed, first.errors), (1, 40, 2));
        assert_eq!((first.throughput, first.mean_response), (40.0, Some(Duration::from_millis(25))));
        assert_eq!(first.quantiles, Some((Duration::from_millis(30), Duration::from_millis(90))));
        assert_eq!((first.lateness, first.cpu), (Duration::from_micros(30), 0.3));
        assert_eq!(all.update(1, progress(1, 31, false)), None, "the second is the same");
        assert_eq!(all.update(1, progress(2, 40, false)).unwrap().completed, 50);
        // One that is over counts, and nobody waits for it.
        all.end(0);
        assert_eq!(all.update(1, progress(3, 60, false)).unwrap().completed, 70);
    }

    #[test]
    fn the_window_waits_for_all_workers() {
        let mut all = AllProgress::new(2);
        all.update(0, progress(7, 1, true));
        assert_eq!(all.ready_since(), None);
        all.update(1, progress(6, 1, false));
        assert_eq!(all.ready_since(), None);
        let begun =
            |start| Progress { window_start: Some(Duration::from_secs(start)), ..progress(9, 1, false) };
        all.update(1, begun(8));
        assert_eq!(all.ready_since(), Some(Duration::from_secs(9)));
        assert!(!all.have_windows_apart());
        all.update(0, begun(9));
        assert!(all.have_windows_apart());
    }
}
