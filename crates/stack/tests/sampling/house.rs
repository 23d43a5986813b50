//! Configurations of the stacks as they stand in the repository, with a little data.

use application::{Scenario, TokenKey};
use cache::Cache;
use mysql::{Conn, OptsBuilder, prelude::Queryable};
use services::{AuditRules, store};
use stack::{Configuration, Content, Site, Stack};
use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    sync::{Mutex, atomic::AtomicBool},
    time::Duration,
};
use testbed::Scratch;

static STOP: AtomicBool = AtomicBool::new(false);
/// The stacks that were built, which takes a while.
static BUILT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Runs a configuration with some factors, and shows it while it runs.
pub fn with_site(of: &str, name: &str, factors: &[(&str, &str)], look: impl FnOnce(&Site<'_>, &House)) {
    with_built(of, name, factors, |site, house| {
        site.start_fresh().unwrap();
        look(site, house);
    });
}

/// Builds a configuration of a stack with some factors, and shows it before it runs.
pub fn with_built(of: &str, name: &str, factors: &[(&str, &str)], look: impl FnOnce(&mut Site<'_>, &House)) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut stack = Stack::read(&home.join("stacks").join(of), &home.join("services")).unwrap();
    stack.keep_in(&["mariadb".to_owned()]).unwrap();
    if BUILT.lock().unwrap().insert(of.to_owned()) {
        stack::build(&stack).unwrap();
    }
    let found = stack.configurations.iter().find(|configuration| configuration.name == name).unwrap();
    let vary = |configuration: Configuration, (factor, value): &(&str, &str)| {
        stack.vary(&configuration, factor, value).unwrap()
    };
    let configuration = factors.iter().fold(found.clone(), vary);
    let executable = std::env::current_exe().unwrap();
    let scratch = Scratch::create(&executable).unwrap();
    let spare = scratch.path().join("snapshots");
    let rules = AuditRules::default();
    let content = Content {
        application: &auction::AUCTION,
        schema: std::fs::read_to_string(home.join("apps/auction/schema/mariadb.sql")).unwrap(),
        audit: &rules,
        scenario: Scenario::new(1, 0.0005, store::now()),
        cache: Cache::new(spare.clone(), spare),
        key: TokenKey::random().unwrap(),
        time_scale: 1.0,
        port: None,
        hosts: None,
        stop: &STOP,
    };
    let mut site = Site::build(&stack, &configuration, content, &scratch, &executable, &mut |_| ()).unwrap();
    let folder = scratch.path().join(name);
    look(&mut site, &House { folder });
}

/// Where the site's instances are.
pub struct House {
    folder: PathBuf,
}

impl House {
    /// A connection to the database as root.
    pub fn database(&self) -> Conn {
        let socket = self.folder.join("db-mariadb/sql.sock").display().to_string();
        let options = OptsBuilder::new().socket(Some(socket)).prefer_socket(true).user(Some("root"));
        let mut connection = Conn::new(options).unwrap();
        connection.query_drop("USE auction").unwrap();
        connection
    }

    /// A rendered file of a tier.
    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Where a file of a tier or of the site is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// A connection of a client.
pub struct Client(TcpStream);

impl Client {
    pub fn connect(site: &Site<'_>) -> Self {
        let stream = TcpStream::connect(site.entry()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self(stream)
    }

    /// Asks for a page and does not wait for it.
    pub fn ask(&mut self, path: &str) {
        write!(self.0, "GET {path} HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
    }

    /// The answer's begin: as much as comes at once.
    pub fn answer(&mut self) -> String {
        let mut text = vec![0; 100_000];
        let length = self.0.read(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    }
}
