//! The cache, with plain folders as stores.

use application::Timestamp;
use cache::{Cache, Draft, Identity, Loaded, Lookup, OLDEST, Snapshot, TableRows, empty, entries};
use std::{
    fs,
    os::unix::net::UnixListener,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, SystemTime},
};

const NOW: Timestamp = Timestamp(1_800_000_000);
static RUNNING: AtomicBool = AtomicBool::new(false);

fn identity(engine: &str) -> Identity {
    Identity {
        application: "auction".into(),
        distribution: "uniform".into(),
        scale: 0.05,
        seed: 1,
        generator: "g".into(),
        schema: "s".into(),
        invariants: "i".into(),
        service: "mariadb".into(),
        version: "10.11".into(),
        settings: "c".into(),
        factors: [("engine".to_owned(), engine.to_owned())].into(),
    }
}

/// A cache, and the folders of a command that uses it.
struct Workspace {
    home: tempfile::TempDir,
    cache: Cache,
}

impl Workspace {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::new(home.path().join("cache"), home.path().join("spare"));
        Self { home, cache }
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.home.path().join(folder)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The result of a lookup, and its remarks.
    fn lookup(&self, engine: &str, now: Timestamp) -> (Lookup, Vec<String>) {
        let mut remarks = Vec::new();
        let mut remark = |text: &str| remarks.push(text.to_owned());
        let place = self.cache.lookup(&identity(engine), &|| now, &RUNNING, &mut remark).unwrap();
        (place, remarks)
    }

    fn draft(&self, engine: &str, now: Timestamp) -> Draft {
        match self.lookup(engine, now).0 {
            Lookup::Miss(draft) => draft,
            Lookup::Hit(snapshot) => panic!("there is {snapshot:?}"),
        }
    }

    fn snapshot(&self, engine: &str, now: Timestamp) -> Snapshot {
        match self.lookup(engine, now).0 {
            Lookup::Hit(snapshot) => snapshot,
            Lookup::Miss(_) => panic!("it was not found"),
        }
    }

    /// A store that was loaded, with two files.
    fn store(&self) -> PathBuf {
        let store = self.home.path().join("store");
        fs::create_dir_all(store.join("auction")).unwrap();
        fs::write(store.join("ibdata1"), "system").unwrap();
        fs::write(store.join("auction/bids.ibd"), "all bids").unwrap();
        store
    }

    fn keep(&self, draft: Draft, engine: &str, now: Timestamp) -> (Snapshot, Vec<String>) {
        let mut remarks = Vec::new();
        let identity = identity(engine);
        let tables = vec![TableRows { name: "bids".into(), rows: 2, largest: 9 }];
        let loaded = Loaded { data: &self.store(), identity: &identity, history: now, tables, now };
        let snapshot = draft.keep(&loaded, &mut |text| remarks.push(text.to_owned())).unwrap();
        (snapshot, remarks)
    }

    fn make(&self, engine: &str, now: Timestamp) -> Snapshot {
        let (snapshot, remarks) = self.keep(self.draft(engine, now), engine, now);
        assert_eq!(remarks, [] as [String; 0]);
        snapshot
    }
}

fn data(snapshot: &Snapshot, file: &str) -> String {
    fs::read_to_string(snapshot.data().join(file)).unwrap()
}

#[test]
fn a_kept_snapshot_is_found_with_its_facts() {
    let workspace = Workspace::new();
    drop(workspace.make("InnoDB", NOW));
    let found = workspace.snapshot("InnoDB", NOW + 60);
    assert_eq!(
        (data(&found, "ibdata1"), data(&found, "auction/bids.ibd")),
        ("system".into(), "all bids".into())
    );
    assert_eq!(found.tables(), [TableRows { name: "bids".into(), rows: 2, largest: 9 }]);
    assert_eq!((found.history(), found.bytes()), (NOW, 14));
    drop(workspace.draft("MyISAM", NOW));
    let listed = entries(&workspace.folder(), NOW).unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0].content, Ok((identity("InnoDB"), NOW)));
    assert!(listed[0].is_in_use);
}

#[test]
fn what_was_found_out_about_a_snapshot_is_kept_beside_it() {
    let workspace = Workspace::new();
    let made = workspace.make("InnoDB", NOW);
    assert_eq!(made.kept_beside("facts.toml"), None);
    made.keep_beside("facts.toml", "one").unwrap();
    made.keep_beside("facts.toml", "two").unwrap();
    drop(made);
    // It is neither damage nor a part of the data.
    let found = workspace.snapshot("InnoDB", NOW + 60);
    assert_eq!((found.kept_beside("facts.toml").as_deref(), found.bytes()), (Some("two"), 14));
}

#[test]
fn only_recent_dates_are_used_and_new_snapshots_replace_old_ones() {
    let workspace = Workspace::new();
    drop(workspace.make("InnoDB", NOW));
    let week = OLDEST.as_secs() as i64;
    drop(workspace.snapshot("InnoDB", NOW + week));
    drop(workspace.draft("InnoDB", NOW + -1));
    drop(workspace.make("InnoDB", NOW + week + 1));
    assert_eq!(workspace.names("cache").len(), 1);
    assert_eq!(workspace.snapshot("InnoDB", NOW + week + 1).history(), NOW + week + 1);
}

type Damage = fn(&Path);

#[test]
fn damaged_snapshots_are_reported_and_removed() {
    let damages: [(&str, Damage); 7] = [
        ("bids.ibd has 3 of 8 bytes", |it| fs::write(it.join("data/auction/bids.ibd"), "all").unwrap()),
        ("bids.ibd was changed after", |it| {
            let file = fs::File::options().write(true).open(it.join("data/auction/bids.ibd")).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }),
        ("ibdata1 is missing", |it| fs::remove_file(it.join("data/ibdata1")).unwrap()),
        ("other does not belong to it", |it| fs::write(it.join("data/other"), "").unwrap()),
        ("snapshot.toml can't be read", |it| fs::write(it.join("snapshot.toml"), "made = 1").unwrap()),
        ("snapshot.toml", |it| fs::remove_file(it.join("snapshot.toml")).unwrap()),
        ("snapshot.toml: is no file", |it| {
            fs::remove_file(it.join("snapshot.toml")).unwrap();
            // No program makes it: a child that was just forked has the locks of other tests for a moment.
            drop(UnixListener::bind(it.join("snapshot.toml")).unwrap());
        }),
    ];
    for (message, damage) in damages {
        let workspace = Workspace::new();
        drop(workspace.make("InnoDB", NOW));
        damage(&workspace.folder().join(&workspace.names("cache")[0]));
        let listed = entries(&workspace.folder(), NOW).unwrap();
        assert!(listed[0].content.as_ref().unwrap_err().contains(message), "{listed:?}");
        let (place, remarks) = workspace.lookup("InnoDB", NOW);
        assert!(matches!(place, Lookup::Miss(_)), "{message}");
        assert!(remarks.len() == 1 && remarks[0].contains(message), "{remarks:?} should say `{message}`");
        drop(place);
        assert_eq!(workspace.names("cache"), [] as [&str; 0]);
    }
}

#[test]
fn remains_of_killed_commands_are_removed() {
    let workspace = Workspace::new();
    let draft = workspace.draft("InnoDB", NOW);
    fs::rename(workspace.store(), workspace.folder().join(&workspace.names("cache")[0]).join("data"))
        .unwrap();
    // A killed process releases its locks, and removes nothing.
    let parts = workspace.names("cache");
    let saved = workspace.home.path().join("saved");
    fs::rename(workspace.folder().join(&parts[0]), &saved).unwrap();
    drop(draft);
    fs::rename(&saved, workspace.folder().join(&parts[0])).unwrap();
    assert_eq!(entries(&workspace.folder(), NOW).unwrap()[0].content, Err("half-written".into()));
    let (place, remarks) = workspace.lookup("InnoDB", NOW);
    assert!(matches!(place, Lookup::Miss(_)));
    assert!(remarks.len() == 1 && remarks[0].contains("half-written and is removed"), "{remarks:?}");
}

/// A concurrent command that needs the same data. Returns once it waits for them.
fn second<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    workspace: &'scope Workspace,
) -> thread::ScopedJoinHandle<'scope, Lookup> {
    let (sender, messages) = mpsc::channel();
    let second = scope.spawn(move || {
        let mut remark = |text: &str| sender.send(text.to_owned()).unwrap();
        workspace.cache.lookup(&identity("InnoDB"), &|| NOW, &RUNNING, &mut remark).unwrap()
    });
    assert!(messages.recv().unwrap().contains("waiting for another command"));
    second
}

#[test]
fn a_second_command_waits_for_the_first_ones_snapshot() {
    let workspace = Workspace::new();
    let draft = workspace.draft("InnoDB", NOW);
    thread::scope(|scope| {
        let second = second(scope, &workspace);
        let (first, _) = workspace.keep(draft, "InnoDB", NOW);
        let Lookup::Hit(second) = second.join().unwrap() else { panic!("it would load the same data") };
        assert_eq!(first.data(), second.data());
    });
}

#[test]
fn a_snapshot_that_is_being_published_is_waited_for() {
    let workspace = Workspace::new();
    drop(workspace.make("InnoDB", NOW));
    let folder = workspace.folder().join(&workspace.names("cache")[0]);
    // Its maker holds the exclusive lock until others may read it.
    let publisher = fs::File::open(&folder).unwrap();
    publisher.lock().unwrap();
    thread::scope(|scope| {
        let second = second(scope, &workspace);
        publisher.unlock().unwrap();
        assert!(matches!(second.join().unwrap(), Lookup::Hit(_)), "it would load the same data");
    });
}

#[test]
fn a_waiting_command_takes_over_and_can_be_stopped() {
    let workspace = Workspace::new();
    let draft = workspace.draft("InnoDB", NOW);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, messages) = mpsc::channel();
        let waiting = scope.spawn({
            let (workspace, stop) = (&workspace, &stop);
            move || {
                let mut remark = |text: &str| sender.send(text.to_owned()).unwrap();
                workspace.cache.lookup(&identity("InnoDB"), &|| NOW, stop, &mut remark).map(drop)
            }
        });
        messages.recv().unwrap();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(waiting.join().unwrap().unwrap_err().kind(), std::io::ErrorKind::Interrupted);
    });
    drop(draft);
    assert_eq!(workspace.names("cache"), [] as [&str; 0]);
    drop(workspace.draft("InnoDB", NOW));
}

#[test]
fn emptying_spares_recent_and_used_snapshots() {
    let workspace = Workspace::new();
    let used = workspace.make("InnoDB", NOW);
    drop(workspace.make("MyISAM", NOW));
    let emptied = empty(&workspace.folder(), Duration::from_secs(3600), NOW).unwrap();
    assert_eq!((emptied.removed, emptied.in_use), (0, 0));
    let emptied = empty(&workspace.folder(), Duration::ZERO, NOW).unwrap();
    assert_eq!((emptied.removed, emptied.in_use), (1, 1));
    assert!(emptied.bytes >= 14, "{emptied:?}");
    assert_eq!(data(&used, "ibdata1"), "system");
    drop(used);
    let note = workspace.folder().join(&workspace.names("cache")[0]).join("snapshot.toml");
    let hours_ago = SystemTime::now() - Duration::from_secs(2 * 3600);
    fs::File::open(&note).unwrap().set_modified(hours_ago).unwrap();
    drop(workspace.snapshot("InnoDB", NOW));
    let emptied = empty(&workspace.folder(), Duration::from_secs(3600), NOW).unwrap();
    assert_eq!(emptied.removed, 0, "its use is recorded");
    fs::File::open(&note).unwrap().set_modified(hours_ago).unwrap();
    assert_eq!(empty(&workspace.folder(), Duration::from_secs(3600), NOW).unwrap().removed, 1);
    assert_eq!(workspace.names("cache"), [] as [&str; 0]);
}

#[test]
fn an_unusable_cache_is_reported_and_replaced_by_the_spare_folder() {
    let workspace = Workspace::new();
    fs::write(workspace.folder(), "no folder").unwrap();
    let (place, remarks) = workspace.lookup("InnoDB", NOW);
    let Lookup::Miss(draft) = place else { panic!("there is none") };
    assert!(remarks.len() == 1 && remarks[0].contains("can't be kept"), "{remarks:?}");
    let (snapshot, remarks) = workspace.keep(draft, "InnoDB", NOW);
    assert!(remarks.is_empty() && snapshot.data().starts_with(workspace.home.path().join("spare")));
    // The same command uses it for its next configuration.
    assert_eq!(workspace.snapshot("InnoDB", NOW).data(), snapshot.data());
}

#[test]
fn a_cache_that_fails_at_the_end_loses_no_data() {
    let workspace = Workspace::new();
    let draft = workspace.draft("InnoDB", NOW);
    // The snapshot's path is taken.
    let part = workspace.names("cache")[0].clone();
    let target = workspace.folder().join(part.replace(".part", &format!(".{}", NOW.0)));
    fs::create_dir_all(target.join("in the way")).unwrap();
    let (snapshot, remarks) = workspace.keep(draft, "InnoDB", NOW);
    assert!(remarks.len() == 1 && remarks[0].contains("can't be kept"), "{remarks:?}");
    assert!(snapshot.data().starts_with(workspace.home.path().join("spare")));
    assert_eq!(data(&snapshot, "auction/bids.ibd"), "all bids");
}
