//! Clients that several machines divide.

use super::reached::Reached;
use crate::sandbox::{QUICK, Sandbox, code_of, turn};
use results::Point;

/// Each generator has driven its part, and together they have driven all.
fn expect_divided(point: &Point, clients: u32) {
    let named: Vec<&str> = point.generators.iter().map(|one| one.host.as_str()).collect();
    assert_eq!(named, ["client", "more", "most"]);
    let all: u32 = point.generators.iter().map(|one| one.clients).sum();
    assert_eq!((all, point.clients), (clients, clients));
    assert!(point.completed > 0, "{point:?}");
    for one in &point.generators {
        assert!(one.cpu > 0.0 && one.intended > 0 && one.sent <= one.intended, "{one:?}");
    }
}

/// Only here do generators on several machines drive one site.
#[test]
#[ignore = "takes a minute"]
fn several_machines_divide_the_clients_of_a_run() {
    let _turn = turn();
    let (sandbox, machines) = (Sandbox::new(), Reached::new(&["more", "most"]));
    let words = ["run", "comments", "WsPhpFpm-DB", "--clients", "8", "--window", "4s", "--testbed"];
    let mut command = sandbox.command(&words);
    command.arg(machines.testbed()).args(QUICK).arg("--out").arg(sandbox.result());
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    expect_divided(&points[0], 8);
    // The accounts of writes of all generators are those of the database.
    let audit = points[0].audit.as_ref().unwrap();
    assert!(audit.faults().is_empty() && !audit.accounts.is_empty(), "{audit:?}");
    machines.expect_nothing_left();
}

/// Only here do several generators pause and go on together, over TLS and with pictures.
#[test]
#[ignore = "takes a minute"]
fn several_machines_divide_the_clients_of_rounds_over_tls() {
    let _turn = turn();
    let (sandbox, machines) = (Sandbox::new(), Reached::new(&["more", "most"]));
    // Who serves doesn't matter, and the model starts in a second.
    let words =
        ["compare", "bookstore", "Model", "--timeout", "10s,none", "--clients", "8", "--window", "6s"];
    let mut command = sandbox.command(&words);
    command.arg("--testbed").arg(machines.testbed()).args(QUICK).arg("--out").arg(sandbox.result());
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    assert_eq!(points.len(), 2);
    for point in &points {
        expect_divided(point, 8);
        assert!(point.rounds.len() > 1 && point.rounds.iter().all(|round| round.length_s > 0.0), "{point:?}");
    }
    machines.expect_nothing_left();
}

/// A generator that dies ends the run by name, and leaves nothing.
#[test]
#[ignore = "takes half a minute"]
fn a_lost_generator_is_named_and_nothing_is_left() {
    let _turn = turn();
    let (sandbox, machines) = (Sandbox::new(), Reached::new(&["more", "most"]));
    let words = ["run", "comments", "Model", "--clients", "8", "--window", "600s", "--testbed"];
    let mut command = sandbox.command(&words);
    command.arg(machines.testbed()).args(QUICK).arg("--out").arg(sandbox.result());
    let mut run = sandbox.start(command);
    run.expect("8 clients for");
    machines.kill_generator("most");
    run.end().expect(4, &["on the host `most`", "a worker ended without an outcome"]);
    machines.expect_nothing_left();
}
