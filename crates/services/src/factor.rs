//! Factors: the choices of a service or stack, declared with defaults and recorded with every figure.

use serde::Deserialize;
use settings::{Document, SettingsError, did_you_mean, nearest};
use std::collections::BTreeMap;
use toml::Spanned;
use workload::Length;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactorEntry {
    default: Spanned<String>,
    help: String,
    #[serde(default)]
    one_of: Vec<String>,
    #[serde(default)]
    kind: FactorKind,
    /// True if a store's files are the same for all its values.
    #[serde(default)]
    keeps_data: bool,
    /// In a stack, instead of `one_of`: each value with the factors of tiers that it sets.
    #[serde(default)]
    values: BTreeMap<Spanned<String>, ValueEntry>,
}

/// A value of a factor that sets factors of tiers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueEntry {
    help: String,
    /// Applications that can have it; all of the configuration's without it.
    pub applications: Option<Vec<Spanned<String>>>,
    /// Values of tiers' factors: `heap`, or `ejb.heap` where several tiers have the same.
    #[serde(default)]
    pub set: BTreeMap<Spanned<String>, Spanned<String>>,
}

impl ValueEntry {
    fn is_for(&self, application: &str) -> bool {
        self.applications.as_ref().is_none_or(|names| names.iter().any(|name| name.get_ref() == application))
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FactorKind {
    #[default]
    Word,
    Number,
    /// A length of time that the time scale applies to, as to think times.
    ScaledLength,
    /// Options of a program, with spaces between them; or `none`.
    Options,
    /// The most memory of a tier that has this factor, such as `512MiB`; or `unlimited`.
    MemoryLimit,
}

/// Value of a factor of the kind `memory-limit` that limits nothing.
const UNLIMITED: &str = "unlimited";

/// The declared factors of a service or a stack.
#[derive(Debug, Clone, Default)]
pub struct Factors(BTreeMap<String, FactorEntry>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongValue {
    pub fault: String,
    pub remedy: String,
}

impl Factors {
    /// The factors of a manifest, if their defaults are admissible.
    pub fn declare(
        document: &Document,
        mut entries: BTreeMap<String, FactorEntry>,
    ) -> Result<Self, Box<SettingsError>> {
        for (name, entry) in &mut entries {
            if let Some(first) = entry.values.keys().next() {
                if !entry.one_of.is_empty() {
                    let fault = format!("the values of `{name}` are listed twice");
                    let remedy = "leave out `one_of`: they are those in `values`".to_owned();
                    return Err(document.error(Some(first.span()), fault, Some(remedy)));
                }
                entry.one_of = entry.values.keys().map(|value| value.get_ref().clone()).collect();
                let each =
                    entry.values.iter().map(|(value, entry)| format!("{} ({})", value.get_ref(), entry.help));
                entry.help = format!("{}: {}", entry.help, each.collect::<Vec<_>>().join(", "));
            }
            // The name becomes part of a variable's name.
            if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
                let remedy = "make it of small letters, digits and _".to_owned();
                let fault = format!("`{name}` is no name for a factor");
                return Err(document.error(Some(entry.default.span()), fault, Some(remedy)));
            }
            entry.check(name, entry.default.get_ref()).map_err(|wrong| {
                document.error(Some(entry.default.span()), wrong.fault, Some("mend the default".to_owned()))
            })?;
        }
        Ok(Self(entries))
    }

    /// Adds a factor that no file declares: one of these values, by default the first.
    pub fn add_one_of(&mut self, name: &str, values: &[String], help: &str) {
        let default = Spanned::new(0..0, values.first().cloned().unwrap_or_default());
        let (help, one_of) = (help.to_owned(), values.to_vec());
        let (kind, values) = (FactorKind::Word, BTreeMap::new());
        let entry = FactorEntry { default, help, one_of, kind, keeps_data: false, values };
        self.0.insert(name.to_owned(), entry);
    }

    /// Adds the factors that another part of the same document declares.
    ///
    /// # Errors
    /// A factor of the same name is there.
    pub fn add(&mut self, document: &Document, others: &Self) -> Result<(), Box<SettingsError>> {
        if let Some((name, entry)) = others.0.iter().find(|(name, _)| self.has(name)) {
            let fault = format!("the factor `{name}` is declared twice");
            let remedy = "declare it once, or give one of them another name".to_owned();
            return Err(document.error(Some(entry.default.span()), fault, Some(remedy)));
        }
        self.0.extend(others.0.clone());
        Ok(())
    }

    /// Adds factors that have other names than those that are there.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Drops the factor of this name.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Drops the values that an application can't have.
    pub fn narrow(&mut self, application: &str) {
        for entry in self.0.values_mut().filter(|entry| !entry.values.is_empty()) {
            entry.values.retain(|_, value| value.is_for(application));
            entry.one_of = entry.values.keys().map(|value| value.get_ref().clone()).collect();
        }
    }

    /// Values that set factors of tiers: the factor's name, the value, its entry, and whether it is the default.
    pub fn setting_values(&self) -> impl Iterator<Item = (&str, &Spanned<String>, &ValueEntry, bool)> {
        self.0.iter().flat_map(|(name, entry)| {
            let is_default = |value: &Spanned<String>| value == &entry.default;
            entry.values.iter().map(move |(value, set)| (name.as_str(), value, set, is_default(value)))
        })
    }

    /// Factors of tiers that these values set, each with its value.
    pub fn set_by<'a>(
        &'a self,
        in_force: &'a BTreeMap<String, String>,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let chosen = |name: &str, value: &Spanned<String>| in_force.get(name) == Some(value.get_ref());
        let values = self.setting_values().filter(move |(name, value, ..)| chosen(name, value));
        values
            .flat_map(|(_, _, entry, _)| &entry.set)
            .map(|(name, value)| (name.get_ref().as_str(), value.get_ref().as_str()))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The listed values of a factor; none if it isn't declared.
    pub fn values(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], |entry| &entry.one_of)
    }

    /// The values that a store's files depend on.
    pub fn of_data(&self, values: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let matters = |name: &String| !self.0.get(name).is_some_and(|entry| entry.keeps_data);
        values.iter().filter(|(name, _)| matters(name)).map(|(a, b)| (a.clone(), b.clone())).collect()
    }

    /// An error if a declared factor can't have this value.
    pub fn check(&self, name: &str, value: &str) -> Result<(), WrongValue> {
        self.0.get(name).map_or(Ok(()), |entry| entry.check(name, value))
    }

    pub fn defaults(&self) -> BTreeMap<String, String> {
        self.0.iter().map(|(name, entry)| (name.clone(), entry.default.get_ref().clone())).collect()
    }

    /// The values in force: the defaults, overridden by a configuration's `document`.
    pub fn choose(
        &self,
        document: &Document,
        set: &BTreeMap<Spanned<String>, Spanned<String>>,
    ) -> Result<BTreeMap<String, String>, Box<SettingsError>> {
        let mut values = self.defaults();
        for (name, value) in set {
            let Some(entry) = self.0.get(name.get_ref()) else {
                let fault = format!("`{}` is no factor here", name.get_ref());
                let remedy = match self.0.is_empty() {
                    true => "leave it out: there are none here".to_owned(),
                    false => did_you_mean(name.get_ref(), self.0.keys().map(String::as_str)),
                };
                return Err(document.error(Some(name.span()), fault, Some(remedy)));
            };
            entry
                .check(name.get_ref(), value.get_ref())
                .map_err(|wrong| document.error(Some(value.span()), wrong.fault, Some(wrong.remedy)))?;
            values.insert(name.get_ref().clone(), value.get_ref().clone());
        }
        Ok(values)
    }

    /// The values in force for each of several services of which one will run. A factor that a configuration sets in
    /// `document` must be declared by at least one of them.
    pub fn choose_of_each(
        each: &[&Self],
        document: &Document,
        set: &BTreeMap<Spanned<String>, Spanned<String>>,
    ) -> Result<Vec<BTreeMap<String, String>>, Box<SettingsError>> {
        let has = |factors: &Self, name: &str| factors.0.contains_key(name);
        let choose = |factors: &&Self| {
            let own = set.iter().filter(|(name, _)| {
                let name = name.get_ref();
                has(factors, name) || !each.iter().any(|other| has(other, name))
            });
            factors.choose(document, &own.map(|(name, value)| (name.clone(), value.clone())).collect())
        };
        each.iter().map(choose).collect()
    }

    /// The least of the memory limits among these values, in bytes; none if there is no limit.
    pub fn memory_limit(&self, values: &BTreeMap<String, String>) -> Option<u64> {
        let limits = self.0.iter().filter(|(_, entry)| entry.kind == FactorKind::MemoryLimit);
        limits.filter_map(|(name, _)| read_memory(values.get(name)?)).min()
    }

    /// The values without limits of memory that limit nothing: as if there were no such factor.
    pub fn without_unlimited(&self, values: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let is_limit =
            |name: &str| self.0.get(name).is_some_and(|entry| entry.kind == FactorKind::MemoryLimit);
        let matters = |(name, value): &(&String, &String)| !(is_limit(name) && *value == UNLIMITED);
        values.iter().filter(matters).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The values for templates and environments: numbers as numbers, lengths as milliseconds after the time scale.
    pub fn rendered(
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
    /// Refuses values that set factors of tiers: a service has no tiers.
    pub(crate) fn expect_plain(&self, document: &Document) -> Result<(), Box<SettingsError>> {
        let Some(value) = self.values.keys().next() else { return Ok(()) };
        let fault = "`values` set factors of tiers, and a service has no tiers";
        Err(document.error(Some(value.span()), fault, Some("list them in `one_of`".to_owned())))
    }

    fn check(&self, name: &str, value: &str) -> Result<(), WrongValue> {
        let wrong = |fault: String| WrongValue { fault, remedy: self.help.clone() };
        // It becomes part of configuration files and of folders' names.
        let marks = if self.kind == FactorKind::Options { "._-+:=%/ " } else { "._-+" };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
        let is_padded = value.trim() != value;
        match self.kind {
            _ if value.is_empty() || is_padded || !value.chars().all(is_plain) => Err(wrong(format!(
                "`{name}` can't be `{value}`; a value consists of letters, digits and the marks {}",
                marks.trim_end().chars().map(String::from).collect::<Vec<_>>().join(" ")
            ))),
            FactorKind::MemoryLimit if value != UNLIMITED && read_memory(value).is_none() => {
                let fault = format!("`{name}` is an amount of memory in MiB or GiB, not `{value}`");
                Err(WrongValue { fault, remedy: "write it as 512MiB or 2GiB, or as unlimited".to_owned() })
            }
            FactorKind::Number if value.parse::<u32>().is_err() => {
                Err(wrong(format!("`{name}` is a whole number, not `{value}`")))
            }
            FactorKind::ScaledLength => value.parse::<Length>().map(drop).map_err(wrong),
            _ if !self.one_of.is_empty() && !self.one_of.iter().any(|known| known == value) => {
                let fault = format!("`{name}` can't be `{value}`; it is one of {}", self.one_of.join(", "));
                let meant = nearest(value, self.one_of.iter().map(String::as_str));
                let meant = meant.map(|meant| format!("did you mean `{meant}`?"));
                Err(WrongValue { fault, remedy: meant.unwrap_or_else(|| self.help.clone()) })
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of an amount of memory: `512MiB`.
fn read_memory(text: &str) -> Option<u64> {
    let units = [("MiB", 1 << 20), ("GiB", 1 << 30)];
    units.iter().find_map(|(unit, bytes)| text.strip_suffix(unit)?.parse::<u64>().ok()?.checked_mul(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Factors {
        let text = "[engine]\ndefault = 'InnoDB'\nhelp = 'tables'\none_of = ['InnoDB', 'MyISAM']\n\
                    [cache]\ndefault = '1G'\nhelp = 'with a unit'\nkeeps_data = true\n\
                    [keep]\ndefault = '2s'\nhelp = 'how long'\nkind = 'scaled-length'\n";
        let document = Document::new("service.toml", text);
        Factors::declare(&document, document.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_misspelt_value_is_guessed_and_an_odd_one_explained() {
        let factors = declared();
        let wrong = factors.check("engine", "MyIsam").unwrap_err();
        assert_eq!(wrong.fault, "`engine` can't be `MyIsam`; it is one of InnoDB, MyISAM");
        assert_eq!(wrong.remedy, "did you mean `MyISAM`?");
        assert_eq!(factors.check("engine", "Memory").unwrap_err().remedy, "tables");
        assert_eq!(factors.check("engine", "MyISAM"), Ok(()));
    }

    #[test]
    fn no_value_breaks_a_configuration_file_or_a_path() {
        let factors = declared();
        for value in ["", "2G\nuser = root", "a b", "../x", "a,b", "a=b", "\"", "#", "{{ folder }}", "ä"] {
            assert!(factors.check("cache", value).is_err(), "{value}");
        }
        assert_eq!(factors.check("cache", "2G"), Ok(()));
    }

    #[test]
    fn options_and_amounts_of_memory_have_values_of_their_own_kind() {
        let text = "[flags]\ndefault = 'none'\nhelp = 'of the JVM'\nkind = 'options'\n\
                    [memory]\ndefault = 'unlimited'\nhelp = 'at most'\nkind = 'memory-limit'\n";
        let document = Document::new("service.toml", text);
        let factors = Factors::declare(&document, document.parse().unwrap()).unwrap();
        for flags in ["-XX:+UseZGC", "-XX:MaxRAMPercentage=75 -Xss512k", "none"] {
            assert_eq!(factors.check("flags", flags), Ok(()));
        }
        for flags in ["", " -Xss1m", "-Xlog:gc,safepoint", "$(id)", "-a;b", "-a\n-b", "*", "'"] {
            assert!(factors.check("flags", flags).is_err(), "{flags}");
        }
        for memory in ["", "512", "512m", "1.5GiB", "-1MiB", "99999999999999GiB", "MiB"] {
            assert!(factors.check("memory", memory).is_err(), "{memory}");
        }
        let limit = |value: &str| {
            assert_eq!(factors.check("memory", value), Ok(()));
            let values = [("flags", "none"), ("memory", value)];
            let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            (factors.memory_limit(&values), factors.without_unlimited(&values).len())
        };
        assert_eq!(limit("unlimited"), (None, 1));
        assert_eq!(limit("512MiB"), (Some(512 << 20), 2));
        assert_eq!(limit("2GiB"), (Some(2 << 30), 2));
    }

    #[test]
    fn data_depend_on_every_factor_that_is_not_said_to_keep_them() {
        let values = [("engine", "MyISAM"), ("cache", "1G"), ("keep", "2s")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let names: Vec<String> = declared().of_data(&values.into()).into_keys().collect();
        assert_eq!(names, ["engine", "keep"]);
    }

    #[test]
    fn lengths_are_rendered_after_the_time_scale() {
        let values =
            [("keep", "2s"), ("cache", "1G")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let rendered = declared().rendered(&values.into(), 0.5);
        assert_eq!(rendered["keep"].to_string(), "1000");
        assert_eq!(rendered["cache"].to_string(), "1G");
    }
}
