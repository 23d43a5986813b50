//! Inputs that the files of a loaded store depend on.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write as _};

/// Everything that the files of a loaded store depend on, except the day of their dates. Long texts are represented by
/// their [`fingerprint`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    pub application: String,
    /// Distribution over users and rows.
    pub distribution: String,
    /// Size of the data, as a multiple of the papers' database.
    pub scale: f64,
    /// Written as text, because TOML's integers are too small.
    #[serde(with = "as_text")]
    pub seed: u64,
    /// Fingerprint of generated rows.
    pub generator: String,
    pub schema: String,
    /// Fingerprint of the invariants that the rows were checked against.
    pub invariants: String,
    /// The service that keeps the data.
    pub service: String,
    /// Version of the service's program.
    pub version: String,
    /// Fingerprint of the service's configuration.
    pub settings: String,
    /// The service's factors, except those that don't affect its files.
    pub factors: BTreeMap<String, String>,
}

impl Identity {
    /// The name of a snapshot's folder, without its date: readable words, and a fingerprint of everything.
    pub(crate) fn name(&self) -> String {
        let all = toml::to_string(self).expect("texts and numbers can be written");
        let words = [self.application.clone(), self.distribution.clone(), self.scale.to_string()];
        let words = words.iter().chain(self.factors.values());
        let plain = words.flat_map(|word| [word.as_str(), "-"]).collect::<String>();
        plain + &fingerprint([all])
    }
}

/// A short hash of the texts and of their boundaries.
pub fn fingerprint<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        let text = text.as_ref();
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string can't fail");
        text
    })
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn identity() -> Identity {
        let text = |text: &str| text.to_owned();
        Identity {
            application: text("auction"),
            distribution: text("uniform"),
            scale: 0.05,
            seed: u64::MAX,
            generator: text("g"),
            schema: text("s"),
            invariants: text("i"),
            service: text("mariadb"),
            version: text("mariadbd Ver 10.11"),
            settings: text("c"),
            factors: [(text("engine"), text("InnoDB"))].into(),
        }
    }

    #[test]
    fn the_name_depends_on_each_part() {
        let changes: [fn(&mut Identity); 12] = [
            |it| it.application.push('x'),
            |it| it.distribution.push('x'),
            |it| it.scale += 0.01,
            |it| it.seed -= 1,
            |it| it.generator.push('x'),
            |it| it.schema.push('x'),
            |it| it.invariants.push('x'),
            |it| it.service.push('x'),
            |it| it.version.push('x'),
            |it| it.settings.push('x'),
            |it| drop(it.factors.insert("engine".into(), "MyISAM".into())),
            |it| drop(it.factors.insert("page_size".into(), "4k".into())),
        ];
        let mut names = vec![identity().name()];
        for change in changes {
            let mut changed = identity();
            change(&mut changed);
            names.push(changed.name());
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 13, "{names:?}");
        assert!(identity().name().starts_with("auction-uniform-0.05-InnoDB-"), "{}", identity().name());
    }

    #[test]
    fn a_fingerprint_depends_on_the_boundaries_of_texts() {
        assert_eq!(fingerprint(["ab", "c"]), fingerprint(["ab", "c"]));
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
        assert_ne!(fingerprint(["ab"]), fingerprint(["ab", ""]));
    }
}
