//! What is known of a service before an instance of it is made: what its program says of its version, where its profiler
//! is, and how long it takes to be warm.

use crate::{Service, ServiceError, instance::render, program};
use minijinja::{Value, context, value::Serde};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// How long it takes until a service is warm in which nothing compiles.
const WARM_UP: Duration = Duration::from_secs(10);

impl Service {
    /// What the program says of its version, with these factors in force: the first line it prints. What a stack brings
    /// itself is found in `site`, its folder or where it is deployed. An error is what it says instead, maybe nothing.
    pub fn version(&self, factors: &BTreeMap<String, String>, site: Option<&Path>) -> Result<String, String> {
        let program = program::find(self, std::env::current_exe().ok().as_deref())
            .map_err(|fault| fault.to_string())?;
        if self.file.version.is_empty() {
            return Err("its file has no `version`".to_owned());
        }
        let values = self.values(factors, site);
        let words = self.file.version.iter().map(|word| render(word, &values));
        let words = words
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| format!("`version` in its file: {fault}"))?;
        let output = Command::new(program).args(words).output().map_err(|fault| fault.to_string())?;
        let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().next().unwrap_or_default().trim().to_owned();
        if output.status.success() && !line.is_empty() { Ok(line) } else { Err(line) }
    }

    /// Of a JVM: the folder that its profiler is unpacked into, before anything of it runs. What a stack brings is found
    /// in `site`, as for [`Service::version`].
    pub fn agent(
        &self,
        factors: &BTreeMap<String, String>,
        site: &Path,
    ) -> Option<Result<PathBuf, ServiceError>> {
        let agent = self.file.profile.agent.as_ref()?;
        let rendered = render(agent.get_ref(), &self.values(factors, Some(site)));
        Some(rendered.map(PathBuf::from).map_err(|fault| ServiceError::Template {
            place: format!("{}, `profile.agent`", self.home.join("service.toml").display()),
            fault: fault.to_string(),
        }))
    }

    /// About how long it takes under a full load until an interaction costs what it will cost.
    pub fn warm_up(&self) -> Duration {
        self.file.warm_up.map_or(WARM_UP, |length| length.0)
    }

    /// What is known of it while no instance runs.
    fn values(&self, factors: &BTreeMap<String, String>, site: Option<&Path>) -> Value {
        context! {
            home => Serde(&self.home), factor => self.factors.rendered(factors, 1.0),
            site => Serde(site.unwrap_or(Path::new(""))),
        }
    }
}
