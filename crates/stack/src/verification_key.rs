//! The verification key of a configuration: everything that determines its answers, and nothing else. A proof of
//! verification holds for this key, in any folder and on any day.

use crate::{
    Configuration, Stack, Tier,
    manifest::MANIFEST,
    packages::installed,
    sources::{Source, files, laboratory_in},
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
use toml::{Spanned, Table, Value};

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
        let mut texts = vec![self.meaning(configuration).into_bytes()];
        let services = configuration.tiers.iter().map(|tier| files(&tier.service.home, Vec::new()));
        let mut own = self.sources(application)?;
        own.retain(|source| source.name != MANIFEST);
        let model = laboratory_in(home)?;
        let is_secure = is_secure(home)?;
        // Loads decide how often something is asked, not what is answered.
        let without = [model.as_slice(), &[home.join("loads")]].concat();
        // A model's tests change nothing of it.
        let models = model.iter().map(|model| files(model, vec![model.join("tests")]));
        for files in services.chain([Ok(own), files(home, without)]).chain(models) {
            for Source { name: file, path } in files? {
                texts.push(relevant(&file, fs::read(path)?, is_secure));
                texts.push(file.into_bytes());
            }
        }
        texts.push(self.versions(configuration)?.into_bytes());
        Ok(cache::fingerprint(texts))
    }

    /// The meaning of the stack's manifest for a configuration, without its notation and texts for people: build and
    /// deployment of the code, and each tier with its templates and the values of its factors.
    fn meaning(&self, configuration: &Configuration) -> String {
        let commands =
            [&self.toolchain, &self.build].map(|all| all.iter().map(Spanned::get_ref).collect::<Vec<_>>());
        let deployed: Vec<String> = self.deploy.iter().map(|path| path.get_ref().to_string()).collect();
        let tiers = configuration.tiers.iter().map(|tier| {
            let templates = tier.templates.iter().map(|path| path.strip_prefix(&self.home).unwrap_or(path));
            // Nothing for memory without a limit, so that proofs hold as before there was that factor.
            let factors = &tier.service.factors;
            let values = factors.rendered(&factors.without_unlimited(&tier.factors), 1.0);
            (&tier.role, tier.name(), &tier.service.name, values, templates.collect::<Vec<_>>())
        });
        let tiers: Vec<_> = tiers.collect();
        let environment = self.factors_in_environment(configuration, 1.0);
        let (name, statements) = (configuration.plain_name(), configuration.statements);
        // Nothing for a whole stack, so that its proofs hold as before.
        let partial = self.interactions.as_ref().map_or(String::new(), |names| {
            let names: BTreeSet<&String> = names.iter().map(Spanned::get_ref).collect();
            format!(" {names:?}")
        });
        let trained = configuration.tiers.iter().filter(|tier| configuration.trains(tier)).map(Tier::name);
        let trained = match trained.collect::<Vec<_>>().join(" ") {
            none if none.is_empty() => none,
            names => format!(" after training of {names}"),
        };
        format!(
            "{name} {statements:?} {:?} {:?} {commands:?} {deployed:?} {environment:?} {tiers:?}{partial}{trained}",
            self.packages, configuration.folder
        )
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

/// True if anything of an application travels over TLS.
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

/// The relevant part of a file: the values of TOML, and of a service those that determine how its program runs. The
/// configuration has the values of factors, so that their declarations don't matter.
fn relevant(name: &str, bytes: Vec<u8>, is_secure: bool) -> Vec<u8> {
    let file = name.rsplit('/').next().unwrap_or(name);
    if !file.ends_with(".toml") {
        return match std::str::from_utf8(&bytes) {
            Ok(text) if !is_secure => without_tls(text).into_bytes(),
            _ => bytes,
        };
    }
    let Ok(mut table) = String::from_utf8_lossy(&bytes).parse::<Table>() else { return bytes };
    if file == "service.toml" {
        forget(&mut table, &["title", "profile", "warm_up", "cause", "declare"]);
        forget_roles(&mut table);
        limit_start(&mut table);
        if let Some(Value::Array(ports)) = table.get_mut("ports").filter(|_| !is_secure) {
            ports.retain(|port| port.as_str() != Some(SECURE_PORT));
        }
    }
    sorted(&Value::Table(table)).into_bytes()
}

/// The roles of gauges change nothing of what a service serves.
fn forget_roles(service: &mut Table) {
    let gauges = service.get_mut("sampler").and_then(|sampler| sampler.get_mut("gauge"));
    let gauges = gauges.and_then(Value::as_table_mut).into_iter().flatten();
    gauges.filter_map(|(_, gauge)| gauge.as_table_mut()).for_each(|gauge| forget(gauge, &["role", "of"]));
}

/// A start's time limit changes nothing of what is served. Where a service leaves it open, proofs hold as when each had
/// to name one.
fn limit_start(service: &mut Table) {
    if let Some(ready) = service.get_mut("ready").and_then(Value::as_table_mut) {
        ready.entry("within").or_insert_with(|| Value::String("30s".to_owned()));
    }
}

fn forget(table: &mut Table, names: &[&str]) {
    table.retain(|name, _| !names.contains(&name));
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
    use crate::fixture::write;
    use std::{os::unix::fs::PermissionsExt as _, time::SystemTime};

    const STACK: &str = "title = 'PHP'\nlanguage = 'PHP'\napplications = ['auction', 'bookstore']\ndeploy = ['auction']\n\
        [declare.protocol]\ndefault = 'text'\nhelp = 'how'\n\
        [profile]\ncomponents = []\n\
        [[configuration]]\nname = 'WsPhp'\nsummary = 'one'\nstatements = 'exact'\n\
        tiers = [{ role = 'web', service = 'server', templates = ['site.conf'] }]\n\
        [[configuration]]\nname = 'Other'\nsummary = ''\nstatements = 'exact'\n\
        tiers = [{ role = 'web', service = 'server' }]\n";
    const SERVICE: &str = "title = ''\nprogram = 'sh'\nversion = ['-c', 'echo 1']\nports = ['http']\ncommand = ['sh']\n\
        ready = { port = 'http', within = '1s' }\nstop = { signal = 'TERM', within = '1s' }\n\
        declare.keep_alive = { default = '2s', help = 'how long' }\n";
    const APPLICATION: &str = "title = 'Auction'\nmix = 'usual'\n";

    /// A workspace with a stack, its service and an application, in a folder of its own.
    fn workspace() -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("services/server/service.toml", SERVICE),
            ("stacks/php/stack.toml", STACK),
            ("stacks/php/site.conf", "\n"),
            ("stacks/php/auction/index.php", "<?php\n"),
            ("stacks/php/bookstore/index.php", "<?php\n"),
            ("stacks/php/.gitignore", "/built\n"),
            ("apps/auction/app.toml", APPLICATION),
            ("apps/auction/model/Cargo.toml", "[package]\nname = 'auction'\n"),
            ("apps/auction/model/src/lib.rs", "// The model.\n"),
            ("apps/auction/model/tests/memory.rs", "// A test.\n"),
        ] {
            write(place.path(), name, text);
        }
        place
    }

    fn verification_key(workspace: &Path) -> String {
        let (home, services) = (workspace.join("stacks/php"), workspace.join("services"));
        let mut stack = Stack::read(&home, &services, &["auction", "bookstore"]).unwrap();
        stack.narrow("auction");
        stack.verification_key(&stack.configurations[0], "auction", &workspace.join("apps/auction")).unwrap()
    }

    #[test]
    fn files_for_tls_change_no_key_without_tls() {
        let template = "Listen 1\n{% if tls %}\nListen 2\n{% endif %}\nA{% if tls %} secure{% endif %}\n{% if x %}B{% endif %}\n";
        assert_eq!(without_tls(template), "Listen 1\nA\n{% if x %}B{% endif %}\n");
        let of = |is_secure| relevant("templates/a.conf", template.into(), is_secure);
        assert_eq!(of(true), template.as_bytes());
        assert_ne!(of(false), of(true));
        let ports = |text: &str, is_secure| relevant("a/service.toml", text.into(), is_secure);
        assert_eq!(ports("ports = ['http', 'https']", false), ports("ports = ['http']", false));
        assert_ne!(ports("ports = ['http', 'https']", true), ports("ports = ['http']", true));
        assert_eq!(without_tls("{% if tls %} without an end"), "{% if tls %} without an end");
    }

    #[test]
    fn a_service_that_leaves_its_time_limit_open_keeps_the_key_of_the_old_limit() {
        let key = |ready: &str| relevant("a/service.toml", format!("ready = {{ {ready} }}").into(), false);
        assert_eq!(key("port = 'http'"), key("port = 'http', within = '30s'"));
        assert_ne!(key("port = 'http'"), key("port = 'http', within = '31s'"));
    }

    #[test]
    fn the_key_is_the_same_in_another_folder_on_another_day_and_with_other_leftovers() {
        let (one, other) = (workspace(), workspace());
        let first = verification_key(one.path());
        write(other.path(), "stacks/php/built/cache.php", "<?php\n");
        let index = other.path().join("stacks/php/auction/index.php");
        fs::set_permissions(&index, std::fs::Permissions::from_mode(0o600)).unwrap();
        let file = std::fs::File::options().write(true).open(&index).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(verification_key(other.path()), first);
    }

    #[test]
    fn texts_for_people_and_profiles_do_not_change_the_key() {
        let place = workspace();
        let first = verification_key(place.path());
        let same = |name: &str, old: &str, new: &str| {
            let text = fs::read_to_string(place.path().join(name)).unwrap();
            assert!(text.contains(old), "{old}");
            write(place.path(), name, &text.replacen(old, new, 1));
            assert_eq!(verification_key(place.path()), first, "{new}");
        };
        let manifest = "stacks/php/stack.toml";
        same(manifest, "title = 'PHP'", "# A comment.\ntitle = \"PHP, as it is used today\"");
        same(manifest, "help = 'how'", "help = 'how statements travel'");
        same(manifest, "components = []", "components = [{ name = 'driver', frames = ['*'] }]");
        same(manifest, "summary = 'one'", "summary = 'PHP as a module'");
        same(manifest, "name = 'Other'", "name = 'Another'");
        same(manifest, "[profile]", "[application.bookstore]\nbuild = [['make', 'bookstore']]\n[profile]");
        same(
            manifest,
            "service = 'server', templates",
            "service = 'server', ready_within = '9s', ready_page = '/', templates",
        );
        // However it is written, and wherever it is declared.
        same(manifest, "[declare.protocol]\ndefault", "[application.auction.declare.protocol]\ndefault");
        same(
            manifest,
            "statements = 'exact'\ntiers",
            "set = { protocol = 'text' }\nstatements = 'exact'\ntiers",
        );
        same("services/server/service.toml", "help = 'how long'", "help = 'for how long'");
        same("apps/auction/app.toml", "title", "# A comment.\n\ntitle");
        same("apps/auction/model/tests/memory.rs", "test", "better test");
    }

    #[test]
    fn the_key_differs_with_each_value_file_and_line_of_the_model() {
        let place = workspace();
        let mut seen = vec![verification_key(place.path())];
        for (name, text) in [
            ("stacks/php/stack.toml", STACK.replace("'text'", "'prepared'")),
            (
                "stacks/php/stack.toml",
                STACK.replace("[profile]", "[application.auction]\nbuild = [['make']]\n[profile]"),
            ),
            ("stacks/php/stack.toml", STACK.replacen("'exact'", "'own'", 1)),
            ("stacks/php/stack.toml", STACK.replacen("['site.conf']", "[]", 1)),
            ("services/server/service.toml", SERVICE.replace("'2s'", "'4s'")),
            // The same length of time, which the time scale applies to from now on.
            ("services/server/service.toml", SERVICE.replace("'2s'", "'2s', kind = 'scaled-length'")),
            ("services/server/service.toml", SERVICE.replace("command = ['sh']", "command = ['bash']")),
            (
                "stacks/php/stack.toml",
                STACK.replacen("'server', templates", "'server', set = { keep_alive = '3s' }, templates", 1),
            ),
            ("stacks/php/auction/index.php", "<?php\n\n".to_owned()),
            ("stacks/php/auction/new.php", "<?php\n".to_owned()),
            ("apps/auction/app.toml", APPLICATION.replace("usual", "reading")),
            ("apps/auction/model/src/lib.rs", "// The model!\n".to_owned()),
            ("apps/auction/model/templates/page.html", "<p>".to_owned()),
        ] {
            write(place.path(), name, &text);
            let now = verification_key(place.path());
            assert!(!seen.contains(&now), "{name}: {text}");
            seen.push(now);
        }
    }

    #[test]
    fn memory_without_a_limit_and_training_that_is_off_change_no_key() {
        let of = |memory: &str, aot: &str, training: &str| {
            let place = workspace();
            let memory = memory.replace("LIMIT", "kind = 'memory-limit', help = 'at most'");
            write(place.path(), "services/server/service.toml", &format!("{SERVICE}{memory}"));
            let aot = format!("[declare.aot]\ndefault = '{aot}'\none_of = ['false', 'true']\nhelp = ''\n");
            let stack = STACK.replacen("[declare.protocol]", &format!("{aot}[declare.protocol]"), 1);
            let stack = stack.replacen("'server',", &format!("'server', {training}"), 1);
            write(place.path(), "stacks/php/stack.toml", &stack);
            verification_key(place.path())
        };
        let plain = of("", "false", "");
        assert_eq!(of("declare.memory = { default = 'unlimited', LIMIT }\n", "false", ""), plain);
        assert_ne!(of("declare.memory = { default = '64MiB', LIMIT }\n", "false", ""), plain);
        assert_eq!(of("", "false", "training = 'aot', "), plain);
        assert_ne!(of("", "true", "training = 'aot', "), of("", "true", ""));
    }

    #[test]
    fn the_key_differs_with_the_version_of_a_toolchain() {
        let of = |version: &str| {
            let place = workspace();
            let stack = STACK.replace("deploy", "toolchain = [['cat', 'built/version']]\ndeploy");
            write(place.path(), "stacks/php/stack.toml", &stack);
            write(place.path(), "stacks/php/built/version", version);
            verification_key(place.path())
        };
        assert_eq!(of("go 1.25"), of("go 1.25"));
        assert_ne!(of("go 1.25"), of("go 1.26"));
    }

    #[test]
    fn of_a_service_only_what_runs_matters() {
        let plain =
            "title = 'Tomcat'\ncommand = ['sh']\n[declare.heap]\ndefault = '512m'\nhelp = 'how much'\n";
        let of = |text: &str| relevant("service.toml", text.as_bytes().to_vec(), false);
        let more = format!("warm_up = '9s' # why\n{plain}[[cause]]\nwhen = 'x'\n[profile]\nagent = 'y'\n");
        assert_eq!(of(plain), of(&more.replace("how much", "the heap")));
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
