//! Each text of each manifest, replaced by a path that leads out of its folder: nothing out there is read or changed.
//! A path joined without `RelativePath` would show here.

use crate::{Stack, Tier, deploy};
use application::{Dataset, StaticFile, Timestamp};
use fs_err as fs;
use services::{Instance, Peer, ReadySettings, RunPaths, TierSettings};
use std::sync::atomic::AtomicBool;
use std::{
    collections::BTreeMap,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};
use testbed::copy_tree;
use toml::{Table, Value};

/// Content of a file outside.
const SECRET: &str = "nobody reads this";

/// A copy of a real stack with the real services, a file beside it, and a folder for runs.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new() -> Self {
        let workspace = Self(tempfile::tempdir().unwrap());
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        fs::create_dir_all(workspace.stack().parent().unwrap()).unwrap();
        copy_tree(&real.join("stacks/php"), &workspace.stack()).unwrap();
        copy_tree(&real.join("services"), &workspace.services()).unwrap();
        for service in fs::read_dir(workspace.services()).unwrap() {
            let file = service.unwrap().path().join("service.toml");
            if let Ok(text) = fs::read_to_string(&file) {
                let mut table: Table = text.parse().unwrap();
                // Nothing is run, so it need not be installed.
                table.insert("program".to_owned(), Value::String("sh".to_owned()));
                fs::write(file, table.to_string()).unwrap();
            }
        }
        fs::create_dir(workspace.path("outside")).unwrap();
        fs::write(workspace.path("outside/secret"), SECRET).unwrap();
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn stack(&self) -> PathBuf {
        self.path("workspace/stacks/php")
    }

    fn services(&self) -> PathBuf {
        self.path("workspace/services")
    }

    /// Does everything that a run does before it starts a server. Returns whether it succeeded.
    fn rehearse(&self) -> bool {
        let run = self.path("run");
        if run.exists() {
            fs::remove_dir_all(&run).unwrap();
        }
        let applications = ["auction", "bookstore", "comments", "mail", "quotes"];
        let Ok(stack) = Stack::read(&self.stack(), &self.services(), &applications) else {
            return false;
        };
        let file = StaticFile { path: "/auction/style.css".to_owned(), content_type: "", body: Vec::new() };
        let is_deployed = deploy(&stack, &[file], &run.join("site"), &AtomicBool::new(false)).is_ok();
        let configurations = stack.configurations.iter();
        configurations.fold(is_deployed, |done, one| {
            let folder = run.join(one.plain_name());
            fs::create_dir_all(&folder).unwrap();
            let mut peers = Vec::new();
            one.tiers.iter().fold(done, |done, tier| {
                let instance = prepare(tier, &peers, &run.join("site"), &folder);
                peers.extend(instance.as_ref().map(Instance::peer));
                done && instance.is_some_and(|instance| instance.rehearse().is_ok())
            })
        })
    }

    /// All files and folders but the run's, with their sizes and times, and whether the secret is in the run.
    fn look(&self) -> (BTreeMap<PathBuf, (u64, i64, i64)>, bool) {
        let (mut found, mut is_told) = (BTreeMap::new(), false);
        for file in crate::sources::all_files(self.0.path()).unwrap() {
            if file.name.starts_with("run/") {
                is_told |=
                    fs::read(&file.path).unwrap().windows(SECRET.len()).any(|text| text == SECRET.as_bytes());
                continue;
            }
            let meta = fs::metadata(&file.path).unwrap();
            found.insert(file.path, (meta.len(), meta.mtime(), meta.mtime_nsec()));
        }
        let folders = fs::read_dir(self.0.path()).unwrap().chain(fs::read_dir(self.path("outside")).unwrap());
        let folders = folders.map(|entry| entry.unwrap().path()).filter(|path| *path != self.path("run"));
        found.extend(folders.map(|path| (path, (0, 0, 0))));
        (found, is_told)
    }
}

fn prepare(tier: &Tier, peers: &[Peer], site: &Path, folder: &Path) -> Option<Instance> {
    let settings = TierSettings {
        role: tier.role.clone(),
        name: tier.name().to_owned(),
        factors: tier.factors.clone(),
        stack_templates: tier.templates.clone(),
        fixed_port: None,
        ready: ReadySettings::default(),
        place: testbed::HostHandle::default(),
        is_prepared: false,
        is_trained: false,
    };
    let run = RunPaths {
        executable: "/bin/true".into(),
        folder: folder.to_owned(),
        lock: folder.join("lock"),
        site: site.to_owned(),
        application: "auction".into(),
        dataset: Dataset::new(1, 0.01, Timestamp(1_800_000_000)),
        time_scale: 1.0,
        environment: BTreeMap::new(),
        tls: None,
        secure_paths: Vec::new(),
    };
    Instance::prepare(&tier.service, &settings, peers, &run).ok()
}

/// The paths to all texts in a table, as keys and positions.
fn texts(value: &Value, way: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut into = |key: String, value: &Value| {
        way.push(key);
        texts(value, way, found);
        way.pop();
    };
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| into(key.clone(), value)),
        Value::Array(array) => array.iter().enumerate().for_each(|(at, value)| into(at.to_string(), value)),
        Value::String(_) => found.push(way.clone()),
        _ => {}
    }
}

fn at<'a>(value: &'a mut Value, way: &[String]) -> &'a mut Value {
    way.iter().fold(value, |value, key| match value {
        Value::Table(table) => table.get_mut(key).unwrap(),
        Value::Array(array) => &mut array[key.parse::<usize>().unwrap()],
        other => other,
    })
}

#[test]
fn whatever_a_manifest_says_nothing_outside_is_read_or_changed() {
    let workspace = Workspace::new();
    assert!(workspace.rehearse(), "the real stack can be deployed and rendered");
    assert!(!workspace.look().1);
    let outside = workspace.path("outside");
    let hostile = [outside.join("secret").display().to_string(), "../../../outside/new".to_owned()];
    let services = ["apache", "php-fpm", "mariadb", "postgresql"].map(|name| workspace.services().join(name));
    let manifests = services
        .map(|home| home.join("service.toml"))
        .into_iter()
        .chain([workspace.stack().join("stack.toml")]);
    let mut tried = 0;
    for manifest in manifests {
        let text = fs::read_to_string(&manifest).unwrap();
        let (before, _) = workspace.look();
        let value = Value::Table(text.parse().unwrap());
        let mut ways = Vec::new();
        texts(&value, &mut Vec::new(), &mut ways);
        // Reasons of failures, patterns of frames and texts for people are many, and irrelevant here.
        ways.retain(|way| {
            !["cause", "profile", "title"].contains(&way[0].as_str())
                && way.last().is_none_or(|key| key != "help")
                || way.last().is_some_and(|key| key == "agent")
        });
        for (way, hostile) in ways.iter().flat_map(|way| hostile.iter().map(move |text| (way, text))) {
            let mut changed = value.clone();
            *at(&mut changed, way) = Value::String(hostile.clone());
            let Value::Table(table) = &changed else { unreachable!("it began as a table") };
            fs::write(&manifest, table.to_string()).unwrap();
            workspace.rehearse();
            fs::write(&manifest, &text).unwrap();
            let (mut now, is_told) = workspace.look();
            now.insert(manifest.clone(), before[&manifest]);
            let why = format!("{}: {way:?} = {hostile}", manifest.display());
            let changed: Vec<_> = now.iter().filter(|one| before.get(one.0) != Some(one.1)).collect();
            assert!(now == before, "{why} changed something: {changed:?}");
            assert!(!is_told, "{why} told what is in another folder");
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}
