//! What a paper's folder holds, apart from its claims.

use crate::{Claim, Name, Quotient};
use results::VariantId;
use serde::Deserialize;
use std::{collections::BTreeMap, fmt};
use workload::Length;

/// A study, as data.
#[derive(Debug, Clone)]
pub struct Paper {
    /// Its name here, which is also its folder's: `middleware-2003`.
    pub name: String,
    /// Who wrote what, where, on which machines.
    pub about: About,
    /// What it compares.
    pub configurations: Vec<Configuration>,
    /// Its figures, each with what was measured for it.
    pub experiments: Vec<Experiment>,
    /// The figures that its text prints.
    pub printed: Vec<Printed>,
    /// What it claims, in the paper's order.
    pub claims: Vec<Claim>,
}

/// `paper.toml`: who wrote what, where, on which machines, with which applications.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The title.
    pub title: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// When it came out.
    pub year: u16,
    /// Where it came out.
    pub venue: String,
    /// Its digital object identifier, without the address before it.
    #[serde(default)]
    pub doi: Option<String>,
    /// The hosts that are most like its machines: a file in `testbeds/`, without its ending.
    pub testbed: String,
    /// The machines as printed.
    #[serde(rename = "machine")]
    pub machines: Vec<Machine>,
    /// What connects them.
    pub network: Network,
    /// The programs as printed.
    pub software: Vec<Software>,
    /// The sites that were measured.
    #[serde(rename = "application")]
    pub applications: Vec<Application>,
}

/// Machines of one kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// What they are used as: `web`, `app`, `db`, …
    pub roles: Vec<Name>,
    /// Whether the CPU and the page faults that the paper prints are those of this machine alone. Of no such machine, they are
    /// those of all.
    #[serde(default)]
    pub is_measured: bool,
    /// Where the paper describes them.
    pub section: String,
    /// How many there are, if that is printed.
    #[serde(default)]
    pub count: Option<u32>,
    /// The processor.
    pub processor: String,
    /// The memory.
    #[serde(default)]
    pub memory: Option<String>,
    /// The disk.
    #[serde(default)]
    pub disk: Option<String>,
    /// What else is to be known of them.
    #[serde(default)]
    pub says: Option<String>,
}

impl Machine {
    /// Whether it is a single one, and not several of a kind.
    pub(crate) fn is_one(&self) -> bool {
        self.count == Some(1)
    }
}

/// What connects the machines.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Where the paper describes it.
    pub section: String,
    /// What it is.
    pub says: String,
}

/// The programs that ran.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Software {
    /// Where the paper lists them.
    pub section: String,
    /// Each with its version.
    pub programs: Vec<String>,
}

/// A site that was measured, and how.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// The application's name here.
    pub name: Name,
    /// Why it can't be measured here yet, as half a sentence; none if it can.
    #[serde(default)]
    pub later: Option<String>,
    /// Where the paper describes it.
    pub section: String,
    /// What it is.
    pub says: String,
    /// Its mixes, by their names here.
    #[serde(default)]
    pub mixes: Vec<String>,
    /// Its load models, by their names here.
    #[serde(default)]
    pub loads: Vec<String>,
    /// How many rows its tables have, as printed.
    pub rows: BTreeMap<String, u64>,
    /// How large its data are, as printed.
    pub size: String,
    /// How it was measured.
    pub full: Protocol,
    /// How it is measured in a short time.
    pub quick: Protocol,
    /// What isn't measured in a short time.
    #[serde(default)]
    pub quick_leaves_out: LeavesOut,
}

/// What isn't measured of an application.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesOut {
    /// Mixes and load models.
    #[serde(default)]
    pub workloads: Vec<Name>,
    /// Configurations, by their names in the paper.
    #[serde(default)]
    pub configurations: Vec<Name>,
}

/// How experiments are measured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// Scale of the data, as a multiple of the paper's.
    pub scale: f64,
    /// Factor on think times and session lengths.
    pub time_scale: f64,
    /// How long is measured. Of a load model, how long users come who come again and again.
    pub window: Length,
    /// How often each peak is measured, or each load of a load model.
    pub repetitions: u32,
    /// How a mix is measured; none where no experiment has a mix.
    #[serde(default)]
    pub search: Option<Search>,
}

/// How a mix is measured: at its peak, or at one load.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Mean think time, before it is scaled; 0 for clients that never think.
    pub think_time: Length,
    /// Mean length of a session, before it is scaled.
    pub session_length: Length,
    /// How long the load runs before the window.
    pub ramp: Length,
    /// How long the load goes on after that.
    pub ramp_down: Length,
    /// Whether users wait for an answer as long as it takes; otherwise as long as users usually do here.
    #[serde(default)]
    pub patient: bool,
    /// The clients of the highest load there may be, where the peak is looked for.
    #[serde(default)]
    pub most: Option<u32>,
    /// The clients of each load, where no peak is looked for. Figures are those at the best one.
    #[serde(default)]
    pub clients: Vec<u32>,
}

/// What is compared: how a stack is run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Its name in the paper.
    pub name: Name,
    /// Its name here.
    pub here: String,
    /// Why it can't be measured here yet, as half a sentence; none if it can.
    #[serde(default)]
    pub later: Option<String>,
    /// The applications with which it comes later, if it is there with others.
    #[serde(default)]
    pub later_with: Vec<Name>,
    /// The roles of its machines, in the order in which a request passes them.
    pub machines: Vec<Name>,
    /// Factors that differ from those with which it is declared here.
    #[serde(default)]
    pub factors: BTreeMap<String, String>,
    /// What it is.
    pub says: String,
}

impl Configuration {
    /// Why it can't be measured with an application yet, as half a sentence; none if it can.
    pub fn missing_with(&self, application: &str) -> Option<&str> {
        let comes_later =
            self.later_with.is_empty() || self.later_with.iter().any(|name| **name == *application);
        self.later.as_deref().filter(|_| comes_later)
    }
}

/// A figure of the paper, or a table, or a benchmark that has neither: what was measured for it, and what it shows.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The figure's name: `fig11`.
    pub name: Name,
    /// Where the text discusses it.
    pub section: String,
    /// What it is about.
    pub title: String,
    /// The site.
    pub application: Name,
    /// What its users do.
    pub users: Users,
    /// What it shows.
    pub plots: Plot,
    /// Scale of its data, as a multiple of the protocol's.
    pub scale: f64,
    /// What is measured otherwise in a short time than the application's protocol says.
    pub quick: Quick,
    /// Why it isn't measured now, as half a sentence; none if it is.
    pub later: Option<String>,
    /// The configurations in it; if none is named, all of the paper's.
    pub(crate) named: Vec<Name>,
}

/// What is measured otherwise of a load in a short time.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quick {
    /// Factor on all times of its users.
    #[serde(default)]
    pub time_scale: Option<f64>,
    /// Which of the model's loads; all of them if none is named.
    #[serde(default)]
    pub clients: Vec<u32>,
    /// How often each is measured.
    #[serde(default)]
    pub repetitions: Option<u32>,
}

/// What a figure shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    /// Throughput over clients, a curve for each configuration.
    Throughput,
    /// How busy each machine's CPU is at the peak, a bar for each machine and configuration.
    Cpu,
    /// What came of a load whose users arrive.
    #[serde(skip)]
    Arrivals,
}

/// What must be run for an experiment. Experiments with the same workload come from the same runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// The application's name.
    pub application: String,
    /// What its users do.
    pub users: Users,
    /// Scale of its data, as a multiple of the protocol's.
    pub scale: f64,
    /// What is measured otherwise in a short time.
    pub quick: Quick,
}

/// What users do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Users {
    /// They are there all the time and act by the mix of this name.
    Mix(Name),
    /// They arrive by a load model.
    Load {
        /// Its name.
        model: Name,
        /// Their longest think time, if it is not the model's own.
        think_time: Option<Length>,
    },
}

impl Workload {
    /// A name of its own: `auction-bidding`, `comments-bench1-5s`.
    pub fn name(&self) -> String {
        let application = &self.application;
        match &self.users {
            Users::Mix(mix) => format!("{application}-{mix}"),
            Users::Load { model, think_time: None } => format!("{application}-{model}"),
            Users::Load { model, think_time: Some(length) } => format!("{application}-{model}-{length}"),
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
        }
    }
}

/// Runs that some experiments take.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    /// What its users do, on which application.
    pub workload: Workload,
    /// How it is measured.
    pub application: &'a Application,
    /// Which configurations.
    pub configurations: Vec<&'a Configuration>,
}

impl Experiment {
    /// What must be run for it.
    pub fn workload(&self) -> Workload {
        Workload {
            application: self.application.to_string(),
            users: self.users.clone(),
            scale: self.scale,
            quick: self.quick.clone(),
        }
    }
}

/// A figure that the paper's text prints.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// A name to refer to it.
    pub name: Name,
    /// Where it is printed.
    pub section: String,
    /// Which experiment it is a result of, if it is one.
    #[serde(default)]
    pub experiment: Option<Name>,
    /// Which configuration it is about, if it is about one.
    #[serde(default)]
    pub configuration: Option<Name>,
    /// Which machine it is about, if it is about one.
    #[serde(default)]
    pub machine: Option<Name>,
    /// How the text qualifies it.
    #[serde(default)]
    pub how: How,
    /// The figure.
    pub value: f64,
    /// The value of its last printed digit: of 9,780 that is 10.
    pub step: f64,
    /// Its unit.
    pub unit: Unit,
    /// At how many clients, if that is printed. It is compared with nothing.
    #[serde(default)]
    pub clients: Option<u32>,
    /// What it is.
    pub says: String,
}

/// A ratio that the paper prints, or that two printed figures come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedRatio {
    /// The ratio.
    pub value: f64,
    /// The least that is printed so.
    pub low: f64,
    /// The most that is printed so.
    pub high: f64,
}

impl Printed {
    /// What may have been rounded to this.
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

/// How a text qualifies a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum How {
    /// Not at all.
    #[default]
    #[serde(rename = "exactly")]
    Exactly,
    /// As approximate.
    #[serde(rename = "about")]
    About,
    /// As a bound from below.
    #[serde(rename = "at least")]
    AtLeast,
    /// As a bound from above.
    #[serde(rename = "at most")]
    AtMost,
}

/// Units of printed figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Unit {
    /// Clients that are served.
    #[serde(rename = "clients")]
    Clients,
    /// Requests that failed.
    #[serde(rename = "errors")]
    Errors,
    /// Throughput.
    #[serde(rename = "interactions/min")]
    InteractionsPerMinute,
    /// Throughput of one kind of request.
    #[serde(rename = "requests/s")]
    RequestsPerSecond,
    /// A ratio.
    #[serde(rename = "times")]
    Times,
    /// Hundredths of what there is.
    #[serde(rename = "%")]
    Percent,
    /// Memory.
    #[serde(rename = "MB")]
    Megabytes,
    /// Disk traffic.
    #[serde(rename = "MB/s")]
    MegabytesPerSecond,
    /// Network traffic.
    #[serde(rename = "Mb/s")]
    MegabitsPerSecond,
    /// Network traffic, as the Apache paper prints it.
    #[serde(rename = "kb/s")]
    KilobitsPerSecond,
    /// Network packets.
    #[serde(rename = "packets/s")]
    PacketsPerSecond,
    /// Users' sessions, from the log-in to the log-out: throughput of a mix.
    #[serde(rename = "sessions/s")]
    SessionsPerSecond,
    /// Disk transfers.
    #[serde(rename = "transfers/s")]
    TransfersPerSecond,
    /// Time.
    #[serde(rename = "µs")]
    Microseconds,
    /// Time, as the AT&T paper prints it.
    #[serde(rename = "ms")]
    Milliseconds,
}

/// Why a short reproduction doesn't measure something, as half a sentence.
const NOT_QUICK: &str = "`--quick` leaves it out";

impl Paper {
    /// The same without what takes too long for a short reproduction.
    #[must_use]
    pub fn quick(mut self) -> Self {
        for application in &self.about.applications {
            let LeavesOut { workloads, configurations } = &application.quick_leaves_out;
            let is_out = |users: &Users| match users {
                Users::Mix(name) | Users::Load { model: name, .. } => workloads.contains(name),
            };
            let experiments = self.experiments.iter_mut();
            experiments
                .filter(|experiment| experiment.application == application.name && is_out(&experiment.users))
                .for_each(|experiment| experiment.later = Some(NOT_QUICK.to_owned()));
            let others = self
                .configurations
                .iter_mut()
                .filter(|one| configurations.contains(&one.name) && one.later.is_none());
            others.for_each(|one| {
                one.later = Some(NOT_QUICK.to_owned());
                one.later_with = vec![application.name.clone()];
            });
        }
        self
    }

    /// The name here of the configuration that a result's variant is: of those whose name with its factors is part of the
    /// variant's, the one that says most. One that takes part for the second time keeps its mark.
    pub(crate) fn here(&self, variant: &str) -> String {
        let Ok(id) = variant.parse::<VariantId>() else { return variant.to_owned() };
        let all = self.configurations.iter().filter_map(|one| one.here.parse::<VariantId>().ok());
        let meant = all.filter(|here| id.is_kind_of(here)).max_by_key(|here| here.overrides.len());
        VariantId { is_again: id.is_again, ..meant.unwrap_or(id) }.to_string()
    }

    /// The experiment of this name.
    pub fn experiment(&self, name: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| *experiment.name == *name)
    }

    /// The configuration that the paper calls so.
    pub fn configuration(&self, name: &str) -> Option<&Configuration> {
        self.configurations.iter().find(|configuration| *configuration.name == *name)
    }

    /// The application of this name.
    pub fn application(&self, name: &str) -> Option<&Application> {
        self.about.applications.iter().find(|application| *application.name == *name)
    }

    /// The printed figure of this name.
    pub fn printed(&self, name: &str) -> Option<&Printed> {
        self.printed.iter().find(|printed| *printed.name == *name)
    }

    /// The printed ratio of two figures.
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

    /// The claim of this name.
    pub fn claim(&self, name: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| *claim.name == *name)
    }

    /// The configurations in an experiment.
    pub fn configurations_in(&self, experiment: &Experiment) -> Vec<&Configuration> {
        let named = |configuration: &&Configuration| {
            experiment.named.is_empty() || experiment.named.contains(&configuration.name)
        };
        self.configurations.iter().filter(named).collect()
    }

    /// What must be run for experiments: each workload once, with the configurations that can be measured here, in the
    /// paper's order. What comes later is left out.
    pub fn runs_for(&self, experiments: &[&Experiment]) -> Vec<Run<'_>> {
        let mut runs: Vec<Run<'_>> = Vec::new();
        for experiment in experiments.iter().filter(|experiment| experiment.later.is_none()) {
            let application = self.application(&experiment.application);
            let Some(application) = application.filter(|application| application.later.is_none()) else {
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
                None => runs.push(Run { workload, application, configurations: here.collect() }),
            }
        }
        // Runs with the same configurations can then share starts of their servers.
        let place = |run: &Configuration| self.configurations.iter().position(|known| known.name == run.name);
        runs.iter_mut().for_each(|run| run.configurations.sort_by_key(|one| place(one)));
        runs
    }

    /// The claims for which these experiments are enough.
    pub fn claims_on<'a>(&'a self, experiments: &'a [&Experiment]) -> impl Iterator<Item = &'a Claim> {
        let among = |name: &Name| experiments.iter().any(|experiment| experiment.name == *name);
        self.claims.iter().filter(move |claim| claim.experiments().all(among))
    }

    /// Whether two roles are those of one of its machines.
    pub(crate) fn share_a_machine(&self, one: &str, other: &str) -> bool {
        let has = |machine: &Machine, role: &str| machine.roles.iter().any(|known| **known == *role);
        let machines = &self.about.machines;
        let has_both = |machine: &Machine| machine.is_one() && has(machine, one) && has(machine, other);
        one == other || machines.iter().any(has_both)
    }

    /// What must be there before a claim can be judged in all its parts: each as half a sentence; none if all is there.
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
            .chain(left_out.filter_map(|configuration| configuration.later.as_deref()));
        let mut missing = Vec::new();
        all.for_each(|reason| {
            if !missing.contains(&reason) {
                missing.push(reason);
            }
        });
        missing
    }

    /// Whether something is missing without which no part of a claim can be judged here. (Of configurations that are left out,
    /// others may be there.)
    pub(crate) fn is_out_of_reach(&self, claim: &Claim) -> bool {
        self.missing_for_all_of(claim).next().is_some()
    }

    fn missing_for_all_of<'a>(&'a self, claim: &'a Claim) -> impl Iterator<Item = &'a str> {
        let of_experiments = self.experiments_of(claim).flat_map(|experiment| {
            let application = self.application(&experiment.application);
            [application.and_then(|application| application.later.as_deref()), experiment.later.as_deref()]
        });
        of_experiments.flatten().chain(claim.later.as_deref())
    }

    fn experiments_of<'a>(&'a self, claim: &'a Claim) -> impl Iterator<Item = &'a Experiment> {
        claim.experiments().filter_map(|name| self.experiment(name))
    }
}
