//! The contents of a paper's folder, apart from its claims.

use crate::{Claim, Name, Quotient};
use results::{Objective, VariantId};
use serde::Deserialize;
use std::{collections::BTreeMap, fmt};
use workload::Length;

#[derive(Debug, Clone)]
pub struct Paper {
    /// Also the name of its folder: `middleware-2003`.
    pub name: String,
    pub about: About,
    pub configurations: Vec<Configuration>,
    pub experiments: Vec<Experiment>,
    pub printed: Vec<Printed>,
    /// In the paper's order.
    pub claims: Vec<Claim>,
    /// True if it is as a quick reproduction measures it.
    pub is_quick: bool,
}

/// `paper.toml`: bibliography, machines, software, applications.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub title: String,
    pub authors: Vec<String>,
    pub year: u16,
    /// Journal or conference.
    pub venue: String,
    /// DOI, without the address before it.
    #[serde(default)]
    pub doi: Option<String>,
    /// The most similar hosts: a file in `testbeds/`, without its ending.
    pub testbed: String,
    #[serde(rename = "machine")]
    pub machines: Vec<Machine>,
    pub network: Network,
    pub software: Vec<Software>,
    #[serde(rename = "application")]
    pub applications: Vec<Application>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// `web`, `app`, `db`, …
    pub roles: Vec<Name>,
    /// True if the printed CPU and page faults are those of this machine alone. Without such a machine, they are
    /// those of all.
    #[serde(default)]
    pub is_measured: bool,
    /// Section of the paper.
    pub section: String,
    #[serde(default)]
    pub count: Option<u32>,
    pub processor: String,
    #[serde(default)]
    pub memory: Option<String>,
    #[serde(default)]
    pub disk: Option<String>,
    /// Further properties.
    #[serde(default)]
    pub description: Option<String>,
}

impl Machine {
    pub(crate) fn is_one(&self) -> bool {
        self.count == Some(1)
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    pub section: String,
    pub description: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Software {
    pub section: String,
    /// With versions.
    pub programs: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    pub name: Name,
    /// The reason why it can't be measured yet, as half a sentence; none if it can.
    #[serde(default)]
    pub not_yet: Option<String>,
    pub section: String,
    pub description: String,
    /// Names of its mixes in tierbench.
    #[serde(default)]
    pub mixes: Vec<String>,
    /// Names of its load models in tierbench.
    #[serde(default)]
    pub loads: Vec<String>,
    /// Rows of its tables, as printed.
    pub rows: BTreeMap<String, u64>,
    /// Size of its data, as printed.
    pub size: String,
    pub full: Protocol,
    pub quick: Protocol,
    /// Exclusions from a quick reproduction.
    #[serde(default)]
    pub quick_leaves_out: LeavesOut,
    /// Blocks of a quick reproduction, each a result of its own. Without any, all configurations share each start.
    #[serde(default)]
    pub quick_blocks: Vec<QuickBlock>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesOut {
    #[serde(default)]
    pub experiments: Vec<Name>,
    /// Configurations, by their names in the paper.
    #[serde(default)]
    pub configurations: Vec<Name>,
}

/// Sites that share each start.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickBlock {
    /// By their names in the paper.
    pub configurations: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// Scale of the data, as a multiple of the paper's.
    pub scale: f64,
    /// Factor on think times and session lengths.
    pub time_scale: f64,
    /// Length of a measurement. For a load model, the time over which recurring users arrive.
    pub window: Length,
    /// Measurements of each peak, or of each load of a load model.
    pub repetitions: u32,
    /// Plan for a mix; none where no experiment has a mix.
    #[serde(default)]
    pub search: Option<Search>,
}

/// Plan for a mix: a peak search, or a single load.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Mean think time before scaling; 0 for clients without one.
    pub think_time: Length,
    pub session_length: Length,
    /// Duration of the load before the window.
    pub ramp: Length,
    /// Duration of the load after the window.
    pub ramp_down: Length,
    #[serde(default)]
    pub patient: bool,
    #[serde(default)]
    pub most: Option<u32>,
    /// Clients of each listed load. Figures are those at the best one.
    #[serde(default)]
    pub clients: Vec<u32>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    pub name: Name,
    pub maps_to: String,
    /// The reason why it can't be measured yet, as half a sentence; none if it can.
    #[serde(default)]
    pub not_yet: Option<String>,
    /// Applications with which it can't be measured yet, if it can with others.
    #[serde(default)]
    pub not_yet_with: Vec<Name>,
    /// Roles of its machines, in the order in which a request passes them.
    pub machines: Vec<Name>,
    /// Factors that differ from the configuration's declaration.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
    pub description: String,
}

impl Configuration {
    /// The reason why it can't be measured with an application yet, as half a sentence; none if it can.
    pub fn missing_with(&self, application: &str) -> Option<&str> {
        let comes_later =
            self.not_yet_with.is_empty() || self.not_yet_with.iter().any(|name| **name == *application);
        self.not_yet.as_deref().filter(|_| comes_later)
    }
}

/// A figure, a table, or another benchmark of the paper: its measurements, and its presentation.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// `fig11`.
    pub name: Name,
    /// Section of the paper that discusses it.
    pub section: String,
    pub title: String,
    pub application: Name,
    pub users: Users,
    pub plots: Plot,
    pub scale: f64,
    /// Deviations from the application's protocol in a quick reproduction.
    pub quick: Quick,
    /// The reason why it isn't measured, as half a sentence; none if it is.
    pub not_yet: Option<String>,
    /// Its configurations; if none is named, all of the paper's.
    pub(crate) named: Vec<Name>,
}

/// Deviations of a load in a quick reproduction.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quick {
    #[serde(default)]
    pub time_scale: Option<f64>,
    /// Selected loads of the model; all if none is named.
    #[serde(default)]
    pub clients: Vec<u32>,
    #[serde(default)]
    pub repetitions: Option<u32>,
    /// The capacity that stands for the load.
    #[serde(default)]
    pub capacity: Option<CapacityPlan>,
}

/// The search for the most clients of a mix with whom an objective is met.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapacityPlan {
    pub mix: Name,
    pub objective: Objective,
    /// Mean think time before scaling.
    pub think_time: Length,
    /// Duration of the load before the window.
    pub ramp: Length,
    pub most: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    Throughput,
    /// CPU utilisation at the peak, a bar for each machine and configuration.
    Cpu,
    #[serde(skip)]
    Arrivals,
}

/// A workload to run. Experiments with the same workload share runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    pub application: String,
    pub users: Users,
    /// Scale of its data, as a multiple of the protocol's.
    pub scale: f64,
    /// Deviations in a quick reproduction.
    pub quick: Quick,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Users {
    /// They are present throughout and follow this mix.
    Mix(Name),
    Load {
        model: Name,
        /// Their longest think time, if not the model's own.
        think_time: Option<Length>,
    },
    /// The most who meet an objective.
    Capacity(CapacityPlan),
}

impl Users {
    /// Users of a mix are present throughout, as many as are listed or a search for the peak asks for.
    pub fn have_a_mix(&self) -> bool {
        matches!(self, Self::Mix(_))
    }
}

impl Workload {
    /// `auction-bidding`, `comments-bench1-5s`.
    pub fn name(&self) -> String {
        let application = &self.application;
        match &self.users {
            Users::Mix(mix) => format!("{application}-{mix}"),
            Users::Load { model, think_time: None } => format!("{application}-{model}"),
            Users::Load { model, think_time: Some(length) } => format!("{application}-{model}-{length}"),
            Users::Capacity(CapacityPlan { mix, think_time, .. }) => {
                format!("{application}-{mix}-capacity-{think_time}")
            }
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.application, self.users)
    }
}

impl fmt::Display for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mix(mix) => write!(f, "{mix} mix"),
            Self::Load { model, think_time: None } => f.write_str(model),
            Self::Load { model, think_time: Some(length) } => {
                write!(f, "{model} with think times up to {length}")
            }
            Self::Capacity(CapacityPlan { mix, objective, think_time, .. }) => {
                write!(f, "{mix} mix with think times of {think_time}, as many clients as meet {objective}")
            }
        }
    }
}

#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// Application and behaviour of users.
    pub workload: Workload,
    /// Its place among the blocks of its workload, from 1; none where all configurations share starts.
    pub block: Option<usize>,
    /// With its protocol.
    pub application: &'a Application,
    pub configurations: Vec<&'a Configuration>,
}

impl Run<'_> {
    /// `auction-bidding`, `auction-bidding-2`.
    pub fn name(&self) -> String {
        let workload = self.workload.name();
        self.block.map_or_else(|| workload.clone(), |block| format!("{workload}-{block}"))
    }
}

impl Experiment {
    pub fn workload(&self) -> Workload {
        Workload {
            application: self.application.to_string(),
            users: self.users.clone(),
            scale: self.scale,
            quick: self.quick.clone(),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    pub name: Name,
    /// Section of the paper.
    pub section: String,
    #[serde(default)]
    pub experiment: Option<Name>,
    #[serde(default)]
    pub configuration: Option<Name>,
    #[serde(default)]
    pub machine: Option<Name>,
    /// The text's qualification.
    #[serde(default)]
    pub how: How,
    pub value: f64,
    /// Value of its last printed digit: of 9,780 that is 10.
    pub step: f64,
    pub unit: Unit,
    /// Number of clients, if printed; for information only.
    #[serde(default)]
    pub clients: Option<u32>,
    pub description: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedRatio {
    pub value: f64,
    /// The least value printed so.
    pub low: f64,
    /// The largest value printed so.
    pub high: f64,
}

impl Printed {
    fn rounding(&self) -> PrintedRatio {
        let off = self.step / 2.0;
        let (low, high) = (self.value - off, self.value + off);
        let (low, high) = match self.how {
            How::Exactly | How::About => (low, high),
            How::AtLeast => (low, f64::INFINITY),
            How::AtMost => (0.0, high),
        };
        PrintedRatio { value: self.value, low, high }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum How {
    /// Not at all.
    #[default]
    #[serde(rename = "exactly")]
    Exactly,
    /// Printed as approximate.
    #[serde(rename = "about")]
    About,
    /// Printed as a lower bound.
    #[serde(rename = "at least")]
    AtLeast,
    /// Printed as an upper bound.
    #[serde(rename = "at most")]
    AtMost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Unit {
    /// Clients served.
    #[serde(rename = "clients")]
    Clients,
    #[serde(rename = "errors")]
    Errors,
    #[serde(rename = "interactions/min")]
    InteractionsPerMinute,
    /// Throughput of one kind of request.
    #[serde(rename = "requests/s")]
    RequestsPerSecond,
    #[serde(rename = "times")]
    Times,
    #[serde(rename = "%")]
    Percent,
    #[serde(rename = "MB")]
    Megabytes,
    #[serde(rename = "MB/s")]
    MegabytesPerSecond,
    #[serde(rename = "Mb/s")]
    MegabitsPerSecond,
    /// Network traffic, as the Apache paper prints it.
    #[serde(rename = "kb/s")]
    KilobitsPerSecond,
    #[serde(rename = "packets/s")]
    PacketsPerSecond,
    /// Users' sessions, from log-in to log-out: throughput of a mix.
    #[serde(rename = "sessions/s")]
    SessionsPerSecond,
    #[serde(rename = "transfers/s")]
    TransfersPerSecond,
    #[serde(rename = "µs")]
    Microseconds,
    /// Time, as the AT&T paper prints it.
    #[serde(rename = "ms")]
    Milliseconds,
}

/// The reason for exclusions from a quick reproduction, as half a sentence.
const NOT_QUICK: &str = "`--quick` leaves it out";

impl Paper {
    #[must_use]
    pub fn quick(mut self) -> Self {
        self.is_quick = true;
        for experiment in &mut self.experiments {
            if let Some(capacity) = experiment.quick.capacity.take() {
                experiment.users = Users::Capacity(capacity);
            }
        }
        for application in &self.about.applications {
            let LeavesOut { experiments, configurations } = &application.quick_leaves_out;
            let is_out = |experiment: &&mut Experiment| {
                experiment.application == application.name && experiments.contains(&experiment.name)
            };
            let out = self.experiments.iter_mut().filter(is_out);
            out.for_each(|experiment| experiment.not_yet = Some(NOT_QUICK.to_owned()));
            let others = self
                .configurations
                .iter_mut()
                .filter(|one| configurations.contains(&one.name) && one.not_yet.is_none());
            others.for_each(|one| {
                one.not_yet = Some(NOT_QUICK.to_owned());
                one.not_yet_with = vec![application.name.clone()];
            });
        }
        self
    }

    /// The name of a result's variant as a configuration: of those whose name with factors is part of the variant's,
    /// the longest. The second one in an A/A comparison keeps its mark.
    pub(crate) fn here(&self, variant: &str) -> String {
        let Ok(id) = variant.parse::<VariantId>() else { return variant.to_owned() };
        let all = self.configurations.iter().filter_map(|one| one.maps_to.parse::<VariantId>().ok());
        let meant = all.filter(|here| id.is_kind_of(here)).max_by_key(|here| here.overrides.len());
        VariantId { is_again: id.is_again, ..meant.unwrap_or(id) }.to_string()
    }

    pub fn experiment(&self, name: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| *experiment.name == *name)
    }

    pub fn configuration(&self, name: &str) -> Option<&Configuration> {
        self.configurations.iter().find(|configuration| *configuration.name == *name)
    }

    pub fn application(&self, name: &str) -> Option<&Application> {
        self.about.applications.iter().find(|application| *application.name == *name)
    }

    pub fn printed(&self, name: &str) -> Option<&Printed> {
        self.printed.iter().find(|printed| *printed.name == *name)
    }

    pub fn printed_ratio(&self, quotient: &Quotient) -> Option<PrintedRatio> {
        let printed = quotient.printed.iter().filter_map(|name| Some(self.printed(name)?.rounding()));
        match printed.collect::<Vec<_>>().as_slice() {
            [ratio] => Some(*ratio),
            [of, over] => Some(PrintedRatio {
                value: of.value / over.value,
                low: of.low / over.high,
                high: of.high / over.low,
            }),
            _ => None,
        }
    }

    pub(crate) fn printed_share(&self, name: &str) -> Option<PrintedRatio> {
        let PrintedRatio { value, low, high } = self.printed(name)?.rounding();
        Some(PrintedRatio { value: value / 100.0, low: low / 100.0, high: high / 100.0 })
    }

    pub fn claim(&self, name: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| *claim.name == *name)
    }

    pub fn configurations_in(&self, experiment: &Experiment) -> Vec<&Configuration> {
        let named = |configuration: &&Configuration| {
            experiment.named.is_empty() || experiment.named.contains(&configuration.name)
        };
        self.configurations.iter().filter(named).collect()
    }

    /// Runs for experiments: each workload once, or once in each block, with the configurations that can be measured, in
    /// the paper's order. Those that can't be measured yet are left out.
    pub fn runs_for(&self, experiments: &[&Experiment]) -> Vec<Run<'_>> {
        let mut runs: Vec<Run<'_>> = Vec::new();
        for experiment in experiments.iter().filter(|experiment| experiment.not_yet.is_none()) {
            let application = self.application(&experiment.application);
            let Some(application) = application.filter(|application| application.not_yet.is_none()) else {
                continue;
            };
            let is_here = |known: &&Configuration| known.missing_with(&application.name).is_none();
            let here = self.configurations_in(experiment).into_iter().filter(is_here);
            let workload = experiment.workload();
            match runs.iter_mut().find(|run| run.workload == workload) {
                Some(run) => {
                    let more: Vec<&Configuration> = here
                        .filter(|new| run.configurations.iter().all(|known| known.name != new.name))
                        .collect();
                    run.configurations.extend(more);
                }
                None => {
                    let configurations = here.collect();
                    runs.push(Run { workload, block: None, application, configurations });
                }
            }
        }
        // Runs with the same configurations can then share starts of their servers.
        let place = |run: &Configuration| self.configurations.iter().position(|known| known.name == run.name);
        runs.iter_mut().for_each(|run| run.configurations.sort_by_key(|one| place(one)));
        runs.into_iter().flat_map(|run| self.in_blocks(run)).collect()
    }

    /// A run in the blocks of a quick reproduction. A block without two configurations compares nothing.
    fn in_blocks<'a>(&self, run: Run<'a>) -> Vec<Run<'a>> {
        if !self.is_quick || run.application.quick_blocks.is_empty() || !run.workload.users.have_a_mix() {
            return vec![run];
        }
        let blocks =
            (1..).zip(&run.application.quick_blocks).map(|(block, QuickBlock { configurations: names })| {
                let is_in = |one: &&&Configuration| names.contains(&one.name);
                Run {
                    block: Some(block),
                    configurations: run.configurations.iter().filter(is_in).copied().collect(),
                    ..run.clone()
                }
            });
        blocks.filter(|block| block.configurations.len() > 1).collect()
    }

    /// The claims for which these experiments are enough.
    pub fn claims_on<'a>(&'a self, experiments: &'a [&Experiment]) -> impl Iterator<Item = &'a Claim> {
        let among = |name: &Name| experiments.iter().any(|experiment| experiment.name == *name);
        self.claims.iter().filter(move |claim| claim.experiments().all(among))
    }

    pub(crate) fn share_a_machine(&self, one: &str, other: &str) -> bool {
        let has = |machine: &Machine, role: &str| machine.roles.iter().any(|known| **known == *role);
        let machines = &self.about.machines;
        let has_both = |machine: &Machine| machine.is_one() && has(machine, one) && has(machine, other);
        one == other || machines.iter().any(has_both)
    }

    /// Everything missing for a complete judgement, each as half a sentence; none if nothing is missing.
    pub fn missing_for<'a>(&'a self, claim: &'a Claim) -> Vec<&'a str> {
        let applications: Vec<&Application> = self
            .experiments_of(claim)
            .filter_map(|experiment| self.application(&experiment.application))
            .collect();
        let configurations = claim.configurations().into_iter().filter_map(|name| self.configuration(name));
        let with_any = |configuration: &'_ Configuration| {
            applications.iter().any(|one| configuration.missing_with(&one.name).is_some())
        };
        let left_out = configurations.filter(|configuration| with_any(configuration));
        let all = self
            .missing_for_all_of(claim)
            .chain(left_out.filter_map(|configuration| configuration.not_yet.as_deref()));
        let mut missing = Vec::new();
        all.for_each(|reason| {
            if !missing.contains(&reason) {
                missing.push(reason);
            }
        });
        missing
    }

    /// True if no part of a claim can be judged. (With some configurations left out, others may be there.)
    pub(crate) fn is_out_of_reach(&self, claim: &Claim) -> bool {
        self.missing_for_all_of(claim).next().is_some()
    }

    fn missing_for_all_of<'a>(&'a self, claim: &'a Claim) -> impl Iterator<Item = &'a str> {
        let of_experiments = self.experiments_of(claim).flat_map(|experiment| {
            let application = self.application(&experiment.application);
            [
                application.and_then(|application| application.not_yet.as_deref()),
                experiment.not_yet.as_deref(),
            ]
        });
        of_experiments.flatten().chain(claim.not_yet.as_deref())
    }

    fn experiments_of<'a>(&'a self, claim: &'a Claim) -> impl Iterator<Item = &'a Experiment> {
        claim.experiments().filter_map(|name| self.experiment(name))
    }
}
