//! Finding a service's program, and the remedy when it is missing.

use crate::Service;
use std::path::{Path, PathBuf};
use testbed::find_program;
use thiserror::Error;

/// A server program that isn't installed.
#[derive(Debug, Clone, Error)]
#[error("`{program}`, which the service `{service}` runs, is not installed; {remedy}")]
pub struct MissingProgram {
    /// The service.
    pub service: String,
    /// The program.
    pub program: String,
    /// What to do.
    pub remedy: String,
}

/// The word in a `program` that stands for the laboratory's own executable.
const OWN: &str = "tierbench";

/// Finds the program of a service. `own` is the laboratory's executable.
pub(crate) fn find(service: &Service, own: Option<&Path>) -> Result<PathBuf, MissingProgram> {
    let name = service.program();
    let found = if name == OWN { own.map(Path::to_path_buf) } else { find_program(name) };
    found.ok_or_else(|| missing(service, name))
}

/// The error for a program that isn't there.
pub(crate) fn missing(service: &Service, program: &str) -> MissingProgram {
    MissingProgram { service: service.name.clone(), program: program.to_owned(), remedy: remedy(service) }
}

/// How a service's programs are brought here: the packages that hold them.
pub(crate) fn remedy(service: &Service) -> String {
    let packages = service.packages().join(" ");
    if packages.is_empty() {
        format!("put it into PATH, or correct `program` in {}", service.home.join("service.toml").display())
    } else {
        format!("run `make deps` as root; it installs {packages}, and starts no service")
    }
}
