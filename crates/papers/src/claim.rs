//! What a paper claims: each claim is of one of six kinds, unless it is about what isn't measured here yet.

use crate::Name;
use serde::Deserialize;
use std::{fmt, iter};

/// Something that a paper claims.
#[derive(Debug, Clone)]
pub struct Claim {
    /// A name to refer to it.
    pub name: Name,
    /// Where the paper claims it.
    pub section: String,
    /// The experiment that shows it.
    pub experiment: Name,
    /// What is claimed, in a sentence.
    pub says: String,
    /// Why that is so, as the paper has it, in a clause; nobody judges that.
    pub because: Option<String>,
    /// Why it can't be judged here yet, as half a sentence; none if it can.
    pub later: Option<String>,
    /// What is claimed, so that it can be judged.
    pub statement: Statement,
}

/// What is claimed.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// One figure is so many times another.
    Ratio(Quotient),
    /// Some are higher than others.
    Order(Order),
    /// Some reach the same.
    NoDifference(NoDifference),
    /// Nothing fails.
    NoErrors(NoErrors),
    /// Something is, or is not, what limits some.
    Bottleneck(Bottleneck),
    /// Curves have a shape.
    Shape(Shape),
    /// Something of figures that aren't taken here yet.
    Later,
}

impl Statement {
    /// Its kind, in a word or two.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Ratio(_) => "ratio",
            Self::Order(_) => "order",
            Self::NoDifference(_) => "no difference",
            Self::NoErrors(_) => "no errors",
            Self::Bottleneck(_) => "bottleneck",
            Self::Shape(_) => "shape",
            Self::Later => "later",
        }
    }
}

/// The figure of one configuration over that of another.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotient {
    /// Which figure.
    #[serde(default)]
    pub figure: Figure,
    /// Whose is divided.
    pub of: Name,
    /// By whose; none where the figure is a quotient itself, of the slowest tenth of clients over the fastest.
    #[serde(default)]
    pub over: Option<Name>,
    /// The printed figures that say it: the quotient itself, or both figures in this order.
    pub printed: Vec<Name>,
}

/// An order of figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Of which figures.
    pub figure: Figure,
    /// Who is higher than whom.
    pub ranks: Ranks,
}

/// Who is higher than whom.
#[derive(Debug, Clone, PartialEq)]
pub enum Ranks {
    /// All in a group are higher than all in the groups after it; nothing is said of those within a group.
    HighestFirst(Vec<Vec<Name>>),
    /// Each is higher than the same configuration in another experiment.
    HigherThanIn {
        /// Which configurations.
        each: Vec<Name>,
        /// The other experiment.
        other: Name,
    },
}

/// What is compared: the first three at the peak of a mix, the others where clients arrive by a load model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Interactions per second.
    #[default]
    Throughput,
    /// CPU time for an interaction: of all tiers, or of those on the machine that the paper measures.
    CpuPerInteraction,
    /// Page faults a second, of the same tiers.
    PageFaults,
    /// Clients that were there at the first request that timed out.
    Clients,
    /// Bytes a second that clients received.
    Traffic,
    /// Mean response time; where clients make few requests and go, that of the later half of them.
    ResponseTime,
    /// Standard deviation of the same response times.
    Deviation,
    /// How many times as long as the fastest tenth of these clients the slowest tenth waited.
    P90OverP10,
}

impl Figure {
    /// Whether it is one of a load model.
    pub fn is_of_load(self) -> bool {
        !matches!(self, Self::Throughput | Self::CpuPerInteraction | Self::PageFaults)
    }
}

/// Sets of configurations whose peaks do not differ within the set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoDifference {
    /// The sets.
    pub between: Vec<Vec<Name>>,
}

/// Configurations of which no request fails.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoErrors {
    /// Which.
    pub of: Vec<Name>,
}

/// What limits configurations at their peaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Bottleneck {
    /// Which configurations.
    pub of: Vec<Name>,
    /// What is said of their limits.
    pub limits: Limits,
}

/// What is said of limits.
#[derive(Debug, Clone, PartialEq)]
pub enum Limits {
    /// One of these it is.
    OneOf(Vec<Limit>),
    /// None of these it is.
    NoneOf(Vec<Limit>),
}

/// What can limit a site.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// What is saturated.
    pub resource: Resource,
    /// On which machine, by role. In a claim, none stands for any machine; of what was seen, none stands for a machine
    /// that is shared.
    #[serde(default)]
    pub machine: Option<Name>,
}

/// What can be saturated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// Processors.
    Cpu,
    /// Locks of rows, tables or their definitions.
    Locks,
    /// Workers, processes, threads or connections of a pool.
    Pool,
    /// The link to other machines.
    Network,
    /// Memory.
    Memory,
    /// Disks.
    Disk,
    /// The pauses of a garbage collector.
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

/// What curves look like: throughput over the clients of a mix, or response times over the clients of a load who are
/// there.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// What they look like.
    pub curve: Curve,
    /// Whose.
    pub of: Vec<Name>,
}

/// What a curve looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// It is lower past the peak.
    Falls,
    /// It stays on the height of the peak.
    Flat,
    /// It rises in proportion to the clients, and then stays on the height of the peak.
    LinearThenFlat,
    /// All of them are the same.
    Same,
    /// Response times rise evenly.
    Linear,
}

impl Claim {
    /// The names of the experiments that it takes.
    pub fn experiments(&self) -> impl Iterator<Item = &Name> {
        let other = match &self.statement {
            Statement::Order(Order { ranks: Ranks::HigherThanIn { other, .. }, .. }) => Some(other),
            _ => None,
        };
        iter::once(&self.experiment).chain(other)
    }

    /// The paper's names of the configurations that it is about.
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
            Statement::Later => Vec::new(),
        }
    }
}
