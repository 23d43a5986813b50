//! The repository's configurations, with little data.

use crate::looking::until;
use application::{Application, Dataset, TokenKey};
use cache::Cache;
use services::{
    AuditRules,
    fixture::{Administrator, Connection},
    store,
};
use stack::{Configuration, Site, SiteInputs, Stack};
use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};
use testbed::Scratch;

static STOP: AtomicBool = AtomicBool::new(false);
/// Stacks already built, since building takes a while.
static BUILT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// An application in a database, with the checks' knowledge of both.
#[derive(Clone, Copy)]
pub struct Kept {
    pub application: &'static dyn Application,
    pub database: &'static str,
    pub page: &'static str,
    /// Statements that block that page, and release it.
    pub lock: &'static str,
    pub unlock: &'static str,
    /// Query for the stack's connections that wait for a lock.
    pub waiting: &'static str,
    /// The sampler's count of the stack's work.
    pub work: &'static str,
}

pub const AUCTION_IN_MARIADB: Kept = Kept {
    application: &auction::AUCTION,
    database: "mariadb",
    page: "/auction/BrowseRegions",
    lock: "LOCK TABLES regions WRITE",
    unlock: "UNLOCK TABLES",
    waiting: "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'",
    work: "statements/s",
};

pub const COMMENTS_IN_POSTGRESQL: Kept = Kept {
    application: &comments::COMMENTS,
    database: "postgresql",
    page: "/comments/ListComments",
    lock: "BEGIN; LOCK TABLE comments IN ACCESS EXCLUSIVE MODE",
    unlock: "ROLLBACK",
    waiting: "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    work: "transactions/s",
};

#[derive(Clone, Copy)]
pub struct Case {
    pub kept: Kept,
    pub stack: &'static str,
    pub name: &'static str,
    pub factors: &'static [(&'static str, &'static str)],
}

pub fn with_built(case: Case, look: impl FnOnce(&mut Site<'_>, &Workspace)) {
    let Case { kept, stack: of, name, factors } = case;
    let Kept { application, database, .. } = kept;
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let executable = std::env::current_exe().unwrap();
    let stack = read(&home, case);
    build_once(&stack, of, &executable);
    let found = stack.configurations.iter().find(|configuration| configuration.name == name).unwrap();
    let vary = |configuration: Configuration, (factor, value): &(&str, &str)| {
        stack.vary(&configuration, factor, value).unwrap()
    };
    let configuration = factors.iter().fold(found.clone(), vary);
    let scratch = Scratch::create_below(&folder_for_scratch(), &executable).unwrap();
    let rules = AuditRules::default();
    let schema = format!("apps/{}/schema/{database}.sql", application.name());
    let inputs = SiteInputs {
        application,
        schema: std::fs::read_to_string(home.join(schema)).unwrap(),
        audit: &rules,
        dataset: Dataset::new(1, 0.0005, store::now()),
        cache: Cache::new(folder_of_cache(), scratch.path().join("snapshots")),
        key: TokenKey::random().unwrap(),
        time_scale: 1.0,
        port: None,
        hosts: None,
        stop: &STOP,
    };
    let mut site = Site::build(&stack, &configuration, inputs, &scratch, &executable, &mut |_| ()).unwrap();
    let folder = scratch.path().join(name);
    let store = site.instances().iter().find(|instance| instance.service().name == database);
    let administrator = store.map(Administrator::of);
    look(&mut site, &Workspace { folder, kept, administrator });
}

fn read(home: &Path, case: Case) -> Stack {
    let applications = ["auction", "bookstore", "comments", "mail", "quotes"];
    let folder = home.join("stacks").join(case.stack);
    let mut stack = Stack::read(&folder, &home.join("services"), &applications).unwrap();
    // The others may not support this database.
    stack.configurations.retain(|configuration| configuration.name == case.name);
    stack.keep_in(&[case.kept.database.to_owned()]).unwrap();
    stack
}

/// Sites that start at the same time wait for each other's builds.
fn build_once(stack: &Stack, of: &str, executable: &Path) {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !built.contains(of) {
        stack::build(stack, executable, &STOP).unwrap();
        built.insert(of.to_owned());
    }
}

/// Loaded data outlive the tests, which all load the same.
fn folder_of_cache() -> PathBuf {
    let named = std::env::var_os("TIERBENCH_TEST_CACHE").filter(|folder| !folder.is_empty());
    named.map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"), PathBuf::from)
}

fn folder_for_scratch() -> PathBuf {
    let named = std::env::var_os("TIERBENCH_TEST_TMP").filter(|folder| !folder.is_empty());
    named.map_or_else(std::env::temp_dir, PathBuf::from)
}

pub struct Workspace {
    folder: PathBuf,
    pub kept: Kept,
    administrator: Option<Administrator>,
}

impl Workspace {
    pub fn database(&self) -> Connection {
        self.administrator.as_ref().expect("it keeps its data there").connect(self.kept.application.name())
    }

    /// Waits until this many of the stack's connections wait for a lock.
    pub fn wait_for_waiting(&self, count: usize) {
        let mut database = self.database();
        until(|| database.rows(self.kept.waiting) == [[count.to_string()]]);
    }

    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

pub struct Client(TcpStream);

impl Client {
    pub fn connect(site: &Site<'_>) -> Self {
        let stream = TcpStream::connect(site.entry()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self(stream)
    }

    pub fn ask(&mut self, path: &str) {
        write!(self.0, "GET {path} HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
    }

    pub fn send(&mut self, path: &str, form: &str) {
        let length = form.len();
        let head = "Host: test\r\nContent-Type: application/x-www-form-urlencoded\r\n";
        write!(self.0, "POST {path} HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{form}").unwrap();
    }

    /// The begin of the answer: as much as comes at once.
    pub fn answer(&mut self) -> String {
        let mut text = vec![0; 100_000];
        let length = self.0.read(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    }
}
