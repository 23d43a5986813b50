//! A search for a peak on a real site: loads on one start of the servers, and the best of them again on starts of its own.

use crate::sandbox::{QUICK, Sandbox, turn};
use results::{Point, Purpose};
use rustix::process::Signal;
use std::{fs, process::Command};

/// A search among at most 10 clients: the knee has many more, so that it begins at 10 and goes down from there.
fn search(sandbox: &Sandbox) -> Command {
    let quick: Vec<&str> = QUICK.into_iter().filter(|word| !["--repetitions", "1"].contains(word)).collect();
    let mut command = sandbox.command(&["compare", "comments", "WsPhpFpm-DB", "--mix", "writing"]);
    command.args(["--max-clients", "10", "--repetitions", "2", "--window", "2s"]);
    command.args(quick).arg("--out").arg(sandbox.result());
    command
}

/// Only here does a real search end, and only here is it interrupted on a start of real servers.
#[test]
fn an_interrupted_search_keeps_its_starts_and_finds_the_best_load() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let clients = || sandbox.points().iter().map(|point| point.clients).collect::<Vec<_>>();
    let lines = || fs::read_to_string(sandbox.result().join("points.jsonl")).unwrap();
    let mut run = sandbox.start(search(&sandbox));
    run.expect("2 clients for");
    run.expect_load();
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted", "--resume"]);
    assert_eq!(clients(), [10]);
    let before = lines();
    sandbox.run(&["compare", "--resume", sandbox.result().to_str().unwrap()]);
    assert!(lines().starts_with(&before), "nothing is measured twice");
    let points = sandbox.points();
    let (search, confirmed): (Vec<&Point>, Vec<&Point>) =
        points.iter().partition(|point| point.purpose == Purpose::Search);
    assert_eq!(search.iter().map(|point| point.clients).collect::<Vec<_>>()[..3], [10, 2, 4]);
    assert!(confirmed.len() >= 2 && confirmed.iter().all(|point| point.purpose == Purpose::Confirm));
    let start = |point: &Point| point.warm_up.map(|warm_up| (warm_up.interactions, warm_up.seconds));
    assert_eq!(start(search[1]), start(search[2]), "one start");
    assert_ne!(start(search[0]), start(search[1]), "starts of their own");
    for point in &points {
        let audit = point.audit.as_ref().unwrap();
        assert!(audit.faults().is_empty(), "{}: {audit:?}", point.sequence);
    }
}
