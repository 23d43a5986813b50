//! Observations: measurements of a paper's experiments, from which its claims are judged.

use crate::{Figure, Limit, Workload};
use report::{CurvePoint, StartFigures};
use stats::{Scatter, StartSample, StoppingRule};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default)]
pub struct Observations {
    workloads: BTreeMap<String, BTreeMap<String, Measured>>,
}

#[derive(Debug, Clone)]
pub enum Measured {
    Searched(Box<Searched>),
    Arrived(Arrived),
}

#[derive(Debug, Clone)]
pub struct Searched {
    /// The peak; or the reason why none counts, in a clause after the configuration's name: `has no VALID point`.
    pub peak: Result<Peak, String>,
    /// VALID loads by rising load.
    pub curve: Vec<CurvePoint>,
}

#[derive(Debug, Clone, Default)]
pub struct Arrived {
    /// Loads with their VALID runs.
    pub loads: BTreeMap<u32, Vec<Arrival>>,
}

#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// Clients present at the first request that timed out, if one did.
    pub clients: Option<f64>,
    /// Bytes per second received by clients.
    pub traffic: f64,
    /// Mean response time in milliseconds; of clients who make few requests and leave, of the later half of them.
    pub response_ms: f64,
    /// Standard deviation of the same response times, in milliseconds; none of clients who stay.
    pub deviation_ms: Option<f64>,
    /// Mean waiting time of the slowest tenth of these clients over the fastest tenth.
    pub p90_over_p10: Option<f64>,
    pub failed: u64,
    pub requests: u64,
    /// Mean response times in milliseconds by concurrency, rising.
    pub by_concurrency: Vec<(u32, f64)>,
}

/// A peak that was confirmed and passed.
#[derive(Debug, Clone)]
pub struct Peak {
    pub clients: u32,
    pub throughputs: Vec<f64>,
    /// CPU milliseconds per interaction of each run: of all tiers, or of those on the measured machine. Empty if no
    /// host stands for it.
    pub cpu_ms: Vec<f64>,
    /// Page faults per second, likewise.
    pub faults_per_s: Vec<f64>,
    /// Throughput and CPU time by start of all servers, where measured in rounds.
    pub starts: StartFigures,
    /// CPU utilisation of each machine, where known.
    pub machines: BTreeMap<String, f64>,
    /// Utilisation of each machine's link in its busier direction, where it has one.
    pub links: BTreeMap<String, f64>,
    pub limit: Option<Limit>,
    /// Its evidence, or the reason why it is unknown.
    pub evidence: String,
}

impl Observations {
    /// Adds the measurement of a configuration, by its name in tierbench.
    pub fn add(&mut self, workload: &Workload, configuration: impl Into<String>, measured: Measured) {
        self.workloads.entry(workload.name()).or_default().insert(configuration.into(), measured);
    }

    pub fn extend(&mut self, other: Self) {
        for (workload, configurations) in other.workloads {
            self.workloads.entry(workload).or_default().extend(configurations);
        }
    }

    /// Scatter of runs under a workload: of all peaks around their means; none where no peak was measured again.
    pub fn scatter(&self, workload: &Workload) -> Option<Scatter> {
        let all = self.workloads.get(&workload.name())?.values();
        Scatter::within(all.filter_map(|measured| Some(measured.peak().ok()?.throughputs.as_slice())))
    }

    /// A figure of two configurations by start, followed by that of all others, with its interim analyses; none where one
    /// of the two has none.
    pub(crate) fn starts(
        &self,
        workload: &Workload,
        pair: [&str; 2],
        figure: Figure,
    ) -> Option<(Vec<StartSample>, StoppingRule)> {
        let all = self.workloads.get(&workload.name())?;
        let [(one, stopping_rule), (other, _)] =
            [all.get(pair[0])?.starts(figure)?, all.get(pair[1])?.starts(figure)?];
        let others = all.iter().filter(|(name, _)| !pair.contains(&name.as_str()));
        let others = others.filter_map(|(_, measured)| Some(measured.starts(figure)?.0));
        Some(([one, other].into_iter().chain(others).collect(), stopping_rule))
    }

    /// The measurement of a configuration, by its name in tierbench.
    pub fn get(&self, workload: &Workload, configuration: &str) -> Option<&Measured> {
        self.workloads.get(&workload.name())?.get(configuration)
    }
}

impl Measured {
    /// The peak, or the reason why none counts.
    pub fn peak(&self) -> Result<&Peak, String> {
        match self {
            Self::Searched(searched) => searched.peak.as_ref().map_err(String::clone),
            Self::Arrived(_) => Err("was not driven to a peak".to_owned()),
        }
    }

    /// The measurement with a load model, or the reason why it is missing.
    pub fn arrived(&self) -> Result<&Arrived, String> {
        match self {
            Self::Searched(_) => Err("was not driven by a load model".to_owned()),
            Self::Arrived(arrived) => Ok(arrived),
        }
    }

    /// A figure of each counted run: those of the peak, or of a model's highest load; or the reason why there are
    /// none, in a clause after the configuration's name.
    pub fn runs(&self, figure: Figure) -> Result<Vec<f64>, String> {
        match figure {
            Figure::Throughput => Ok(self.peak()?.throughputs.clone()),
            Figure::CpuPerInteraction => of_measured(&self.peak()?.cpu_ms),
            Figure::PageFaults => of_measured(&self.peak()?.faults_per_s),
            _ => self.arrived()?.highest()?.iter().map(|run| run.figure(figure)).collect(),
        }
    }
}

/// Runs of the measured machine, or the reason why there are none.
fn of_measured(runs: &[f64]) -> Result<Vec<f64>, String> {
    match runs {
        [] => Err("ran on no host that stands for the machine that the paper measures".to_owned()),
        runs => Ok(runs.to_vec()),
    }
}

impl Measured {
    /// A figure by start, paired with other configurations, with its interim analyses; none where servers ran alone.
    fn starts(&self, figure: Figure) -> Option<(StartSample, StoppingRule)> {
        let starts = &self.peak().ok()?.starts;
        let sample = match figure {
            Figure::Throughput => starts.sample(|starts| &starts.throughput),
            Figure::CpuPerInteraction => starts.sample(|starts| &starts.cpu_ms),
            _ => return None,
        };
        (!sample.figures.is_empty()).then_some((sample, starts.stopping_rule))
    }
}

impl Arrived {
    /// VALID runs of the highest load, or the reason why there are none.
    pub fn highest(&self) -> Result<&[Arrival], String> {
        let runs = self.loads.values().next_back().filter(|runs| !runs.is_empty());
        runs.map(Vec::as_slice).ok_or_else(|| "has no VALID run".to_owned())
    }
}

/// Tolerated share of unanswered clients. Where clients make few requests and leave, times are those of the answered
/// ones, and represent all only if nearly all were answered.
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
