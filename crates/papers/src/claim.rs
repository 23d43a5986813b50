//! The claims of a paper: each is of one of eight kinds, unless its figures can't be measured yet.

use crate::Name;
use serde::Deserialize;
use std::{fmt, iter};

#[derive(Debug, Clone)]
pub struct Claim {
    pub name: Name,
    /// Section of the paper.
    pub section: String,
    pub experiment: Name,
    pub claim: String,
    /// The paper's reason, in a clause, which is not judged.
    pub reason: Option<String>,
    /// The reason why it can't be judged yet, as half a sentence; none if it can.
    pub not_yet: Option<String>,
    /// The judgeable form.
    pub statement: Statement,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    Ratio(Quotient),
    Order(Order),
    NoDifference(NoDifference),
    NoErrors(NoErrors),
    Bottleneck(Bottleneck),
    Shape(Shape),
    SystemShare(SystemShare),
    CpuOverLoads(CpuOverLoads),
    /// A claim about figures that aren't measured yet.
    NotYet,
}

impl Statement {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Ratio(_) => "ratio",
            Self::Order(_) => "order",
            Self::NoDifference(_) => "no difference",
            Self::NoErrors(_) => "no errors",
            Self::Bottleneck(_) => "bottleneck",
            Self::Shape(_) => "shape",
            Self::SystemShare(_) => "system's share",
            Self::CpuOverLoads(_) => "CPU over loads",
            Self::NotYet => "not yet",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotient {
    #[serde(default)]
    pub figure: Figure,
    pub of: Name,
    /// The denominator; none where the figure is a quotient itself, of the slowest tenth of clients over the fastest.
    #[serde(default)]
    pub over: Option<Name>,
    /// The printed quotient, or both printed figures in this order.
    pub printed: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub figure: Figure,
    pub ranks: Ranks,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Ranks {
    /// All in a group are higher than all in later groups; the order within a group is open.
    HighestFirst(Vec<Vec<Name>>),
    /// Each is higher than the same configuration in another experiment.
    HigherThanIn { each: Vec<Name>, other: Name },
}

/// Figures to compare: the first three at the peak of a mix, the others where clients arrive by a load model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    #[default]
    Throughput,
    /// CPU time per interaction: of all tiers, or of those on the measured machine.
    CpuPerInteraction,
    /// Page faults per second, of the same tiers.
    PageFaults,
    /// Clients present at the first request that timed out.
    Clients,
    /// Bytes per second received by clients.
    Traffic,
    /// Mean response time; where clients make few requests and leave, of the later half of them.
    ResponseTime,
    /// Standard deviation of the same response times.
    Deviation,
    /// Mean waiting time of the slowest tenth of these clients over the fastest tenth.
    P90OverP10,
}

impl Figure {
    pub fn is_of_load(self) -> bool {
        !matches!(self, Self::Throughput | Self::CpuPerInteraction | Self::PageFaults)
    }
}

/// Sets of configurations whose peaks do not differ within the set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoDifference {
    pub between: Vec<Vec<Name>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoErrors {
    pub of: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bottleneck {
    pub of: Vec<Name>,
    pub limits: Limits,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Limits {
    OneOf(Vec<Limit>),
    NoneOf(Vec<Limit>),
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    pub resource: Resource,
    /// The machine, by role. In a claim, none stands for any machine; in an observation, for a shared one.
    #[serde(default)]
    pub machine: Option<Name>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    Cpu,
    /// Locks of rows, tables or their definitions.
    Locks,
    /// Workers, processes, threads or connections of a pool.
    Pool,
    Network,
    Memory,
    Disk,
    Collector,
    /// The load generator, which is no part of the site.
    Generator,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.resource {
            Resource::Cpu => "the CPU",
            Resource::Locks => "locks",
            Resource::Pool => "a pool",
            Resource::Network => "the network",
            Resource::Memory => "memory",
            Resource::Disk => "disks",
            Resource::Collector => "the garbage collector",
            Resource::Generator => "the load generator",
        })?;
        self.machine.as_ref().map_or(Ok(()), |machine| write!(f, " of {machine}"))
    }
}

/// Curves: throughput over the clients of a mix, or response times over the concurrency of a load.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    pub curve: Curve,
    pub of: Vec<Name>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// It falls after the peak.
    Falls,
    /// It stays at the peak's height.
    Flat,
    /// It rises in proportion to the clients, and then stays at the peak's height.
    LinearThenFlat,
    /// All curves are the same.
    Same,
    /// Response times rise evenly.
    Linear,
}

/// Shares of CPU time in the system rather than in programs, at the peak.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemShare {
    pub of: Vec<Name>,
    /// The printed shares, in the same order.
    pub printed: Vec<Name>,
}

/// CPU time per interaction from the lowest load to the highest.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuOverLoads {
    /// Configurations whose CPU time stays the same.
    pub steady: Vec<Name>,
    /// Configurations whose CPU time rises.
    pub rising: Vec<Name>,
}

impl Claim {
    pub fn experiments(&self) -> impl Iterator<Item = &Name> {
        let other = match &self.statement {
            Statement::Order(Order { ranks: Ranks::HigherThanIn { other, .. }, .. }) => Some(other),
            _ => None,
        };
        iter::once(&self.experiment).chain(other)
    }

    /// The paper's names of the configurations concerned.
    pub fn configurations(&self) -> Vec<&Name> {
        match &self.statement {
            Statement::Ratio(quotient) => iter::once(&quotient.of).chain(&quotient.over).collect(),
            Statement::Order(Order { ranks: Ranks::HighestFirst(groups), .. }) => {
                groups.iter().flatten().collect()
            }
            Statement::Order(Order { ranks: Ranks::HigherThanIn { each, .. }, .. }) => each.iter().collect(),
            Statement::NoDifference(same) => same.between.iter().flatten().collect(),
            Statement::NoErrors(none) => none.of.iter().collect(),
            Statement::Bottleneck(bottleneck) => bottleneck.of.iter().collect(),
            Statement::Shape(shape) => shape.of.iter().collect(),
            Statement::SystemShare(share) => share.of.iter().collect(),
            Statement::CpuOverLoads(cpu) => cpu.steady.iter().chain(&cpu.rising).collect(),
            Statement::NotYet => Vec::new(),
        }
    }
}
