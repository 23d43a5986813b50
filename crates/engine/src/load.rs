//! What load is put on a server, and what can be watched while it runs.

use crate::Pace;
use std::{ops::RangeInclusive, time::Duration};

/// A load: users, each of whom thinks, asks, and waits for the answer. They are there all the time, or arrive.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// How many users there are at any time, or arrive at most.
    pub clients: u32,
    /// Mean think time: negative exponential, cut at ten means as in TPC-W.
    pub think_time: Duration,
    /// Mean length of a session: negative exponential.
    pub session_length: Duration,
    /// How long the load runs at least before anything counts. Users make their first requests at uniformly random
    /// instants of the first mean think time (or of the ramp, if that is shorter), so that starting is no more load
    /// than the steady state's upper bound, `clients / think_time`.
    pub ramp: Duration,
    /// How many requests of each client, on average, must have ended before anything counts: users of a server that is
    /// overloaded take so few steps in a ramp that their mix would still be that of sessions' first pages. The window
    /// begins at the first whole second at which the ramp is over and they are reached; seconds are whole, so that
    /// each second of the timeline lies in the window or doesn't.
    pub warm_requests: f64,
    /// The first whole second after this begins the window in any case, if the ramp is over: a server that hardly
    /// answers would never be measured.
    pub longest_ramp: Duration,
    /// How long the load runs while everything counts.
    pub window: Duration,
    /// How long a user waits for an answer, counted from the instant at which the user asks; none for users who never
    /// give up. What they gave up stays with the server, and they think and ask on.
    pub timeout: Option<Duration>,
    /// Whether the next load follows at once, as a step of an overload cycle. When the window is over, users then leave without
    /// waiting for the answers that are still due, so that the server has no time to recover; and a server that turns
    /// clients away is no reason to end the load.
    pub is_step: bool,
    /// How users come one after the other and go; none for users who are there all the time. With it, all of the load
    /// counts from its first instant, whatever the ramp.
    pub arrivals: Option<Arrivals>,
    /// When requests are made that don't wait for one another; none for users who think. With it, [`Load::clients`] is how many
    /// of them can be on their way at once, and nobody thinks.
    pub pace: Option<Pace>,
    /// How long a stretch of the window is, in whole seconds, for a load that takes turns with others: whoever watches holds
    /// the next one back, or lets the clients stand still before it. None if all of the window is one.
    pub stretch: Option<Duration>,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Users who come one after the other, evenly spaced, whether or not the server keeps up: each at an instant that
/// nothing moves, from which the response time of the first request is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrivals {
    /// How long after one user the next one comes. The first comes at once.
    pub every: Duration,
    /// After how many requests a user goes away; none for users who stay until the end.
    pub requests: Option<u32>,
    /// Between which lengths a think time lies, each as likely as any other. It takes the place of
    /// [`Load::think_time`] and its law.
    pub think: RangeInclusive<Duration>,
    /// Whether the first request that gets no answer in time, or none at all, ends the load at once.
    pub ends_unanswered: bool,
}

impl Load {
    /// A request that takes longer than this has failed, unless the load says otherwise.
    pub const TIMEOUT: Duration = Duration::from_secs(10);
    /// When the window is over, users who never give up wait so long for their last answer: whoever never gets one must
    /// not keep the load from ending.
    pub(crate) const LAST_WAIT: Duration = Duration::from_secs(30);

    /// When a user who arrives does so; none for users who are there all the time.
    pub(crate) fn arrival(&self, number: u32) -> Option<Duration> {
        self.arrivals.as_ref().map(|arrivals| arrivals.every * number)
    }

    /// The latest instant for a user's first request.
    pub(crate) fn latest_start(&self) -> Duration {
        self.think_time.min(self.ramp)
    }
}

/// Where a load is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Nothing counts, yet or for a while.
    Ramp,
    /// Everything counts.
    Measure,
    /// No new requests are made; the last answers are awaited.
    Drain,
    /// The clients stand still, and so does the load's clock. Whoever hears of it says by returning that they go on.
    Paused,
}

/// What is seen of a load while it runs: as soon as another phase begins, and at the beginning of each second.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Time since the load began.
    pub elapsed: Duration,
    /// Where it is.
    pub phase: Phase,
    /// When the window began, since the load began; none while nothing counts yet.
    pub window_start: Option<Duration>,
    /// Whether the window, or its next stretch, would have begun if it were not held.
    pub is_ready: bool,
    /// Pages completed since the load began.
    pub completed: u64,
    /// Errors since the load began.
    pub errors: u64,
    /// Pages per second in the last full second.
    pub throughput: f64,
    /// Mean response time of the pages completed in the last full second; none if there were none.
    pub mean_response: Option<Duration>,
    /// Half of them came within this, and 99 % of them within that.
    pub quantiles: Option<(Duration, Duration)>,
    /// By how much the latest request of the last full second was sent too late.
    pub lateness: Duration,
    /// The generator's CPU since the news before, as a share of one core. 0 in virtual time.
    pub cpu: f64,
}
