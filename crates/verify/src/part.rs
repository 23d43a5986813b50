//! The parts of a verification.

use std::str::FromStr;

/// A part of a verification that can be asked for alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The application's script: each branch of the rules.
    Branches,
    /// Each wrong value of each parameter.
    Values,
    /// A walk by the mix.
    Walk,
    /// A random sequence of the model's suggestions.
    Random,
    /// The same with damaged parameters.
    Damaged,
    /// Each row and each page.
    Census,
    /// Many clients that write at once.
    Clients,
    /// Requests that only broken or hostile clients send.
    Protocol,
    /// Pages of a site whose store is gone.
    Outage,
}

impl Part {
    /// All of them with their names, in the order in which they are done.
    pub const ALL: [(Self, &str); 9] = [
        (Self::Branches, "branches"),
        (Self::Values, "values"),
        (Self::Walk, "walk"),
        (Self::Random, "random"),
        (Self::Damaged, "damaged"),
        (Self::Census, "census"),
        (Self::Clients, "clients"),
        (Self::Protocol, "protocol"),
        (Self::Outage, "outage"),
    ];
}

impl FromStr for Part {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name).map(|(part, _)| *part);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
            format!("there is no such part; there are {}", names.join(", "))
        })
    }
}

/// Some parts of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts(u16);

impl Parts {
    /// These parts; all if none is named.
    pub fn of(parts: &[Part]) -> Self {
        if parts.is_empty() {
            Self(u16::MAX)
        } else {
            Self(parts.iter().fold(0, |set, part| set | 1 << *part as u16))
        }
    }

    /// True if this part is one of them.
    pub fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u16 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_and_none_means_all() {
        assert_eq!("protocol".parse(), Ok(Part::Protocol));
        assert!("rows".parse::<Part>().unwrap_err().contains("branches, values"));
        let some = Parts::of(&[Part::Walk, Part::Protocol]);
        let names = Part::ALL.iter().filter(|(part, _)| some.has(*part)).map(|(_, name)| *name);
        assert_eq!(names.collect::<Vec<_>>(), ["walk", "protocol"]);
        assert!(Part::ALL.iter().all(|(part, _)| Parts::of(&[]).has(*part)));
    }
}
