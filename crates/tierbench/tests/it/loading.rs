//! Loading, with a real server: what was sent is there, and nothing else is ever taken for loaded.

use crate::bench::{real_house, turn};
use application::{
    Account, Application, Branch, Catalogue, Column, Generator, Kind, Model, Money, Property, Row, Scenario,
    StaticFile, Table, Timestamp, TokenKey, Value, Write,
};
use auction::AUCTION;
use mysql::{Conn, OptsBuilder, prelude::Queryable};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use services::{
    Context, Instance, Service, ServiceError, Setting,
    store::{self, Access, LoadOrder},
};
use settings::Document;
use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};
use testbed::Scratch;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_tierbench");

/// A server that runs and has no data yet.
struct Server {
    instance: Instance,
    access: Access,
    _scratch: Scratch,
}

impl Server {
    fn start(engine: &str) -> Self {
        let service = Service::read(&real_house().join("services/mariadb")).unwrap();
        let mut factors = service.factors.choose(&Document::new("", ""), &BTreeMap::new()).unwrap();
        factors.insert("engine".to_owned(), engine.to_owned());
        let scratch = Scratch::create(EXECUTABLE.as_ref()).unwrap();
        let setting = Setting {
            role: "db".into(),
            factors,
            stack_templates: Vec::new(),
            place: testbed::Place::default(),
            fixed_port: None,
            is_prepared: true,
        };
        let context = Context {
            executable: EXECUTABLE.into(),
            folder: scratch.path().into(),
            lock: scratch.lock(),
            site: scratch.path().into(),
            application: "test".into(),
            scenario: scenario(0.0),
            time_scale: 1.0,
            environment: BTreeMap::new(),
        };
        let mut instance = Instance::prepare(&service, &setting, &[], &context).unwrap();
        let access = Access::new(&instance, "test").unwrap();
        instance.start().unwrap();
        Self { instance, access, _scratch: scratch }
    }

    fn load(
        &mut self,
        application: &dyn Application,
        scale: f64,
        schema: &str,
        stop: &AtomicBool,
    ) -> Result<u64, ServiceError> {
        let order = LoadOrder { application, scenario: &scenario(scale), schema, stop };
        store::load(&mut self.instance, &self.access, order, &mut |_| ())
    }

    fn root(&self) -> Conn {
        let socket = self.instance.folder().join("sql.sock").display().to_string();
        Conn::new(OptsBuilder::new().socket(Some(socket)).prefer_socket(true).user(Some("root"))).unwrap()
    }

    /// A connection with the stack's rights.
    fn stack(&self) -> Conn {
        store::let_stack_in(&self.instance, &self.access).unwrap();
        let variables = self.access.environment();
        let options = OptsBuilder::new()
            .ip_or_hostname(Some(variables["TIERBENCH_DB_HOST"].clone()))
            .tcp_port(variables["TIERBENCH_DB_PORT"].parse().unwrap())
            .user(Some(variables["TIERBENCH_DB_USER"].clone()))
            .pass(Some(variables["TIERBENCH_DB_PASSWORD"].clone()))
            .db_name(Some(variables["TIERBENCH_DB_NAME"].clone()))
            .prefer_socket(false);
        Conn::new(options).unwrap()
    }
}

fn scenario(scale: f64) -> Scenario {
    Scenario::new(7, scale, Timestamp(1_795_000_000))
}

fn auction_schema() -> String {
    fs::read_to_string(real_house().join("apps/auction/schema/mariadb.sql")).unwrap()
}

/// The code of an error of the database.
fn code(result: mysql::Result<()>) -> u16 {
    match result.unwrap_err() {
        mysql::Error::MySqlError(fault) => fault.code,
        other => panic!("{other}"),
    }
}

#[test]
fn the_server_has_the_rows_the_generator_makes_and_the_indexes_the_schema_names() {
    let _turn = turn();
    for engine in ["InnoDB", "MyISAM"] {
        let mut server = Server::start(engine);
        let rows = server.load(&AUCTION, 0.005, &auction_schema(), &AtomicBool::new(false)).unwrap();
        let generator = AUCTION.generator(&scenario(0.005));
        let mut all = 0;
        for table in AUCTION.tables() {
            let mut made: Vec<Row> = Vec::new();
            generator.rows(table, 0..generator.units(table), &mut |row| made.push(row.to_vec()));
            all += made.len() as u64;
            let stored = store::rows(&server.instance, &server.access, table).unwrap();
            assert!(stored == made, "{engine}, {}", table.name);
        }
        assert_eq!(rows, all);
        expect_indexes_of_schema(&server, engine);
        expect_no_files(&server);
    }
}

fn expect_indexes_of_schema(server: &Server, engine: &str) {
    let mut root = server.root();
    root.query_drop("CREATE DATABASE empty COLLATE utf8mb4_nopad_bin").unwrap();
    root.query_drop("USE empty").unwrap();
    let schema = auction_schema().replace("{{ engine }}", engine);
    let code: Vec<&str> = schema.lines().filter(|line| !line.starts_with("--")).collect();
    for statement in code.join("\n").split(';').filter(|statement| !statement.trim().is_empty()) {
        root.query_drop(statement).unwrap();
    }
    for table in AUCTION.tables() {
        let mut shown = |database: &str| {
            let (_, text): (String, String) =
                root.query_first(format!("SHOW CREATE TABLE {database}.{}", table.name)).unwrap().unwrap();
            text.lines().filter(|line| !line.contains("ENGINE=")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(shown("test"), shown("empty"));
    }
}

/// Loading leaves no file behind, and neither it nor anything else lets a stack send files.
fn expect_no_files(server: &Server) {
    let mut root = server.root();
    let allowed: u8 = root.query_first("SELECT @@GLOBAL.local_infile").unwrap().unwrap();
    assert_eq!(allowed, 0);
    let left: Vec<_> = fs::read_dir(server.instance.folder().join("load")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    let mut stack = server.stack();
    let own = "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE regions";
    assert_eq!(code(stack.query_drop(own)), 4166, "the server takes a client's files");
    let servers = "LOAD DATA INFILE '/etc/hostname' INTO TABLE regions";
    assert_eq!(code(stack.query_drop(servers)), 1045, "the server reads its own files for anybody");
}

/// One table of values of all sorts.
struct Odd {
    rows: Vec<Row>,
    /// Whether there are others instead, which never end.
    endless: bool,
}

static ODD: [Table; 1] = [Table {
    name: "odd",
    columns: &[
        Column { name: "id", kind: Kind::Integer },
        Column { name: "text", kind: Kind::Text },
        Column { name: "amount", kind: Kind::Money },
        Column { name: "instant", kind: Kind::Time },
    ],
    moves_with_epoch: false,
}];
const ODD_SCHEMA: &str = "CREATE TABLE odd (id BIGINT PRIMARY KEY, text VARCHAR(40), amount DECIMAL(12,2), \
    instant DATETIME, KEY odd_text (text)) ENGINE={{ engine }}";

impl Odd {
    fn new(rows: Vec<Row>) -> Self {
        Self { rows, endless: false }
    }
}

/// The rows of [`Odd`], by their places.
struct Places {
    rows: Vec<Row>,
    endless: bool,
}

impl Generator for Places {
    fn units(&self, _table: &Table) -> u64 {
        if self.endless { 1 << 40 } else { self.rows.len() as u64 }
    }

    fn rows(&self, _table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        for unit in units {
            if self.endless {
                take(&[Value::Integer(unit as i64), Value::Text("x".repeat(40)), Value::Null, Value::Null]);
            } else {
                take(&self.rows[unit as usize]);
            }
        }
    }
}

impl Application for Odd {
    fn name(&self) -> &'static str {
        "odd"
    }

    fn tables(&self) -> &'static [Table] {
        &ODD
    }

    fn generator(&self, _scenario: &Scenario) -> Box<dyn Generator> {
        Box::new(Places { rows: self.rows.clone(), endless: self.endless })
    }

    fn catalogue(&self) -> &'static Catalogue {
        AUCTION.catalogue()
    }

    fn properties(&self, _scenario: &Scenario) -> Vec<Property> {
        Vec::new()
    }

    fn accounts(&self, _scenario: &Scenario) -> u64 {
        0
    }

    fn account(&self, number: u64) -> Account {
        AUCTION.account(number)
    }

    fn static_files(&self) -> Vec<StaticFile> {
        Vec::new()
    }

    fn model(&self, scenario: &Scenario, key: TokenKey) -> Box<dyn Model> {
        AUCTION.model(scenario, key)
    }

    fn branches(&self, _scenario: &Scenario, _key: &TokenKey) -> Vec<Branch> {
        Vec::new()
    }

    fn contention(&self, _scenario: &Scenario, _count: usize) -> Vec<Write> {
        Vec::new()
    }
}

fn odd_values() -> impl Strategy<Value = [Value; 3]> {
    let text = prop_oneof![
        4 => "[\\PC\t\n\r\\\\N'\"0]{0,20}",
        1 => prop::sample::select(vec!["", "\\N", "NULL", "\\", "\\\\", "\t", "\n", " ", "😀\\\t", "\r\n", "\\.", "\\0", "\u{1a}"])
            .prop_map(str::to_owned),
    ];
    let text = prop_oneof![9 => text.prop_map(Value::Text), 1 => Just(Value::Null)];
    let amount = (-999_999_999_999i64..=999_999_999_999).prop_map(|cents| Value::Money(Money(cents)));
    let instant = (-2_000_000_000i64..=4_000_000_000).prop_map(|second| Value::Time(Timestamp(second)));
    (text, amount, instant).prop_map(|(text, amount, instant)| [text, amount, instant])
}

#[test]
fn values_of_all_sorts_come_back_as_they_were() {
    let _turn = turn();
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let values = odd_values();
    let rows: Vec<Row> = (0..5000)
        .map(|id| {
            let values = values.new_tree(&mut runner).unwrap().current();
            [Value::Integer(id)].into_iter().chain(values).collect()
        })
        .collect();
    for engine in ["InnoDB", "MyISAM"] {
        let mut server = Server::start(engine);
        let odd = Odd::new(rows.clone());
        assert_eq!(server.load(&odd, 0.0, ODD_SCHEMA, &AtomicBool::new(false)).unwrap(), 5000);
        let stored = store::rows(&server.instance, &server.access, &ODD[0]).unwrap();
        assert_eq!(stored.len(), rows.len());
        for (stored, sent) in stored.iter().zip(&rows) {
            assert_eq!(stored, sent, "{engine}");
        }
    }
}

#[test]
fn a_row_that_does_not_fit_is_an_error_that_says_so_and_the_server_is_gone() {
    let _turn = turn();
    let row = |id, text: &str| vec![Value::Integer(id), Value::Text(text.into()), Value::Null, Value::Null];
    for (wrong, said) in [(row(1, "twice"), "Duplicate entry '1'"), (row(2, &"x".repeat(41)), "too long")] {
        for engine in ["InnoDB", "MyISAM"] {
            let mut server = Server::start(engine);
            let odd = Odd::new(vec![row(1, "once"), wrong.clone()]);
            let fault = server.load(&odd, 0.0, ODD_SCHEMA, &AtomicBool::new(false)).unwrap_err();
            assert!(fault.to_string().contains(said), "{engine}: {fault}");
            expect_killed(&mut server);
        }
    }
}

/// Whoever would keep the data of a server that was killed is refused.
fn expect_killed(server: &mut Server) {
    let socket = server.instance.folder().join("sql.sock");
    assert!(std::os::unix::net::UnixStream::connect(socket).is_err());
    assert!(store::shut_down(&mut server.instance).is_err());
}

#[test]
fn loading_ends_within_a_second_when_somebody_wants_that() {
    let _turn = turn();
    for engine in ["InnoDB", "MyISAM"] {
        let mut server = Server::start(engine);
        let odd = Odd { endless: true, ..Odd::new(Vec::new()) };
        let stop = AtomicBool::new(false);
        let mut progress = Vec::new();
        let (fault, ended) = thread::scope(|scope| {
            let load = scope.spawn(|| {
                let order = LoadOrder {
                    application: &odd,
                    scenario: &scenario(0.0),
                    schema: ODD_SCHEMA,
                    stop: &stop,
                };
                let loaded = store::load(&mut server.instance, &server.access, order, &mut |loading| {
                    progress.push(loading);
                    // It is at work: now it shall end.
                    stop.store(loading.rows > 0, Ordering::Relaxed);
                });
                (loaded, Instant::now())
            });
            while !stop.load(Ordering::Relaxed) && !load.is_finished() {
                thread::sleep(Duration::from_millis(1));
            }
            let asked = Instant::now();
            let (loaded, ended) = load.join().unwrap();
            (loaded.unwrap_err(), ended.saturating_duration_since(asked))
        });
        assert!(ended < Duration::from_secs(1), "{engine}: {ended:?}");
        assert!(
            matches!(&fault, ServiceError::Io(fault) if fault.kind() == std::io::ErrorKind::Interrupted),
            "{fault}"
        );
        let last = progress.last().unwrap();
        assert_eq!(last.of, 1 << 40);
        assert!(last.left.unwrap() > Duration::from_secs(3600), "{last}");
        expect_killed(&mut server);
    }
}
