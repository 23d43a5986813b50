//! Availability of a service's program: present and new enough.

use crate::{MissingProgram, Service, program, version::own_executable};
use settings::Blame;
use std::collections::BTreeMap;
use testbed::HostHandle;
use thiserror::Error;

#[derive(Debug, Clone, Error)]
pub enum NotAvailable {
    #[error(transparent)]
    Missing(#[from] MissingProgram),
    /// It is older than the manifest's minimum.
    #[error("{version} is too old: {oldest} or newer is needed; {remedy}")]
    TooOld { version: String, oldest: String, remedy: String },
    /// It prints no version, so it won't run either.
    #[error("`{service}` does not tell its version: {fault}")]
    Silent {
        service: String,
        /// The likely cause and the remedy, or its output.
        fault: String,
    },
    /// Its host can't be asked any more.
    #[error("{0}")]
    Lost(String),
}

impl NotAvailable {
    pub fn blame(&self) -> Blame {
        match self {
            Self::Lost(_) => Blame::Service,
            Self::Missing(_) | Self::TooOld { .. } | Self::Silent { .. } => Blame::Missing,
        }
    }
}

impl Service {
    /// Looks for the programs needed with these factors, and returns the version that the main one prints.
    pub fn availability(&self, factors: &BTreeMap<String, String>) -> Result<String, NotAvailable> {
        self.availability_on(&HostHandle::default(), factors)
    }

    /// The same on a host.
    pub fn availability_on(
        &self,
        place: &HostHandle,
        factors: &BTreeMap<String, String>,
    ) -> Result<String, NotAvailable> {
        program::find(self, own_executable(place).as_deref(), place)?;
        let steps = self.file.after_start.iter().map(|step| &step.run);
        for command in self.file.prepare.iter().chain(steps) {
            let Some(helper) = command.get_ref().first().filter(|word| !word.contains("{{")) else {
                continue;
            };
            program::find_named(self, helper, command.span(), place)?;
        }
        let version = self.version_on(place, factors, None).map_err(|said| match place.expect_there() {
            Err(lost) => NotAvailable::Lost(lost.to_string()),
            Ok(()) => NotAvailable::Silent {
                service: self.name.clone(),
                fault: self.file.known_cause(&said).unwrap_or_else(|| self.silence(&said)),
            },
        })?;
        match &self.file.oldest {
            Some(oldest) if numbers(&version) < numbers(oldest) => Err(NotAvailable::TooOld {
                version,
                oldest: oldest.clone(),
                remedy: program::remedy(self, place),
            }),
            _ => Ok(version),
        }
    }
}

impl Service {
    /// The fault of a program that prints no version, with the remedy.
    fn silence(&self, said: &str) -> String {
        let said = if said.is_empty() { "it prints nothing" } else { said };
        format!(
            "{said}; mend the program, or correct `version` in {}: the arguments with which `{}` prints it",
            self.home.join("service.toml").display(),
            self.program()
        )
    }
}

/// The first dotted number in a text: `Apache/2.4.71 (Debian)` is 2, 4, 71.
pub(crate) fn numbers(text: &str) -> Vec<u32> {
    let is_version =
        |word: &&str| word.contains('.') && word.starts_with(|first: char| first.is_ascii_digit());
    let mut words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let version = words.find(is_version).unwrap_or_default();
    version.split('.').map_while(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(numbers("Server version: Apache/2.4.71 (Debian)"), [2, 4, 71]);
        assert_eq!(numbers("mariadbd  Ver 10.11.19-MariaDB for debian-linux-gnu"), [10, 11, 19]);
        assert!(numbers("10.9") < numbers("10.11"));
        assert!(numbers("no version") < numbers("1.0"));
    }
}
