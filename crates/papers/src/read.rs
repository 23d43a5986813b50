//! Strict reading of a paper's folder: unknown, missing or contradictory entries are refused with their place.

use crate::{
    About, CapacityPlan, Claim, Configuration, Experiment, Name, Paper, Plot, Printed, Quick, Users,
    check::check,
    claim::{
        Bottleneck, CpuOverLoads, Figure, Limit, Limits, NoDifference, NoErrors, Order, Quotient, Ranks,
        Shape, Statement, SystemShare,
    },
    documents::Documents,
};
use fs_err as fs;
use serde::{Deserialize, de::DeserializeOwned};
use settings::{Blame, Document, SettingsError};
use std::{io, path::Path};
use workload::Length;

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PaperError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Settings(#[from] Box<SettingsError>),
    /// A file or folder can't be read.
    #[error(transparent)]
    #[diagnostic(help(
        "a paper's folder holds paper.toml, configurations.toml, experiments.toml, printed.toml and claims.toml"
    ))]
    Io(#[from] io::Error),
}

impl PaperError {
    /// The class of the error: the user mends all of them.
    pub fn blame(&self) -> Blame {
        Blame::Input
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigurationsFile {
    configuration: Vec<Configuration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExperimentsFile {
    experiment: Vec<ExperimentEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExperimentEntry {
    name: Name,
    section: String,
    title: String,
    application: Name,
    mix: Option<Name>,
    plots: Option<Plot>,
    load: Option<Name>,
    capacity: Option<CapacityPlan>,
    think_time: Option<Length>,
    scale: Option<f64>,
    quick: Option<Quick>,
    #[serde(default)]
    configurations: Vec<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrintedFile {
    printed: Vec<Printed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    claim: Vec<ClaimEntry>,
}

/// A claim as written: one of the last eight fields has its judgeable form, which may be missing where the claim can't
/// be judged yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimEntry {
    name: Name,
    section: String,
    experiment: Name,
    claim: String,
    reason: Option<String>,
    not_yet: Option<String>,
    ratio: Option<Quotient>,
    order: Option<OrderEntry>,
    no_difference: Option<NoDifference>,
    no_errors: Option<NoErrors>,
    bottleneck: Option<BottleneckEntry>,
    shape: Option<Shape>,
    system_share: Option<SystemShare>,
    cpu_over_loads: Option<CpuOverLoads>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderEntry {
    #[serde(default)]
    figure: Figure,
    highest_first: Option<Vec<Vec<Name>>>,
    each: Option<Vec<Name>>,
    lower_in: Option<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BottleneckEntry {
    of: Vec<Name>,
    limits: Option<Vec<Limit>>,
    never: Option<Vec<Limit>>,
}

impl Paper {
    pub fn read(folder: &Path) -> Result<Self, PaperError> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::parse(name, &Documents::read(folder)?)?)
    }

    pub fn read_all(folder: &Path) -> Result<Vec<Self>, PaperError> {
        let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut folders: Vec<_> =
            entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
        folders.sort();
        folders.iter().map(|folder| Self::read(folder)).collect()
    }

    pub(crate) fn parse(name: String, documents: &Documents) -> Result<Self, Box<SettingsError>> {
        let about: About = documents.about.parse()?;
        let ClaimsFile { claim: claims } = documents.claims.parse()?;
        let claims =
            claims.into_iter().map(|claim| claim.read(&documents.claims)).collect::<Result<_, _>>()?;
        let ExperimentsFile { experiment: experiments } = documents.experiments.parse()?;
        let read = |experiment: ExperimentEntry| experiment.read(&documents.experiments);
        let paper = Self {
            name,
            about,
            configurations: parse::<ConfigurationsFile>(&documents.configurations)?.configuration,
            experiments: experiments.into_iter().map(read).collect::<Result<_, _>>()?,
            printed: parse::<PrintedFile>(&documents.printed)?.printed,
            claims,
            is_quick: false,
        };
        check(&paper, documents)?;
        Ok(paper)
    }
}

fn parse<T: DeserializeOwned>(document: &Document) -> Result<T, Box<SettingsError>> {
    document.parse()
}

impl ExperimentEntry {
    fn read(self, document: &Document) -> Result<Experiment, Box<SettingsError>> {
        let fault = |fault: &str, remedy: &str| {
            let fault = format!("the experiment `{}` {fault}", self.name);
            Err(document.error(Some(self.name.place()), fault, Some(remedy.to_owned())))
        };
        let (users, plots) = match (self.mix, self.plots, self.load, self.capacity) {
            (Some(mix), Some(plots), None, None) => (Users::Mix(mix), plots),
            (None, None, Some(model), None) => {
                (Users::Load { model, think_time: self.think_time }, Plot::Arrivals)
            }
            (None, None, None, Some(capacity)) => (Users::Capacity(capacity), Plot::Arrivals),
            _ => {
                return fault(
                    "does not say what users do",
                    "give it `mix` and what it `plots`, or `load`, a load model of the application, or `capacity`",
                );
            }
        };
        if !matches!(users, Users::Load { .. }) && (self.think_time.is_some() || self.quick.is_some()) {
            return fault(
                "has a `think_time` or `quick` of its own, which only a load may have",
                "leave it out: the protocols in paper.toml say it of a mix, and `capacity` of itself",
            );
        }
        Ok(Experiment {
            users,
            plots,
            scale: self.scale.unwrap_or(1.0),
            quick: self.quick.unwrap_or_default(),
            not_yet: None,
            name: self.name,
            section: self.section,
            title: self.title,
            application: self.application,
            named: self.configurations,
        })
    }
}

impl ClaimEntry {
    fn read(self, document: &Document) -> Result<Claim, Box<SettingsError>> {
        let fault = |fault: &str, remedy: &str| {
            let fault = format!("the claim `{}` {fault}", self.name);
            document.error(Some(self.name.place()), fault, Some(remedy.to_owned()))
        };
        let order = self.order.map(|order| order.read(&fault)).transpose()?;
        let bottleneck = self.bottleneck.map(|bottleneck| bottleneck.read(&fault)).transpose()?;
        let statements = [
            self.ratio.map(Statement::Ratio),
            order.map(Statement::Order),
            self.no_difference.map(Statement::NoDifference),
            self.no_errors.map(Statement::NoErrors),
            bottleneck.map(Statement::Bottleneck),
            self.shape.map(Statement::Shape),
            self.system_share.map(Statement::SystemShare),
            self.cpu_over_loads.map(Statement::CpuOverLoads),
        ];
        let mut statements = statements.into_iter().flatten();
        let statement = match (statements.next(), statements.next()) {
            (Some(statement), None) => statement,
            (None, None) if self.not_yet.is_some() => Statement::NotYet,
            _ => {
                return Err(fault(
                    "must be of exactly one kind",
                    "give it one of `ratio`, `order`, `no_difference`, `no_errors`, `bottleneck`, `shape`, `system_share` and \
                     `cpu_over_loads`, or say in `not_yet` why it is none of them yet",
                ));
            }
        };
        let Self { name, section, experiment, claim, reason, not_yet, .. } = self;
        Ok(Claim { name, section, experiment, claim, reason, not_yet, statement })
    }
}

/// The error for a fault of a claim and its remedy.
type Fault<'a> = &'a dyn Fn(&str, &str) -> Box<SettingsError>;

impl OrderEntry {
    fn read(self, fault: Fault<'_>) -> Result<Order, Box<SettingsError>> {
        let ranks = match (self.highest_first, self.each, self.lower_in) {
            (Some(groups), None, None) => Ranks::HighestFirst(groups),
            (None, Some(each), Some(other)) => Ranks::HigherThanIn { each, other },
            _ => {
                return Err(fault(
                    "does not say who is higher than whom",
                    "give `order` either `highest_first`, groups of configurations, or `each` with `lower_in`",
                ));
            }
        };
        Ok(Order { figure: self.figure, ranks })
    }
}

impl BottleneckEntry {
    fn read(self, fault: Fault<'_>) -> Result<Bottleneck, Box<SettingsError>> {
        let limits = match (self.limits, self.never) {
            (Some(limits), None) => Limits::OneOf(limits),
            (None, Some(never)) => Limits::NoneOf(never),
            _ => {
                return Err(fault(
                    "does not say what is limited by what",
                    "give `bottleneck` either `limits` or `never`",
                ));
            }
        };
        Ok(Bottleneck { of: self.of, limits })
    }
}
