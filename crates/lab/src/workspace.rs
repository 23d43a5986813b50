//! The workspace: the folder that holds applications, services and stacks, and what the words of a command mean in it.

mod describe;
mod records;
mod revisions;
mod timeouts;
mod variant;
mod variants;
mod workspace_error;

pub use describe::describe;
pub use records::Records;
pub use timeouts::Timeout;
pub(crate) use timeouts::{FACTOR as TIMEOUT, length};
pub use variant::Variant;
pub use variants::{vary, vary_one, vary_timeout};
pub use workspace_error::WorkspaceError;
pub(crate) use workspace_error::unknown;

use application::Application;
use fs_err as fs;
use results::{FactorChoice, NoOverride, VariantId};
use serde::Deserialize;
use services::{AuditRules, DataQuery, WrongValue};
use settings::{Document, PlainName, RelativePath, did_you_mean, read_text};
use stack::Stack;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use toml::Spanned;
use workload::{Catalogue, Mix};
use workspace_error::wrong_factor;

/// The folder of applications, services and stacks.
#[derive(Debug, Clone)]
pub struct Workspace {
    path: PathBuf,
}

impl Workspace {
    /// The workspace at `home`, or else the one that holds the current folder, or else the one that the executable was
    /// built in.
    pub fn find(home: Option<&Path>) -> Result<Self, WorkspaceError> {
        let here = match home {
            Some(home) => home.to_owned(),
            None => std::env::current_dir()?,
        };
        let executable = std::env::current_exe().ok().filter(|_| home.is_none());
        let above = here.ancestors().chain(executable.iter().flat_map(|path| path.ancestors()));
        let is_workspace =
            |path: &&Path| ["apps", "services", "stacks"].iter().all(|part| path.join(part).is_dir());
        let path = above.take(if home.is_some() { 1 } else { usize::MAX }).find(is_workspace);
        path.map(|path| Self { path: path.to_owned() }).ok_or(WorkspaceError::NotFound(here))
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn catalogue(&self, application: &str) -> Result<Catalogue, WorkspaceError> {
        let document = self.read(application, "app.toml")?;
        let catalogue = Catalogue::parse(&document)?;
        self.expect_mix(&document, &catalogue)?;
        Ok(catalogue)
    }

    /// The catalogue of an application whose model is asked, too. An error if the model was built with another one: what
    /// clients ask for would be held against what nobody promises.
    pub fn catalogue_of(&self, application: &dyn Application) -> Result<Catalogue, WorkspaceError> {
        let catalogue = self.catalogue(application.name())?;
        expect_built_with(&catalogue, application.catalogue())?;
        Ok(catalogue)
    }

    /// An error in a file of the application that names a mix, if there is none of that name.
    pub(crate) fn expect_mix(
        &self,
        document: &Document,
        catalogue: &Catalogue,
    ) -> Result<(), WorkspaceError> {
        #[derive(Deserialize)]
        struct Naming {
            mix: Spanned<String>,
        }
        let Naming { mix } = document.parse()?;
        let known = self.mixes(&catalogue.name)?;
        if known.contains(mix.get_ref()) {
            return Ok(());
        }
        let fault = format!("there is no mix `{}`", mix.get_ref());
        let remedy = did_you_mean(mix.get_ref(), known.iter().map(String::as_str));
        Err(document.error(Some(mix.span()), fault, Some(remedy)).into())
    }

    pub fn mix(&self, catalogue: &Catalogue, name: &str) -> Result<Mix, WorkspaceError> {
        let known = self.mixes(&catalogue.name)?;
        if !known.iter().any(|mix| mix == name) {
            return Err(unknown("mix", name, &known));
        }
        let document = self.read(&catalogue.name, &format!("mixes/{name}.toml"))?;
        Ok(Mix::parse(&document, catalogue)?)
    }

    /// A mix for these variants: of the folder `mixes/APPLICATION/` of one's stack, else of the application.
    ///
    /// # Errors
    /// Its users would visit an interaction that a partial stack lacks.
    pub fn mix_for(
        &self,
        catalogue: &Catalogue,
        name: &str,
        variants: &[Variant],
    ) -> Result<Mix, WorkspaceError> {
        let application = &catalogue.name;
        let file = RelativePath::parse(&format!("mixes/{application}/{name}.toml"))?;
        let own = variants.iter().map(|one| file.below(&one.stack.home)).collect::<Result<Vec<_>, _>>()?;
        let mix = match own.iter().find(|path| path.is_file()) {
            Some(path) => Mix::parse(&Document::read(path)?, catalogue)?,
            None => self.mix(catalogue, name)?,
        };
        for variant in variants {
            let mut visited = catalogue.ids().filter(|id| mix.steps(*id).next().is_some());
            if let Some(id) = visited.find(|id| !variant.has(&catalogue.get(*id).name)) {
                return Err(WorkspaceError::NotInStack {
                    mix: name.to_owned(),
                    interaction: catalogue.get(id).name.clone(),
                    stack: variant.stack.name.clone(),
                    place: format!("stacks/{}/mixes/{application}/NAME.toml", variant.stack.name),
                });
            }
        }
        Ok(mix)
    }

    /// The names of the mixes that a stack's own folder has for an application.
    pub fn own_mixes(&self, stack: &Stack, application: &str) -> Result<Vec<String>, WorkspaceError> {
        let folder = stack.home.join("mixes").join(application);
        let names = if folder.is_dir() { names(&folder)? } else { Vec::new() };
        Ok(names.iter().filter_map(|name| name.strip_suffix(".toml").map(ToOwned::to_owned)).collect())
    }

    /// The names of all applications.
    pub fn applications(&self) -> Result<Vec<String>, WorkspaceError> {
        let home = self.path.join("apps");
        let names = names(&home)?;
        Ok(names.into_iter().filter(|name| home.join(name).join("app.toml").is_file()).collect())
    }

    pub fn mixes(&self, application: &str) -> Result<Vec<String>, WorkspaceError> {
        let names = names(&self.file(application, "mixes")?)?;
        Ok(names.iter().filter_map(|name| name.strip_suffix(".toml").map(ToOwned::to_owned)).collect())
    }

    /// The application's schemas, by the databases that it can be kept in, each in that one's SQL.
    pub fn schemas(&self, catalogue: &Catalogue) -> Result<BTreeMap<String, String>, WorkspaceError> {
        let read = |name: &String| {
            let path = self.file(&catalogue.name, &format!("schema/{name}.sql"))?;
            let schema = read_text(&path)?;
            let created =
                schema.lines().filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split(' ').next());
            let tables: Vec<&str> = created.collect();
            match catalogue.constant_tables.iter().find(|table| !tables.contains(&table.as_str())) {
                Some(table) => Err(unknown("table", table, &tables)),
                None => Ok((name.clone(), schema)),
            }
        };
        catalogue.databases.iter().map(read).collect()
    }

    /// The invariants of an application's rows, and the rows that it derives by itself.
    pub fn audit_rules(&self, application: &dyn Application) -> Result<AuditRules, WorkspaceError> {
        let tables: Vec<&str> = application.tables().iter().map(|table| table.name).collect();
        let invariants = self.queries(application.name(), "invariants", &tables)?;
        let derived = self.queries(application.name(), "derived", &tables)?;
        match derived.iter().find(|query| !tables.contains(&query.name.as_str())) {
            Some(query) => Err(unknown("table", &query.name, &tables)),
            None => Ok(AuditRules { invariants, derived }),
        }
    }

    /// The statements that an application's stacks send.
    pub fn records(&self, application: &str) -> Result<Records, WorkspaceError> {
        Records::read(&self.application_home(application)?)
    }

    /// The queries in a folder of an application; none if there is no such folder.
    fn queries(
        &self,
        application: &str,
        folder: &str,
        tables: &[&str],
    ) -> Result<Vec<DataQuery>, WorkspaceError> {
        let home = self.file(application, folder)?;
        if !home.is_dir() {
            return Ok(Vec::new());
        }
        let files = names(&home)?;
        let queries = files.iter().filter_map(|file| file.strip_suffix(".sql"));
        queries
            .map(|name| {
                Ok(DataQuery::parse(name, &self.read(application, &format!("{folder}/{name}.sql"))?, tables)?)
            })
            .collect()
    }

    /// All stacks that implement an application, with their configurations that are for it.
    pub fn stacks(&self, application: &str) -> Result<Vec<Stack>, WorkspaceError> {
        let home = self.path.join("stacks");
        let folders = names(&home)?.into_iter().map(|name| home.join(name));
        let (services, applications) = (self.path.join("services"), self.applications()?);
        let stacks = folders.filter(|folder| folder.join("stack.toml").is_file());
        let mut stacks = stacks
            .map(|folder| Stack::read(&folder, &services, &applications))
            .collect::<Result<Vec<_>, _>>()?;
        expect_own_names(&stacks)?;
        for stack in &mut stacks {
            stack.narrow(application);
        }
        stacks.retain(|stack| !stack.configurations.is_empty());
        let catalogue = self.catalogue(application)?;
        let known: Vec<&str> = catalogue.interactions().iter().map(|one| one.name.as_str()).collect();
        stacks.iter().try_for_each(|stack| stack.expect_interactions(&known))?;
        let Catalogue { databases, stores, depends, .. } = catalogue;
        let kept_in = [databases, stores].concat();
        for stack in &mut stacks {
            let file = manifest_of(stack);
            let wrong = |wrong: WrongValue| wrong_factor(format!("{file}: {}", wrong.fault), wrong.remedy);
            stack.keep_in(&kept_in).map_err(wrong)?;
            for dependency in &depends {
                let service =
                    services::Service::read(&self.path.join("services").join(&*dependency.service))?;
                stack.depend_on(&service, &dependency.role)?;
            }
        }
        Ok(stacks)
    }

    /// All services, the ones that only a stack needs included.
    pub fn services(&self) -> Result<Vec<services::Service>, WorkspaceError> {
        let stacks = names(&self.path.join("stacks"))?;
        let stacks = stacks.iter().map(|name| self.path.join("stacks").join(name).join("services"));
        let homes = std::iter::once(self.path.join("services")).chain(stacks.filter(|home| home.is_dir()));
        let mut found = Vec::new();
        for home in homes {
            for name in names(&home)?.iter().filter(|name| home.join(name).is_dir()) {
                found.push(services::Service::read(&home.join(name))?);
            }
        }
        Ok(found)
    }

    /// The variants that words name: a stack's name stands for all its configurations, `stack/configuration` and
    /// `configuration` for one; with factors behind it, as in `configuration,engine=MyISAM`, that variant is meant.
    pub fn choose(&self, application: &str, words: &[String]) -> Result<Vec<Variant>, WorkspaceError> {
        let stacks = self.stacks(application)?;
        let mut chosen: Vec<Variant> = Vec::new();
        for word in words {
            let id = parsed(word)?;
            let matching = match id.committed() {
                Some(at) => self.matching_at(application, &stacks, at)?,
                None => matching(&stacks, &id.configuration),
            };
            let VariantId { configuration, overrides, .. } = id;
            if matching.is_empty() {
                return Err(unknown("stack or configuration", &configuration, &all_words(&stacks)));
            }
            let choices = overrides.into_iter().map(|(name, value)| FactorChoice::one(name, value));
            let matching = vary(&matching, &choices.collect::<Vec<_>>())?;
            let new = |choice: &Variant| {
                !chosen.iter().any(|known| known.configuration.name == choice.configuration.name)
            };
            let matching: Vec<Variant> = matching.into_iter().filter(new).collect();
            chosen.extend(matching);
        }
        Ok(chosen)
    }

    /// Reads a file of an application, which is named below the application's folder.
    pub(crate) fn read(&self, application: &str, name: &str) -> Result<Document, WorkspaceError> {
        Ok(Document::read(&self.file(application, name)?)?)
    }

    fn file(&self, application: &str, name: &str) -> Result<PathBuf, WorkspaceError> {
        Ok(RelativePath::parse(name)?.below(&self.application_home(application)?)?)
    }

    fn application_home(&self, application: &str) -> Result<PathBuf, WorkspaceError> {
        Ok(self.path.join("apps").join(&*PlainName::parse(application)?))
    }
}

fn expect_built_with(catalogue: &Catalogue, built: &Catalogue) -> Result<(), WorkspaceError> {
    if catalogue == built { Ok(()) } else { Err(WorkspaceError::OtherModel(catalogue.name.clone())) }
}

fn manifest_of(stack: &Stack) -> String {
    stack.home.join("stack.toml").display().to_string()
}

/// Refuses configurations of one name in two stacks: points and peaks know configurations by their names alone.
fn expect_own_names(stacks: &[Stack]) -> Result<(), WorkspaceError> {
    let mut owners: BTreeMap<&str, &Stack> = BTreeMap::new();
    for stack in stacks {
        for configuration in &stack.configurations {
            if let Some(other) = owners.insert(&configuration.name, stack) {
                let (name, one, other) = (configuration.name.clone(), manifest_of(other), manifest_of(stack));
                return Err(WorkspaceError::SameName { name, one, other });
            }
        }
    }
    Ok(())
}

fn matching(stacks: &[Stack], word: &str) -> Vec<Variant> {
    let all = stacks
        .iter()
        .flat_map(|stack| stack.configurations.iter().map(move |configuration| (stack, configuration)));
    let meant = all.filter(|(stack, configuration)| {
        let (name, of) = (&configuration.name, &stack.name);
        word == of || word == name || word.split_once('/') == Some((of, name))
    });
    meant
        .map(|(stack, configuration)| Variant {
            stack: stack.of(configuration),
            configuration: configuration.clone(),
            timeout: Timeout::default(),
            chosen: Vec::new(),
        })
        .collect()
}

/// A word of the command that names a configuration, perhaps with factors behind it.
fn parsed(word: &str) -> Result<VariantId, WorkspaceError> {
    let id = word.parse().map_err(|NoOverride(part)| not_a_factor(&part))?;
    match id {
        // Nobody but `compare --aa-test` lets a configuration take part twice.
        VariantId { is_again: true, .. } => Err(not_a_factor("again")),
        id => Ok(id),
    }
}

fn not_a_factor(part: &str) -> WorkspaceError {
    wrong_factor(NoOverride(part.to_owned()).to_string(), "write it like engine=MyISAM".to_owned())
}

fn all_words(stacks: &[Stack]) -> Vec<String> {
    let words = stacks.iter().flat_map(|stack| {
        std::iter::once(stack.name.clone()).chain(stack.configurations.iter().map(|one| one.name.clone()))
    });
    words.collect()
}

/// The names of what is in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, WorkspaceError> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_was_built_with_another_file_is_refused() {
        let text = include_str!("../../../apps/comments/app.toml");
        let parsed = |text: &str| Catalogue::parse(&Document::new("app.toml", text)).unwrap();
        let built = parsed(text);
        assert!(expect_built_with(&parsed(&format!("# Only for people.\n{text}")), &built).is_ok());
        let changed = text.replacen("max_length = ", "max_length = 1", 1);
        assert_ne!(changed, text);
        let fault = expect_built_with(&parsed(&changed), &built).unwrap_err();
        let shown = format!("{:?}", miette::Report::new(fault));
        assert!(shown.contains("apps/comments/app.toml") && shown.contains("run `make build`"), "{shown}");
    }
}
