//! The verification key of a configuration: everything that determines its answers, and nothing else. A proof of
//! verification holds for this key, in any folder and on any day.

use crate::{
    Configuration, Stack,
    packages::installed,
    sources::{Source, facts, files, laboratory_in},
};
use fs_err as fs;
use services::NotAvailable;
use settings::SettingsError;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};
use thiserror::Error;
use toml::{Table, Value};

#[derive(Debug, Error)]
pub enum KeyError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    NotAvailable(#[from] NotAvailable),
    /// A `toolchain` command of the manifest prints no version.
    #[error(transparent)]
    Manifest(#[from] Box<SettingsError>),
}

pub(crate) const SECURE_PORT: &str = "https";

/// The laboratory's own executable as a service; its version would change with each commit.
const OWN: &str = "tierbench";

impl Stack {
    /// A text that changes with anything that may change a configuration's answers or its effects on data: as
    /// [`Stack::fingerprint`], but of manifests only the meaning, without texts for people and profiles, and without
    /// the stack's other configurations. It includes the application's model and versions of programs.
    pub fn verification_key(
        &self,
        configuration: &Configuration,
        application: &str,
        home: &Path,
    ) -> Result<String, KeyError> {
        let mut texts =
            vec![configuration.plain_name().as_bytes().to_vec(), facts(configuration).into_bytes()];
        let services = configuration.tiers.iter().map(|tier| files(&tier.service.home, Vec::new()));
        let own = self.sources(application);
        let model = laboratory_in(home)?;
        let (name, is_secure) = (configuration.plain_name(), is_secure(home)?);
        // Loads decide how often something is asked, not what is answered.
        let without = [model.as_slice(), &[home.join("loads")]].concat();
        // A model's tests change nothing of it.
        let models = model.iter().map(|model| files(model, vec![model.join("tests")]));
        for files in services.chain([own, files(home, without)]).chain(models) {
            for Source { name: file, path } in files? {
                texts.push(relevant(&file, fs::read(path)?, (name, application), is_secure));
                texts.push(file.into_bytes());
            }
        }
        texts.push(self.versions(configuration)?.into_bytes());
        Ok(cache::fingerprint(texts))
    }

    /// Versions of a configuration's programs, packages and toolchains.
    fn versions(&self, configuration: &Configuration) -> Result<String, KeyError> {
        let mut text = String::new();
        for tier in configuration.tiers.iter().filter(|tier| tier.service.program() != OWN) {
            text.push_str(&tier.service.availability(&tier.factors)?);
            text.push('\n');
        }
        text.push_str(&installed(&self.all_packages([configuration])).unwrap_or_default());
        Ok(text + &self.toolchain_versions()?)
    }

    /// The Debian packages that its code and the services of these configurations need.
    pub(crate) fn all_packages<'a>(
        &'a self,
        configurations: impl IntoIterator<Item = &'a Configuration>,
    ) -> BTreeSet<&'a str> {
        let tiers = configurations.into_iter().flat_map(|configuration| &configuration.tiers);
        let of_services = tiers.flat_map(|tier| tier.service.packages());
        self.packages.iter().chain(of_services).map(String::as_str).collect()
    }
}

/// A text that changes with any of these files and folders, each of which may be missing.
pub fn fingerprint_of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<String> {
    let mut texts = Vec::new();
    for path in paths.into_iter().filter(|path| path.exists()) {
        if path.is_file() {
            texts.push(fs::read(path)?);
            continue;
        }
        for Source { name, path } in files(path, Vec::new())? {
            texts.push(name.into_bytes());
            texts.push(fs::read(path)?);
        }
    }
    Ok(cache::fingerprint(texts))
}

/// Whether anything of an application travels over TLS.
fn is_secure(home: &Path) -> io::Result<bool> {
    let file = home.join("app.toml");
    let table = fs::read_to_string(&file)?.parse::<Table>();
    let table = table.map_err(|fault| io::Error::other(format!("{}: {fault}", file.display())))?;
    let interactions = table.get("interaction").and_then(Value::as_array);
    let secure = |one: &Value| one.get("secure").and_then(Value::as_bool) == Some(true);
    Ok(interactions.is_some_and(|all| all.iter().any(secure)))
}

/// A template's text in `{% if tls %}` and `{% endif %}` is irrelevant to an application without TLS.
const TLS: (&str, &str) = ("{% if tls %}", "{% endif %}");

fn without_tls(text: &str) -> String {
    let (begin, end) = TLS;
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, block)) = rest.split_once(begin) {
        let Some((_, after)) = block.split_once(end) else { break };
        kept.push_str(before);
        let is_line = kept.is_empty() || kept.ends_with('\n');
        rest = if is_line { after.strip_prefix('\n').unwrap_or(after) } else { after };
    }
    kept + rest
}

/// The relevant part of a file: the values of TOML, and of a manifest those that determine how its program runs.
fn relevant(
    name: &str,
    bytes: Vec<u8>,
    (configuration, application): (&str, &str),
    is_secure: bool,
) -> Vec<u8> {
    let file = name.rsplit('/').next().unwrap_or(name);
    if !file.ends_with(".toml") {
        return match std::str::from_utf8(&bytes) {
            Ok(text) if !is_secure => without_tls(text).into_bytes(),
            _ => bytes,
        };
    }
    let Ok(mut table) = String::from_utf8_lossy(&bytes).parse::<Table>() else { return bytes };
    match file {
        "service.toml" => {
            forget(&mut table, &["title", "profile", "warm_up", "cause"]);
            forget_roles(&mut table);
            if let Some(Value::Array(ports)) = table.get_mut("ports").filter(|_| !is_secure) {
                ports.retain(|port| port.as_str() != Some(SECURE_PORT));
            }
        }
        "stack.toml" => {
            forget(&mut table, &["title", "language", "applications", "profile"]);
            keep_only(&mut table, configuration, application);
        }
        _ => {}
    }
    if let Some(Value::Table(factors)) = table.get_mut("factor") {
        factors
            .iter_mut()
            .filter_map(|(_, factor)| factor.as_table_mut())
            .for_each(|factor| forget(factor, &["help"]));
    }
    sorted(&Value::Table(table)).into_bytes()
}

/// The roles of gauges change nothing of what a service serves.
fn forget_roles(service: &mut Table) {
    let gauges = service.get_mut("sampler").and_then(|sampler| sampler.get_mut("gauge"));
    let gauges = gauges.and_then(Value::as_table_mut).into_iter().flatten();
    gauges.filter_map(|(_, gauge)| gauge.as_table_mut()).for_each(|gauge| forget(gauge, &["role", "of"]));
}

fn forget(table: &mut Table, names: &[&str]) {
    table.retain(|name, _| !names.contains(&name));
}

/// Keeps one of the configurations without its texts for people, and the parts for one of the applications.
fn keep_only(table: &mut Table, configuration: &str, application: &str) {
    if let Some(Value::Table(parts)) = table.get_mut("application") {
        parts.retain(|name, _| name == application);
        if parts.is_empty() {
            table.remove("application");
        }
    }
    let Some(Value::Array(all)) = table.get_mut("configuration") else { return };
    all.retain(|one| one.get("name").and_then(Value::as_str) == Some(configuration));
    all.iter_mut().filter_map(Value::as_table_mut).for_each(|one| forget(one, &["summary", "applications"]));
}

/// A value as text, with sorted tables.
fn sorted(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let parts: BTreeMap<&str, String> =
                table.iter().map(|(name, value)| (name.as_str(), sorted(value))).collect();
            format!("{parts:?}")
        }
        Value::Array(all) => format!("{:?}", all.iter().map(sorted).collect::<Vec<_>>()),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, write};
    use services::Factors;
    use std::{os::unix::fs::PermissionsExt as _, time::SystemTime};
    use toml::Spanned;

    const STACK: &str = "title = 'PHP'\ndeploy = ['auction']\n[factor.protocol]\ndefault = 'text'\nhelp = 'how'\n\
        [profile]\ncomponents = []\n[[configuration]]\nname = 'WsPhp'\nsummary = 'one'\nstatements = 'exact'\n\
        [[configuration]]\nname = 'Other'\nstatements = 'exact'\n";
    const APPLICATION: &str = "title = 'Auction'\nmix = 'usual'\n";

    /// A workspace with a stack and an application, in a folder of its own.
    fn workspace() -> (tempfile::TempDir, Stack) {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("stacks/php/stack.toml", STACK),
            ("stacks/php/auction/index.php", "<?php\n"),
            ("stacks/php/.gitignore", "/built\n"),
            ("apps/auction/app.toml", APPLICATION),
            ("apps/auction/model/Cargo.toml", "[package]\nname = 'auction'\n"),
            ("apps/auction/model/src/lib.rs", "// The model.\n"),
            ("apps/auction/model/tests/memory.rs", "// A test.\n"),
        ] {
            write(place.path(), name, text);
        }
        let stack = fixture::stack(place.path().join("stacks/php"));
        (place, stack)
    }

    fn verification_key(workspace: &Path, stack: &Stack) -> String {
        let configuration = Configuration {
            name: "WsPhp".into(),
            summary: String::new(),
            applications: Vec::new(),
            statements: crate::Statements::Exact,
            factors: [("protocol".to_owned(), "text".to_owned())].into(),
            own: Factors::default(),
            folder: None,
            choices: Factors::default(),
            tiers: Vec::new(),
        };
        stack.verification_key(&configuration, "auction", &workspace.join("apps/auction")).unwrap()
    }

    #[test]
    fn files_for_tls_change_no_key_without_tls() {
        let template = "Listen 1\n{% if tls %}\nListen 2\n{% endif %}\nA{% if tls %} secure{% endif %}\n{% if x %}B{% endif %}\n";
        assert_eq!(without_tls(template), "Listen 1\nA\n{% if x %}B{% endif %}\n");
        let of = |is_secure| relevant("templates/a.conf", template.into(), ("C", "auction"), is_secure);
        assert_eq!(of(true), template.as_bytes());
        assert_ne!(of(false), of(true));
        let ports =
            |text: &str, is_secure| relevant("a/service.toml", text.into(), ("C", "auction"), is_secure);
        assert_eq!(ports("ports = ['http', 'https']", false), ports("ports = ['http']", false));
        assert_ne!(ports("ports = ['http', 'https']", true), ports("ports = ['http']", true));
        assert_eq!(without_tls("{% if tls %} without an end"), "{% if tls %} without an end");
    }

    #[test]
    fn the_key_is_the_same_in_another_folder_on_another_day_and_with_other_leftovers() {
        let (one, stack) = workspace();
        let first = verification_key(one.path(), &stack);
        let (other, stack) = workspace();
        write(other.path(), "stacks/php/built/cache.php", "<?php\n");
        let index = other.path().join("stacks/php/auction/index.php");
        fs::set_permissions(&index, std::fs::Permissions::from_mode(0o600)).unwrap();
        let file = std::fs::File::options().write(true).open(&index).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(verification_key(other.path(), &stack), first);
    }

    #[test]
    fn texts_for_people_and_profiles_do_not_change_the_key() {
        let (place, stack) = workspace();
        let first = verification_key(place.path(), &stack);
        let same = |name: &str, old: &str, new: &str| {
            let text = fs::read_to_string(place.path().join(name)).unwrap();
            assert!(text.contains(old), "{old}");
            write(place.path(), name, &text.replacen(old, new, 1));
            assert_eq!(verification_key(place.path(), &stack), first, "{new}");
        };
        let manifest = "stacks/php/stack.toml";
        same(manifest, "title = 'PHP'", "# A comment.\ntitle = \"PHP, as it is used today\"");
        same(manifest, "help = 'how'", "help = 'how statements travel'");
        same(manifest, "components = []", "components = [{ name = 'driver', frames = ['*'] }]");
        same(manifest, "summary = 'one'", "summary = 'PHP as a module'");
        same(manifest, "name = 'Other'", "name = 'Another'");
        same(manifest, "[profile]", "[application.bookstore]\nbuild = [['make', 'bookstore']]\n[profile]");
        same("apps/auction/app.toml", "title", "# A comment.\n\ntitle");
        same("apps/auction/model/tests/memory.rs", "test", "better test");
    }

    #[test]
    fn the_key_differs_with_each_value_file_and_line_of_the_model() {
        let (place, stack) = workspace();
        let mut seen = vec![verification_key(place.path(), &stack)];
        for (name, text) in [
            ("stacks/php/stack.toml", STACK.replace("'text'", "'prepared'")),
            (
                "stacks/php/stack.toml",
                STACK.replace("[profile]", "[application.auction]\nbuild = []\n[profile]"),
            ),
            ("stacks/php/stack.toml", STACK.replacen("'exact'", "'own'", 1)),
            ("stacks/php/auction/index.php", "<?php\n\n".to_owned()),
            ("stacks/php/auction/new.php", "<?php\n".to_owned()),
            ("apps/auction/app.toml", APPLICATION.replace("usual", "reading")),
            ("apps/auction/model/src/lib.rs", "// The model!\n".to_owned()),
            ("apps/auction/model/templates/page.html", "<p>".to_owned()),
        ] {
            write(place.path(), name, &text);
            let now = verification_key(place.path(), &stack);
            assert!(!seen.contains(&now), "{name}: {text}");
            seen.push(now);
        }
    }

    #[test]
    fn the_key_differs_with_the_version_of_a_toolchain() {
        let (place, _) = workspace();
        let of = |version: &str| {
            let home = place.path().join("stacks/php");
            let toolchain = vec![Spanned::new(0..0, vec!["echo".to_owned(), version.to_owned()])];
            verification_key(place.path(), &Stack { toolchain, ..fixture::stack(home) })
        };
        assert_eq!(of("go 1.25"), of("go 1.25"));
        assert_ne!(of("go 1.25"), of("go 1.26"));
    }

    #[test]
    fn of_a_service_only_what_runs_matters() {
        let plain =
            "title = 'Tomcat'\ncommand = ['sh']\n[factor.heap]\ndefault = '512m'\nhelp = 'how much'\n";
        let of = |text: &str| relevant("service.toml", text.as_bytes().to_vec(), ("WsPhp", "auction"), false);
        let more = format!("warm_up = '9s' # why\n{plain}[[cause]]\nwhen = 'x'\n[profile]\nagent = 'y'\n");
        assert_eq!(of(plain), of(&more.replace("how much", "the heap")));
        assert_ne!(of(plain), of(&plain.replace("512m", "1g")));
        assert_ne!(of(plain), of(&plain.replace("sh", "bash")));
        let sampled =
            "[sampler]\nkind = 'prometheus'\n[sampler.gauge.'busy threads']\nmetric = 'threads_busy'\n";
        let roles = "role = 'pool'\nof = 'threads'\n";
        let service = format!("{plain}{sampled}");
        assert_eq!(of(&service), of(&format!("{service}{roles}")));
        assert_ne!(of(&service), of(&service.replace("threads_busy", "threads_max")));
        // Invalid TOML counts as it stands.
        assert_eq!(of("= x"), b"= x");
    }
}
