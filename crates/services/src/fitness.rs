//! Whether a service's program is present and new enough.

use crate::{MissingProgram, Service, program};
use std::fmt;

/// What is found of a service's program.
#[derive(Debug, Clone)]
pub enum Fitness {
    /// It says this of its version.
    Fit(String),
    /// It says this of its version, which is older than the manifest asks for.
    TooOld(String, String),
    /// It is not there.
    Missing(MissingProgram),
}

impl Service {
    /// Looks for the program and asks for its version.
    pub fn fitness(&self) -> Fitness {
        if let Err(missing) = program::find(self, std::env::current_exe().ok().as_deref()) {
            return Fitness::Missing(missing);
        }
        let version = self.version().unwrap_or_else(|| "it does not tell its version".to_owned());
        match &self.file.oldest {
            Some(oldest) if numbers(&version) < numbers(oldest) => Fitness::TooOld(version, oldest.clone()),
            _ => Fitness::Fit(version),
        }
    }
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fit(version) => f.write_str(version),
            Self::TooOld(version, oldest) => write!(f, "{version} is too old: {oldest} or newer is needed"),
            Self::Missing(missing) => missing.fmt(f),
        }
    }
}

/// The first dotted number in a text: `Apache/2.4.71 (Debian)` is 2, 4, 71.
fn numbers(text: &str) -> Vec<u32> {
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
