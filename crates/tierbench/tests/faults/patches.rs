//! The mistakes of `php.toml`, each of which must still apply.

use crate::{
    injection::{Detection, Injection},
    sandbox::real_workspace,
};
use serde::Deserialize;
use std::{fs, iter};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patches {
    patch: Vec<Patch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    name: String,
    says: String,
    #[serde(default = "auction")]
    application: String,
    /// Place of `file`.
    #[serde(default = "php")]
    folder: String,
    file: String,
    from: String,
    to: String,
    #[serde(default = "mariadb")]
    database: String,
    #[serde(default = "innodb")]
    engine: String,
    /// Each `NAME=VALUE`.
    #[serde(default)]
    factors: Vec<String>,
    /// True if statements are not compared, so that something else must see it.
    #[serde(default)]
    unrecorded: bool,
    /// Seen only when everything is verified, so that nothing less is tried.
    #[serde(default)]
    deep: bool,
    /// Seen only at the size that is measured.
    #[serde(default)]
    measured: bool,
}

fn auction() -> String {
    "auction".to_owned()
}

fn php() -> String {
    "stacks/php".to_owned()
}

fn mariadb() -> String {
    MARIADB.to_owned()
}

fn innodb() -> String {
    "InnoDB".to_owned()
}

/// The database that has storage engines.
const MARIADB: &str = "mariadb";

/// Lets the configuration declare that it sends statements of its own.
const UNRECORDED: [&str; 3] = [
    "stacks/php/stack.toml",
    "behind Apache\"\napplications = [\"auction\", \"bookstore\", \"comments\"]\nstatements = \"exact\"",
    "behind Apache\"\napplications = [\"auction\", \"bookstore\", \"comments\"]\nstatements = \"equivalent\"",
];

const SMOKE: &[&str] = &["--smoke"];
const FULL: &[&str] = &["--requests", "150", "--steps", "600"];

/// Reads the patches; panics, naming all that don't apply.
pub(crate) fn read() -> Vec<Injection> {
    let Patches { patch } = toml::from_str(include_str!("php.toml")).unwrap();
    let stale: Vec<String> = patch.iter().filter_map(Patch::misfit).collect();
    assert!(stale.is_empty(), "these patches don't apply, mend php.toml:\n{}", stale.join("\n"));
    patch.into_iter().map(Patch::into_injection).collect()
}

impl Patch {
    fn path(&self) -> String {
        format!("{}/{}", self.folder, self.file)
    }

    /// Edits in the workspace: a file, its text now, and what takes its place.
    fn edits(&self) -> Vec<[String; 3]> {
        let own = [self.path(), self.from.clone(), self.to.clone()];
        let unrecorded = self.unrecorded.then(|| UNRECORDED.map(ToOwned::to_owned));
        iter::once(own).chain(unrecorded).collect()
    }

    /// Reason why it doesn't apply.
    fn misfit(&self) -> Option<String> {
        self.edits().into_iter().find_map(|[path, from, _]| {
            let text = fs::read_to_string(real_workspace().join(&path)).unwrap_or_default();
            let count = text.matches(&from).count();
            (count != 1).then(|| format!("{}: {path} has {count} times: {from}", self.name))
        })
    }

    fn into_injection(self) -> Injection {
        Injection {
            name: format!("php.{}", self.name),
            edits: self.edits(),
            says: self.says,
            application: self.application,
            configuration: "WsPhpFpm-DB".to_owned(),
            factors: iter::once(format!("database={}", self.database))
                .chain((self.database == MARIADB).then(|| format!("engine={}", self.engine)))
                .chain(self.factors)
                .collect(),
            detection: match (self.measured, self.deep) {
                (true, _) => Detection::Measurement,
                (false, true) => Detection::Verification(&[FULL]),
                (false, false) => Detection::Verification(&[SMOKE, FULL]),
            },
        }
    }
}
