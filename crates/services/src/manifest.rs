//! `service.toml`: how a server program runs as a private, throw-away instance.

use crate::{
    factor::{FactorEntry, Factors},
    sampler::SamplerEntry,
    store_kind::StoreKind,
};
use fs_err as fs;
use results::Component;
use serde::Deserialize;
use settings::{Document, PathFault, RelativePath, SettingsError, did_you_mean, read_text};
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::Duration,
};
use toml::Spanned;
use workload::Length;

/// A server program with its manifest; `docs/manifests.md` describes the file.
#[derive(Debug, Clone)]
pub struct Service {
    /// Also the name of its folder.
    pub name: String,
    /// The folder with `service.toml` and `templates/`.
    pub home: PathBuf,
    pub(crate) document: Document,
    pub(crate) file: ServiceFile,
    pub factors: Factors,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceFile {
    pub title: String,
    pub program: Spanned<String>,
    #[serde(default)]
    pub program_folders: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "settings::package_names")]
    pub packages: Vec<String>,
    #[serde(default)]
    pub version: Vec<String>,
    #[serde(default)]
    pub oldest: Option<String>,
    #[serde(default)]
    pub ports: Vec<String>,
    #[serde(default)]
    pub folders: Vec<Spanned<RelativePath>>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    #[serde(default)]
    pub offers: BTreeMap<String, String>,
    #[serde(default)]
    pub prepare: Vec<Spanned<Vec<String>>>,
    pub command: Vec<String>,
    pub ready: Spanned<Ready>,
    #[serde(default)]
    pub after_start: Vec<AfterStart>,
    pub stop: StopEntry,
    #[serde(default)]
    pub warm_up: Option<Length>,
    pub log: Option<Spanned<RelativePath>>,
    #[serde(default)]
    pub store: Option<StoreKind>,
    #[serde(default)]
    pub sampler: Option<SamplerEntry>,
    #[serde(default)]
    pub profile: ProfileEntry,
    #[serde(default)]
    declare: BTreeMap<String, FactorEntry>,
    #[serde(default)]
    pub cause: Vec<Cause>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ready {
    pub port: Option<Spanned<String>>,
    pub socket: Option<Spanned<String>>,
    /// A request for this path on the named port succeeds, beside the connection.
    pub http: Option<String>,
    /// Its log holds this text.
    pub says: Option<String>,
    /// The time limit for a program that is alive.
    #[serde(default = "ready_within")]
    pub within: Length,
    /// A text in its log that means failure although it answers.
    pub unless: Option<String>,
}

fn ready_within() -> Length {
    Length(Duration::from_secs(120))
}

/// A command to run once the service answers, before clients come: deploying the application into a running server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AfterStart {
    pub run: Spanned<Vec<String>>,
    pub within: Length,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopEntry {
    pub signal: StopSignal,
    pub within: Length,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum StopSignal {
    Term,
    Int,
    Quit,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileEntry {
    /// For a JVM: the folder into which async-profiler's package is unpacked.
    pub agent: Option<Spanned<String>>,
    #[serde(default)]
    pub components: Vec<Component>,
}

/// A known reason for a failed start, recognised by a text in its log.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cause {
    pub when: String,
    pub is: String,
    pub remedy: String,
}

impl ServiceFile {
    /// The cause and the remedy, if the output shows a known reason.
    pub fn known_cause(&self, said: &str) -> Option<String> {
        let cause = self.cause.iter().find(|cause| said.contains(&cause.when))?;
        Some(format!("{}; {}", cause.is, cause.remedy))
    }
}

const FOLDER: &str = "{{ folder }}/";
const SITE: &str = "{{ site }}/";

impl ServiceFile {
    fn check_ready(&self, document: &Document) -> Result<(), Box<SettingsError>> {
        let ready = self.ready.get_ref();
        let wrong = |fault: &str, remedy: &str| {
            Err(document.error(Some(self.ready.span()), fault, Some(remedy.to_owned())))
        };
        match (&ready.port, &ready.socket) {
            (None, None) if ready.says.is_none() => wrong(
                "nothing tells when it is ready",
                "name in `ready` one of its ports as `port`, the path of a `socket`, or what its log `says` then",
            ),
            (None, _) if ready.http.is_some() => {
                wrong("nothing tells where `http` is asked for", "name one of its ports as `port`")
            }
            (Some(port), _) if !self.ports.contains(port.get_ref()) => {
                let fault = format!("there is no port `{}`", port.get_ref());
                let remedy = match self.ports.is_empty() {
                    true => "name it in `ports`".to_owned(),
                    false => did_you_mean(port.get_ref(), self.ports.iter().map(String::as_str)),
                };
                Err(document.error(Some(port.span()), fault, Some(remedy)))
            }
            _ => Ok(()),
        }
    }

    fn check_program_folders(&self, document: &Document) -> Result<(), Box<SettingsError>> {
        let is_right = |folder: &str| {
            let plain = folder.replacen("/*/", "/", 1);
            folder.starts_with('/') && !plain.contains('*')
        };
        let Some(wrong) = self.program_folders.iter().find(|folder| !is_right(folder.get_ref())) else {
            return Ok(());
        };
        let fault = format!("`{}` is no folder in which a program can be found", wrong.get_ref());
        let remedy = "begin it with `/`; one `*` may stand for a whole part, as in /usr/lib/postgresql/*/bin";
        Err(document.error(Some(wrong.span()), fault, Some(remedy.to_owned())))
    }

    fn check_after_start(&self, document: &Document) -> Result<(), Box<SettingsError>> {
        let Some(empty) = self.after_start.iter().find(|step| step.run.get_ref().is_empty()) else {
            return Ok(());
        };
        let remedy = "name a program and its arguments".to_owned();
        Err(document.error(Some(empty.run.span()), "this step runs nothing", Some(remedy)))
    }

    /// Refuses sockets and profilers outside the instance and the deployed stack.
    fn check_places(&self, document: &Document) -> Result<(), Box<SettingsError>> {
        let sampler = self.sampler.as_ref().and_then(|sampler| sampler.socket.as_ref());
        let sockets = self.ready.get_ref().socket.iter().chain(sampler).map(|path| (path, FOLDER));
        let agent = self.profile.agent.iter().map(|path| (path, SITE));
        sockets.chain(agent).try_for_each(|(path, begin)| {
            let wrong = |fault: String, remedy| Err(document.error(Some(path.span()), fault, Some(remedy)));
            let Some(rest) = path.get_ref().strip_prefix(begin) else {
                return wrong(
                    format!("`{}` doesn't begin with `{begin}`", path.get_ref()),
                    format!("write `{begin}NAME`"),
                );
            };
            match RelativePath::parse(rest) {
                Ok(_) => Ok(()),
                Err(PathFault { fault, remedy }) => wrong(fault, remedy),
            }
        })
    }
}

impl Service {
    pub fn read(home: &Path) -> Result<Self, ManifestError> {
        let path = home.join("service.toml");
        let document = Document::read(&path)?;
        let file: ServiceFile = document.parse()?;
        file.declare.values().try_for_each(|factor| factor.expect_plain(&document))?;
        let factors = Factors::declare(&document, file.declare.clone())?;
        file.sampler.as_ref().map_or(Ok(()), |sampler| sampler.check(&document, &file.ports, file.store))?;
        file.check_program_folders(&document)?;
        file.check_ready(&document)?;
        file.check_after_start(&document)?;
        file.check_places(&document)?;
        let name = home.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, home: home.into(), document, file, factors })
    }

    pub fn title(&self) -> &str {
        &self.file.title
    }

    pub fn program(&self) -> &str {
        self.file.program.get_ref()
    }

    pub fn packages(&self) -> &[String] {
        &self.file.packages
    }

    /// True if clients can connect to it.
    pub fn has_port(&self) -> bool {
        !self.file.ports.is_empty()
    }

    /// The kind of data store, if it keeps the application's data.
    pub fn store(&self) -> Option<StoreKind> {
        self.file.store
    }

    pub fn components(&self) -> &[Component] {
        &self.file.profile.components
    }

    pub(crate) fn sampler(&self) -> Option<&SamplerEntry> {
        self.file.sampler.as_ref()
    }

    /// All configuration texts apart from values in them: templates, and the preparing commands.
    pub fn configuration(&self) -> io::Result<Vec<String>> {
        let mut texts: Vec<String> = self.file.prepare.iter().flat_map(Spanned::get_ref).cloned().collect();
        let templates = self.home.join("templates");
        if templates.is_dir() {
            read_all(&templates, &mut texts)?;
        }
        Ok(texts)
    }
}

/// Names and texts of all files below a folder, by name.
fn read_all(folder: &Path, texts: &mut Vec<String>) -> io::Result<()> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut paths = entries?;
    paths.sort();
    for path in paths {
        texts.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        match path.is_dir() {
            true => read_all(&path, texts)?,
            false => texts.push(read_text(&path)?),
        }
    }
    Ok(())
}

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ManifestError {
    /// Invalid contents.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Settings(#[from] Box<SettingsError>),
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(ready: &str) -> Result<Service, String> {
        let home = tempfile::tempdir().unwrap();
        let file = format!(
            "title = 'a'\nprogram = 'sh'\nports = ['admin']\ncommand = ['a']\nready = {{ {ready}, within = '1s' }}\n\
             stop = {{ signal = 'TERM', within = '1s' }}\n"
        );
        std::fs::write(home.path().join("service.toml"), file).unwrap();
        Service::read(home.path()).map_err(|fault| format!("{:?}", miette::Report::new(fault)))
    }

    #[test]
    fn a_service_without_a_sign_of_readiness_is_refused() {
        for right in ["says = 'started'", "port = 'admin'", "port = 'admin', http = '/', says = 'started'"] {
            assert!(read(right).is_ok(), "{right}");
        }
        for (wrong, text) in [
            ("unless = 'failed'", "nothing tells when it is ready"),
            ("http = '/', says = 'started'", "nothing tells where `http` is asked for"),
            ("port = 'amin'", "did you mean `admin`?"),
        ] {
            let fault = read(wrong).unwrap_err();
            assert!(fault.contains(text) && fault.contains("service.toml"), "{wrong}: {fault}");
        }
    }
}
