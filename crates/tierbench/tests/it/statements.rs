//! The statements that are sent to a database, as the server itself saw them.

use crate::{
    odd::{ODD, Odd},
    sandbox::{Sandbox, turn},
    server::{Server, Store},
};
use application::{Application, Dataset, Value};
use auction::AUCTION;
use comments::COMMENTS;
use lab::Workspace;
use results::FactorChoice;
use services::{
    fixture::Connection,
    statements::{Trace, Tracer},
    store,
};
use std::sync::{Arc, atomic::AtomicBool};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_tierbench");
/// Texts that look like an entry of a log: of MariaDB's, of PostgreSQL's.
const TEXT: &str = "o'b\\\n\t\t     1 Query\tDELETE\n\
    2026-11-22 14:03:01.126 UTC [7] sandbox LOG:  statement: DELETE \"";

fn counts(trace: &Trace) -> Vec<(&str, u32)> {
    trace.housekeeping.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

/// Only here is a text sent that looks like an entry of a log.
#[test]
fn literal_and_bound_values_are_recorded_alike_and_only_the_stacks_user_is_traced() {
    let _turn = turn();
    for kind in [Store::InnoDb, Store::Postgresql] {
        let mut server = Server::start(kind);
        let row = vec![Value::Integer(1), Value::Text(TEXT.to_owned()), Value::Null, Value::Null];
        server.load_all(&Odd::new(vec![row]), 0.0).unwrap();
        let variables = server.access.environment();
        assert_eq!(variables["TIERBENCH_DB_SERVICE"], kind.service());
        assert_eq!(variables.get("TIERBENCH_DB_ENGINE").map(String::as_str), kind.engine());

        let mut earlier = server.stack();
        let mut tracer = Tracer::start(&server.instance).unwrap();
        for quoted in quoted(kind) {
            let found =
                earlier.rows(&format!("SELECT id  FROM odd -- it's\n WHERE text = {quoted} AND id > -5"));
            assert_eq!(found, [["1"]], "{kind:?} reads another text");
        }
        store::rows(&server.instance, &server.access, &ODD[0]).unwrap();
        assert_eq!(find_bound(&mut earlier, TEXT, -5), [1]);
        let trace = tracer.take().unwrap();
        assert_eq!(trace.statements, ["SELECT id FROM odd WHERE text = ? AND id > ?"; 3], "{kind:?}");
        assert_eq!(counts(&trace), [("prepare", 1)], "{kind:?}");
        assert_eq!(trace.round_trips, 4, "{kind:?}");

        drop(earlier);
        let mut later = server.stack();
        later.rows("SELECT id FROM odd");
        let trace = tracer.take().unwrap();
        assert_eq!(trace.statements, ["SELECT id FROM odd"]);
        assert_eq!(trace.housekeeping["connect"], 1);
        let to_connect = if kind == Store::InnoDb { 2 } else { 3 };
        let has_answer = |name: &str| !["connect", "close", "quit"].contains(&name);
        let settings: u32 =
            counts(&trace).into_iter().filter(|(name, _)| has_answer(name)).map(|(_, count)| count).sum();
        assert_eq!(trace.round_trips, to_connect + settings + 1, "{kind:?}: {trace:?}");

        Tracer::stop(&server.instance).unwrap();
        later.rows("SELECT id FROM odd");
        assert_eq!(tracer.take().unwrap().statements, [""; 0], "{kind:?}");
    }
}

/// The text as a literal, in two ways.
fn quoted(kind: Store) -> [String; 2] {
    let escaped = TEXT.replace('\\', "\\\\").replace('\'', "''");
    match kind {
        Store::InnoDb | Store::MyIsam => {
            [format!("'{escaped}'"), format!("'{}'", escaped.replace("''", "\\'").replace('\n', "\\n"))]
        }
        Store::Postgresql => [format!("'{}'", TEXT.replace('\'', "''")), format!("E'{escaped}'")],
    }
}

/// The same question with bound values.
fn find_bound(connection: &mut Connection, text: &str, above: i64) -> Vec<i64> {
    match connection {
        Connection::Mariadb(connection) => {
            let question = "SELECT id FROM odd WHERE text = ? AND id > ?";
            mysql::prelude::Queryable::exec(connection, question, (text, above)).unwrap()
        }
        Connection::Postgresql(client) => {
            let rows = client.query("SELECT id FROM odd WHERE text = $1 AND id > $2", &[&text, &above]);
            rows.unwrap().iter().map(|row| row.get(0)).collect()
        }
    }
}

/// A page of an application, and the database that keeps it.
struct Kept {
    application: &'static dyn Application,
    database: &'static str,
    page: &'static str,
}

const AUCTION_IN_MARIADB: Kept =
    Kept { application: &AUCTION, database: "mariadb", page: "/auction/ViewItem?itemId=1" };
const COMMENTS_IN_POSTGRESQL: Kept =
    Kept { application: &COMMENTS, database: "postgresql", page: "/comments/ListComments" };

/// One process of PHP and so one connection, which is there before the trace is. Gives what the second visit of a page
/// sends, and then a write.
fn traces_of_php(kept: &Kept, factors: &[&str]) -> [Trace; 2] {
    let sandbox = Sandbox::new();
    let workspace = Workspace::find(Some(&sandbox.workspace())).unwrap();
    let application = kept.application;
    let variant = workspace.choose(application.name(), &["WsPhpFpm-DB".to_owned()]).unwrap();
    let factors: Vec<FactorChoice> = factors.iter().map(|factor| factor.parse().unwrap()).collect();
    let variant = lab::vary_one(&variant[0], &factors).unwrap();
    assert_eq!(variant.configuration.tiers[0].service.name, kept.database);
    let stop = Arc::new(AtomicBool::new(false));
    let dataset = Dataset::new(1, 0.002, lab::now());
    let mut laboratory = lab::RunContext::read(&workspace, application, None, dataset, 1.0, stop).unwrap();
    laboratory.executable = EXECUTABLE.into();
    laboratory.cache = Some(sandbox.cache().to_owned());
    let scratch = laboratory.scratch(1).unwrap();
    let mut site = laboratory.site(&variant, &scratch, None, &mut |_| ()).unwrap();
    site.start_fresh().unwrap();
    let address = format!("http://{}", site.entry());
    let view = || drop(ureq::get(format!("{address}{}", kept.page)).call().unwrap());

    view();
    assert!(site.take_statements().unwrap().is_err(), "nothing is traced yet");
    site.trace_statements(true).unwrap().unwrap();
    view();
    let viewed = site.take_statements().unwrap().unwrap();
    let write = application.contention(&site.dataset(), 1).swap_remove(0).step;
    let request = write.request(&laboratory.key, lab::now());
    let post = ureq::post(format!("{address}{}", request.path));
    post.content_type("application/x-www-form-urlencoded").send(&request.body).unwrap();
    let written = site.take_statements().unwrap().unwrap();
    site.trace_statements(false).unwrap().unwrap();
    assert!(site.take_statements().unwrap().is_err(), "nothing is traced any more");
    [viewed, written]
}

/// Only here are both protocols held against each other.
#[test]
fn php_sends_the_same_statements_prepared_and_as_text() {
    let _turn = turn();
    let prepared = traces_of_php(&AUCTION_IN_MARIADB, &["children=1"]);
    let text = traces_of_php(&AUCTION_IN_MARIADB, &["children=1", "protocol=text"]);
    for (prepared, text) in prepared.iter().zip(&text) {
        assert_eq!(prepared.statements, text.statements);
        assert_eq!(prepared.housekeeping["change user"], 1);
        let preparations = prepared.housekeeping["prepare"];
        assert!(!text.housekeeping.contains_key("prepare"), "{text:?}");
        let boundaries = |trace: &Trace| {
            ["begin", "commit"].iter().filter_map(|name| trace.housekeeping.get(*name)).sum::<u32>()
        };
        assert_eq!(prepared.round_trips, 2 + preparations + boundaries(prepared) + prepared.sent() as u32);
        assert_eq!(text.round_trips, 2 + boundaries(text) + text.sent() as u32);
    }
    let [viewed, bid] = prepared;
    assert!(viewed.statements.iter().all(|statement| statement.starts_with("SELECT")), "{viewed:?}");
    assert_eq!(bid.statements.first().unwrap(), "BEGIN");
    assert!(bid.statements.iter().any(|statement| statement.starts_with("INSERT INTO bids")), "{bid:?}");
    assert_eq!(bid.statements.last().unwrap(), "COMMIT");
}

/// Only here, likewise, on PostgreSQL.
#[test]
fn php_sends_the_same_statements_to_postgresql_prepared_and_as_text() {
    let _turn = turn();
    let kept = &COMMENTS_IN_POSTGRESQL;
    let prepared = traces_of_php(kept, &["children=1"]);
    let text = traces_of_php(kept, &["children=1", "protocol=text"]);
    for traces in [&prepared, &text] {
        let [listed, stored] = traces;
        assert_eq!(listed.statements, ["SELECT * FROM comments ORDER BY id"]);
        let insert = "INSERT INTO comments (name, email, comment) VALUES (?, ?, ?) RETURNING id";
        assert_eq!(stored.statements, [insert]);
        for trace in traces {
            // Prepared without a name, a statement goes with its values.
            assert!(!trace.housekeeping.contains_key("prepare"), "{trace:?}");
            let housekeeping: u32 = trace.housekeeping.values().sum();
            assert_eq!(trace.round_trips, 1 + housekeeping, "{trace:?}");
        }
    }
}

/// Only here is it seen how PHP locks.
#[test]
fn on_myisam_tables_are_locked_instead_of_rows() {
    let _turn = turn();
    let [_, bid] = traces_of_php(&AUCTION_IN_MARIADB, &["children=1", "engine=MyISAM"]);
    assert!(bid.statements.first().unwrap().starts_with("LOCK TABLES"), "{bid:?}");
    assert_eq!(bid.statements.last().unwrap(), "UNLOCK TABLES");
}
