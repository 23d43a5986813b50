//! Observations: measurements of a paper's experiments, from which its claims are judged.

use crate::{Figure, Limit, Workload};
use report::StartFigures;
use stats::{Interval, Scatter, StartSample, StoppingRule};
use std::{collections::BTreeMap, iter};

#[derive(Debug, Clone, Default)]
pub struct Observations {
    /// By the workload's name.
    workloads: BTreeMap<String, Vec<Block>>,
}

/// Configurations that were measured together, by their names in tierbench.
type Block = BTreeMap<String, Measured>;

/// Figures by start of two configurations, or of two conditions of one, before those of others; with their interim
/// analyses.
type Samples<T> = (Vec<T>, StoppingRule);

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
    pub loads: Vec<Load>,
}

/// The highest load that counts.
#[derive(Debug, Clone)]
pub struct Peak {
    pub load: Load,
    pub bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// More clients give no more.
    Reached,
    /// They may give more, for this reason, in a clause after the configuration's name: `may go further with more clients`.
    AtLeast(&'static str),
}

#[derive(Debug, Clone, Default)]
pub struct Arrived {
    /// Loads with their VALID runs; of a capacity, the most clients that were allowed, with the starts that confirm it, or none
    /// where it is open.
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

/// A load with its VALID runs.
#[derive(Debug, Clone)]
pub struct Load {
    pub clients: u32,
    /// Interactions per second, by run.
    pub throughputs: Vec<f64>,
    /// 95 % interval of their mean, where there is one.
    pub interval: Option<Interval>,
    /// CPU milliseconds per interaction of each run: of all tiers, or of those on the measured machine. Empty if no
    /// host stands for it.
    pub cpu_ms: Vec<f64>,
    /// Page faults per second, likewise.
    pub faults_per_s: Vec<f64>,
    /// The system's share of their CPU time, likewise.
    pub system_shares: Vec<f64>,
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
    /// Adds the measurement of a configuration, by its name in tierbench, to the first block of a workload.
    pub fn add(&mut self, workload: &Workload, configuration: impl Into<String>, measured: Measured) {
        let blocks = self.workloads.entry(workload.name()).or_default();
        if blocks.is_empty() {
            blocks.push(Block::new());
        }
        blocks[0].insert(configuration.into(), measured);
    }

    pub fn extend(&mut self, other: Self) {
        for (workload, blocks) in other.workloads {
            self.workloads.entry(workload).or_default().extend(blocks);
        }
    }

    fn blocks(&self, workload: &Workload) -> &[Block] {
        self.workloads.get(&workload.name()).map_or(&[], Vec::as_slice)
    }

    /// Scatter of runs under a workload: of all peaks around their means; none where no peak was measured again.
    pub fn scatter(&self, workload: &Workload) -> Option<Scatter> {
        let all = self.blocks(workload).iter().flat_map(Block::values);
        Scatter::within(all.filter_map(|measured| Some(measured.peak().ok()?.throughputs.as_slice())))
    }

    /// The configurations that two blocks share, through which configurations of both can be compared, where no block has
    /// both of a pair.
    pub(crate) fn anchors(&self, workload: &Workload, [one, other]: [&str; 2]) -> Vec<&str> {
        let shared = self.blocks_with(workload, one).flat_map(|block| {
            let others = self.blocks_with(workload, other);
            others.flat_map(|other| block.keys().filter(|name| other.contains_key(*name)))
        });
        shared.map(String::as_str).collect()
    }

    fn blocks_with<'s, 'n>(
        &'s self,
        workload: &'n Workload,
        name: &'n str,
    ) -> impl Iterator<Item = &'s Block> + use<'s, 'n> {
        self.blocks(workload).iter().filter(move |block| block.contains_key(name))
    }

    /// True if some block has both configurations.
    pub(crate) fn has_together(&self, workload: &Workload, pair: [&str; 2]) -> bool {
        self.blocks(workload).iter().any(|block| pair.iter().all(|name| block.contains_key(*name)))
    }

    /// A figure at the peaks of two configurations by start, followed by that of all others, with its interim analyses; none
    /// where one of the two has none.
    pub(crate) fn starts(
        &self,
        workload: &Workload,
        pair: [&str; 2],
        figure: Figure,
    ) -> Option<Samples<StartSample>> {
        self.samples(workload, pair, |measured| measured.starts(figure))
    }

    /// The throughput of two configurations with so many clients, likewise.
    pub(crate) fn starts_at(
        &self,
        workload: &Workload,
        pair: [&str; 2],
        clients: u32,
    ) -> Option<Samples<StartSample>> {
        self.samples(workload, pair, |measured| {
            let load = measured.loads().iter().find(|load| load.clients == clients)?;
            Some((load.sample(Figure::Throughput)?, load.starts.stopping_rule))
        })
    }

    fn samples(
        &self,
        workload: &Workload,
        pair: [&str; 2],
        sample: impl Fn(&Measured) -> Option<(StartSample, StoppingRule)>,
    ) -> Option<Samples<StartSample>> {
        self.blocks(workload).iter().find_map(|all| {
            let [(one, stopping_rule), (other, _)] = [sample(all.get(pair[0])?)?, sample(all.get(pair[1])?)?];
            let others = all.iter().filter(|(name, _)| !pair.contains(&name.as_str()));
            let others = others.filter_map(|(_, measured)| Some(sample(measured)?.0));
            Some(([one, other].into_iter().chain(others).collect(), stopping_rule))
        })
    }

    /// A figure of a configuration by start under two workloads, followed by that of all others that have both, with its
    /// interim analyses; none where it has not both. Mixes that differ in nothing else share their starts. Starts that are
    /// not shared are independent, so that to pair them is right as well, and gains nothing.
    pub(crate) fn starts_of_both(
        &self,
        workloads: [&Workload; 2],
        configuration: &str,
        figure: Figure,
    ) -> Option<Samples<[StartSample; 2]>> {
        let both = |name: &str| {
            let [one, other] = workloads.map(|workload| self.get(workload, name)?.starts(figure));
            Some(([one.clone()?.0, other?.0], one?.1))
        };
        let (first, stopping_rule) = both(configuration)?;
        let names = self.blocks(workloads[0]).iter().flat_map(Block::keys);
        let others = names.filter(|name| *name != configuration).filter_map(|name| Some(both(name)?.0));
        Some(([first].into_iter().chain(others).collect(), stopping_rule))
    }

    /// A figure of a configuration by start at two of its loads, followed by that of all others at their lowest and highest
    /// loads, with its interim analyses; none where it was not measured in rounds.
    pub(crate) fn starts_of_loads(
        &self,
        workload: &Workload,
        configuration: &str,
        loads: [&Load; 2],
        figure: Figure,
    ) -> Option<Samples<[StartSample; 2]>> {
        let samples = |loads: [&Load; 2]| {
            let [one, other] = loads.map(|load| load.sample(figure));
            Some([one?, other?])
        };
        let all = self.blocks(workload).iter().flatten();
        let ends = |measured: &Measured| match measured.loads() {
            [first, .., last] => samples([last, first]),
            _ => None,
        };
        let others = all.filter(|(name, _)| *name != configuration);
        let others = others.filter_map(|(_, measured)| ends(measured));
        Some((iter::once(samples(loads)?).chain(others).collect(), loads[0].starts.stopping_rule))
    }

    /// The measurement of a configuration, by its name in tierbench: of several blocks, the first in which it counts.
    pub fn get(&self, workload: &Workload, configuration: &str) -> Option<&Measured> {
        let all = || self.blocks(workload).iter().filter_map(|block| block.get(configuration));
        let counts = |measured: &&Measured| match measured {
            Measured::Searched(searched) => searched.peak.is_ok(),
            Measured::Arrived(_) => true,
        };
        all().find(counts).or_else(|| all().next())
    }
}

impl Measured {
    /// The load at the peak, or the reason why none counts.
    pub fn peak(&self) -> Result<&Load, String> {
        Ok(&self.highest()?.load)
    }

    /// The peak with how far it goes, or the reason why none counts.
    pub fn highest(&self) -> Result<&Peak, String> {
        match self {
            Self::Searched(searched) => searched.peak.as_ref().map_err(String::clone),
            Self::Arrived(_) => Err("was not driven to a peak".to_owned()),
        }
    }

    /// VALID loads by rising load.
    pub fn loads(&self) -> &[Load] {
        match self {
            Self::Searched(searched) => &searched.loads,
            Self::Arrived(_) => &[],
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
    /// A figure at the peak by start, paired with other configurations, with its interim analyses; none where servers ran
    /// alone.
    pub(crate) fn starts(&self, figure: Figure) -> Option<(StartSample, StoppingRule)> {
        let peak = self.peak().ok()?;
        Some((peak.sample(figure)?, peak.starts.stopping_rule))
    }
}

impl Load {
    /// A figure by start; none where servers ran alone.
    fn sample(&self, figure: Figure) -> Option<StartSample> {
        let sample = match figure {
            Figure::Throughput => self.starts.sample(|starts| &starts.throughput),
            Figure::CpuPerInteraction => self.starts.sample(|starts| &starts.cpu_ms),
            _ => return None,
        };
        (!sample.figures.is_empty()).then_some(sample)
    }
}

impl Arrived {
    /// VALID runs of the highest load, or the reason why there are none.
    pub fn highest(&self) -> Result<&[Arrival], String> {
        match self.loads.values().next_back().map(Vec::as_slice) {
            None => Err("has no capacity on which its starts agree".to_owned()),
            Some([]) => Err("has no VALID run".to_owned()),
            Some(runs) => Ok(runs),
        }
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
