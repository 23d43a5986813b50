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
    let found = if name == OWN { own.map(Path::to_path_buf) } else { find_named(service, name) };
    found.ok_or_else(|| missing(service, name))
}

/// Finds a program that a service needs: where programs are, or else in the service's own folders, in the newest of those
/// that a pattern matches.
pub(crate) fn find_named(service: &Service, name: &str) -> Option<PathBuf> {
    let folders = service.file.program_folders.iter().flat_map(|pattern| matching(pattern));
    let own =
        || folders.into_iter().find_map(|folder| find_program(&folder.join(name).display().to_string()));
    find_program(name).or_else(own)
}

/// The folders that a path with a `*` for one whole part stands for, the one with the highest number first.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let Some((above, below)) = pattern.split_once("/*/") else { return vec![pattern.into()] };
    let entries = std::fs::read_dir(above).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let number = |name: &String| name.parse::<u32>().unwrap_or_default();
    names.sort_by_key(|name| std::cmp::Reverse((number(name), name.clone())));
    names.iter().map(|name| Path::new(above).join(name).join(below)).collect()
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
