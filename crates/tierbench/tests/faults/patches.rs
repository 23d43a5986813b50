//! The mistakes of `php.toml`, each of which must still apply.

use crate::{bench::real_house, injection::Injection};
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
    /// Seen only when everything is verified, so that nothing less is tried.
    #[serde(default)]
    deep: bool,
}

fn innodb() -> String {
    "InnoDB".to_owned()
}

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

    fn misfit(&self) -> Option<String> {
        let text = fs::read_to_string(real_house().join(self.path())).unwrap_or_default();
        let count = text.matches(&self.from).count();
        (count != 1).then(|| format!("{}: {} has {count} times: {}", self.name, self.path(), self.from))
    }

    fn into_injection(self) -> Injection {
        Injection {
            name: format!("php.{}", self.name),
            says: self.says.clone(),
            edit: Some((self.path(), self.from, self.to)),
            configuration: "WsPhpFpm-DB".to_owned(),
            factors: vec![format!("engine={}", self.engine)],
            depths: if self.deep { &[FULL] } else { &[SMOKE, FULL] },
        }
    }
}
