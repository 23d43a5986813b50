//! `[sampler]` of a `service.toml`: how the service is sampled, and the meaning of its gauges.

use crate::store_kind::StoreKind;
use results::GaugeRole;
use serde::Deserialize;
use settings::{Document, SettingsError, did_you_mean};
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SamplerEntry {
    pub kind: Spanned<SamplerKind>,
    pub port: Option<Spanned<String>>,
    pub socket: Option<Spanned<String>>,
    pub path: Option<Spanned<String>>,
    /// The gauges to read, where the service has no fixed set.
    #[serde(default)]
    gauge: BTreeMap<Spanned<String>, GaugeEntry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SamplerKind {
    ApacheStatus,
    FpmStatus,
    LighttpdStatus,
    Mariadb,
    Postgresql,
    Prometheus,
}

/// `[sampler.gauge."NAME"]`: a gauge on a page in Prometheus' text format, and its meaning.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GaugeEntry {
    /// The metric: the sum of all series with the labels.
    pub metric: String,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// The metric of the gauge's limit, of the series with these labels too.
    pub limit: Option<String>,
    /// One unit of the gauge, in units of the metric.
    #[serde(default = "one")]
    pub unit: f64,
    /// True if the metric is a counter and the gauge its rate per second.
    #[serde(default)]
    pub rate: bool,
    /// True if some services of this kind lack it.
    #[serde(default)]
    pub optional: bool,
    /// The gauge's meaning: one of [`ROLES`].
    role: Option<Spanned<String>>,
    /// The resource that the pool holds, or that is locked.
    of: Option<Spanned<String>>,
}

fn one() -> f64 {
    1.0
}

enum Role {
    Plain(GaugeRole),
    /// The role made of `of`.
    Of(fn(String) -> GaugeRole),
}

const ROLES: [(&str, Role); 9] = [
    ("pool", Role::Of(GaugeRole::Pool)),
    ("queue", Role::Of(GaugeRole::Queue)),
    ("lock-wait", Role::Of(GaugeRole::LockWait)),
    ("running-statements", Role::Plain(GaugeRole::RunningStatements)),
    ("collector-pause", Role::Plain(GaugeRole::CollectorPause)),
    ("connections", Role::Plain(GaugeRole::Connections)),
    ("statements", Role::Plain(GaugeRole::Statements)),
    ("round-trips", Role::Plain(GaugeRole::RoundTrips)),
    ("information", Role::Plain(GaugeRole::Information)),
];

/// A fault of a gauge, its place if not its name, and the remedy.
struct WrongGauge(Option<Range<usize>>, String, String);

impl GaugeEntry {
    fn role(&self) -> Result<GaugeRole, WrongGauge> {
        let words = || ROLES.map(|(word, _)| word).join(", ");
        let Some(word) = &self.role else {
            let remedy = format!("say in `role` what may be concluded from it: one of {}", words());
            return Err(WrongGauge(None, "this gauge has no `role`".to_owned(), remedy));
        };
        let known = ROLES.into_iter().find(|(known, _)| known == word.get_ref());
        match (known, &self.of) {
            (Some((_, Role::Plain(role))), None) => Ok(role),
            (Some((_, Role::Of(role))), Some(of)) => Ok(role(of.get_ref().clone())),
            (Some((word, Role::Of(_))), None) => {
                let fault = format!("a gauge with the role `{word}` needs `of`");
                let remedy =
                    "say in `of` which things it counts, as in \"threads\" or \"row locks\"".to_owned();
                Err(WrongGauge(None, fault, remedy))
            }
            (Some((word, Role::Plain(_))), Some(of)) => {
                let fault = format!("a gauge with the role `{word}` has no `of`");
                Err(WrongGauge(Some(of.span()), fault, "leave it out".to_owned()))
            }
            (None, _) => {
                let fault = format!("there is no role `{}`", word.get_ref());
                Err(WrongGauge(Some(word.span()), fault, format!("write one of {}", words())))
            }
        }
    }
}

impl SamplerKind {
    /// The only kind of store that can be sampled this way.
    fn store(self) -> Option<StoreKind> {
        match self {
            Self::Mariadb => Some(StoreKind::Mariadb),
            Self::Postgresql => Some(StoreKind::Postgresql),
            _ => None,
        }
    }

    /// Its name in the file, and whether it needs the keys `port`, `socket` and `path`.
    fn needs(self) -> (&'static str, [bool; 3]) {
        match self {
            Self::ApacheStatus => ("apache-status", [true, false, false]),
            Self::FpmStatus => ("fpm-status", [false, true, true]),
            Self::LighttpdStatus => ("lighttpd-status", [true, false, false]),
            Self::Mariadb => ("mariadb", [false, false, false]),
            Self::Postgresql => ("postgresql", [false, false, false]),
            Self::Prometheus => ("prometheus", [true, false, true]),
        }
    }
}

impl SamplerEntry {
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let keys = [("sampler.socket", &self.socket), ("sampler.path", &self.path)];
        keys.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?.get_ref())))
    }

    pub(crate) fn gauges(&self) -> impl Iterator<Item = (&str, &GaugeEntry, GaugeRole)> {
        self.gauge.iter().map(|(name, entry)| {
            let Ok(role) = entry.role() else { unreachable!("the manifest is refused without a role") };
            (name.get_ref().as_str(), entry, role)
        })
    }

    /// An error if a service with these ports and this data can't be sampled this way.
    pub(crate) fn check(
        &self,
        document: &Document,
        ports: &[String],
        store: Option<StoreKind>,
    ) -> Result<(), Box<SettingsError>> {
        let (name, needs) = self.kind.get_ref().needs();
        let keys = [("port", &self.port), ("socket", &self.socket), ("path", &self.path)];
        for ((key, given), needed) in keys.into_iter().zip(needs) {
            match given {
                None if needed => {
                    let fault = format!("a sampler of the kind `{name}` needs a `{key}`");
                    let remedy = format!("say in `{key}` where the service answers, away from its clients");
                    return Err(document.error(Some(self.kind.span()), fault, Some(remedy)));
                }
                Some(given) if !needed => {
                    let fault = format!("a sampler of the kind `{name}` has no `{key}`");
                    return Err(document.error(Some(given.span()), fault, Some("leave it out".to_owned())));
                }
                _ => {}
            }
        }
        self.check_gauges(document, name)?;
        if let Some(needed) = self.kind.get_ref().store().filter(|needed| store != Some(*needed)) {
            let fault = format!("only a store of the kind `{}` can be asked this way", needed.name());
            let remedy = format!("add `store = \"{}\"`, or leave the sampler out", needed.name());
            return Err(document.error(Some(self.kind.span()), fault, Some(remedy)));
        }
        self.port.as_ref().map_or(Ok(()), |port| check_port(port, document, ports))
    }

    fn check_gauges(&self, document: &Document, name: &str) -> Result<(), Box<SettingsError>> {
        let chooses = *self.kind.get_ref() == SamplerKind::Prometheus;
        if chooses && self.gauge.is_empty() {
            let fault = format!("a sampler of the kind `{name}` needs a `gauge`");
            let remedy = "say in [sampler.gauge.\"NAME\"] which `metric` it is".to_owned();
            return Err(document.error(Some(self.kind.span()), fault, Some(remedy)));
        }
        if let Some((gauge, _)) = self.gauge.first_key_value().filter(|_| !chooses) {
            let fault = format!("a sampler of the kind `{name}` has no `gauge`");
            return Err(document.error(Some(gauge.span()), fault, Some("leave it out".to_owned())));
        }
        self.gauge.iter().try_for_each(|(gauge, entry)| {
            let wrong = |WrongGauge(place, fault, remedy)| {
                document.error(Some(place.unwrap_or_else(|| gauge.span())), fault, Some(remedy))
            };
            entry.role().map(drop).map_err(wrong)
        })
    }
}

fn check_port(
    port: &Spanned<String>,
    document: &Document,
    ports: &[String],
) -> Result<(), Box<SettingsError>> {
    let own = ports.get(1..).unwrap_or_default();
    if ports.first() == Some(port.get_ref()) {
        let fault = format!(
            "`{port}` is the clients' port, and clients must not see the status of the service",
            port = port.get_ref()
        );
        let remedy = "add another name to `ports`, let the service answer there, and name it here".to_owned();
        return Err(document.error(Some(port.span()), fault, Some(remedy)));
    }
    if !own.contains(port.get_ref()) {
        let fault = format!("there is no port `{}`", port.get_ref());
        let remedy = match own.is_empty() {
            true => "add it to `ports`, after the clients'".to_owned(),
            false => did_you_mean(port.get_ref(), own.iter().map(String::as_str)),
        };
        return Err(document.error(Some(port.span()), fault, Some(remedy)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Service;

    fn fault_of(sampler: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = format!(
            "title = 'a'\nprogram = 'a'\nports = ['http', 'status']\ncommand = ['a']\n\
             ready = {{ port = 'http', within = '1s' }}\nstop = {{ signal = 'TERM', within = '1s' }}\n[sampler]\n{sampler}\n"
        );
        std::fs::write(folder.path().join("service.toml"), file).unwrap();
        let fault = Service::read(folder.path()).map(drop).map_err(miette::Report::new);
        fault.map_or_else(|fault| format!("{fault:?}"), |()| "none".to_owned())
    }

    #[test]
    fn a_sampler_that_cannot_work_is_refused_with_its_line() {
        let apache = "kind = 'apache-status'";
        let metrics = "kind = 'prometheus'\npath = '/metrics'";
        let shown = "gauge.a = { metric = 'b', role = 'information' }";
        assert_eq!(fault_of(&format!("{metrics}\nport = 'status'\n{shown}")), "none");
        assert_eq!(fault_of(&format!("{apache}\nport = 'status'")), "none");
        let wrong = [
            ("kind = 'apache'", "unknown variant `apache`"),
            (apache, "a sampler of the kind `apache-status` needs a `port`"),
            (&format!("{apache}\nport = 'http'"), "`http` is the clients' port"),
            (&format!("{apache}\nport = 'statsu'"), "did you mean `status`?"),
            (&format!("{apache}\nport = 'status'\npath = '/'"), "has no `path`"),
            ("kind = 'fpm-status'\nsocket = 'a'", "a sampler of the kind `fpm-status` needs a `path`"),
            (&format!("{apache}\nport = 'status'\n{shown}"), "has no `gauge`"),
            (&format!("{metrics}\nport = 'http'\n{shown}"), "`http` is the clients' port"),
            (&format!("{metrics}\nport = 'status'"), "needs a `gauge`"),
            (&format!("{metrics}\nport = 'status'\ngauge.a.metrics = 'b'"), "did you mean `metric`?"),
            ("kind = 'mariadb'", "only a store of the kind `mariadb` can be asked this way"),
            ("kind = 'mariadb'\npth = ''", "did you mean `path`?"),
        ];
        for (entry, text) in wrong {
            let fault = fault_of(entry);
            assert!(fault.contains(text) && fault.contains("service.toml:"), "{entry}: {fault}");
        }
    }

    #[test]
    fn a_gauge_without_a_known_role_is_refused_with_the_list_of_roles() {
        let all = "pool, queue, lock-wait, running-statements, collector-pause, connections, statements, round-trips, information";
        for (role, text) in [
            ("", "this gauge has no `role`"),
            (", role = 'busy'", "there is no role `busy`"),
            (", role = 'pool'", "a gauge with the role `pool` needs `of`"),
            (", role = 'connections', of = 'clients'", "a gauge with the role `connections` has no `of`"),
        ] {
            let entry = format!(
                "kind = 'prometheus'\npath = '/metrics'\nport = 'status'\n\
                                 gauge.a = {{ metric = 'b'{role} }}"
            );
            let fault = fault_of(&entry);
            assert!(fault.contains(text) && fault.contains("service.toml:11"), "{role}: {fault}");
            // Long lines of a fault are broken.
            let words: String = fault.replace('│', "").split_whitespace().collect();
            assert!(
                role.contains("of") || role.contains("pool") || words.contains(&all.replace(' ', "")),
                "{role}: {fault}"
            );
        }
    }

    #[test]
    fn a_role_has_the_same_word_in_a_manifest_and_in_results() {
        for (word, role) in ROLES {
            let (role, expected) = match role {
                Role::Plain(role) => (role, format!("\"{word}\"")),
                Role::Of(role) => (role("threads".into()), format!("{{\"{word}\":\"threads\"}}")),
            };
            assert_eq!(serde_json::to_string(&role).unwrap(), expected);
        }
    }
}
