//! What was measured here of a paper's experiments: all that its claims are judged from.

use crate::{Figure, Limit, Workload};
use report::{CurvePoint, StartFigures};
use stats::{Scatter, Starts, StoppingRule};
use std::collections::BTreeMap;

/// What was measured, by workload.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    workloads: BTreeMap<String, BTreeMap<String, Measured>>,
}

/// What was measured of a configuration under a workload.
#[derive(Debug, Clone)]
pub enum Measured {
    /// With a mix.
    Searched(Box<Searched>),
    /// With a load model.
    Arrived(Arrived),
}

/// What was measured with a mix.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The peak; or why there is none that counts, in a clause that goes on after the configuration's name: `has no VALID
    /// point`.
    pub peak: Result<Peak, String>,
    /// The VALID loads, from the lowest up.
    pub curve: Vec<CurvePoint>,
}

/// What was measured with a load model.
#[derive(Debug, Clone, Default)]
pub struct Arrived {
    /// Its loads, from the lowest up, each with its VALID runs.
    pub loads: BTreeMap<u32, Vec<Arrival>>,
}

/// A run of a load model.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// Clients that were there at the first request that timed out; none where none did.
    pub clients: Option<f64>,
    /// Bytes a second that clients received.
    pub traffic: f64,
    /// Mean response time, in milliseconds; of clients who make few requests and go, that of the later half of them.
    pub response_ms: f64,
    /// Standard deviation of the same response times, in milliseconds; none of clients who stay.
    pub deviation_ms: Option<f64>,
    /// How many times as long as the fastest tenth of these clients the slowest tenth waited.
    pub p90_over_p10: Option<f64>,
    /// Requests that failed.
    pub failed: u64,
    /// All requests.
    pub requests: u64,
    /// Mean response times in milliseconds, by how many clients were there, from the fewest up.
    pub by_concurrency: Vec<(u32, f64)>,
}

/// A peak that was confirmed and passed.
#[derive(Debug, Clone)]
pub struct Peak {
    /// Emulated clients.
    pub clients: u32,
    /// Interactions per second of each run.
    pub throughputs: Vec<f64>,
    /// CPU milliseconds for an interaction, of each run: of all tiers, or of those on the machine that the paper measures.
    /// Empty if no host stands for that.
    pub cpu_ms: Vec<f64>,
    /// Page faults a second, likewise.
    pub faults_per_s: Vec<f64>,
    /// Throughput and CPU time by the starts of all servers, where it was measured in rounds.
    pub starts: StartFigures,
    /// How busy the CPU of each machine was, as a share of what it may use; without those of which that isn't known.
    pub machines: BTreeMap<String, f64>,
    /// How full the link of each machine was in its fuller direction, as a share of its speed; without those that have
    /// none.
    pub links: BTreeMap<String, f64>,
    /// What limits it, as far as that is known.
    pub limit: Option<Limit>,
    /// By which figures that is known, or why it isn't.
    pub evidence: String,
}

impl Observations {
    /// Adds what was measured of a configuration, by its name here.
    pub fn add(&mut self, workload: &Workload, configuration: impl Into<String>, measured: Measured) {
        self.workloads.entry(workload.name()).or_default().insert(configuration.into(), measured);
    }

    /// Adds all that was measured elsewhere.
    pub fn extend(&mut self, other: Self) {
        for (workload, configurations) in other.workloads {
            self.workloads.entry(workload).or_default().extend(configurations);
        }
    }

    /// How much runs scatter under a workload: that of all peaks around their means; none where no peak was measured again.
    pub fn scatter(&self, workload: &Workload) -> Option<Scatter> {
        let all = self.workloads.get(&workload.name())?.values();
        Scatter::within(all.filter_map(|measured| Some(measured.peak().ok()?.throughputs.as_slice())))
    }

    /// What was measured of a configuration, by its name here.
    pub fn get(&self, workload: &Workload, configuration: &str) -> Option<&Measured> {
        self.workloads.get(&workload.name())?.get(configuration)
    }
}

impl Measured {
    /// The peak; or why there is none that counts.
    pub fn peak(&self) -> Result<&Peak, String> {
        match self {
            Self::Searched(searched) => searched.peak.as_ref().map_err(String::clone),
            Self::Arrived(_) => Err("was not driven to a peak".to_owned()),
        }
    }

    /// What was measured with a load model; or why that isn't there.
    pub fn arrived(&self) -> Result<&Arrived, String> {
        match self {
            Self::Searched(_) => Err("was not driven by a load model".to_owned()),
            Self::Arrived(arrived) => Ok(arrived),
        }
    }

    /// A figure of each run that counts: those of the peak, or those of a model's highest load; or why there are none, in a
    /// clause that goes on after the configuration's name.
    pub fn runs(&self, figure: Figure) -> Result<Vec<f64>, String> {
        match figure {
            Figure::Throughput => Ok(self.peak()?.throughputs.clone()),
            Figure::CpuPerInteraction => of_measured(&self.peak()?.cpu_ms),
            Figure::PageFaults => of_measured(&self.peak()?.faults_per_s),
            _ => self.arrived()?.highest()?.iter().map(|run| run.figure(figure)).collect(),
        }
    }
}

/// The runs of a figure of the machine that the paper measures; or why there are none.
fn of_measured(runs: &[f64]) -> Result<Vec<f64>, String> {
    match runs {
        [] => Err("ran on no host that stands for the machine that the paper measures".to_owned()),
        runs => Ok(runs.to_vec()),
    }
}

impl Measured {
    /// A figure of each start that this shares with other configurations, and when it was looked at how they compare; none
    /// where servers were alone.
    pub fn starts(&self, figure: Figure) -> Option<(&Starts, StoppingRule)> {
        let starts = &self.peak().ok()?.starts;
        let looks = starts.looks;
        let starts = match figure {
            Figure::Throughput => &starts.throughput,
            Figure::CpuPerInteraction => &starts.cpu_ms,
            _ => return None,
        };
        (!starts.is_empty()).then_some((starts, looks))
    }
}

impl Arrived {
    /// The VALID runs of the highest load; or why there are none.
    pub fn highest(&self) -> Result<&[Arrival], String> {
        let runs = self.loads.values().next_back().filter(|runs| !runs.is_empty());
        runs.map(Vec::as_slice).ok_or_else(|| "has no VALID run".to_owned())
    }
}

/// Where clients make few requests and go, times are those of who was answered. They tell of all clients only if hardly
/// one was not.
const UNTOLD: f64 = 0.001;

impl Arrival {
    fn figure(&self, figure: Figure) -> Result<f64, String> {
        let is_of_some = self.p90_over_p10.is_some() && self.failed as f64 > UNTOLD * self.requests as f64;
        let known = match figure {
            Figure::ResponseTime | Figure::Deviation | Figure::P90OverP10 if is_of_some => {
                return Err(format!(
                    "failed {} of {} requests, so that its times are those of the others",
                    self.failed, self.requests
                ));
            }
            Figure::Clients => self.clients.ok_or("had no timeout, so it may serve more clients"),
            Figure::Traffic => Ok(self.traffic),
            Figure::ResponseTime => Ok(self.response_ms),
            Figure::Deviation => self.deviation_ms.ok_or("answered too few clients to tell how unequally"),
            Figure::P90OverP10 => self.p90_over_p10.ok_or("answered too few clients to tell how unequally"),
            Figure::Throughput | Figure::CpuPerInteraction | Figure::PageFaults => {
                Err("was not driven to a peak")
            }
        };
        known.map_err(str::to_owned)
    }
}
