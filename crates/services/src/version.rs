//! Properties of a service without an instance: version, profiler, warm-up time.

use crate::{Service, ServiceError, instance::render, program};
use minijinja::{Value, context, value::Serde};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Warm-up time of a service without a JIT compiler.
const WARM_UP: Duration = Duration::from_secs(10);

impl Service {
    /// The version with these factors in force: the first line that the program prints. A program of the stack is
    /// found in `site`, the stack's folder or its deployment. An error is the output, maybe empty.
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

    /// For a JVM: the folder into which its profiler is unpacked, before anything of it runs. One that a stack brings
    /// is found in `site`, as for [`Service::version`].
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

    /// Approximate time at peak load until the CPU time per interaction is steady.
    pub fn warm_up(&self) -> Duration {
        self.file.warm_up.map_or(WARM_UP, |length| length.0)
    }

    fn values(&self, factors: &BTreeMap<String, String>, site: Option<&Path>) -> Value {
        context! {
            home => Serde(&self.home), factor => self.factors.rendered(factors, 1.0),
            site => Serde(site.unwrap_or(Path::new(""))),
        }
    }
}
