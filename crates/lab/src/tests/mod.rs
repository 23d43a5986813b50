//! Tests of the laboratory as a whole. They stand inside the crate because they replace its system under test, which has no
//! other use outside.
//!
//! Points are made and judged as in a run, of loads that are driven in virtual time: faultless ones must be VALID, and those
//! with a fault INVALID for it.

mod busy;
mod coverage;
mod false_alarms;
mod faults;
mod laboratory;
mod layers;
mod overload_cycle;
mod power;
mod system;

use crate::{
    plan::Timing,
    point::{Identity, Measured, point},
    workspace::Timeout,
};
use engine::{Account, Load, Outcome, Users};
use results::{Audit, CheckId, HostFigures, HostSample, Point, Purpose};
use settings::Document;
use simulation::{GeneratorFaults, QueueServer, VirtualServer};
use std::time::Duration;
use workload::{Catalogue, LoadKind, Mix};

pub(crate) struct Auction {
    pub catalogue: Catalogue,
    pub mix: Mix,
}

fn account(number: u64) -> Account {
    Account { nickname: format!("user{number}"), password: format!("password{number}") }
}

impl Auction {
    pub fn new(mix: &str) -> Self {
        let text = match mix {
            "browsing" => include_str!("../../../../apps/auction/mixes/browsing.toml"),
            _ => include_str!("../../../../apps/auction/mixes/bidding.toml"),
        };
        Self::of(text.to_owned())
    }

    /// The bidding mix with other probabilities.
    fn biased(changes: &[(&str, &str)]) -> Self {
        let text = include_str!("../../../../apps/auction/mixes/bidding.toml");
        // Its declared share need not hold any more.
        let text = text.replace("read_write", "# read_write");
        Self::of(changes.iter().fold(text, |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        }))
    }

    fn of(mix: String) -> Self {
        let catalogue = include_str!("../../../../apps/auction/app.toml");
        let catalogue = Catalogue::parse(&Document::new("app.toml", catalogue.to_owned())).unwrap();
        let mix = Mix::parse(&Document::new("mix.toml", mix), &catalogue).unwrap();
        Self { catalogue, mix }
    }

    fn users(&self) -> Users<'_> {
        Users {
            catalogue: &self.catalogue,
            mix: &self.mix,
            accounts: 10_000,
            account: &account,
            habits: &workload::PlainHabits,
        }
    }
}

/// A load on a site with a single server that is busy for 1/`crowd` of a think time with each request: more clients
/// than `crowd` are too many for it.
#[derive(Debug, Clone, Copy)]
struct Trial {
    think_time: Duration,
    window: Duration,
    crowd: f64,
    clients: u32,
    seed: u64,
}

impl Trial {
    /// Users who think so many seconds, and a window of so many.
    fn new(think_s: f64, window_s: u64) -> Self {
        let think_time = Duration::from_secs_f64(think_s);
        Self { think_time, window: Duration::from_secs(window_s), crowd: 100.0, clients: 30, seed: 1 }
    }

    fn timing(&self) -> Timing {
        Timing {
            session_length: self.think_time.mul_f64(900.0 / 7.0),
            ramp: self.think_time * 10,
            window: self.window,
            time_scale: self.think_time.as_secs_f64() / 7.0,
            longest_warm_up: None,
            is_smoke: false,
        }
    }

    fn kind(&self) -> LoadKind {
        LoadKind::closed(self.clients, self.think_time)
    }

    fn load(&self) -> Load {
        let timing = self.timing();
        // Nobody gives up on a site that works, however crowded.
        let timeout = Timeout(Some(Load::TIMEOUT * 6));
        Load { longest_ramp: timing.ramp * 20, ..timing.load(self.kind(), timeout, self.seed) }
    }

    fn server(&self, auction: &Auction) -> QueueServer {
        QueueServer::new(&auction.catalogue, 1, self.think_time.div_f64(self.crowd), !self.seed)
    }

    /// The instant so many windows after the window's begin.
    fn instant(&self, windows: f64) -> Duration {
        // The ramp ends at a whole second.
        Duration::from_secs_f64(self.timing().ramp.as_secs_f64().ceil() + windows * self.window.as_secs_f64())
    }

    fn drive(&self, auction: &Auction) -> Outcome {
        simulation::simulate(&mut self.server(auction), &auction.users(), &self.load())
    }

    fn drive_with(
        &self,
        auction: &Auction,
        server: &mut dyn VirtualServer,
        load: &Load,
        faults: &GeneratorFaults,
    ) -> Outcome {
        simulation::simulate_with_faults(server, &auction.users(), load, faults)
    }

    fn judge(&self, auction: &Auction, outcome: &Outcome) -> Point {
        self.judge_on(auction, outcome, QUIET, None)
    }

    fn judge_on(
        &self,
        auction: &Auction,
        outcome: &Outcome,
        host: HostSample,
        audit: Option<Audit>,
    ) -> Point {
        let identity = Identity {
            configuration: "Virtual",
            stack: "virtual",
            repetition: 1,
            start: None,
            sequence: 1,
            purpose: Purpose::Listed,
            kind: self.kind(),
            is_external: false,
            seed: self.seed,
            timeout: Timeout::default(),
            started: String::new(),
        };
        let (timing, host) = (self.timing(), HostFigures { cores: 2, mean: host });
        let measured = Measured::of_clients(&auction.catalogue, &auction.mix, &timing, outcome, host);
        let measured = Measured { audit, ..measured };
        point(identity, measured)
    }
}

/// A machine that is left to the tiers.
const QUIET: HostSample = HostSample {
    busy_cores: 1.0,
    other_processes_cores: 0.02,
    steal_cores: 0.001,
    awake_cores: 0.0,
    network_bytes_per_s: 0.0,
    disk_read_bytes_per_s: Some(0.0),
    disk_written_bytes_per_s: Some(0.0),
    available_bytes: 1 << 30,
};

fn failing(point: &Point) -> Vec<CheckId> {
    point.verdict.checks.iter().filter(|check| !check.passed).map(|check| check.id).collect()
}
