//! What the program of a service says of its version.

use crate::{Service, instance::render, program};
use minijinja::{context, value::Serde};
use std::{collections::BTreeMap, path::Path, process::Command};

impl Service {
    /// What the program says of its version, with these factors in force: the first line it prints. What a stack brings
    /// itself is found in `site`, its folder or where it is deployed. An error is what it says instead.
    pub fn version(&self, factors: &BTreeMap<String, String>, site: Option<&Path>) -> Result<String, String> {
        let program = program::find(self, std::env::current_exe().ok().as_deref())
            .map_err(|fault| fault.to_string())?;
        let values = context! {
            home => Serde(&self.home), factor => self.factors.rendered(factors, 1.0),
            site => Serde(site.unwrap_or(Path::new(""))),
        };
        let words = self.file.version.iter().map(|word| render(word, &values));
        let words = words
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| format!("`version` in its file: {fault}"))?;
        let output = Command::new(program).args(words).output().map_err(|fault| fault.to_string())?;
        let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().next().unwrap_or_default().trim().to_owned();
        if output.status.success() { Ok(line) } else { Err(line) }
    }
}
