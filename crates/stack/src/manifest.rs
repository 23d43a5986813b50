//! The manifest of a stack, `stack.toml`.

use fs_err as fs;
use ignore::gitignore::Gitignore;
use results::{Component, Statements};
use serde::Deserialize;
use services::{FactorEntry, Factors, ManifestError, ReadySettings, Service, WrongValue};
use settings::{Document, PathFault, PlainName, RelativePath, SettingsError, did_you_mean};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter, mem,
    path::{Path, PathBuf},
};
use toml::Spanned;
use workload::{Length, SiteProtocol};

/// One code base that implements applications.
#[derive(Debug, Clone)]
pub struct Stack {
    /// Its name, which is also its folder's.
    pub name: String,
    /// Its folder.
    pub home: PathBuf,
    /// The folder that it is built and deployed from: its own, or one below it that a configuration has to itself.
    pub place: PathBuf,
    /// The folders that other configurations have to themselves.
    pub(crate) other_folders: Vec<PathBuf>,
    /// A line for people.
    pub title: String,
    /// The language its authors write.
    pub language: String,
    pub applications: Vec<String>,
    /// The Debian packages that its code needs, beside those of the services.
    pub packages: Vec<String>,
    /// Commands that build it, run in its folder.
    pub(crate) build: Vec<Spanned<Vec<String>>>,
    /// Commands that print the versions of the toolchains that build it.
    pub(crate) toolchain: Vec<Spanned<Vec<String>>>,
    /// The Debian packages that may have a part in building it: its own, and those of all services that its file names.
    pub(crate) tools: BTreeSet<String>,
    /// Files and folders that are copied into a run's site.
    pub(crate) deploy: Vec<Spanned<RelativePath>>,
    /// The interactions of the application that it has; none if it has all. Only `narrow` knows them.
    pub(crate) interactions: Option<Vec<Spanned<String>>>,
    /// The store that it prefers to those before it in the application's list. Only `narrow` knows it.
    pub(crate) preferred_database: Option<String>,
    /// Its needs for single applications beside that.
    pub(crate) sections: BTreeMap<String, AppSection>,
    pub(crate) document: Document,
    /// The factors that it declares for all configurations.
    pub factors: Factors,
    /// The factors that it declares for single applications beside them.
    pub(crate) application_factors: BTreeMap<String, Factors>,
    /// The ways to run it; `up` takes the first one.
    pub configurations: Vec<Configuration>,
    /// The components of its own code and libraries, as a profile knows them.
    pub(crate) components: Vec<Component>,
    /// Components that are the same for all, such as the kernel's.
    pub(crate) common: Vec<Component>,
}

/// A way to run a stack.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// Name as in the literature: `WsPhp-DB`.
    pub name: String,
    /// A line for people.
    pub summary: String,
    /// The applications that it is for: the stack's, or some of them.
    pub applications: Vec<String>,
    /// The folder below the stack's that it is built in and deployed from, with code that only such configurations have.
    pub folder: Option<String>,
    /// Agreement with the recorded statements.
    pub statements: Statements,
    /// The declared factors in force, and what runs on the tiers that leave a choice.
    pub factors: BTreeMap<String, String>,
    /// The factors that are declared for it: by the stack, for its applications, and by itself.
    pub declared: Factors,
    /// The factors that choose what runs on a tier: `database` of the store, or called as the tier.
    pub(crate) choices: Factors,
    /// Its tiers, in the order in which they start. Clients talk to the last one.
    pub tiers: Vec<Tier>,
}

/// A running service of a configuration, on a role.
#[derive(Debug, Clone)]
pub struct Tier {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// Its name in the file, if it has one.
    pub(crate) given_name: Option<String>,
    pub service: Service,
    pub factors: BTreeMap<String, String>,
    /// Factors that must be as they are set here for the configuration to be right: no others are offered.
    pub(crate) fixed: Vec<String>,
    /// Files of the stack that are rendered into the service's folder.
    pub templates: Vec<PathBuf>,
    /// The signs that it is ready, beyond those of the service's file.
    pub(crate) ready: ReadySettings,
    /// The stack's factor that has it trained in a run before its first start, if there is one.
    pub(crate) training: Option<Spanned<String>>,
    /// True if its figures are among the configuration's: not so of what its application depends on.
    pub is_measured: bool,
    /// The services that may run here: the one that runs, and those that could run instead.
    pub(crate) choices: Vec<Choice>,
}

/// A service that may run on a tier, with its factors as the stack sets them.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub service: Service,
    pub factors: BTreeMap<String, String>,
}

impl Stack {
    /// The files that are copied into a run's site, with their names there. An error if a build should have made one and
    /// didn't.
    pub(crate) fn deployed_files(&self) -> Result<Vec<(&RelativePath, PathBuf)>, Box<SettingsError>> {
        let find = |path| {
            let found = self.document.path(&self.place, path)?;
            if found.exists() {
                return Ok((path.get_ref(), found));
            }
            let remedy = format!("let `build` make {}, or correct the path", found.display());
            Err(self.document.error(Some(path.span()), is_missing(path), Some(remedy)))
        };
        self.deploy.iter().map(find).collect()
    }

    /// An error if a program isn't there that builds it.
    pub fn expect_builders(&self) -> Result<(), ManifestError> {
        for command in &self.build {
            let Some(program) = command.get_ref().first() else { continue };
            let own = || self.place.join(program).is_file();
            if testbed::find_program(program).is_none() && !(program.contains('/') && own()) {
                let fault = format!("`{program}`, which builds the stack, is not installed");
                let remedy = match self.packages.join(" ") {
                    none if none.is_empty() => format!("install what has `{program}`, or correct `build`"),
                    packages => format!("install it ({packages}), or correct `build`"),
                };
                return Err(self.document.error(Some(command.span()), fault, Some(remedy)).into());
            }
        }
        Ok(())
    }
}

/// Refuses to deploy what lies outside of the stack's folder, what is named twice, and what neither is there nor could be
/// made by a build: what Git ignores is made from something else.
fn expect_deployable(
    document: &Document,
    home: &Path,
    paths: &[Spanned<RelativePath>],
    is_built: bool,
) -> Result<(), ManifestError> {
    for (at, path) in paths.iter().enumerate() {
        let mut others = paths[..at].iter().chain(&paths[at + 1..]);
        if let Some(other) = others.find(|other| path.get_ref().is_within(other.get_ref())) {
            let fault = format!("`{}` is deployed with `{}` already", path.get_ref(), other.get_ref());
            return Err(document.error(Some(path.span()), fault, Some("leave it out".to_owned())).into());
        }
        let found = document.path(home, path)?;
        if !(found.exists() || is_built && is_ignored(home, &found)) {
            let mut remedy = format!("make {}", found.display());
            if is_built {
                remedy +=
                    &format!(", or name it in {} if the build makes it", home.join(GITIGNORE).display());
            }
            return Err(document.error(Some(path.span()), is_missing(path), Some(remedy)).into());
        }
    }
    Ok(())
}

fn is_missing(path: &Spanned<RelativePath>) -> String {
    format!("`{}`, which shall be deployed, does not exist", path.get_ref())
}

const GITIGNORE: &str = ".gitignore";

/// The name of the file, in the stack's folder.
pub(crate) const MANIFEST: &str = "stack.toml";

/// True if the stack's folder, or one of the two above it, has Git ignore a path. Nothing need be there yet.
fn is_ignored(home: &Path, path: &Path) -> bool {
    home.ancestors().take(3).any(|folder| {
        let (rules, _) = Gitignore::new(folder.join(GITIGNORE));
        [true, false].iter().any(|is_folder| rules.matched_path_or_any_parents(path, *is_folder).is_ignore())
    })
}

/// The factor that chooses the store, where application and stack leave a choice.
pub const DATABASE: &str = "database";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StackFile {
    title: String,
    language: String,
    applications: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "settings::package_names")]
    packages: Vec<String>,
    #[serde(default)]
    toolchain: Vec<Spanned<Vec<String>>>,
    #[serde(default)]
    build: Vec<Spanned<Vec<String>>>,
    #[serde(default)]
    deploy: Vec<Spanned<RelativePath>>,
    #[serde(default)]
    declare: BTreeMap<String, FactorEntry>,
    #[serde(default)]
    application: BTreeMap<Spanned<String>, AppSection>,
    #[serde(default)]
    profile: ComponentsFile,
    configuration: Vec<ConfigurationEntry>,
}

/// The needs of a stack for one of its applications alone, so that others are as they were before it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AppSection {
    #[serde(default, deserialize_with = "settings::package_names")]
    packages: Vec<String>,
    #[serde(default)]
    build: Vec<Spanned<Vec<String>>>,
    #[serde(default)]
    deploy: Vec<Spanned<RelativePath>>,
    #[serde(default)]
    declare: BTreeMap<String, FactorEntry>,
    database: Option<PlainName>,
    interactions: Option<Vec<Spanned<String>>>,
}

/// The table `[profile]`, and the whole of a `profile.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentsFile {
    #[serde(default)]
    components: Vec<Component>,
}

/// Beside the services: what a profile knows of all of them.
const COMMON: &str = "profile.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigurationEntry {
    name: Spanned<String>,
    summary: String,
    applications: Option<Vec<Spanned<String>>>,
    folder: Option<Spanned<PlainName>>,
    statements: Statements,
    #[serde(default)]
    declare: BTreeMap<String, FactorEntry>,
    #[serde(default)]
    set: BTreeMap<Spanned<String>, Spanned<String>>,
    tiers: Vec<TierEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TierEntry {
    role: PlainName,
    name: Option<PlainName>,
    service: Spanned<Services>,
    #[serde(default)]
    set: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    fixed: Vec<Spanned<String>>,
    #[serde(default)]
    templates: Vec<Spanned<RelativePath>>,
    ready_within: Option<Length>,
    ready_page: Option<Spanned<String>>,
    training: Option<Spanned<String>>,
}

/// One service, or a list of which one is chosen. Its place is known of the whole only.
#[derive(Deserialize)]
#[serde(untagged, expecting = "`service` must be a name, or a list of names")]
enum Services {
    One(String),
    OneOf(Vec<String>),
}

impl Services {
    fn names(services: Spanned<Self>) -> Vec<Spanned<String>> {
        let place = services.span();
        let names = match services.into_inner() {
            Self::One(name) => vec![name],
            Self::OneOf(names) => names,
        };
        names.into_iter().map(|name| Spanned::new(place.clone(), name)).collect()
    }
}

impl Stack {
    /// Reads the `stack.toml` in a folder. Services are looked for in the stack's folder, then in `services`; what it
    /// implements must be among these `applications`.
    pub fn read<A: AsRef<str>>(
        home: &Path,
        services: &Path,
        applications: &[A],
    ) -> Result<Self, ManifestError> {
        let path = home.join(MANIFEST);
        let document = Document::read(&path)?;
        let mut file: StackFile = document.parse()?;
        let known: Vec<&str> = applications.iter().map(AsRef::as_ref).collect();
        let applications = each_of(&document, &known, file.applications, "there is no application")?;
        expect_own_names(&document, &file.configuration)?;
        let factors = Factors::declare(&document, file.declare)?;
        let mut application_factors = BTreeMap::new();
        for (name, section) in &mut file.application {
            let declared = Factors::declare(&document, mem::take(&mut section.declare))?;
            factors.clone().add(&document, &declared)?;
            application_factors.insert(name.get_ref().clone(), declared);
        }
        let read = |entry: ConfigurationEntry| -> Result<Configuration, ManifestError> {
            let place = entry.name.span();
            let tiers = entry.tiers.into_iter().map(|tier| read_tier(&document, home, services, tier));
            let served = some_of(&document, &applications, entry.applications)?;
            let mut declared = factors.clone();
            for of_application in served.iter().filter_map(|name| application_factors.get(name)) {
                declared.add(&document, of_application)?;
            }
            declared.add(&document, &Factors::declare(&document, entry.declare)?)?;
            let mut configuration = Configuration {
                name: entry.name.into_inner(),
                summary: entry.summary,
                applications: served,
                folder: entry.folder.map(|folder| folder_of(&document, home, folder)).transpose()?,
                statements: entry.statements,
                factors: declared.choose(&document, &entry.set)?,
                declared,
                choices: Factors::default(),
                tiers: tiers.collect::<Result<_, _>>()?,
            };
            let checked = check(&configuration);
            checked.map_err(|(fault, remedy)| document.error(Some(place), fault, Some(remedy)))?;
            expect_settable(&document, &configuration)?;
            expect_trainable(&document, &configuration)?;
            configuration.leave_choices();
            configuration.enforce_settings();
            Ok(configuration)
        };
        let configurations = file.configuration.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let own: BTreeSet<&String> = configurations.iter().filter_map(|one| one.folder.as_ref()).collect();
        let other_folders: Vec<PathBuf> = own.into_iter().map(|folder| home.join(folder)).collect();
        for place in iter::once(home).chain(other_folders.iter().map(PathBuf::as_path)) {
            expect_deployable(&document, place, &file.deploy, !file.build.is_empty())?;
        }
        let known: Vec<&str> = applications.iter().map(String::as_str).collect();
        let names = file.application.keys().cloned().collect();
        each_of(&document, &known, names, "the stack does not implement")?;
        for section in file.application.values() {
            let all = [file.deploy.as_slice(), &section.deploy].concat();
            expect_deployable(&document, home, &all, !file.build.is_empty() || !section.build.is_empty())?;
        }
        let choices = configurations.iter().flat_map(|one| &one.tiers).flat_map(|tier| &tier.choices);
        let of_services = choices.flat_map(|choice| choice.service.packages()).map(String::from);
        Ok(Self {
            tools: of_services.chain(file.packages.iter().cloned()).collect(),
            name: home.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            home: home.into(),
            place: home.into(),
            other_folders,
            title: file.title,
            language: file.language,
            applications,
            packages: file.packages,
            preferred_database: None,
            interactions: None,
            sections: file
                .application
                .into_iter()
                .map(|(name, section)| (name.into_inner(), section))
                .collect(),
            toolchain: file.toolchain,
            build: file.build,
            deploy: file.deploy,
            document,
            factors,
            application_factors,
            configurations,
            components: file.profile.components,
            common: read_common(&services.join(COMMON))?,
        })
    }

    /// The components of a tier in the order in which a profile tries them: the stack's, the service's, and those that
    /// are the same for all.
    pub fn components(&self, tier: &Tier) -> Vec<Component> {
        [&self.components, tier.service.components(), &self.common].concat()
    }
}

impl Stack {
    /// The stack as one of its configurations is made of it: with the folder that it has to itself, without those that it
    /// hasn't.
    pub fn of(&self, configuration: &Configuration) -> Self {
        let place = configuration.folder.as_ref().map_or(self.home.clone(), |folder| self.home.join(folder));
        let other_folders = self.other_folders.iter().filter(|folder| **folder != place).cloned().collect();
        Self { place, other_folders, ..self.clone() }
    }

    /// Makes it the stack of one of its applications, with what it needs for that alone.
    pub fn narrow(&mut self, application: &str) {
        self.configurations.retain(|one| one.applications.iter().any(|name| name == application));
        let others = self.application_factors.iter().filter(|(name, _)| *name != application);
        let others: Vec<&str> = others.flat_map(|(_, factors)| factors.names()).collect();
        for configuration in &mut self.configurations {
            others.iter().for_each(|name| {
                configuration.declared.remove(name);
                configuration.factors.remove(*name);
            });
            configuration.declared.narrow(application);
        }
        self.factors.extend(self.application_factors.remove(application).unwrap_or_default());
        if let Some(section) = self.sections.get(application).cloned() {
            self.tools.extend(section.packages.iter().cloned());
            self.packages.extend(section.packages);
            self.build.extend(section.build);
            self.deploy.extend(section.deploy);
            self.preferred_database = section.database.map(PlainName::into_string);
            self.interactions = section.interactions;
        }
    }

    /// The interactions that a partial stack names; none if it has all.
    pub fn interactions(&self) -> Option<impl Iterator<Item = &str>> {
        self.interactions.as_ref().map(|names| names.iter().map(|name| name.get_ref().as_str()))
    }

    /// Refuses interactions that the application, which has these, hasn't, and an empty list.
    pub fn expect_interactions(&self, known: &[&str]) -> Result<(), ManifestError> {
        let Some(named) = &self.interactions else { return Ok(()) };
        if named.is_empty() {
            let remedy = "name those that it has, or leave `interactions` out if it has all".to_owned();
            let fault = format!("`{}` has no interaction of the application", self.name);
            return Err(self.document.error(None, fault, Some(remedy)).into());
        }
        each_of(&self.document, known, named.clone(), "the application has no interaction").map(drop)
    }

    /// Chooses the store of each configuration: the one that the stack prefers for the application, or the first of its
    /// `databases` that the stack can talk to. Where it can talk to several of them, the factor `database` chooses another.
    pub fn keep_in(&mut self, databases: &[String]) -> Result<(), WrongValue> {
        let mut databases = databases.to_vec();
        if let Some(preferred) = &self.preferred_database {
            let Some(place) = databases.iter().position(|name| name == preferred) else {
                return Err(WrongValue {
                    fault: format!("the stack prefers `{preferred}`, but the application is not kept there"),
                    remedy: format!("prefer one of its databases: {}", databases.join(", ")),
                });
            };
            databases[..=place].rotate_right(1);
        }
        self.configurations.iter_mut().try_for_each(|configuration| configuration.keep_in(&databases))
    }

    /// Gives each configuration a tier that runs before all others and isn't measured: a service that the application
    /// depends on.
    ///
    /// # Errors
    /// A tier of the stack has a factor of the same name as one of the service's.
    pub fn depend_on(&mut self, service: &Service, role: &str) -> Result<(), ManifestError> {
        let factors = service.factors.choose(&self.document, &BTreeMap::new())?;
        for configuration in &mut self.configurations {
            let names = configuration.tiers.iter().flat_map(|tier| tier.factors.keys());
            if let Some(name) =
                names.chain(configuration.factors.keys()).find(|name| factors.contains_key(*name))
            {
                let fault = format!(
                    "`{}` has a factor `{name}`, and so has the service `{}`, which the application depends on",
                    configuration.name, service.name
                );
                let remedy = "give one of them another name".to_owned();
                return Err(self.document.error(None, fault, Some(remedy)).into());
            }
            let tier = Tier {
                role: role.to_owned(),
                given_name: None,
                service: service.clone(),
                factors: factors.clone(),
                fixed: Vec::new(),
                templates: Vec::new(),
                ready: ReadySettings::default(),
                training: None,
                is_measured: false,
                choices: vec![Choice { service: service.clone(), factors: factors.clone() }],
            };
            configuration.tiers.insert(0, tier);
        }
        Ok(())
    }
}

impl Configuration {
    /// Makes a factor of each choice of what runs on a tier. Which stores there are is the application's to say.
    fn leave_choices(&mut self) {
        for tier in self.tiers.iter().filter(|tier| tier.choices.len() > 1) {
            let Some(factor) = tier.choice().filter(|factor| *factor != DATABASE) else { continue };
            let services: Vec<String> =
                tier.choices.iter().map(|choice| choice.service.name.clone()).collect();
            self.choices.add_one_of(factor, &services, "what runs on the tier of this name");
            self.factors.insert(factor.to_owned(), tier.service.name.clone());
        }
    }

    /// The value of a tier's factor that another factor's value sets.
    pub(crate) fn set_value(&self, tier: &Tier, factor: &str) -> Option<&str> {
        let mut set = self.declared.set_by(&self.factors);
        set.find(|(word, _)| tier.factor_meant_by(word) == factor).map(|(_, value)| value)
    }

    /// The protocol that browsers speak to its site: the factor `site_protocol` of its last tier, if that has it.
    pub fn site_protocol(&self) -> SiteProtocol {
        let value = self.tiers.last().and_then(|tier| tier.factors.get(SiteProtocol::FACTOR));
        value.and_then(|value| SiteProtocol::named(value)).unwrap_or_default()
    }

    /// True if a tier is trained in a run before its first start.
    pub(crate) fn trains(&self, tier: &Tier) -> bool {
        let factor = tier.training.as_ref().and_then(|factor| self.factors.get(factor.get_ref()));
        factor.is_some_and(|value| value == ON)
    }

    /// Applies what values of factors set on tiers.
    pub(crate) fn enforce_settings(&mut self) {
        let set = |tier: &Tier| -> BTreeMap<String, String> {
            let names = tier.service.factors.names();
            names.filter_map(|name| Some((name.to_owned(), self.set_value(tier, name)?.to_owned()))).collect()
        };
        let all: Vec<_> = self.tiers.iter().map(set).collect();
        self.tiers.iter_mut().zip(all).for_each(|(tier, set)| tier.factors.extend(set));
    }

    /// Restores the tiers' own values of factors that values of other factors set.
    pub(crate) fn withdraw_settings(&mut self) {
        let set = |tier: &Tier| -> BTreeMap<String, String> {
            let choice = tier.choices.iter().find(|choice| choice.service.name == tier.service.name);
            let own = choice.into_iter().flat_map(|choice| &choice.factors);
            let set = own.filter(|(name, _)| self.set_value(tier, name).is_some());
            set.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let all: Vec<_> = self.tiers.iter().map(set).collect();
        self.tiers.iter_mut().zip(all).for_each(|(tier, own)| tier.factors.extend(own));
    }

    fn keep_in(&mut self, databases: &[String]) -> Result<(), WrongValue> {
        for tier in self.tiers.iter_mut().filter(|tier| tier.service.store().is_some()) {
            let talks_to: Vec<String> =
                tier.choices.iter().map(|choice| choice.service.name.clone()).collect();
            let common: Vec<String> =
                databases.iter().filter(|name| talks_to.contains(name)).cloned().collect();
            let Some(first) = common.first() else {
                return Err(WrongValue {
                    fault: format!(
                        "`{}` keeps data in {}, but the application is not kept there",
                        self.name,
                        talks_to.join(" or ")
                    ),
                    remedy: match databases {
                        [] => "name the application's stores in `databases` of its app.toml".to_owned(),
                        databases => {
                            format!("add one of its databases to the tier: {}", databases.join(", "))
                        }
                    },
                });
            };
            tier.choices.retain(|choice| common.contains(&choice.service.name));
            if common.len() > 1 {
                self.choices.add_one_of(DATABASE, &common, "the store that keeps the application's data");
                self.factors.insert(DATABASE.to_owned(), first.clone());
            }
            tier.run(first);
        }
        self.enforce_settings();
        Ok(())
    }
}

impl Tier {
    /// Its name, by which templates and factors know it: that of what runs, unless its file gives it one.
    pub fn name(&self) -> &str {
        self.given_name.as_deref().unwrap_or(&self.service.name)
    }

    /// The factor that chooses what runs on it, where it leaves a choice: of a store `database`, or else its own name.
    pub(crate) fn choice(&self) -> Option<&str> {
        match self.choices.as_slice() {
            [] | [_] => None,
            _ if self.service.store().is_some() => Some(DATABASE),
            _ => self.given_name.as_deref(),
        }
    }

    /// The word without this tier's name before it.
    fn factor_meant_by<'a>(&self, word: &'a str) -> &'a str {
        let qualified = word.split_once('.').filter(|(tier, _)| *tier == self.name());
        qualified.map_or(word, |(_, name)| name)
    }

    /// Runs another service of its choices, if this is the name of one.
    pub(crate) fn run(&mut self, service: &str) {
        if let Some(choice) = self.choices.iter().find(|choice| choice.service.name == service) {
            self.service = choice.service.clone();
            self.factors = choice.factors.clone();
        }
    }
}

/// The components that are the same for all; none where nobody has written them down.
fn read_common(path: &Path) -> Result<Vec<Component>, ManifestError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let document = Document::read(path)?;
    Ok(document.parse::<ComponentsFile>()?.components)
}

/// The applications of the stack that a configuration names; all of them if it names none.
fn some_of(
    document: &Document,
    all: &[String],
    named: Option<Vec<Spanned<String>>>,
) -> Result<Vec<String>, ManifestError> {
    let Some(named) = named else { return Ok(all.to_vec()) };
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    each_of(document, &known, named, "the stack does not implement")
}

/// The words that are named, each of which must be known.
fn each_of(
    document: &Document,
    known: &[&str],
    named: Vec<Spanned<String>>,
    fault: &str,
) -> Result<Vec<String>, ManifestError> {
    if let Some(name) = named.iter().find(|name| !known.contains(&name.get_ref().as_str())) {
        let fault = format!("{fault} `{}`", name.get_ref());
        let remedy = did_you_mean(name.get_ref(), known.iter().copied());
        return Err(document.error(Some(name.span()), fault, Some(remedy)).into());
    }
    Ok(named.into_iter().map(Spanned::into_inner).collect())
}

fn expect_own_names(document: &Document, entries: &[ConfigurationEntry]) -> Result<(), ManifestError> {
    let names: Vec<&Spanned<String>> = entries.iter().map(|entry| &entry.name).collect();
    let is_taken = |(index, name): &(usize, &&Spanned<String>)| {
        names[..*index].iter().any(|earlier| earlier.get_ref() == name.get_ref())
    };
    let Some((_, name)) = names.iter().enumerate().find(is_taken) else { return Ok(()) };
    let fault = format!("there is a configuration `{}` already", name.get_ref());
    let remedy = "give one of them another name: figures are told apart by it".to_owned();
    Err(document.error(Some(name.span()), fault, Some(remedy)).into())
}

/// The fault of a configuration as a whole, and its remedy.
fn check(configuration: &Configuration) -> Result<(), (String, String)> {
    let name = &configuration.name;
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) {
        let fault = format!("`{name}` is no name for a configuration");
        return Err((fault, "make it of letters, digits and the marks . _ -".to_owned()));
    }
    if !configuration.tiers.last().is_some_and(|tier| tier.service.has_port()) {
        let fault = format!("clients can't talk to `{name}`: its last tier has no port");
        return Err((
            fault,
            "list its services in `tiers`, and last the one that clients talk to".to_owned(),
        ));
    }
    let store = configuration.tiers.iter().position(|tier| tier.service.store().is_some());
    if let Some(tier) = configuration.tiers[..store.unwrap_or_default()].first() {
        let fault =
            format!("in `{name}`, `{}` starts before the store, so it can't know where that is", tier.name());
        return Err((fault, "list the store first in `tiers`".to_owned()));
    }
    expect_own_tiers(configuration)?;
    expect_own_factors(configuration)
}

fn expect_own_tiers(configuration: &Configuration) -> Result<(), (String, String)> {
    let mut names = BTreeSet::new();
    let possible = configuration.tiers.iter().flat_map(|tier| {
        let services = tier.choices.iter().map(|choice| choice.service.name.as_str());
        let services: BTreeSet<&str> = services.collect();
        match tier.given_name.as_deref() {
            Some(given) => BTreeSet::from([given]),
            None => services,
        }
    });
    match possible.into_iter().find(|name| !names.insert(*name)) {
        Some(twice) => {
            let fault = format!("in `{}`, two tiers are called `{twice}`", configuration.name);
            Err((fault, "give one of them a `name` of its own".to_owned()))
        }
        None => Ok(()),
    }
}

/// Refuses factors of the stack, and such as choose what runs, that have the same name as another one: those of tiers
/// can be told apart by their tiers.
fn expect_own_factors(configuration: &Configuration) -> Result<(), (String, String)> {
    let mut owners: BTreeMap<&str, String> =
        configuration.declared.names().map(|factor| (factor, "the stack".to_owned())).collect();
    let both = |factor: &str, one: &str, other: &str| {
        let fault = format!("in `{}`, both {one} and {other} have a factor `{factor}`", configuration.name);
        Err((fault, "give one of them another name, so that each can be chosen".to_owned()))
    };
    for factor in configuration.tiers.iter().filter_map(Tier::choice) {
        let choice = match factor {
            DATABASE => "the choice of the database".to_owned(),
            tier => format!("the choice of what runs on `{tier}`"),
        };
        if let Some(other) = owners.insert(factor, choice.clone()) {
            return both(factor, &other, &choice);
        }
    }
    for choice in configuration.tiers.iter().flat_map(|tier| &tier.choices) {
        for factor in choice.service.factors.names() {
            if let Some(other) = owners.get(factor) {
                return both(factor, other, &format!("the service `{}`", choice.service.name));
            }
        }
    }
    Ok(())
}

/// Refuses values that set unknown or ambiguous factors, or are not for the configuration's applications.
fn expect_settable(document: &Document, configuration: &Configuration) -> Result<(), ManifestError> {
    let served: Vec<&str> = configuration.applications.iter().map(String::as_str).collect();
    for (factor, value, entry, is_default) in configuration.declared.setting_values() {
        if let Some(named) = entry.applications.clone() {
            let fault = format!("`{}` does not implement", configuration.name);
            let names = each_of(document, &served, named, &fault)?;
            if is_default && served.iter().any(|name| !names.iter().any(|known| known == name)) {
                let fault = format!(
                    "not all applications of `{}` can have the default of `{factor}`",
                    configuration.name
                );
                let remedy = "make a value the default that all of them can have".to_owned();
                return Err(document.error(Some(value.span()), fault, Some(remedy)).into());
            }
        }
        for (word, value) in &entry.set {
            let meant: Vec<(&Tier, &str)> = configuration
                .tiers
                .iter()
                .filter_map(|tier| {
                    let name = tier.factor_meant_by(word.get_ref());
                    all_names(&tier.choices).contains(&name).then_some((tier, name))
                })
                .collect();
            let [(tier, name)] = meant.as_slice() else {
                let all = configuration.tiers.iter().flat_map(|tier| all_names(&tier.choices));
                let (fault, remedy) = match meant.is_empty() {
                    true => (
                        format!("no tier of `{}` has a factor `{}`", configuration.name, word.get_ref()),
                        did_you_mean(
                            word.get_ref().rsplit('.').next().unwrap_or_default(),
                            all.collect::<BTreeSet<_>>(),
                        ),
                    ),
                    false => (
                        format!(
                            "in `{}`, several tiers have a factor `{}`",
                            configuration.name,
                            word.get_ref()
                        ),
                        "put the tier's name and a dot before it".to_owned(),
                    ),
                };
                return Err(document.error(Some(word.span()), fault, Some(remedy)).into());
            };
            for choice in &tier.choices {
                let checked = choice.service.factors.check(name, value.get_ref());
                checked.map_err(|WrongValue { fault, remedy }| {
                    document.error(Some(value.span()), fault, Some(remedy))
                })?;
            }
        }
    }
    Ok(())
}

/// Refuses a factor for training that the stack has not declared, or that does not say whether it takes place.
fn expect_trainable(document: &Document, configuration: &Configuration) -> Result<(), ManifestError> {
    for factor in configuration.tiers.iter().filter_map(|tier| tier.training.as_ref()) {
        let name = factor.get_ref();
        let (fault, remedy) = match configuration.declared.values(name) {
            _ if !configuration.declared.has(name) => (
                format!("`{name}`, which shall decide on training, is no factor of the stack"),
                did_you_mean(name, configuration.declared.names().collect::<BTreeSet<_>>()),
            ),
            values if !is_switch(values) => (
                format!("`{name}` can't decide on training: its values are others than false and true"),
                "declare it with `one_of = [\"false\", \"true\"]`".to_owned(),
            ),
            _ => continue,
        };
        return Err(document.error(Some(factor.span()), fault, Some(remedy)).into());
    }
    Ok(())
}

/// True if these are the values of a factor that is off or on.
fn is_switch(values: &[String]) -> bool {
    let values: BTreeSet<&str> = values.iter().map(String::as_str).collect();
    values == BTreeSet::from(["false", ON])
}

/// The value of such a factor that is on.
const ON: &str = "true";

fn read_tier(
    document: &Document,
    home: &Path,
    services: &Path,
    entry: TierEntry,
) -> Result<Tier, ManifestError> {
    let place = entry.service.span();
    let names = Services::names(entry.service);
    let found: Vec<Service> =
        names.iter().map(|name| find_service(document, home, services, name)).collect::<Result<_, _>>()?;
    let is_store = |service: &Service| service.store().is_some();
    if found.len() > 1 && entry.name.is_none() && !found.iter().all(is_store) {
        let fault =
            "what runs on this tier is chosen by a factor that is called as the tier, which has no name";
        let remedy = "give the tier a `name`".to_owned();
        return Err(document.error(Some(place), fault, Some(remedy)).into());
    }
    if let Some((name, _)) = names.iter().zip(&found).find(|(_, one)| is_store(one) != is_store(&found[0])) {
        let fault = format!(
            "`{}` can't run instead of `{}`: only one of them keeps data",
            name.get_ref(),
            names[0].get_ref()
        );
        let remedy = "list services that do the same".to_owned();
        return Err(document.error(Some(name.span()), fault, Some(remedy)).into());
    }
    let all: Vec<&Factors> = found.iter().map(|service| &service.factors).collect();
    let set = Factors::choose_of_each(&all, document, &entry.set)?;
    let choices: Vec<Choice> =
        found.into_iter().zip(set).map(|(service, factors)| Choice { service, factors }).collect();
    let Some(Choice { service, factors }) = choices.first().cloned() else {
        let fault = format!("the tier `{}` has no service", entry.role);
        return Err(document.error(Some(place), fault, Some("name one in `service`".to_owned())).into());
    };
    let mut templates = Vec::new();
    for template in entry.templates {
        let path = document.path(home, &template)?;
        if !path.is_file() {
            let fault = format!("the template `{}` does not exist", template.get_ref());
            let remedy = format!("make {}", path.display());
            return Err(document.error(Some(template.span()), fault, Some(remedy)).into());
        }
        templates.push(path);
    }
    let ready = ReadySettings {
        within: entry.ready_within,
        page: entry.ready_page.map(|page| page_of(document, &choices, page)).transpose()?,
    };
    let names: Vec<&str> = all_names(&choices);
    let fixed = each_of(document, &names, entry.fixed, "there is no factor")?;
    let role = entry.role.into_string();
    let given_name = entry.name.map(PlainName::into_string);
    let training = entry.training;
    let is_measured = true;
    Ok(Tier { role, given_name, service, factors, fixed, templates, ready, training, is_measured, choices })
}

/// A page whose answer shows that a tier is ready.
fn page_of(document: &Document, choices: &[Choice], page: Spanned<String>) -> Result<String, ManifestError> {
    let wrong = |fault: String, remedy: &str| {
        Err(document.error(Some(page.span()), fault, Some(remedy.to_owned())).into())
    };
    if let Some(choice) = choices.iter().find(|choice| !choice.service.listens()) {
        let fault = format!("`{}` listens on no port, so that no page can be asked for", choice.service.name);
        return wrong(fault, "give `ready_page` to the tier that serves pages");
    }
    match page.get_ref().starts_with('/') {
        true => Ok(page.into_inner()),
        false => wrong(format!("`{}` is no path of a page", page.get_ref()), "begin it with `/`"),
    }
}

/// The names of all factors that a tier may have.
fn all_names(choices: &[Choice]) -> Vec<&str> {
    choices.iter().flat_map(|choice| choice.service.factors.names()).collect()
}

/// The folder that a configuration has to itself.
fn folder_of(document: &Document, home: &Path, folder: Spanned<PlainName>) -> Result<String, ManifestError> {
    let place = folder.span();
    let folder = folder.into_inner().into_string();
    if home.join(&folder).is_dir() {
        return Ok(folder);
    }
    let remedy = format!("make {}, or correct `folder`", home.join(&folder).display());
    Err(document.error(Some(place), format!("there is no folder `{folder}`"), Some(remedy)).into())
}

/// The service of this name: the stack's own, or one that serves all stacks.
fn find_service(
    document: &Document,
    home: &Path,
    services: &Path,
    name: &Spanned<String>,
) -> Result<Service, ManifestError> {
    let wrong = |PathFault { fault, remedy }| document.error(Some(name.span()), fault, Some(remedy));
    let folder = PlainName::parse(name.get_ref()).map_err(wrong)?;
    let homes = [home.join("services"), services.to_owned()];
    let mut places = homes.iter().map(|homes| homes.join(&*folder));
    if let Some(found) = places.find(|home| home.join("service.toml").exists()) {
        return Service::read(&found);
    }
    let known = homes.iter().flat_map(|homes| folders(homes)).collect::<Vec<_>>();
    let remedy = did_you_mean(name.get_ref(), known.iter().map(String::as_str));
    let fault = format!("there is no service `{}`", name.get_ref());
    Err(document.error(Some(name.span()), fault, Some(remedy)).into())
}

fn folders(home: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home) else { return Vec::new() };
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
