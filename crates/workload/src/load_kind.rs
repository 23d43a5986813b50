//! Kinds of load: how clients come, think and leave. Everything that depends on the kind stands here: its name for people,
//! which checks apply to it, what its clients do, and what a report says of it.

use crate::{Catalogue, exponential};
use rand::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::CheckId;
use std::{fmt, ops::RangeInclusive, time::Duration};

/// A load with its figures. Together with the mix and the times of a run it is all that is needed to drive it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LoadKind {
    /// A constant number of clients, each of whom thinks, sends a request and waits for the answer (a closed workload).
    Closed {
        /// Clients.
        clients: u32,
        /// Mean think time in seconds: negative exponential, truncated at ten means as in TPC-W.
        think_time_s: f64,
    },
    /// A constant number of clients, each of whom sends the next request as soon as the last answer is there.
    NoThink {
        /// Clients, each with a connection of its own.
        clients: u32,
    },
    /// Requests at a rate, whatever the server does (an open workload).
    Rate {
        /// Requests per second.
        per_s: f64,
        /// Spacing of the requests.
        spacing: Spacing,
        /// Requests under way at once, at most; further ones wait, which counts as response time.
        connections: u32,
    },
    /// Sessions that begin at a rate. Their users think, wait for answers, and leave (a partly open workload).
    Sessions {
        /// Sessions that begin per second.
        per_s: f64,
        /// Spacing of the beginnings.
        spacing: Spacing,
        /// Users at once, at most; further ones wait, which counts as response time.
        at_once: u32,
        /// Mean think time in seconds, distributed as in `closed`.
        think_time_s: f64,
    },
    /// Users who arrive one after the other by a load model of the application.
    Arrivals(ArrivalLoad),
    /// A step of an overload cycle: closed clients, after whom the next step follows at once on the same running servers.
    OverloadStep {
        /// Clients.
        clients: u32,
        /// Mean think time in seconds, distributed as in `closed`; 0 if clients do not think.
        think_time_s: f64,
    },
}

/// Users who arrive evenly spaced, whether or not the server keeps up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArrivalLoad {
    /// Name of the load model: `bench1`.
    pub model: String,
    /// Number by which the model knows this load: users who arrive at most, or in each stretch of time.
    pub clients: u32,
    /// Users who arrive in all, at most.
    pub users: u32,
    /// Time between two users, in seconds.
    pub every_s: f64,
    /// Name of the interaction with which each user begins.
    pub start: String,
    /// Requests after which a user leaves; null if users stay until the end.
    pub requests: Option<u32>,
    /// Shortest and longest think time in seconds; think times are uniformly distributed.
    pub think_s: (f64, f64),
    /// True if the first request without an answer in time ends the load.
    pub ends_unanswered: bool,
    /// True if users come again and again for as long as the window was asked for.
    pub again: bool,
}

/// Spacing of the instants of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spacing {
    /// At equal intervals.
    Even,
    /// A Poisson process: as if very many users came independently of each other.
    Poisson,
}

/// The series of a result to which a load's points belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// On a curve over the load: each point had a steady state and servers that were started anew.
    Curve,
    /// In an overload cycle: the servers had borne the steps before.
    OverloadCycle,
    /// Among loads of arrivals, which have no steady state.
    Arrivals,
}

/// Workload model by what a new request waits for (Schroeder, Wierman and Harchol-Balter, "Open Versus Closed: A Cautionary
/// Tale", NSDI 2006).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkloadModel {
    /// No request waits for another.
    Open,
    /// Users come whatever the server does, and wait for their answers while they are there.
    PartlyOpen,
    /// Each request waits for the answer before.
    Closed,
}

/// The behaviour of a load's clients, for the engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Behaviour {
    /// Concurrent users, or those who arrive at most.
    pub clients: u32,
    /// Mean time from an answer to the client's next request. At a rate, the mean time until the turn of the same client.
    pub think_time: Duration,
    /// Rate at which requests or sessions begin; none if the number of users is constant, or if they arrive.
    pub pace: Option<Pace>,
    /// Arrival and departure of users; none if their number is constant. With arrivals, the window begins at once.
    pub arrivals: Option<Arrivals>,
    /// True if users leave at the end of the window without waiting for answers. A server that refuses clients does not
    /// end such a load.
    pub leaves_at_once: bool,
}

/// Requests or sessions that begin each second, whether or not the server keeps up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Requests or sessions per second, above 0.
    pub per_s: f64,
    pub unit: PaceUnit,
    pub spacing: Spacing,
}

/// The unit of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaceUnit {
    /// Single requests: nobody thinks.
    Request,
    /// Sessions of users.
    Session,
}

/// Users who arrive evenly spaced. The response time of the first request counts from the fixed instant of arrival.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrivals {
    /// Time between two users. The first comes at once.
    pub every: Duration,
    /// Requests after which a user leaves; none for users who stay until the end.
    pub requests: Option<u32>,
    /// Bounds of a think time, which is uniformly distributed.
    pub think: RangeInclusive<Duration>,
    /// True if the first request that gets no answer in time, or none at all, ends the load at once.
    pub ends_unanswered: bool,
}

impl LoadKind {
    /// A constant number of clients, who think if the time is above 0.
    pub fn closed(clients: u32, think_time: Duration) -> Self {
        match think_time.as_secs_f64() {
            0.0 => Self::NoThink { clients },
            think_time_s => Self::Closed { clients, think_time_s },
        }
    }

    /// The kind as a word: `closed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Closed { .. } => "closed",
            Self::NoThink { .. } => "no-think",
            Self::Rate { .. } => "rate",
            Self::Sessions { .. } => "sessions",
            Self::Arrivals(_) => "arrivals",
            Self::OverloadStep { .. } => "overload-step",
        }
    }

    /// The same kind of load with another number of clients.
    #[must_use]
    pub fn with_clients(&self, number: u32) -> Self {
        let mut load = self.clone();
        match &mut load {
            Self::Closed { clients, .. } | Self::NoThink { clients } | Self::OverloadStep { clients, .. } => {
                *clients = number;
            }
            Self::Rate { connections, .. } => *connections = number,
            Self::Sessions { at_once, .. } => *at_once = number,
            Self::Arrivals(load) => load.clients = number,
        }
        load
    }

    /// Number of clients by which the load is known; at a rate, the most requests or users at once.
    pub fn clients(&self) -> u32 {
        match self {
            Self::Closed { clients, .. } | Self::NoThink { clients } | Self::OverloadStep { clients, .. } => {
                *clients
            }
            Self::Rate { connections, .. } => *connections,
            Self::Sessions { at_once, .. } => *at_once,
            Self::Arrivals(load) => load.clients,
        }
    }

    /// Mean think time in seconds, 0 if nobody thinks; of arrivals the longest.
    pub fn think_time_s(&self) -> f64 {
        match self {
            Self::Closed { think_time_s, .. }
            | Self::Sessions { think_time_s, .. }
            | Self::OverloadStep { think_time_s, .. } => *think_time_s,
            Self::NoThink { .. } | Self::Rate { .. } => 0.0,
            Self::Arrivals(load) => load.think_s.1,
        }
    }

    /// The same load, of clients who think this long on average if they think at all; of arrivals at most.
    #[must_use]
    pub fn with_think_time(&self, think_time: Duration) -> Self {
        let mut load = self.clone();
        match &mut load {
            Self::Closed { think_time_s, .. }
            | Self::Sessions { think_time_s, .. }
            | Self::OverloadStep { think_time_s, .. } => *think_time_s = think_time.as_secs_f64(),
            Self::Arrivals(load) => load.think_s.1 = think_time.as_secs_f64(),
            Self::NoThink { .. } | Self::Rate { .. } => {}
        }
        load
    }

    pub fn behaviour(&self) -> Behaviour {
        let constant = Behaviour {
            clients: self.clients(),
            think_time: seconds(self.think_time_s()),
            pace: None,
            arrivals: None,
            leaves_at_once: false,
        };
        match *self {
            Self::Closed { .. } | Self::NoThink { .. } => constant,
            Self::OverloadStep { .. } => Behaviour { leaves_at_once: true, ..constant },
            Self::Rate { per_s, spacing, connections } => Behaviour {
                think_time: seconds(f64::from(connections) / per_s),
                pace: Some(Pace { per_s, unit: PaceUnit::Request, spacing }),
                ..constant
            },
            Self::Sessions { per_s, spacing, .. } => {
                Behaviour { pace: Some(Pace { per_s, unit: PaceUnit::Session, spacing }), ..constant }
            }
            Self::Arrivals(ref load) => Behaviour {
                clients: load.users,
                arrivals: Some(Arrivals {
                    every: seconds(load.every_s),
                    requests: load.requests,
                    think: seconds(load.think_s.0)..=seconds(load.think_s.1),
                    ends_unanswered: load.ends_unanswered,
                }),
                leaves_at_once: true,
                ..constant
            },
        }
    }

    /// Checks that mean something for a load of this kind, in their order.
    pub fn applicable_checks(&self) -> impl Iterator<Item = CheckId> {
        CheckId::ALL.into_iter().filter(|check| self.applies(*check))
    }

    fn applies(&self, check: CheckId) -> bool {
        let has_constant_clients =
            matches!(self, Self::Closed { .. } | Self::NoThink { .. } | Self::OverloadStep { .. });
        let arrivals = self.arrivals();
        match check {
            CheckId::ClientTime | CheckId::ResponseTimeLaw | CheckId::WarmUp => has_constant_clients,
            CheckId::ThinkTimesMean | CheckId::ThinkTimesLaw => {
                arrivals.is_none() && self.think_time_s() > 0.0
            }
            // The scatter of shares is only known for users who are present in the whole window.
            CheckId::VisitedMix => has_constant_clients || matches!(self, Self::Rate { .. }),
            CheckId::KeptUp => matches!(self, Self::Rate { .. }),
            // Of users who make few requests and go, failed requests are what is counted.
            CheckId::Errors | CheckId::KeepAliveRaces => arrivals.is_none_or(|load| !load.counts_errors()),
            CheckId::Transitions
            | CheckId::Fallbacks
            | CheckId::SteadyStateMser5
            | CheckId::SteadyStateChange => arrivals.is_none(),
            CheckId::GeneratorCpu
            | CheckId::Lateness
            | CheckId::DroppedSends
            | CheckId::Completed
            | CheckId::Steal
            | CheckId::OtherProcesses
            | CheckId::HostsGotCpu
            | CheckId::HostsUnchanged
            | CheckId::WarmServers
            | CheckId::Audit => true,
        }
    }

    pub fn series(&self) -> Series {
        match self {
            Self::Closed { .. } | Self::NoThink { .. } | Self::Rate { .. } | Self::Sessions { .. } => {
                Series::Curve
            }
            Self::OverloadStep { .. } => Series::OverloadCycle,
            Self::Arrivals(_) => Series::Arrivals,
        }
    }

    /// True if configurations can be compared in rounds at this load: its clients can be paused between two stretches of the
    /// window.
    pub fn takes_turns(&self) -> bool {
        matches!(self, Self::Closed { .. } | Self::NoThink { .. })
    }

    /// Workload model of a load of this kind.
    pub fn workload_model(&self) -> WorkloadModel {
        match self {
            Self::Closed { .. } | Self::NoThink { .. } | Self::OverloadStep { .. } => WorkloadModel::Closed,
            Self::Sessions { .. } => WorkloadModel::PartlyOpen,
            Self::Rate { .. } => WorkloadModel::Open,
            Self::Arrivals(load) if load.requests.is_some() => WorkloadModel::Open,
            Self::Arrivals(_) => WorkloadModel::PartlyOpen,
        }
    }

    /// The mark of this load's points in names of configurations: `rate=500`; none where the
    /// number of clients does.
    pub fn label(&self) -> Option<String> {
        match self {
            Self::Rate { per_s, .. } => Some(format!("rate={per_s}")),
            Self::Sessions { per_s, .. } => Some(format!("sessions={per_s}")),
            Self::Closed { .. } | Self::NoThink { .. } | Self::OverloadStep { .. } | Self::Arrivals(_) => {
                None
            }
        }
    }

    /// Requests of each client, on average, that must have ended before the window begins.
    pub fn warm_requests(&self) -> f64 {
        /// Steps after which a session's first page is forgotten.
        const FORGETTING: f64 = 10.0;
        if self.applies(CheckId::WarmUp) { FORGETTING } else { 0.0 }
    }

    /// The load model by which its users arrive, with its figures; none if they do not.
    pub fn arrivals(&self) -> Option<&ArrivalLoad> {
        match self {
            Self::Arrivals(load) => Some(load),
            _ => None,
        }
    }

    /// Length of its window at most, where `asked` is the length that was asked for and `timeout` how long users wait for an
    /// answer. Arrivals last until all users have come and gone.
    pub fn window(&self, asked: Duration, timeout: Option<Duration>) -> Duration {
        let Some(load) = self.arrivals() else { return asked };
        let every = seconds(load.every_s);
        // The last user goes after an answer or a timeout.
        let last = load.requests.map_or(Duration::ZERO, |_| timeout.unwrap_or_default() + every);
        every * load.users + last
    }

    /// Length of its window on average. Nobody knows when the first user gets no answer in time; where all are answered,
    /// nobody's timeout is used up.
    pub fn expected_window(&self, asked: Duration) -> Duration {
        let window = self.window(asked, None);
        let may_end_early = self.arrivals().is_some_and(|load| load.ends_unanswered);
        if may_end_early { window / 2 } else { window }
    }

    /// The catalogue of users who begin where those of this load do; none if that is where all begin.
    pub fn entering(&self, catalogue: &Catalogue) -> Option<Catalogue> {
        let start = catalogue.by_name(&self.arrivals()?.start)?;
        Some(Catalogue { start, ..catalogue.clone() })
    }

    /// Figure that no load can have, in words; none if all are possible. A manifest holds whatever somebody wrote into it.
    pub fn fault(&self) -> Option<String> {
        let is_length = |value: f64| Duration::try_from_secs_f64(value).is_ok();
        let is_above_zero = |value: f64| value.is_finite() && value > 0.0;
        let wrong = |name: &str, value: f64| Some(format!("`{name}` of a load is {value}"));
        if self.clients() == 0 {
            return wrong("clients", 0.0);
        }
        if !is_length(self.think_time_s()) {
            return wrong("think_time_s", self.think_time_s());
        }
        match self {
            Self::Closed { think_time_s: 0.0, .. } => wrong("think_time_s", 0.0),
            Self::Rate { per_s, .. } | Self::Sessions { per_s, .. } if !is_above_zero(*per_s) => {
                wrong("per_s", *per_s)
            }
            Self::Arrivals(load) if !(is_length(load.every_s) && is_above_zero(load.every_s)) => {
                wrong("every_s", load.every_s)
            }
            Self::Arrivals(load) if !(0.0..=load.think_s.1).contains(&load.think_s.0) => {
                wrong("think_s", load.think_s.0)
            }
            Self::Arrivals(load) if load.users == 0 => wrong("users", 0.0),
            _ => None,
        }
    }
}

/// The load as people read it.
impl fmt::Display for LoadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed { clients, .. } | Self::OverloadStep { clients, .. } => {
                write!(f, "{clients} clients")
            }
            Self::NoThink { clients } => write!(f, "{clients} clients without think times"),
            Self::Rate { per_s, connections, .. } => {
                write!(f, "{per_s}/s over at most {connections} connections")
            }
            Self::Sessions { per_s, at_once, .. } => {
                write!(f, "{per_s} sessions/s, at most {at_once} at once")
            }
            Self::Arrivals(load) => write!(f, "{} arriving clients", load.users),
        }
    }
}

impl ArrivalLoad {
    /// True if failed requests are counted as a figure and cast no doubt on the rest: nobody goes on after one.
    pub fn counts_errors(&self) -> bool {
        self.requests.is_some()
    }
}

impl Behaviour {
    /// True if requests or sessions begin at a rate.
    pub fn is_paced_by(&self, unit: PaceUnit) -> bool {
        self.pace.is_some_and(|pace| pace.unit == unit)
    }

    /// Instant at which a user arrives; none if the number of users is constant.
    pub fn arrival(&self, number: u32) -> Option<Duration> {
        self.arrivals.as_ref().map(|arrivals| arrivals.every * number)
    }
}

impl Pace {
    /// Instant of a request or session in seconds, by its number from 1 and the instant before. An even instant is computed
    /// from its number, so that rounding errors don't add up.
    pub fn instant_s(&self, number: u64, before_s: f64, random: &mut impl Rng) -> f64 {
        match self.spacing {
            Spacing::Even => number as f64 / self.per_s,
            Spacing::Poisson => before_s + exponential(random) / self.per_s,
        }
    }
}

/// Seconds as a length of time; none at all if there is no such length.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn arrivals(requests: Option<u32>) -> LoadKind {
        LoadKind::Arrivals(ArrivalLoad {
            model: "bench".into(),
            clients: 20,
            users: 20,
            every_s: 0.5,
            start: "Home".into(),
            requests,
            think_s: (1.0, 8.0),
            ends_unanswered: requests.is_none(),
            again: false,
        })
    }

    fn rate(per_s: f64) -> LoadKind {
        LoadKind::Rate { per_s, spacing: Spacing::Even, connections: 100 }
    }

    fn sessions() -> LoadKind {
        LoadKind::Sessions { per_s: 2.0, spacing: Spacing::Poisson, at_once: 40, think_time_s: 7.0 }
    }

    fn all() -> Vec<LoadKind> {
        let step = LoadKind::OverloadStep { clients: 50, think_time_s: 7.0 };
        let closed = [7 * SECOND, Duration::ZERO].map(|think_time| LoadKind::closed(10, think_time));
        closed.into_iter().chain([rate(500.0), sessions(), arrivals(None), arrivals(Some(1)), step]).collect()
    }

    #[test]
    fn only_clients_who_are_always_there_are_held_to_the_laws_of_a_closed_workload() {
        for kind in all() {
            let checks: Vec<CheckId> = kind.applicable_checks().collect();
            let is_closed = kind.workload_model() == WorkloadModel::Closed;
            for law in [CheckId::ClientTime, CheckId::ResponseTimeLaw, CheckId::WarmUp] {
                assert_eq!(checks.contains(&law), is_closed, "{kind}: {law}");
            }
            assert_eq!(checks.contains(&CheckId::KeptUp), matches!(kind, LoadKind::Rate { .. }), "{kind}");
            assert_eq!(kind.warm_requests() > 0.0, is_closed, "{kind}");
            let is_steady = kind.series() != Series::Arrivals;
            assert_eq!(checks.contains(&CheckId::SteadyStateChange), is_steady, "{kind}");
            assert!(checks.contains(&CheckId::Lateness) && checks.contains(&CheckId::Audit), "{kind}");
        }
    }

    #[test]
    fn think_times_are_checked_where_clients_think_by_the_exponential_law() {
        let thinking: Vec<LoadKind> = all()
            .into_iter()
            .filter(|kind| kind.applicable_checks().any(|check| check == CheckId::ThinkTimesLaw))
            .collect();
        assert_eq!(thinking, [all()[0].clone(), all()[3].clone(), all()[6].clone()]);
    }

    #[test]
    fn errors_are_a_figure_of_users_who_make_few_requests_and_go() {
        let doubts = |kind: LoadKind| kind.applicable_checks().any(|check| check == CheckId::Errors);
        assert!(doubts(arrivals(None)) && doubts(rate(1.0)) && !doubts(arrivals(Some(1))));
    }

    #[test]
    fn a_load_is_read_as_it_was_written() {
        for kind in all() {
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<LoadKind>(&text).unwrap(), kind, "{text}");
        }
        let text = serde_json::to_string(&rate(500.0)).unwrap();
        assert_eq!(text, r#"{"rate":{"per_s":500.0,"spacing":"even","connections":100}}"#);
    }

    #[test]
    fn arrivals_last_until_all_have_come_and_gone() {
        let window = |kind: LoadKind| kind.window(60 * SECOND, Some(3 * SECOND)).as_secs_f64();
        assert_eq!((window(arrivals(None)), window(arrivals(Some(1)))), (10.0, 13.5));
        assert_eq!(window(rate(1.0)), 60.0);
        let expected = |kind: LoadKind| kind.expected_window(60 * SECOND).as_secs_f64();
        assert_eq!((expected(arrivals(None)), expected(arrivals(Some(1)))), (5.0, 10.5));
    }

    #[test]
    fn another_number_of_clients_changes_nothing_else() {
        for kind in all() {
            let other = kind.with_clients(kind.clients() + 1);
            assert_eq!(other.clients(), kind.clients() + 1);
            assert_eq!(other.with_clients(kind.clients()), kind);
        }
    }

    #[test]
    fn figures_that_no_load_can_have_are_found() {
        assert!(all().iter().all(|kind| kind.fault().is_none()));
        for (kind, fault) in [
            (rate(0.0), "`per_s` of a load is 0"),
            (rate(f64::NAN), "`per_s` of a load is NaN"),
            (sessions().with_clients(0), "`clients` of a load is 0"),
            (LoadKind::Closed { clients: 1, think_time_s: -7.0 }, "`think_time_s` of a load is -7"),
            (LoadKind::Closed { clients: 1, think_time_s: 0.0 }, "`think_time_s` of a load is 0"),
        ] {
            assert_eq!(kind.fault().as_deref(), Some(fault));
        }
    }
}
