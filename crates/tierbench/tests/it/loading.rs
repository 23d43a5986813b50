//! Loading, with a real server: what was sent is there, and nothing else is ever taken for loaded.

use crate::{
    odd::{ODD, Odd},
    sandbox::turn,
    server::{DATABASE, Server, Store, dataset},
};
use application::{Application, Money, Row, Table, Timestamp, Value};
use auction::AUCTION;
use comments::COMMENTS;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use services::{ServiceError, store};
use std::{
    fs,
    os::unix::net::UnixStream,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Only here are all rows of an application read back.
#[test]
fn loaded_tables_have_the_generated_rows_and_the_schemas_indexes() {
    let _turn = turn();
    let cases: [(Store, &dyn Application); 4] = [
        (Store::InnoDb, &AUCTION),
        (Store::MyIsam, &AUCTION),
        (Store::InnoDb, &COMMENTS),
        (Store::Postgresql, &COMMENTS),
    ];
    for (kind, application) in cases {
        let mut server = Server::start(kind);
        let rows = server.load_all(application, 0.005).unwrap();
        let generator = application.generator(&dataset(0.005));
        let mut all = 0;
        for table in application.tables() {
            let mut made: Vec<Row> = Vec::new();
            generator.rows(table, 0..generator.units(table), &mut |row| made.push(row.to_vec()));
            assert!(!made.is_empty());
            all += made.len() as u64;
            let stored = store::rows(&server.instance, &server.access, table).unwrap();
            assert!(stored == made, "{kind:?}, {}", table.name);
        }
        assert_eq!(rows, all);
        expect_tables_of_schema(&server, application);
        expect_no_files(&server, application.tables()[0].name);
    }
}

/// Columns, keys and indexes are those that the schema makes where nobody loads anything.
fn expect_tables_of_schema(server: &Server, application: &dyn Application) {
    let make = match server.store {
        Store::InnoDb | Store::MyIsam => "CREATE DATABASE empty COLLATE utf8mb4_nopad_bin",
        Store::Postgresql => "CREATE DATABASE empty TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'",
    };
    server.laboratory(DATABASE).run(make);
    let schema = server.store.schema(application);
    let schema = schema.replace("{{ engine }}", server.store.engine().unwrap_or_default());
    let code: Vec<&str> = schema.lines().filter(|line| !line.starts_with("--")).collect();
    let mut empty = server.laboratory("empty");
    for statement in code.join("\n").split(';').filter(|statement| !statement.trim().is_empty()) {
        empty.run(statement);
    }
    for table in application.tables() {
        assert_eq!(describe(server, DATABASE, table), describe(server, "empty", table));
    }
}

/// All that a server says of a table, apart from its rows.
fn describe(server: &Server, database: &str, table: &Table) -> Vec<Vec<String>> {
    let name = table.name;
    let questions = match server.store {
        Store::InnoDb | Store::MyIsam => vec![format!("SHOW CREATE TABLE {name}")],
        Store::Postgresql => vec![
            format!(
                "SELECT column_name, data_type, character_maximum_length, numeric_precision, is_nullable, is_identity, \
                 column_default FROM information_schema.columns WHERE table_name = '{name}' ORDER BY ordinal_position"
            ),
            format!("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = '{name}' ORDER BY 1"),
            format!(
                "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '{name}'::regclass \
                 ORDER BY 1"
            ),
        ],
    };
    let mut connection = server.laboratory(database);
    let answers: Vec<_> = questions.iter().flat_map(|question| connection.rows(question)).collect();
    assert!(answers.len() >= questions.len(), "{answers:?}");
    // MariaDB tells the next id there.
    let without_next_id =
        |text: String| text.lines().filter(|line| !line.contains("ENGINE=")).collect::<Vec<_>>().join("\n");
    answers.into_iter().map(|row| row.into_iter().map(without_next_id).collect()).collect()
}

/// Loading leaves no file behind, and neither it nor anything else lets a stack send files or run programs.
fn expect_no_files(server: &Server, table: &str) {
    // The server takes a client's files; it reads its own files for anybody; it runs programs for anybody.
    let attempts: &[(&str, &str)] = match server.store {
        Store::InnoDb | Store::MyIsam => {
            let allowed = server.laboratory(DATABASE).rows("SELECT @@GLOBAL.local_infile");
            assert_eq!(allowed, [["0"]]);
            let left: Vec<_> = fs::read_dir(server.folder().join("load")).unwrap().collect();
            assert!(left.is_empty(), "{left:?}");
            &[
                ("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE {table}", "4166"),
                ("LOAD DATA INFILE '/etc/hostname' INTO TABLE {table}", "1045"),
            ]
        }
        Store::Postgresql => &[
            ("COPY {table} FROM '/etc/hostname'", "42501"),
            ("COPY {table} TO '/tmp/tierbench-test'", "42501"),
            ("COPY {table} FROM PROGRAM 'hostname'", "42501"),
        ],
    };
    let mut stack = server.stack();
    for (statement, code) in attempts {
        let statement = statement.replace("{table}", table);
        assert_eq!(stack.try_run(&statement), Err((*code).to_owned()), "{statement}");
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

/// Only here do rows hold what needs to be escaped.
#[test]
fn values_of_all_types_survive_loading() {
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
    // What the server reads, it reads alike for each of its storage engines.
    for kind in [Store::InnoDb, Store::Postgresql] {
        let mut server = Server::start(kind);
        let odd = Odd::new(rows.clone());
        assert_eq!(server.load_all(&odd, 0.0).unwrap(), 5000);
        let stored = store::rows(&server.instance, &server.access, &ODD[0]).unwrap();
        assert_eq!(stored.len(), rows.len());
        for (stored, sent) in stored.iter().zip(&rows) {
            assert_eq!(stored, sent, "{kind:?}");
        }
        expect_tables_of_schema(&server, &odd);
    }
}

/// Only here does a real server refuse a row.
#[test]
fn a_row_that_does_not_fit_is_an_error_and_stops_the_server() {
    let _turn = turn();
    let row = |id, text: &str| vec![Value::Integer(id), Value::Text(text.into()), Value::Null, Value::Null];
    for kind in Store::ALL {
        let twice = match kind {
            Store::InnoDb | Store::MyIsam => "Duplicate entry '1'",
            Store::Postgresql => "Key (id)=(1) already exists",
        };
        // A server checks keys itself, and so do storage engines; it is the server alone that checks lengths.
        let (wrong, message) = match kind {
            Store::MyIsam => (row(2, &"x".repeat(201)), "too long"),
            Store::InnoDb | Store::Postgresql => (row(1, "twice"), twice),
        };
        let mut server = Server::start(kind);
        let odd = Odd::new(vec![row(1, "once"), wrong]);
        let fault = server.load_all(&odd, 0.0).unwrap_err();
        assert!(fault.to_string().contains(message), "{kind:?}: {fault}");
        expect_killed(&mut server);
    }
}

/// A snapshot of a server that was killed is refused.
fn expect_killed(server: &mut Server) {
    assert!(UnixStream::connect(server.socket()).is_err());
    assert!(store::shut_down(&mut server.instance).is_err());
}

/// The load would never end.
#[test]
fn loading_ends_when_interrupted() {
    let _turn = turn();
    for kind in Store::ALL {
        let mut server = Server::start(kind);
        let stop = AtomicBool::new(false);
        let mut progress = Vec::new();
        let loaded = server.load(&Odd::endless(), 0.0, &stop, &mut |loading| {
            progress.push(loading);
            // It is at work: now it shall end.
            stop.store(loading.rows > 0, Ordering::Relaxed);
        });
        let fault = loaded.unwrap_err();
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
