//! A site in virtual time with throughput and response times predicted by queueing theory. Faults can be planted that
//! verdicts must detect.

use crate::virtual_time::{Reply, VirtualServer};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;
use workload::{Catalogue, Effect, Interaction, Method, exponential};

/// First-come-first-served queues with negative exponential service times. Every page links to every interaction, and
/// the page of a write acknowledges a row.
pub struct QueueServer {
    /// Each request visits all of them, in order.
    stations: Vec<Station>,
    random: ChaCha8Rng,
    keeps_idle: Option<Duration>,
    freeze: (Duration, Duration),
    /// Service times are multiplied by the factor from this instant on.
    change: (Duration, f64),
    /// The share of pages without links.
    dead_ends: f64,
    links: String,
    writes: Vec<String>,
    rows: u64,
}

/// Equal servers with one queue.
struct Station {
    /// The instant at which each server becomes free.
    free_at: Vec<Duration>,
    mean_service: Duration,
}

impl QueueServer {
    /// A site with the catalogue's interactions, served by `servers` servers with one queue.
    pub fn new(catalogue: &Catalogue, servers: usize, mean_service: Duration, seed: u64) -> Self {
        let station = Station { free_at: vec![Duration::ZERO; servers], mean_service };
        Self::with_stations(catalogue, vec![station], seed)
    }

    /// A site of several tiers in series. Each is a single server with its own queue and mean service time.
    pub fn in_series(catalogue: &Catalogue, mean_services: &[Duration], seed: u64) -> Self {
        let station =
            |mean_service: &Duration| Station { free_at: vec![Duration::ZERO], mean_service: *mean_service };
        Self::with_stations(catalogue, mean_services.iter().map(station).collect(), seed)
    }

    fn with_stations(catalogue: &Catalogue, stations: Vec<Station>, seed: u64) -> Self {
        let interactions = catalogue.interactions();
        let writes = interactions.iter().filter(|interaction| interaction.effect == Effect::Write);
        Self {
            stations,
            random: ChaCha8Rng::seed_from_u64(seed),
            keeps_idle: None,
            freeze: (Duration::ZERO, Duration::ZERO),
            change: (Duration::MAX, 1.0),
            dead_ends: 0.0,
            links: interactions.iter().map(link).collect(),
            writes: writes
                .map(|interaction| format!("{} {} ", interaction.method, interaction.path))
                .collect(),
            rows: 0,
        }
    }

    #[must_use]
    pub fn closing_idle_after(mut self, timeout: Duration) -> Self {
        self.keeps_idle = Some(timeout);
        self
    }

    /// Stands still between two instants.
    #[must_use]
    pub fn frozen(mut self, from: Duration, until: Duration) -> Self {
        self.freeze = (from, until);
        self
    }

    /// Multiplies the service times of requests that come after `from`.
    #[must_use]
    pub fn slowing_down(mut self, from: Duration, factor: f64) -> Self {
        self.change = (from, factor);
        self
    }

    /// Omits links and forms from this share of its pages (0 to 1).
    #[must_use]
    pub fn forgetting_links(mut self, share: f64) -> Self {
        self.dead_ends = share;
        self
    }

    /// The instant at which all stations have served a request that comes now. They are visited at once, because a later
    /// request also reaches each station later: a station with several servers is the only one.
    fn serve(&mut self, now: Duration) -> Duration {
        let (change, factor) = self.change;
        let factor = if now >= change { factor } else { 1.0 };
        let Self { stations, random, freeze, .. } = self;
        stations.iter_mut().fold(now, |arrival, station| {
            let service = station.mean_service.mul_f64(factor * exponential(random));
            station.serve(arrival, service, *freeze)
        })
    }

    fn acknowledgement(&mut self, request: &[u8]) -> String {
        if !self.writes.iter().any(|write| request.starts_with(write.as_bytes())) {
            return String::new();
        }
        self.rows += 1;
        format!("<data class=\"acknowledged\" value=\"{}\"></data>", self.rows)
    }

    fn links(&mut self) -> &str {
        // Draws a random number only if the fault is planted, so that other random numbers stay the same.
        let is_dead_end = self.dead_ends > 0.0 && self.random.random_bool(self.dead_ends);
        if is_dead_end { "" } else { &self.links }
    }
}

impl Station {
    /// The end of a request's service. Nothing is served between the two instants of `freeze`.
    fn serve(&mut self, arrival: Duration, service: Duration, freeze: (Duration, Duration)) -> Duration {
        let (from, until) = freeze;
        let server = self.free_at.iter_mut().min().expect("a station has at least one server");
        let start = arrival.max(*server);
        let start = if (from..until).contains(&start) { until } else { start };
        let end = start + service;
        *server = if start < from && end > from { end + (until - from) } else { end };
        *server
    }
}

/// A link or a form that leads to an interaction.
fn link(interaction: &Interaction) -> String {
    match interaction.method {
        Method::Get => format!("<a href=\"{}\">{}</a>\n", interaction.path, interaction.name),
        _ => {
            format!("<form method=\"post\" action=\"{}\">{}</form>\n", interaction.path, fields(interaction))
        }
    }
}

/// The hidden fields of a form that writes.
fn fields(interaction: &Interaction) -> String {
    let parameters = interaction.parameters.iter().filter(|_| interaction.effect == Effect::Write);
    parameters.map(|one| format!("<input type=hidden name=\"{}\" value=1>", one.name)).collect()
}

impl VirtualServer for QueueServer {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let at = self.serve(now);
        let row = self.acknowledgement(request);
        let page = [self.links(), &row].concat();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", page.len());
        Reply { at, response: [head, page].concat().into_bytes() }
    }

    fn keeps_idle(&self) -> Option<Duration> {
        self.keeps_idle
    }
}
