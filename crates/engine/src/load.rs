//! The load on a server, and the progress that is reported while it runs.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use workload::LoadKind;

/// A load on a server, by users who think, send a request, and wait for the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Arrival, thinking and number of the users.
    pub kind: LoadKind,
    /// Mean length of a session: negative exponential.
    pub session_length: Duration,
    /// Shortest time before the window. Users make their first requests at uniformly random instants of the first mean
    /// think time (or of the ramp, if that is shorter). The ramp thus never exceeds the upper bound of the steady state,
    /// `clients / think_time`.
    pub ramp: Duration,
    /// Mean requests of each client that must have ended before the window begins. Users of an overloaded server make so
    /// few requests in a ramp that their mix would still be that of a session's first pages. The window begins at the first
    /// whole second after the ramp at which this number is reached. It thus consists of whole seconds of the timeline.
    pub warm_requests: f64,
    /// Longest time before the window, up to a whole second: a server that hardly answers would never be measured.
    pub longest_ramp: Duration,
    pub window: Duration,
    /// Longest wait for an answer, counted from the request; none for users who never give up. The server gets no notice of
    /// a timeout; the user thinks and goes on.
    pub timeout: Option<Duration>,
    /// Length of a stretch of the window, in whole seconds, for a load that takes turns with others. A directive delays the
    /// next stretch, or pauses the clients before it. None if the window is one stretch.
    pub stretch: Option<Duration>,
    pub seed: u64,
    /// Instant of the run in seconds, which unique texts hold; none where the data are new in each run.
    pub began: Option<i64>,
    /// The clients of this process, if others drive the rest; none if it drives all.
    pub shard: Option<Shard>,
}

/// One of the equal shards of a load that workers divide. Clients, users who arrive, and the instants of an open workload are
/// dealt out in turns, so that each is the same as in the undivided load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 0.
    pub index: u32,
    /// The number of shards: at least one, at most one for each client.
    pub of: u32,
}

impl Progress {
    /// Adds the progress of another shard of the same load. Quantiles, lateness and CPU don't add up: those of the shard where
    /// they are greatest are taken.
    pub fn add_shard(&mut self, shard: &Self) {
        let sum = |progress: &Self| progress.mean_response.unwrap_or_default().mul_f64(progress.throughput);
        let (response, throughput) = (sum(self) + sum(shard), self.throughput + shard.throughput);
        self.mean_response = (throughput > 0.0).then(|| response.div_f64(throughput));
        self.throughput = throughput;
        self.completed += shard.completed;
        self.errors += shard.errors;
        let greatest =
            |one: (Duration, Duration), other: (Duration, Duration)| (one.0.max(other.0), one.1.max(other.1));
        self.quantiles = match (self.quantiles, shard.quantiles) {
            (Some(one), Some(other)) => Some(greatest(one, other)),
            (one, other) => one.or(other),
        };
        self.lateness = self.lateness.max(shard.lateness);
        self.cpu = self.cpu.max(shard.cpu);
    }
}

impl Load {
    /// The default timeout.
    pub const TIMEOUT: Duration = Duration::from_secs(10);
    /// Timeout of the last answers, after the window, of users without a timeout, so that the load ends in any case.
    pub(crate) const DRAIN_LIMIT: Duration = Duration::from_secs(30);

    /// A load of this kind without ramp and window, in sessions of a quarter of an hour.
    pub fn new(kind: LoadKind) -> Self {
        Self {
            kind,
            session_length: Duration::from_secs(900),
            ramp: Duration::ZERO,
            warm_requests: 0.0,
            longest_ramp: Duration::ZERO,
            window: Duration::ZERO,
            timeout: Some(Self::TIMEOUT),
            stretch: None,
            seed: 1,
            began: None,
            shard: None,
        }
    }

    /// The numbers of the clients of this process.
    pub(crate) fn numbers(&self) -> impl ExactSizeIterator<Item = u32> {
        let Shard { index, of } = self.shard.unwrap_or(Shard::WHOLE);
        (index..self.kind.behaviour().clients).step_by(of as usize)
    }

    /// The number of clients of this process.
    pub(crate) fn own_clients(&self) -> u32 {
        self.numbers().len() as u32
    }
}

impl Shard {
    /// All of a load.
    pub(crate) const WHOLE: Self = Self { index: 0, of: 1 };
}

/// The phase of a load, in the order in which they come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Nothing counts: before the window, or between its stretches.
    #[default]
    Ramp,
    Measure,
    /// No new requests are made; the last answers are awaited.
    Drain,
    /// The clients and the load's clock stand still. They go on when the report of this phase returns.
    Paused,
}

/// The state of a running load, reported at the beginning of each phase and of each second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Time since the load began.
    pub elapsed: Duration,
    pub phase: Phase,
    /// Begin of the window since the load began; none before that.
    pub window_start: Option<Duration>,
    /// True if the window, or its next stretch, would have begun if it were not held.
    pub is_ready: bool,
    /// Pages completed since the load began.
    pub completed: u64,
    /// Errors since the load began.
    pub errors: u64,
    /// Pages per second in the last full second.
    pub throughput: f64,
    /// Mean response time of the pages completed in the last full second; none if there were none.
    pub mean_response: Option<Duration>,
    /// Median and 99th percentile of these response times.
    pub quantiles: Option<(Duration, Duration)>,
    /// The greatest lateness of a request in the last full second.
    pub lateness: Duration,
    /// The generator's CPU since the last report, as a share of one core. 0 in virtual time.
    pub cpu: f64,
}
