//! Properties of a service without an instance: version, profiler, warm-up time.

use crate::{Service, ServiceError, program, template::render};
use minijinja::{Value, context, value::Serde};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};
use testbed::HostHandle;

/// The laboratory's executable on a host.
pub(crate) fn own_executable(place: &HostHandle) -> Option<PathBuf> {
    place.own_paths().map(|(executable, _)| executable.to_owned()).or_else(|| std::env::current_exe().ok())
}

/// Warm-up time of a service without a JIT compiler.
const WARM_UP: Duration = Duration::from_secs(10);

impl Service {
    /// The version with these factors in force: the first line that the program prints. A program of the stack is
    /// found in `site`, the stack's folder or its deployment. An error is the output, maybe empty.
    pub fn version(&self, factors: &BTreeMap<String, String>, site: Option<&Path>) -> Result<String, String> {
        self.version_on(&HostHandle::default(), factors, site)
    }

    /// The same on a host.
    pub fn version_on(
        &self,
        place: &HostHandle,
        factors: &BTreeMap<String, String>,
        site: Option<&Path>,
    ) -> Result<String, String> {
        let own = own_executable(place);
        let program = program::find(self, own.as_deref(), place).map_err(|fault| fault.to_string())?;
        if self.file.version.is_empty() {
            return Err("its file has no `version`".to_owned());
        }
        let values = self.values(factors, site);
        let words = self.file.version.iter().map(|word| render(word, &values));
        let words = words
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| format!("`version` in its file: {fault}"))?;
        let printed = place.output(&program, &words).map_err(|fault| fault.to_string())?;
        let text = if printed.stdout.is_empty() { printed.stderr } else { printed.stdout };
        let line = text.lines().next().unwrap_or_default().trim().to_owned();
        if printed.is_success && !line.is_empty() { Ok(line) } else { Err(line) }
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
