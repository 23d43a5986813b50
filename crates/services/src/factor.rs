//! Factors: the choices with which a service or stack is run, declared with defaults and recorded with every figure.

use serde::Deserialize;
use settings::{Document, SettingsError, did_you_mean};
use std::collections::BTreeMap;
use toml::Spanned;
use workload::Length;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactorEntry {
    default: Spanned<String>,
    help: String,
    #[serde(default)]
    one_of: Vec<String>,
    #[serde(default)]
    kind: FactorKind,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FactorKind {
    #[default]
    Word,
    Number,
    /// A length of time that the time scale applies to, as it does to think times.
    ScaledLength,
}

/// The factors that a service declares.
#[derive(Debug, Clone, Default)]
pub struct Factors(BTreeMap<String, FactorEntry>);

impl Factors {
    pub(crate) fn declare(
        document: &Document,
        entries: BTreeMap<String, FactorEntry>,
    ) -> Result<Self, Box<SettingsError>> {
        for (name, entry) in &entries {
            entry.check(name, entry.default.get_ref()).map_err(|fault| {
                document.error(Some(entry.default.span()), fault, Some("mend the default".to_owned()))
            })?;
        }
        Ok(Self(entries))
    }

    /// The values in force: the defaults, overruled by what a configuration sets in `document`.
    pub fn choose(
        &self,
        document: &Document,
        set: &BTreeMap<Spanned<String>, Spanned<String>>,
    ) -> Result<BTreeMap<String, String>, Box<SettingsError>> {
        let mut values: BTreeMap<String, String> =
            self.0.iter().map(|(name, entry)| (name.clone(), entry.default.get_ref().clone())).collect();
        for (name, value) in set {
            let Some(entry) = self.0.get(name.get_ref()) else {
                let fault = format!("`{}` is no factor of this service", name.get_ref());
                let remedy = did_you_mean(name.get_ref(), self.0.keys().map(String::as_str));
                return Err(document.error(Some(name.span()), fault, Some(remedy)));
            };
            entry
                .check(name.get_ref(), value.get_ref())
                .map_err(|fault| document.error(Some(value.span()), fault, Some(entry.help.clone())))?;
            values.insert(name.get_ref().clone(), value.get_ref().clone());
        }
        Ok(values)
    }

    /// What templates see: numbers as numbers, lengths as milliseconds after the time scale.
    pub(crate) fn rendered(
        &self,
        values: &BTreeMap<String, String>,
        time_scale: f64,
    ) -> BTreeMap<String, minijinja::Value> {
        let render = |name: &String, value: &String| match self.0.get(name).map(|entry| entry.kind) {
            Some(FactorKind::Number) => value.parse::<u32>().map_or(value.into(), minijinja::Value::from),
            Some(FactorKind::ScaledLength) => value.parse::<Length>().map_or(value.into(), |length| {
                let millis = (length.0.as_secs_f64() * 1e3 * time_scale).round().max(1.0);
                minijinja::Value::from(millis as u64)
            }),
            _ => value.into(),
        };
        values.iter().map(|(name, value)| (name.clone(), render(name, value))).collect()
    }
}

impl FactorEntry {
    fn check(&self, name: &str, value: &str) -> Result<(), String> {
        match self.kind {
            FactorKind::Number if value.parse::<u32>().is_err() => {
                Err(format!("`{name}` is a whole number, not `{value}`"))
            }
            FactorKind::ScaledLength => value.parse::<Length>().map(drop),
            _ if !self.one_of.is_empty() && !self.one_of.iter().any(|known| known == value) => {
                Err(format!("`{name}` can't be `{value}`; it is one of {}", self.one_of.join(", ")))
            }
            _ => Ok(()),
        }
    }
}
