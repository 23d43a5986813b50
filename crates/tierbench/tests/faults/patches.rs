//! The mistakes of `php.toml`, each of which must still apply.

use crate::{injection::Injection, sandbox::real_workspace};
use serde::Deserialize;
use std::fs;

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
    /// Below `stacks/php`.
    file: String,
    from: String,
    to: String,
    #[serde(default = "innodb")]
    engine: String,
    /// Each `NAME=VALUE`.
    #[serde(default)]
    factors: Vec<String>,
    /// Whether statements are not compared, so that something else must see it.
    #[serde(default)]
    unrecorded: bool,
    /// Seen only when everything is verified, so that nothing less is tried.
    #[serde(default)]
    deep: bool,
}

fn innodb() -> String {
    "InnoDB".to_owned()
}

/// Lets the configuration declare that it sends statements of its own.
const UNRECORDED: [&str; 3] = [
    "stacks/php/stack.toml",
    "PHP in a process pool of its own, behind Apache\"\nstatements = \"exact\"",
    "PHP in a process pool of its own, behind Apache\"\nstatements = \"equivalent\"",
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
        format!("stacks/php/{}", self.file)
    }

    /// Why it doesn't apply.
    fn misfit(&self) -> Option<String> {
        let text = fs::read_to_string(real_workspace().join(self.path())).unwrap_or_default();
        let count = text.matches(&self.from).count();
        (count != 1).then(|| format!("{}: {} has {count} times: {}", self.name, self.path(), self.from))
    }

    fn into_injection(self) -> Injection {
        let unrecorded = self.unrecorded.then(|| UNRECORDED.map(ToOwned::to_owned));
        Injection {
            name: format!("php.{}", self.name),
            edits: [[self.path(), self.from, self.to]].into_iter().chain(unrecorded).collect(),
            says: self.says,
            configuration: "WsPhpFpm-DB".to_owned(),
            factors: [format!("engine={}", self.engine)].into_iter().chain(self.factors).collect(),
            depths: if self.deep { &[FULL] } else { &[SMOKE, FULL] },
        }
    }
}
