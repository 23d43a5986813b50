//! The statements that are sent to a database, as the server itself saw them.

use crate::bench::{Bench, real_house, turn};
use application::{Application, Scenario};
use auction::AUCTION;
use lab::{FactorChoice, House};
use mysql::{Conn, OptsBuilder, prelude::Queryable};
use services::{
    Context, Instance, Service, Setting,
    statements::{Trace, Tracer},
    store::{self, LoadOrder},
};
use settings::Document;
use std::{
    collections::BTreeMap,
    fs,
    sync::{Arc, atomic::AtomicBool},
};
use testbed::Scratch;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_tierbench");
/// What a text may hold that looks like an entry of the log.
const ODD: &str = "o'b\\\n\t\t     1 Query\tDELETE \"";

fn scenario() -> Scenario {
    Scenario::new(1, 0.002, lab::now())
}

fn counts(trace: &Trace) -> Vec<(&str, u32)> {
    trace.housekeeping.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

#[test]
fn text_and_bound_values_read_alike_and_only_the_stacks_user_is_traced() {
    let _turn = turn();
    let house = real_house();
    let service = Service::read(&house.join("services/mariadb")).unwrap();
    let factors = service.factors.choose(&Document::new("", ""), &BTreeMap::new()).unwrap();
    let setting = Setting {
        role: "db".into(),
        factors,
        stack_templates: Vec::new(),
        place: testbed::Place::default(),
        fixed_port: None,
        is_prepared: true,
    };
    let scratch = Scratch::create(EXECUTABLE.as_ref()).unwrap();
    let context = Context {
        executable: EXECUTABLE.into(),
        folder: scratch.path().into(),
        lock: scratch.lock(),
        site: scratch.path().into(),
        application: "auction".into(),
        scenario: scenario(),
        time_scale: 1.0,
        environment: BTreeMap::new(),
    };
    let mut instance = Instance::prepare(&service, &setting, &[], &context).unwrap();
    let access = store::Access::new(&instance, "auction").unwrap();
    instance.start().unwrap();
    let schema = fs::read_to_string(house.join("apps/auction/schema/mariadb.sql")).unwrap();
    let stop = AtomicBool::new(false);
    let order = LoadOrder { application: &AUCTION, scenario: &scenario(), schema: &schema, stop: &stop };
    store::load(&mut instance, &access, order, &mut |_| ()).unwrap();
    store::let_stack_in(&instance, &access).unwrap();
    let variables = access.environment();
    assert_eq!(variables["TIERBENCH_DB_ENGINE"], "InnoDB");
    let connect = || {
        let options = OptsBuilder::new()
            .ip_or_hostname(Some(variables["TIERBENCH_DB_HOST"].clone()))
            .tcp_port(variables["TIERBENCH_DB_PORT"].parse().unwrap())
            .user(Some(variables["TIERBENCH_DB_USER"].clone()))
            .pass(Some(variables["TIERBENCH_DB_PASSWORD"].clone()))
            .db_name(Some(variables["TIERBENCH_DB_NAME"].clone()))
            .prefer_socket(false);
        Conn::new(options).unwrap()
    };

    let mut earlier = connect();
    let mut tracer = Tracer::start(&instance).unwrap();
    let quoted = format!("'{}'", ODD.replace('\\', "\\\\").replace('\'', "''"));
    earlier
        .query_drop(format!("SELECT id  FROM regions -- it's\n WHERE name <> {quoted} AND id > -5"))
        .unwrap();
    store::rows(&instance, &access, &AUCTION.tables()[0]).unwrap();
    earlier.exec_drop("SELECT id FROM regions WHERE name <> ? AND id > ?", (ODD, -5)).unwrap();
    let trace = tracer.take().unwrap();
    assert_eq!(trace.statements, ["SELECT id FROM regions WHERE name <> ? AND id > ?"; 2]);
    assert_eq!(counts(&trace), [("prepare", 1)]);
    assert_eq!(trace.round_trips, 3);

    drop(earlier);
    let mut later = connect();
    later.query_drop("COMMIT").unwrap();
    let trace = tracer.take().unwrap();
    assert_eq!(trace.statements.last().unwrap(), "COMMIT");
    assert_eq!(trace.housekeeping["connect"], 1);
    assert_eq!(trace.round_trips, 2 + trace.statements.len() as u32);

    Tracer::stop(&instance).unwrap();
    later.query_drop("ROLLBACK").unwrap();
    assert_eq!(tracer.take().unwrap().statements, [""; 0]);
}

/// One process of PHP and so one connection, which is there before the trace is. Gives what the second visit of an
/// item sends, and then a bid.
fn traces_of_php(factors: &[&str]) -> [Trace; 2] {
    let bench = Bench::new();
    let house = House::find(Some(&bench.house())).unwrap();
    let chosen = house.choose("auction", &["WsPhpFpm-DB".to_owned()]).unwrap();
    let factors: Vec<FactorChoice> = factors.iter().map(|factor| factor.parse().unwrap()).collect();
    let chosen = lab::vary_one(&chosen[0], &factors).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut laboratory = lab::Bench::read(&house, &AUCTION, None, scenario(), 1.0, stop).unwrap();
    laboratory.executable = EXECUTABLE.into();
    let scratch = laboratory.scratch(1).unwrap();
    let mut site = laboratory.site(&chosen, &scratch, None, &mut |_| ()).unwrap();
    site.start_fresh().unwrap();
    let address = format!("http://{}", site.entry());
    let view = || drop(ureq::get(format!("{address}/auction/ViewItem?itemId=1")).call().unwrap());

    view();
    assert!(site.take_statements().unwrap().is_err(), "nothing is traced yet");
    site.trace_statements(true).unwrap().unwrap();
    view();
    let viewed = site.take_statements().unwrap().unwrap();
    let bid = AUCTION.contention(&site.scenario(), 1).swap_remove(0).step;
    let request = bid.request(&laboratory.key, lab::now());
    let post = ureq::post(format!("{address}{}", request.path));
    post.content_type("application/x-www-form-urlencoded").send(&request.body).unwrap();
    let bid = site.take_statements().unwrap().unwrap();
    site.trace_statements(false).unwrap().unwrap();
    assert!(site.take_statements().unwrap().is_err(), "nothing is traced any more");
    [viewed, bid]
}

#[test]
fn php_sends_the_same_statements_prepared_and_as_text() {
    let _turn = turn();
    let prepared = traces_of_php(&["children=1"]);
    let text = traces_of_php(&["children=1", "protocol=text"]);
    for (prepared, text) in prepared.iter().zip(&text) {
        assert_eq!(prepared.statements, text.statements);
        assert_eq!(prepared.housekeeping["change user"], 1);
        let preparations = prepared.housekeeping["prepare"];
        assert!(!text.housekeeping.contains_key("prepare"), "{text:?}");
        assert_eq!(prepared.round_trips, 2 + preparations + prepared.statements.len() as u32);
        assert_eq!(text.round_trips, 2 + text.statements.len() as u32);
    }
    let [viewed, bid] = prepared;
    assert!(viewed.statements.iter().all(|statement| statement.starts_with("SELECT")), "{viewed:?}");
    assert_eq!(bid.statements.first().unwrap(), "START TRANSACTION");
    assert!(bid.statements.iter().any(|statement| statement.starts_with("INSERT INTO bids")), "{bid:?}");
    assert_eq!(bid.statements.last().unwrap(), "COMMIT");
}

#[test]
fn on_myisam_tables_are_locked_instead() {
    let _turn = turn();
    let [_, bid] = traces_of_php(&["children=1", "engine=MyISAM"]);
    assert!(bid.statements.first().unwrap().starts_with("LOCK TABLES"), "{bid:?}");
    assert_eq!(bid.statements.last().unwrap(), "UNLOCK TABLES");
}
