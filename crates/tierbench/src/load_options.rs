//! Options that name loads on an external site, and the kinds of load that they are.

use crate::{arguments::some_rate, help::LOAD};
use clap::Args;
use std::time::Duration;
use workload::{LoadKind, Spacing};

/// Requests of a rate that are under way at once, at most, by default.
const REQUESTS_AT_ONCE: u32 = 100;

/// Loads on an external site.
#[derive(Debug, Clone, Args)]
pub(crate) struct LoadOptions {
    /// Drive this many clients
    ///
    /// Each client thinks, sends a request, and waits for the answer. Several numbers are steps.
    ///
    /// Example: --clients 50,100
    #[arg(
        long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..),
        required_unless_present_any = ["rate", "sessions", "resume", "like"], conflicts_with_all = ["rate", "sessions"],
        help_heading = LOAD
    )]
    pub clients: Vec<u32>,
    /// Let each client send the next request without thinking
    ///
    /// Each client is a connection that sends the next request when the last answer arrives.
    ///
    /// Example: --clients 8,16 --no-think
    #[arg(long, conflicts_with_all = ["think_time", "rate", "sessions"], help_heading = LOAD)]
    pub no_think: bool,
    /// Send this many requests a second, whatever the server does
    ///
    /// Requests are sent whether or not the server keeps up (an open workload). Response times count from the instant at
    /// which a request was due. Several numbers are steps.
    ///
    /// Example: --rate 100,200,400
    #[arg(
        long, value_delimiter = ',', conflicts_with_all = ["think_time", "sessions"], value_parser = some_rate,
        help_heading = LOAD
    )]
    pub rate: Vec<f64>,
    /// Begin this many sessions a second, whatever the server does
    ///
    /// Users arrive at this rate, think between requests, and leave when their session is over (a partly open workload).
    /// Several numbers are steps.
    ///
    /// Example: --sessions 2,5
    #[arg(long, value_name = "RATE", value_delimiter = ',', value_parser = some_rate, help_heading = LOAD)]
    pub sessions: Vec<f64>,
    /// Space requests or sessions: poisson or even
    ///
    /// poisson is how independent people arrive; even leaves equal gaps.
    ///
    /// Example: --rate 500 --spacing even
    #[arg(
        long, value_name = "HOW", default_value = "poisson", value_parser = ["poisson", "even"], hide_possible_values = true,
        help_heading = LOAD
    )]
    pub spacing: String,
    /// Allow at most this many requests or users at once
    ///
    /// Others wait, which counts as response time. The default is 100 requests; with --sessions it is more users than ever
    /// come at this rate.
    ///
    /// Example: --rate 500 --connections 1000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = LOAD)]
    pub connections: Option<u32>,
}

impl LoadOptions {
    /// True if any load is named.
    pub(crate) fn is_named(&self) -> bool {
        !(self.clients.is_empty() && self.rate.is_empty() && self.sessions.is_empty())
    }

    /// The loads that are named, for users with these times.
    pub(crate) fn kinds(&self, think_time: Duration, session_length: Duration) -> Vec<LoadKind> {
        let spacing = if self.spacing == "even" { Spacing::Even } else { Spacing::Poisson };
        let think_time = if self.no_think { Duration::ZERO } else { think_time };
        let closed = self.clients.iter().map(|clients| LoadKind::closed(*clients, think_time));
        let rates = self.rate.iter().map(|per_s| LoadKind::Rate {
            per_s: *per_s,
            spacing,
            connections: self.connections.unwrap_or(REQUESTS_AT_ONCE),
        });
        let at_once = |per_s: f64| users_at_once(per_s * session_length.as_secs_f64());
        let sessions = self.sessions.iter().map(|per_s| LoadKind::Sessions {
            per_s: *per_s,
            spacing,
            at_once: self.connections.unwrap_or_else(|| at_once(*per_s)),
            think_time_s: think_time.as_secs_f64(),
        });
        closed.chain(rates).chain(sessions).collect()
    }
}

/// More users than are ever there at once, where `mean` are there on average: their number has a Poisson distribution
/// (M/G/∞), and ten of its standard deviations are not exceeded.
fn users_at_once(mean: f64) -> u32 {
    (mean + 10.0 * mean.sqrt() + 10.0).ceil() as u32
}
